use super::formatting;
use crate::fixture::{open, open_with};
use lofting_format::{Options, apply};
use lofting_workspace::Settings;

#[track_caller]
fn check(fixture: &str, expected: &str) {
    let fixture = open(fixture);
    let edits = formatting(&fixture.snapshot, fixture.file, None);
    assert_eq!(apply(&fixture.text, &edits), expected);
}

#[test]
fn every_language_and_none() {
    check(
        "#- schema.yml\n#@data/values-schema\n---\n  #@schema/nullable\na:   1\n",
        "#@data/values-schema\n---\n#@schema/nullable\na: 1\n",
    );
    check("#- values.yml\na:   1\n", "a: 1\n");
    check(
        "#- type.yaml\napiVersion:   openchoreo.dev/v1alpha1\nkind: ComponentType\n",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\n",
    );
}

#[test]
fn half_typed() {
    check("a:   1\nb\n", "a:   1\nb\n");
    check("a:   1\nb:\n", "a: 1\nb:\n");
    check("", "");
}

#[test]
fn the_team_chooses_before_the_user() {
    let settings = Settings {
        format: Options { indent: Some(3), blank_lines: Some(0), ..Options::default() },
        ..Settings::default()
    };
    let text = "a:\n  b: 1\n\n\nc: 1\n";
    let alone = open_with(settings.clone(), text);
    let out = |edits: Vec<_>| apply(text, &edits);
    assert_eq!(out(formatting(&alone.snapshot, alone.file, None)), "a:\n   b: 1\nc: 1\n");
    let team = open_with(settings, &format!("#- lofting.toml\n[format]\nindent = 4\n#- values.yml\n{text}"));
    assert_eq!(out(formatting(&team.snapshot, team.file, None)), "a:\n    b: 1\nc: 1\n");
}

#[test]
fn lines_alone() {
    let fixture = open("a:   1\nb:   2\n");
    let edits = formatting(&fixture.snapshot, fixture.file, Some(8..9));
    assert_eq!(apply(&fixture.text, &edits), "a:   1\nb: 2\n");
}

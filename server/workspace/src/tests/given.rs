//! Checks where the command line names the schema, or its language.

use crate::fixture::{Fixture, strings};
use crate::settings::Settings;
use crate::{CheckReport, GivenSchema, check_given};
use lofting_check::LIMIT;

const SCHEMA: &str = "#- s.json\n{\"properties\": {\"a\": {\"type\": \"integer\"}}}\n";

fn given<'g>(schema: Option<&'g str>, unsaved: Option<(&'g str, &'g str)>) -> GivenSchema<'g> {
    let language = if schema.is_some() { "json-schema" } else { "kubernetes" };
    GivenSchema { language, schema, mirrors: &[], fetch: None, unsaved, most: LIMIT }
}

fn lines(report: &CheckReport) -> Vec<String> {
    let files = report.files.iter().flat_map(|file| file.diagnostics.iter().map(move |finding| (file, finding)));
    files.map(|(file, finding)| format!("{} {} {}", file.shown, finding.severity.as_str(), finding.code())).collect()
}

fn check(fixture: &Fixture, paths: &[&str], unsaved: Option<(&str, &str)>) -> CheckReport {
    check_given(&fixture.root(), given(Some("s.json"), unsaved), &strings(paths)).unwrap()
}

#[test]
fn directories_and_unsaved_texts_are_checked_like_files() {
    let text = format!(
        "{SCHEMA}#- v.yaml\na: x\n#- sub/w.yml\na: y\n#- t.yml\na: #@ 1\n#- other.json\n{{\"a\": \"x\"}}\n#- chart.yaml\n\
         {{{{- if .Values.a }}}}\na: x\n{{{{- end }}}}\n"
    );
    let fixture = Fixture::new(&text, Settings::default());
    let all = ["sub/w.yml error json-schema/type-mismatch", "v.yaml error json-schema/type-mismatch"];
    for paths in [&[][..], &["."], &["sub", "v.yaml"], &["sub/", ".", "v.yaml"]] {
        let mut found = lines(&check(&fixture, paths, None));
        found.sort();
        assert_eq!(found, all, "{paths:?}");
    }
    let unsaved = check(&fixture, &["none.yml"], Some(("none.yml", "a: z\n")));
    assert_eq!(lines(&unsaved), ["none.yml error json-schema/type-mismatch"]);
    let nothing = check_given(&fixture.root(), given(None, None), &[]).err().unwrap().to_string();
    assert_eq!(nothing, ".: there is no schema of kubernetes in it");
    let missing = check_given(&fixture.root(), given(Some("s.json"), None), &strings(&["nope"])).err().unwrap();
    assert_eq!(missing.to_string(), "nope: there is no such file or directory");
}

#[test]
fn comments_and_levels_count() {
    let text = format!(
        "{SCHEMA}#- v.yaml\na: x # lofting: ignore json-schema/type-mismatch\n#- w.yaml\n\
         # lofting: ignore-file json-schema/type-mismatch\na: x\n#- sub/x.yaml\na: x\nb: 1\nb: 2\n#- sub/lofting.toml\n\
         [rules]\n\"json-schema/type-mismatch\" = \"off\"\n\"yaml/repeated-key\" = \"error\"\n"
    );
    let fixture = Fixture::new(&text, Settings::default());
    let report = check(&fixture, &["v.yaml", "w.yaml", "sub/x.yaml"], None);
    assert_eq!(lines(&report), ["sub/x.yaml error yaml/repeated-key"]);
}

/// Where a part of a schema is wrong, every value is accepted, and the report names it.
#[test]
fn faulty_parts_of_a_schema_accept_everything_and_are_said() {
    let faulty = [
        ("type", "\"integr\""),
        ("type", "\"Integer\""),
        ("type", "null"),
        ("type", "5"),
        ("type", "[]"),
        ("type", "[\"integer\", \"integr\"]"),
        ("enum", "\"x\""),
        ("enum", "5"),
        ("enum", "null"),
        ("enum", "{}"),
        ("pattern", "\"[\""),
        ("patternProperties", "{\"[\": false}"),
        ("minLength", "-1"),
        ("maxLength", "-1"),
        ("maxItems", "-1"),
        ("multipleOf", "0"),
        ("multipleOf", "-2"),
        ("minimum", "\"x\""),
        ("properties", "5"),
    ];
    for (keyword, value) in faulty {
        for schema in ["", "\"$schema\": \"http://json-schema.org/draft-07/schema#\", "] {
            let schema = format!("{{{schema}\"properties\": {{\"a\": {{\"{keyword}\": {value}}}}}}}");
            let text = format!("#- s.json\n{schema}\n#- v.yaml\na: xyz\n#- w.yaml\na: [1]\n#- u.yaml\na: 3\n");
            let fixture = Fixture::new(&text, Settings::default());
            let report = check(&fixture, &["v.yaml", "w.yaml", "u.yaml"], None);
            assert_eq!(lines(&report), ["s.json warning json-schema/keyword-value"], "{schema}");
            assert!(matches!(report.unchecked.as_slice(), [one] if one.files.len() == 3), "{schema}");
            // Named in a file, its findings are where it is checked itself.
            let text = format!("#- s.json\n{schema}\n#- v.yaml\n# yaml-language-server: $schema=s.json\na: xyz\n");
            let fixture = Fixture::new(&text, Settings::default());
            let report = super::checks::checked(&fixture.root(), &["v.yaml"]);
            assert_eq!((lines(&report), report.unchecked.len()), (Vec::new(), 1), "{schema}");
        }
    }
    for sound in
        ["\"pattern\": \"^[a-z]+$\"", "\"type\": [\"string\", \"null\"]", "\"enum\": [\"xyz\"]", "\"minLength\": 0"]
    {
        let text = format!("#- s.json\n{{\"properties\": {{\"a\": {{{sound}}}}}}}\n#- v.yaml\na: xyz\n");
        let report = check(&Fixture::new(&text, Settings::default()), &["v.yaml"], None);
        assert_eq!((lines(&report), report.unchecked.len()), (Vec::new(), 0), "{sound}");
    }
    // An empty list is allowed, and allows nothing.
    let fixture =
        Fixture::new("#- s.json\n{\"properties\": {\"a\": {\"enum\": []}}}\n#- v.yaml\na: x\n", Settings::default());
    let report = check(&fixture, &["v.yaml"], None);
    let messages: Vec<&str> = report.diagnostics().map(|finding| &*finding.message).collect();
    assert_eq!(messages, ["`a` cannot be anything, but is \"x\""]);
}

use super::rename_files;
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_workspace::CancelFlag;
use std::path::Path;

/// The replacements that some moves make, below the folder of the fixture.
#[track_caller]
fn check(files: &str, moves: &[(&str, &str)], expected: Expect) {
    let fixture = open(files);
    let root = fixture.snapshot.roots().next().map(Path::to_owned).expect("a folder");
    let moves: Vec<_> = moves.iter().map(|(old, new)| (root.join(old), root.join(new))).collect();
    let edits = rename_files(&fixture.snapshot, &moves, &CancelFlag::new());
    let line = |(span, new): &(lofting_document::Span, String)| {
        let old = fixture.snapshot.text(span.file).slice(span.range()).into_owned();
        format!("{}: {old} -> {new}", fixture.snapshot.shown_path(span.file))
    };
    expected.assert_eq(&edits.iter().map(line).collect::<Vec<_>>().join("\n"));
}

const FILES: &str = "#- lofting.toml
[sets.prod]
files = [\"config/schema.yml\", \"config/t.yml\"]
values = [\"envs/*.yml\"]
#- config/schema.yml
#@data/values-schema
---
a: 1
#- config/lib/f.star
def f():
  return 1
end
#- config/t.yml
#@ load(\"lib/f.star\", \"f\")
#@ load(\"/lib/f.star\", g=\"f\")
a: #@ f()
#- values.yml
#! lofting: schema=config/schema.yml
a: 2
#- s.yml
$schema: http://json-schema.org/draft-07/schema#
properties:
  a: {$ref: './defs.yml#/$defs/x'}
  b: {$ref: '#/properties/a'}
  c: {$ref: 'none.yml'}
#- defs.yml
$defs: {x: {type: string}}
";

#[test]
fn files_get_other_names() {
    check(
        FILES,
        &[("config/schema.yml", "config/the-schema.yml")],
        expect![[r#"
            lofting.toml: config/schema.yml -> config/the-schema.yml
            values.yml: config/schema.yml -> config/the-schema.yml"#]],
    );
    check(FILES, &[("defs.yml", "types/defs.yml")], expect!["s.yml: ./defs.yml#/$defs/x -> ./types/defs.yml#/$defs/x"]);
    check(FILES, &[("config/lib/f.star", "config/f.star")], expect!["config/t.yml: lib/f.star -> f.star"]);
}

#[test]
fn what_moves_leads_where_it_led() {
    check(
        FILES,
        &[("values.yml", "deep/er/values.yml")],
        expect!["values.yml: config/schema.yml -> ../../config/schema.yml"],
    );
    check(
        FILES,
        &[("s.yml", "a/s.yml"), ("defs.yml", "b/defs.yml")],
        expect!["s.yml: ./defs.yml#/$defs/x -> ../b/defs.yml#/$defs/x"],
    );
}

#[test]
fn kustomizations_follow_files_and_folders() {
    let files = "#- over/kustomization.yaml
resources: [../base, '../base/', web.yaml]
patches: [{path: p.yaml}]
#- over/web.yaml
a: 1
#- over/p.yaml
a: 1
#- base/kustomization.yaml
resources: []
";
    check(
        files,
        &[("base", "bases/prod")],
        expect![[r#"
            over/kustomization.yaml: ../base -> ../bases/prod
            over/kustomization.yaml: ../base/ -> ../bases/prod/"#]],
    );
    check(
        files,
        &[("over/web.yaml", "over/app/web.yaml")],
        expect!["over/kustomization.yaml: web.yaml -> app/web.yaml"],
    );
    check(
        files,
        &[("over", "deep/over")],
        expect![[r#"
            over/kustomization.yaml: ../base -> ../../base
            over/kustomization.yaml: ../base/ -> ../../base/"#]],
    );
}

#[test]
fn folders_move_with_what_is_in_them() {
    check(
        FILES,
        &[("config", "ytt")],
        expect![[r#"
            lofting.toml: config/schema.yml -> ytt/schema.yml
            lofting.toml: config/t.yml -> ytt/t.yml
            values.yml: config/schema.yml -> ytt/schema.yml"#]],
    );
    check(FILES, &[("config/lib", "config/code")], expect!["config/t.yml: lib/f.star -> code/f.star"]);
    check(FILES, &[("elsewhere", "other")], expect![""]);
    // A path that would need quotes is left to the user.
    check(FILES, &[("defs.yml", "all \"types\".yml")], expect![""]);
    check(FILES, &[("defs.yml", "all types.yml")], expect!["s.yml: ./defs.yml#/$defs/x -> ./all types.yml#/$defs/x"]);
    // Half-typed.
    let half = "#- a.yml\n#@ load(\"b.star\n$ref: 'b\n#- b.star\nx = 1\n";
    check(half, &[("b.star", "c.star")], expect!["a.yml: b.star -> c.star"]);
}

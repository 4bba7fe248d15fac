use super::{LensChoices, LensKeys, LensKind, code_lenses, governed_files, key_uses};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};
use lofting_document::Span;
use lofting_workspace::CancelFlag;

/// Each lens with the text that it is about.
fn shown_in(fixture: &Fixture, uses: LensKeys) -> String {
    let choices = LensChoices { uses, sets: true };
    let lenses = code_lenses(&fixture.snapshot, fixture.file, choices);
    let line = |lens: &super::CodeLens| {
        let counted = || {
            if lens.kind == LensKind::Governs {
                return governed_files(&fixture.snapshot, fixture.file, &CancelFlag::new()).title();
            }
            let declared = Span::new(fixture.file, lens.range.clone());
            key_uses(&fixture.snapshot, declared, &CancelFlag::new()).title()
        };
        let title = lens.kind.title().unwrap_or_else(counted);
        format!("[{}] {title}", &fixture.text[lens.range.clone()])
    };
    lenses.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(uses: LensKeys, text: &str, expected: Expect) {
    expected.assert_eq(&shown_in(&open(text), uses));
}

const FILES: &str = "#- a-values.yml
#@data/values
---
db:
  host: x
tags: [a]
#- b-values.yml
#@data/values
---
db:
  host: y
  po
#- template.yml
#@ load(\"@ytt:data\", \"data\")
host: #@ data.values.db.host
names: #@ [tag for tag in data.values.tags]
#- lib.star
def f(x):
  return x
end
";

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
db:
  host: \"\"
  port: 1
tags:
- \"\"
unused: 1
ha";

#[test]
fn uses_of_keys() {
    check(
        LensKeys::Root,
        &format!("{FILES}{SCHEMA}"),
        expect![[r#"
            [db] set in 2 files, read by 1 template
            [tags] set in 1 file, read by 1 template
            [unused] no uses known"#]],
    );
    check(
        LensKeys::All,
        &format!("{FILES}{SCHEMA}"),
        expect![[r#"
            [db] set in 2 files, read by 1 template
            [host] set in 2 files, read by 1 template
            [port] no uses known
            [tags] set in 1 file, read by 1 template
            [unused] no uses known"#]],
    );
    check(LensKeys::Off, &format!("{FILES}{SCHEMA}"), expect![""]);
    // Values have none, and neither has what no schema is.
    check(LensKeys::All, "a: 1\n", expect![""]);
}

#[test]
fn uses_of_fields_in_other_documents() {
    check(
        LensKeys::All,
        "#- shop.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  componentType: {kind: ComponentType, name: deployment/web}
  parameters:
    replicas: 2
#- type.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  parameters:
    openAPIV3Schema:
      type: object
      properties:
        replicas: {type: integer}
        size: {type: integer}
",
        expect![[r#"
            [replicas] set in 1 file
            [size] no uses known"#]],
    );
}

#[test]
fn sets_of_files() {
    let files = "#- s.yml\n#@data/values-schema\n---\na: 1\n#- env/a.yml\na: 2\n#- env/b.yml\na: 3\n";
    let config = "#- lofting.toml\n[sets.prod]\nfiles = [\"s.yml\", \"values.yml\"]\nvalues = [\"env/*.yml\"]\n[sets.dev]\nfiles = [\"s.yml\", \"values.yml\"]\n";
    check(
        LensKeys::Root,
        &format!("{files}{config}#- values.yml\n#@data/values\n---\na: 1\n"),
        expect!["[] Input sets: prod, dev"],
    );
    check(
        LensKeys::Root,
        &format!("{files}#- values.yml\n#@data/values\n---\na: 1\n{config}"),
        expect![[r#"
            [prod] 2 files and one of 2 values files
            [dev] 2 files"#]],
    );
}

/// An index is made from the previous one, and says the same as one that is made from nothing.
#[test]
fn counting_again_after_edits() {
    use lofting_workspace::{Settings, Workspace};
    use std::path::{Path, PathBuf};
    let root = Path::new("/lofting-lens");
    let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
    let schema = workspace.open(&root.join("schema.yml"), 1, "#@data/values-schema\n---\na: 1\nb: 2\n");
    let values = workspace.open(&root.join("values.yml"), 1, "#@data/values\n---\na: 1\n");
    let counted = |workspace: &Workspace| {
        let snapshot = workspace.snapshot();
        let lenses = code_lenses(&snapshot, schema, LensChoices { uses: LensKeys::All, sets: false });
        assert!(lenses.iter().all(|lens| lens.kind == LensKind::Uses));
        let uses = |range| key_uses(&snapshot, Span::new(schema, range), &CancelFlag::new()).values;
        lenses.into_iter().map(|lens| uses(lens.range)).collect::<Vec<_>>()
    };
    assert_eq!(counted(&workspace), [1, 0]);
    workspace.replace(values, 2, "#@data/values\n---\nb: 1\n");
    assert_eq!(counted(&workspace), [0, 1]);
    workspace.open(&root.join("more-values.yml"), 1, "#@data/values\n---\nb: 1\na: 2\n");
    assert_eq!(counted(&workspace), [1, 2]);
    workspace.replace(schema, 2, "#@data/values-schema\n---\n# moved\na: 1\nb: 2\n");
    assert_eq!(counted(&workspace), [1, 2]);
    // What a library reads is decided by those that call its functions.
    let read = |workspace: &Workspace| {
        let snapshot = workspace.snapshot();
        let lenses = code_lenses(&snapshot, schema, LensChoices { uses: LensKeys::All, sets: false });
        let uses = |range| key_uses(&snapshot, Span::new(schema, range), &CancelFlag::new()).code;
        lenses.into_iter().map(|lens| uses(lens.range)).collect::<Vec<_>>()
    };
    workspace.open(&root.join("lib.star"), 1, "def f(values):\n  return values.a\nend\n");
    assert_eq!(read(&workspace), [0, 0]);
    let caller = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"lib.star\", \"f\")\n---\nx: #@ f(data.values)\n";
    let caller_file = workspace.open(&root.join("caller.yml"), 1, caller);
    assert_eq!(read(&workspace), [1, 0]);
    workspace.replace(caller_file, 2, &caller.replace("f(data.values)", "data.values.b"));
    assert_eq!(read(&workspace), [0, 1]);
    workspace.replace(caller_file, 3, caller);
    assert_eq!(read(&workspace), [1, 0]);
    workspace.close(caller_file);
    assert_eq!(read(&workspace), [0, 0]);
}

#[test]
fn a_json_schema_says_what_it_breaks() {
    let schema = "#- s.schema.yaml\nproperties:\n  size: {type: integer, maximum: $03}\n  na";
    let files = "#- a.yaml\n# yaml-language-server: $schema=s.schema.yaml\nsize: 4\n#- b.yaml\n# yaml-language-server: \
                 $schema=s.schema.yaml\nsize: 1\n";
    check(
        LensKeys::Root,
        &format!("{files}{schema}"),
        expect![[r#"
            [] governs 2 files: 1 error in 1 of them
            [size] set in 2 files"#]],
    );
    check(
        LensKeys::Root,
        schema,
        expect![[r#"
        [] governs no known file
        [size] no uses known"#]],
    );
}

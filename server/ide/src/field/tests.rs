use crate::fixture::{Fixture, open};
use crate::{prepare_rename, references, rename};
use expect_test::{Expect, expect};

const TYPE: &str = "#- type.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  parameters:
    openAPIV3Schema:
      type: object
      required: [replicas, size]
      properties:
        replicas: {type: integer}
        size: {type: integer}
        mounts:
          type: array
          default: [{path: /a}]
          items: {$ref: '#/$defs/Mount'}
      $defs:
        Mount:
          type: object
          required: [path]
          properties:
            path: {type: string}
  resources:
    - id: deployment
      forEach: ${parameters.mounts}
      var: mount
      template:
        a: ${parameters.replicas + 1} of ${mount.path}
        b: ${parameters.mounts.map(replicas, replicas.path)}
";

const SHOP: &str = "#- shop.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  componentType: {kind: ComponentType, name: deployment/web}
  parameters:
    replicas: 2
    mounts:
      - {path: /data}
      - path: /logs
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: other}
spec:
  componentType: deployment/other
  parameters:
    replicas: 2
";

/// The workspace with the cursor after a text in one of its files.
fn at(path: &str, text: &str) -> Fixture {
    let files = format!("{TYPE}{SHOP}");
    let start = files.find(&format!("#- {path}\n")).expect("the file");
    let at = files[start..].find(text).expect("the text") + start + text.len();
    open(&format!("{}$0{}", &files[..at], &files[at..]))
}

/// The lines that a rename changes, after the change.
fn check(fixture: &Fixture, name: &str, expected: Expect) {
    let renamed = rename(&fixture.snapshot, fixture.file, fixture.offset, name);
    let shown = match renamed {
        Err(refusal) => refusal.0,
        Ok(renamed) => {
            let mut lines: Vec<String> = Vec::new();
            for (span, new) in renamed.edits {
                let text = fixture.snapshot.text(span.file);
                let line = text.line_of(span.range().start);
                let range = text.line_range(line);
                let (before, after) =
                    (text.slice(range.start..span.range().start), text.slice(span.range().end..range.end));
                lines.push(format!(
                    "{}:{} {}[{new}]{}\n",
                    fixture.snapshot.shown_path(span.file),
                    line + 1,
                    before,
                    after
                ));
            }
            lines.sort();
            lines.concat()
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn a_field_is_renamed_in_its_schema_in_values_and_in_expressions() {
    let places = [("type.yaml", "        repl"), ("type.yaml", "${parameters.rep"), ("shop.yaml", "    repl")];
    for (path, text) in places {
        check(
            &at(path, text),
            "count",
            expect![[r#"
            shop.yaml:7     [count]: 2
            type.yaml:11         [count]: {type: integer}
            type.yaml:28         a: ${parameters.[count] + 1} of ${mount.path}
            type.yaml:9       required: [[count], size]
        "#]],
        );
    }
    for (path, text) in [("type.yaml", "            pat"), ("type.yaml", "${mount.pa"), ("shop.yaml", "- {pat")] {
        check(
            &at(path, text),
            "folder",
            expect![[r#"
            shop.yaml:10       - [folder]: /logs
            shop.yaml:9       - {[folder]: /data}
            type.yaml:15           default: [{[folder]: /a}]
            type.yaml:20           required: [[folder]]
            type.yaml:22             [folder]: {type: string}
            type.yaml:28         a: ${parameters.replicas + 1} of ${mount.[folder]}
            type.yaml:29         b: ${parameters.mounts.map(replicas, replicas.[folder])}
        "#]],
        );
    }
}

#[test]
fn names_that_would_not_do_are_refused() {
    let fixture = at("type.yaml", "        repl");
    check(&fixture, "size", expect!["there is a field `size` beside it"]);
    check(&fixture, "a b", expect!["`a b` cannot follow a dot, as expressions name the field"]);
    check(&fixture, "", expect!["`` cannot be the name of a field"]);
    check(&fixture, "replicas", expect![[""]]);
    // Without a use in an expression, any key is possible.
    check(
        &at("type.yaml", "        siz"),
        "yes",
        expect![[r#"
        type.yaml:12         ["yes"]: {type: integer}
        type.yaml:9       required: [replicas, ["yes"]]
    "#]],
    );
}

#[test]
fn keywords_of_schemas_are_no_fields() {
    for text in ["        replicas: {ty", "      proper", "      requ", "      $de", "        Mou"] {
        let fixture = at("type.yaml", text);
        let prepared = prepare_rename(&fixture.snapshot, fixture.file, fixture.offset);
        assert!(prepared.is_err(), "{text}: {prepared:?}");
    }
    let fixture = at("shop.yaml", "- {pat");
    assert_eq!(references(&fixture.snapshot, fixture.file, fixture.offset, true).len(), 7);
}

/// What a built-in schema declares is not a field of the user's own.
#[test]
fn keys_of_built_in_schemas_are_no_fields() {
    for text in ["metadata: {na", "metad", "spe", "  componentType: {kin", "apiVer"] {
        let fixture = at("shop.yaml", text);
        let prepared = prepare_rename(&fixture.snapshot, fixture.file, fixture.offset);
        assert!(prepared.is_err(), "{text}: {prepared:?}");
    }
}

/// A name in brackets is a string, so it can be any name.
#[test]
fn names_in_brackets_are_renamed_without_their_quotes() {
    let text = TYPE.replace(
        "a: ${parameters.replicas + 1} of ${mount.path}",
        "a: ${parameters['size'] + 1}\n        c: \"${parameters[\\\"size\\\"]}\"\n        d: ${parameters.mounts[0]['path']}",
    );
    let at = |place: &str| {
        let at = text.find(place).expect("the text") + place.len();
        open(&format!("{}$0{}", &text[..at], &text[at..]))
    };
    for place in ["        siz", "${parameters['si", "parameters[\\\"size"] {
        check(
            &at(place),
            "max-size",
            expect![[r#"
                type.yaml:12         [max-size]: {type: integer}
                type.yaml:28         a: ${parameters['[max-size]'] + 1}
                type.yaml:29         c: "${parameters[\"[max-size]\"]}"
                type.yaml:9       required: [replicas, [max-size]]
            "#]],
        );
    }
    check(&at(".mounts[0]['pa"), "a-b", expect!["`a-b` cannot follow a dot, as expressions name the field"]);
}

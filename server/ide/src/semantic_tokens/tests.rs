use super::{SemanticToken, TokenChoices, TokenMemo, semantic_tokens, semantic_tokens_in};
use crate::fixture::{Fixture, open};
use crate::token_kinds::SemanticModifiers;
use expect_test::{Expect, expect};
use lofting_document::FileId;
use lofting_text::Text;
use lofting_workspace::{Settings, Snapshot, Workspace};
use std::ops::Range;
use std::path::{Path, PathBuf};

fn all(snapshot: &Snapshot, file: FileId) -> Vec<SemanticToken> {
    semantic_tokens(snapshot, file, TokenChoices::default(), &mut TokenMemo::default())
}

fn bytes(text: &Text, token: &SemanticToken) -> Range<usize> {
    let start = text.line_range(token.line as usize).start + token.column as usize;
    start..start + token.length as usize
}

/// Each token with its modifiers.
fn shown(fixture: &Fixture) -> String {
    let text = fixture.snapshot.text(fixture.file);
    let tokens = all(&fixture.snapshot, fixture.file);
    is_ordered(&text, &tokens);
    let words = tokens.iter().map(|token| {
        let modifiers = SemanticModifiers::ALL.iter().filter(|(modifier, _)| token.modifiers.0 & modifier.0 != 0);
        let modifiers: String = modifiers.map(|(_, name)| format!(".{name}")).collect();
        format!("{:?}{modifiers} {}", token.kind, text.slice(bytes(&text, token)))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Tokens are sorted, do not overlap, are not empty, and stay in their lines.
#[track_caller]
fn is_ordered(text: &Text, tokens: &[SemanticToken]) {
    for pair in tokens.windows(2) {
        assert!((pair[0].line, pair[0].column + pair[0].length) <= (pair[1].line, pair[1].column), "{pair:?}");
    }
    for token in tokens {
        let line = text.line_range(token.line as usize);
        assert!(token.length > 0 && bytes(text, token).end <= line.end, "{token:?} of {line:?}");
        assert_eq!(text.slice(bytes(text, token)).len(), token.length as usize, "whole characters");
    }
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(&open(text)));
}

#[test]
fn annotations_and_code() {
    check(
        "#@schema/validation min=1, f=lambda v: v.x == \"a\" # why\na: 1\nb: #@ len(data.values.c) + 2\n#@ if x:\n#! no\n# no\n#@ end\n",
        expect![[
            r##"Decorator #@schema/validation, Parameter min, Number 1, Parameter f, Keyword lambda, Variable v, Variable v, Property x, String "a", Comment # why, Macro #@, Function len, Variable data, Property values, Property c, Number 2, Macro #@, Keyword if, Variable x, Macro #@, Keyword end"##
        ]],
    );
    check(
        "#@ x = '''a\n#@   b if\n#@ ''' + None\n#@overlay/remove\n#@yaml/text-templated-strings\nk: \"(@= x @)\"\n",
        expect![[
            r##"Macro #@, Variable x, String '''a, Macro #@, String b if, Macro #@, String ''', Keyword None, Decorator #@overlay/remove, Decorator #@yaml/text-templated-strings, Variable x"##
        ]],
    );
}

#[test]
fn half_typed_and_none() {
    check(
        "#@ if x(\n#@schema/\n#@\na: #@\nb: #@ \"c\n",
        expect![[
            r##"Macro #@, Keyword if, Function x, Decorator #@schema/, Macro #@, Macro #@, Macro #@, String "c"##
        ]],
    );
    check("a: 1 # b\n", expect![""]);
    check(
        "#@data/values\n---\na: 1 #@overlay/remove\n#@\n",
        expect!["Decorator #@data/values, Decorator #@overlay/remove, Macro #@"],
    );
    check("", expect![""]);
    check("#- type.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Thing\n", expect![""]);
}

#[test]
fn a_range_has_the_tokens_that_it_touches() {
    let fixture = open("#@ a = 1\n#@ b = '''\n#@  c\n#@ '''\n#@ d = 1\n");
    let start = fixture.text.find("c\n").expect("c");
    let tokens = semantic_tokens_in(&fixture.snapshot, fixture.file, start..start + 1, TokenChoices::default());
    let text = fixture.snapshot.text(fixture.file);
    assert_eq!(tokens.iter().map(|token| text.slice(bytes(&text, token)).into_owned()).collect::<Vec<_>>(), ["c"]);
}

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
db:
  host: \"\"
  #@schema/deprecated \"use host\"
  server: \"\"
ports:
- port: 1
#@schema/type any=True
extra: {}
";

#[test]
fn keys_of_schemas_and_values() {
    check(
        SCHEMA,
        expect![[
            r#"Decorator #@data/values-schema, Property.declaration db, Property.declaration host, Decorator #@schema/deprecated, String "use host", Property.declaration.deprecated server, Property.declaration ports, Property.declaration port, Decorator #@schema/type, Parameter any, Keyword True, Property.declaration extra"#
        ]],
    );
    check(
        &format!(
            "{SCHEMA}#- values.yml\n#@data/values\n---\ndb: {{host: a, server: b, hots: c}}\nports:\n- port: 2\n  prot: 3\nextra: {{x: 1}}\n---\nother: 1\n"
        ),
        expect![
            "Decorator #@data/values, Property db, Property host, Property.deprecated server, Property.undeclared hots, Property ports, Property port, Property.undeclared prot, Property extra"
        ],
    );
}

#[test]
fn names_and_scalars() {
    check(
        "#@ load(\"@ytt:data\", \"data\")\na: &x [yes, 0o7, 017, 1.5, no, \"yes\", ~, true, 1_000]\nb: *x\n<<: *x\n",
        expect![[
            r#"Macro #@, Keyword load, String "@ytt:data", String "data", Variable.declaration &x, Keyword yes, Keyword no, Number 1_000, Variable *x, Variable *x"#
        ]],
    );
}

#[test]
fn texts_of_openchoreo() {
    check(
        "#- type.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  schema:
    parameters:
      size: 'integer | default=1'
  resources:
  - id: deployment
    includeWhen: ${parameters.size > 1}
    template:
      name: |
        a ${oc_name(metadata.name,
          \"b\")}
      plain: yes
",
        expect![[
            r#"Property.required apiVersion, Property.required kind, Property metadata, Property name, Property.required spec, Property.required workloadType, Property schema, Property parameters, Property.declaration size, Type integer, Operator |, Parameter default, Number 1, Property.required resources, Property.required id, Property includeWhen, Macro ${, Variable parameters, Property size, Operator >, Number 1, Macro }, Property.required template, Macro ${, Function oc_name, Variable metadata, Property name, String "b", Macro }, Keyword yes"#
        ]],
    );
}

#[test]
fn keys_can_be_left_out() {
    let fixture = open(&format!("{SCHEMA}#- values.yml\n#@data/values\n---\ndb: &a {{}}\n"));
    let none = TokenChoices { keys: false };
    let tokens = semantic_tokens(&fixture.snapshot, fixture.file, none, &mut TokenMemo::default());
    assert_eq!(tokens.len(), 2);
}

/// A values file that is long enough for its parts to be remembered.
fn long() -> String {
    let mut text = "#@data/values\n---\nports:\n".to_owned();
    for number in 0..400 {
        text.push_str(&match number % 4 {
            0 => format!("- port: {number}\n  prot: yes\n"),
            1 => format!("- port: {number} # ü {number}\n\n"),
            2 => format!("- {{port: {number}, \"port\": \"ö\"}}\n"),
            _ => format!("-\n  port: &a{number} 1\r\n"),
        });
    }
    text
}

/// After every edit the remembered tokens are those that a fresh search would find, and a part has those of the whole.
#[test]
fn remembered_tokens_are_those_of_the_text() {
    let root = Path::new("/lofting-tokens");
    let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
    let schema = SCHEMA.split_once('\n').map(|(_, text)| text).unwrap_or_default();
    let of_schema = workspace.open(&root.join("schema.yml"), 1, schema);
    let file = workspace.open(&root.join("values.yml"), 1, &long());
    let mut memo = TokenMemo::default();
    let mut random = 12_345_usize;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit.max(1)
    };
    for version in 2..60 {
        let snapshot = workspace.snapshot();
        let text = snapshot.text(file);
        let tokens = semantic_tokens(&snapshot, file, TokenChoices::default(), &mut memo);
        assert_eq!(tokens, all(&snapshot, file), "{version}");
        is_ordered(&text, &tokens);
        let start = text.round_down(next(text.len()));
        let part = start..text.round_down(start + next(3_000));
        let within = |token: &&SemanticToken| {
            let bytes = bytes(&text, token);
            bytes.end > part.start && bytes.start < part.end
        };
        let expected: Vec<SemanticToken> = tokens.iter().filter(within).copied().collect();
        assert_eq!(semantic_tokens_in(&snapshot, file, part.clone(), TokenChoices::default()), expected, "{part:?}");
        let offset = text.round_down(next(text.len()));
        let end = text.round_down(offset + [0, 0, 1, 7][next(4)]);
        let new = ["x", "", "\n", "  ", "ü", "- port: 1\n", ":", "&b ", "#", "\r\n", "]"][next(11)];
        workspace.edit(file, version, offset..end, new);
        if version % 20 == 0 {
            workspace.replace(of_schema, version, &schema.replace("port:", "prot:"));
        }
    }
}

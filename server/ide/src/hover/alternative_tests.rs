//! Hover where a schema has alternatives: what is written decides between them.

use super::hover;
use crate::Markup;
use crate::fixture::open;
use expect_test::{Expect, expect};

const SCHEMA: &str = r##"#- s.json
{
  "type": "object",
  "properties": {
    "step": {"oneOf": [
      {"type": "object", "properties": {"kind": {"const": "run", "description": "kind run"}}, "required": ["kind"]},
      {"type": "object", "properties": {"kind": {"const": "copy", "description": "kind copy"}}, "required": ["kind"]}
    ]},
    "word": {"oneOf": [{"const": "x", "description": "word x"}, {"const": "y", "description": "word y"}]}
  }
}
#- a.yaml
# yaml-language-server: $schema=s.json
"##;

#[track_caller]
fn check(text: &str, expect: Expect) {
    let fixture = open(&format!("{SCHEMA}{text}"));
    let shown = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    expect.assert_eq(&shown.map_or("nothing".to_owned(), |shown| shown.text.to_string()));
}

#[test]
fn the_deciding_key_is_that_of_its_alternative() {
    check(
        "step:\n  ki$0nd: copy\n",
        expect![[r#"
        kind: any

        kind copy

        Allowed: copy

        Declared in s.json:6"#]],
    );
    check(
        "step:\n  kind: co$0py\n",
        expect![[r#"
        kind: any

        kind copy

        Allowed: copy

        Declared in s.json:6"#]],
    );
    check(
        "step:\n  kind: ru$0n\n",
        expect![[r#"
        kind: any

        kind run

        Allowed: run

        Declared in s.json:5"#]],
    );
    // No alternative fits: each may be meant.
    check(
        "step:\n  ki$0nd: none\n",
        expect![[r#"
        kind: any

        kind run

        Allowed: run

        Declared in s.json:5

        kind: any

        kind copy

        Allowed: copy

        Declared in s.json:6"#]],
    );
    check(
        "step:\n  ki$0nd:\n",
        expect![[r#"
        kind: any

        kind run

        Allowed: run

        Declared in s.json:5

        kind: any

        kind copy

        Allowed: copy

        Declared in s.json:6"#]],
    );
    check(
        "st$0ep:\n  kind: copy\n",
        expect![[r#"
        step: map

        Declared in s.json:6"#]],
    );
}

#[test]
fn a_value_is_that_of_its_alternative() {
    check(
        "word: y$0\n",
        expect![[r#"
        word: any

        word y

        Allowed: "y"

        Declared in s.json:8"#]],
    );
    check(
        "wo$0rd: x\n",
        expect![[r#"
        word: any

        word x

        Allowed: x

        Declared in s.json:8"#]],
    );
    check(
        "word: z$0\n",
        expect![[r#"
        word: any

        word x

        Allowed: x

        Declared in s.json:8

        word: any

        word y

        Allowed: "y"

        Declared in s.json:8"#]],
    );
}

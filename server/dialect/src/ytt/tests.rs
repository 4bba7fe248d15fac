//! Renders schemas as text: `key type = default; docs; constraints`, then the problems with their lines and text.

use crate::ytt;
use expect_test::{Expect, expect};
use lofting_document::{Document, DocumentSet, FileId, Options, Span, lower};
use lofting_schema::words::literal;
use lofting_schema::*;
use lofting_syntax::resolve::Profile;
use std::fmt::Write;

fn lowered(file: u32, text: &str) -> DocumentSet {
    lower(FileId(file), &lofting_syntax::parse(text), Profile::Ytt, Options::default())
}

/// Reads the schema documents of several files (`#- name` lines between them).
fn read(text: &str) -> (ytt::Read, Vec<String>) {
    let texts: Vec<String> = text.split("#-\n").map(str::to_owned).collect();
    let sets: Vec<DocumentSet> = texts.iter().enumerate().map(|(file, text)| lowered(file as u32, text)).collect();
    let documents: Vec<&Document> =
        sets.iter().flat_map(|set| &set.documents).filter(|document| document.is_schema()).collect();
    (ytt::read(&documents), texts)
}

fn check(text: &str, expected: Expect) {
    let text = if text.contains("#@data/values-schema") {
        text.to_owned()
    } else {
        format!("#@data/values-schema\n---\n{text}")
    };
    let (read, texts) = read(&text);
    let mut out = String::new();
    show(&read.schema, read.schema.root(), 0, &mut out);
    for problem in &read.problems {
        let text = &texts[problem.span.file.0 as usize];
        let line = |span: lofting_document::Span| 1 + text[..span.range().start].matches('\n').count();
        let kind = format!("{:?}", problem.kind).replace("lofting_overlay::", "");
        let kind = kind.split(", map: Span").next().unwrap_or_default().to_owned();
        let kind = kind.split(", any: Span").next().unwrap_or_default().to_owned();
        writeln!(out, "! line {} {:?}: {kind}", line(problem.node.name), &text[problem.span.range()]).unwrap();
    }
    expected.assert_eq(&out);
}

fn show(schema: &Schema, id: SchemaId, indent: usize, out: &mut String) {
    let node = schema.node(id);
    write!(out, "{}", words::kind(node.shape(), node.nullable, &super::SEMANTICS.words)).unwrap();
    if let Some(default) = &node.default {
        write!(out, " = {}{}", literal(&default.value), if default.explicit { " (explicit)" } else { "" }).unwrap();
    }
    let docs = [("title", &node.docs.title), ("desc", &node.docs.description), ("deprecated", &node.docs.deprecated)];
    for (name, text) in docs {
        if let Some(text) = text {
            write!(out, "; {name} {:?}", text.text).unwrap();
        }
    }
    for example in &node.docs.examples {
        write!(out, "; example {:?} {}", example.description, literal(&example.value)).unwrap();
    }
    for constraint in &node.constraints {
        write!(out, "; {}", constraint.words()).unwrap();
    }
    for rule in &node.rules {
        write!(out, "; rule {:?}", rule.description.as_deref().unwrap_or("?")).unwrap();
    }
    writeln!(out).unwrap();
    let indent = indent + 1;
    match node.shape() {
        Shape::Map(map) => {
            for key in &map.keys {
                write!(out, "{}{}: ", "  ".repeat(indent), key.key).unwrap();
                show(schema, key.schema, indent, out);
            }
            if map.rest == Rest::Open {
                writeln!(out, "{}...", "  ".repeat(indent)).unwrap();
            }
        }
        Shape::Array(array) => {
            write!(out, "{}- ", "  ".repeat(indent)).unwrap();
            show(schema, array.item, indent, out);
        }
        _ => {}
    }
}

#[test]
fn types_follow_from_values() {
    check(
        "s: x\ni: 1\nf: 1.0\nb: yes\nm: {k: v}\nl: [0]\nnested:\n- - name: \"\"\n1: int key\ne: {}\n",
        expect![[r#"
        map
          s: string = "x"
          i: integer = 1
          f: float = 1.0
          b: boolean = true
          m: map
            k: string = "v"
          l: array = []
            - integer = 0
          nested: array = []
            - array = []
              - map
                name: string = ""
          1: string = "int key"
          e: map
    "#]],
    );
}

#[test]
fn whole_documents_can_be_scalars_or_arrays() {
    check(
        "just text\n",
        expect![[r#"
        string = "just text"
    "#]],
    );
    check(
        "- name: \"\"\n",
        expect![[r#"
        array = []
          - map
            name: string = ""
    "#]],
    );
    check(
        "#@data/values-schema\n#@schema/type any=True\n#@schema/title \"All\"\n---\na: 1\n",
        expect![[r#"
        any = {a: 1}; title "All"
    "#]],
    );
}

#[test]
fn null_and_arrays_of_other_than_one_item_are_wrong() {
    check(
        "a: null\nb:\n#@schema/nullable\nc: ~\nl: []\nm: [1, 2]\n",
        expect![[r#"
        map
          a: unknown
          b: unknown
          c: unknown = null (explicit)
          l: array = []
            - unknown
          m: array = []
            - unknown
        ! line 3 "null": NullValue { nullable: false }
        ! line 4 "": NullValue { nullable: false }
        ! line 6 "~": NullValue { nullable: true }
        ! line 7 "[]": ArrayItems { count: 0 }
        ! line 8 "[1, 2]": ArrayItems { count: 2 }
    "#]],
    );
    check(
        "",
        expect![[r#"
        unknown
        ! line 2 "": NullValue { nullable: false }
    "#]],
    );
}

#[test]
fn any_nullable_and_default() {
    check(
        "#@schema/nullable\na: x\n#@schema/type any=True\nb: {x: [1]}\n#@schema/type any=True\n#@schema/nullable\nc: 1\n#@schema/type any=False\nd: 1\n#@schema/nullable\n#@schema/default \"d\"\ne: x\n#@schema/default [1, {\"k\": None}]\nf: [0]\n#@schema/default f(x)\ng: 1\n",
        expect![[r#"
            map
              a: string or null = null (explicit)
              b: any = {x: [1]}
              c: any = null (explicit)
              d: integer = 1
              e: string or null = "d" (explicit)
              f: array = [1, {k: null}] (explicit)
                - integer = 0
              g: integer = … (explicit)
        "#]],
    );
}

#[test]
fn nothing_may_be_said_below_any() {
    check(
        "#@schema/type any=True\nthing:\n  #@schema/nullable\n  #@schema/type any=True\n  a:\n    #@schema/default 1\n    b: 1\n  #@schema/title \"ignored\"\n  c: 1\n",
        expect![[r##"
            map
              thing: any = {a: {b: 1}, c: 1}
            ! line 7 "#@schema/nullable": WithinAny { annotations: [("schema/nullable", Span { file: FileId(0), start: 57, end: 74 }), ("schema/type", Span { file: FileId(0), start: 77, end: 99 })]
            ! line 9 "#@schema/default 1": WithinAny { annotations: [("schema/default", Span { file: FileId(0), start: 109, end: 127 })]
        "##]],
    );
}

#[test]
fn wrong_arguments_of_type_and_nullable() {
    check(
        "#@schema/type\na: 1\n#@schema/type \"int\"\nb: 1\n#@schema/type int=True\nc: 1\n#@schema/type any=1\nd: 1\n#@schema/type any=x\ne: 1\n#@schema/nullable a=1\nf: 1\n#@schema/nullable False\ng: 1\n",
        expect![[r#"
        map
          a: unknown
          b: unknown
          c: unknown
          d: unknown
          e: unknown
          f: integer or null = null (explicit)
          g: integer or null = null (explicit)
        ! line 4 "schema/type": TypeMissing
        ! line 6 "schema/type": TypeMissing
        ! line 8 "int": TypeKeyword { name: "int" }
        ! line 10 "1": TypeValue { found: "int" }
        ! line 14 "a": NullableKeyword { name: "a" }
    "#]],
    );
    check(
        "#@schema/type or_inferred=True\na:\n",
        expect![[r#"
        map
          a: unknown
        ! line 4 "or_inferred": TypeKeyword { name: "or_inferred" }
    "#]],
    );
}

#[test]
fn documentation() {
    check(
        "#@schema/title \"T\"\n#@schema/desc \"D\"\n#@schema/examples (\"E\", 1), (\"F\", [2])\n#@schema/deprecated \"gone\"\na: 1\n#@schema/doc \"ignored by ytt\"\nb: 1\n#@schema/title t(\"x\")\nc: 1\n#@schema/title \"one\"\n#@schema/title \"two\"\nd: 1\n",
        expect![[r#"
            map
              a: integer = 1; title "T"; desc "D"; deprecated "gone"; example "E" 1; example "F" [2]
              b: integer = 1; desc "ignored by ytt"
              c: integer = 1; title ""
              d: integer = 1; title "two"
        "#]],
    );
}

#[test]
fn wrong_arguments_of_documentation() {
    check(
        "#@schema/title\na: 1\n#@schema/desc 1\nb: 1\n#@schema/title \"a\", \"b\"\nc: 1\n#@schema/deprecated notice=\"x\"\nd: 1\n#@schema/title lambda: 1\ne: 1\n",
        expect![[r#"
        map
          a: integer = 1
          b: integer = 1
          c: integer = 1
          d: integer = 1
          e: integer = 1
        ! line 4 "schema/title": Text { name: "schema/title", wrong: Missing }
        ! line 6 "1": Text { name: "schema/desc", wrong: NotText("int") }
        ! line 8 "\"b\"": Text { name: "schema/title", wrong: Several(2) }
        ! line 10 "notice": Text { name: "schema/deprecated", wrong: Keyword("notice") }
        ! line 12 "lambda: 1": Text { name: "schema/title", wrong: NotText("function") }
    "#]],
    );
    check(
        "#@schema/examples\na: 1\n#@schema/examples d=1\nb: 1\n#@schema/examples \"d\", 2\nc: 1\n#@schema/examples (\"d\",), (1, 2), (\"a\", 2, 3), (\"ok\", 4)\nd: 1\n",
        expect![[r#"
        map
          a: integer = 1
          b: integer = 1
          c: integer = 1
          d: integer = 1; example "ok" 4
        ! line 4 "schema/examples": Examples { wrong: Missing }
        ! line 6 "d": Examples { wrong: Keyword("d") }
        ! line 8 "\"d\"": Examples { wrong: NotTuple("string") }
        ! line 8 "2": Examples { wrong: NotTuple("int") }
        ! line 10 "(\"d\",)": Examples { wrong: Length(1) }
        ! line 10 "1": Examples { wrong: Description("int") }
        ! line 10 "(\"a\", 2, 3)": Examples { wrong: Length(3) }
    "#]],
    );
    check(
        "#@data/values-schema\n#@schema/deprecated \"x\"\n---\na: 1\n",
        expect![[r#"
        map
          a: integer = 1
        ! line 3 "schema/deprecated": DeprecatedOnDocument
    "#]],
    );
}

#[test]
fn wrong_defaults() {
    check(
        "#@schema/default\na: 1\n#@schema/default 1, 2\nb: \"\"\n#@schema/default x=1\nc: [0]\nl:\n#@schema/default 1\n- 0\n#@schema/default lambda: 1\nf: 1\n#@schema/default {\"x\": [lambda: 1]}\ng: {x: [1]}\n#@schema/default [18446744073709551615, 18446744073709551616]\nh: [0]\n#@schema/examples (\"a\", [lambda: 1]), (\"b\", -9223372036854775809)\ni: 1\n",
        expect![[r#"
            map
              a: integer = … (explicit)
              b: string = … (explicit)
              c: array = … (explicit)
                - integer = 0
              l: array = []
                - integer = 0
              f: integer = … (explicit)
              g: map = … (explicit)
                x: array = []
                  - integer = 1
              h: array = … (explicit)
                - integer = 0
              i: integer = 1
            ! line 4 "schema/default": Default { wrong: Missing, expected: "integer" }
            ! line 6 "2": Default { wrong: Several(2), expected: "string" }
            ! line 8 "x": Default { wrong: Keyword("x"), expected: "array" }
            ! line 11 "schema/default": DefaultOnArrayItem
            ! line 13 "lambda: 1": Default { wrong: NotData("function"), expected: "integer" }
            ! line 15 "lambda: 1": Default { wrong: NotData("function"), expected: "map" }
            ! line 17 "18446744073709551616": Default { wrong: NotData("integer of more than 64 bits"), expected: "array" }
            ! line 19 "lambda: 1": Examples { wrong: NotData("function") }
            ! line 19 "-9223372036854775809": Examples { wrong: NotData("integer of more than 64 bits") }
        "#]],
    );
}

#[test]
fn validations() {
    check(
        "#@schema/validation max=9, min=1, (\"odd\", lambda v: v % 2), not_null=True\na: 1\n",
        expect![[r#"
            map
              a: integer = 1
        "#]],
    );
    check(
        "#@schema/validation (\"odd\", lambda v: v % 2), max=9, min=1, not_null=True\na: 1\n#@schema/validation one_of=[\"x\", \"y\"], min_len=1.9, max_len=3\nb: x\n#@schema/validation one_not_null=[\"p\", \"q\"], when=lambda v: True\nc: {p: 1, q: 2}\n#@schema/validation one_not_null=True, not_null=False\nd: {}\n#@schema/validation *rules\ne: 1\n#@schema/validation (\"d\", assert.min(1)), min=limit\nf: 1\n",
        expect![[r#"
            map
              a: integer = 1; not null; at least 1; at most 9; rule "odd"
              b: string = "x"; length at least 1; length at most 3; one of "x", "y"
              c: map; exactly one of p, q set (not null) (under a condition)
                p: integer = 1
                q: integer = 2
              d: map; exactly one key set (not null)
              e: integer = 1
              f: integer = 1; rule "d"
        "#]],
    );
}

#[test]
fn what_has_no_yaml_allows_no_value() {
    check(
        "#@schema/validation min=lambda v: v\na: 1\n#@schema/validation max=[1, lambda v: v]\nb: 1\n#@schema/validation one_of=[1, lambda v: v]\nc: 1\n#@schema/validation one_of=[36893488147419103232]\nd: 1\n",
        expect![[r#"
            map
              a: integer = 1; no value
              b: integer = 1; no value
              c: integer = 1; no value
              d: integer = 1; no value
        "#]],
    );
}

#[test]
fn wrong_validations() {
    check(
        "#@schema/validation\na: 1\n#@schema/validation lambda v: True\nb: 1\n#@schema/validation (\"a\", True)\nc: 1\n#@schema/validation (\"a\",), (1, len), (\"a\", lambda v: v, 3)\nd: 1\n#@schema/validation enum=[1], min_len=\"1\", not_null=1, one_of=\"abc\", one_not_null=False, when=True\ne: 1\n#@schema/validation one_not_null=\"a\"\nf: 1\n",
        expect![[r#"
            map
              a: integer = 1
              b: integer = 1
              c: integer = 1
              d: integer = 1
              e: integer = 1
              f: integer = 1
            ! line 4 "schema/validation": Validation { wrong: Missing }
            ! line 6 "lambda v: True": Validation { wrong: NotTuple("function") }
            ! line 8 "True": Validation { wrong: Assertion("bool") }
            ! line 10 "(\"a\",)": Validation { wrong: Length(1) }
            ! line 10 "1": Validation { wrong: Description("int") }
            ! line 10 "(\"a\", lambda v: v, 3)": Validation { wrong: Length(3) }
            ! line 12 "enum": Validation { wrong: UnknownKeyword("enum") }
            ! line 12 "\"1\"": Validation { wrong: Kind { keyword: "min_len", expected: "number", found: "string" } }
            ! line 12 "1": Validation { wrong: Kind { keyword: "not_null", expected: "boolean", found: "int" } }
            ! line 12 "\"abc\"": Validation { wrong: Kind { keyword: "one_of", expected: "sequence", found: "string" } }
            ! line 12 "False": Validation { wrong: OneNotNullFalse }
            ! line 12 "True": Validation { wrong: Kind { keyword: "when", expected: "function", found: "bool" } }
            ! line 14 "\"a\"": Validation { wrong: Kind { keyword: "one_not_null", expected: "True or a sequence of keys", found: "string" } }
        "#]],
    );
}

#[test]
fn code_leaves_things_open() {
    check(
        "#@ if x:\na: 1\n#@ else:\na: two\n#@ end\nb: #@ f()\nc: #@ 5\nd: #@ {\"a\": 1}\nl:\n#@ for/end i in range(3):\n- #@ i\n",
        expect![[r#"
        map
          a: unknown
          b: unknown = …
          c: integer = 5
          d: unknown
          l: array = []
            - unknown = …
          ...
        ! line 10 "{\"a\": 1}": ComputedCollection { found: "dict" }
    "#]],
    );
    check(
        "a: 1\npor\n",
        expect![[r#"
        map
          a: integer = 1
          ...
    "#]],
    );
}

#[test]
fn later_documents_are_laid_over_the_first() {
    check(
        "#@data/values-schema\n---\n#@schema/title \"first\"\na: 1\nm: {x: 1}\nl: [\"\"]\n#-\n#@data/values-schema\n---\n#@schema/title \"second\"\na: 2\n#@overlay/match missing_ok=True\nb: new\nm:\n  z: 2\n#@overlay/replace\n#@schema/nullable\nl: [0]\n",
        expect![[r#"
            map
              a: integer = 2; title "first"
              m: map
                x: integer = 1
                ...
              l: array or null = null (explicit)
                - integer = 0
              b: string = "new"
            ! line 8 "z": Overlay { wrong: MissingKey { key: String("z"), known: [String("x")]
        "#]],
    );
    check(
        "#@data/values-schema\n---\na: 1\n#-\n#@data/values-schema\n---\n#@overlay/remove\na: null\n",
        expect![[r#"
        map
        ! line 4 "null": NullValue { nullable: false }
    "#]],
    );
}

#[test]
fn no_document_allows_anything() {
    let schema = ytt::read(&[]).schema;
    assert_eq!(schema.node(schema.root()).shape(), Shape::Any);
}

#[test]
fn defaults_are_filled_in() {
    let (read, _) = read(
        "#@data/values-schema\n---\n#@schema/default {\"port\": 1}\nm: {host: h, port: 2}\n#@schema/default [{\"b\": 1}]\nl:\n- {a: 0, b: 0}\n#@schema/nullable\nn: {x: 1}\n",
    );
    let schema = &read.schema;
    let expected = expect![[r#"{m: {port: 1, host: "h"}, l: [{b: 1, a: 0}], false: null}"#]];
    expected.assert_eq(&literal(&schema.effective_default(schema.root())));
}

#[test]
fn places_by_path_and_words() {
    let (read, _) = read("#@data/values-schema\n---\na:\n- b: [1]\n#@schema/nullable\nc: 1\n");
    let schema = &read.schema;
    let key = |key: &str| Step::Key(key.into());
    let words = |path: &[Step]| schema.nodes_at(schema.root(), path).first().map(|id| schema.type_words(*id));
    assert_eq!(words(&[key("a")]).as_deref(), Some("array of map"));
    assert_eq!(words(&[key("a"), Step::Index(7), key("b")]).as_deref(), Some("array of integer"));
    assert_eq!(words(&[key("c")]).as_deref(), Some("integer or null"));
    assert_eq!(words(&[key("nope")]), None);
}

#[test]
fn meaning_does_not_depend_on_places_and_documentation() {
    let schema = |text: &str| read(&format!("#@data/values-schema\n---\n{text}")).0.schema;
    let same = |one: &str, two: &str| schema(one).means_the_same(&schema(two));
    assert!(same("a: 1\nb: [x]\n", "#! more\n\na:   1\nb:\n- x\n"));
    assert!(same("a: 1\n", "#@schema/desc \"text\"\n#@schema/examples (\"x\", 3)\na: 1\n"));
    assert!(same("#@schema/default [{\"b\": 2}]\na:\n- b: 1\n", "#! x\n#@schema/default   [{\"b\": 2}]\na:\n- b: 1\n"));
    assert!(!same("a: 1\n", "a: 2\n"));
    assert!(!same("a: 1\n", "a: 1.0\n"));
    assert!(!same("a: 1\n", "#@schema/deprecated \"x\"\na: 1\n"));
    assert!(!same("#@schema/validation min=1\na: 1\n", "#@schema/validation min=2\na: 1\n"));
    let rule = |rule: &str| format!("#@schema/validation (\"one\", lambda v: {rule})\na: 1\n");
    assert!(!same(&rule("v > 1"), &rule("v > 2")), "the meaning of code is unknown");
}

#[test]
fn places_move_with_the_text() {
    let schema = |text: &str| read(&format!("#@data/values-schema\n---\n{text}")).0.schema;
    let (old, new) =
        (schema("a: 1\n#@schema/validation min=1\nb: 2\n"), schema("#! x\na: 1\n\n#@schema/validation min=1\nb: 2\n"));
    let moves = old.moves_to(&new);
    for ((_, old), (_, new)) in old.nodes().zip(new.nodes()) {
        assert_eq!(moves.now(old.declared.name), Some(new.declared.name));
        let bounds = old.constraints.iter().zip(&new.constraints);
        bounds.for_each(|(old, new)| assert_eq!(moves.now(old.span), Some(new.span)));
    }
    let elsewhere = Span::new(FileId(7), 1..2);
    assert_eq!(moves.now(elsewhere), Some(elsewhere), "other files did not move");
    assert_eq!(moves.now(Span::new(old.node(old.root()).declared.name.file, 1..2)), None, "that place has no finding");
}

#[test]
fn json_schema_carries_what_openapi_drops() {
    let (read, _) = read(
        "#@data/values-schema\n---\n#@schema/title \"Port\"\n#@schema/validation min=1, max=65535\n#@schema/examples (\"a\", 80), (\"b\", 443)\nport: 80\n#@schema/nullable\n#@schema/validation one_of=[\"x\", \"y\"]\nmode: x\n#@schema/nullable\n#@schema/validation min_len=2, not_null=True\n#@schema/deprecated \"use mode\"\nold: abc\n#@schema/validation (\"a rule\", lambda v: True), min_len=1\nlist:\n- 0.5\n#@schema/validation one_not_null=[\"s3\", \"gcs\"]\nstore:\n  #@schema/nullable\n  s3: {bucket: \"\"}\n  #@schema/nullable\n  gcs: {bucket: \"\"}\n#@schema/default {\"port\": 99}\nmap: {port: 1, host: h}\n#@schema/type any=True\nfree: [1]\n",
    );
    let expected = expect![[r#"
        $schema: https://json-schema.org/draft/2020-12/schema
        type: object
        properties:
          port:
            title: Port
            examples:
            - 80
            - 443
            type: integer
            minimum: 1
            maximum: 65535
            default: 80
          mode:
            type:
            - string
            - "null"
            enum:
            - x
            - "y"
            - null
            default: null
          old:
            deprecated: true
            deprecationMessage: use mode
            type: string
            minLength: 2
            default: null
          list:
            type: array
            items:
              type: number
              default: 0.5
            minItems: 1
            x-ytt-validation:
            - a rule
            default: []
          store:
            type: object
            properties:
              s3:
                type:
                - object
                - "null"
                properties:
                  bucket:
                    type: string
                    default: ""
                additionalProperties: false
                default: null
              gcs:
                type:
                - object
                - "null"
                properties:
                  bucket:
                    type: string
                    default: ""
                additionalProperties: false
                default: null
            additionalProperties: false
            oneOf:
            - required:
              - s3
              properties:
                s3:
                  not:
                    type: "null"
            - required:
              - gcs
              properties:
                gcs:
                  not:
                    type: "null"
          map:
            type: object
            properties:
              port:
                type: integer
                default: 1
              host:
                type: string
                default: h
            additionalProperties: false
            default:
              port: 99
              host: h
          free:
            default:
            - 1
        additionalProperties: false
    "#]];
    expected.assert_eq(&lofting_document::write::yaml_document(&export::json_schema(&read.schema)));
}

#[test]
fn what_is_wrong_in_one_document_is_said_there_only() {
    check(
        "#@data/values-schema\n---\na: 1\n#-\n#@data/values-schema\n---\n\na:\n",
        expect![[r#"
        map
          a: unknown
        ! line 4 "": NullValue { nullable: false }
    "#]],
    );
}

#[test]
fn json_schema_says_nothing_that_json_can_not() {
    let (read, _) = read(
        "#@data/values-schema\n---\n#@schema/examples (\"a\", 1.5)\nlimit: .inf\n1: one\n#@schema/type any=True\nfree: [.nan]\n",
    );
    let expected = expect![[r#"
        $schema: https://json-schema.org/draft/2020-12/schema
        type: object
        properties:
          limit:
            examples:
            - 1.5
            type: number
          "1":
            type: string
            default: one
          free: {}
        additionalProperties: false
    "#]];
    expected.assert_eq(&lofting_document::write::yaml_document(&export::json_schema(&read.schema)));
}

#[test]
fn schemas_that_refer_to_themselves_have_bounded_defaults() {
    let span = lofting_document::Span::new(FileId(0), 0..0);
    let keys = ["a", "b"].map(|key| DeclaredKey { key: key.into(), schema: SchemaId(0), required: false });
    let declared = Declared { span, name: span };
    let node = SchemaNode::new(Facet::Map(MapShape::closed(keys.to_vec())), declared);
    assert!(!Schema::new(vec![node], SchemaId(0), &super::SEMANTICS).effective_default(SchemaId(0)).is_known());
}

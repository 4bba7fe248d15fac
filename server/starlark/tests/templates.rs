//! Templates evaluated: values, annotations, blocks, functions, failures and their places.

mod harness;

use expect_test::{Expect, expect};
use harness::{Files, data, show, show_error};
use lofting_eval::{Call, Data, Fragment, FragmentItem, FragmentKind};
use lofting_starlark::KeptPortions;

fn check(files: &[(&str, &str)], expected: Expect) {
    let files = Files::new(files);
    let (evaluated, _) = files.evaluate();
    expected.assert_eq(&show(&files, &evaluated));
}

fn schema(text: &str, expected: Expect) {
    check(&[("schema.yml", text)], expected);
}

#[test]
fn values_and_annotations() {
    schema(
        r#"#@ names = ["a", "b"]
#@data/values-schema
---
#@schema/desc "has " + str(len(names))
#@schema/examples ("x", 1), **{"k": None}
count: #@ len(names)
list:
#@ for/end name in names:
- name: #@ name.upper()
  ok: true
nothing:
empty: {}
"#,
        expect![[r#"
            @data/values-schema 
            ---
              @schema/desc "has 2"
              @schema/examples ("x", 1), k=None
              "count": 2
              "list":
                -
                  "name": "A"
                  "ok": true
                -
                  "name": "B"
                  "ok": true
              "nothing": None
              "empty":
        "#]],
    );
}

#[test]
fn blocks() {
    schema(
        r#"#@ def kind(x):
#@ if x > 2:
#@ return "big"
#@ elif x == 2:
#@   return "two"
#@     else:
#@ return "small"
#@ end
#@ end
#@ def one(x): return x + 1
#@ i = 0
#@ while i < 3:
#@   i += 1
#@   if i == 2: break
#@ end
#@ def empty():
#@ end
---
#@ if/end False:
gone:
  a: 1
#@ if/end kind(1) == "small":
small:
  #@ if True:
  deep: #@ one(i)
  #@ end
#@ if kind(2) == "nope":
wrong: 1
#@ else:
right: #@ [kind(n) for n in [1, 2, 3]]
#@ end
none: #@ empty()
"#,
        expect![[r#"
            ---
              "small":
                "deep": 3
              "right": ["small", "two", "big"]
              "none": None
        "#]],
    );
}

#[test]
fn functions_with_yaml() {
    schema(
        r#"#@ def db(name, port=5432):
#@schema/nullable
host: #@ name
port: #@ port
#@ end
#@ def nothing():
#@ if False:
x: 1
#@ end
#@ end
#@ def chosen(x):
a: 1
#@ if x:
#@   return "replaced"
#@ end
#@ end
---
main: #@ db("h")
other: #@ db(name="i", port=1)
keys: #@ [k for k in db("j")] + [db("j")["port"], len(db("j")), "host" in db("j")]
none: #@ nothing()
one: #@ chosen(False)
two: #@ chosen(True)
"#,
        expect![[r#"
            ---
            ---
              "main":
                @schema/nullable 
                "host": "h"
                "port": 5432
              "other":
                @schema/nullable 
                "host": "i"
                "port": 1
              "keys": ["host", "port", 5432, 2, true]
              "none":
              "one":
                "a": 1
              "two": "replaced"
        "#]],
    );
}

#[test]
fn text_templates_and_replace() {
    check(
        &[
            (
                "schema.yml",
                r#"#@ load("@ytt:template", "template")
#@ load("greet.lib.txt", "greet")
#@ load("parts.lib.yml", "parts")
#@ name = "x"
---
#@yaml/text-templated-strings
text: "hello (@= name @)! (@ for i in range(2): @)(@= str(i) @)(@ end @)"
#@yaml/text-templated-strings
pre_(@= name @): "a  (@-= name -@)  b"
_: #@ template.replace(parts())
greeting: #@ greet("you")
"#,
            ),
            ("greet.lib.txt", "(@ def greet(who): -@)\nhello (@= who @)\n(@- end @)"),
            ("parts.lib.yml", "#@ def parts():\np: 1\n#@schema/nullable\nq: 2\n#@ end\n"),
        ],
        expect![[r#"
            ---
              @yaml/text-templated-strings 
              "text": "hello x! 01"
              @yaml/text-templated-strings 
              "pre_x": "axb"
              "p": 1
              @schema/nullable 
              "q": 2
              "greeting": "hello you"
        "#]],
    );
}

#[test]
fn failures_point_at_the_text() {
    schema(
        "#@ def f(x):\n#@   return x[\"k\"]\n#@ end\n---\na: #@ f({})\n",
        expect![[r#"
            Runtime: key "k" not in dict
              in f at schema.yml:2 `x["k"]`
              in <toplevel> at schema.yml:5 `f({})`
        "#]],
    );
    schema(
        "---\n#@schema/desc desc\na: 1\n",
        expect![[r#"
            Name: undefined: desc
              in <toplevel> at schema.yml:2 `desc`
        "#]],
    );
    schema(
        "---\n#@schema/default true\na: 1\n",
        expect![[r#"
            Name: undefined: true
            hint: use 'True' instead of 'true' for boolean assignment
              in <toplevel> at schema.yml:2 `true`
        "#]],
    );
    schema(
        "#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(name=1)\n---\na: #@ s.nam\n",
        expect![[r#"
            Runtime: struct has no .nam field or method (did you mean .name?)
              in <toplevel> at schema.yml:4 `s.nam`
        "#]],
    );
    schema(
        "#@ load(\"@ytt:assert\", \"assert\")\n---\na: #@ assert.fail(\"no\")\n",
        expect![[r#"
            Runtime: assert.fail: fail: no
              in assert.fail at schema.yml:3 `assert.fail("no")`
              in <toplevel> at schema.yml:3 `assert.fail("no")`
        "#]],
    );
    schema(
        "---\na: 1\na: 2\n",
        expect![[r#"
            Runtime: expected key 'a' to not be specified again (unless 'yaml/map-key-override' annotation is added)
              in <toplevel> at schema.yml:3 `a`
        "#]],
    );
    schema(
        "#@ if True\n---\na: 1\n#@ end\n",
        expect![[r#"
            Syntax: got newline, want ':'
            hint: missing colon at the end of 'if/for/def' statement?
              in <toplevel> at schema.yml:1 `if True`
        "#]],
    );
    schema(
        "#@ def f():\n#@   return 1\n---\na: #@ f()\n",
        expect![[r#"
            Syntax: mismatched set of block openings (if/else/elif/for/def) and closing (end)
              in <toplevel> at schema.yml:1 `def f():`
        "#]],
    );
    check(
        &[("schema.yml", "#@ load(\"lib.star\", \"x\")\n---\na: #@ x\n"), ("lib.star", "x = 1\ny = x.z\n")],
        expect![[r#"
            Runtime: cannot load lib.star: int has no .z field or method
              in <load> at schema.yml:1 `load("lib.star", "x")`
              in <toplevel> at lib.star:2 `x.z`
        "#]],
    );
}

#[test]
fn what_modules_do_not_give() {
    let load = |what: &str| format!("#@ load({what})\n---\na: 1\n");
    for (what, expected) in [
        (
            "\"@ytt:data\", \"values\"",
            expect![[r#"
                Runtime: load: name values not found in module @ytt:data
                hint: this gives the module as a whole: `load("@ytt:data", "data")`, and `data.…` for what is in it
                  in <toplevel> at schema.yml:1 `load("@ytt:data", "values")`
            "#]],
        ),
        (
            "\"a.star\", \"q\"",
            expect![[r#"
                Runtime: load: name q not found in module a.star
                hint: this file loads `q` itself, which it does not pass on: load it from where it is defined
                  in <toplevel> at schema.yml:1 `load("a.star", "q")`
            "#]],
        ),
        (
            "\"a.star\", \"ownn\"",
            expect![[r#"
                Runtime: load: name ownn not found in module a.star
                hint: did you mean `own`?
                  in <toplevel> at schema.yml:1 `load("a.star", "ownn")`
            "#]],
        ),
    ] {
        let text = load(what);
        check(
            &[("schema.yml", &text), ("a.star", "load(\"b.star\", \"q\")\nown = q\n"), ("b.star", "q = 1\n")],
            expected,
        );
    }
}

/// Whatever is between the beginning of a scalar and the code in it.
#[test]
fn code_in_scalars_is_found_where_it_is_written() {
    for written in [
        "a: |\n  l1\n  l2\n  v: (@= wrong @)\n",
        "a: |-\n    é\n\n    (@= wrong @)\n",
        "a: >\n  l1\n  l2\n\n  l4 (@= wrong @)\n",
        "a: >2-\n    l1\n  l2 (@= wrong @)\n",
        "a: 'it''s (@= wrong @)'\n",
        "a: 'it''s (@= \"x\" + wrong @)'\n",
        "a: \"\\t\\u00e9\\x41 (@= wrong @)\"\n",
        "a: \"one\n\n  two\\\n  three (@= wrong @)\"\n",
        "a: 'one\n  two\n\n  (@= wrong @)'\n",
        "a: one\n  two (@= wrong @)\n  three\n",
        "a: !!str 'it''s (@= wrong @)'\n",
        "'it''s (@= wrong @)': 1\n",
        "a: |\n  l1\n  (@ if wrong: @)\n  x\n  (@ end @)\n",
        "a:\n- |\n  l1\n  (@= str(1 + wrong) @)\n",
    ] {
        let text = format!("#@yaml/text-templated-strings\n---\n{written}");
        let files = Files::new(&[("schema.yml", &text)]);
        let (evaluated, _) = files.evaluate();
        let error = evaluated.result.expect_err(written);
        let place = error.place().expect(written);
        assert_eq!(&text[place.start as usize..place.end as usize], "wrong", "{written}: {}", error.message);
    }
    // What is wrong with the signs and with an expression, and what cannot be written.
    for (written, marked, message) in [
        ("a: 'it''s\n\n  (@= 1'\n", "(@", "Missing code closing"),
        ("a: >-\n  l1\n  l2 @)\n", "@)", "Unexpected code closing"),
        ("a: |\n  l1\n  (@= [1] @)\n", "[1]", "cannot set non-string value"),
        ("a: 'it''s (@= ''x''.y @)'\n", "''x''.y", "string has no .y"),
    ] {
        let text = format!("#@yaml/text-templated-strings\n---\n{written}");
        let files = Files::new(&[("schema.yml", &text)]);
        let (evaluated, _) = files.evaluate();
        let error = evaluated.result.expect_err(written);
        let place = error.place().expect(written);
        let shown = &text[place.start as usize..place.end as usize];
        assert_eq!(shown, marked, "{written}");
        assert!(error.message.contains(message), "{written}: {}", error.message);
    }
}

#[test]
fn strings_and_numbers_as_in_ytt() {
    schema(
        r#"---
len: #@ len("é")
find: #@ "éa".find("a")
chars: #@ list("aé".codepoints())
float: #@ str(1.0) + " " + str(0.1 + 0.2) + " " + str(1e20) + " " + "%s %d %c %(k)s" % {"k": 1} if False else str([1.5, 1e-7])
percent: #@ "%s-%d-%c-%x-%r" % ("x", 3.7, 65, 255, "q")
named: #@ "%(a)s" % {"a": 2.0}
format: #@ "{}-{1}-{k!r}".format(1, 2.0, k="x") if False else "{0}-{1}-{k!r}".format(1, 2.0, k="x")
div: #@ [7 / 2, 7 // 2, -7 // 2, 7 % 3, -7 % 3]
type: #@ [type(x) for x in [None, 1, 1.0, "s", [], (), {}, len, lambda: 1, range(2)]]
"#,
        expect![[r#"
            ---
              "len": 2
              "find": 2
              "chars": ["a", "é"]
              "float": "[1.5, 1e-07]"
              "percent": "x-3-A-ff-\"q\""
              "named": "2"
              "format": "1-2-\"x\""
              "div": [3.5, 3, -4, 1, 2]
              "type": ["NoneType", "int", "float", "string", "list", "tuple", "dict", "builtin_function_or_method", "function", "range"]
        "#]],
    );
}

#[test]
fn refused_as_in_ytt() {
    for (code, message) in [
        ("x = {} | {}", "unknown binary op: dict | dict"),
        ("x = \"ab\".removeprefix(\"a\")", "string has no .removeprefix"),
        ("x = abs(1)", "undefined: abs"),
        ("x = b\"a\"", "byte strings"),
        ("x = y = 1", ""),
        ("class = 1", "reserved keyword 'class'"),
        ("pass", "reserved keyword 'pass'"),
        ("x = [c for c in \"abc\"]", ""),
        ("x = f\"a\"", ""),
        ("end", "unexpected end"),
        ("x = 1 &&  2", "got '&'"),
    ] {
        let files = Files(vec![("schema.yml".to_owned(), format!("#@ {code}\n---\na: 1\n"))]);
        let (evaluated, _) = files.evaluate();
        let error = evaluated.result.expect_err(code);
        assert!(error.kind.is_error() && error.message.contains(message), "{code}: {}", show_error(&files, &error));
        assert_eq!(error.place().map(|place| place.path.as_str()), Some("schema.yml"), "{code}");
    }
}

#[test]
fn functions_stay_callable() {
    let files = Files::new(&[(
        "schema.yml",
        r#"#@ load("@ytt:assert", "assert")
#@ limit = 1
---
#@schema/validation ("small", lambda v: v < limit), ("short", assert.max_len(2)), when=lambda v, ctx: v["a"] == ctx
a: 1
#@ limit = 10
"#,
    )]);
    let (evaluated, session) = files.evaluate();
    let session = session.expect("it evaluates");
    let outcome = evaluated.result.expect("it evaluates");
    let Data::Fragment(map) = &outcome.documents.items[0].value else { panic!("a map") };
    let annotation = &map.items[0].annotations[0];
    assert_eq!(data(&annotation.positional[0]), "(\"small\", lambda/1)");
    assert_eq!(data(&annotation.positional[1]), "(\"short\", <@ytt:assert.assertion with check>)");
    assert_eq!(data(&annotation.keywords[0].1), "lambda/2");
    let call = |handle, attribute: Option<&str>, arguments: Vec<Data>| {
        let call = Call { handle, attribute: attribute.map(str::to_owned), arguments };
        match session.call(&KeptPortions::default(), &[], &[call], None).remove(0) {
            Ok(value) => data(&value),
            Err(error) => show_error(&files, &error),
        }
    };
    // Globals are looked up when the function runs, so the last value counts.
    assert_eq!(call(0, None, vec![Data::int(5)]), "true");
    assert_eq!(call(0, None, vec![Data::int(15)]), "false");
    assert_eq!(call(1, Some("check"), vec![Data::String("ab".into())]), "true");
    expect![[r#"
        Runtime: fail: length = 3
          in check
          in <toplevel>
    "#]]
    .assert_eq(&call(1, Some("check"), vec![Data::String("aé".into())]));
    let item =
        FragmentItem { origin: None, key: Some(Data::String("a".into())), value: Data::int(1), annotations: vec![] };
    let fragment = Data::Fragment(Fragment { kind: FragmentKind::Map, items: vec![item] });
    assert_eq!(call(2, None, vec![fragment, Data::int(1)]), "true");
    assert!(call(9, None, vec![]).contains("not known"));
}

#[test]
fn calls_share_values() {
    let text = "---\n#@schema/validation (\"x\", lambda v, ctx: ctx.root[\"a\"] == v and len(ctx.parent) == 1)\na: 1\n";
    let files = Files::new(&[("schema.yml", text)]);
    let session = files.evaluate().1.expect("it evaluates");
    let item = |value| FragmentItem {
        origin: None,
        key: Some(Data::String("a".into())),
        value: Data::int(value),
        annotations: vec![],
    };
    let shared = [Data::Fragment(Fragment { kind: FragmentKind::Map, items: vec![item(7)] })];
    let context = || Data::Struct(vec![("root".into(), Data::Shared(0)), ("parent".into(), Data::Shared(0))]);
    let call = |value| Call { handle: 0, attribute: None, arguments: vec![Data::int(value), context()] };
    let answers = session.call(&KeptPortions::default(), &shared, &[call(7), call(8)], None);
    assert_eq!(answers, [Ok(Data::Bool(true)), Ok(Data::Bool(false))]);
    assert_eq!(
        call(7).unshared(&shared).arguments[1],
        Data::Struct(vec![("root".into(), shared[0].clone()), ("parent".into(), shared[0].clone()),])
    );
}

/// All names that are not defined are reported at once, up to a number.
#[test]
fn undefined_names_of_long_files() {
    let reported = |lines: usize| {
        let text: String = (0..lines).map(|number| format!("out{number}: #@ name{number}\n")).collect();
        let (evaluated, _) = Files(vec![("a.yml".to_owned(), text)]).evaluate();
        let error = evaluated.result.expect_err("a name is undefined");
        assert!(error.message.starts_with("undefined: "), "{}", error.message);
        error.also.len()
    };
    assert_eq!(reported(1), 0);
    assert_eq!(reported(5), 4);
    assert_eq!(reported(20_000), 20);
}

//! `@ytt:library` and `load` of private libraries, with libraries that only report what was passed to them.

mod harness;

use expect_test::{Expect, expect};
use harness::{Files, show};

fn check(files: &[(&str, &str)], expected: Expect) {
    let files = Files::new(files);
    let (evaluated, _) = files.evaluate();
    expected.assert_eq(&show(&files, &evaluated));
}

const LOAD: &str = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n";

fn main(code: &str) -> String {
    format!("{LOAD}{code}")
}

#[test]
fn a_library_gets_what_is_given_in_order() {
    let text = main(
        "#@ app = library.get(\"app\", alias=\"x\")\n\
         #@ other = app.with_data_values({\"a\": 1}).with_data_values_schema({\"b\": lambda v: v + 1})\n\
         --- #@ template.replace(other.eval())\n\
         ---\nonce: #@ app.data_values().alias\n",
    );
    check(
        &[("config.yml", &text), ("_ytt_lib/app/config.yml", "a: 1\n")],
        expect![[r#"
        --- struct(Values={"a": 1}, Schema=21, alias="x")
        ---
          "once": "x"
    "#]],
    );
}

#[test]
fn names_of_libraries_are_looked_up_beside_the_file() {
    let text = main("#@ library.get(\"nope\")\n---\n");
    check(
        &[("config.yml", &text), ("_ytt_lib/app/config.yml", "a: 1\n")],
        expect![[r#"
        Runtime: library.get: Expected to find library 'nope', but there is no directory '_ytt_lib/nope' beside this file (hint: only files included via -f flag are available)
          in library.get at config.yml:3 `library.get("nope")`
          in <toplevel> at config.yml:3 `library.get("nope")`
    "#]],
    );
    let text = main("#@ library.get(\"@app\")\n---\n");
    check(
        &[("config.yml", &text), ("_ytt_lib/app/config.yml", "a: 1\n")],
        expect![[r#"
        Runtime: library.get: Expected library '@app' to be specified without '@' (hint: use 'app')
          in library.get at config.yml:3 `library.get("@app")`
          in <toplevel> at config.yml:3 `library.get("@app")`
    "#]],
    );
}

#[test]
fn a_failing_library_keeps_its_number_and_can_be_caught() {
    let text = main("#@ x = library.get(\"broken\").eval()\n---\n");
    check(
        &[("config.yml", &text), ("_ytt_lib/broken/config.yml", "a: 1\n")],
        expect![[r#"
        Library(7): library.eval: Evaluating library 'broken': it is broken
          in library.eval at config.yml:3 `library.get("broken").eval()`
          in <toplevel> at config.yml:3 `library.get("broken").eval()`
    "#]],
    );
    let text = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:assert\", \"assert\")\n\
        ---\nwhy: #@ assert.try_to(lambda: library.get(\"broken\").eval())[1]\n";
    check(
        &[("config.yml", text), ("_ytt_lib/broken/config.yml", "a: 1\n")],
        expect![[r#"
        ---
          "why": "library.eval: Evaluating library 'broken': it is broken"
    "#]],
    );
}

#[test]
fn functions_are_exported_with_the_values_of_their_library() {
    let text = main(
        "#@ app = library.get(\"app\").with_data_values(3)\n\
         #@ alias = library.get(\"app\", alias=\"it\").export(\"alias\")\n\
         ---\nalias: #@ alias()\nread: #@ app.export(\"text\", path=\"f.star\")()\nlist: #@ app.export(\"files\")\n",
    );
    let star = "load(\"@ytt:data\", \"data\")\ndef alias(): return data.values.alias\n\
        def text(): return data.read(\"/note\") + data.read(\"note\")\nfiles = data.list()\n";
    let files =
        [("config.yml", &*text), ("_ytt_lib/app/f.star", star), ("_ytt_lib/app/note", "n"), ("note", "of the root")];
    check(
        &files,
        expect![[r#"
        ---
          "alias": "it"
          "read": "nn"
          "list": ["f.star", "note"]
    "#]],
    );
    let text = main("#@ x = library.get(\"app\").export(\"nope\")\n---\n");
    check(
        &[("config.yml", &text), ("_ytt_lib/app/f.star", star), ("_ytt_lib/app/note", "n")],
        expect![[r#"
            Runtime: library.export: Exporting from library 'app': Expected to find exported symbol 'nope', but did not
              in library.export at config.yml:3 `library.get("app").export("nope")`
              in <toplevel> at config.yml:3 `library.get("app").export("nope")`
        "#]],
    );
}

#[test]
fn files_of_libraries_are_loaded_and_load_from_their_own_root() {
    let files = [
        ("config.yml", "#@ load(\"@app:lib/a.star\", \"a\")\n---\na: #@ a\n"),
        ("_ytt_lib/app/lib/a.star", "load(\"/b.star\", \"b\")\nload(\"c.star\", \"c\")\na = b + c\n"),
        ("_ytt_lib/app/b.star", "b = 1\n"),
        ("_ytt_lib/app/lib/c.star", "c = 1\n"),
        ("b.star", "b = 10\n"),
    ];
    check(
        &files,
        expect![[r#"
        ---
          "a": 2
    "#]],
    );
}

#[test]
fn a_cycle_of_loads_is_named() {
    let files = [
        ("config.yml", "#@ load(\"a.star\", \"a\")\n---\na: #@ a\n"),
        ("a.star", "load(\"b.star\", \"b\")\na = b\n"),
        ("b.star", "load(\"a.star\", \"a\")\nb = a\n"),
    ];
    check(
        &files,
        expect![[r#"
            Runtime: cannot load a.star: cannot load b.star: cannot load a.star: cycle in load graph (a.star -> b.star -> a.star)
              in <load> at config.yml:1 `load("a.star", "a")`
              in <load> at a.star:1 `load("b.star", "b")`
              in <toplevel> at b.star:1 `load("a.star", "a")`
        "#]],
    );
}

#[test]
fn libraries_are_modules() {
    let text = main(
        "#@ app = library.get(\"app\")\n\
         #@ made = app.with_data_values_schema({\"b\": lambda v: v + 1}, plain=True)\n\
         ---\ntype: #@ type(app)\ntext: #@ str(app)\nsame: #@ app == app\nschema: #@ made.data_values()[\"Schema\"]\n",
    );
    check(
        &[("config.yml", &text), ("_ytt_lib/app/config.yml", "a: 1\n")],
        expect![[r#"
        ---
          "type": "module"
          "text": "<module \"library\">"
          "same": true
          "schema": 21
    "#]],
    );
}

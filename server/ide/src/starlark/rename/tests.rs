use crate::fixture::open;
use crate::prepare_rename;
use crate::rename::tests::renamed;
use expect_test::{Expect, expect};

const LIBRARY: &str = "#- lib/names.lib.yml\n#@ def full(app, suffix=\"\"):\n#@   return app + suffix\n#@ end\n\
                       #@ def labels(app):\nname: #@ full(app, suffix=\"x\")\n#@ end\n";

fn check(files: &str, name: &str, expected: Expect) {
    expected.assert_eq(&renamed(&open(files), name));
}

#[test]
fn a_function_is_renamed_in_its_file_and_in_those_that_load_it() {
    let files = format!(
        "{}#- app.yml\n#@ load(\"lib/names.lib.yml\", \"labels\", \"full\")\na: #@ full(\"a\", suffix=full(\"b\"))\n\
         #@ def other(full):\nx: #@ full\n#@ end\n#- b.star\nload(\"/lib/names.lib.yml\", f=\"full\")\nx = f(1)\nfull = 2\n\
         #- c.yml\n#@ full = 1\nx: #@ full\n",
        LIBRARY.replace("def full", "def fu$0ll")
    );
    let everywhere = |files: &str| {
        check(
            files,
            "whole",
            expect![[r#"
        app.yml: #@ load("lib/names.lib.yml", "labels", "whole")
        app.yml: a: #@ whole("a", suffix=whole("b"))
        b.star: load("/lib/names.lib.yml", f="whole")
        lib/names.lib.yml: #@ def whole(app, suffix=""):
        lib/names.lib.yml: name: #@ whole(app, suffix="x")
    "#]],
        );
    };
    everywhere(&files);
    // The result does not depend on where the rename starts.
    let files = files.replace("$0", "");
    for (from, to) in [
        ("name: #@ full", "name: #@ f$0ull"),
        ("\"labels\", \"full\"", "\"labels\", \"full$0\""),
        ("a: #@ full", "a: #@ fu$0ll"),
        ("f=\"full\"", "f=\"$0full\""),
    ] {
        everywhere(&files.replace(from, to));
    }
    check(
        &files.replace("load(\"/lib/names.lib.yml\", f=", "load(\"/lib/names.lib.yml\", $0f="),
        "g",
        expect![[r#"
            b.star: load("/lib/names.lib.yml", g="full")
            b.star: x = g(1)
        "#]],
    );
}

#[test]
fn a_parameter_is_renamed_with_the_calls_that_name_it() {
    let files = format!(
        "{LIBRARY}#- app.yml\n#@ load(\"lib/names.lib.yml\", f=\"full\")\na: #@ f(\"a\", suf$0fix=\"b\")\n\
         b: #@ other(suffix=1)\n"
    );
    check(
        &files,
        "ending",
        expect![[r#"
            app.yml: a: #@ f("a", ending="b")
            lib/names.lib.yml: #@ def full(app, ending=""):
            lib/names.lib.yml: #@   return app + ending
            lib/names.lib.yml: name: #@ full(app, ending="x")
        "#]],
    );
}

#[test]
fn scopes_and_loops_are_kept_apart() {
    let template = "#- app.yml\n#@ x = 1\n#@ def f(x):\na: #@ x\n#@ end\nb: #@ [x for x in [1, 2]]\nc: #@ $0x\n\
                    #@schema/validation (\"at least\", lambda v: v > x)\nd: #@ f(x=x)\n";
    check(
        template,
        "y",
        expect![[r#"
            app.yml: #@ y = 1
            app.yml: c: #@ y
            app.yml: #@schema/validation ("at least", lambda v: v > y)
            app.yml: d: #@ f(x=y)
        "#]],
    );
    check(
        &template.replace("$0", "").replace("[x for", "[$0x for"),
        "y",
        expect![[r#"
            app.yml: b: #@ [y for y in [1, 2]]
        "#]],
    );
    check(
        "#- app.yml\n#@ for s in [1]:\n- #@ $0s\n#@ end\n#@ for s in [2]:\n- #@ s\n#@ end\n",
        "item",
        expect![[r#"
            app.yml: #@ for item in [1]:
            app.yml: - #@ item
        "#]],
    );
    check(
        "#- app.yml\n#@ for s in [1]:\n- #@ $0s\n#@ end\n#@ for s in [2]:\n- #@ s\n#@ end\n- #@ s\n",
        "item",
        expect![[r#"
            app.yml: #@ for item in [1]:
            app.yml: - #@ item
            app.yml: #@ for item in [2]:
            app.yml: - #@ item
            app.yml: - #@ item
        "#]],
    );
}

#[test]
fn a_module_gets_a_name_of_ones_own() {
    check(
        "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ da$0ta.values.x\nb: #@ data.values\n",
        "d",
        expect![[r#"
            app.yml: #@ load("@ytt:data", d="data")
            app.yml: a: #@ d.values.x
            app.yml: b: #@ d.values
        "#]],
    );
    check(
        "#- app.yml\n#@ load(\"missing.lib.yml\", \"f\", \"g\", h=\"i\")\na: #@ $0f() + g()\n",
        "d",
        expect![[r#"
            app.yml: #@ load("missing.lib.yml", "g", d="f", h="i")
            app.yml: a: #@ d() + g()
        "#]],
    );
}

#[test]
fn what_would_clash_or_is_not_ones_own_is_refused() {
    let template =
        "#- app.yml\n#@ one = 1\n#@ two = 2\n#@ def f(p):\n#@   return one + p + three\n#@ end\nx: #@ len([$0one])\n";
    let refused = |files: &str, name: &str| renamed(&open(files), name);
    assert_eq!(refused(template, "two"), "refused: there is already a `two` at app.yml:2\n");
    assert_eq!(refused(template, "p"), "refused: where it is used `p` means something else, at app.yml:3\n");
    assert_eq!(refused(template, "three"), "refused: `three` is used with a different meaning at app.yml:4\n");
    assert_eq!(refused(template, "len"), "refused: `len` is used with a different meaning at app.yml:6\n");
    for name in ["", "a b", "a-b", "for", "end", "while", "None", "1a"] {
        assert_eq!(refused(template, name), format!("refused: `{name}` cannot be a name in code\n"));
    }
    let builtin = template.replace("$0", "").replace("len(", "l$0en(");
    assert_eq!(refused(&builtin, "count"), "refused: `len` is built into ytt's language\n");
    let member = "#- app.yml\n#@ load(\"@ytt:json\", \"json\")\na: #@ json.en$0code(1)\n";
    assert_eq!(refused(member, "x"), "refused: `json.encode` is part of ytt\n");
    let loaded =
        format!("{}#- app.yml\n#@ load(\"lib/names.lib.yml\", \"full\")\n", LIBRARY.replace("def full", "def fu$0ll"));
    assert_eq!(refused(&loaded, "_full"), "refused: names that begin with `_` cannot be loaded, as at app.yml:1\n");
    let library = "#- _ytt_lib/app/f.lib.yml\n#@ def f$0():\n#@ end\n#- app.yml\n#@ load(\"@ytt:library\", \"library\")\n\
                   a: #@ library.get(\"app\").export(\"f\")()\n";
    assert_eq!(refused(library, "g"), "refused: it may be exported from its library at app.yml:2\n");
}

#[test]
fn names_that_are_half_typed_around_are_found_as_well() {
    check(
        "#- app.yml\n#@ name = 1\na: #@ name + f(name, \nb: [\nc: #@ na$0me[\n#@ if name == 1\nd: {e: #@ name\n",
        "title",
        expect![[r#"
            app.yml: #@ title = 1
            app.yml: a: #@ title + f(title,
            app.yml: c: #@ title[
            app.yml: #@ if title == 1
            app.yml: d: {e: #@ title
        "#]],
    );
    let fixture = open("#- app.yml\na: #@ unkno$0wn\n");
    assert!(prepare_rename(&fixture.snapshot, fixture.file, fixture.offset).is_err());
}

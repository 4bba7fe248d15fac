//! Templates and rules as ytt reads them: what is wrong, line by line, or the final data values.

use crate::command_line::{json_of, lofting, workspace};

/// The findings of one file as `line code`, or the final values.
fn verdict(text: &str) -> String {
    let directory = workspace(&[("schema.yml", text)]);
    let output = lofting(directory.path(), &["check", "--render", "--format", "json", "-f", "."]);
    let report = json_of(&output);
    let findings = report["diagnostics"].as_array().into_iter().flatten().filter(|found| found["severity"] == "error");
    let shown: Vec<String> = findings
        .map(|found| format!("{} {}", found["range"]["start"]["line"], found["code"].as_str().unwrap_or_default()))
        .collect();
    if !shown.is_empty() {
        return shown.join(", ");
    }
    let values = lofting(directory.path(), &["values", "-f", "."]);
    String::from_utf8_lossy(&values.stdout).trim_end().replace('\n', "|")
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(verdict(text), *expected, "{text}");
    }
}

#[test]
fn code_of_a_node_runs_before_its_annotations() {
    check(&[
        ("#@data/values-schema\n---\n#@schema/default x\n#@ x = 5\na: 1\n", "a: 5"),
        ("#@data/values-schema\n---\n#@schema/default [][0]\n#@ if/end False:\na: 1\nb: 2\n", "b: 2"),
        (
            "#@data/values-schema\n---\n#@ x = [\n#@schema/nullable\n#@ 3]\na: 1\n#@schema/default x[0]\nb: 1\n",
            "a: null|b: 3",
        ),
    ]);
}

#[test]
fn functions_in_templated_strings_give_text() {
    let template = |text: &str| format!("#@data/values\n---\n#@yaml/text-templated-strings\n{text}\n");
    check(&[
        (&template("a: \"(@ def f(x): @)<(@= x @)>(@ end @)(@= f('q') @)\""), "a: <q>"),
        (&template("a: \"(@ def f(x): return x + '!' @)(@= f('q') @)\""), "a: q!"),
        (
            "#@ def f(x):\n#@yaml/text-templated-strings\n\"(@= x @)\": \"(@= x @)!\"\n#@ end\n#@data/values\n---\na: #@ f(\"q\")\n",
            "a:|  q: q!",
        ),
    ]);
}

#[test]
fn all_undefined_names_are_reported() {
    check(&[
        ("#@data/values\n---\na: #@ foo + bar\nb: #@ baz\n", "3 ytt/evaluation, 4 ytt/evaluation"),
        (
            "#@data/values\n---\na: 1\n#@ def f(x): return x + nope\nb: #@ true\nc: #@ assert.min(1)\n",
            "4 ytt/evaluation, 5 ytt/evaluation, 6 ytt/evaluation",
        ),
        ("---\na: #@ foo\nb: 1\nc: #@ bar()\n", "2 ytt/evaluation, 4 ytt/evaluation"),
    ]);
}

#[test]
fn nodes_are_replaced_by_nodes() {
    let load = "#@ load(\"@ytt:template\", \"template\")\n#@ def none():\n#@ if False:\nx: 1\n#@ end\n#@ end\n#@data/values\n---\na: 1\n_: #@ template.replace(";
    check(&[
        (&format!("{load}{{}})\n"), "a: 1"),
        (&format!("{load}{{\"a\": 2}})\n"), "a: 2"),
        (&format!("{load}None)\n"), "10 ytt/evaluation"),
        (&format!("{load}none())\n"), "10 ytt/evaluation"),
        (&format!("{load}{{\"_\": 2}})\n"), "10 ytt/evaluation"),
        (&format!("{load}[1])\n"), "10 ytt/evaluation"),
    ]);
}

#[test]
fn mappings_are_handed_over_and_data_values_may_be_changed() {
    let fragment = "#@ def f():\na: 1\nb: 2\n#@ end\n#@data/values\n---\n";
    check(&[
        (
            &format!("{fragment}r: #@ dict(**f())[\"a\"], \"{{a}}-{{b}}\".format(**f()), \"%(b)s\" % f(), str(f())\n"),
            "r:|- 1|- 1-2|- \"2\"|- yamlfragment(*yamlmeta.Map)",
        ),
        (&format!("{fragment}r: #@ (lambda **k: k)(**5)\n"), "7 ytt/evaluation"),
        (&format!("{fragment}r: #@ f() == f()\n"), "7 ytt/evaluation"),
    ]);
    let values = ("schema.yml", "#@data/values-schema\n---\n#@schema/default [\"a\"]\nl: [\"\"]\n");
    let template = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:assert\", \"assert\")\n#@ data.values.l.append(\"b\")\n---\nr: #@ assert.equals(data.values.l, [\"a\", \"b\"])\n";
    let directory = workspace(&[values, ("config.yml", template)]);
    let output = lofting(directory.path(), &["check", "--render", "--format", "json", "-f", "."]);
    assert_eq!(json_of(&output)["summary"]["ok"], true, "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn rules_are_functions_or_hold_one() {
    let rule = |load: &str, rule: &str| {
        format!("#@ load(\"@ytt:{load}\", \"{load}\")\n#@data/values-schema\n---\n#@schema/validation {rule}\na: 1\n")
    };
    check(&[
        (&rule("struct", "(\"x\", struct.make(check=lambda v: v > 5))"), "5 ytt/validation"),
        (&rule("struct", "(\"x\", struct.make(check=lambda v: v > 0))"), "a: 1"),
        (&rule("struct", "(\"x\", struct.make(check=5))"), "4 ytt/schema-validation-arguments"),
        (&rule("struct", "(\"x\", struct.bind(lambda least, v: v > least, 5))"), "5 ytt/validation"),
        (&rule("struct", "when=struct.make(check=lambda v: True)"), "4 ytt/schema-validation-arguments"),
        (&rule("module", "(\"x\", module.make(\"m\", check=lambda v: v > 5))"), "5 ytt/validation"),
        (&rule("module", "(\"x\", module.make(\"m\", other=len))"), "4 ytt/schema-validation-arguments"),
        (&rule("assert", "min=5, when=assert.min(0).check"), "5 ytt/min"),
        (&rule("assert", "min=5, when=lambda *all: True"), "5 ytt/min"),
        (&rule("assert", "min=5, when=lambda v, **more: True"), "4 ytt/when"),
        (&rule("assert", "min=5, when=struct"), "4 ytt/evaluation"),
        (&rule("assert", "(\"x\", {\"check\": len})"), "4 ytt/schema-validation-arguments"),
        (&rule("assert", "one_of=range(3)"), "5 ytt/one-of"),
        (&rule("assert", "one_of=\"abc\".elems()"), "4 ytt/schema-validation-arguments"),
    ]);
    let map = |rule: &str| format!("#@data/values-schema\n---\n#@schema/validation {rule}\nm:\n  a: 1\n  b: 2\n");
    check(&[
        (&map("one_not_null={\"a\": 1, \"b\": 1}"), "4 ytt/one-not-null"),
        (&map("one_not_null={\"a\": 1}"), "m:|  a: 1|  b: 2"),
        (&map("one_not_null=set([\"a\"])"), "m:|  a: 1|  b: 2"),
        (&map("one_not_null=range(2)"), "4 ytt/one-not-null"),
    ]);
}

#[test]
fn functions_that_a_function_left_after_are_asked() {
    let base = ("a.yml", "#@data/values-schema\n---\nm:\n  a: 1\n");
    let overlay = |rule: &str| {
        format!(
            "#@ def other(left, right):\n#@schema/validation {rule}\nx: 1\n#@ end\n#@data/values-schema\n---\n\
             #@overlay/replace via=other\nm:\n  b: 1\n"
        )
    };
    for (rule, ok) in [
        ("(\"larger\", lambda v: v > left[\"a\"])", false),
        ("(\"as large\", lambda v: v == left[\"a\"])", true),
        ("min=5, when=lambda v: left[\"a\"] == 1", false),
        ("min=5, when=lambda v: left[\"a\"] == 2", true),
    ] {
        let text = overlay(rule);
        let directory = workspace(&[base, ("b.yml", &text)]);
        let output = lofting(directory.path(), &["check", "--format", "json", "-f", "."]);
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(json_of(&output)["summary"]["ok"], ok, "{rule}: {shown}");
        assert!(!shown.contains("not-evaluated"), "{rule}: {shown}");
    }
}

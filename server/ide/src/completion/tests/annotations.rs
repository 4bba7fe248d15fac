//! Inside `#@`.

use crate::fixture::open;

#[track_caller]
pub(super) fn check(fixture: &str, must: &[&str], must_not: &[&str]) {
    let fixture = open(fixture);
    let labels: Vec<String> = fixture.completions(true).into_iter().map(|item| item.label).collect();
    let has = |name: &&&str| labels.iter().any(|label| label == **name);
    let missing: Vec<_> = must.iter().filter(|name| !has(name)).collect();
    let wrong: Vec<_> = must_not.iter().filter(has).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing {missing:?}, wrong {wrong:?} in {labels:?}");
}

#[track_caller]
pub(super) fn check_accept(text: &str, label: &str, snippets: bool, expected: &str) {
    let fixture = open(text);
    let items = fixture.completions(snippets);
    let names: Vec<_> = items.iter().map(|item| item.label.as_str()).collect();
    let Some(item) = items.iter().find(|item| item.label == label) else {
        panic!("no {label:?} in {names:?}");
    };
    assert_eq!(fixture.accept(item), expected);
}

const SCHEMA: &str = "#@data/values-schema\n---\n";

#[test]
fn names() {
    check(&format!("{SCHEMA}#@$0\na: 1\n"), &["schema/desc", "schema/nullable"], &["data/values"]);
    check(&format!("{SCHEMA}#@schema/$0\na: 1\n"), &["schema/desc", "schema/default"], &[]);
    check(&format!("{SCHEMA}a:\n#@schema/$0\n- 1\n"), &["schema/desc"], &["schema/default"]);
    check(&format!("{SCHEMA}#$0\na: 1\n"), &["schema/desc"], &[]);
    check("#@$0\n---\na: 1\n", &["data/values", "data/values-schema"], &[]);
    check("#@$0", &["data/values", "data/values-schema"], &[]);
    check("#@data/values\n---\n#@over$0\na: 1\n", &["overlay/match"], &[]);
    check(&format!("{SCHEMA}a: 1 #@$0\n"), &["schema/desc"], &[]);
    check("#$0\na: 1\n", &[], &["schema/desc"]);
    check("# $0\na: 1\n", &[], &["schema/desc"]);
    check(&format!("{SCHEMA}#@ $0\na: 1\n"), &[], &["schema/desc"]);
    check(&format!("{SCHEMA}#! $0\na: 1\n"), &[], &["schema/desc"]);
}

#[test]
fn accepted_names() {
    let text = |line: &str| format!("{SCHEMA}{line}\na: 1\n");
    check_accept(&text("#@sch$0"), "schema/nullable", false, &text("#@schema/nullable"));
    check_accept(&text("#$0"), "schema/nullable", false, &text("#@schema/nullable"));
    check_accept(&text("#@schema/$0desc \"x\""), "schema/title", false, &text("#@schema/title \"x\""));
    check_accept(&text("#@$0"), "schema/type", true, &text("#@schema/type any=True"));
}

#[test]
fn arguments() {
    let line = |line: &str| format!("{SCHEMA}{line}\na: 1\n");
    check(&line("#@schema/validation $0"), &["min=", "max=", "one_of=", "when="], &["any="]);
    check(&line("#@schema/validation mi$0"), &["min="], &["any=", "min_len="]);
    let rule = "rule (tuple (string, function or assertion))";
    check(&line("#@schema/validation $0"), &[rule], &[]);
    // No argument without a name comes after one with a name.
    check(&line("#@schema/validation min=1, $0"), &["max="], &["min=", rule]);
    check(&line("#@schema/validation $0, min=1"), &["max="], &["min="]);
    check(&line("#@schema/type $0"), &["any="], &["min="]);
    check(&line("#@schema/type any=$0"), &["True", "False"], &["any="]);
    check(&line("#@schema/type any=T$0"), &["True", "False"], &["any="]);
    check(&line("#@schema/desc \"a $0\""), &[], &["any=", "True"]);
    check(&line("#@unknown/name $0"), &[], &["any="]);
    check_accept(&line("#@schema/type any=F$0"), "True", false, &line("#@schema/type any=True"));
    check_accept(&line("#@schema/validation mi$0"), "min=", false, &line("#@schema/validation min="));
    check_accept(&line("#@schema/validation mi$0=1"), "max=", false, &line("#@schema/validation max=1"));
}

#[test]
fn a_default_is_the_value_of_its_node() {
    let text = |line: &str, node: &str| format!("{SCHEMA}{line}\n{node}");
    for (node, default) in [
        ("a: 1\n", "1"),
        ("a: \"x y\"\n", "\"x y\""),
        ("a: true\n", "True"),
        ("a: [\"\"]\n", "[]"),
        ("a:\n  b: 1\n  c: {d: x}\n", "{\"b\": 1, \"c\": {\"d\": \"x\"\\}\\}"),
    ] {
        let accepted = text(&format!("#@schema/default ${{1:{default}}}"), node);
        check_accept(&text("#@$0", node), "schema/default", true, &accepted);
        check_accept(&text("#@schema/default $0", node), "value (any)", true, &accepted);
    }
}

#[test]
fn what_belongs_to_documents_is_not_offered_beside_a_key() {
    check("a: 1\nb: #@$0\n", &["overlay/match"], &["data/values", "data/values-schema", "library/ref"]);
    check("a:\n- #@$0\n", &["overlay/match"], &["data/values"]);
    check("--- #@$0\na: 1\n", &["overlay/match-child-defaults"], &[]);
}

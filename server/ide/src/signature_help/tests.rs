use crate::fixture::open;
use crate::{Markup, signature_help};
use expect_test::{Expect, expect};

fn check(template: &str, expected: Expect) {
    let fixture = open(&format!("#- app.yml\n{template}"));
    let found = signature_help(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    let shown = found.map(|found| {
        let active = found.active.and_then(|active| found.parameters.get(active));
        let active = active.map_or("-", |(range, _)| &found.label[range.clone()]);
        format!("{} | {active} | {}", found.label, found.documentation.unwrap_or_default())
    });
    expected.assert_eq(&shown.unwrap_or_default());
}

#[test]
fn calls_show_their_parameters() {
    let json = "#@ load(\"@ytt:json\", \"json\")\n";
    check(
        &format!("{json}a: #@ json.encode($0"),
        expect!["json.encode(value, indent=0, escape_html=True) | value | The value as JSON, keys sorted."],
    );
    check(
        &format!("{json}a: #@ json.encode(f(1, 2), inde$0"),
        expect!["json.encode(value, indent=0, escape_html=True) | indent=0 | The value as JSON, keys sorted."],
    );
    check(
        &format!("{json}a: #@ json.encode(1, escape_html=$0)"),
        expect!["json.encode(value, indent=0, escape_html=True) | escape_html=True | The value as JSON, keys sorted."],
    );
    check(
        "#! Adds.\n#@ def add(a, b=[1, 2], *rest): return a\na: #@ add(1, $0)\n",
        expect!["add(a, b=[1, 2], *rest) | b=[1, 2] | Adds."],
    );
    check("#@ def add(a, *rest): return a\na: #@ add(1, 2, 3, $0)\n", expect!["add(a, *rest) | *rest | "]);
    check(
        "a: #@ \"{}\".format($0)\n",
        expect!["string.format(*args, **kwargs) | *args | The text with {} and {name} filled in."],
    );
    check("a: #@ unknown($0)\n", expect![[""]]);
    check("a: #@ len([])$0\n", expect![[""]]);
}

#[test]
fn annotations_show_their_arguments() {
    check(
        "#@overlay/match $0\na: 1\n",
        expect![
            "@overlay/match by=, expects=, missing_ok=, when= | - | Says which nodes on the left this node is laid over."
        ],
    );
    check(
        "#@overlay/match missing_ok=T$0\na: 1\n",
        expect![
            "@overlay/match by=, expects=, missing_ok=, when= | missing_ok= | Says which nodes on the left this node is laid over."
        ],
    );
    check("#@schema/nullable $0\na: 1\n", expect![[""]]);
    check("#@nothing/known $0\na: 1\n", expect![[""]]);
}

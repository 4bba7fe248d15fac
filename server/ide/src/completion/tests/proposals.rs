//! Annotations in schemas of ytt's design proposals.

use super::annotations::{check, check_accept};

const FIRST: &str = "#@schema/match data_values=True\n---\n";
const SECOND: &str = "#@schema/definition data_values=True\n---\n";

#[test]
fn names() {
    for head in [FIRST, SECOND] {
        let own = ["schema/doc", "schema/validate", "schema/type", "schema/nullable", "schema/key", "schema/any-key"];
        check(&format!("{head}#@$0\na: 1\n"), &own, &["schema/desc", "schema/validation", "schema/match"]);
        check(&format!("{head}#@schema/$0\na: 1\n"), &own, &[]);
        check(&format!("{head}a: 1 #@$0\n"), &own, &[]);
        let not_of_items = ["schema/default", "schema/removed", "schema/key", "schema/any-key"];
        check(&format!("{head}a:\n#@schema/$0\n- 1\n"), &["schema/doc", "schema/deprecated"], &not_of_items);
        check(&format!("#@schema/doc \"x\"\n#@$0\n{head}a: 1\n"), &["schema/doc"], &["schema/key", "schema/amend"]);
    }
}

#[test]
fn heads() {
    let all = ["data/values-schema", "schema", "schema/match", "schema/definition", "schema/amend"];
    check("#@$0\n---\na: 1\n", &all, &["schema/doc"]);
    check("#@schema/$0\n---\na: 1\n", &all, &[]);
    check("#@$0\na: 1\n", &[], &["schema/match"]);
    check("#@data/values-schema\n---\na: 1\n#@$0\nb: 1\n", &["schema/desc"], &["schema/doc", "schema/match"]);
    check("#@data/values-schema\n#@$0\n---\na: 1\n", &[], &["schema/match"]);
    check("#@schema/match $0\n---\na: 1\n", &["data_values="], &["name="]);
    check("#@schema/definition da$0\n---\na: 1\n", &["data_values=", "name="], &[]);
    check("#@schema/definition name=$0\n---\na: 1\n", &["\"data/values\""], &["True"]);
    check("#@schema/definition data_values=$0\n---\na: 1\n", &["True"], &["False"]);
    let begun = "#@schema/def$0\n---\na: 1\n";
    check_accept(begun, "schema/definition", false, &format!("{SECOND}a: 1\n"));
}

#[test]
fn arguments() {
    for head in [FIRST, SECOND] {
        let line = |line: &str| format!("{head}{line}\na: 1\n");
        check(&line("#@schema/type $0"), &["\"string\"", "\"null\"", "one_of=", "or_inferred=", "any="], &[]);
        check(&line("#@schema/type \"st$0\""), &["\"string\"", "\"int\""], &["one_of="]);
        check(&line("#@schema/type one_of=$0"), &["\"string\""], &["one_of=", "any="]);
        check(&line("#@schema/type one_of=[$0]"), &["\"string\"", "\"bool\""], &["any="]);
        check(&line("#@schema/type one_of=[\"int\", \"st$0\"]"), &["\"string\""], &[]);
        check(&line("#@schema/type \"int\", or_inferred=$0"), &["True", "False"], &["\"int\""]);
        check(&line("#@schema/validate $0"), &["min=", "regexp=", "format=", "starts_with="], &["one_of=", "when="]);
        check(&line("#@schema/validate format=$0"), &["\"hostname\"", "\"port\""], &["min="]);
        check(&line("#@schema/validate format=\"ho$0\""), &["\"hostname\""], &[]);
        check(&line("#@schema/validate min=1, fo$0"), &["format="], &["min="]);
        check(&line("#@schema/key $0"), &["allowed=", "expects=", "missing_ok="], &["min="]);
        check(&line("#@schema/key allowed=$0"), &["\"any\""], &["\"0+\""]);
        check(&line("#@schema/doc \"a $0\""), &[], &["True", "min="]);
        check_accept(&line("#@schema/type \"st$0\""), "\"string\"", false, &line("#@schema/type \"string\""));
        let listed = line("#@schema/type one_of=[\"int\", \"string\"]");
        check_accept(&line("#@schema/type one_of=[\"int\", \"s$0\"]"), "\"string\"", false, &listed);
        check_accept(
            &line("#@schema/validate format=\"$0"),
            "\"port\"",
            false,
            &line("#@schema/validate format=\"port\""),
        );
    }
}

#[test]
fn what_the_annotations_take_is_what_completion_offers() {
    let entry = lofting_annotation::catalog::Vocabulary::Proposed.find("schema/validate").expect("it is there");
    let formats: Vec<&str> =
        entry.keyword("format").expect("a keyword").choices.iter().map(|it| it.trim_matches('"')).collect();
    assert_eq!(formats, lofting_schema::format::PROPOSED);
}

#[test]
fn functions_that_only_the_proposals_have() {
    let load = |module: &str| format!("#@ load(\"@ytt:{module}\", \"{module}\")\n");
    for (head, has) in [(FIRST, true), (SECOND, true), ("#@data/values-schema\n---\n", false)] {
        let offers = |line: &str, own: &[&str], others: &[&str]| {
            let text = format!("{}{}{head}{line}\na: 1\n", load("json"), load("validations"));
            let none = [own, others].concat();
            if has { check(&text, own, others) } else { check(&text, &[], &none) }
        };
        offers("#@schema/validate json.$0", &["decodable"], &["is_valid"]);
        offers("#@schema/validate validations.$0", &["min", "enum"], &["one_of"]);
        offers("#@ load(\"@ytt:$0\")", &["@ytt:validations"], &[]);
    }
}

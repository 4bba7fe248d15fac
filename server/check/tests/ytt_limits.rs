//! Limits and allowed values of ytt's schemas, which are compared with what YAML keeps of a value.

use lofting_check::{GovernedPart, ValuesCheck};
use lofting_dialect::ytt;
use lofting_document::{Document, FileId, Options, lower};
use lofting_syntax::resolve::Profile;

fn document(text: &str) -> Document {
    let set = lower(FileId(0), &lofting_syntax::parse(text), Profile::Ytt, Options::default());
    set.documents.into_iter().next().expect("a document")
}

/// What is found in a final value `a` whose schema has these arguments of `@schema/validation`.
fn found(arguments: &str, value: &str) -> Vec<String> {
    let schema = document(&format!(
        "#@data/values-schema\n---\n#@schema/type any=True\n#@schema/validation {arguments}\na: {value}\n"
    ));
    let schema = ytt::read(&[&schema]).schema;
    let values = document(&format!("a: {value}\n"));
    let part = GovernedPart { number: 1, at: &[], name: values.value.span, node: schema.root() };
    let found = part.check(&ValuesCheck::alone(&schema, &()), &values.value).into_diagnostics();
    found.iter().map(|finding| format!("{}: {}", finding.code(), finding.message)).collect()
}

#[test]
fn values_break_limits_that_ytt_cannot_compare() {
    for (arguments, value, expected) in [
        ("one_of=[{}]", "{}", "ytt/one-of: `a` should be {}, but is a map"),
        ("one_of=[[]]", "[]", "ytt/one-of: `a` should be [], but is an array"),
        ("one_of=[None]", "{}", ""),
        ("one_of=[None]", "[]", ""),
        ("one_of=[{\"a\": []}]", "{a: []}", ""),
        ("min=[]", "[]", "ytt/min: `a` should be at least [], but an array cannot be compared with that"),
        ("min=[]", "[1]", ""),
        ("min=1", ".nan", "ytt/min: `a` should be at least 1, but is .nan"),
        ("min=lambda v: 1", "1", "ytt/one-of: `a` cannot be anything, but is 1"),
        ("max=[lambda v: 1]", "1", "ytt/one-of: `a` cannot be anything, but is 1"),
        ("one_of=[1, lambda v: 1]", "1", "ytt/one-of: `a` cannot be anything, but is 1"),
    ] {
        assert_eq!(found(arguments, value).join("\n"), expected, "{arguments} of {value}");
    }
}

use super::{data, steps, with_rules};
use crate::json_schema;
use crate::kubernetes::{FLAVOUR, SEMANTICS};
use lofting_document::{FileId, Node, Options, lower};

fn node(text: &str) -> Node {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, SEMANTICS.profile, Options::default());
    documents.documents.into_iter().next().expect("a document").value
}

const SCHEMA: &str = "
type: object
x-kubernetes-validations:
- {rule: 'self.metadata.name.size() < 3', message: the name is too long}
properties:
  spec:
    type: object
    x-kubernetes-validations:
    - rule: self.least <= self.most
      messageExpression: '\"%d > %d\".format([self.least, self.most])'
      fieldPath: .least
    - {rule: self.least >= oldSelf.least}
    - {rule: '!oldSelf.hasValue() || self.most == 5', optionalOldSelf: true}
    - {rule: 'self.tags[0] != \"\"'}
    properties:
      least: {type: integer}
      most: {type: integer, default: 5}
      tags: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self != 'x'}]}}
";

/// What is said of each value that has a rule, the outermost first.
fn said(document: &str, at: &[&str]) -> Vec<String> {
    let written = node(SCHEMA);
    let read = json_schema::read(&written, &FLAVOUR, &SEMANTICS);
    let (schema, faults) = with_rules(read.schema, &written);
    assert!(faults.is_empty(), "{faults:?}");
    let (mut id, mut value) = (schema.root(), node(document));
    for key in at {
        let own = schema.node(id);
        id = match key.parse::<usize>() {
            Ok(_) => own.array.as_ref().expect("an array").item,
            Err(_) => {
                let keys = &own.map.as_ref().expect("a map").keys;
                keys.iter().find(|declared| declared.key.as_str() == Some(*key)).expect("a key").schema
            }
        };
        value = super::get(&value, key).cloned().unwrap_or(value);
    }
    let judged = schema.node(id).judged.as_ref().expect("rules");
    judged.0.broken(&value).into_iter().map(|broken| format!("{} {:?}", broken.message, broken.field)).collect()
}

#[test]
fn broken_rules_are_reported() {
    let none: [&str; 0] = [];
    assert_eq!(said("metadata: {name: a}", &[]), none);
    assert_eq!(said("metadata: {name: abc}", &[]), ["the name is too long []"]);
    assert_eq!(said("spec: {least: 1, most: 2, tags: [a]}", &["spec"]), none);
    assert_eq!(said("spec: {least: 6, tags: [a]}", &["spec"]), ["6 > 5 [\"least\"]"]);
    let found = said("spec: {least: 1, tags: []}", &["spec"]);
    assert_eq!(found, ["a rule has no result, because of `self.tags[0]`: there is no item `0` in an array of 0 []"]);
    // A wrong type has a finding of its own.
    assert_eq!(said("spec: {least: a}", &["spec"]), none);
}

#[test]
fn rules_that_do_not_compile_are_reported_at_their_place() {
    for (rule, expected) in [
        ("self.x == 1", "x: there is no field `x`"),
        ("'self.a == \"b\"'", "self.a == \"b\": `==` cannot be used with an integer, a string"),
        ("self.a", "self.a: the result must be a boolean, but it is an integer"),
        ("size(self.a", "self.a:"),
        (">-\n    self.x\n    == 1", "self.x\n    == 1"),
    ] {
        let text =
            format!("type: object\nproperties: {{a: {{type: integer}}}}\nx-kubernetes-validations:\n- rule: {rule}\n");
        let written = node(&text);
        let read = json_schema::read(&written, &FLAVOUR, &SEMANTICS);
        let (_, faults) = with_rules(read.schema, &written);
        let found: Vec<String> =
            faults.iter().map(|fault| format!("{}: {}", &text[fault.span.range()], fault.message)).collect();
        assert_eq!(found.len(), 1, "{rule}");
        if rule != "size(self.a" {
            assert!(found[0].contains(expected), "{rule}: {found:?}");
        }
    }
}

#[test]
fn a_rule_counts_though_its_message_does_not_compile() {
    let written = node("{type: object, x-kubernetes-validations: [{rule: 'false', messageExpression: 'true'}]}");
    let (schema, faults) = with_rules(json_schema::read(&written, &FLAVOUR, &SEMANTICS).schema, &written);
    assert_eq!(faults.len(), 1);
    let judged = schema.node(schema.root()).judged.clone().expect("rules");
    assert_eq!(judged.0.broken(&node("{}")).len(), 1);
}

#[test]
fn paths_and_data_are_read() {
    assert_eq!(steps(".spec['a.b'].c"), ["spec", "a.b", "c"]);
    assert_eq!(steps("a"), ["a"]);
    assert_eq!(steps(".."), [""; 0]);
    assert_eq!(
        data(&node("{a: [1, 1.5, ~, x], 2: true}"), 9).map(|data| data.to_string()).as_deref(),
        Some(r#"{"a":[1,1.5,null,"x"],"2":true}"#)
    );
}

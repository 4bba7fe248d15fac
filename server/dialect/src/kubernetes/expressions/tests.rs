use super::{data, steps, with_rules};
use crate::json_schema;
use crate::kubernetes::structure::structure;
use crate::kubernetes::{FLAVOUR, SEMANTICS};
use crate::texts::Texts;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Node, Options, lower};
use lofting_schema::{Schema, Step};
use lofting_syntax::Tree;

fn node(text: &str) -> Node {
    node_in(&lofting_syntax::parse(text))
}

fn node_in(tree: &Tree) -> Node {
    let documents = lower(FileId(0), tree, SEMANTICS.profile, Options::default());
    documents.documents.into_iter().next().expect("a document").value
}

fn names(steps: &[Step]) -> Vec<String> {
    let name = |step: &Step| match step {
        Step::Key(key) => key.to_string(),
        other => format!("{other:?}"),
    };
    steps.iter().map(name).collect()
}

/// A schema with its rules, and what is wrong with them.
fn read(text: &str) -> (Schema, Vec<Diagnostic>) {
    let tree = lofting_syntax::parse(text);
    let written = node_in(&tree);
    let read = json_schema::read(&written, &FLAVOUR, &SEMANTICS);
    let places = structure(&read.schema, &written);
    with_rules(read.schema, &written, &places, Texts { tree: Some(&tree), profile: SEMANTICS.profile })
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

/// The findings about each value that has a rule, the outermost first.
fn said(document: &str, at: &[&str]) -> Vec<String> {
    let (schema, faults) = read(SCHEMA);
    assert!(faults.is_empty(), "{faults:?}");
    let (mut id, mut value) = (schema.root(), node(document));
    for key in at {
        let own = schema.node(id);
        id = match key.parse::<usize>() {
            Ok(_) => own.array.as_ref().expect("an array").item,
            Err(_) => {
                let keys = &own.map.as_deref().expect("a map").keys;
                keys.iter().find(|declared| declared.key.as_str() == Some(*key)).expect("a key").schema
            }
        };
        value = super::get(&value, key).cloned().unwrap_or(value);
    }
    let judged = schema.node(id).judged.as_ref().expect("rules");
    judged.0.broken(&value).into_iter().map(|broken| format!("{} {:?}", broken.message, names(&broken.at))).collect()
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
        (">-\n    self.x\n    == 1", "x: there is no field `x`"),
    ] {
        let text =
            format!("type: object\nproperties: {{a: {{type: integer}}}}\nx-kubernetes-validations:\n- rule: {rule}\n");
        let (_, faults) = read(&text);
        let found: Vec<String> =
            faults.iter().map(|fault| format!("{}: {}", &text[fault.span.range()], fault.message)).collect();
        assert_eq!(found.len(), 1, "{rule}");
        if rule != "size(self.a" {
            assert!(found[0].contains(expected), "{rule}: {found:?}");
        }
    }
}

/// However a scalar is written, what is wrong in it is reported at its place.
#[test]
fn places_in_rules_do_not_depend_on_how_they_are_written() {
    let ways = [
        "1 > self.wrong",
        "&a 1 > self.wrong",
        "!!str 1 > self.wrong",
        "&a !!str 1 > self.wrong # why",
        "'1 > self.wrong'",
        "&a '1 > self.wrong'",
        "\"1 > self.wrong\"",
        "\"1\\x20\\u003e self.wrong\"",
        "'''a'' == self.wrong'",
        "!!str \"'\\u00e4' == self.wrong\"",
        "1\n    > self.wrong",
        "'1\n\n    > self.wrong'",
        "|\n    1 >\n    self.wrong",
        "&a |-\n    1 >\n    self.wrong",
        ">-\n    1 >\n    self.wrong",
        "&a !!str >- # why\n    1 >\n    self.wrong",
        "|2-\n    1 > self.wrong",
        "'\"ä\" == self.wrong'",
    ];
    for keyword in ["rule", "messageExpression"] {
        for way in ways {
            let other = if keyword == "rule" { "  message: a\n" } else { "  rule: 'true'\n" };
            let text = format!("title: a\ntype: object\nx-kubernetes-validations:\n- {keyword}: {way}\n{other}");
            for text in [text.replace('\n', "\r\n"), format!("\u{feff}{text}"), text] {
                let (_, faults) = read(&text);
                let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
                let place = fault.span.range();
                assert!(text[..place.start].ends_with("self.") && &text[place] == "wrong", "{text}: {fault:?}");
            }
        }
    }
}

#[test]
fn a_rule_counts_though_its_message_does_not_compile() {
    let (schema, faults) =
        read("{type: object, x-kubernetes-validations: [{rule: 'false', messageExpression: 'true'}]}");
    assert_eq!(faults.len(), 1);
    let judged = schema.node(schema.root()).judged.clone().expect("rules");
    assert_eq!(judged.0.broken(&node("{}")).len(), 1);
}

#[test]
fn paths_and_data_are_read() {
    assert_eq!(names(&steps(".spec['a.b'].c")), ["spec", "a.b", "c"]);
    assert_eq!(names(&steps("a")), ["a"]);
    assert_eq!(names(&steps("..")), [""; 0]);
    assert_eq!(
        data(&node("{a: [1, 1.5, ~, x], 2: true}"), 9).map(|data| data.to_string()).as_deref(),
        Some(r#"{"a":[1,1.5,null,"x"],"2":true}"#)
    );
}

#[test]
fn rules_that_may_cost_too_much_are_found() {
    let said = |properties: &str, rules: &str| -> Vec<String> {
        let text = format!("type: object\nproperties: {properties}\nx-kubernetes-validations: {rules}\n");
        let (_, found) = read(&text);
        let of = |found: &Diagnostic| {
            format!("{} | {} | {}", &text[found.span.range()], found.message, found.help.as_deref().unwrap_or_default())
        };
        found.iter().map(of).collect()
    };
    let none: [&str; 0] = [];
    let names = "{names: {type: array, items: {type: string}}}";
    let limited = "{names: {type: array, maxItems: 20, items: {type: string, maxLength: 63}}}";
    let unique = "[{rule: 'self.names.all(a, self.names.exists_one(b, a == b))'}]";
    assert_eq!(said(limited, unique), none);
    assert_eq!(
        said(names, unique),
        [
            "self.names.all(a, self.names.exists_one(b, a == b)) | the estimated cost of the rule is more than 100 times \
          what the API server allows | set `maxItems` of `names` and `maxLength` of `names[]`, or simplify the rule"
        ]
    );
    // A rule is evaluated for each item of the arrays around it.
    let items = |more: &str| {
        let rules = "x-kubernetes-validations: [{rule: 'self.name.matches(\"^[a-z]+$\")'}]";
        let item = format!("{{type: object, properties: {{name: {{type: string, maxLength: 63}}}}, {rules}}}");
        format!("{{all: {{type: array, {more}items: {item}}}}}")
    };
    assert_eq!(said(&items("maxItems: 100, "), "[]"), none);
    assert_eq!(
        said(&items(""), "[]"),
        [
            "self.name.matches(\"^[a-z]+$\") | the estimated cost of the rule is 5.7 times what the API server allows | set \
          `maxItems` of `all`, or simplify the rule"
        ]
    );
    // Messages are evaluated once, and cost as well.
    let message = "[{rule: 'true', messageExpression: 'self.names.join(\",\")'}]";
    assert_eq!(
        said(names, message),
        [
            "self.names.join(\",\") | the estimated cost of the message is more than 100 times what the API server allows | \
          set `maxLength` of `names[]` and `maxItems` of `names`, or simplify the message"
        ]
    );
    // Each of them may be accepted, and all together be too much.
    let rules = vec!["{rule: 'self.names.all(a, a.size() > 1)'}"; 20].join(", ");
    let found = said(names, &format!("[{rules}]"));
    let shared = "self.names.all(a, a.size() > 1) | the estimated cost of all rules of the schema is 1.";
    assert!(found.len() == 1 && found[0].starts_with(shared), "{found:?}");
}

//! Verdicts on the JSON Schema test suite, if it is present, and on our own cases in the same form.
#![allow(clippy::print_stdout)] // a skipped test says so

use lofting_check::{GovernedPart, Severity, ValuesCheck};
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Documents, ReadsSchemas, SchemaPart, Unread};
use lofting_document::{Document, FileId, Key, MapItem, Node, NodeValue, Options, Span, lower};
use lofting_syntax::resolve::Profile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILE: FileId = FileId(0);

/// Documents that the suite expects on a server.
struct Remotes(PathBuf);

impl Documents for Remotes {
    fn document(&self, uri: &str) -> Result<Arc<Document>, Unread> {
        let path = uri.strip_prefix("http://localhost:1234/").ok_or_else(|| Unread::Because("elsewhere".to_owned()))?;
        read(&self.0.join(path)).map(Arc::new).ok_or_else(|| Unread::Because("not there".to_owned()))
    }
}

fn read(path: &Path) -> Option<Document> {
    let text = std::fs::read_to_string(path).ok()?;
    lower(FILE, &lofting_syntax::parse(&text), Profile::Core12, Options::default()).documents.into_iter().next()
}

fn list<'n>(node: &'n Node, key: &str) -> Vec<&'n Node> {
    match node.get(&Key::from(key)).map(|node| &node.value) {
        Some(NodeValue::Array(items)) => items.iter().map(|item| &item.value).collect(),
        _ => Vec::new(),
    }
}

fn text(node: &Node, key: &str) -> String {
    match node.get(&Key::from(key)).map(|node| &node.value) {
        Some(NodeValue::String(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// The schema with the draft of its folder, unless it names one itself.
fn with_draft(schema: &Node, draft: &str) -> Node {
    let mut schema = schema.clone();
    if let NodeValue::Map(items) = &schema.value
        && !items.iter().any(|item| item.key.as_str() == Some("$schema"))
    {
        let span = Span::new(FILE, 0..0);
        let value = Node::new(NodeValue::String(draft.into()), span);
        let own = MapItem {
            key: Key::from("$schema"),
            key_span: span,
            span,
            value,
            notes: Default::default(),
            merged: false,
            conditional: false,
        };
        let items: Vec<MapItem> = std::iter::once(own).chain(items.iter().cloned()).collect();
        schema.value = NodeValue::Map(items.into());
    }
    schema
}

/// Adds the wrong verdicts in a file of test groups to `wrong`, and returns the number of cases.
fn run(path: &Path, draft: Option<&str>, remotes: &Remotes, wrong: &mut Vec<String>) -> usize {
    let document = read(path).expect("a file of the suite");
    let NodeValue::Array(groups) = &document.value.value else { return 0 };
    let mut count = 0;
    for group in groups.iter().map(|group| &group.value) {
        let schema = group.get(&Key::from("schema")).expect("a schema");
        let schema = draft.map_or_else(|| schema.clone(), |draft| with_draft(schema, draft));
        let own = Document { value: schema, ..document.clone() };
        let part = SchemaPart { document: &own, claim: None, tree: None };
        let schema = JsonSchema.read_linked(&[part], "file:///schema.json", remotes).schema;
        let check = ValuesCheck::alone(&schema, &());
        for test in list(group, "tests") {
            let data = test.get(&Key::from("data")).expect("an instance");
            let want = test.get(&Key::from("valid")).map(|valid| &valid.value) == Some(&NodeValue::Bool(true));
            let part = GovernedPart { number: 1, at: &[], name: data.span, node: schema.root() };
            let found = part.check(&check, data).into_diagnostics();
            let valid = !found.iter().any(|finding| finding.severity == Severity::Error);
            count += 1;
            if valid != want {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                wrong.push(format!("{file}: {} / {}", text(group, "description"), text(test, "description")));
            }
        }
    }
    count
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "json")).collect();
    files.sort();
    files
}

#[test]
fn verdicts_are_those_of_the_suite() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/json-schema-suite");
    let remotes = Remotes(root.join("remotes"));
    let (mut count, mut wrong) = (0, Vec::new());
    for (folder, draft) in [
        ("draft4", "http://json-schema.org/draft-04/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ] {
        for file in files(&root.join("tests").join(folder)) {
            count += run(&file, Some(draft), &remotes, &mut wrong);
        }
    }
    if count == 0 {
        println!("skipped: the JSON Schema test suite is not present");
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn verdicts_are_those_of_our_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/json-schema");
    let remotes = Remotes(folder.join("remotes"));
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files(&folder) {
        count += run(&file, None, &remotes, &mut wrong);
    }
    assert!(count > 0, "there are no cases");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The codes of the findings in a text that has to fit a schema, both as JSON or YAML.
fn codes(schema: &str, text: &str) -> Vec<String> {
    let document = |text: &str| {
        let documents = lower(FILE, &lofting_syntax::parse(text), Profile::Core12, Options::default());
        documents.documents.into_iter().next().expect("a document")
    };
    let (own, data) = (document(schema), document(text));
    let part = SchemaPart { document: &own, claim: None, tree: None };
    let schema = JsonSchema.read(&[part], &lofting_overlay::NoFunctions).schema;
    let part = GovernedPart { number: 1, at: &[], name: data.value.span, node: schema.root() };
    let found = part.check(&ValuesCheck::alone(&schema, &()), &data.value).into_diagnostics();
    found.iter().map(|finding| finding.code().to_string()).collect()
}

#[test]
fn what_is_too_much_to_compare_is_said_once() {
    const SCHEMA: &str = r##"{"anyOf": [
        {"type": "null"}, {"items": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"items": {"$ref": "#"}}]}}
    ]}"##;
    let said = ["lofting/too-many-alternatives"];
    assert_eq!(codes(SCHEMA, &"- 0\n".repeat(1_000)), Vec::<String>::new());
    assert_eq!(codes(SCHEMA, &"- 0\n".repeat(100_000)), said);
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(codes(SCHEMA, &nested(20)), Vec::<String>::new());
    let tree = r##"{"anyOf": [{"type": "null"}, {"items": {"$ref": "#/anyOf/1"}}]}"##;
    assert_eq!(codes(tree, &nested(90)), Vec::<String>::new());
    assert_eq!(codes(tree, &nested(130)), said);
}

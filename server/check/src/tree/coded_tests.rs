use super::ValuesTree;
use super::tests::{Numbers, VALUES, by_merging, long, schema, schema_of};
use crate::view::TreeFile;
use crate::{Answer, AssertionCall, Assertions, CallValue, CheckMemo, Diagnostic, Style, TreeSource, ValuesCheck};
use lofting_document::{Document, FileId, Fingerprint, Fingerprints, Options, Span, lower};
use lofting_eval::{Callable, Data, EvaluationId};
use lofting_schema::{CodeRule, Condition, Schema};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Tree, parse};
use lofting_template::node_data;
use std::cell::{Cell, RefCell};

const FILE: FileId = FileId(1);

/// Refuses values that contain a five; conditions hold for everything without an `x`.
#[derive(Default)]
struct NoFives {
    asked: Cell<usize>,
    /// The collections that functions got, with their fingerprints, and whether they came in portions.
    collections: RefCell<Vec<(Data, Fingerprint, bool)>>,
}

impl Assertions for NoFives {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        self.asked.set(self.asked.get() + calls.len());
        let answer = |call: &AssertionCall<'_>| {
            let (data, fingerprint, long) = match call.value {
                CallValue::Node(node) => (node_data(node), Fingerprints::default().of(node), false),
                CallValue::Long(value) => (value.data.unfolded(), value.fingerprint, true),
            };
            let answer = match call.function.handle {
                0 if holds(&data, &Data::int(5)) => Answer::Failed("a five".to_owned()),
                1 if holds(&data, &Data::String("x".into())) => Answer::False,
                _ => Answer::True,
            };
            if matches!(data, Data::Fragment(_)) {
                self.collections.borrow_mut().push((data, fingerprint, long));
            }
            answer
        };
        calls.iter().map(answer).collect()
    }
}

fn holds(data: &Data, wanted: &Data) -> bool {
    match data {
        Data::Fragment(fragment) => fragment.items.iter().any(|item| holds(&item.value, wanted)),
        scalar => scalar == wanted,
    }
}

/// A schema with a rule on every value except the document's, every third with a condition.
fn coded() -> Schema {
    with_rules(&schema())
}

fn with_rules(plain: &Schema) -> Schema {
    let function = |handle| Callable {
        evaluation: EvaluationId(1),
        handle,
        type_name: "function".to_owned(),
        text: "lambda".to_owned(),
        has_check: false,
        parameters: Some(1),
        made_with: Vec::new(),
    };
    let span = Span::new(FileId(9), 0..1);
    let rule = CodeRule { description: Some("no fives".to_owned()), span, assertion: Some(function(0)) };
    let mut nodes: Vec<_> = plain.nodes().map(|(_, node)| node.clone()).collect();
    for (index, node) in nodes.iter_mut().enumerate().filter(|(index, _)| *index != plain.root().0 as usize) {
        node.rules.push(rule.clone());
        if index % 3 == 0 {
            node.condition = Some(Box::new(Condition { span, function: Some(function(1)) }));
            node.constraints.iter_mut().for_each(|constraint| constraint.conditional = true);
        }
    }
    Schema::new(nodes, plain.root(), plain.semantics())
}

fn sorted(mut found: Vec<Diagnostic>) -> Vec<(Span, String, Option<String>)> {
    found.retain(|finding| finding.span.file == FILE && finding.code() == "ytt/validation");
    let mut found: Vec<_> = found.into_iter().map(|finding| (finding.span, finding.message, finding.path)).collect();
    found.sort_by_key(|(span, message, _)| (span.start, span.end, message.clone()));
    found
}

fn in_tree(
    tree: &Tree,
    schema: &Schema,
    mode: Style,
    memo: &mut CheckMemo,
    assertions: &NoFives,
) -> Option<Vec<Diagnostic>> {
    memo.begin(&[], None, None);
    let mut values = ValuesTree::new(TreeFile::new(FILE, Profile::Ytt), tree, None, memo)?;
    let source = TreeSource { file: FILE, tree };
    Some(values.check(&ValuesCheck::over_defaults(schema, mode, &source), memo, Some(assertions))?.into_diagnostics())
}

/// The findings by way of merging.
fn merged(tree: &Tree, schema: &Schema, mode: Style) -> Vec<Diagnostic> {
    merged_asking(tree, schema, mode, &NoFives::default())
}

fn merged_asking(tree: &Tree, schema: &Schema, mode: Style, assertions: &NoFives) -> Vec<Diagnostic> {
    let source = TreeSource { file: FILE, tree };
    let set = lower(FILE, tree, Profile::Ytt, Options::default());
    let documents: Vec<&Document> = set.documents.iter().filter(|document| !document.is_empty()).collect();
    by_merging(&documents, schema, mode, assertions, &source)
}

#[test]
fn agrees_with_merging() {
    let schema = coded();
    for (mode, head) in [(Style::Plain, ""), (Style::Annotated, "#@data/values\n---\n")] {
        let text =
            format!("{head}{}extra2: 1\n", VALUES.replace("weight: 20", "weight: 5").replace("[1, 2]", "[1, 5]"));
        let tree = parse(&text);
        let (mut memo, asked) = (CheckMemo::default(), NoFives::default());
        let found = in_tree(&tree, &schema, mode, &mut memo, &asked).expect("nothing that needs lowering");
        let wanted = sorted(merged(&tree, &schema, mode));
        assert_eq!(sorted(found.clone()), wanted);
        assert!(wanted.len() >= 3, "{wanted:#?}");
        // And again from memory.
        assert_eq!(in_tree(&tree, &schema, mode, &mut memo, &asked), Some(found));
    }
}

#[test]
fn only_what_changed_is_asked_again() {
    let schema = coded();
    let service = |number: usize| {
        format!("- host: host-{number}.example.com\n  weight: 2\n  paths:\n  - prefix: /{}\n", "a".repeat(99))
    };
    let text = format!("routes:\n{}", (0..200).map(service).collect::<String>());
    let (mut memo, asked) = (CheckMemo::default(), NoFives::default());
    let tree = parse(&text);
    in_tree(&tree, &schema, Style::Plain, &mut memo, &asked).expect("nothing that needs lowering");
    let first = asked.asked.replace(0);
    let at = text.rfind("weight: 2").expect("it is there") + "weight: ".len();
    let tree = tree.edit(at..at + 1, "5");
    let found = in_tree(&tree, &schema, Style::Plain, &mut memo, &asked).expect("nothing that needs lowering");
    assert_eq!(sorted(found).len(), 3, "the array, its item, the weight");
    assert!(asked.asked.get() <= 10, "{} of {first}", asked.asked.get());
}

#[test]
fn memory_agrees_with_merging_after_every_edit() {
    let schema = coded();
    // Merging keeps only one place of a repeated key.
    let text = VALUES.replace("name: again\n", "").replace("  b: 3\n", "  c: 3\n");
    for mode in [Style::Plain, Style::Annotated] {
        let compared: usize = (0..20).map(|seed| typed(&schema, &text, mode, seed, &Cell::new(0))).sum();
        assert!(compared > 50, "{compared}");
    }
}

#[test]
fn memory_of_long_collections_agrees_with_merging_after_every_edit() {
    let (plain, text) = long();
    let schema = with_rules(&plain);
    for mode in [Style::Plain, Style::Annotated] {
        let in_portions = Cell::new(0);
        let compared: usize = (0..4).map(|seed| typed(&schema, &text, mode, seed, &in_portions)).sum();
        assert!(compared > 10, "{compared}");
        assert!(in_portions.get() > 10, "{} in portions", in_portions.get());
    }
}

#[test]
fn portions_of_values_of_any_type_and_in_each_other_agree_with_merging() {
    let plain = schema_of(
        "#@data/values-schema\n---\n#@schema/type any=True\nloose: {}\n#@schema/type any=True\nfilled:\n  k_7: 1\nmatrix:\n\
         - - 0\nall:\n  other: 1\n  items:\n  - port: 0\n    name: x\n    more: {a: 1}\n",
    );
    let many = |item: &dyn Fn(usize) -> String| (0..150).map(item).collect::<String>();
    let text = format!(
        "loose:\n{}filled:\n{}matrix:\n-\n{}- [1]\n-\n{}all:\n  items:\n{}",
        many(&|number| format!("  k_{number}:\n    a: {number}\n")),
        many(&|number| format!("  k_{number}: {number}\n")),
        many(&|number| format!("  - {number}\n")),
        many(&|number| format!("  - {number}\n")),
        many(&|number| format!("  - port: {number}\n")),
    );
    let schema = with_rules(&plain);
    for mode in [Style::Plain, Style::Annotated] {
        let in_portions = Cell::new(0);
        let compared: usize = (0..4).map(|seed| typed(&schema, &text, mode, seed, &in_portions)).sum();
        assert!(compared > 10, "{compared}");
        assert!(in_portions.get() > 10, "{} in portions", in_portions.get());
    }
}

/// Types in random places, undoes edits that break the text, and compares the findings after each other edit, and what
/// functions got in portions, which it counts; returns how often it compared.
fn typed(schema: &Schema, text: &str, mode: Style, seed: u64, in_portions: &Cell<usize>) -> usize {
    let mut numbers = Numbers(seed);
    let mut text = text.to_owned();
    let mut tree = parse(&text);
    let (mut memo, asked) = (CheckMemo::default(), NoFives::default());
    let mut compared = 0;
    for _ in 0..40 {
        let (range, new) = numbers.edit(&text);
        let before = (text.clone(), tree.clone());
        text.replace_range(range.clone(), new);
        tree = tree.edit(range, new);
        asked.collections.take();
        let Some(found) = in_tree(&tree, schema, mode, &mut memo, &asked) else { continue };
        let mut fresh = CheckMemo::default();
        let repeated = ValuesTree::new(TreeFile::new(FILE, Profile::Ytt), &tree, None, &mut fresh);
        let repeated = repeated.is_none_or(|mut values| values.keys(&mut fresh).is_none() || !values.found.is_empty());
        // In broken text, either of them may be more cautious.
        if repeated || !tree.errors().is_empty() {
            let again = in_tree(&tree, schema, mode, &mut CheckMemo::default(), &asked);
            assert_eq!(Some(sorted(found)), again.map(sorted), "seed {seed}:\n{text}");
            (text, tree) = before;
            continue;
        }
        compared += 1;
        let all = NoFives::default();
        assert_eq!(sorted(found), sorted(merged_asking(&tree, schema, mode, &all)), "seed {seed}:\n{text}");
        let all = all.collections.into_inner();
        let at_once = asked.collections.take();
        for (data, fingerprint, _) in at_once.iter().filter(|(.., long)| *long) {
            let whole = all.iter().find(|(whole, ..)| whole == data);
            assert_eq!(whole.map(|(_, whole, _)| whole), Some(fingerprint), "seed {seed}, {data:?}:\n{text}");
            in_portions.set(in_portions.get() + 1);
        }
    }
    compared
}

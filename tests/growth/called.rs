//! A new value in a long collection that rules in code get as a whole: what is made and what is sent for it is what the
//! key touches, however long the collection is.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use lofting_eval::{Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles, Portion};
use lofting_starlark::InProcess;
use lofting_workspace::{CancelFlag, Need, Settings, Workspace};
use parking_lot::Mutex;

use crate::ask::counted;
use crate::turn;

/// Items of the smaller file, and how many times as many the larger one has.
const FEW: usize = 500;
const FACTOR: usize = 8;

/// Answers `True`, and counts what a worker would be sent that keeps everything.
#[derive(Default)]
struct Counting {
    code: InProcess,
    sent: Mutex<Sent>,
}

#[derive(Default)]
struct Sent {
    kept: HashSet<u64>,
    values: usize,
    /// Values that functions got, however they were sent.
    passed: usize,
}

impl Sent {
    fn portion(&mut self, portion: &Portion) {
        if self.kept.insert(portion.number()) {
            portion.inner().iter().for_each(|inner| self.portion(inner));
            self.values += portion.weight();
        }
    }

    fn value(&mut self, value: &Data) {
        self.values += 1;
        match value {
            Data::Portion(portion) => self.portion(portion),
            Data::Fragment(fragment) => fragment.items.iter().for_each(|item| self.value(&item.value)),
            _ => {}
        }
    }
}

/// The number of values in a value.
fn size(value: &Data) -> usize {
    match value {
        Data::Portion(portion) => portion.whole(),
        Data::Fragment(fragment) => 1 + fragment.items.iter().map(|item| size(&item.value)).sum::<usize>(),
        _ => 1,
    }
}

impl Evaluator for Counting {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        self.code.evaluate(evaluation, files)
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        let Batch { shared, calls, .. } = *batch;
        let mut sent = self.sent.lock();
        for value in shared.iter().chain(calls.iter().flat_map(|call| &call.arguments)) {
            sent.value(value);
            sent.passed += size(value);
        }
        calls.iter().map(|_| Ok(Data::Bool(true))).collect()
    }

    fn release(&self, evaluation: EvaluationId) {
        self.code.release(evaluation);
    }
}

/// A way to give values to rules.
struct Form {
    name: &'static str,
    /// `@RULE` in a schema is a rule on what follows.
    schema: &'static str,
    head: &'static str,
    /// An item up to a number, and the rest of it. `@N` is its number as well.
    item: (&'static str, &'static str),
}

const RULE: &str = "#@schema/validation (\"x\", lambda v: True)";
const CONDITION: &str = "#@schema/validation (\"x\", lambda v: True), when=lambda v: True";

const FORMS: &[Form] = &[
    Form {
        name: "an array of maps",
        schema: "@RULE\nitems:\n- port: 0\n  name: \"\"\n",
        head: "items:\n",
        item: ("- port: ", "\n  name: x\n"),
    },
    Form {
        name: "an array of maps with defaults",
        schema: "@RULE\nitems:\n- port: 0\n  name: x\n  more:\n    a: 1\n    b: [1]\n",
        head: "items:\n",
        item: ("- port: ", "\n  more:\n    a: 2\n"),
    },
    Form {
        name: "a rule with a condition",
        schema: "@CONDITION\nitems:\n- port: 0\n",
        head: "items:\n",
        item: ("- port: ", "\n"),
    },
    Form {
        name: "rules on the maps around an array",
        schema: "@RULE\nall:\n  @RULE\n  inner:\n    other: 1\n    items:\n    - port: 0\n",
        head: "all:\n  inner:\n    items:\n",
        item: ("    - port: ", "\n"),
    },
    Form {
        name: "an array in an array",
        schema: "@RULE\nmatrix:\n-\n  - 0\n",
        head: "matrix:\n-\n",
        item: ("  - ", "\n"),
    },
    Form {
        name: "annotated values",
        schema: "@RULE\nitems:\n- port: 0\n",
        head: "#@data/values\n---\nitems:\n",
        item: ("- port: ", "\n"),
    },
];

/// Values of any type, all of which are looked at for another reason at each key.
const OF_ANY_TYPE: &[Form] = &[
    Form {
        name: "a map of maps of any type",
        schema: "@RULE\n#@schema/type any=True\nall: {}\n",
        head: "all:\n",
        item: ("  key_@N:\n    port: ", "\n"),
    },
    Form {
        name: "arrays below any type",
        schema: "@RULE\n#@schema/type any=True\nall: {}\n",
        head: "all:\n  inner:\n    items:\n",
        item: ("    - port: ", "\n"),
    },
];

/// What a key needs that leads to a new value in the middle of many items: bytes that are asked for, and values that are
/// sent.
fn work_of_a_key(form: &Form, items: usize) -> (usize, usize) {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a directory");
    let (mut text, mut middle) = (form.head.to_owned(), 0);
    for number in 0..items {
        let _ = write!(text, "{}", form.item.0.replace("@N", &number.to_string()));
        if number == items / 2 {
            middle = text.len();
        }
        let _ = write!(text, "{number}{}", form.item.1);
    }
    let rules = form.schema.replace("@RULE", RULE).replace("@CONDITION", CONDITION);
    fs::write(root.join("schema.yml"), format!("#@data/values-schema\n---\n{rules}")).expect("a file");
    fs::write(root.join("values.yml"), &text).expect("a file");
    let evaluator = Arc::new(Counting::default());
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.set_evaluator(evaluator.clone());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let file = workspace.open(&root.join("values.yml"), 1, &text);
    let findings = |workspace: &mut Workspace| {
        workspace.evaluate(&[file], Need::Findings, 1).diagnostics(file, &CancelFlag::new()).len()
    };
    assert_eq!(findings(&mut workspace), 0, "{}", form.name);
    // What is done once for an open document is done.
    workspace.edit(file, 2, middle..middle, "1");
    assert_eq!(findings(&mut workspace), 0, "{}", form.name);
    let mut sent = evaluator.sent.lock();
    (sent.values, sent.passed) = (0, 0);
    drop(sent);
    let work = counted(|| {
        workspace.edit(file, 3, middle..middle, "2");
        findings(&mut workspace);
    });
    let sent = evaluator.sent.lock();
    assert!(sent.passed >= items, "{}: {} values of {items} items were passed", form.name, sent.passed);
    (work.bytes, sent.values)
}

#[test]
fn a_new_value_costs_rules_in_code_what_it_touches() {
    let _turn = turn();
    let mut wrong = Vec::new();
    for (form, only_sent) in FORMS.iter().map(|form| (form, false)).chain(OF_ANY_TYPE.iter().map(|form| (form, true))) {
        let ((few, sent_few), (many, sent_many)) = (work_of_a_key(form, FEW), work_of_a_key(form, FEW * FACTOR));
        // There are some more groups around the value, with the numbers of those in them.
        if !only_sent && many > 2 * few || sent_many > 3 * sent_few {
            let name = form.name;
            wrong.push(format!("{name}: {few} and {many} bytes, {sent_few} and {sent_many} values sent"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

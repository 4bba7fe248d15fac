//! Random schemas and values, whose verdicts are compared with those of the `jsonschema` crate.
//!
//! `LOFTING_INVENTIONS` is the number of schemas (4,000 by default), `LOFTING_INVENTIONS_SEED` what they are made from.
#![allow(clippy::print_stdout, reason = "how many were compared is shown")]
#![forbid(unsafe_code)]

mod generator;
mod shrink;

use generator::{Dice, Draft, asked, schema, value, without_points};
use lofting_check::{GovernedPart, Severity, ValuesCheck};
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Documents, ReadsSchemas, SchemaPart, Unread};
use lofting_document::{Document, FileId, Options, lower};
use lofting_syntax::resolve::Profile;
use serde_json::Value;
use std::sync::Arc;

/// Values for each schema.
const VALUES: usize = 8;

/// How many differences are printed.
const SHOWN: usize = 12;

struct Nowhere;

impl Documents for Nowhere {
    fn document(&self, _: &str) -> Result<Arc<Document>, Unread> {
        Err(Unread::Because("there are no others".to_owned()))
    }
}

fn document(value: &Value) -> Document {
    let tree = lofting_syntax::parse(&value.to_string());
    let documents = lower(FileId(0), &tree, Profile::Core12, Options::default()).documents;
    documents.into_iter().next().expect("a document")
}

/// Our verdicts on values.
fn ours(schema: &Value, values: &[Value]) -> Vec<bool> {
    let own = document(schema);
    let part = SchemaPart { document: &own, claim: None, tree: None };
    let schema = JsonSchema.read_linked(&[part], "file:///schema.json", &Nowhere).schema;
    let check = ValuesCheck::alone(&schema, &());
    let verdict = |value: &Value| {
        let data = document(value).value;
        let part = GovernedPart { number: 1, at: &[], name: data.span, node: schema.root() };
        let found = part.check(&check, &data).into_diagnostics();
        !found.iter().any(|finding| finding.severity == Severity::Error)
    };
    values.iter().map(verdict).collect()
}

/// Those of the reference; `None` if it does not take the schema.
fn theirs(schema: &Value, values: &[Value]) -> Option<Vec<bool>> {
    let validator = jsonschema::options().build(schema).ok()?;
    Some(values.iter().map(|value| validator.is_valid(value)).collect())
}

/// Whether the verdicts on a value differ.
fn differs(schema: &Value, value: &Value) -> bool {
    let values = std::slice::from_ref(value);
    theirs(schema, values).is_some_and(|theirs| theirs != ours(schema, values))
}

#[test]
fn verdicts_are_those_of_the_reference() {
    let (schemas, seed) = asked(4_000);
    let mut dice = Dice(seed as u64);
    let (mut compared, mut valid, mut refused, mut differences) = (0, 0, 0, Vec::new());
    for index in 0..schemas {
        let draft = Draft::ALL[index % Draft::ALL.len()];
        let schema = schema(&mut dice, draft);
        let mut values: Vec<Value> = (0..VALUES).map(|_| value(&mut dice, 3)).collect();
        if draft == Draft::Draft4 {
            values.iter_mut().for_each(without_points);
        }
        let Some(wanted) = theirs(&schema, &values) else {
            refused += 1;
            continue;
        };
        compared += values.len();
        valid += wanted.iter().filter(|valid| **valid).count();
        let found = ours(&schema, &values);
        for ((value, wanted), found) in values.iter().zip(&wanted).zip(&found) {
            if wanted != found && differences.len() < SHOWN {
                let (schema, value) = shrink::shrink(&schema, value, &differs);
                let wanted =
                    if theirs(&schema, std::slice::from_ref(&value)) == Some(vec![true]) { "valid" } else { "wrong" };
                differences.push(format!("{draft:?}: {value} is {wanted} for\n{schema}"));
                break;
            }
        }
    }
    println!(
        "seed {seed}: {compared} verdicts compared, {valid} of them valid; {refused} of {schemas} schemas refused"
    );
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(refused * 50 < schemas, "{refused} schemas refused by the reference");
    assert!(valid * 5 > compared && valid * 5 < compared * 4, "{valid} of {compared} valid");
}

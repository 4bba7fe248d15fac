//! What is called safe breaks no data values of ytt: random schemas, each with a changed version, and random values that the
//! old version accepts. Checking the values with the new version is the other way to the same answer.
//!
//! `LOFTING_INVENTIONS` is the number of pairs (2,000 by default), `LOFTING_INVENTIONS_SEED` what they are made from.
#![allow(clippy::print_stdout, reason = "how many were compared is shown")]

#[path = "../../check/tests/inventions/generator.rs"]
#[expect(dead_code, reason = "only the dice are used")]
mod generator;

use generator::{Dice, asked};
use lofting_check::{GovernedPart, Severity, ValuesCheck};
use lofting_dialect::{Dialect, ytt};
use lofting_diff::{Language, compare};
use lofting_document::{Document, FileId, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use serde_json::{Map, Value, json};

/// Values for each pair.
const VALUES: usize = 20;

/// How many pairs are printed.
const SHOWN: usize = 6;

const KEYS: &[&str] = &["a", "b", "c", "d"];

/// A part of a schema.
#[derive(Clone)]
enum Form {
    Map(Vec<(&'static str, Item)>),
    Array(Box<Item>),
    /// With the default.
    Scalar(Value),
    Any,
}

#[derive(Clone)]
struct Item {
    form: Form,
    is_nullable: bool,
    /// Arguments of `schema/validation`.
    rule: Option<&'static str>,
}

impl Item {
    fn invent(dice: &mut Dice, depth: usize) -> Item {
        let form = match dice.below(if depth == 0 { 5 } else { 9 }) {
            0 | 1 => Form::Scalar(json!(dice.below(4))),
            2 => Form::Scalar(json!(["", "a", "abc"][dice.below(3)])),
            3 => Form::Scalar(json!(dice.below(2) == 0)),
            4 => Form::Any,
            5 => Form::Array(Box::new(Item::invent(dice, depth - 1))),
            _ => Form::Map(keys(dice, depth - 1)),
        };
        let rules: &[&str] = match &form {
            Form::Scalar(Value::Number(_)) => &["min=1", "max=2", "one_of=[1, 2]", "min=0, max=3"],
            Form::Scalar(Value::String(_)) => &["min_len=1", "max_len=2", "one_of=[\"a\", \"abc\"]"],
            Form::Array(_) => &["min_len=1", "max_len=1"],
            _ => &[],
        };
        let rule = if dice.below(3) == 0 && !rules.is_empty() { Some(rules[dice.below(rules.len())]) } else { None };
        Item { is_nullable: dice.below(5) == 0 && !matches!(form, Form::Any), form, rule }
    }

    fn write(&self, indent: usize, head: &str, into: &mut String) {
        let space = " ".repeat(indent);
        if self.is_nullable {
            *into += &format!("{space}#@schema/nullable\n");
        }
        if let Some(rule) = self.rule {
            *into += &format!("{space}#@schema/validation {rule}\n");
        }
        match &self.form {
            Form::Any => *into += &format!("{space}#@schema/type any=True\n{space}{head} null\n"),
            Form::Scalar(value) => *into += &format!("{space}{head} {value}\n"),
            Form::Array(item) => {
                *into += &format!("{space}{head}\n");
                // The items of an item begin in lines of their own, where annotations can precede them.
                item.write(indent + 2, "-", into);
            }
            Form::Map(keys) if keys.is_empty() => *into += &format!("{space}{head} {{}}\n"),
            Form::Map(keys) => {
                *into += &format!("{space}{head}\n");
                keys.iter().for_each(|(key, item)| item.write(indent + 2, &format!("{key}:"), into));
            }
        }
    }

    fn default(&self) -> Value {
        match &self.form {
            _ if self.is_nullable => Value::Null,
            Form::Map(keys) => {
                Value::Object(keys.iter().map(|(key, item)| ((*key).to_owned(), item.default())).collect())
            }
            Form::Array(_) => json!([]),
            Form::Scalar(value) => value.clone(),
            Form::Any => Value::Null,
        }
    }

    /// A value that mostly fits, with keys left out.
    fn value(&self, dice: &mut Dice) -> Value {
        if dice.below(12) == 0 {
            return [json!(null), json!(1), json!("a"), json!([]), json!({}), json!({"a": 1})][dice.below(6)].clone();
        }
        match &self.form {
            Form::Map(keys) => {
                let mut map = Map::new();
                for (key, item) in keys {
                    if dice.below(4) > 0 {
                        map.insert((*key).to_owned(), item.value(dice));
                    }
                }
                Value::Object(map)
            }
            Form::Array(item) => (0..dice.below(3)).map(|_| item.value(dice)).collect(),
            Form::Scalar(Value::Number(_)) => json!(dice.below(4)),
            Form::Scalar(Value::String(_)) => json!(["", "a", "ab", "abc"][dice.below(4)]),
            Form::Scalar(_) => json!(dice.below(2) == 0),
            Form::Any => [json!({"x": [1]}), json!("x"), json!(null)][dice.below(3)].clone(),
        }
    }

    /// The value with the defaults of what it leaves out.
    fn filled(&self, value: &Value) -> Value {
        match (&self.form, value) {
            (Form::Map(keys), Value::Object(map)) => {
                let mut filled = map.clone();
                for (key, item) in keys {
                    let value = map.get(*key).map_or_else(|| item.default(), |value| item.filled(value));
                    filled.insert((*key).to_owned(), value);
                }
                Value::Object(filled)
            }
            (Form::Array(item), Value::Array(items)) => items.iter().map(|value| item.filled(value)).collect(),
            _ => value.clone(),
        }
    }
}

fn keys(dice: &mut Dice, depth: usize) -> Vec<(&'static str, Item)> {
    let all = KEYS.iter().map(|key| (*key, dice.below(2) == 0)).collect::<Vec<_>>();
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(key, _)| (key, Item::invent(dice, depth))).collect()
}

/// The schema with one part changed.
fn changed(dice: &mut Dice, old: &Item, depth: usize) -> Item {
    let mut new = old.clone();
    match &mut new.form {
        Form::Map(keys) if dice.below(3) > 0 => match dice.below(6) {
            0 if !keys.is_empty() => drop(keys.remove(dice.below(keys.len()))),
            1 => {
                let free: Vec<&'static str> =
                    KEYS.iter().copied().filter(|key| keys.iter().all(|(it, _)| it != key)).collect();
                if !free.is_empty() {
                    keys.push((free[dice.below(free.len())], Item::invent(dice, depth)));
                }
            }
            _ if !keys.is_empty() => {
                let at = dice.below(keys.len());
                keys[at].1 = changed(dice, &keys[at].1, depth.saturating_sub(1));
            }
            _ => {}
        },
        Form::Array(item) if dice.below(3) > 0 => **item = changed(dice, item, depth.saturating_sub(1)),
        _ => match dice.below(4) {
            0 => new.is_nullable = !new.is_nullable && !matches!(new.form, Form::Any),
            1 => new.rule = None,
            2 => {
                let other = Item::invent(dice, 0);
                if std::mem::discriminant(&other.form) == std::mem::discriminant(&new.form) {
                    new.rule = other.rule;
                    new.form = other.form;
                }
            }
            _ => new = Item::invent(dice, depth),
        },
    }
    new
}

/// The root of a schema is a map that is neither nullable nor has rules.
fn root(form: Form) -> Item {
    Item { form, is_nullable: false, rule: None }
}

fn text(schema: &Item) -> String {
    let mut text = "#@data/values-schema\n---\n".to_owned();
    if let Form::Map(keys) = &schema.form {
        keys.iter().for_each(|(key, item)| item.write(0, &format!("{key}:"), &mut text));
    }
    text
}

fn documents(text: &str) -> Vec<Document> {
    let tree = lofting_syntax::parse(text);
    lower(FileId(0), &tree, ytt::Ytt.profile(), Options::default()).documents
}

fn accepts(schema: &Schema, value: &Value) -> bool {
    let Some(document) = documents(&value.to_string()).into_iter().next() else { return false };
    let check = ValuesCheck::alone(schema, &());
    let part = GovernedPart { number: 1, at: &[], name: document.value.span, node: schema.root() };
    let found = part.check(&check, &document.value).into_diagnostics();
    !found.iter().any(|finding| finding.severity == Severity::Error)
}

#[test]
fn what_is_called_safe_refuses_no_data_values() {
    let (pairs, seed) = asked(2_000);
    let mut dice = Dice(seed as u64);
    let (mut breaking, mut safe, mut shown) = (0, 0, Vec::new());
    for _ in 0..pairs {
        let old = root(Form::Map(keys(&mut dice, 3)));
        let new = changed(&mut dice, &old, 3);
        if !matches!(new.form, Form::Map(_)) {
            continue;
        }
        let new = root(new.form);
        let (old_text, new_text) = (text(&old), text(&new));
        let compared = compare(Language::Ytt, &old_text, &new_text);
        let compared = compared.unwrap_or_else(|problem| panic!("{problem:?}\n{old_text}\n{new_text}"));
        let is_safe =
            compared.unknown == 0 && !compared.is_cut && !compared.changes.iter().any(|change| change.breaks.values);
        safe += usize::from(is_safe);
        let read = |text: &str| {
            let documents = documents(text);
            ytt::read_with(&documents.iter().collect::<Vec<_>>(), &NoFunctions).schema
        };
        let (before, after) = (read(&old_text), read(&new_text));
        let values = (0..VALUES).map(|_| old.value(&mut dice));
        let is_broken = |value: &Value| accepts(&before, &old.filled(value)) && !accepts(&after, &new.filled(value));
        let Some(value) = values.into_iter().find(is_broken) else { continue };
        breaking += 1;
        if is_safe && shown.len() < SHOWN {
            shown.push(format!("{value} was accepted and is refused:\n{old_text}\n{new_text}"));
        }
    }
    println!("seed {seed}: of {pairs} pairs {breaking} break a value, {safe} are called safe");
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert!(breaking * 20 > pairs && safe * 20 > pairs, "{breaking} and {safe} of {pairs}: too few to say anything");
}

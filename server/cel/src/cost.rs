//! What an evaluation may cost. The unit and the limits are those of the API server, so that what it refuses to finish
//! is not finished here; most prices are, too.

use crate::value::Value;

/// The limit of one evaluation.
pub const LIMIT: u64 = 1_000_000;

/// Why an evaluation or a function ended without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// For this reason.
    Because(String),
    /// It cost more than it may.
    TooExpensive,
    /// The API server may find a value where none can be found here.
    Unknown(String),
}

impl Failure {
    /// Whether nothing that comes later makes up for it.
    pub fn is_final(&self) -> bool {
        !matches!(self, Failure::Because(_))
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Failure::Because(reason)
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Failure::Because(reason.to_owned())
    }
}

/// Counts what an evaluation costs.
#[derive(Debug, Clone)]
pub struct Meter {
    spent: u64,
    limit: u64,
}

impl Meter {
    /// One that stops at a limit.
    pub fn new(limit: u64) -> Self {
        Meter { spent: 0, limit }
    }

    /// What was spent.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Adds a cost.
    pub fn spend(&mut self, cost: u64) -> Result<(), Failure> {
        self.spent = self.spent.saturating_add(cost);
        if self.spent > self.limit { Err(Failure::TooExpensive) } else { Ok(()) }
    }

    /// Adds what it costs to make a text of this length in bytes.
    pub fn spend_text(&mut self, bytes: usize) -> Result<(), Failure> {
        self.spend(tenth(bytes))
    }
}

/// The cost of reading this many characters.
pub fn tenth(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX).div_ceil(10)
}

/// The number of characters, items or entries, without counting characters one by one.
fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        other => other.size(),
    }
}

fn length_of(arguments: &[Value], number: usize) -> usize {
    arguments.get(number).map_or(0, length)
}

/// The price of a call of a function, by its arguments.
pub type Price = fn(&[Value]) -> u64;

/// Always the same.
pub fn one(_: &[Value]) -> u64 {
    1
}

/// Going through the first argument, a text.
pub fn first_text(arguments: &[Value]) -> u64 {
    tenth(length_of(arguments, 0))
}

/// Going through the first argument twice.
pub fn first_text_twice(arguments: &[Value]) -> u64 {
    tenth(2 * length_of(arguments, 0))
}

/// Going through the second argument, a text.
pub fn second_text(arguments: &[Value]) -> u64 {
    tenth(length_of(arguments, 1))
}

/// Looking for the second text at each place of the first.
pub fn both_texts(arguments: &[Value]) -> u64 {
    tenth(length_of(arguments, 0)).saturating_mul(tenth(length_of(arguments, 1)).max(1))
}

/// A search with a regular expression.
pub fn search(arguments: &[Value]) -> u64 {
    let expression = u64::try_from(length_of(arguments, 1)).unwrap_or(u64::MAX).div_ceil(4);
    tenth(1 + length_of(arguments, 0)).saturating_mul(expression)
}

/// Going through an array with its texts.
pub fn traversal(arguments: &[Value]) -> u64 {
    arguments.first().map_or(0, one_by_one)
}

fn one_by_one(value: &Value) -> u64 {
    match value {
        Value::List(list) => {
            let texts = list.items.iter().map(|item| match item {
                Value::Text(text) => tenth(text.len()),
                Value::Bytes(bytes) => tenth(bytes.len()),
                _ => 0,
            });
            texts.sum::<u64>().saturating_add(u64::try_from(list.items.len()).unwrap_or(u64::MAX))
        }
        other => tenth(length(other)),
    }
}

/// Comparing each item of one array with each of another.
pub fn product(arguments: &[Value]) -> u64 {
    let of = |number| u64::try_from(length_of(arguments, number)).unwrap_or(u64::MAX);
    of(0).saturating_mul(of(1)).saturating_add(1)
}

/// Comparing each item of an array with each other.
pub fn square(arguments: &[Value]) -> u64 {
    let size = u64::try_from(length_of(arguments, 0)).unwrap_or(u64::MAX);
    size.saturating_mul(size).saturating_add(1)
}

/// Comparing two values.
pub fn comparison(arguments: &[Value]) -> u64 {
    let sizes = arguments.iter().take(2).map(|value| match value {
        Value::Text(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => Some(tenth(length(value))),
        _ => None,
    });
    sizes.flatten().min().unwrap_or(1).max(1)
}

/// Looking for a value in an array; keys of a map are found at once.
pub fn membership(arguments: &[Value]) -> u64 {
    match arguments.get(1) {
        Some(Value::List(list)) => u64::try_from(list.items.len()).unwrap_or(u64::MAX).max(1),
        _ => 1,
    }
}

/// Joining two texts or arrays.
pub fn sum(arguments: &[Value]) -> u64 {
    let sizes = arguments.iter().map(|value| match value {
        Value::Text(_) | Value::Bytes(_) | Value::List(_) => tenth(length(value)),
        _ => 0,
    });
    sizes.sum::<u64>().max(1)
}

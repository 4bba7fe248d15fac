//! Values as data, to hold new texts to what they have to mean.

use crate::path::Step;
use crate::plan::{Move, SplitTarget, Wrong, common, up_to_items};
use lofting_document::{Node, NodeValue};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// Another number, as bits.
    Float(u64),
    /// A string.
    String(String),
    /// A map in its order.
    Map(Vec<(String, Data)>),
    /// An array.
    Array(Vec<Data>),
    /// What only code says: its text.
    Code(String),
}

impl Data {
    pub(crate) fn of(node: &Node, text: &str) -> Data {
        match &node.value {
            NodeValue::Null => Data::Null,
            NodeValue::Bool(value) => Data::Bool(*value),
            NodeValue::Int(value) => Data::Int(value.get()),
            NodeValue::Float(value) => Data::Float(value.to_bits()),
            NodeValue::String(value) => Data::String(value.to_string()),
            NodeValue::Map(map) => {
                Data::Map(map.iter().map(|item| (item.key.to_string(), Data::of(&item.value, text))).collect())
            }
            NodeValue::Array(items) => Data::Array(items.iter().map(|item| Data::of(&item.value, text)).collect()),
            NodeValue::Unknown => {
                // Its columns may be others.
                let written = text.get(node.span.range()).unwrap_or_default();
                Data::Code(written.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        }
    }

    pub(crate) fn of_toml(value: &toml::Value) -> Result<Data, Wrong> {
        Ok(match value {
            toml::Value::String(text) => Data::String(text.clone()),
            toml::Value::Integer(number) => Data::Int(i128::from(*number)),
            toml::Value::Float(number) => Data::Float(number.to_bits()),
            toml::Value::Boolean(value) => Data::Bool(*value),
            toml::Value::Datetime(_) => return Err(Wrong::Date),
            toml::Value::Array(items) => Data::Array(items.iter().map(Data::of_toml).collect::<Result<_, Wrong>>()?),
            toml::Value::Table(table) => {
                let item = |(key, value): (&String, &toml::Value)| Ok((key.clone(), Data::of_toml(value)?));
                Data::Map(table.iter().map(item).collect::<Result<_, Wrong>>()?)
            }
        })
    }

    /// The scalar in YAML; None for a map or an array.
    pub(crate) fn scalar(&self) -> Option<String> {
        Some(match self {
            Data::Null => "null".to_owned(),
            Data::Bool(value) => value.to_string(),
            Data::Int(value) => value.to_string(),
            Data::Float(bits) => lofting_document::write::float_text(f64::from_bits(*bits)),
            Data::String(text) => lofting_document::write::double_quoted(text),
            Data::Map(_) | Data::Array(_) | Data::Code(_) => return None,
        })
    }

    /// The scalar in Starlark; None for a map or an array, and for text that needs escapes of its own.
    pub(crate) fn literal(&self) -> Option<String> {
        Some(match self {
            Data::Null => "None".to_owned(),
            Data::Bool(true) => "True".to_owned(),
            Data::Bool(false) => "False".to_owned(),
            // A method of `-1` would be one of `1`.
            Data::Int(value) if *value < 0 => format!("({value})"),
            Data::Int(value) => value.to_string(),
            Data::String(text) if is_literal(text) => format!("\"{text}\""),
            Data::Float(_) | Data::String(_) | Data::Map(_) | Data::Array(_) | Data::Code(_) => return None,
        })
    }

    /// Whether two values are the same, whatever the order of their keys is.
    pub(crate) fn is_same(&self, other: &Data) -> bool {
        match (self, other) {
            (Data::Map(one), Data::Map(other)) => {
                let sorted = |map: &[(String, Data)]| {
                    let mut keys: Vec<usize> = (0..map.len()).collect();
                    keys.sort_by(|a, b| map[*a].0.cmp(&map[*b].0));
                    keys
                };
                one.len() == other.len()
                    && sorted(one)
                        .into_iter()
                        .zip(sorted(other))
                        .all(|(a, b)| one[a].0 == other[b].0 && one[a].1.is_same(&other[b].1))
            }
            (Data::Array(one), Data::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
            }
            (one, other) => one == other,
        }
    }

    fn key_mut(&mut self, name: &str) -> Option<&mut Data> {
        match self {
            Data::Map(map) => map.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value at a path without items.
    pub(crate) fn at(&self, path: &[Step]) -> Option<&Data> {
        let mut value = self;
        for step in path {
            value = match (value, step) {
                (Data::Map(map), Step::Key(name)) => &map.iter().find(|(key, _)| key == name)?.1,
                _ => return None,
            };
        }
        Some(value)
    }

    /// What each place of a split gets; None if it is not a scalar with as many parts. Together they are the scalar again.
    pub(crate) fn parts(&self, between: Option<&str>, to: &[SplitTarget]) -> Option<Vec<Data>> {
        let Some(between) = between else {
            return self.scalar().map(|_| to.iter().map(|_| self.clone()).collect());
        };
        let Data::String(text) = self else { return None };
        let parts: Vec<&str> = text.split(between).collect();
        let part = |(part, target): (&str, &SplitTarget)| {
            let number = || part.parse::<i128>().ok().filter(|number| number.to_string() == part);
            if target.integer { number().map(Data::Int) } else { Some(Data::String(part.to_owned())) }
        };
        (parts.len() == to.len()).then(|| parts.into_iter().zip(to).map(part).collect())?
    }

    /// Calls a function with every value at a path.
    fn each(&mut self, path: &[Step], call: &mut dyn FnMut(&mut Data)) {
        match path.split_first() {
            None => call(self),
            Some((Step::Key(name), rest)) => {
                if let Some(value) = self.key_mut(name) {
                    value.each(rest, call);
                }
            }
            Some((Step::Items, rest)) => {
                if let Data::Array(items) = self {
                    items.iter_mut().for_each(|item| item.each(rest, call));
                }
            }
            Some((Step::AnyKey, rest)) => {
                if let Data::Map(entries) = self {
                    entries.iter_mut().for_each(|(_, value)| value.each(rest, call));
                }
            }
        }
    }

    /// Takes a key out of a map at a path without items.
    fn take(&mut self, path: &[Step]) -> Option<Data> {
        let (Step::Key(name), parent) = path.split_last()? else { return None };
        let mut taken = None;
        self.each(parent, &mut |map| {
            if let Data::Map(entries) = map
                && let Some(at) = entries.iter().position(|(key, _)| key == name)
            {
                taken = Some(entries.remove(at).1);
            }
        });
        taken
    }

    /// Puts a value at a path without items; maps on the way are made.
    fn put(&mut self, path: &[Step], value: Data) {
        let Some((Step::Key(name), rest)) = path.split_first() else { return };
        let Data::Map(entries) = self else { return };
        if rest.is_empty() {
            entries.push((name.clone(), value));
            return;
        }
        if !entries.iter().any(|(key, _)| key == name) {
            entries.push((name.clone(), Data::Map(Vec::new())));
        }
        if let Some(inner) = self.key_mut(name) {
            inner.put(rest, value);
        }
    }

    /// The value after a move.
    pub(crate) fn moved(&mut self, step: &Move) {
        match step {
            Move::Key { from, to } => {
                let common = common(from, to);
                let (shared, from, to) = (&from.0[..common], &from.0[common..], &to.0[common..]);
                self.each(shared, &mut |map| {
                    if let Some(value) = map.take(from) {
                        map.put(to, value);
                    }
                });
            }
            Move::Split { from, between, to } => {
                let shared = up_to_items(from);
                self.each(&from.0[..shared], &mut |map| {
                    let value = map.at(&from.0[shared..]);
                    let Some(parts) = value.and_then(|value| value.parts(between.as_deref(), to)) else { return };
                    map.take(&from.0[shared..]);
                    for (target, part) in to.iter().zip(parts) {
                        map.put(&target.path.0[shared..], part);
                    }
                });
            }
            Move::Remove { path, .. } => {
                let Some((parent, name)) = path.last() else { return };
                self.each(parent, &mut |map| {
                    map.take(&[Step::Key(name.to_owned())]);
                });
            }
            Move::Values { path, values } => self.each(&path.0, &mut |value| {
                if let Some((_, to)) = values.iter().find(|(from, _)| from == value) {
                    *value = to.clone();
                }
            }),
        }
    }
}

/// Whether a text stands for itself between the quotes of code.
pub(crate) fn is_literal(text: &str) -> bool {
    !text.contains(['"', '\'', '\\']) && !text.chars().any(char::is_control)
}

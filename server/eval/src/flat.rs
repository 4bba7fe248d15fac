//! Values as bytes: each value follows those it contains, with their number.
//!
//! Reading keeps the values that no later one contains yet on a stack of its own, so neither direction recurses, and
//! neither depth nor size of bytes from an untrusted sender can do harm. Names that occur often (fields, annotations,
//! paths) are written once and referred to by number.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{AnnotationData, Data, EvaluationId, Fragment, FragmentItem, FragmentKind, Function, Object, Origin};
use crate::nesting::MAX_NESTING;
use crate::portion::Portion;

/// A value may be somewhat deeper here than elsewhere: keys, annotations and results wrap it.
const MAX_DEPTH: u32 = MAX_NESTING as u32 + 100;
/// How many values there may be at once. In memory a value takes a multiple of its bytes here.
const MAX_VALUES: usize = 4_000_000;

const NONE: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INT: u8 = 3;
const FLOAT: u8 = 4;
const STRING: u8 = 5;
const LIST: u8 = 6;
const TUPLE: u8 = 7;
const SET: u8 = 8;
const DICT: u8 = 9;
const STRUCT: u8 = 10;
const FRAGMENT: u8 = 11;
const FUNCTION: u8 = 12;
const SHARED: u8 = 13;
const OBJECT: u8 = 14;
const PORTION: u8 = 15;

/// The bytes of a value.
fn written(data: &Data) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.values(WriteStep::Value(data));
    writer.out
}

/// The bytes of a fragment.
pub(crate) fn written_fragment(fragment: &Fragment) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.values(WriteStep::Fragment(fragment));
    writer.out
}

/// The fragment that the bytes stand for; None if they stand for none.
pub(crate) fn read_fragment(bytes: &[u8]) -> Option<Fragment> {
    match read(bytes)? {
        Data::Fragment(fragment) => Some(fragment),
        _ => None,
    }
}

/// The value that the bytes stand for; None if they stand for none.
fn read(bytes: &[u8]) -> Option<Data> {
    let mut reader =
        Reader { rest: bytes, names: Vec::new(), paths: HashMap::new(), stack: Vec::new(), left: MAX_VALUES };
    while !reader.rest.is_empty() {
        reader.value()?;
    }
    let (data, _) = reader.stack.pop()?;
    reader.stack.is_empty().then_some(data)
}

#[derive(Default)]
struct Writer<'d> {
    out: Vec<u8>,
    names: HashMap<&'d str, usize>,
}

enum WriteStep<'d> {
    /// Write what the value contains, then the value.
    Value(&'d Data),
    /// Write what the nodes of a fragment contain, then the fragment.
    Fragment(&'d Fragment),
    /// Everything that the value contains is written.
    End(&'d Data),
    EndOfFragment(&'d Fragment),
}

impl<'d> Writer<'d> {
    fn values(&mut self, first: WriteStep<'d>) {
        let mut steps = vec![first];
        while let Some(step) = steps.pop() {
            match step {
                WriteStep::Value(data) => match data {
                    Data::List(items) | Data::Tuple(items) | Data::Set(items) => {
                        steps.push(WriteStep::End(data));
                        steps.extend(items.iter().rev().map(WriteStep::Value));
                    }
                    Data::Dict(entries) => {
                        steps.push(WriteStep::End(data));
                        steps.extend(entries.iter().rev().flat_map(|(key, value)| [value, key]).map(WriteStep::Value));
                    }
                    Data::Struct(fields) => {
                        steps.push(WriteStep::End(data));
                        steps.extend(fields.iter().rev().map(|(_, value)| WriteStep::Value(value)));
                    }
                    Data::Function(function) => {
                        steps.push(WriteStep::End(data));
                        steps.extend(function.made_with.iter().rev().map(WriteStep::Value));
                    }
                    Data::Fragment(fragment) => steps.push(WriteStep::Fragment(fragment)),
                    leaf => self.leaf(leaf),
                },
                WriteStep::Fragment(fragment) => {
                    steps.push(WriteStep::EndOfFragment(fragment));
                    for item in fragment.items.iter().rev() {
                        for annotation in item.annotations.iter().rev() {
                            steps.extend(annotation.keywords.iter().rev().map(|(_, value)| WriteStep::Value(value)));
                            steps.extend(annotation.positional.iter().rev().map(WriteStep::Value));
                        }
                        steps.push(WriteStep::Value(&item.value));
                        steps.extend(item.key.as_ref().map(WriteStep::Value));
                    }
                }
                WriteStep::End(data) => self.end(data),
                WriteStep::EndOfFragment(fragment) => self.fragment(fragment),
            }
        }
    }

    fn leaf(&mut self, data: &'d Data) {
        match data {
            Data::Bool(false) => self.out.push(FALSE),
            Data::Bool(true) => self.out.push(TRUE),
            Data::Int(number) => {
                self.out.push(INT);
                let number = number.get();
                self.number(((number << 1) ^ (number >> 127)) as u128);
            }
            Data::Float(number) => {
                self.out.push(FLOAT);
                self.out.extend(number.to_bits().to_le_bytes());
            }
            Data::String(text) => {
                self.out.push(STRING);
                self.text(text);
            }
            Data::Shared(number) => {
                self.out.push(SHARED);
                self.count(*number as usize);
            }
            Data::Object(object) => {
                self.out.push(OBJECT);
                self.count(object.handle as usize);
                self.evaluation(object.evaluation);
                self.name(&object.type_name);
                self.text(&object.text);
                self.out.push(u8::from(object.has_check));
            }
            Data::Portion(portion) => {
                self.out.push(PORTION);
                self.number(u128::from(portion.number()));
            }
            _ => self.out.push(NONE),
        }
    }

    fn end(&mut self, data: &'d Data) {
        let (kind, count) = match data {
            Data::List(items) => (LIST, items.len()),
            Data::Tuple(items) => (TUPLE, items.len()),
            Data::Set(items) => (SET, items.len()),
            Data::Dict(entries) => (DICT, entries.len()),
            Data::Struct(fields) => (STRUCT, fields.len()),
            Data::Function(function) => (FUNCTION, function.made_with.len()),
            _ => return,
        };
        self.out.push(kind);
        self.count(count);
        match data {
            Data::Struct(fields) => fields.iter().for_each(|(name, _)| self.name(name)),
            Data::Function(function) => {
                self.count(function.handle as usize);
                self.evaluation(function.evaluation);
                self.name(&function.name);
                self.count(function.parameters.map_or(0, |count| count as usize + 1));
            }
            _ => {}
        }
    }

    fn fragment(&mut self, fragment: &'d Fragment) {
        self.out.push(FRAGMENT);
        self.out.push(match fragment.kind {
            FragmentKind::Empty => 0,
            FragmentKind::DocumentSet => 1,
            FragmentKind::Map => 2,
            FragmentKind::Array => 3,
        });
        self.count(fragment.items.len());
        for item in &fragment.items {
            self.out.push(u8::from(item.origin.is_some()) | u8::from(item.key.is_some()) << 1);
            if let Some(origin) = &item.origin {
                self.name(&origin.path);
                self.count(origin.node as usize);
            }
            self.count(item.annotations.len());
            for annotation in &item.annotations {
                self.count(annotation.annotation as usize);
                self.name(&annotation.name);
                self.count(annotation.positional.len());
                self.count(annotation.keywords.len());
                annotation.keywords.iter().for_each(|(name, _)| self.name(name));
            }
        }
    }

    /// A text that is likely to occur again: its number, from 1; or 0 and the text.
    fn name(&mut self, name: &'d str) {
        match self.names.get(name) {
            Some(number) => self.count(*number),
            None => {
                self.names.insert(name, self.names.len() + 1);
                self.count(0);
                self.text(name);
            }
        }
    }

    /// 0 for none, else its number and one more.
    fn evaluation(&mut self, evaluation: Option<EvaluationId>) {
        self.number(evaluation.map_or(0, |evaluation| u128::from(evaluation.0) + 1));
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.out.extend(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u128);
    }

    /// Seven bits a byte, the lowest first; all but the last have the highest bit set.
    fn number(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }
}

struct Reader<'b> {
    rest: &'b [u8],
    names: Vec<&'b str>,
    /// The names that are paths of origins, by their numbers from 0. All items of a file share its path.
    paths: HashMap<usize, Arc<str>>,
    /// Values that no later one contains yet, with their depths.
    stack: Vec<(Data, u32)>,
    left: usize,
}

impl<'b> Reader<'b> {
    /// Reads one value, whose parts are on the stack.
    fn value(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let (data, depth) = match self.byte()? {
            NONE => (Data::None, 0),
            FALSE => (Data::Bool(false), 0),
            TRUE => (Data::Bool(true), 0),
            INT => {
                let number = self.number()?;
                (Data::int((number >> 1) as i128 ^ -((number & 1) as i128)), 0)
            }
            FLOAT => {
                let (bits, rest) = self.rest.split_first_chunk()?;
                self.rest = rest;
                (Data::Float(f64::from_bits(u64::from_le_bytes(*bits))), 0)
            }
            STRING => (Data::String(self.text()?.into()), 0),
            FUNCTION => {
                let count = self.length()?;
                let (parts, depth) = self.parts(count)?;
                let made_with = parts.collect();
                let (handle, evaluation, name) = (self.small()?, self.evaluation()?, self.name()?.to_owned());
                let parameters = self.small()?.checked_sub(1);
                (Data::Function(Box::new(Function { handle, evaluation, name, parameters, made_with })), depth)
            }
            SHARED => (Data::Shared(self.small()?), 0),
            PORTION => (Data::Portion(Arc::new(Portion::named(u64::try_from(self.number()?).ok()?))), 0),
            OBJECT => {
                let (handle, evaluation, type_name) = (self.small()?, self.evaluation()?, self.name()?.to_owned());
                let (text, has_check) = (self.text()?.to_owned(), self.byte()? != 0);
                (Data::Object(Box::new(Object { handle, evaluation, type_name, text, has_check })), 0)
            }
            kind @ (LIST | TUPLE | SET) => {
                let count = self.length()?;
                let (items, depth) = self.parts(count)?;
                let items = items.collect();
                let data = match kind {
                    LIST => Data::List(items),
                    TUPLE => Data::Tuple(items),
                    _ => Data::Set(items),
                };
                (data, depth)
            }
            DICT => {
                let count = self.length()?.checked_mul(2)?;
                let (mut parts, depth) = self.parts(count)?;
                let mut entries = Vec::with_capacity(count / 2);
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    entries.push((key, value));
                }
                (Data::Dict(entries), depth)
            }
            STRUCT => {
                let count = self.length()?;
                let (values, depth) = self.parts(count)?;
                let values: Vec<Data> = values.collect();
                let fields: Option<Vec<_>> =
                    values.into_iter().map(|value| Some((self.name()?.to_owned(), value))).collect();
                (Data::Struct(fields?), depth)
            }
            FRAGMENT => self.fragment()?,
            _ => return None,
        };
        self.stack.push((data, depth));
        Some(())
    }

    fn fragment(&mut self) -> Option<(Data, u32)> {
        let kind = match self.byte()? {
            0 => FragmentKind::Empty,
            1 => FragmentKind::DocumentSet,
            2 => FragmentKind::Map,
            3 => FragmentKind::Array,
            _ => return None,
        };
        let count = self.length()?;
        let mut parts = 0usize;
        let mut items = Vec::new();
        for _ in 0..count {
            let flags = self.byte()?;
            let origin = match flags & 1 {
                0 => None,
                _ => Some(Origin { path: self.path()?, node: self.small()? }),
            };
            let mut annotations = Vec::new();
            parts += 1 + usize::from(flags >> 1 & 1);
            for _ in 0..self.length()? {
                let (annotation, name) = (self.small()?, self.name()?.to_owned());
                let (positional, keywords) = (self.length()?, self.length()?);
                parts = parts.checked_add(positional)?.checked_add(keywords)?;
                if parts > self.stack.len() {
                    return None;
                }
                // The values are filled in below.
                let positional = vec![Data::None; positional];
                let keywords: Option<Vec<_>> =
                    (0..keywords).map(|_| Some((self.name()?.to_owned(), Data::None))).collect();
                annotations.push(AnnotationData { annotation, name, positional, keywords: keywords? });
            }
            let key = (flags & 2 != 0).then_some(Data::None);
            items.push(FragmentItem { origin, key, value: Data::None, annotations });
        }
        let (mut values, depth) = self.parts(parts)?;
        for item in &mut items {
            let annotations = item.annotations.iter_mut().flat_map(|annotation| {
                annotation.positional.iter_mut().chain(annotation.keywords.iter_mut().map(|(_, value)| value))
            });
            for place in item.key.iter_mut().chain([&mut item.value]).chain(annotations) {
                *place = values.next()?;
            }
        }
        Some((Data::Fragment(Fragment { kind, items }), depth))
    }

    /// Takes the last values off the stack, for a value that contains them, with its depth.
    fn parts(&mut self, count: usize) -> Option<(impl Iterator<Item = Data> + use<'b>, u32)> {
        let from = self.stack.len().checked_sub(count)?;
        let parts = self.stack.split_off(from);
        let depth = parts.iter().map(|(_, depth)| *depth).max().unwrap_or_default() + 1;
        (depth <= MAX_DEPTH).then(|| (parts.into_iter().map(|(data, _)| data), depth))
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn number(&mut self) -> Option<u128> {
        let mut number = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[allow(clippy::option_option, reason = "none is a value, and reading may fail")]
    fn evaluation(&mut self) -> Option<Option<EvaluationId>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(number) => Some(Some(EvaluationId(u64::try_from(number).ok()?))),
        }
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// A number of things of which each takes a byte at least, before here or after.
    fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.rest.len() + self.stack.len()).then_some(length)
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    fn name(&mut self) -> Option<&'b str> {
        let index = self.name_index()?;
        self.names.get(index).copied()
    }

    fn path(&mut self) -> Option<Arc<str>> {
        let index = self.name_index()?;
        let name = self.names.get(index).copied()?;
        Some(self.paths.entry(index).or_insert_with(|| name.into()).clone())
    }

    /// The number of a name, from 0.
    fn name_index(&mut self) -> Option<usize> {
        match usize::try_from(self.number()?).ok()? {
            0 => {
                let name = self.text()?;
                self.names.push(name);
                Some(self.names.len() - 1)
            }
            number => Some(number - 1),
        }
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&written(self))
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

impl Serialize for Fragment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&written_fragment(self))
    }
}

impl<'de> Deserialize<'de> for Fragment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Data::deserialize(deserializer)? {
            Data::Fragment(fragment) => Ok(fragment),
            _ => Err(D::Error::custom("not YAML nodes")),
        }
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Data;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the bytes of a value")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Data, E> {
        read(bytes).ok_or_else(|| E::custom("not the bytes of a value"))
    }
}

#[cfg(test)]
mod tests;

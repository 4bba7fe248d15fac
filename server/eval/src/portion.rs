//! Portions of long maps and arrays, which an evaluator keeps, so that a change of one item does not send all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::data::{Data, Fragment, FragmentItem, FragmentKind};
use crate::flat;

/// A run of items of a map or array: wherever it is the value of an item ([`Data::Portion`]), its own items are
/// there instead. Its items have neither origins nor annotations, and its values are scalars, maps and arrays.
///
/// It is known by its number, never by its content: code can tell two equal items from the same one.
#[derive(Clone, Debug)]
pub struct Portion {
    number: u64,
    /// None for one that is only named.
    content: Option<Content>,
}

#[derive(Clone, Debug)]
struct Content {
    /// The items as a fragment, in the form in which values are transferred.
    bytes: Box<[u8]>,
    /// The portions in it.
    inner: Vec<Arc<Portion>>,
    weight: usize,
    whole: usize,
}

/// Portions have numbers that are unique in this process.
static LAST: AtomicU64 = AtomicU64::new(0);

impl PartialEq for Portion {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Portion {
    /// A new portion with these items; None if they are not of the kind that portions have.
    pub fn new(items: &Fragment) -> Option<Arc<Portion>> {
        let (mut inner, mut weight) = (Vec::new(), 0);
        measure(items, &mut inner, &mut weight)?;
        let whole = inner.iter().fold(weight, |sum, portion| sum.saturating_add(portion.whole()));
        let bytes = flat::written_fragment(items).into_boxed_slice();
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        Some(Arc::new(Portion { number, content: Some(Content { bytes, inner, weight, whole }) }))
    }

    /// One whose content is elsewhere.
    pub(crate) fn named(number: u64) -> Portion {
        Portion { number, content: None }
    }

    /// Its number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The portions directly in it.
    pub fn inner(&self) -> &[Arc<Portion>] {
        self.content.as_ref().map_or(&[], |content| &content.inner)
    }

    /// How many values it takes to keep it, besides those that its portions keep.
    pub fn weight(&self) -> usize {
        self.content.as_ref().map_or(0, |content| content.weight)
    }

    /// Its weight and that of all portions in it.
    pub fn whole(&self) -> usize {
        self.content.as_ref().map_or(0, |content| content.whole)
    }

    /// Its items, in which portions are only named; None if its content is elsewhere.
    pub fn items(&self) -> Option<Fragment> {
        flat::read_fragment(&self.content.as_ref()?.bytes)
    }

    /// Adds its items, without portions.
    fn unfold(&self, items: &mut Vec<FragmentItem>) {
        let Some(own) = self.items() else { return };
        for item in own.items {
            match &item.value {
                Data::Portion(named) => {
                    let inner = self.inner().iter().find(|inner| inner.number == named.number);
                    inner.into_iter().for_each(|inner| inner.unfold(items));
                }
                value => {
                    let value = unfolded(value, self.inner());
                    items.push(FragmentItem { value, ..item });
                }
            }
        }
    }
}

/// Collects the portions in a fragment and counts its values; None if there is something in it that portions do not
/// have.
fn measure(items: &Fragment, inner: &mut Vec<Arc<Portion>>, weight: &mut usize) -> Option<()> {
    if !matches!(items.kind, FragmentKind::Map | FragmentKind::Array) {
        return None;
    }
    for item in &items.items {
        if item.origin.is_some() || !item.annotations.is_empty() {
            return None;
        }
        *weight += 1 + usize::from(item.key.is_some());
        match &item.value {
            Data::None | Data::Bool(_) | Data::Int(_) | Data::Float(_) | Data::String(_) => {}
            Data::Fragment(below) => measure(below, inner, weight)?,
            Data::Portion(portion) => inner.push(Arc::clone(portion)),
            _ => return None,
        }
    }
    Some(())
}

/// A value with the items of portions in their places. `known` are those that are only named in it.
fn unfolded(data: &Data, known: &[Arc<Portion>]) -> Data {
    let one = |data: &Data| unfolded(data, known);
    match data {
        Data::Fragment(fragment) => {
            let mut items = Vec::new();
            for item in &fragment.items {
                match &item.value {
                    Data::Portion(named) => match known.iter().find(|portion| portion.number == named.number) {
                        Some(portion) => portion.unfold(&mut items),
                        None => named.unfold(&mut items),
                    },
                    // Not the item as a whole: a copy of what is in it at each level would be one too many.
                    value => items.push(FragmentItem {
                        origin: item.origin.clone(),
                        key: item.key.clone(),
                        value: one(value),
                        annotations: item.annotations.clone(),
                    }),
                }
            }
            Data::Fragment(Fragment { kind: fragment.kind, items })
        }
        Data::Struct(fields) => Data::Struct(fields.iter().map(|(name, value)| (name.clone(), one(value))).collect()),
        other => other.clone(),
    }
}

impl Data {
    /// The value without portions: their items in their places. Values nest as deeply as documents, and so does this
    /// recursion.
    pub fn unfolded(&self) -> Data {
        unfolded(self, &[])
    }

    /// Adds the portions in the value to `found`, in order, without those inside other portions.
    pub fn portions<'d>(&'d self, found: &mut Vec<&'d Arc<Portion>>) {
        match self {
            Data::Portion(portion) => found.push(portion),
            Data::Fragment(fragment) => fragment.items.iter().for_each(|item| item.value.portions(found)),
            Data::Struct(fields) => fields.iter().for_each(|(_, value)| value.portions(found)),
            _ => {}
        }
    }
}

/// A portion is transferred with its number; those in it only by theirs.
impl Serialize for Portion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let content = self.content.as_ref().map_or(&[][..], |content| &content.bytes);
        serializer.serialize_bytes(&[&self.number.to_le_bytes()[..], content].concat())
    }
}

impl<'de> Deserialize<'de> for Portion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(PortionBytes)
    }
}

struct PortionBytes;

impl Visitor<'_> for PortionBytes {
    type Value = Portion;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the bytes of a portion")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Portion, E> {
        let (number, content) = bytes.split_first_chunk().ok_or_else(|| E::custom("not the bytes of a portion"))?;
        let content = Content { bytes: content.into(), inner: Vec::new(), weight: 0, whole: 0 };
        Ok(Portion { number: u64::from_le_bytes(*number), content: Some(content) })
    }
}

#[cfg(test)]
mod tests;

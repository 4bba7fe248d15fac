//! The items of a map.

use crate::{Key, MapItem, Node, Span};
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// The items of a map in order. Looking up a key takes constant time, however many there are.
#[derive(Clone, Default)]
pub struct Map(Box<Items>);

#[derive(Clone, Default)]
struct Items {
    list: Vec<MapItem>,
    /// Built on the first lookup in a large map; dropped by every change of keys or places.
    index: OnceLock<Index>,
    /// See [`Map::is_filled`].
    filled: bool,
}

/// The places of keys.
#[derive(Clone, Default)]
struct Index {
    /// The last place of each key.
    last: FxHashMap<Key, usize>,
    /// The earlier places of keys that occur more than once.
    earlier: FxHashMap<Key, Vec<usize>>,
}

impl Index {
    fn add(&mut self, key: &Key, at: usize) {
        if let Some(earlier) = self.last.insert(key.clone(), at) {
            self.earlier.entry(key.clone()).or_default().push(earlier);
        }
    }
}

impl Map {
    /// Maps with up to this many items are searched one by one: an index costs more than it saves for the usual handful
    /// of keys.
    pub const SEARCHED: usize = 16;

    /// All places of a key, in order: overlays that match by something else can bring a key twice (docs/ytt.md 14.3).
    pub fn positions(&self, key: &Key) -> impl Iterator<Item = usize> {
        let last = self.position(key);
        let earlier = match self.0.index.get() {
            Some(index) => index.earlier.get(key).cloned().unwrap_or_default(),
            None => {
                let before = self.0.list.iter().enumerate().take(last.unwrap_or(0));
                before.filter(|(_, item)| item.key == *key).map(|(at, _)| at).collect()
            }
        };
        earlier.into_iter().chain(last)
    }

    /// The place of a key; the last one if it occurs more than once.
    pub fn position(&self, key: &Key) -> Option<usize> {
        let Items { list, index, .. } = &*self.0;
        if list.len() <= Map::SEARCHED {
            return list.iter().rposition(|item| item.key == *key);
        }
        let index = index.get_or_init(|| {
            let mut index = Index::default();
            list.iter().enumerate().for_each(|(at, item)| index.add(&item.key, at));
            index
        });
        index.last.get(key).copied()
    }

    /// The value of a key; the last one if it occurs more than once.
    pub fn value(&self, key: &Key) -> Option<&Node> {
        self.get(self.position(key)?).map(|item| &item.value)
    }

    /// The item whose key is shown as this text ([`Key::shown_as`]): a string if there is one.
    pub fn shown_as(&self, text: &str) -> Option<&MapItem> {
        Key::shown_as(text).find_map(|key| self.get(self.position(&key)?))
    }

    /// The value at a place, mutable.
    pub fn value_mut(&mut self, at: usize) -> Option<&mut Node> {
        self.0.list.get_mut(at).map(|item| &mut item.value)
    }

    /// All values, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.0.list.iter_mut().map(|item| &mut item.value)
    }

    /// All keys with their values, the values mutable.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (&Key, &mut Node)> {
        self.0.list.iter_mut().map(|item| (&item.key, &mut item.value))
    }

    /// The spans of each item and its key, with the value, all mutable, in the order written.
    pub fn places_mut(&mut self) -> impl Iterator<Item = (&mut Span, &mut Span, &mut Node)> {
        self.0.list.iter_mut().map(|item| (&mut item.span, &mut item.key_span, &mut item.value))
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: MapItem) {
        let Items { list, index, filled } = &mut *self.0;
        if let Some(index) = index.get_mut() {
            index.add(&item.key, list.len());
        }
        list.push(item);
        *filled = false;
    }

    /// Replaces the item at a place and returns the old one.
    pub fn replace(&mut self, at: usize, item: MapItem) -> Option<MapItem> {
        let Items { list, index, filled } = &mut *self.0;
        let place = list.get_mut(at)?;
        if place.key != item.key {
            // The old key may occur at another place as well, so the index is rebuilt.
            index.take();
            *filled = false;
        }
        Some(std::mem::replace(place, item))
    }

    /// Keeps the items whose place satisfies `kept`.
    pub fn retain(&mut self, kept: impl Fn(usize) -> bool) {
        let Items { list, index, filled } = &mut *self.0;
        index.take();
        *filled = false;
        let mut at = 0..list.len();
        list.retain(|_| at.next().is_some_and(&kept));
    }

    /// Whether a schema has added all keys that it declares for this map, and none was removed since.
    pub fn is_filled(&self) -> bool {
        self.0.filled
    }

    /// Notes that all declared keys are present.
    pub fn set_filled(&mut self) {
        self.0.filled = true;
    }
}

impl From<Vec<MapItem>> for Map {
    fn from(list: Vec<MapItem>) -> Self {
        Map(Box::new(Items { list, ..Items::default() }))
    }
}

impl FromIterator<MapItem> for Map {
    fn from_iter<I: IntoIterator<Item = MapItem>>(items: I) -> Self {
        Map::from(items.into_iter().collect::<Vec<_>>())
    }
}

impl Deref for Map {
    type Target = [MapItem];

    fn deref(&self) -> &[MapItem] {
        &self.0.list
    }
}

/// Keys may be changed through this reference, so the index is dropped.
impl DerefMut for Map {
    fn deref_mut(&mut self) -> &mut [MapItem] {
        self.0.index.take();
        self.0.filled = false;
        &mut self.0.list
    }
}

impl IntoIterator for Map {
    type Item = MapItem;
    type IntoIter = std::vec::IntoIter<MapItem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.list.into_iter()
    }
}

impl<'m> IntoIterator for &'m Map {
    type Item = &'m MapItem;
    type IntoIter = std::slice::Iter<'m, MapItem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Maps are equal if their items are; the index does not count.
impl PartialEq for Map {
    fn eq(&self, other: &Self) -> bool {
        self.0.list == other.0.list
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Map;
    use crate::{FileId, Key, MapItem, Node, NodeValue, Notes, Span};

    fn item(key: &str, number: usize) -> MapItem {
        let span = Span::new(FileId(0), 0..0);
        MapItem {
            key: key.into(),
            key_span: span,
            span,
            value: Node::new(NodeValue::int(number as i128), span),
            notes: Notes::default(),
            merged: false,
            conditional: false,
        }
    }

    /// A search finds the keys of a map, however the map was made.
    #[test]
    fn places_are_those_of_a_search() {
        for size in [0, 1, Map::SEARCHED, Map::SEARCHED + 1, 100] {
            let mut map: Map = (0..size).map(|number| item(&format!("key{}", number % 40), number)).collect();
            type Change = fn(&mut Map);
            let changes: [Change; 6] = [
                |_| {},
                |map| map.push(item("key1", 1000)),
                |map| map.push(item("new", 1001)),
                |map| {
                    map.replace(map.len() / 2, item("other", 1002));
                },
                |map| map.retain(|at| at % 3 != 0),
                |map| map.iter_mut().for_each(|item| item.key = format!("{}!", item.key).as_str().into()),
            ];
            for change in changes {
                change(&mut map);
                let mut asked: Vec<Key> = map.iter().map(|item| item.key.clone()).collect();
                asked.extend(["key1".into(), "new".into(), "other".into(), "nobody".into()]);
                for key in asked {
                    assert_eq!(map.position(&key), map.iter().rposition(|item| item.key == key), "{key} of {size}");
                    let places = map.iter().enumerate().filter(|(_, item)| item.key == key).map(|(at, _)| at);
                    assert_eq!(map.positions(&key).collect::<Vec<_>>(), places.collect::<Vec<_>>(), "{key} of {size}");
                }
            }
        }
    }
}

//! Names of other documents, where a language refers to one.

use super::context::Cursor;
use super::place::{Place, Quote, Tail};
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path;
use crate::yaml_text;
use lofting_document::{FileId, Key};
use lofting_workspace::{Instead, Snapshot};
use std::ops::Range;

/// Files with more bytes than this are not read once more to find out what half a line refers to.
const LARGEST: usize = 512 * 1024;

/// The names that may be written at a place as a value, or else as a key; and whether a map may be meant nevertheless:
/// below its key, a name in place of a map may be the first key.
pub(super) fn items(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
) -> (Vec<CompletionItem>, bool) {
    if !snapshot.has_references(file) || cursor.text.len() > LARGEST {
        return (Vec::new(), false);
    }
    let of_value = || {
        let slot = place.value.as_ref()?;
        let close = match slot.quote {
            Quote::None | Quote::Closed(_) => String::new(),
            Quote::Open(quote) => quote.to_string(),
        };
        let written = cursor.text.slice(slot.replace.clone());
        // A word before other words is not the name yet.
        let is_word = !written.trim().contains([' ', ':']);
        let asked = Asked { replace: slot.replace.clone(), lead: slot.lead, typed: written.trim(), close };
        let text_place = cursor.style.scalars(slot.flow);
        let written = |name: &str| match slot.quote {
            Quote::None => yaml_text::string(name, text_place),
            Quote::Open(quote) => format!("{name}{quote}"),
            Quote::Closed(_) => name.to_owned(),
        };
        let (names, are_numbers) = is_word.then(|| asked.names(snapshot, file))??;
        let written = |name: &str| if are_numbers { name.to_owned() } else { written(name) };
        Some(names.iter().map(|(at, name)| item(at.clone(), name, written(name), asked.lead)).collect())
    };
    let of_key = || {
        let slot = place.keys.as_ref().filter(|slot| slot.fix.is_none())?;
        let present = slot.map.into_iter().flat_map(|map| map.entries());
        let present: Vec<Key> = present.filter_map(|entry| path::key_of(cursor.profile, entry.key()?)).collect();
        let written = cursor.text.slice(slot.replace.clone());
        let colon = if slot.tail == Tail::Colon { "" } else { ":" };
        let close = colon.to_owned();
        let asked = Asked { replace: slot.replace.clone(), lead: &slot.lead, typed: written.trim(), close };
        let (names, _) = asked.names(snapshot, file)?;
        let is_new = |name: &str| name == asked.typed || !present.iter().any(|key| key.as_str() == Some(name));
        let text_place = cursor.style.scalars(slot.flow);
        let names = names.into_iter().filter(|(_, name)| is_new(name));
        let text = |name: &str| format!("{}{colon}", yaml_text::string(name, text_place));
        Some(names.map(|(at, name)| item(at, &name, text(&name), asked.lead)).collect())
    };
    let may_be_map = place.keys.is_some() && place.value.as_ref().is_some_and(|slot| slot.own_line);
    match of_value() {
        Some(items) => (items, may_be_map),
        None => (of_key().unwrap_or_default(), false),
    }
}

/// What is taken for typed where nothing is.
const WORD: &str = "x";
const NUMBER: &str = "1";

/// Names, and what each replaces.
type NamesAt = Vec<(Range<usize>, String)>;

/// A place that may be a reference.
struct Asked<'a> {
    replace: Range<usize>,
    /// What precedes the typed text.
    lead: &'a str,
    typed: &'a str,
    /// What would follow it.
    close: String,
}

impl Asked<'_> {
    /// The names, and what each replaces; and whether they are integers, which is so where no other word refers to
    /// anything. With what is typed there, or any word, the text tells what it refers to.
    fn names(&self, snapshot: &Snapshot, file: FileId) -> Option<(NamesAt, bool)> {
        let is_number = self.typed.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return self.names_with(self.typed, snapshot, file).map(|names| (names, false));
        }
        let number = if self.typed.is_empty() { NUMBER } else { self.typed };
        match self.names_with(WORD, snapshot, file) {
            Some(names) => Some((names, false)),
            None => self.names_with(number, snapshot, file).map(|names| (names, true)),
        }
    }

    fn names_with(&self, word: &str, snapshot: &Snapshot, file: FileId) -> Option<NamesAt> {
        let new = format!("{}{word}{}", self.lead, self.close);
        let instead = Instead { range: self.replace.clone(), new: &new };
        let start = self.replace.start + self.lead.len();
        let (origin, names) = snapshot.names_referred_to(file, &instead, start + word.len())?;
        // A part of the word may be the name, as after a slash.
        let left = origin.start.checked_sub(start).filter(|left| *left <= word.len())?;
        let replaced = match left {
            0 => self.replace.clone(),
            _ => self.replace.start + left..self.replace.end,
        };
        Some(names.into_iter().map(|name| (replaced.clone(), name.to_string())).collect())
    }
}

fn item(replace: Range<usize>, name: &str, text: String, lead: &str) -> CompletionItem {
    CompletionItem {
        detail: Some("name".to_owned()),
        sort_text: format!("A{name}"),
        ..CompletionItem::new(name.to_owned(), ItemKind::EnumMember, (replace, format!("{lead}{text}")))
    }
}

//! Fields that are looked at one by one, as tables.

use super::decoded::Decoded;
use super::look::{Look, TextForm};

/// What a field has to be.
pub(super) enum RowKind {
    /// Not an empty text, where the schema requires it.
    Filled,
    /// An array or a map with content, where the schema requires it.
    Items,
    /// There, and not empty.
    There,
    /// A number from the first to the second.
    Within(i128, i128),
    /// A text with a form.
    Like(TextForm),
}

/// The way to what holds fields, where `[]` stands for each item; their keys; and what they have to be.
pub(super) type Row = (&'static [&'static str], &'static [&'static str], RowKind);

impl Look {
    /// Compares what is below a map with a table.
    pub fn rows(&mut self, root: &Decoded<'_>, rows: &[Row]) {
        for (way, keys, wanted) in rows {
            for holder in root.reached(way) {
                keys.iter().for_each(|key| self.row(&holder, key, wanted));
            }
        }
    }

    fn row(&mut self, holder: &Decoded<'_>, key: &str, wanted: &RowKind) {
        match wanted {
            RowKind::Filled => self.filled(holder, key),
            RowKind::Items => self.has_items(holder, key),
            RowKind::There => self.required(holder, key),
            RowKind::Within(least, most) => self.number(holder, key, *least..=*most),
            RowKind::Like(form) => self.form(holder, key, *form),
        }
    }
}

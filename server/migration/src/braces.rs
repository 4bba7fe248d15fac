//! Moves out of maps in flow style, `{a: 1}`, and into them, as in files in JSON.

use crate::apply::Refused;
use crate::edit::{Rewrite, Text, written_key};
use lofting_syntax::{Entry, Map};
use std::ops::Range;

/// Where an entry moves to.
pub(crate) struct NewPlace<'m, 't> {
    /// The map that is there.
    pub map: Map<'t>,
    /// The maps that have to be made below it.
    pub missing: &'m [&'m str],
    /// The new name.
    pub name: &'m str,
}

impl Text<'_> {
    /// The edits for an entry of which the map or the target is in flow style. What the text means then is compared
    /// afterwards, as for all moves.
    pub(crate) fn move_in_braces(
        &self,
        (source, entry, key): (Map<'_>, Entry<'_>, Range<usize>),
        to: &NewPlace<'_, '_>,
    ) -> Result<Vec<Rewrite>, Refused> {
        let refuse = |map: Map<'_>, why| Err(Refused::Form(self.line(map.range().start), why));
        for map in [source, to.map].into_iter().filter(|map| map.is_flow()) {
            if self.tree.comments_in(map.range()).next().is_some() {
                return refuse(map, "it is written between braces, with comments");
            }
        }
        let value = self.text[key.end..entry.range().end].trim_end();
        let is_json =
            self.is_json(source, key.start) || to.map.entries().any(|entry| self.is_json(to.map, entry.range().start));
        let written = |name: &str| {
            if is_json { lofting_document::write::double_quoted(name) } else { written_key(name) }
        };
        if !to.map.is_flow() {
            let column = to.map.column().unwrap_or_default();
            let mut lines = String::new();
            for (level, name) in to.missing.iter().chain([&to.name]).enumerate() {
                let room = " ".repeat(column + level * self.indent());
                let value = if level == to.missing.len() { value } else { ":" };
                lines += &format!("{room}{}{value}{}", written_key(name), self.newline());
            }
            let mut edits = self.cut(source, entry)?;
            edits.push(self.at_the_end(to.map, lines, None));
            return Ok(edits);
        }
        if !source.is_flow() && value.contains('\n') {
            return refuse(to.map, "it is written between braces, and the value has several lines");
        }
        let moved = format!("{}{value}", written(to.name));
        let new = to.missing.iter().rev().fold(moved, |inner, name| format!("{}: {{{inner}}}", written(name)));
        if to.map.range() == source.range() {
            // It stays where it is, one level deeper.
            return Ok(vec![Rewrite { range: entry.range(), new }]);
        }
        let mut edits = self.cut(source, entry)?;
        edits.push(match to.map.entries().last().map(|last| last.range()) {
            // Entries on lines of their own stay so.
            Some(last) if self.is_first_of_line(last.start) => {
                let room = &self.text[self.start_of_line(last.start)..last.start];
                Rewrite { range: last.end..last.end, new: format!(",{}{room}{new}", self.newline()) }
            }
            Some(last) => Rewrite { range: last.end..last.end, new: format!(", {new}") },
            None => {
                let inside = to.map.range().start + 1;
                Rewrite { range: inside..inside, new }
            }
        });
        Ok(edits)
    }

    fn is_first_of_line(&self, offset: usize) -> bool {
        self.text[self.start_of_line(offset)..offset].bytes().all(|byte| byte == b' ' || byte == b'\t')
    }
}

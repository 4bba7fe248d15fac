//! Things in YAML that have a name and are referred to elsewhere: documents, types of languages inside scalars, and
//! targets of `$ref`.

use lofting_document::{FileId, Span};
use lofting_syntax::resolve::{Profile, Resolved, needs_quotes_in_flow, resolve};
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod kubernetes_tests;
#[cfg(test)]
mod openapi_tests;
#[cfg(test)]
mod tests;

/// The thing whose name is at a position.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// Its name.
    pub name: String,
    /// The bytes of the name at the position.
    pub origin: Range<usize>,
    /// Where it is declared; if several things share the name, all of them. Empty if it is declared nowhere.
    pub declared: Vec<Span>,
    /// Where it is referred to.
    pub references: Vec<Span>,
    /// What it is, in a word.
    pub kind: String,
    /// Why something cannot be its name.
    refuses: fn(&str) -> Option<String>,
    /// Names of its siblings, which are taken.
    beside: Vec<String>,
}

impl Named {
    /// The thing whose name is at `offset` (bytes).
    pub fn at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Named> {
        if let Some(found) = snapshot.named_document(file, offset) {
            let is_number = is_integer(snapshot, file, found.origin.start);
            return Some(Named {
                // For a part of a document, only the last part of the name is renamed.
                name: found.name.name.rsplit('/').next().unwrap_or_default().to_owned(),
                origin: found.origin,
                declared: found.declared,
                references: found.references,
                kind: found.name.kind.to_string(),
                refuses: if is_number { not_of_number } else { not_of_document },
                beside: Vec::new(),
            });
        }
        let Some(found) = snapshot.named_inside(file, offset) else {
            return Named::by_pointers(snapshot, file, offset);
        };
        let spans = |ranges: Vec<Range<usize>>| ranges.into_iter().map(|range| Span::new(file, range)).collect();
        Some(Named {
            name: found.name,
            origin: found.origin,
            declared: spans(found.declared),
            references: spans(found.references),
            kind: found.kind.to_owned(),
            refuses: found.refuses,
            beside: Vec::new(),
        })
    }

    /// The key at `offset` (bytes) that references lead to.
    fn by_pointers(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Named> {
        let found = snapshot.named_place(file, offset)?;
        Some(Named {
            name: found.name,
            origin: found.origin,
            declared: found.declared.into_iter().collect(),
            references: found.references,
            kind: "key".to_owned(),
            refuses: not_of_step,
            beside: found.beside,
        })
    }

    /// All positions of its name, in order.
    pub fn places(&self, with_declarations: bool) -> Vec<Span> {
        let declared = self.declared.iter().filter(|_| with_declarations);
        let mut places: Vec<Span> = declared.chain(&self.references).copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Why it cannot be renamed to this.
    pub fn refuses(&self, name: &str) -> Option<String> {
        if self.declared.is_empty() {
            return Some(format!("nothing here defines the {} `{}`", self.kind, self.name));
        }
        if self.beside.iter().any(|beside| beside == name) {
            return Some(format!("there is a {} `{name}` beside it", self.kind));
        }
        (self.refuses)(name)
    }
}

/// Whether a name is written as an integer.
fn is_integer(snapshot: &Snapshot, file: FileId, at: usize) -> bool {
    let tree = snapshot.tree(file);
    let scalar = tree.scalar_at(at);
    scalar.is_some_and(|scalar| matches!(resolve(snapshot.profile(file), &scalar, None), Ok(Resolved::Int(_))))
}

/// Where an integer is a name, others are as well, and no texts.
fn not_of_number(name: &str) -> Option<String> {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) && !name.starts_with('0');
    (!is_number).then(|| format!("`{name}` cannot be here, where an integer is expected"))
}

/// Characters that need no escapes in a pointer, and no quotes in YAML.
fn not_of_step(name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    if name.is_empty() || !name.chars().all(is_plain) {
        let rule = "letters and digits of ASCII, `-`, `.` and `_`";
        return Some(format!("`{name}` cannot be a key that references name: it consists of {rule}"));
    }
    let is_text = !needs_quotes_in_flow(Profile::Yaml11, name);
    (!is_text).then(|| format!("`{name}` would be read as something other than text"))
}

/// Names of documents are parts of addresses, however they are quoted.
fn not_of_document(name: &str) -> Option<String> {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    let outer = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !(name.chars().all(inner) && name.starts_with(outer) && name.ends_with(outer)) {
        let rule = "small letters and digits of ASCII, with `-` and `.` between them";
        return Some(format!("`{name}` cannot be the name of a document: it consists of {rule}"));
    }
    let is_text = !needs_quotes_in_flow(Profile::Yaml11, name);
    (!is_text).then(|| format!("`{name}` would be read as something other than text"))
}

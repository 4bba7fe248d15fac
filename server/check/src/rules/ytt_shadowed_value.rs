use crate::rules::merged_as_is::{entries, is_scalar};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Subject, Tag, rule};
use lofting_document::{Document, Key, MapItem, Node, NodeValue, Span};
use rustc_hash::FxHashMap;

rule! {
    /// # A value that a later document sets again
    ///
    /// ## What
    /// A file has several documents of data values, and a later one sets the same key. Values in other files are another
    /// matter: they are meant to replace those of files before them.
    ///
    /// ## Why
    /// Only the last one counts. Changing the first has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// #@data/values
    /// ---
    /// port: 81
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "ytt/shadowed-value",
        stage: Stage::Lint,
        severity: Severity::Hint,
        subject: Subject::Key,
        cause: Cause::RelatedPlace,
    };
}

/// Scalars in data values of a file that a later document of it sets again.
pub fn check_shadowed(documents: &[Document]) -> Vec<Diagnostic> {
    let is_values = |document: &&Document| {
        document.is_data_values() && !document.is_schema() && document.notes.annotations.len() == 1
    };
    let values: Vec<&Document> = documents.iter().filter(is_values).collect();
    let mut found = Vec::new();
    if values.len() < 2 {
        return found;
    }
    let mut later = Later::default();
    for document in values.iter().rev() {
        let mut set: Vec<(usize, &MapItem)> = Vec::new();
        let mut open: Vec<(&Node, usize)> = vec![(&document.value, 0)];
        while let Some((value, at)) = open.pop() {
            let NodeValue::Map(items) = &value.value else { continue };
            for item in entries(items) {
                let place = later.below(at, &item.key);
                if is_scalar(&item.value) {
                    if let Some(again) = later.places.get(place).and_then(|place| place.set) {
                        let key = item.key.to_string();
                        found.push(finding(item.key_span, &key, again));
                    }
                    set.push((place, item));
                } else {
                    open.push((&item.value, place));
                }
            }
        }
        // A document is not later than itself.
        for (place, item) in set {
            if let Some(place) = later.places.get_mut(place) {
                place.set = Some(item.key_span);
            }
        }
    }
    found
}

/// `later`: the key in the later document.
fn finding(span: Span, key: &str, later: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a later document sets `{key}` again, so this has no effect"))
        .related(later, "set again here")
        .tag(Tag::Unnecessary)
}

/// What later documents set, by the paths of keys.
struct Later {
    places: Vec<Place>,
    below: FxHashMap<(usize, Key), usize>,
}

#[derive(Default)]
struct Place {
    set: Option<Span>,
}

impl Default for Later {
    fn default() -> Self {
        Later { places: vec![Place::default()], below: FxHashMap::default() }
    }
}

impl Later {
    fn below(&mut self, at: usize, key: &Key) -> usize {
        let next = self.places.len();
        let place = *self.below.entry((at, key.clone())).or_insert(next);
        if place == next {
            self.places.push(Place::default());
        }
        place
    }
}

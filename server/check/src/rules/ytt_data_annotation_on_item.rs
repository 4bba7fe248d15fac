use crate::place::{EntryPlace, ItemPlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Notes, Span};

rule! {
    /// # A document annotation on an item
    ///
    /// ## What
    /// `#@data/values` and `#@data/values-schema` belong to a document: they must be above its `---`. Below it they
    /// belong to the first key.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// ---
    /// #@data/values-schema
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Move the annotation above the `---` line.
    pub static RULE: Rule = Rule {
        code: "ytt/data-annotation-on-item",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::DocumentStart,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Entry(at_entry), Look::Item(at_item)]);

/// Annotations of documents, ytt's own and those of its design proposals. `schema` alone on an item is the beginning of
/// another annotation.
const OF_DOCUMENTS: [&str; 5] =
    ["data/values-schema", "data/values", "schema/match", "schema/definition", "schema/amend"];

fn at_entry(place: &EntryPlace<'_>, found: &mut Vec<Diagnostic>) {
    look(place.span, place.notes, found);
}

fn at_item(place: &ItemPlace<'_>, found: &mut Vec<Diagnostic>) {
    look(place.span, place.notes, found);
}

fn look(item: Span, notes: Option<&Notes>, found: &mut Vec<Diagnostic>) {
    let notes = notes.filter(|notes| !notes.annotations.is_empty());
    for (name, notes) in notes.into_iter().flat_map(|notes| OF_DOCUMENTS.map(|name| (name, notes))) {
        found.extend(notes.get(name).map(|note| finding(item, name, note.span)));
    }
}

pub(crate) fn finding(item: Span, name: &str, annotation: Span) -> Diagnostic {
    Diagnostic::new(&RULE, item, format!("`@{name}` belongs to a document, but is on this item"))
        .help("move it above the `---` line")
        .blames(annotation, "the annotation")
}

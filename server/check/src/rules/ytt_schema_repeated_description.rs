use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::Shape;
use rustc_hash::FxHashMap;

rule! {
    /// # The description of another key
    ///
    /// ## What
    /// Two keys of a map have the same `#@schema/desc`.
    ///
    /// ## Why
    /// Usually one was copied with its annotation, and the text is still about the other.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/desc "Where the service listens."
    /// port: 80
    /// #@schema/desc "Where the service listens."
    /// timeout: 30
    /// ```
    ///
    /// ## How to fix
    /// Say what this value is for.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-repeated-description",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Shape::Map(map) = place.node.shape() else { return };
    let mut known: FxHashMap<&str, Span> = FxHashMap::default();
    for key in &map.keys {
        let described = place.whole.schema.node(key.schema).docs.description.as_ref();
        let Some(text) = described.filter(|text| !text.text.trim().is_empty()) else { continue };
        match known.get(text.text.trim()) {
            Some(first) => found.push(finding(text.span, *first)),
            None => drop(known.insert(text.text.trim(), text.span)),
        }
    }
}

/// `first`: where this text was first.
pub(crate) fn finding(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "another key is described in the same words").related(first, "described here")
}

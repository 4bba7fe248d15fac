use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Tag, rule};
use lofting_document::Span;
use lofting_schema::Text;

rule! {
    /// # A description without words
    ///
    /// ## What
    /// The text of `#@schema/desc`, `#@schema/title` or `#@schema/deprecated` is empty.
    ///
    /// ## Why
    /// Editors and the exported schema show an empty text.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/desc ""
    /// host: localhost
    /// ```
    ///
    /// ## How to fix
    /// Say what the value is for, or remove the annotation.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-empty-description",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    let docs = &place.node.docs;
    // What code gives is empty as well as long as it cannot be run.
    let is_written = |text: &Text| {
        place.whole.source.text(text.span).is_some_and(|text| text.trim_matches(['"', '\'', ' ']).is_empty())
    };
    let texts = [&docs.title, &docs.description, &docs.deprecated].into_iter().flatten();
    let empty = texts.filter(|text| text.text.trim().is_empty() && is_written(text));
    found.extend(empty.map(|text| finding(text.span)));
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "the text says nothing").tag(Tag::Unnecessary)
}

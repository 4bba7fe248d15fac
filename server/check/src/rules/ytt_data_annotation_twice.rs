use crate::place::{Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Document, Span};

rule! {
    /// # The same document annotation twice
    ///
    /// ## What
    /// `#@data/values` or `#@data/values-schema` is given twice for one document. Comments after the last node belong
    /// to the next document, so one of them may be far above.
    ///
    /// ## Why
    /// ytt refuses the file and names no line.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// #@data/values-schema
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "ytt/data-annotation-twice",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Document(look)]);

fn look(document: &Document, found: &mut Vec<Diagnostic>) {
    for name in ["data/values-schema", "data/values"] {
        let mut same = document.notes.annotations.iter().filter(|note| note.name == name);
        if let Some(first) = same.next() {
            found.extend(same.map(|note| finding(note.span, name, first.span)));
        }
    }
}

pub(crate) fn finding(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@{name}` may only be used once per document"))
        .fix(Fix::replace("Remove the annotation", span, ""))
        .related(first, "first used here")
}

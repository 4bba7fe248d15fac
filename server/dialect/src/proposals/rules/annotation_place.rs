use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, OwnerKind};
use lofting_schema::Declared;

rule! {
    /// # An annotation does not belong on this node
    ///
    /// ## What
    /// The annotation is for other nodes: a default for documents and map items, rules about keys for map items, and so on.
    ///
    /// ## Why
    /// It has no effect here.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// hosts:
    /// #@schema/default "a"
    /// - b
    /// ```
    ///
    /// ## How to fix
    /// Move the annotation to the node it is meant for, or remove it.
    pub static RULE: Rule = Rule {
        code: "proposals/annotation-place",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

/// Annotations that are not allowed everywhere: on a document, on a map item, on an array item.
const PLACES: [(&str, [bool; 3]); 6] = [
    ("schema/default", [true, true, false]),
    ("schema/deprecated", [false, true, true]),
    ("schema/removed", [false, true, false]),
    ("schema/any-key", [false, true, false]),
    ("schema/key-may-be-present", [false, true, false]),
    ("schema/key", [false, true, false]),
];

/// Looks at an annotation of a declared node.
pub(crate) fn look(note: &Note, declared: Declared, place: OwnerKind) -> Option<Diagnostic> {
    let (_, [document, map_item, array_item]) = PLACES.iter().find(|(known, _)| *known == note.name)?;
    let (allowed, node) = match place {
        OwnerKind::Document => (*document, "a document"),
        OwnerKind::MapItem => (*map_item, "a map item"),
        OwnerKind::ArrayItem => (*array_item, "an array item"),
    };
    (!allowed).then(|| finding(declared, note, node))
}

fn finding(declared: Declared, note: &Note, node: &str) -> Diagnostic {
    let message = match note.name.as_str() {
        "schema/default" => "an array item has no default: annotate the array".to_owned(),
        name => format!("`@{name}` cannot be used on {node}"),
    };
    Diagnostic::new(&RULE, declared.name, message)
        .blames(note.span, "the annotation")
        .fix(Fix::replace(format!("Remove `@{}`", note.name), note.span, "").possible())
}

use crate::at::At;
use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage, suggest};
use lofting_diagnostic::{Certainty, Subject, rule};
use lofting_document::{Key, Span};
use lofting_overlay::ProblemKind;

rule! {
    /// # A document adds a key that does not exist
    ///
    /// ## What
    /// A later document has a key that the documents before it do not have. This concerns values that the schema leaves
    /// open (`#@schema/type any=True`), and about schema documents themselves.
    ///
    /// ## Why
    /// Documents are merged onto the existing ones, and merging adds no new keys by default. ytt says "Expected number
    /// of matched nodes to be 1, but was 0".
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/type any=True
    /// labels:
    ///   app: web
    /// #! values
    /// labels:
    ///   team: a
    /// ```
    ///
    /// ## How to fix
    /// Put `#@overlay/match missing_ok=True` above the key, or `#@overlay/match-child-defaults
    /// missing_ok=True` above the map.
    pub static RULE: Rule = Rule {
        code: "ytt/overlay-new-key",
        stage: Stage::Overlay,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let ProblemKind::MissingKey { key, known, map } = &place.problem.kind {
        found.push(merged(place.problem.span, key, if place.suggests { known } else { &[] }, *map));
    }
}

/// The finding below a value of any type.
pub(crate) fn finding(at: &At<'_>, key: &Key) -> Diagnostic {
    missing_key(at.name, key, &at.holder(), None)
}

/// The finding as the merge reports it: `known` are the existing keys, `map` is the map that has them.
fn merged(span: Span, key: &Key, known: &[Key], map: Span) -> Diagnostic {
    let finding = missing_key(span, key, "what it is merged onto", None);
    let meant = key.as_str().and_then(|name| suggest::nearest(name, known.iter().take(1_000).filter_map(Key::as_str)));
    match meant {
        Some(meant) => missing_key(span, key, "what it is merged onto", Some(meant)).related(map, "merged onto this"),
        None => finding.related(map, "merged onto this"),
    }
}

fn missing_key(span: Span, key: &Key, holder: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("`{key}` is new in {holder}, and merging adds no new keys by default");
    let finding = Diagnostic::new(&RULE, span, message).found(key.to_string(), "an existing key");
    match meant {
        Some(meant) => finding
            .help(format!("did you mean `{meant}`? To add a key, put `#@overlay/match missing_ok=True` above it")),
        None => finding.help("put `#@overlay/match missing_ok=True` above it"),
    }
}

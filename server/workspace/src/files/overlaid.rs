//! The kinds of the resources that overlays in a template change. An overlay seldom says what it is laid over but by its
//! matcher: `#@overlay/match by=overlay.subset({"kind": "Deployment"})`.

use crate::files::file::File;
use lofting_dialect::kubernetes::{API_VERSION, KIND};
use lofting_document::{Document, Key, Node, NodeValue};
use lofting_overlay::required_parts;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// A kind, and the version of its API if that is written as well.
pub(crate) type OverlaidKind = (SmolStr, Option<SmolStr>);

/// The kinds that overlays in a file name, each once.
pub(crate) fn kinds(file: &File) -> Vec<OverlaidKind> {
    if !file.facts.overlays() {
        return Vec::new();
    }
    let mut known = FxHashSet::default();
    let kinds = file.lowered().documents.iter().filter_map(|document| kind_of(file, document));
    kinds.filter(|kind| known.insert(kind.clone())).collect()
}

/// The kind that the overlay in a document names. None as well for a resource that says itself what it is.
pub(crate) fn kind_of(file: &File, document: &Document) -> Option<OverlaidKind> {
    let by = &document.notes.get("overlay/match")?.arguments.keyword("by")?.value;
    let own = |key: &str| text(&document.value, key);
    if own(KIND).is_some() && own(API_VERSION).is_some() {
        return None;
    }
    let parts = required_parts(&file.text().slice(by.range.clone()), file.id);
    let written = |key: &str| parts.iter().find_map(|part| text(part, key)).or_else(|| own(key));
    Some((written(KIND)?, written(API_VERSION)))
}

fn text(node: &Node, key: &str) -> Option<SmolStr> {
    match &node.get(&Key::from(key))?.value {
        NodeValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Whether lines may have a part in what overlays name. If neither the old nor the new lines of an edit do, it is the same.
pub(crate) fn may_name(lines: &str) -> bool {
    ["overlay/match", KIND, API_VERSION, "---"].iter().any(|mark| lines.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file::Origin;
    use lofting_document::{FileId, Options};
    use lofting_memo::Stamp;
    use std::path::Path;
    use std::sync::Arc;

    fn file(text: &str) -> File {
        let origin = Origin::Open { version: 0, yaml: true };
        File::with_text(FileId(0), Arc::from(Path::new("/o.yml")), Stamp::next(), origin, text, Options::default())
    }

    /// What is kept from one text to the next is what the next one says, wherever something is typed.
    #[test]
    fn kinds_are_kept_while_others_lines_are_typed() {
        const TEXT: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Web\"})\n---\n\
            spec:\n  size: 1\n#@overlay/match by=overlay.all\n---\nkind: Box\na: b\n\
            #@overlay/match by=overlay.subset({\"kind\": \"Box\", \"apiVersion\": \"v2\"})\n---\nlist:\n- a\n";
        let before = file(TEXT);
        let named = |file: &File| -> Vec<String> {
            let shown = |(kind, version): &OverlaidKind| format!("{kind} {}", version.as_deref().unwrap_or("-"));
            file.overlaid_kinds().iter().map(shown).collect()
        };
        assert_eq!(named(&before), ["Web -", "Box -", "Box v2"]);
        let mut kept = 0;
        for at in 0..=TEXT.len() {
            for (range, new) in [(at..at, "x"), (at..at, ": "), (at..(at + 1).min(TEXT.len()), "")] {
                let edited = before.edited(Stamp::next(), 1, range.clone(), new);
                kept += usize::from(edited.keeps_overlaid_kinds());
                let fresh = file(&String::from(edited.text()));
                assert_eq!(named(&edited), named(&fresh), "{new:?} at {range:?}");
            }
        }
        assert!(kept > 100, "{kept}");
    }
}

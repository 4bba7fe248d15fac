//! Overlays on rendered documents (docs/ytt.md 14.1): documents annotated with `#@overlay/match` are applied to all
//! others, in the order of the files.

use super::{RenderedContent, RenderedFile};
use crate::evaluation::Callbacks;
use crate::source::TextSource;
use crate::state::State;
use lofting_check::{Diagnostic, check_merged_keys, check_overlays};
use lofting_document::Document;
use lofting_overlay::Overlay;

/// The files with all overlays among their documents applied, or the errors in these. Files without any other document
/// are gone: ytt prints nothing for them. One that overlays emptied is kept.
pub(super) fn apply(state: &State, files: Vec<RenderedFile>) -> Result<Vec<RenderedFile>, Vec<Diagnostic>> {
    let mut overlays: Vec<Document> = Vec::new();
    let mut sets: Vec<Vec<Document>> = Vec::new();
    let mut kept: Vec<RenderedFile> = Vec::new();
    for mut file in files {
        if let Some(documents) = documents(&mut file) {
            let (over, mut rendered): (Vec<Document>, Vec<Document>) =
                std::mem::take(documents).into_iter().partition(|document| document.notes.has("overlay/match"));
            // Documents that contain only code have no output.
            rendered.retain(|document| !document.is_unprinted());
            overlays.extend(over);
            if rendered.is_empty() {
                continue;
            }
            sets.push(rendered);
        }
        kept.push(file);
    }
    let functions = Callbacks { texts: TextSource::All(state), runner: state.runner.as_ref() };
    let mut overlay = Overlay::new(&functions);
    overlay.apply_to_sets(&mut sets, &overlays);
    let problems = overlay.into_problems();
    if !problems.is_empty() {
        return Err(check_overlays(&problems));
    }
    let repeated = check_merged_keys(sets.iter().flatten().map(|document| &document.value));
    if !repeated.is_empty() {
        return Err(repeated);
    }
    for (documents, mut laid) in kept.iter_mut().filter_map(documents).zip(sets) {
        // Overlays make nodes of what code made.
        laid.retain(|document| if overlays.is_empty() { !document.is_unprinted() } else { !document.is_empty() });
        *documents = laid;
    }
    Ok(kept)
}

fn documents(file: &mut RenderedFile) -> Option<&mut Vec<Document>> {
    match &mut file.content {
        RenderedContent::Documents(documents) => Some(documents),
        RenderedContent::Text(_) => None,
    }
}

//! Overlays on rendered documents (docs/ytt.md 14.1): documents annotated with `#@overlay/match` are applied to all
//! others, in the order of the files.

use super::{RenderedContent, RenderedFile};
use crate::evaluation::Callbacks;
use crate::source::TextSource;
use crate::state::State;
use lofting_check::{Diagnostic, check_overlays};
use lofting_document::Document;
use lofting_overlay::Overlay;

/// The files with all overlays among their documents applied, or the errors in these.
pub(super) fn apply(state: &State, mut files: Vec<RenderedFile>) -> Result<Vec<RenderedFile>, Vec<Diagnostic>> {
    let mut overlays: Vec<Document> = Vec::new();
    let mut sets: Vec<Vec<Document>> = Vec::new();
    for documents in files.iter_mut().filter_map(documents) {
        let (over, mut rendered): (Vec<Document>, Vec<Document>) =
            std::mem::take(documents).into_iter().partition(|document| document.notes.has("overlay/match"));
        // Documents that contain only code have no output.
        rendered.retain(|document| !document.is_unprinted());
        overlays.extend(over);
        sets.push(rendered);
    }
    let functions = Callbacks { texts: TextSource::All(state), runner: state.runner.as_ref() };
    let mut overlay = Overlay::new(&functions);
    overlay.apply_to_sets(&mut sets, &overlays);
    let problems = overlay.into_problems();
    if !problems.is_empty() {
        return Err(check_overlays(&problems));
    }
    for (documents, mut laid) in files.iter_mut().filter_map(documents).zip(sets) {
        // Overlays make nodes of what code made.
        laid.retain(|document| if overlays.is_empty() { !document.is_unprinted() } else { !document.is_empty() });
        *documents = laid;
    }
    Ok(files)
}

fn documents(file: &mut RenderedFile) -> Option<&mut Vec<Document>> {
    match &mut file.content {
        RenderedContent::Documents(documents) => Some(documents),
        RenderedContent::Text(_) => None,
    }
}

//! Overlays over rendered documents (docs/ytt.md 14.1): documents annotated with `#@overlay/match`
//! are laid over all others, in the order of the files.

use crate::callbacks::Callbacks;
use crate::source::Texts;
use crate::state::State;
use lofting_check::{Diagnostic, check_overlays};
use lofting_document::Document;
use lofting_overlay::Overlay;

/// The documents with all overlays among them applied, or what is wrong with these.
pub(super) fn apply(state: &State, documents: Vec<Document>) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let (overlays, mut rendered): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|document| document.notes.has("overlay/match"));
    // Documents that only hold code come to nothing.
    rendered.retain(|document| !document.is_empty());
    let functions = Callbacks { texts: Texts::State(state), runner: &state.runner };
    let mut overlay = Overlay::new(&functions);
    overlay.apply_to_all(&mut rendered, &overlays);
    let problems = overlay.into_problems();
    if problems.is_empty() { Ok(rendered) } else { Err(check_overlays(&problems)) }
}

//! Rendered output as clients see it: while there are errors, the last output that could be made.

use parking_lot::{Mutex, MutexGuard};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use lofting_ide::{NotRendered, RenderedOutput, rendered_output};
use lofting_workspace::{AssumedSet, Need, OutputCall, Snapshot};

use crate::code::CodeRunner;
use crate::virtual_documents::{MOST, VirtualDocument, VirtualKind};

/// The output that a virtual document shows.
pub(crate) struct ShownOutput {
    /// The output, or the last one that could be made.
    pub(crate) shown: RenderedOutput,
    /// Why it could not be made now; None if it could.
    pub(crate) why: Option<NotRendered>,
    /// Whether there are errors now, and the text is the previous output.
    pub(crate) stale: bool,
    /// The calls that can be shown for the file.
    pub(crate) calls: Vec<OutputCall>,
    /// The title of the call that is shown.
    pub(crate) call: Option<String>,
    /// The calls are those of a set that nothing describes.
    pub(crate) assumed: Option<AssumedSet>,
}

impl ShownOutput {
    /// The text for clients that can show nothing beside it: why it could not be made comes first.
    pub(crate) fn text_with_reasons(&self) -> String {
        let reasons = self.why.as_ref().map(NotRendered::text).unwrap_or_default();
        reasons + &self.shown.text
    }
}

/// The outputs that were made last.
#[derive(Clone, Default)]
pub(crate) struct Outputs(Arc<Mutex<Vec<Kept>>>);

struct Kept {
    document: VirtualDocument,
    /// The state that was asked.
    snapshot: Snapshot,
    output: Arc<ShownOutput>,
    /// The last output without errors.
    good: Option<Arc<RenderedOutput>>,
}

impl Outputs {
    /// The output for a document; None if there is no such file. Computed once for each state.
    pub(crate) fn get(
        &self,
        document: &VirtualDocument,
        snapshot: &Snapshot,
        code: &CodeRunner,
    ) -> Option<Arc<ShownOutput>> {
        let mut good = None;
        if let Some(kept) = self.lock().iter().find(|kept| kept.document == *document) {
            if kept.snapshot.is_same(snapshot) {
                return Some(kept.output.clone());
            }
            good = kept.good.clone();
        }
        let asked = snapshot;
        let file = asked.file(&document.path)?;
        let mut snapshot = asked.clone();
        let mut assumed = None;
        if snapshot.output_calls(file).is_empty()
            && let Some((assuming, set)) = snapshot.with_assumed_set(file)
        {
            (snapshot, assumed) = (assuming, Some(set));
        }
        let snapshot = code.evaluate_calls(&snapshot, file, assumed.is_some());
        let calls = snapshot.output_calls(file);
        let wanted = document.call.as_ref();
        let call = match wanted {
            Some(title) => calls.iter().find(|call| call.title == *title),
            None => calls.first(),
        };
        let made = match (call, wanted) {
            (Some(call), _) => rendered_output(&snapshot, file, call, document.kind == VirtualKind::SetOutput),
            (None, Some(title)) => Err(not_rendered(format!("there is no input set {title} with this file"))),
            (None, None) => {
                let hint = "name one in lofting.toml";
                Err(not_rendered(format!("no input set is known that this file belongs to; {hint}")))
            }
        };
        let call = call.map(|call| call.title.clone());
        let (shown, why, stale) = match (made, &good) {
            (Ok(shown), _) => {
                good = Some(Arc::new(shown.clone()));
                (shown, None, false)
            }
            (Err(why), Some(good)) => ((**good).clone(), Some(why), true),
            (Err(why), None) => (RenderedOutput::default(), Some(why), false),
        };
        let output = ShownOutput { shown, why, stale, calls, call, assumed };
        let output = Arc::new(output);
        let mut kept = self.lock();
        kept.retain(|kept| kept.document != *document);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        let (document, snapshot) = (document.clone(), asked.clone());
        kept.push(Kept { document, snapshot, output: output.clone(), good });
        Some(output)
    }

    /// The text of a document, if there is one.
    pub(crate) fn text(&self, document: &VirtualDocument, snapshot: &Snapshot, code: &CodeRunner) -> Option<String> {
        match document.kind {
            VirtualKind::Values => {
                let file = snapshot.file(&document.path)?;
                let (snapshot, _) = code.evaluate(snapshot, file, Need::Values);
                lofting_ide::final_data_values(&snapshot, file)
            }
            VirtualKind::Output | VirtualKind::SetOutput => {
                Some(self.get(document, snapshot, code)?.text_with_reasons())
            }
        }
    }

    /// A hash of what the client sees.
    pub(crate) fn hash(&self, document: &VirtualDocument, snapshot: &Snapshot, code: &CodeRunner) -> u64 {
        let mut hasher = DefaultHasher::new();
        match document.kind {
            VirtualKind::Values => self.text(document, snapshot, code).hash(&mut hasher),
            VirtualKind::Output | VirtualKind::SetOutput => {
                let output = self.get(document, snapshot, code);
                let seen = output.map(|output| (output.text_with_reasons(), output.stale, output.shown.lines.clone()));
                seen.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.0.lock()
    }
}

fn not_rendered(reason: String) -> NotRendered {
    NotRendered { reasons: vec![lofting_text::visible(&reason, lofting_text::Breaks::Shown).into_owned()] }
}

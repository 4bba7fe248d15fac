//! Diagnostics of open documents: when they are computed, and which are sent.
//!
//! Computing starts without delay: on an idle server, the first edit starts a pass at once. An edit during a pass
//! cancels it, and another one starts when the loop has no more edits to apply, so the newest text always wins. Results
//! go through the loop, which knows which documents are still open, and are sent only if they differ from what the
//! client shows.
//!
//! Code of users may run for seconds, so documents that need code have passes of their own, in a lane of their own.
//! What needs no code is computed and sent in the meantime, even after further edits.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::Need;

use crate::cancel::CancelFlag;
use crate::pool::Lane;
use crate::session::consequences::Changed;
use crate::session::{Session, Workers};
use crate::to_proto;
use crate::typing::Typing;
use crate::view::View;

/// A pass older than this is not cancelled by further edits, or a user who types without a pause would never see
/// findings.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long a pass may wait for code before the findings that need none are sent.
const EARLY: Duration = Duration::from_millis(100);

/// A client that tracks versions is notified when the findings it shows also hold for a newer version: not at every
/// keystroke, but once there was no edit for this long.
const REST: Duration = Duration::from_millis(30);

/// What the client shows for one document.
struct Shown {
    /// The findings it was made from; the same list needs no conversion or comparison.
    found: Arc<[Diagnostic]>,
    /// The list as sent.
    sent: Vec<lsp::Diagnostic>,
    /// The version it was sent with.
    version: i32,
    /// The newest version for which it is known to be correct.
    checked: Target,
}

/// A running computation over open documents.
struct Pass {
    number: u64,
    cancel: CancelFlag,
    started: Instant,
    /// Documents for which it has given results.
    given: HashSet<PathBuf>,
}

/// Passes over one kind of documents, one after the other.
#[derive(Default)]
struct Passes {
    /// Something changed since the last pass began.
    due: bool,
    pass: Option<Pass>,
}

impl Passes {
    fn invalidate(&mut self) {
        self.due = true;
        if let Some(pass) = self.pass.as_ref().filter(|pass| pass.started.elapsed() < PATIENCE) {
            pass.cancel.make_stale();
        }
    }

    fn is_due(&self) -> bool {
        self.due && self.pass.is_none()
    }

    fn begin(&mut self, number: u64) -> CancelFlag {
        let cancel = CancelFlag::default();
        self.due = false;
        self.pass = Some(Pass { number, cancel: cancel.clone(), started: Instant::now(), given: HashSet::new() });
        cancel
    }

    /// The pass with this number, unless it was cancelled.
    fn under_way(&mut self, number: u64) -> Option<&mut Pass> {
        self.pass.as_mut().filter(|pass| pass.number == number && !pass.cancel.is_set())
    }
}

/// Decides which diagnostics are computed and sent.
#[derive(Default)]
pub(crate) struct Publisher {
    /// Over documents that need no code.
    plain: Passes,
    /// Over documents that do.
    coded: Passes,
    /// The document that changed last: computed first, because the user is looking at it.
    first: Option<PathBuf>,
    /// Number of the last pass.
    passes: u64,
    /// The computation without code that runs beside a pass with code.
    early: Option<u64>,
    /// Whether one is to start, if the pass still runs after [`EARLY`].
    wants_early: bool,
    shown: HashMap<PathBuf, Shown>,
    /// Documents with findings that are held back while the user types.
    holding: HashSet<PathBuf>,
    /// The client tracks versions of findings.
    pub(crate) confirms_versions: bool,
    /// When to tell the client about versions with unchanged findings.
    pub(crate) confirmations_due: Option<Instant>,
}

/// An open document as a pass needs it.
#[derive(Clone)]
pub(crate) struct Target {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its number in the workspace.
    pub(crate) file: FileId,
    /// Its URI.
    pub(crate) uri: lsp::Uri,
    /// Version of its text in the pass's view.
    pub(crate) version: i32,
    /// The state of typing in it.
    pub(crate) typing: Typing,
}

/// The findings of one document in one pass.
pub(crate) struct Result {
    pass: u64,
    target: Target,
    /// Some findings are held back while the user types.
    holds_back: bool,
    found: Arc<[Diagnostic]>,
    /// The list for the client; None if the client showed `found` when the pass began.
    news: Option<Vec<lsp::Diagnostic>>,
}

impl Result {
    /// The document's path.
    pub(crate) fn path(&self) -> &Path {
        &self.target.path
    }
}

fn pass_over(number: u64) -> impl FnOnce(&mut Session) + Send {
    move |session| session.pass_over(number)
}

impl Publisher {
    /// Notes that diagnostics may have changed, with this document to be computed `first`.
    pub(crate) fn invalidate(&mut self, first: Option<&Path>) {
        self.confirmations_due = None;
        if let Some(path) = first {
            self.first = Some(path.to_owned());
        }
        self.plain.invalidate();
        self.coded.invalidate();
        self.wants_early = true;
    }

    /// Whether findings of a document were held back because the user is typing.
    pub(crate) fn holds_back(&self, path: &Path) -> bool {
        self.holding.contains(path)
    }

    /// When [`Publisher::start`] has something to start, even without an event.
    pub(crate) fn early_deadline(&self) -> Option<Instant> {
        let wanted = self.wants_early && self.early.is_none();
        self.coded.pass.as_ref().filter(|_| wanted).map(|pass| pass.started + EARLY)
    }

    /// Whether [`Publisher::start`] would start something.
    pub(crate) fn is_due(&self) -> bool {
        self.plain.is_due() || self.coded.is_due() || self.is_early_due()
    }

    /// Whether a pass with code takes longer than a user should wait.
    fn is_early_due(&self) -> bool {
        self.early_deadline().is_some_and(|due| due <= Instant::now())
    }

    /// Starts the passes that are due over `targets`.
    pub(crate) fn start(&mut self, view: &View, mut targets: Vec<Target>, workers: &Workers) {
        // A stable order, so that the same edits give the same messages.
        let first = self.first.as_ref();
        targets.sort_by(|a, b| (Some(&b.path) == first, &a.path).cmp(&(Some(&a.path) == first, &b.path)));
        if self.coded.is_due() {
            self.start_coded(view, &targets, workers);
        }
        if self.is_early_due() {
            self.start_early(view, &targets, workers);
        }
        if self.plain.is_due() {
            self.start_plain(view, targets, workers);
        }
    }

    fn start_plain(&mut self, view: &View, targets: Vec<Target>, workers: &Workers) {
        self.first = None;
        self.passes += 1;
        let number = self.passes;
        let cancel = self.plain.begin(number);
        let (view, events) = (view.clone(), workers.events.clone());
        let shown: HashMap<PathBuf, Arc<[Diagnostic]>> = targets
            .iter()
            .filter_map(|target| Some((target.path.clone(), self.shown.get(&target.path)?.found.clone())))
            .collect();
        let pass = move || {
            for target in targets {
                if cancel.is_set() {
                    break;
                }
                if view.snapshot.waits_for_code(target.file) {
                    continue;
                }
                let shown = shown.get(&target.path);
                let result = cancel.work().until_cancelled(|| compute(&view, target, number, shown, &cancel));
                if let Some(result) = result.ok().flatten() {
                    events.change("diagnosed", move |session| session.diagnosed(result));
                }
            }
            view.snapshot.keep_within_budget();
        };
        workers.submit_until(Lane::Background, "diagnostics", pass_over(number), pass);
    }

    fn start_coded(&mut self, view: &View, targets: &[Target], workers: &Workers) {
        if !view.snapshot.has_coded_files() {
            self.coded.due = false;
            return;
        }
        self.passes += 1;
        let number = self.passes;
        let cancel = self.coded.begin(number);
        self.wants_early = true;
        let (mut view, targets, events, code) =
            (view.clone(), targets.to_vec(), workers.events.clone(), workers.code.clone());
        let pass = move || {
            let mut ran = false;
            let mut is_new = targets.iter().any(|target| view.snapshot.waits_for_merged(target.file));
            for target in &targets {
                if cancel.is_set() {
                    break;
                }
                if !view.snapshot.waits_for_code(target.file) {
                    continue;
                }
                let (snapshot, any) = code.evaluate(&view.snapshot, target.file, Need::Findings);
                view.snapshot = snapshot;
                ran |= any;
                // The result is not compared with what was shown, because that may change before the pass ends.
                if let Some(result) = compute(&view, target.clone(), number, None, &cancel) {
                    events.change("diagnosed with code", move |session| session.diagnosed(result));
                }
            }
            for target in targets.iter().take_while(|_| !cancel.is_set()) {
                let (snapshot, any) = code.prepare(&view.snapshot, target.file);
                view.snapshot = snapshot;
                is_new |= any;
            }
            if ran {
                // How code ended may affect findings of files that were computed before.
                events.change("code was run", |session| session.changed(Changed::Code));
            } else if is_new {
                events.change("values are known", |session| session.refresh_shown());
            }
        };
        workers.submit_until(Lane::Code, "diagnostics with code", pass_over(number), pass);
    }

    /// Computes what needs no code, beside the pass that waits for code.
    fn start_early(&mut self, view: &View, targets: &[Target], workers: &Workers) {
        self.wants_early = false;
        self.passes += 1;
        let number = self.passes;
        self.early = Some(number);
        let (view, events) = (view.clone(), workers.events.clone());
        let targets = targets.to_vec();
        let pass = move || {
            for target in targets {
                if view.snapshot.waits_for_code(target.file)
                    && let Some(result) = compute(&view, target, number, None, &CancelFlag::default())
                {
                    events.change("diagnosed without code", move |session| session.diagnosed(result));
                }
            }
        };
        workers.submit_until(Lane::Background, "diagnostics without code", pass_over(number), pass);
    }

    /// Takes a result; returns what to send, if the client shows something else.
    pub(crate) fn accept(&mut self, result: Result) -> Option<lsp::PublishDiagnosticsParams> {
        let Result { pass, target, holds_back, found, news } = result;
        let is_given = |passes: &Passes| passes.pass.as_ref().is_some_and(|pass| pass.given.contains(&target.path));
        if let Some(pass) = self.coded.under_way(pass) {
            pass.given.insert(target.path.clone());
        } else if self.plain.under_way(pass).is_none() && (self.early != Some(pass) || is_given(&self.coded)) {
            return None;
        }
        if holds_back {
            self.holding.insert(target.path.clone())
        } else {
            self.holding.remove(&target.path)
        };
        if let Some(shown) = self.shown.get_mut(&target.path) {
            let same = match &news {
                None if !Arc::ptr_eq(&shown.found, &found) => {
                    // Something else was shown in the meantime, so the comparison of this pass is void.
                    self.plain.due = true;
                    return None;
                }
                None => true,
                Some(news) => shown.sent == *news,
            };
            if same {
                shown.found = found;
                if self.confirms_versions && shown.version != target.version {
                    self.confirmations_due = Some(Instant::now() + REST);
                }
                shown.checked = target;
                return None;
            }
        }
        let sent = news?;
        let params = params(&target, &sent);
        let (path, version) = (target.path.clone(), target.version);
        self.shown.insert(path, Shown { found, sent, version, checked: target });
        Some(params)
    }

    /// Messages for documents whose version changed, and nothing else. Waits for a pause in editing.
    pub(crate) fn confirmations(&mut self) -> Vec<lsp::PublishDiagnosticsParams> {
        if self.confirmations_due.is_none_or(|due| due > Instant::now()) {
            return Vec::new();
        }
        self.confirmations_due = None;
        let stale = self.shown.values_mut().filter(|shown| shown.version != shown.checked.version);
        stale
            .map(|shown| {
                shown.version = shown.checked.version;
                params(&shown.checked, &shown.sent)
            })
            .collect()
    }

    /// The pass with this number has ended.
    pub(crate) fn pass_over(&mut self, number: u64) {
        self.plain.pass.take_if(|pass| pass.number == number);
        self.coded.pass.take_if(|pass| pass.number == number);
        self.early.take_if(|early| *early == number);
    }

    /// The document was closed: its shown findings have to be removed from the client.
    pub(crate) fn forget(&mut self, path: &Path, uri: lsp::Uri) -> Option<lsp::PublishDiagnosticsParams> {
        self.holding.remove(path);
        let shown = self.shown.remove(path)?;
        (!shown.sent.is_empty()).then_some(lsp::PublishDiagnosticsParams {
            uri,
            version: None,
            diagnostics: Vec::new(),
        })
    }
}

fn params(target: &Target, diagnostics: &[lsp::Diagnostic]) -> lsp::PublishDiagnosticsParams {
    lsp::PublishDiagnosticsParams {
        uri: target.uri.clone(),
        version: Some(target.version),
        diagnostics: diagnostics.to_vec(),
    }
}

fn compute(
    view: &View,
    target: Target,
    pass: u64,
    shown: Option<&Arc<[Diagnostic]>>,
    cancel: &CancelFlag,
) -> Option<Result> {
    let started = Instant::now();
    let all = lofting_ide::diagnostics(&view.snapshot, target.file, cancel.work());
    tracing::trace!(version = target.version, found = all.len(), micros = started.elapsed().as_micros(), "checked");
    if cancel.is_set() {
        return None;
    }
    let found = target.typing.shown(&view.snapshot, target.file, all.clone());
    let holds_back = !Arc::ptr_eq(&all, &found);
    let news = match shown {
        Some(shown) if Arc::ptr_eq(shown, &found) => None,
        _ => Some(found.iter().map(|found| to_proto::diagnostic::diagnostic(view, found)).collect()),
    };
    Some(Result { pass, target, holds_back, found, news })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(version: i32) -> Target {
        let uri = lsp::Uri::from("file:///values.yml");
        Target { path: PathBuf::from("/values.yml"), file: FileId(0), uri, version, typing: Typing::Over }
    }

    fn list(messages: &[&str]) -> Option<Vec<lsp::Diagnostic>> {
        let sent = messages
            .iter()
            .map(|message| lsp::Diagnostic { message: (*message).to_owned().into(), ..lsp::Diagnostic::default() });
        Some(sent.collect())
    }

    /// The message to the client after a result.
    fn sent(publisher: &mut Publisher, pass: u64, news: Option<Vec<lsp::Diagnostic>>) -> Option<usize> {
        let result = Result { pass, target: target(1), holds_back: false, found: Arc::from([]), news };
        publisher.accept(result).map(|params| params.diagnostics.len())
    }

    #[test]
    fn what_code_said_before_comes_back_when_it_says_the_same_again() {
        let mut publisher = Publisher::default();
        publisher.coded.begin(1);
        assert_eq!(sent(&mut publisher, 1, list(&["of code", "of none"])), Some(2));
        publisher.pass_over(1);
        // The next pass takes a long time, and what needs no code is shown in the meantime.
        publisher.coded.begin(2);
        publisher.early = Some(3);
        assert_eq!(sent(&mut publisher, 3, list(&["of none"])), Some(1));
        assert_eq!(sent(&mut publisher, 2, list(&["of code", "of none"])), Some(2));
        // A late result is not shown.
        assert_eq!(sent(&mut publisher, 3, list(&["of none"])), None);
    }

    #[test]
    fn an_edit_does_not_wait_for_code_that_has_run_for_long() {
        let mut publisher = Publisher::default();
        publisher.coded.begin(1);
        publisher.invalidate(None);
        assert!(!publisher.is_early_due(), "code may be done in a moment");
        if let Some(pass) = &mut publisher.coded.pass {
            pass.started -= EARLY;
        }
        publisher.invalidate(None);
        assert!(publisher.is_early_due());
    }

    #[test]
    fn what_stays_the_same_is_sent_once() {
        let mut publisher = Publisher { early: Some(2), ..Publisher::default() };
        publisher.coded.begin(1);
        assert_eq!(sent(&mut publisher, 2, list(&["of none"])), Some(1));
        assert_eq!(sent(&mut publisher, 1, list(&["of none"])), None);
    }

    #[test]
    fn results_of_runs_that_are_over_or_cancelled_are_not_shown() {
        let mut publisher = Publisher::default();
        publisher.plain.begin(1);
        publisher.pass_over(1);
        assert_eq!(sent(&mut publisher, 1, list(&["late"])), None);
        let cancel = publisher.plain.begin(2);
        cancel.make_stale();
        assert_eq!(sent(&mut publisher, 2, list(&["stale"])), None);
        // The comparison is void, so the document is computed once more.
        publisher.pass_over(2);
        publisher.plain.begin(3);
        assert_eq!(sent(&mut publisher, 3, list(&["new"])), Some(1));
        publisher.plain.due = false;
        assert_eq!(sent(&mut publisher, 3, None), None);
        assert!(publisher.plain.due);
    }
}

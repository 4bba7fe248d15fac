//! Diagnostics of open documents: when they are computed and what of them is sent.
//!
//! Nothing is waited for before computing: on an idle server the first edit starts a pass at once. An edit during a pass
//! ends it and starts another when the loop has no more edits to apply, so the newest text always wins. Results go
//! through the loop, which knows what is still open, and are sent only when they differ from what the client shows.
//!
//! Code of users may run for seconds, so documents that wait for it have passes of their own, in a lane of their own. What
//! needs no code is computed and sent meanwhile, also after further edits.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::{Need, Snapshot};
use tower_lsp_server::gen_lsp_types as lsp;

use crate::cancel::CancelFlag;
use crate::code::CodeRunner;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool};
use crate::to_proto;
use crate::typing::Typing;
use crate::view::View;

/// A pass older than this is not cancelled by further edits: who types without a pause would never see anything.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long a pass may wait for code before what needs none is sent without it.
const EARLY: Duration = Duration::from_millis(100);

/// A client that tracks versions is told that the findings it shows hold for a newer version, too; but not at every
/// key: only once no edit came for so long.
const REST: Duration = Duration::from_millis(30);

/// What the client shows for one document.
struct Shown {
    /// The findings it was made from; the same list means there is nothing to convert or compare.
    found: Arc<[Diagnostic]>,
    /// The list as sent.
    sent: Vec<lsp::Diagnostic>,
    /// The version it was sent with.
    version: i32,
    /// The newest version for which it is known to be right.
    checked: Target,
}

/// A computation over open documents that goes on.
struct Pass {
    number: u64,
    cancel: CancelFlag,
    started: Instant,
    /// Documents whose results it gave.
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

    /// The pass of this number, unless it was cancelled.
    fn under_way(&mut self, number: u64) -> Option<&mut Pass> {
        self.pass.as_mut().filter(|pass| pass.number == number && !pass.cancel.is_set())
    }
}

/// Decides about diagnostics.
#[derive(Default)]
pub(crate) struct Publisher {
    /// Over documents that need no code.
    plain: Passes,
    /// Over those that do.
    coded: Passes,
    /// The document changed last: computed first, because somebody is looking at it.
    first: Option<PathBuf>,
    /// Number of the last pass.
    passes: u64,
    /// The computation without code that goes on beside a pass with code.
    early: Option<u64>,
    /// When to begin one, if the pass lasts until then.
    early_due: Option<Instant>,
    shown: HashMap<PathBuf, Shown>,
    /// Documents with findings that are left out as long as somebody types.
    holding: HashSet<PathBuf>,
    /// The client tracks versions of findings.
    pub(crate) confirms_versions: bool,
    /// When to tell it of versions whose findings are those it shows.
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
    /// How far the typing in it has got.
    pub(crate) typing: Typing,
}

/// The findings of one document in one pass.
pub(crate) struct Result {
    pass: u64,
    target: Target,
    /// Some findings are left out as long as somebody types.
    holds_back: bool,
    found: Arc<[Diagnostic]>,
    /// As the client gets it; nothing if it was shown `found` when the pass began.
    news: Option<Vec<lsp::Diagnostic>>,
}

impl Result {
    /// The document's path.
    pub(crate) fn path(&self) -> &Path {
        &self.target.path
    }
}

impl Publisher {
    /// Notes that diagnostics may have changed, `first` of all those of this document.
    pub(crate) fn invalidate(&mut self, first: Option<&Path>) {
        self.confirmations_due = None;
        if let Some(path) = first {
            self.first = Some(path.to_owned());
        }
        self.plain.invalidate();
        self.coded.invalidate();
        if let Some(pass) = &self.coded.pass {
            self.early_due = Some((Instant::now() + REST).max(pass.started + EARLY));
        }
    }

    /// Whether findings of a document were left out because somebody types.
    pub(crate) fn holds_back(&self, path: &Path) -> bool {
        self.holding.contains(path)
    }

    /// When [`Publisher::start`] has something to begin although nothing happened.
    pub(crate) fn early_deadline(&self) -> Option<Instant> {
        self.early_due.filter(|_| self.early.is_none() && self.coded.pass.is_some())
    }

    /// Whether [`Publisher::start`] would begin something.
    pub(crate) fn is_due(&self) -> bool {
        self.plain.is_due() || self.coded.is_due() || self.is_early_due()
    }

    /// A pass with code lasts longer than somebody wants to wait.
    fn is_early_due(&self) -> bool {
        self.early_deadline().is_some_and(|due| due <= Instant::now())
    }

    /// Starts what is due over `targets`.
    pub(crate) fn start(
        &mut self,
        view: &View,
        mut targets: Vec<Target>,
        pool: &Pool,
        events: &EventSender,
        code: &CodeRunner,
    ) {
        // Stable order, so that the same edits give the same messages.
        let first = self.first.as_ref();
        targets.sort_by(|a, b| (Some(&b.path) == first, &a.path).cmp(&(Some(&a.path) == first, &b.path)));
        if self.coded.is_due() {
            self.start_coded(view, &targets, pool, events, code);
        }
        if self.is_early_due() {
            self.start_early(view, &targets, pool, events);
        }
        if self.plain.is_due() {
            self.start_plain(view, targets, pool, events);
        }
    }

    fn start_plain(&mut self, view: &View, targets: Vec<Target>, pool: &Pool, events: &EventSender) {
        self.first = None;
        self.passes += 1;
        let number = self.passes;
        let cancel = self.plain.begin(number);
        let (view, events) = (view.clone(), events.clone());
        let over = OnDrop::new(events.clone(), "pass over", move |session| session.pass_over(number));
        let shown: HashMap<PathBuf, Arc<[Diagnostic]>> = targets
            .iter()
            .filter_map(|target| Some((target.path.clone(), self.shown.get(&target.path)?.found.clone())))
            .collect();
        let pass = move || {
            let _over = over;
            for target in targets {
                if cancel.is_set() {
                    break;
                }
                if view.snapshot.waits_for_code(target.file) {
                    continue;
                }
                let shown = shown.get(&target.path);
                if let Some(result) = compute(&view, target, number, shown, &cancel) {
                    events.change("diagnosed", move |session| session.diagnosed(result));
                }
            }
            view.snapshot.keep_within_budget();
        };
        pool.submit(Lane::Background, Job { name: "diagnostics", run: Box::new(pass) });
    }

    fn start_coded(&mut self, view: &View, targets: &[Target], pool: &Pool, events: &EventSender, code: &CodeRunner) {
        if !view.snapshot.has_coded_files() {
            self.coded.due = false;
            return;
        }
        self.passes += 1;
        let number = self.passes;
        let cancel = self.coded.begin(number);
        self.early_due = Some(Instant::now() + EARLY);
        let (mut view, targets, events, code) = (view.clone(), targets.to_vec(), events.clone(), code.clone());
        let over = OnDrop::new(events.clone(), "pass with code over", move |session| session.pass_over(number));
        let pass = move || {
            let _over = over;
            let mut ran = false;
            let mut evaluate = |snapshot: &Snapshot, file, need| {
                let (snapshot, any) = code.evaluate(snapshot, file, need);
                ran |= any;
                snapshot
            };
            for target in &targets {
                if cancel.is_set() {
                    break;
                }
                if !view.snapshot.waits_for_code(target.file) {
                    continue;
                }
                view.snapshot = evaluate(&view.snapshot, target.file, Need::Findings);
                // Without comparing with what was shown: that may be without code by then.
                if let Some(result) = compute(&view, target.clone(), number, None, &cancel) {
                    events.change("diagnosed with code", move |session| session.diagnosed(result));
                }
            }
            // A hover over what a template reads must not wait for code.
            for target in targets.iter().take_while(|_| !cancel.is_set()) {
                if lofting_ide::reads_data_values(&view.snapshot, target.file) {
                    view.snapshot = evaluate(&view.snapshot, target.file, Need::Values);
                }
            }
            if ran {
                // How code ended may be told in files that were looked at before.
                events.change("code was run", |session| session.code_was_run());
            }
        };
        pool.submit(Lane::Code, Job { name: "diagnostics with code", run: Box::new(pass) });
    }

    /// Computes what needs no code, beside the pass that waits for some.
    fn start_early(&mut self, view: &View, targets: &[Target], pool: &Pool, events: &EventSender) {
        self.early_due = None;
        self.passes += 1;
        let number = self.passes;
        self.early = Some(number);
        let (view, events) = (view.clone(), events.clone());
        let over = OnDrop::new(events.clone(), "early pass over", move |session| session.pass_over(number));
        let targets = targets.to_vec();
        let pass = move || {
            let _over = over;
            for target in targets {
                if view.snapshot.waits_for_code(target.file)
                    && let Some(result) = compute(&view, target, number, None, &CancelFlag::default())
                {
                    events.change("diagnosed without code", move |session| session.diagnosed(result));
                }
            }
        };
        pool.submit(Lane::Background, Job { name: "diagnostics without code", run: Box::new(pass) });
    }

    /// Takes a result; gives what is to be sent, if the client shows something else.
    pub(crate) fn accept(&mut self, result: Result) -> Option<lsp::PublishDiagnosticsParams> {
        let Result { pass, target, holds_back, found, news } = result;
        let is_given = |passes: &Passes| passes.pass.as_ref().is_some_and(|pass| pass.given.contains(&target.path));
        if let Some(pass) = self.coded.under_way(pass) {
            pass.given.insert(target.path.clone());
        } else if self.plain.under_way(pass).is_none() && (self.early != Some(pass) || is_given(&self.coded)) {
            return None;
        }
        match holds_back {
            true => self.holding.insert(target.path.clone()),
            false => self.holding.remove(&target.path),
        };
        if let Some(shown) = self.shown.get_mut(&target.path) {
            let same = match &news {
                None if !Arc::ptr_eq(&shown.found, &found) => {
                    // Something else was shown meanwhile: what this pass compared with is no more.
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

    /// What is to be sent although nothing changed but versions. Waits for edits to pause.
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
        if self.coded.pass.take_if(|pass| pass.number == number).is_some() {
            self.early_due = None;
        }
        self.early.take_if(|early| *early == number);
    }

    /// The document was closed: what the client shows has to be taken back, if it shows something.
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
    let found = target.typing.shown(view, target.file, all.clone());
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

    /// What the client is told after a result.
    fn told(publisher: &mut Publisher, pass: u64, news: Option<Vec<lsp::Diagnostic>>) -> Option<usize> {
        let result = Result { pass, target: target(1), holds_back: false, found: Arc::from([]), news };
        publisher.accept(result).map(|params| params.diagnostics.len())
    }

    #[test]
    fn what_code_said_before_comes_back_when_it_says_the_same_again() {
        let mut publisher = Publisher::default();
        publisher.coded.begin(1);
        assert_eq!(told(&mut publisher, 1, list(&["of code", "of none"])), Some(2));
        publisher.pass_over(1);
        // The next pass lasts, and what needs no code is shown meanwhile.
        publisher.coded.begin(2);
        publisher.early = Some(3);
        assert_eq!(told(&mut publisher, 3, list(&["of none"])), Some(1));
        assert_eq!(told(&mut publisher, 2, list(&["of code", "of none"])), Some(2));
        // What comes late is not shown any more.
        assert_eq!(told(&mut publisher, 3, list(&["of none"])), None);
    }

    #[test]
    fn what_stays_the_same_is_sent_once() {
        let mut publisher = Publisher { early: Some(2), ..Publisher::default() };
        publisher.coded.begin(1);
        assert_eq!(told(&mut publisher, 2, list(&["of none"])), Some(1));
        assert_eq!(told(&mut publisher, 1, list(&["of none"])), None);
    }

    #[test]
    fn results_of_runs_that_are_over_or_cancelled_are_not_shown() {
        let mut publisher = Publisher::default();
        publisher.plain.begin(1);
        publisher.pass_over(1);
        assert_eq!(told(&mut publisher, 1, list(&["late"])), None);
        let cancel = publisher.plain.begin(2);
        cancel.make_stale();
        assert_eq!(told(&mut publisher, 2, list(&["stale"])), None);
        // What was compared with is not what is shown any more: it is computed once more.
        publisher.pass_over(2);
        publisher.plain.begin(3);
        assert_eq!(told(&mut publisher, 3, list(&["new"])), Some(1));
        publisher.plain.due = false;
        assert_eq!(told(&mut publisher, 3, None), None);
        assert!(publisher.plain.due);
    }
}

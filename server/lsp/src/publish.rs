//! Diagnostics of open documents: when they are computed and what of them is sent.
//!
//! Nothing is waited for before computing: on an idle server the first edit starts a run at once. An edit during a run
//! ends it and starts another when the loop has no more edits to apply, so the newest text always wins. Results go
//! through the loop, which knows what is still open, and are sent only when they differ from what the client shows.
//!
//! Code of users may run for seconds. What needs none of it is computed and sent meanwhile, also after further edits;
//! the run's own results follow.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use tower_lsp_server::gen_lsp_types as lsp;

use crate::cancel::CancelFlag;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool};
use crate::to_proto;
use crate::typing::Typing;
use crate::view::View;

/// A run older than this is not cancelled by further edits: who types without a pause would never see anything.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long a run may wait for code before what needs none is sent without it.
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
    /// Where this is without what code says: what was shown before. Runs compare with that.
    before: Option<(Arc<[Diagnostic]>, Vec<lsp::Diagnostic>)>,
}

impl Shown {
    /// What a run compares with.
    fn compared(&self) -> &Arc<[Diagnostic]> {
        self.before.as_ref().map_or(&self.found, |(found, _)| found)
    }
}

struct Run {
    number: u64,
    cancel: CancelFlag,
    started: Instant,
    /// Documents whose results it gave.
    given: HashSet<PathBuf>,
}

/// Decides about diagnostics.
#[derive(Default)]
pub(crate) struct Publisher {
    /// Something changed since the last run began.
    due: bool,
    /// The document changed last: computed first, because somebody is looking at it.
    first: Option<PathBuf>,
    run: Option<Run>,
    runs: u64,
    /// The computation without code that goes on beside the run.
    early: Option<u64>,
    /// When to begin one, if the run lasts until then.
    early_due: Option<Instant>,
    shown: HashMap<PathBuf, Shown>,
    /// Documents with findings that are left out as long as somebody types.
    holding: HashSet<PathBuf>,
    /// The client tracks versions of findings.
    pub(crate) confirms_versions: bool,
    /// When to tell it of versions whose findings are those it shows.
    pub(crate) confirmations_due: Option<Instant>,
}

/// An open document as a run needs it.
#[derive(Clone)]
pub(crate) struct Target {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its number in the workspace.
    pub(crate) file: FileId,
    /// Its URI.
    pub(crate) uri: lsp::Uri,
    /// Version of its text in the run's view.
    pub(crate) version: i32,
    /// How far the typing in it has got.
    pub(crate) typing: Typing,
}

/// The findings of one document in one run.
pub(crate) struct Result {
    run: u64,
    target: Target,
    /// Some findings are left out as long as somebody types.
    holds_back: bool,
    /// Nothing if they are those of the last result.
    news: Option<(Arc<[Diagnostic]>, Vec<lsp::Diagnostic>)>,
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
        self.due = true;
        self.confirmations_due = None;
        if let Some(path) = first {
            self.first = Some(path.to_owned());
        }
        let Some(run) = &self.run else { return };
        self.early_due = Some((Instant::now() + REST).max(run.started + EARLY));
        if run.started.elapsed() < PATIENCE {
            run.cancel.make_stale();
        }
    }

    /// Whether findings of a document were left out because somebody types.
    pub(crate) fn holds_back(&self, path: &Path) -> bool {
        self.holding.contains(path)
    }

    /// When [`Publisher::is_early_due`] may become true.
    pub(crate) fn early_deadline(&self) -> Option<Instant> {
        self.early_due.filter(|_| self.early.is_none())
    }

    /// Whether [`Publisher::start_early`] should be called: a run lasts longer than somebody wants to wait.
    pub(crate) fn is_early_due(&self) -> bool {
        self.run.is_some() && self.early_deadline().is_some_and(|due| due <= Instant::now())
    }

    /// Computes what needs no code, beside the run that waits for some.
    pub(crate) fn start_early(&mut self, view: View, targets: Vec<Target>, events: &EventSender) {
        self.early_due = None;
        self.runs += 1;
        let number = self.runs;
        let over = OnDrop::new(events.clone(), "early run over", move |session| session.run_over(number));
        let events = events.clone();
        let compute = move || {
            let _over = over;
            for target in targets {
                if lofting_ide::depends_on_code(&view.snapshot, target.file) {
                    let result = compute(&view, target, number, None, &CancelFlag::default(), false);
                    events.change("diagnosed without code", move |session| {
                        result.into_iter().for_each(|r| session.diagnosed(r))
                    });
                }
            }
        };
        // A thread of its own: those of the pool may all be waiting.
        match std::thread::Builder::new().name("without-code".to_owned()).stack_size(8 << 20).spawn(compute) {
            Ok(_) => self.early = Some(number),
            Err(error) => tracing::error!(%error, "no thread for findings without code"),
        }
    }

    /// Whether [`Publisher::start`] would begin a run.
    pub(crate) fn is_due(&self) -> bool {
        self.due && self.run.is_none()
    }

    /// Starts a run over `targets`.
    pub(crate) fn start(&mut self, view: View, mut targets: Vec<Target>, pool: &Pool, events: &EventSender) {
        self.due = false;
        self.runs += 1;
        let first = self.first.take();
        // Stable order, so that the same edits give the same messages.
        targets.sort_by(|a, b| {
            (Some(&b.path) == first.as_ref(), &a.path).cmp(&(Some(&a.path) == first.as_ref(), &b.path))
        });
        let started = Instant::now();
        self.early_due = Some(started + EARLY);
        let run = Run { number: self.runs, cancel: CancelFlag::default(), started, given: HashSet::new() };
        let (number, cancel, events) = (run.number, run.cancel.clone(), events.clone());
        let shown: HashMap<PathBuf, Arc<[Diagnostic]>> = targets
            .iter()
            .filter_map(|target| Some((target.path.clone(), self.shown.get(&target.path)?.compared().clone())))
            .collect();
        self.run = Some(run);
        let over = OnDrop::new(events.clone(), "run over", move |session| session.run_over(number));
        pool.submit(
            Lane::Background,
            Job {
                name: "diagnostics",
                run: Box::new(move || {
                    let _over = over;
                    let files: Vec<FileId> = targets.iter().map(|target| target.file).collect();
                    for target in targets {
                        if cancel.is_set() {
                            break;
                        }
                        let shown = shown.get(&target.path);
                        if let Some(result) = compute(&view, target, number, shown, &cancel, true) {
                            events.change("diagnosed", move |session| session.diagnosed(result));
                        }
                    }
                    for file in files.into_iter().take_while(|_| !cancel.is_set()) {
                        lofting_ide::prepare_data_values(&view.snapshot, file);
                    }
                }),
            },
        );
    }

    /// Takes a result; gives what is to be sent, if the client shows something else.
    pub(crate) fn accept(&mut self, result: Result) -> Option<lsp::PublishDiagnosticsParams> {
        let run = self.run.as_mut()?;
        let complete = run.number == result.run && !run.cancel.is_set();
        if complete {
            run.given.insert(result.target.path.clone());
        } else if self.early != Some(result.run) || run.given.contains(&result.target.path) {
            return None;
        }
        let Result { target, holds_back, mut news, .. } = result;
        match holds_back {
            true => self.holding.insert(target.path.clone()),
            false => self.holding.remove(&target.path),
        };
        let mut shown = self.shown.get_mut(&target.path);
        let mut before = None;
        if let Some(shown) = &mut shown {
            before = shown.before.take();
            if complete {
                // The same as before something was left out is to be shown again.
                news = news.or(before.take());
            } else if before.is_none() {
                before = Some((shown.found.clone(), shown.sent.clone()));
            }
        }
        let same = match (&shown, &news) {
            (Some(_), None) => true,
            (Some(shown), Some((_, diagnostics))) => shown.sent == *diagnostics,
            (None, _) => false,
        };
        if let (true, Some(shown)) = (same, shown) {
            if let Some((found, _)) = news {
                shown.found = found;
            }
            if self.confirms_versions && shown.version != target.version {
                self.confirmations_due = Some(Instant::now() + REST);
            }
            shown.checked = target;
            shown.before = before;
            return None;
        }
        let (found, sent) = news?;
        let params = params(&target, &sent);
        let (path, version) = (target.path.clone(), target.version);
        self.shown.insert(path, Shown { found, sent, version, checked: target, before });
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

    /// The run with this number has ended.
    pub(crate) fn run_over(&mut self, number: u64) {
        if self.run.take_if(|run| run.number == number).is_some() {
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
    run: u64,
    shown: Option<&Arc<[Diagnostic]>>,
    cancel: &CancelFlag,
    with_code: bool,
) -> Option<Result> {
    let started = Instant::now();
    let found = match with_code {
        true => lofting_ide::diagnostics(&view.snapshot, target.file, cancel.work()),
        false => lofting_ide::diagnostics_without_code(&view.snapshot, target.file, cancel.work()),
    };
    tracing::trace!(version = target.version, found = found.len(), micros = started.elapsed().as_micros(), "checked");
    if cancel.is_set() {
        return None;
    }
    let all = found.clone();
    let found = target.typing.shown(view, target.file, found);
    let holds_back = !Arc::ptr_eq(&all, &found);
    let news = if shown.is_some_and(|shown| Arc::ptr_eq(shown, &found)) {
        None
    } else {
        let diagnostics = found.iter().map(|found| to_proto::diagnostic::diagnostic(view, found)).collect();
        Some((found, diagnostics))
    };
    Some(Result { run, target, holds_back, news })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(version: i32) -> Target {
        let uri = lsp::Uri::from("file:///values.yml");
        Target { path: PathBuf::from("/values.yml"), file: FileId(0), uri, version, typing: Typing::Over }
    }

    fn list(messages: &[&str]) -> Option<(Arc<[Diagnostic]>, Vec<lsp::Diagnostic>)> {
        let sent = messages
            .iter()
            .map(|message| lsp::Diagnostic { message: (*message).to_owned().into(), ..lsp::Diagnostic::default() });
        Some((Arc::from([]), sent.collect()))
    }

    fn begun(number: u64) -> Option<Run> {
        Some(Run { number, cancel: CancelFlag::default(), started: Instant::now(), given: HashSet::new() })
    }

    /// What the client shows after a result, if it is told.
    fn told(
        publisher: &mut Publisher,
        run: u64,
        version: i32,
        news: Option<(Arc<[Diagnostic]>, Vec<lsp::Diagnostic>)>,
    ) -> Option<usize> {
        publisher
            .accept(Result { run, target: target(version), holds_back: false, news })
            .map(|params| params.diagnostics.len())
    }

    #[test]
    fn what_code_said_before_comes_back_when_it_says_the_same_again() {
        let mut publisher = Publisher { run: begun(1), ..Publisher::default() };
        assert_eq!(told(&mut publisher, 1, 1, list(&["of code", "of none"])), Some(2));
        // The next run lasts, and what needs no code is shown meanwhile.
        publisher.run = begun(2);
        publisher.early = Some(3);
        assert_eq!(told(&mut publisher, 3, 2, list(&["of none"])), Some(1));
        // The run compared with what it found at its start: nothing new.
        assert_eq!(told(&mut publisher, 2, 2, None), Some(2));
        // What comes late is not shown any more.
        assert_eq!(told(&mut publisher, 3, 2, list(&["of none"])), None);
    }

    #[test]
    fn what_needs_no_code_and_stays_the_same_is_sent_once() {
        let mut publisher = Publisher { run: begun(1), early: Some(2), ..Publisher::default() };
        assert_eq!(told(&mut publisher, 2, 1, list(&["of none"])), Some(1));
        assert_eq!(told(&mut publisher, 1, 1, list(&["of none"])), None);
        publisher.run = begun(3);
        assert_eq!(told(&mut publisher, 3, 2, None), None);
    }
}

//! All state of one client connection. Owned by the loop; no other thread touches it.

mod background;
mod branch;
mod client_settings;
mod consequences;
mod debounced;
mod dependants;
mod disk_looks;
mod fetching;
mod input_sets;
mod publish_diagnostics;
mod pull_diagnostics;
mod rendering;
mod running;
mod scans;
mod schemas;
mod virtual_documents;
mod watched_files;
mod workers;
mod workspace_problems;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::LastEdit;
use lofting_worker::Limits;
use lofting_workspace::{RenderFindings, Settings, Snapshot, Workspace};
use serde_json::Value;

use self::client_settings::ClientSettings;
pub(crate) use self::consequences::Changed;
use self::debounced::Debounced;
use self::dependants::Dependants;
use self::disk_looks::DiskLooks;
use self::fetching::Fetching;
use self::publish_diagnostics::{Publisher, Target};
use self::pull_diagnostics::Pulled;
use self::running::RunningRequests;
use self::scans::Scans;
use self::virtual_documents::VirtualDocuments;
use self::watched_files::WatchedFiles;
pub(crate) use self::workers::{Events, Workers};
use self::workspace_problems::WorkspaceProblems;
use crate::awaited::Completions;
use crate::cancel::CancelFlag;
use crate::capabilities::ClientProfile;
use crate::code::CodeRunner;
use crate::last_pull::LastPull;
use crate::outbox::{Outbox, Question, Said};
use crate::outputs::Outputs;
use crate::pool::{Lane, Pool, Subject};
use crate::token_results::TokenResults;
use crate::typing::{PAUSE, Pauses, Typing};
use crate::view::{Client, Uris, View};
use crate::virtual_documents::{AskedBy, VirtualKind, asked};
use crate::{trust, uri};

/// How long interrupted code rests at least: a little longer than the evaluator's first pause.
const RETRY: Duration = Duration::from_secs(6);

/// Computes an answer and sends it.
pub(crate) type Respond = Box<dyn FnOnce(&View, &CodeRunner) + Send>;

/// A request on its way to a worker.
pub(crate) struct Dispatch {
    /// Name of the method, for the log.
    pub(crate) method: &'static str,
    /// The document it is about.
    pub(crate) uri: lsp::Uri,
    /// An edit of that document makes the request stale.
    pub(crate) stale_after_edits: bool,
    /// Who waits.
    pub(crate) lane: Lane,
    /// Set when the client cancels or the document changes.
    pub(crate) cancel: CancelFlag,
    /// Computes the answer from a view of the state and sends it.
    pub(crate) run: Respond,
}

/// A document the client has open.
pub(crate) struct OpenDocument {
    /// Its URI in the client's spelling.
    pub(crate) uri: lsp::Uri,
    /// Its ID in the workspace.
    pub(crate) file: FileId,
    /// The version of its text the client sent last.
    pub(crate) version: i32,
    /// The offset after the last typed character, until completion is requested.
    pub(crate) typed: Option<usize>,
    /// The state of typing in it.
    pub(crate) typing: Typing,
}

/// The state.
pub(crate) struct Session {
    /// Files, their texts and what is derived from them.
    pub(crate) workspace: Workspace,
    /// What is shared with the views of workers; its URIs are remade when documents open and close.
    pub(crate) client: Client,
    /// The threads for work that takes time.
    pub(crate) workers: Workers,
    /// Open documents by path.
    pub(crate) documents: HashMap<PathBuf, OpenDocument>,
    /// Findings that a client pulled before code had run.
    pub(crate) pulled: Pulled,
    publisher: Publisher,
    /// Documents in which typing may have paused.
    pauses: Pauses,
    /// Virtual documents that the client shows.
    pub(crate) virtual_documents: VirtualDocuments,
    /// When input sets are rendered to find errors.
    pub(crate) rendering: Debounced,
    /// When open schemas are compared with where the branch began.
    branch: Debounced,
    /// Problems of files that are not open, as the client shows them.
    pub(crate) problems: WorkspaceProblems,
    /// Requests that a worker has or will have.
    running: RunningRequests,
    /// The search for documents that depend on edited ones; only for clients that pull.
    dependants: Dependants,
    /// An earlier state, to be dropped on another thread.
    retired: Option<Snapshot>,
    /// The client's folders.
    roots: Vec<PathBuf>,
    pub(crate) scans: Scans,
    pub(crate) disk: DiskLooks,
    pub(crate) fetching: Fetching,
    /// Files that the client's watcher reported.
    pub(crate) watched: WatchedFiles,
    settings: ClientSettings,
    /// When interrupted code runs again.
    retry: Option<Instant>,
}

impl Session {
    /// A session that has not heard from its client yet.
    pub(crate) fn new(events: Events, outbox: Outbox, pool: Pool) -> Self {
        let settings = Settings { trust: trust::of_environment(), ..Settings::default() };
        let mut workspace = Workspace::new(Vec::new(), settings);
        workspace.set_evaluator(crate::evaluator::worker(
            Limits::IN_EDITORS,
            false,
            crate::evaluator::Ahead::default(),
        ));
        workspace.resolve_sets_elsewhere();
        workspace.search_elsewhere();
        Self {
            client: Client {
                profile: Arc::default(),
                editor: Arc::default(),
                uris: Uris::default(),
                whole: LastPull::default(),
                tokens: TokenResults::default(),
                outputs: Outputs::default(),
                completions: completions(&events),
                outbox,
            },
            workers: Workers { code: code_runner(&workspace, &events), pool, events },
            workspace,
            documents: HashMap::new(),
            pulled: Pulled::default(),
            publisher: Publisher::default(),
            pauses: Pauses::default(),
            virtual_documents: VirtualDocuments::default(),
            rendering: Debounced::default(),
            branch: Debounced::default(),
            problems: WorkspaceProblems::default(),
            running: RunningRequests::default(),
            dependants: Dependants::default(),
            retired: None,
            roots: Vec::new(),
            scans: Scans::default(),
            disk: DiskLooks::default(),
            fetching: Fetching::default(),
            watched: WatchedFiles::default(),
            settings: ClientSettings::default(),
            retry: None,
        }
    }

    /// `initialize`: remembers the client. Everything slow waits for `initialized`.
    pub(crate) fn initialize(&mut self, params: lsp::InitializeParams) -> lsp::InitializeResult {
        self.client.profile = {
            let name = params.client_info.as_ref().map(|client| client.name.as_str());
            Arc::new(ClientProfile::new(&params.capabilities, name))
        };
        self.publisher.confirms_versions = self.client.profile.tracks_versions;
        self.roots = roots(&params);
        self.workspace.set_roots(self.roots.clone());
        // Without options these are the defaults.
        self.begin_with_settings(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        lsp::InitializeResult {
            capabilities: self.client.profile.server_capabilities(),
            server_info: Some(lsp::ServerInfo {
                name: "lofting".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }
    }

    /// Hands a request to the workers, with a view of the current state.
    pub(crate) fn dispatch(&mut self, request: Dispatch) {
        let Dispatch { method, uri, stale_after_edits, lane, cancel, run } = request;
        let path = uri::to_path(&uri);
        if stale_after_edits {
            self.running.add(path.clone(), cancel);
        }
        let mut view = self.view();
        if let Some(document) = self.documents.get(&path) {
            view.typing = document.typing.clone();
        }
        if method == <lsp::CompletionRequest as lsp::Request>::METHOD.as_str() {
            let document = self.documents.get_mut(&path);
            view.typed_to = document.and_then(|document| document.typed.take());
        }
        if method == <lsp::WorkspaceDiagnosticRequest as lsp::Request>::METHOD.as_str() {
            self.workspace_problems_are_pulled();
        }
        if let Some((document, asked_by)) = asked(method, &uri) {
            self.virtual_documents.watch(document, asked_by, view.clone(), &self.workers);
        }
        let code = self.workers.code.clone();
        self.workers.submit_about(Subject::Document(path), lane, method, move || run(&view, &code));
    }

    /// The state as it is now.
    pub(crate) fn view(&self) -> View {
        let (snapshot, client) = (self.workspace.snapshot(), self.client.clone());
        View { snapshot, client, typed_to: None, typing: Typing::Over }
    }

    /// Prepares for a change of a text. The first state since the last pause is kept, to be dropped on another thread;
    /// the states in between have no derived data.
    pub(crate) fn before_change(&mut self) {
        if self.retired.is_none() {
            self.retired = Some(self.workspace.snapshot());
        }
    }

    /// Notes that the text of a document changed, which makes answers about the old text useless.
    pub(crate) fn text_changed(&mut self, path: &Path) {
        self.running.make_stale(path);
        self.changed(Changed::Text(path));
        if let Some(document) = self.documents.get(path).filter(|document| {
            self.client.profile.pulls_diagnostics && !self.dependants.edited.contains(&document.file)
        }) {
            self.dependants.edited.push(document.file);
        }
        if !self.client.profile.watches_files {
            self.disk.ask();
        }
    }

    /// Notes that the user typed in a document, or opened it. `last` is the only edit since.
    pub(crate) fn typed(&mut self, path: &Path, last: Option<LastEdit>) {
        if let Some(document) = self.documents.get_mut(path) {
            document.typing = Typing::now(last);
            self.pauses.begin(path.to_owned());
        }
    }

    /// Notes that typing in a document has ended, and reports what was held back.
    pub(crate) fn typing_over(&mut self, path: &Path) {
        let Some(document) = self.documents.get_mut(path) else { return };
        let (file, typing) = (document.file, std::mem::replace(&mut document.typing, Typing::Over));
        if self.workspace.typing_over(file) {
            self.changed(Changed::Language(path));
        }
        if !self.client.profile.pulls_diagnostics {
            if self.publisher.holds_back(path) {
                self.changed(Changed::Held(path));
            }
        } else if matches!(typing, Typing::Going { .. }) {
            self.refresh_held_back(file, typing);
        }
    }

    /// Asks a client that pulls to do so again, if earlier answers held something back.
    fn refresh_held_back(&mut self, file: FileId, typing: Typing) {
        let (view, events) = (self.view(), self.workers.events.clone());
        let look = move || {
            let found = lofting_ide::diagnostics(&view.snapshot, file, &lofting_workspace::CancelFlag::new());
            if !Arc::ptr_eq(&typing.shown(&view.snapshot, file, found.clone()), &found) {
                events.change("typing over", |session| session.client.outbox.ask(Question::RefreshDiagnostics));
            }
        };
        self.workers.submit(Lane::Background, "held back", look);
    }

    /// Reports what was held back in documents without typing for a while.
    fn look_for_pauses(&mut self) {
        while let Some(path) = self.pauses.take() {
            let typing = self.documents.get(&path).map(|document| &document.typing);
            if matches!(typing, Some(Typing::Going { since, .. }) if since.elapsed() >= PAUSE) {
                self.typing_over(&path);
            }
        }
    }

    /// Adds an open document.
    pub(crate) fn add_document(&mut self, path: PathBuf, document: OpenDocument) {
        self.retract_workspace_problems(&path, &document.uri);
        self.client.uris.insert_mut(path.clone(), document.uri.clone());
        self.documents.insert(path, document);
    }

    /// Removes a closed document and returns it, if it was open.
    pub(crate) fn remove_document(&mut self, path: &Path) -> Option<OpenDocument> {
        self.client.uris.remove_mut(path);
        let document = self.documents.remove(path)?;
        self.client.tokens.forget(document.file);
        Some(document)
    }

    /// Gives a document up because an edit could not be applied, so that its text is unknown. The protocol has no
    /// request for the text, so nothing is reported about the document until it is opened again.
    pub(crate) fn lost_track(&mut self, path: &Path) {
        let Some(document) = self.remove_document(path) else { return };
        tracing::error!(path = %path.display(), "an edit could not be applied");
        self.workspace.close(document.file);
        self.retract_diagnostics(path, document.uri);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let message = format!("Lofting could not follow an edit of {name}. Close the file and open it again.");
        self.client.outbox.say(Said::Show(lsp::MessageType::Error, message));
        self.changed(Changed::Surroundings);
    }

    /// Removes the diagnostics of a closed document from the client.
    pub(crate) fn retract_diagnostics(&mut self, path: &Path, uri: lsp::Uri) {
        if let Some(params) = self.publisher.forget(path, uri) {
            self.client.outbox.say(Said::Publish(params));
        }
    }

    /// Starts what follows from the events so far. Called whenever the loop has no events.
    pub(crate) fn settle(&mut self) {
        if self.settings.awaited.is_some_and(|until| until <= Instant::now()) {
            self.settings.awaited = None;
        }
        for message in self.workspace.take_messages() {
            self.client.outbox.say(Said::Show(lsp::MessageType::Warning, message));
        }
        self.look_for_pauses();
        self.resolve_input_sets();
        self.search_schemas();
        self.retry_interrupted();
        self.start_diagnostics();
        for params in self.publisher.confirmations() {
            self.client.outbox.say(Said::Publish(params));
        }
        self.find_dependants();
        if self.virtual_documents.is_due() {
            let view = self.view();
            self.virtual_documents.start(view, &self.workers);
        }
        self.complete_pulled();
        if self.rendering.is_due() && self.settings.awaited.is_none() {
            self.render_open_sets();
        }
        if self.branch.is_due() && self.settings.awaited.is_none() {
            self.compare_with_branch();
        }
        if self.problems.is_due() && self.settings.awaited.is_none() {
            self.start_workspace_problems();
        }
        if let Some(retired) = self.retired.take() {
            // Queued after the diagnostics of the new text: dropping the data of a large old one takes a while.
            self.workers.submit(Lane::Background, "drop", move || drop(retired));
        }
        if self.disk.is_due() {
            self.look_at_disk();
        }
        if self.settings.awaited.is_none() {
            self.fetch();
        }
    }

    /// Gives code that was stopped by a clock or from outside another chance, when the evaluator allows it.
    fn retry_interrupted(&mut self) {
        let now = Instant::now();
        if self.retry.is_some_and(|at| at <= now) {
            self.retry = None;
            self.workspace.run_interrupted_again();
            self.changed(Changed::Surroundings);
        }
        if self.workspace.take_interrupted() {
            self.retry.get_or_insert(now + RETRY);
        }
    }

    fn start_diagnostics(&mut self) {
        if self.client.profile.pulls_diagnostics || self.settings.awaited.is_some() {
            return;
        }
        if self.publisher.is_due() {
            let (view, targets) = (self.view(), self.targets());
            self.publisher.start(&view, targets, &self.workers);
        }
    }

    /// The open documents, in the form that a pass of diagnostics uses.
    fn targets(&self) -> Vec<Target> {
        let target = |(path, document): (&PathBuf, &OpenDocument)| Target {
            path: path.clone(),
            file: document.file,
            uri: document.uri.clone(),
            version: document.version,
            typing: document.typing.clone(),
        };
        self.documents.iter().map(target).collect()
    }

    /// When [`Session::settle`] has to be called even without an event.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let publisher = self.publisher.confirmations_due.into_iter().chain(self.publisher.early_deadline());
        self.settings
            .awaited
            .into_iter()
            .chain(self.disk.due.filter(|_| !self.watched.is_reading()))
            .chain(self.retry)
            .chain(self.fetching.retry)
            .chain(self.pauses.deadline())
            .chain(self.rendering.deadline())
            .chain(self.branch.deadline())
            .chain(self.problems.deadline())
            .chain(publisher)
            .min()
    }

    /// Changes the workspace folders.
    pub(crate) fn change_roots(&mut self, removed: &[PathBuf], added: Vec<PathBuf>) {
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(added);
        self.workspace.set_roots(self.roots.clone());
        self.scan();
        self.changed(Changed::Surroundings);
    }

    /// Takes the diagnostics of a document from a worker.
    pub(crate) fn diagnosed(&mut self, result: publish_diagnostics::Result) {
        if !self.documents.contains_key(result.path()) {
            return;
        }
        if let Some(params) = self.publisher.accept(result) {
            self.client.outbox.say(Said::Publish(params));
        }
    }

    /// Takes virtual documents from a worker.
    pub(crate) fn virtual_documents_made(&mut self, found: virtual_documents::HashedDocuments) {
        for (document, asked_by) in self.virtual_documents.changed(found) {
            let file = self.client.uris.get(&document.path).cloned().unwrap_or_else(|| uri::from_path(&document.path));
            let uri = document.uri(&file);
            let outbox = &self.client.outbox;
            match (asked_by, document.kind) {
                (AskedBy::Protocol, _) => outbox.ask(Question::RefreshContent(uri)),
                (AskedBy::Own, VirtualKind::Values) => outbox.say(Said::FinalDataValuesChanged(uri)),
                (AskedBy::Own, VirtualKind::Output | VirtualKind::SetOutput) => {
                    outbox.say(Said::RenderedOutputChanged(uri));
                }
            }
        }
    }

    /// A pass over documents has ended.
    pub(crate) fn pass_over(&mut self, number: u64) {
        self.publisher.pass_over(number);
    }

    /// Input sets of open documents were rendered.
    pub(crate) fn rendered(&mut self, found: RenderFindings) {
        if self.workspace.take_render_findings(found) {
            self.changed(Changed::Rendered);
        }
    }

    pub(crate) fn refresh_diagnostics(&mut self) {
        if self.client.profile.pulls_diagnostics {
            self.client.outbox.ask(Question::RefreshDiagnostics);
        }
    }

    /// Asks for what is shown in, between and above lines again, where other files or code say something else now.
    pub(crate) fn refresh_shown(&mut self) {
        if self.client.profile.refreshes_hints {
            self.client.outbox.ask(Question::RefreshHints);
        }
        if self.client.profile.refreshes_lenses {
            self.client.outbox.ask(Question::RefreshLenses);
        }
        if self.client.profile.refreshes_tokens {
            self.client.outbox.ask(Question::RefreshTokens);
        }
    }
}

/// Runs code, and applies the results.
fn code_runner(workspace: &Workspace, events: &Events) -> CodeRunner {
    let events = events.clone();
    CodeRunner::new(workspace.runner(), move |evaluation| {
        events.change("evaluated", move |session| {
            session.workspace.take_evaluation(evaluation);
        });
    })
}

/// Runs code that answers lacked.
fn completions(events: &Events) -> Completions {
    let events = events.clone();
    Completions::new(move |file, lacked| {
        events.change("answered without code", move |session| session.complete(file, lacked));
    })
}

/// The client's folders; older clients name a single one, in one of two ways.
#[allow(deprecated)]
fn roots(params: &lsp::InitializeParams) -> Vec<PathBuf> {
    match &params.workspace_folders_initialize_params.workspace_folders {
        Some(lsp::WorkspaceFolders::WorkspaceFolderList(folders)) => {
            folders.iter().map(|folder| uri::to_path(&folder.uri)).collect()
        }
        _ => match (&params.root_uri, &params.root_path) {
            (Some(root), _) => vec![uri::to_path(root)],
            (None, Some(lsp::RootPath::String(path))) => vec![PathBuf::from(path)],
            _ => Vec::new(),
        },
    }
}

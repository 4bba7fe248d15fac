//! All state of one client connection. Owned by the loop; nobody else touches it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lofting_document::FileId;
use lofting_workspace::{ScanResult, Settings, Snapshot, Workspace};
use serde_json::Value;
use tower_lsp_server::gen_lsp_types as lsp;

use crate::cancel::CancelFlag;
use crate::capabilities::ClientProfile;
use crate::event::{EventSender, OnDrop, RequestEvent};
use crate::final_values::{AskedBy, FinalValues};
use crate::outbox::{Outbox, Outgoing};
use crate::pool::{Job, Lane, Pool};
use crate::publish::{self, Publisher, Target};
use crate::view::View;
use crate::{final_values, settings, uri};

/// How long the first diagnostics wait for the client's settings. Without them findings may be wrong for a moment,
/// with a client that never answers they must come all the same.
const SETTINGS_PATIENCE: Duration = Duration::from_millis(300);

/// Shortest time between two looks at the disk for clients that do not watch files.
const DISK_PAUSE: Duration = Duration::from_secs(1);

/// A look at the disk that takes long is followed by a pause this many times as long.
const DISK_SHARE: u32 = 50;

/// Requests remembered before those already answered are sorted out.
const RUNNING_KEPT: usize = 64;

/// A document the client has open.
pub(crate) struct OpenDocument {
    /// Its URI in the client's spelling.
    pub(crate) uri: lsp::Uri,
    /// Its number in the workspace.
    pub(crate) file: FileId,
    /// The version of its text the client sent last.
    pub(crate) version: i32,
}

/// The state.
pub(crate) struct Session {
    /// Files, their texts and what is derived from them.
    pub(crate) workspace: Workspace,
    /// What the client can do.
    pub(crate) profile: Arc<ClientProfile>,
    /// Open documents by path.
    pub(crate) documents: HashMap<PathBuf, OpenDocument>,
    /// Messages for the client.
    pub(crate) outbox: Outbox,
    /// The way back into the loop for work done elsewhere.
    pub(crate) events: EventSender,
    pool: Pool,
    publisher: Publisher,
    /// Virtual documents with final data values.
    pub(crate) final_values: FinalValues,
    /// Requests that a worker has or will have, by the document they are about.
    running: Vec<(PathBuf, CancelFlag)>,
    /// URIs of open documents, shared with views; remade when documents open and close.
    uris: Arc<HashMap<PathBuf, lsp::Uri>>,
    /// Documents edited since the search for what depends on them; only for clients that pull.
    edited: Vec<FileId>,
    finding_dependants: bool,
    /// A state whose texts have changed since.
    retired: Option<Snapshot>,
    /// The client's folders.
    roots: Vec<PathBuf>,
    /// Scans begun and not over.
    scans: usize,
    /// The first scan is shown as progress.
    shows_progress: bool,
    disk: DiskLooks,
    settings_round: u64,
    /// Until when diagnostics wait for settings.
    settings_awaited: Option<Instant>,
}

impl Session {
    /// A session that has not heard from its client yet.
    pub(crate) fn new(events: EventSender, outbox: Outbox, pool: Pool) -> Self {
        let mut workspace = Workspace::new(Vec::new(), Settings::default());
        workspace.set_evaluator(crate::evaluator::worker());
        Self {
            workspace,
            profile: Arc::default(),
            documents: HashMap::new(),
            outbox,
            events,
            pool,
            publisher: Publisher::default(),
            final_values: FinalValues::default(),
            running: Vec::new(),
            uris: Arc::default(),
            edited: Vec::new(),
            finding_dependants: false,
            retired: None,
            roots: Vec::new(),
            scans: 0,
            shows_progress: false,
            disk: DiskLooks::default(),
            settings_round: 0,
            settings_awaited: None,
        }
    }

    /// `initialize`: remembers who the client is. Everything that takes time waits for `initialized`.
    pub(crate) fn initialize(&mut self, params: lsp::InitializeParams) -> lsp::InitializeResult {
        self.profile = Arc::new(ClientProfile::new(&params.capabilities));
        self.publisher.confirms_versions = self.profile.tracks_versions;
        self.roots = roots(&params);
        self.workspace.set_roots(self.roots.clone());
        if let Some(options) = &params.initialization_options {
            self.apply_settings(settings::from_object(options));
        }
        lsp::InitializeResult {
            capabilities: self.profile.server_capabilities(),
            server_info: Some(lsp::ServerInfo {
                name: "lofting".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }
    }

    /// Hands a request with a view of this moment to the workers.
    pub(crate) fn dispatch(&mut self, request: RequestEvent) {
        let RequestEvent { method, uri, stale_after_edits, lane, cancel, run } = request;
        if self.running.len() >= RUNNING_KEPT {
            self.running.retain(|(_, flag)| !flag.is_abandoned());
        }
        if stale_after_edits {
            self.running.push((uri::to_path(&uri), cancel));
        }
        let view = self.view();
        if let Some(asked_by) = AskedBy::method(method) {
            let path = final_values::path_of(&uri);
            self.final_values.watch(path, asked_by, view.clone(), &self.pool, &self.events);
        }
        self.pool.submit(lane, Job { name: method, run: Box::new(move || run(&view)) });
    }

    /// The state as it is now.
    pub(crate) fn view(&self) -> View {
        View { snapshot: self.workspace.snapshot(), profile: self.profile.clone(), uris: self.uris.clone() }
    }

    /// A text is about to change. The first state since the last pause is kept, to be dropped elsewhere; those between
    /// have nothing derived from them.
    pub(crate) fn before_change(&mut self) {
        if self.retired.is_none() {
            self.retired = Some(self.workspace.snapshot());
        }
    }

    /// The text of a document changed: answers about the old one are worthless.
    pub(crate) fn text_changed(&mut self, path: &Path) {
        self.running.retain(|(about, flag)| {
            let concerned = about == path;
            if concerned {
                flag.make_stale();
            }
            !concerned
        });
        self.publisher.invalidate(Some(path));
        self.final_values.invalidate();
        if let Some(document) = self
            .documents
            .get(path)
            .filter(|document| self.profile.pulls_diagnostics && !self.edited.contains(&document.file))
        {
            self.edited.push(document.file);
        }
        if !self.profile.watches_files {
            self.disk.ask();
        }
    }

    /// Something else than one text changed: settings, files on disk, folders.
    pub(crate) fn surroundings_changed(&mut self) {
        self.publisher.invalidate(None);
        self.final_values.invalidate();
        if self.profile.pulls_diagnostics {
            self.outbox.send(Outgoing::RefreshDiagnostics);
        }
    }

    /// Documents were opened or closed.
    pub(crate) fn documents_changed(&mut self) {
        self.uris =
            Arc::new(self.documents.iter().map(|(path, document)| (path.clone(), document.uri.clone())).collect());
    }

    /// Takes back what the client shows for a closed document.
    pub(crate) fn retract_diagnostics(&mut self, path: &Path, uri: lsp::Uri) {
        if let Some(params) = self.publisher.forget(path, uri) {
            self.outbox.send(Outgoing::Publish(params));
        }
    }

    /// Starts what follows from the events handled so far. Called whenever the loop has nothing else to do.
    pub(crate) fn settle(&mut self) {
        if self.settings_awaited.is_some_and(|until| until <= Instant::now()) {
            self.settings_awaited = None;
        }
        for message in self.workspace.take_messages() {
            self.outbox.send(Outgoing::Show(lsp::MessageType::Warning, message));
        }
        self.start_diagnostics();
        for params in self.publisher.confirmations() {
            self.outbox.send(Outgoing::Publish(params));
        }
        self.find_dependants();
        let (snapshot, profile, uris) = (self.workspace.snapshot(), self.profile.clone(), self.uris.clone());
        self.final_values.start(|| View { snapshot, profile, uris }, &self.pool, &self.events);
        if let Some(retired) = self.retired.take() {
            // Behind the diagnostics of the new text: dropping what was derived from a large old one takes a while.
            self.pool.submit(Lane::Background, Job { name: "drop", run: Box::new(move || drop(retired)) });
        }
        if self.disk.is_due() {
            self.look_at_disk();
            self.start_diagnostics();
        }
    }

    fn start_diagnostics(&mut self) {
        if self.profile.pulls_diagnostics || self.settings_awaited.is_some() {
            return;
        }
        if self.publisher.is_due() {
            let (view, targets) = (self.view(), self.targets());
            self.publisher.start(view, targets, &self.pool, &self.events);
        } else if self.publisher.is_early_due() {
            let (view, targets) = (self.view(), self.targets());
            self.publisher.start_early(view, targets, &self.events);
        }
    }

    /// The open documents as a run of diagnostics needs them.
    fn targets(&self) -> Vec<Target> {
        let target = |(path, document): (&PathBuf, &OpenDocument)| Target {
            path: path.clone(),
            file: document.file,
            uri: document.uri.clone(),
            version: document.version,
        };
        self.documents.iter().map(target).collect()
    }

    /// A client that pulls does so for the document it edits. If that is a schema, others are to be pulled again.
    fn find_dependants(&mut self) {
        if self.edited.is_empty() || self.finding_dependants {
            return;
        }
        self.finding_dependants = true;
        let (edited, snapshot) = (std::mem::take(&mut self.edited), self.workspace.snapshot());
        let over =
            OnDrop::new(self.events.clone(), "dependants searched", |session| session.finding_dependants = false);
        let events = self.events.clone();
        let find = move || {
            let _over = over;
            if edited.iter().any(|file| !snapshot.dependants(*file).is_empty()) {
                events.change("dependants found", |session| session.outbox.send(Outgoing::RefreshDiagnostics));
            }
        };
        self.pool.submit(Lane::Background, Job { name: "dependants", run: Box::new(find) });
    }

    /// When [`Session::settle`] has to be called even if nothing happens.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let publisher = self.publisher.confirmations_due.into_iter().chain(self.publisher.early_deadline());
        self.settings_awaited.into_iter().chain(self.disk.due).chain(publisher).min()
    }

    /// Other folders.
    pub(crate) fn change_roots(&mut self, removed: &[PathBuf], added: Vec<PathBuf>) {
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(added);
        self.workspace.set_roots(self.roots.clone());
        self.scan();
        self.surroundings_changed();
    }

    /// Walks the folders, elsewhere. The first time the client may show that.
    pub(crate) fn scan(&mut self) {
        if self.profile.progress && !self.shows_progress && !self.workspace.is_scanned() && self.scans == 0 {
            self.shows_progress = true;
            let begin =
                lsp::WorkDoneProgressBegin { title: "Lofting: reading the workspace".to_owned(), ..Default::default() };
            self.outbox.send(Outgoing::ProgressBegin(begin));
        }
        self.scans += 1;
        let (scanner, events) = (self.workspace.scanner(), self.events.clone());
        let walk = move || {
            let result = scanner.run(&mut |_| {}, &lofting_workspace::CancelFlag::new());
            events.change("scanned", move |session| session.scanned(result));
        };
        if let Err(error) = thread::Builder::new().name("scan".to_owned()).spawn(walk) {
            tracing::error!(%error, "no thread for the scan");
            self.scans -= 1;
        }
    }

    fn scanned(&mut self, result: ScanResult) {
        self.scans -= 1;
        self.workspace.apply_scan(result);
        if self.shows_progress && self.scans == 0 {
            self.shows_progress = false;
            self.outbox.send(Outgoing::ProgressEnd(lsp::WorkDoneProgressEnd::default()));
        }
        self.surroundings_changed();
    }

    /// Looks for changes on disk the client did not tell of.
    pub(crate) fn look_at_disk(&mut self) {
        if self.profile.watches_files {
            return;
        }
        let started = Instant::now();
        let changed = self.workspace.recheck_disk();
        self.disk.looked(started.elapsed());
        if !changed.is_empty() {
            self.surroundings_changed();
        }
    }

    /// A worker has the diagnostics of a document.
    pub(crate) fn diagnosed(&mut self, result: publish::Result) {
        if !self.documents.contains_key(result.path()) {
            return;
        }
        if let Some(params) = self.publisher.accept(result) {
            self.outbox.send(Outgoing::Publish(params));
        }
    }

    /// A worker has texts of final data values.
    pub(crate) fn final_values_made(&mut self, found: final_values::Found) {
        for (path, asked_by) in self.final_values.changed(found) {
            let file = self.uris.get(&path).cloned().unwrap_or_else(|| uri::from_path(&path));
            let uri = final_values::virtual_uri(&file);
            self.outbox.send(match asked_by {
                AskedBy::Own => Outgoing::FinalDataValuesChanged(uri),
                AskedBy::Protocol => Outgoing::RefreshContent(uri),
            });
        }
    }

    /// A run of diagnostics has ended.
    pub(crate) fn run_over(&mut self, number: u64) {
        self.publisher.run_over(number);
    }

    /// Asks the client for its settings, if it answers such questions.
    pub(crate) fn ask_settings(&mut self) {
        if !self.profile.configuration {
            return;
        }
        self.settings_round += 1;
        if self.settings_round == 1 {
            self.settings_awaited = Some(Instant::now() + SETTINGS_PATIENCE);
        }
        self.outbox.send(Outgoing::Configuration { items: settings::items(), round: self.settings_round });
    }

    /// The client answered [`Session::ask_settings`], or refused to.
    pub(crate) fn settings_arrived(&mut self, round: u64, answers: Option<Vec<Value>>) {
        if round != self.settings_round {
            return;
        }
        self.settings_awaited = None;
        if let Some(answers) = answers {
            self.apply_settings(settings::from_answers(&answers));
        }
    }

    /// Puts settings into effect and tells the user what is wrong with them.
    pub(crate) fn apply_settings(&mut self, reading: settings::Reading) {
        for mistake in reading.mistakes {
            self.outbox.send(Outgoing::Show(lsp::MessageType::Warning, mistake));
        }
        self.workspace.set_settings(reading.settings);
        self.surroundings_changed();
    }
}

/// When to look at the disk for clients that watch nothing.
#[derive(Default)]
struct DiskLooks {
    /// Not before.
    earliest: Option<Instant>,
    due: Option<Instant>,
}

impl DiskLooks {
    /// Asks for a look as soon as one is allowed.
    fn ask(&mut self) {
        let now = Instant::now();
        self.due.get_or_insert(self.earliest.map_or(now, |earliest| earliest.max(now)));
    }

    fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }

    /// A look that took so long is over.
    fn looked(&mut self, took: Duration) {
        self.earliest = Some(Instant::now() + DISK_PAUSE.max(took * DISK_SHARE));
        self.due = None;
    }
}

/// The folders the client works in; older clients name one, in two ways.
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

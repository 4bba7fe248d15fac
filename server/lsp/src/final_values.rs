//! The virtual documents with final data values that a client shows, and when they changed.
//!
//! Asking for one makes it watched: whenever texts or their surroundings have changed, the watched ones are made again in
//! the background, and the client is told of those that differ.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use lofting_workspace::Need;
use tower_lsp_server::gen_lsp_types as lsp;

use crate::code::CodeRunner;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool};
use crate::uri;
use crate::view::View;

/// The scheme of the virtual documents; the rest of their URI is the path of the file.
pub(crate) const SCHEME: &str = "lofting-values";

/// So many are watched; of more, the one asked for longest ago is forgotten.
const MOST: usize = 16;

/// The virtual document that belongs to a file.
pub(crate) fn virtual_uri(file: &lsp::Uri) -> String {
    let text = file.as_ref();
    let rest = text.split_once(':').map_or(text, |(_, rest)| rest);
    format!("{SCHEME}:{rest}")
}

/// The file of a virtual document, or the file itself. Some clients leave out the empty host: `lofting-values:/path`.
pub(crate) fn path_of(uri: &lsp::Uri) -> PathBuf {
    let rest = uri.as_ref().strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(':'));
    match rest {
        Some(rest) if rest.starts_with("//") => uri::to_path(&lsp::Uri::from(format!("file:{rest}"))),
        Some(rest) => uri::to_path(&lsp::Uri::from(format!("file://{rest}"))),
        None => uri::to_path(uri),
    }
}

/// The text for a file.
pub(crate) fn text(view: &View, code: &CodeRunner, path: &std::path::Path) -> Option<String> {
    let file = view.snapshot.file(path)?;
    let (snapshot, _) = code.evaluate(&view.snapshot, file, Need::Values);
    lofting_ide::final_data_values(&snapshot, file)
}

/// The documents of one client.
#[derive(Default)]
pub(crate) struct FinalValues {
    watched: Vec<Watched>,
    due: bool,
    /// Jobs that are not over: first texts, and one that makes all again.
    jobs: usize,
}

/// A document the client has asked for.
struct Watched {
    path: PathBuf,
    asked_by: AskedBy,
    /// The text that the client has, in short, once it is known.
    shown: Option<u64>,
}

/// How a client asks for documents, and so how it is told of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// `lofting/finalDataValues`
    Own,
    /// `workspace/textDocumentContent`
    Protocol,
}

impl AskedBy {
    /// The way of a request, if it asks for such a document.
    pub(crate) fn method(method: &str) -> Option<AskedBy> {
        match method {
            "lofting/finalDataValues" => Some(AskedBy::Own),
            "workspace/textDocumentContent" => Some(AskedBy::Protocol),
            _ => None,
        }
    }
}

/// The texts of documents, in short.
pub(crate) struct Found(Vec<(PathBuf, u64)>);

impl FinalValues {
    /// A client asks for a document and gets it as `view` has it: from now on it is watched.
    pub(crate) fn watch(
        &mut self,
        path: PathBuf,
        asked_by: AskedBy,
        view: View,
        pool: &Pool,
        events: &EventSender,
        code: &CodeRunner,
    ) {
        self.watched.retain(|known| known.path != path);
        self.watched.push(Watched { path: path.clone(), asked_by, shown: None });
        if self.watched.len() > MOST {
            self.watched.remove(0);
        }
        self.make(vec![path], view, pool, events, code);
        self.due = true;
    }

    /// Something changed that may change values.
    pub(crate) fn invalidate(&mut self) {
        self.due = true;
    }

    /// Whether there is a reason to make watched documents again.
    pub(crate) fn is_due(&self) -> bool {
        self.due && self.jobs == 0 && !self.watched.is_empty()
    }

    /// Makes watched documents again.
    pub(crate) fn start(&mut self, view: View, pool: &Pool, events: &EventSender, code: &CodeRunner) {
        self.due = false;
        let paths = self.watched.iter().map(|watched| watched.path.clone()).collect();
        self.make(paths, view, pool, events, code);
    }

    fn make(&mut self, paths: Vec<PathBuf>, view: View, pool: &Pool, events: &EventSender, code: &CodeRunner) {
        self.jobs += 1;
        let (events, code) = (events.clone(), code.clone());
        let over = OnDrop::new(events.clone(), "final values over", |session| session.final_values.jobs -= 1);
        let make = move || {
            let _over = over;
            let hash = |path: &PathBuf| {
                let mut hasher = DefaultHasher::new();
                text(&view, &code, path).hash(&mut hasher);
                hasher.finish()
            };
            let found = Found(paths.into_iter().map(|path| (path.clone(), hash(&path))).collect());
            events.change("final values", move |session| session.final_values_made(found));
        };
        pool.submit(Lane::Code, Job { name: "final values", run: Box::new(make) });
    }

    /// The documents of which the client has another text, with the way it has asked for them.
    pub(crate) fn changed(&mut self, found: Found) -> Vec<(PathBuf, AskedBy)> {
        let mut changed = Vec::new();
        for (path, hash) in found.0 {
            let Some(watched) = self.watched.iter_mut().find(|watched| watched.path == path) else { continue };
            if watched.shown.replace(hash).is_some_and(|old| old != hash) {
                changed.push((path, watched.asked_by));
            }
        }
        changed
    }
}

//! The virtual documents that a client shows, and their changes: final data values, and rendered output.
//!
//! A requested document becomes watched: whenever texts or their surroundings have changed, the watched ones are made
//! again in the background, and the client is notified of those that differ.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use lofting_workspace::{Need, OutputCall};
use serde::{Deserialize, Serialize};
use tower_lsp_server::gen_lsp_types as lsp;

use crate::code::CodeRunner;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool};
use crate::uri;
use crate::view::View;

/// The maximum number of watched documents; beyond it, the least recently requested one is forgotten.
pub(crate) const MOST: usize = 16;

/// What a virtual document shows about its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VirtualKind {
    /// The final data values of the calls that the file is part of.
    Values,
    /// The rendered output of the file.
    Output,
    /// The rendered output of the whole input set of the file.
    SetOutput,
}

impl VirtualKind {
    /// All kinds.
    pub(crate) const ALL: [VirtualKind; 3] = [VirtualKind::Values, VirtualKind::Output, VirtualKind::SetOutput];

    /// The scheme of its URIs.
    pub(crate) fn scheme(self) -> &'static str {
        match self {
            VirtualKind::Values => "lofting-values",
            VirtualKind::Output => "lofting-output",
            VirtualKind::SetOutput => "lofting-set-output",
        }
    }
}

/// A virtual document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VirtualDocument {
    /// What it shows.
    pub(crate) kind: VirtualKind,
    /// The file it belongs to.
    pub(crate) path: PathBuf,
    /// The title of the call whose output it shows; `None` means the first.
    pub(crate) call: Option<String>,
    /// The call in a few words, for an editor that makes a title of the URI.
    pub(crate) label: Option<String>,
}

/// The query of a URI that an editor makes a title of.
#[derive(Serialize, Deserialize)]
struct Query {
    /// The title of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    /// It in a few words, without slashes.
    label: Option<String>,
}

impl VirtualDocument {
    /// The document with this URI, or one of kind `kind` that belongs to the file with this URI. The path of a document
    /// is that of its file, its query the title of the call. Some clients leave out the empty host:
    /// `lofting-values:/path`.
    pub(crate) fn of(uri: &lsp::Uri, kind: VirtualKind) -> VirtualDocument {
        let text = uri.as_ref();
        let found = VirtualKind::ALL.into_iter().find_map(|kind| {
            let rest = text.strip_prefix(kind.scheme())?.strip_prefix(':')?;
            Some((kind, rest))
        });
        let Some((kind, rest)) = found else {
            return VirtualDocument { kind, path: uri::to_path(uri), call: None, label: None };
        };
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
        let path = match rest.starts_with("//") {
            true => uri::to_path(&lsp::Uri::from(format!("file:{rest}"))),
            false => uri::to_path(&lsp::Uri::from(format!("file://{rest}"))),
        };
        let query = query.filter(|query| !query.is_empty()).map(lofting_workspace::uri_decoded);
        let Query { call, label } = match query {
            Some(text) => serde_json::from_str(&text).unwrap_or(Query { call: Some(text), label: None }),
            None => Query { call: None, label: None },
        };
        VirtualDocument { kind, path, call, label }
    }

    /// The document of a call of this file.
    pub(crate) fn of_call(&self, kind: VirtualKind, call: &OutputCall) -> VirtualDocument {
        // An editor takes what is behind the last slash as the name.
        let label = call.label.replace('/', " ");
        VirtualDocument { kind, path: self.path.clone(), call: Some(call.title.clone()), label: Some(label) }
    }

    /// Its URI. `file`: that of its file, in the client's spelling.
    pub(crate) fn uri(&self, file: &lsp::Uri) -> String {
        let text = file.as_ref();
        let rest = text.split_once(':').map_or(text, |(_, rest)| rest);
        let query = match &self.label {
            None => self.call.clone(),
            label => serde_json::to_string(&Query { call: self.call.clone(), label: label.clone() }).ok(),
        };
        let query = query.map(|query| format!("?{}", lofting_workspace::uri_encoded(&query))).unwrap_or_default();
        format!("{}:{rest}{query}", self.kind.scheme())
    }

    /// The text, if there is one.
    pub(crate) fn text(&self, view: &View, code: &CodeRunner) -> Option<String> {
        match self.kind {
            VirtualKind::Values => {
                let file = view.snapshot.file(&self.path)?;
                let (snapshot, _) = code.evaluate(&view.snapshot, file, Need::Values);
                lofting_ide::final_data_values(&snapshot, file)
            }
            VirtualKind::Output | VirtualKind::SetOutput => {
                Some(code.outputs.get(self, view, code)?.text_with_reasons())
            }
        }
    }

    /// A hash of what the client sees.
    fn hash(&self, view: &View, code: &CodeRunner) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.kind {
            VirtualKind::Values => self.text(view, code).hash(&mut hasher),
            VirtualKind::Output | VirtualKind::SetOutput => {
                let output = code.outputs.get(self, view, code);
                let seen = output.map(|output| (output.text_with_reasons(), output.stale, output.shown.lines.clone()));
                seen.hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// The documents of one client.
#[derive(Default)]
pub(crate) struct VirtualDocuments {
    watched: Vec<Watched>,
    due: bool,
    /// Running jobs: first texts, and one that makes all texts again.
    jobs: usize,
}

/// A document the client has asked for.
struct Watched {
    document: VirtualDocument,
    asked_by: AskedBy,
    /// The hash of the client's text, once it is known.
    shown: Option<u64>,
}

/// How a client requests documents, which determines how it is notified of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// `lofting/finalDataValues`, `lofting/renderedOutput`
    Own,
    /// `workspace/textDocumentContent`
    Protocol,
}

/// The document that a request is about, if any.
pub(crate) fn asked(method: &str, uri: &lsp::Uri) -> Option<(VirtualDocument, AskedBy)> {
    let (kind, asked_by) = match method {
        "lofting/finalDataValues" => (VirtualKind::Values, AskedBy::Own),
        "lofting/renderedOutput" => (VirtualKind::Output, AskedBy::Own),
        "workspace/textDocumentContent" => (VirtualKind::Values, AskedBy::Protocol),
        _ => return None,
    };
    Some((VirtualDocument::of(uri, kind), asked_by))
}

/// The hashes of the texts of documents.
pub(crate) struct HashedDocuments(Vec<(VirtualDocument, u64)>);

impl VirtualDocuments {
    /// A client requests a document and gets it as of `view`: from now on it is watched.
    pub(crate) fn watch(
        &mut self,
        document: VirtualDocument,
        asked_by: AskedBy,
        view: View,
        pool: &Pool,
        events: &EventSender,
        code: &CodeRunner,
    ) {
        self.watched.retain(|known| known.document != document);
        self.watched.push(Watched { document: document.clone(), asked_by, shown: None });
        if self.watched.len() > MOST {
            self.watched.remove(0);
        }
        self.make(vec![document], view, pool, events, code);
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
        let documents = self.watched.iter().map(|watched| watched.document.clone()).collect();
        self.make(documents, view, pool, events, code);
    }

    fn make(
        &mut self,
        documents: Vec<VirtualDocument>,
        view: View,
        pool: &Pool,
        events: &EventSender,
        code: &CodeRunner,
    ) {
        self.jobs += 1;
        let (events, code) = (events.clone(), code.clone());
        let over = OnDrop::new(events.clone(), "virtual documents over", |session| session.virtual_documents.jobs -= 1);
        let make = move || {
            let _over = over;
            let hashed = |document: VirtualDocument| {
                let hash = document.hash(&view, &code);
                (document, hash)
            };
            let found = HashedDocuments(documents.into_iter().map(hashed).collect());
            events.change("virtual documents", move |session| session.virtual_documents_made(found));
        };
        pool.submit(Lane::Code, Job { name: "virtual documents", run: Box::new(make) });
    }

    /// The documents of which the client has an outdated text, with the way it requested them.
    pub(crate) fn changed(&mut self, found: HashedDocuments) -> Vec<(VirtualDocument, AskedBy)> {
        let mut changed = Vec::new();
        for (document, hash) in found.0 {
            let Some(watched) = self.watched.iter_mut().find(|watched| watched.document == document) else { continue };
            if watched.shown.replace(hash).is_some_and(|old| old != hash) {
                changed.push((document, watched.asked_by));
            }
        }
        changed
    }
}

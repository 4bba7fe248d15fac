//! Virtual documents: final data values, and rendered output.

use std::path::PathBuf;

use gen_lsp_types as lsp;
use lofting_text::{Breaks, visible};
use lofting_workspace::OutputCall;
use serde::{Deserialize, Serialize};

use crate::{built_in_documents, uri};

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
    /// The call in a few words, for an editor that shows the URI as a title.
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
        let path = if rest.starts_with("//") {
            uri::to_path(&lsp::Uri::from(format!("file:{rest}")))
        } else {
            uri::to_path(&lsp::Uri::from(format!("file://{rest}")))
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
        // An editor shows the part after the last slash as the name.
        // Titles of windows show it.
        let label = visible(&call.label.replace('/', " "), Breaks::Shown).into_owned();
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
    // Built-in texts never change.
    if built_in_documents::name(uri).is_some() {
        return None;
    }
    let (kind, asked_by) = match method {
        "lofting/finalDataValues" => (VirtualKind::Values, AskedBy::Own),
        "lofting/renderedOutput" => (VirtualKind::Output, AskedBy::Own),
        "workspace/textDocumentContent" => (VirtualKind::Values, AskedBy::Protocol),
        _ => return None,
    };
    Some((VirtualDocument::of(uri, kind), asked_by))
}

//! The view of a worker: the state at the time of the request, which no later edit changes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types as lsp;
use lofting_document::{FileId, Span};
use lofting_ide::Markup;
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use rpds::HashTrieMapSync;

use crate::awaited::Completions;
use crate::capabilities::ClientProfile;
use crate::editor_settings::EditorSettings;
use crate::last_pull::LastPull;
use crate::outbox::Outbox;
use crate::outputs::Outputs;
use crate::token_results::TokenResults;
use crate::typing::Typing;
use crate::{built_in_documents, positions, uri};

/// URIs of documents by their paths. Each request has a copy: copying is free, and a change costs a path to one entry.
pub(crate) type Uris = HashTrieMapSync<PathBuf, lsp::Uri>;

/// A client, as the session and its workers know it. Copies are free.
#[derive(Clone)]
pub(crate) struct Client {
    /// Its capabilities.
    pub(crate) profile: Arc<ClientProfile>,
    /// What the user wants to see.
    pub(crate) editor: Arc<EditorSettings>,
    /// The URIs under which the client opened files. Others get one made from their path.
    pub(crate) uris: Uris,
    /// What was asked last about all files.
    pub(crate) whole: LastPull,
    /// The semantic tokens that were sent last.
    pub(crate) tokens: TokenResults,
    /// The rendered outputs as the client sees them.
    pub(crate) outputs: Outputs,
    /// Completes what was answered before code had run.
    pub(crate) completions: Completions,
    /// Messages for it.
    pub(crate) outbox: Outbox,
}

/// A consistent view of the session for one request or one run of diagnostics.
#[derive(Clone)]
pub(crate) struct View {
    /// Files, trees and schemas.
    pub(crate) snapshot: Snapshot,
    /// The client that is answered.
    pub(crate) client: Client,
    /// For a completion directly after a typed character: the offset after that.
    pub(crate) typed_to: Option<usize>,
    /// The state of typing in the document of the request.
    pub(crate) typing: Typing,
}

impl View {
    /// The file of a document, if the workspace knows it.
    pub(crate) fn file(&self, uri: &lsp::Uri) -> Option<FileId> {
        self.snapshot.file(&uri::to_path(uri))
    }

    /// The YAML or code and byte offset that a request is about.
    pub(crate) fn place(&self, params: &lsp::TextDocumentPositionParams) -> Option<(FileId, usize)> {
        let place = self.any_place(params)?;
        (self.snapshot.kind(place.0) != FileKind::Configuration).then_some(place)
    }

    /// The place in any file of ours, including `lofting.toml`.
    pub(crate) fn any_place(&self, params: &lsp::TextDocumentPositionParams) -> Option<(FileId, usize)> {
        let file = self.file(&params.text_document.uri)?;
        Some((file, positions::offset(&self.text(file), params.position, self.client.profile.encoding)))
    }

    /// The document if we provide its structure.
    pub(crate) fn with_structure(&self, uri: &lsp::Uri) -> Option<FileId> {
        self.file(uri).filter(|file| self.snapshot.shows_structure(*file))
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: FileId) -> Text {
        self.snapshot.text(file)
    }

    /// A byte range of a file in the client's units.
    pub(crate) fn range(&self, file: FileId, range: Range<usize>) -> lsp::Range {
        positions::range(&self.text(file), range, self.client.profile.encoding)
    }

    /// The URI of a file, in the client's spelling if there is one.
    pub(crate) fn uri(&self, file: FileId) -> lsp::Uri {
        let path = self.snapshot.path(file);
        self.client.uris.get(path).cloned().unwrap_or_else(|| uri::from_path(path))
    }

    /// A span in the client's units.
    pub(crate) fn location(&self, span: Span) -> lsp::Location {
        let span = self.snapshot.placed(span);
        if let Some(name) = self.snapshot.built_in_name(span.file) {
            let (text, range) = built_in_documents::shown(&self.text(span.file), span.range());
            let range = positions::range(&text, range, self.client.profile.encoding);
            return lsp::Location { uri: built_in_documents::uri(name), range };
        }
        lsp::Location { uri: self.uri(span.file), range: self.range(span.file, span.range()) }
    }

    /// The form of texts for a feature of the client.
    pub(crate) fn markup(markdown: bool) -> Markup {
        if markdown { Markup::Markdown } else { Markup::Plain }
    }
}

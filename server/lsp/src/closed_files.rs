//! Findings of files that are not open, whether the client pulls them or gets them pushed.

use std::time::Duration;

use gen_lsp_types as lsp;
use lofting_document::FileId;

use crate::cancel::CancelFlag;
use crate::to_proto;
use crate::to_proto::diagnostic::result_id;
use crate::view::View;

/// Files whose findings go to the client together.
pub(crate) const BATCH: usize = 100;

/// How long a part may wait for its way to the client. Only one that reads nothing any more lets it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A file, and what is found in it if it is not open.
pub(crate) struct Looked {
    /// The file.
    pub(crate) file: FileId,
    /// Its URI.
    pub(crate) uri: lsp::Uri,
    /// `None` for open documents: their findings reach the client in other ways.
    pub(crate) found: Option<Found>,
}

/// What is found in a file that is not open.
pub(crate) struct Found {
    /// The findings.
    pub(crate) items: Vec<lsp::Diagnostic>,
    /// Identifies the findings: equal lists have equal identifiers.
    pub(crate) id: String,
}

/// Looks at all files, by their paths, because neighbours share a schema. Ends early once `cancel` is set.
pub(crate) fn look<'a>(view: &'a View, cancel: &'a CancelFlag) -> impl Iterator<Item = Looked> + 'a {
    let mut files: Vec<FileId> = view.snapshot.files().collect();
    files.sort_by(|one, other| view.snapshot.path(*one).cmp(view.snapshot.path(*other)));
    let looks = files.into_iter().map(|file| {
        let is_open = view.snapshot.version(file).is_some();
        Looked { file, uri: view.uri(file), found: (!is_open).then(|| found(view, file, cancel)) }
    });
    // A look that was interrupted has found less than there is.
    looks.take_while(|_| !cancel.is_set())
}

fn found(view: &View, file: FileId, cancel: &CancelFlag) -> Found {
    let look = || view.snapshot.findings_of_closed_file(file, cancel.work());
    let found = cancel.work().until_cancelled(look).ok().flatten().unwrap_or_default();
    let items: Vec<_> = found.list.iter().map(|found| to_proto::diagnostic::diagnostic(view, found)).collect();
    let id = result_id(&items, found.partial);
    Found { items, id }
}

//! `workspace/willRenameFiles`

use gen_lsp_types as lsp;
use lofting_ide::Change;

use super::{Answer, Params, Request, Whole};
use crate::cancel::CancelFlag;
use crate::to_proto::workspace_edit;
use crate::uri;
use crate::view::View;

/// Edits that renaming files and folders requires.
pub(crate) struct WillRenameFiles;

impl Request for WillRenameFiles {
    type Protocol = lsp::WillRenameFilesRequest;

    type Lane = Whole;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(_: &Params<Self>) -> lsp::Uri {
        // It is about no document.
        lsp::Uri(String::new())
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let path = |uri: String| uri::to_path(&lsp::Uri(uri));
        let moves: Vec<_> = params.files.into_iter().map(|file| (path(file.old_uri.0), path(file.new_uri.0))).collect();
        let edits = lofting_ide::rename_files(&view.snapshot, &moves, cancel.work());
        (!edits.is_empty()).then(|| workspace_edit::of_change(view, Change::of(edits)))
    }
}

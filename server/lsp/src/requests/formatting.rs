//! `textDocument/formatting`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;
use lofting_document::FileId;
use std::ops::Range;

/// Formats a document.
pub(crate) struct Formatting;

impl Request for Formatting {
    type Protocol = lsp::DocumentFormattingRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let file = view.with_structure(&params.text_document.uri)?;
        Some(edits(view, file, None))
    }
}

/// The edits that format a document, or some of its lines. The editor's tab settings are ignored: indentation is that
/// of the file or was configured, so that the command line gives the same result.
pub(super) fn edits(view: &View, file: FileId, range: Option<Range<usize>>) -> Vec<lsp::TextEdit> {
    let text = view.text(file);
    let edit = |edit: lofting_format::Edit| lsp::TextEdit {
        range: positions::range(&text, edit.range, view.client.profile.encoding),
        new_text: edit.text,
    };
    lofting_ide::formatting(&view.snapshot, file, range).into_iter().map(edit).collect()
}

//! Documentation in the markup that a client announced. Only this module declares texts as Markdown, and only `ide`
//! makes such texts.

use gen_lsp_types as lsp;
use lofting_ide::Marked;

/// A text for a hover.
pub(crate) fn content(text: Marked, markdown: bool) -> lsp::MarkupContent {
    let kind = if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value: text.into_string() }
}

/// A text for an item of a list or a signature.
pub(crate) fn documentation(text: Marked, markdown: bool) -> lsp::Documentation {
    if markdown {
        lsp::Documentation::MarkupContent(content(text, true))
    } else {
        lsp::Documentation::String(text.into_string())
    }
}

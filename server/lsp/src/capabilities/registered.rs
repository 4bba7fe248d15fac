//! What the server names when it registers: kinds of tokens, and files.

use gen_lsp_types as lsp;
use lofting_ide::{SemanticKind, SemanticModifiers};

/// The kinds of tokens and their modifiers, by their numbers.
pub(super) fn legend() -> lsp::SemanticTokensLegend {
    let kinds = SemanticKind::ALL.iter().map(|(_, name)| (*name).to_owned());
    let modifiers = SemanticModifiers::ALL.iter().map(|(_, name)| (*name).to_owned());
    lsp::SemanticTokensLegend { token_types: kinds.collect(), token_modifiers: modifiers.collect() }
}

/// Which files hold or are named by what this server reads.
const FILES: &str = "**/*.{yml,yaml,json,star,toml}";

/// The files and folders whose renaming the client has to report.
pub(super) fn renamed_files() -> lsp::FileOperationRegistrationOptions {
    let filter = |glob: &str, kind| lsp::FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: lsp::FileOperationPattern { glob: glob.to_owned(), matches: Some(kind), options: None },
    };
    lsp::FileOperationRegistrationOptions {
        filters: vec![
            filter(FILES, lsp::FileOperationPatternKind::File),
            filter("**", lsp::FileOperationPatternKind::Folder),
        ],
    }
}

//! Settings about what an editor shows. Neither findings nor the command line depend on them.

use lofting_ide::{HintChoices, LensChoices, TokenChoices};

/// Which problems of files that are not open a client gets without asking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ShownProblems {
    /// None.
    #[default]
    Off,
    /// Errors.
    Errors,
    /// All.
    All,
}

/// What is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct EditorSettings {
    /// Which kinds of inlay hints:
    /// `lofting.inlayHints.finalValues`,
    /// `lofting.inlayHints.defaults`,
    /// `lofting.inlayHints.types`,
    /// `lofting.inlayHints.aliases` and
    /// `lofting.inlayHints.parameters`.
    pub(crate) hints: HintChoices,
    /// Which code lenses:
    /// `lofting.codeLens.uses` and
    /// `lofting.codeLens.sets`.
    pub(crate) lenses: LensChoices,
    /// Which semantic tokens:
    /// `lofting.semanticTokens.keys`.
    pub(crate) tokens: TokenChoices,
    /// `lofting.workspaceProblems`: which problems of files that are not open.
    pub(crate) problems: ShownProblems,
}

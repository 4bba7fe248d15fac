//! What follows from a change: one table for all kinds of changes.

use std::path::Path;

use crate::session::Session;

/// A change of the state.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Changed<'p> {
    /// The text of a document, which is checked first.
    Text(&'p Path),
    /// What a document is, after typing in it has ended: all that follows from a new text follows from this.
    Language(&'p Path),
    /// Anything that may concern any file: settings, files on disk, folders.
    Surroundings,
    /// The results of running code are part of the state; how it ended may affect any file.
    Code,
    /// Input sets of open documents were rendered, and the findings differ from before.
    Rendered,
    /// Open schemas were compared with where the branch began, and the findings differ from before.
    Compared,
    /// Findings that were held back while the user typed in a document are shown.
    Held(&'p Path),
}

/// Something that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Open documents are checked.
    Diagnose,
    /// Virtual documents that the client shows are made again.
    MakeVirtualDocuments,
    /// Input sets are rendered, once nothing changes any more.
    Render,
    /// Open schemas are compared with where the branch began, once nothing changes any more.
    Compare,
    /// All other files are checked, once nothing changes any more.
    CheckUnopened,
    /// Documents of the web may be needed.
    Fetch,
    /// A client that pulls findings is asked to do so again.
    PullAgain,
    /// What is shown between and above lines is asked for again.
    ShowAgain,
}

impl<'p> Changed<'p> {
    /// The table.
    fn consequences(self) -> &'static [Then] {
        use Then::{CheckUnopened, Compare, Diagnose, Fetch, MakeVirtualDocuments, PullAgain, Render, ShowAgain};
        match self {
            Changed::Text(_) => &[Diagnose, MakeVirtualDocuments, Render, Compare, CheckUnopened, Fetch],
            Changed::Language(_) | Changed::Surroundings => {
                &[Diagnose, MakeVirtualDocuments, Render, Compare, CheckUnopened, Fetch, PullAgain, ShowAgain]
            }
            Changed::Code => &[Diagnose, CheckUnopened, ShowAgain],
            Changed::Rendered => &[Diagnose, CheckUnopened, PullAgain],
            Changed::Compared => &[Diagnose, PullAgain],
            Changed::Held(_) => &[Diagnose],
        }
    }

    /// The document that is checked first, because the user is looking at it.
    fn first(self) -> Option<&'p Path> {
        match self {
            Changed::Text(path) | Changed::Language(path) | Changed::Held(path) => Some(path),
            Changed::Surroundings | Changed::Code | Changed::Rendered | Changed::Compared => None,
        }
    }
}

impl Session {
    /// Notes a change. What follows from it is started once the loop has no more events.
    pub(crate) fn changed(&mut self, change: Changed<'_>) {
        for then in change.consequences() {
            match then {
                Then::Diagnose => self.publisher.invalidate(change.first()),
                Then::MakeVirtualDocuments => self.virtual_documents.invalidate(),
                Then::Render => self.rendering.invalidate(true),
                Then::Compare => self.branch.invalidate(true),
                Then::CheckUnopened => self.problems.invalidate(),
                Then::Fetch => self.fetching.is_due = true,
                Then::PullAgain => self.refresh_diagnostics(),
                Then::ShowAgain => self.refresh_shown(),
            }
        }
    }
}

//! Requests that are being answered, by document.

use std::path::{Path, PathBuf};

use crate::cancel::CancelFlag;

/// When more requests than this are remembered, answered ones are removed.
const RUNNING_KEPT: usize = 64;

/// Requests that a worker has or will have.
pub(crate) struct RunningRequests {
    list: Vec<(PathBuf, CancelFlag)>,
    /// When there are this many, answered ones are removed.
    kept: usize,
}

impl Default for RunningRequests {
    fn default() -> Self {
        RunningRequests { list: Vec::new(), kept: RUNNING_KEPT }
    }
}

impl RunningRequests {
    /// Adds a request about a document.
    pub(crate) fn add(&mut self, about: PathBuf, cancel: CancelFlag) {
        if self.list.len() >= self.kept {
            self.list.retain(|(_, flag)| !flag.is_abandoned());
            self.kept = RUNNING_KEPT.max(2 * self.list.len());
        }
        self.list.push((about, cancel));
    }

    /// Answers about the old text of a document are useless.
    pub(crate) fn make_stale(&mut self, path: &Path) {
        self.list.retain(|(about, flag)| {
            let concerned = about == path;
            if concerned {
                flag.make_stale();
            }
            !concerned
        });
    }
}

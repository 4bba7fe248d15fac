//! Problems of files that are not open, for editors that do not pull them: sent where `lofting.workspaceProblems` asks
//! for it.
//!
//! Once nothing has changed for a moment, a pass looks at all files in the lane for requests about all files, and the
//! next change ends it. Only what the client does not show yet is sent, part by part.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

use gen_lsp_types as lsp;

use crate::cancel::CancelFlag;
use crate::closed_files::{self, BATCH, Looked, PATIENCE};
use crate::editor_settings::ShownProblems;
use crate::outbox::Said;
use crate::pool::Lane;
use crate::session::debounced::Debounced;
use crate::session::{Events, Session};
use crate::view::View;

/// How many problems a client is sent at most: it keeps them all, and no user reads more.
const MOST: usize = 10_000;

/// What the client shows of files that it has not opened.
#[derive(Default)]
pub(crate) struct WorkspaceProblems {
    chosen: ShownProblems,
    /// The client pulls them itself.
    is_pulled: bool,
    pass: Debounced,
    shown: HashMap<PathBuf, Shown>,
    /// The user was notified that there are too many.
    reported: bool,
}

/// What the client shows of one file.
#[derive(Clone)]
struct Shown {
    uri: lsp::Uri,
    /// Identifies the problems: equal lists have equal identifiers.
    id: String,
}

/// What the client does not show yet of one file.
struct News {
    path: PathBuf,
    uri: lsp::Uri,
    /// `None` if there is nothing to show.
    id: Option<String>,
    items: Vec<lsp::Diagnostic>,
}

impl WorkspaceProblems {
    /// Notes a change that may concern any file.
    pub(crate) fn invalidate(&mut self) {
        self.pass.invalidate(self.is_wanted());
    }

    fn is_wanted(&self) -> bool {
        self.chosen != ShownProblems::Off && !self.is_pulled
    }

    /// When a pass is to begin, even without an event.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.pass.deadline().filter(|_| self.is_wanted())
    }

    /// Whether nothing has changed for long enough.
    pub(crate) fn is_due(&self) -> bool {
        self.is_wanted() && self.pass.is_due()
    }
}

impl Session {
    /// Shows as much as the user chose.
    pub(crate) fn choose_workspace_problems(&mut self, chosen: ShownProblems) {
        self.problems.chosen = chosen;
        self.problems.invalidate();
        self.retract_unwanted_problems();
    }

    /// The client has pulled the problems of all files: they need not be pushed.
    pub(crate) fn workspace_problems_are_pulled(&mut self) {
        if !self.problems.is_pulled {
            self.problems.is_pulled = true;
            self.problems.invalidate();
            self.retract_unwanted_problems();
        }
    }

    fn retract_unwanted_problems(&mut self) {
        if self.problems.is_wanted() {
            return;
        }
        for (_, shown) in self.problems.shown.drain() {
            self.client.outbox.say(Said::Publish(nothing(shown.uri)));
        }
    }

    /// A file is open from now on, and its problems reach the client as those of open documents do.
    pub(crate) fn retract_workspace_problems(&mut self, path: &Path, uri: &lsp::Uri) {
        let Some(shown) = self.problems.shown.remove(path) else { return };
        // Pushed again under the same URI, they replace what is shown.
        if self.client.profile.pulls_diagnostics || shown.uri != *uri {
            self.client.outbox.say(Said::Publish(nothing(shown.uri)));
        }
    }

    /// Begins a pass over all files.
    pub(crate) fn start_workspace_problems(&mut self) {
        let cancel = self.problems.pass.begin();
        let events = self.workers.events.clone();
        let pass = Pass {
            view: self.view(),
            events,
            chosen: self.problems.chosen,
            shown: self.problems.shown.clone(),
            cancel,
        };
        let over = |session: &mut Session| session.problems.pass.over();
        self.workers.submit_until(Lane::Whole, "workspace problems", over, move || pass.run());
    }

    /// Takes a part of what a pass has found, and hands it on unless something changed since.
    fn take_problems(&mut self, news: Vec<News>, cancel: &CancelFlag, sent: mpsc::Sender<()>) {
        if cancel.is_set() {
            return;
        }
        let mut all = Vec::new();
        for News { path, uri, id, items } in news {
            match id {
                Some(id) => self.problems.shown.insert(path, Shown { uri: uri.clone(), id }),
                None => self.problems.shown.remove(&path),
            };
            all.push(lsp::PublishDiagnosticsParams { uri, version: None, diagnostics: items });
        }
        self.client.outbox.say(Said::PublishAll { all, sent });
    }

    fn too_many_problems(&mut self) {
        if !std::mem::replace(&mut self.problems.reported, true) {
            let message = format!(
                "The files of this workspace have more than {MOST} problems, and the others are not shown. \
                 `lofting check` lists all."
            );
            self.client.outbox.say(Said::Show(lsp::MessageType::Info, message));
        }
    }
}

fn nothing(uri: lsp::Uri) -> lsp::PublishDiagnosticsParams {
    lsp::PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() }
}

/// A pass over all files.
struct Pass {
    view: View,
    events: Events,
    chosen: ShownProblems,
    /// What the client shows when it begins.
    shown: HashMap<PathBuf, Shown>,
    cancel: CancelFlag,
}

impl Pass {
    fn run(mut self) {
        let (view, cancel) = (self.view.clone(), self.cancel.clone());
        let (mut news, mut left) = (Vec::new(), MOST);
        for looked in closed_files::look(&view, &cancel) {
            news.extend(self.news(looked, &mut left));
            if news.len() >= BATCH {
                self.send(std::mem::take(&mut news));
            }
        }
        if cancel.is_set() {
            return;
        }
        // Files that are gone have no problems any more.
        let gone = self.shown.drain().map(|(path, shown)| News { path, uri: shown.uri, id: None, items: Vec::new() });
        news.extend(gone);
        self.send(news);
        if left == 0 {
            self.events.change("too many problems", Session::too_many_problems);
        }
        view.snapshot.keep_within_budget();
    }

    /// What is new about a file, of at most `left` problems.
    fn news(&mut self, looked: Looked, left: &mut usize) -> Option<News> {
        let mut found = looked.found?;
        let path = self.view.snapshot.path(looked.file);
        let shown = self.shown.remove(path);
        if self.chosen == ShownProblems::Errors {
            found.items.retain(|item| item.severity == Some(lsp::DiagnosticSeverity::Error));
        }
        let count = found.items.len();
        found.items.truncate(*left);
        *left -= found.items.len();
        let id = (!found.items.is_empty()).then(|| {
            if found.items.len() == count { found.id } else { format!("{} of {}", found.items.len(), found.id) }
        });
        match (shown, id) {
            (None, None) => None,
            (Some(shown), Some(id)) if shown.id == id && shown.uri == looked.uri => None,
            (_, id) => Some(News { path: path.to_owned(), uri: looked.uri, id, items: found.items }),
        }
    }

    /// Sends a part, and waits until it is on its way, so that no more is waiting than a client can read.
    fn send(&self, news: Vec<News>) {
        if news.is_empty() {
            return;
        }
        let (sent, on_its_way) = mpsc::channel();
        let cancel = self.cancel.clone();
        self.events.change("problems of files", move |session| session.take_problems(news, &cancel, sent));
        let _ = on_its_way.recv_timeout(PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_looked_at_unless_it_is_wanted() {
        let mut problems = WorkspaceProblems::default();
        problems.invalidate();
        assert!(problems.deadline().is_none(), "off by default");
        problems.chosen = ShownProblems::All;
        problems.invalidate();
        assert!(problems.deadline().is_some());
        problems.is_pulled = true;
        assert!(problems.deadline().is_none());
    }
}

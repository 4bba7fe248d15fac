//! Applies documents that were fetched from the web.

use crate::association::wishes::Namer;
use crate::files::fetched::{Answer, Answered, Fetch, FetchedDocuments, fetch_all};
use crate::files::table::Kept;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use std::sync::Arc;

/// How many times wishes are collected and fetched, for schemas that refer to others.
const ROUNDS: usize = 20;

impl Workspace {
    /// From now on wishes are answered, under possibly different settings: refused ones are wished for again.
    pub fn answer_wishes(&mut self) {
        self.forget_answers(|_| false);
        self.fetched().begin();
    }

    /// Documents that could not be fetched may be available now.
    pub fn wish_again(&mut self) {
        self.forget_answers(|answer| answer.is_ok());
    }

    fn forget_answers(&mut self, keep: impl Fn(&Answer) -> bool) {
        self.fetched().keep(keep);
    }

    /// Applies answers. Returns whether any of them is new.
    pub fn take_answers(&mut self, answers: Vec<Answered>) -> bool {
        let mut changed = false;
        for Answered { wish, answer, found } in answers {
            if let Some(found) = found {
                changed |= self.add_found(found).1;
            }
            if self.state.fetched.knows(&wish, &answer) {
                continue;
            }
            changed = true;
            self.fetched().put(wish, answer);
        }
        if changed {
            // The fetched documents may refer to files in folders that stand for URLs.
            let names = |id: &FileId| self.state.file(*id).is_some_and(|file| Kept::Naming.holds(file));
            let open = self.state.index.kept(Kept::Open).filter(names);
            let naming: Vec<Namer> = open
                .chain(self.state.index.kept(Kept::Configuration))
                .map(Namer::File)
                .chain([Namer::Settings])
                .collect();
            self.search_schemas(naming);
        }
        changed
    }

    /// What is known about documents on the web, mutable.
    fn fetched(&mut self) -> &mut FetchedDocuments {
        let state = self.change();
        state.structure = Stamp::next();
        let fetched = Arc::make_mut(&mut state.fetched);
        fetched.stamp = Stamp::next();
        fetched
    }

    /// Fetches what these files need, and waits for it.
    pub fn fetch_wishes(&mut self, files: &[FileId], fetch: &dyn Fetch) {
        self.answer_wishes();
        let mut files = files.to_vec();
        for _ in 0..ROUNDS {
            let (wishes, lacking) = self.snapshot().all_wishes(&files);
            // What is fetched changes nothing for the others.
            files = lacking;
            if wishes.is_empty() {
                return;
            }
            let answers = fetch_all(wishes, fetch);
            for Answered { wish, answer, .. } in &answers {
                let why = answer.as_ref().ok().and_then(|document| document.outdated.as_ref());
                if let Some(why) = why {
                    self.tell_once(format!("{}: an earlier copy is used: {why}", wish.url));
                }
            }
            self.take_answers(answers);
        }
    }
}

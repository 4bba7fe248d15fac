//! The tokens that were sent last for each open document: the next answer says only what is different.

use gen_lsp_types as lsp;
use lofting_document::FileId;
use lofting_ide::TokenMemo;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;

/// The last answers for a document.
#[derive(Default)]
pub(crate) struct Sent {
    /// Each with the ID by which the client refers to it, the oldest first.
    answers: Vec<(String, Vec<lsp::SemanticToken>)>,
    pub(crate) memo: TokenMemo,
}

/// How many answers are kept for one document: an answer that came too late never reached the client, which then refers
/// to the previous one.
const ANSWERS: usize = 3;

impl Sent {
    /// The answer with an ID.
    pub(crate) fn answer(&self, id: &str) -> Option<&[lsp::SemanticToken]> {
        self.answers.iter().find(|(known, _)| known == id).map(|(_, data)| data.as_slice())
    }
}

/// The last answers for a document while the next one is made.
pub(crate) struct Taken {
    results: TokenResults,
    file: FileId,
    pub(crate) sent: Sent,
}

impl Taken {
    /// Puts them back with another one; returns its ID.
    pub(crate) fn keep(mut self, data: Vec<lsp::SemanticToken>) -> String {
        self.results.keep(self.file, std::mem::take(&mut self.sent), data)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // The next answer was given up; the client still has the last ones.
        if std::thread::panicking() {
            self.results.put_back(self.file, std::mem::take(&mut self.sent));
        }
    }
}

/// For how many documents answers are kept. Editors ask for those that are visible.
const DOCUMENTS: usize = 64;

/// The last answers.
#[derive(Clone, Default)]
pub(crate) struct TokenResults(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// Each with its number: lower ones are older.
    sent: HashMap<FileId, (u64, Sent)>,
    last: u64,
}

impl TokenResults {
    // The lock is held to take and to put back, never while tokens are found.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock()
    }

    /// Takes the last answers for a document out, to make the next one from them.
    pub(crate) fn take(&self, file: FileId) -> Taken {
        let sent = self.kept().sent.remove(&file).map(|(_, sent)| sent).unwrap_or_default();
        Taken { results: self.clone(), file, sent }
    }

    fn put_back(&self, file: FileId, sent: Sent) {
        let mut kept = self.kept();
        let number = kept.last;
        kept.sent.entry(file).or_insert((number, sent));
    }

    fn keep(&self, file: FileId, mut sent: Sent, data: Vec<lsp::SemanticToken>) -> String {
        let mut kept = self.kept();
        kept.last += 1;
        let number = kept.last;
        let id = number.to_string();
        sent.answers.push((id.clone(), data));
        if sent.answers.len() > ANSWERS {
            sent.answers.remove(0);
        }
        kept.sent.insert(file, (number, sent));
        if kept.sent.len() > DOCUMENTS {
            let oldest = kept.sent.iter().min_by_key(|(_, (number, _))| *number).map(|(file, _)| *file);
            oldest.and_then(|file| kept.sent.remove(&file));
        }
        id
    }

    /// Forgets a document.
    pub(crate) fn forget(&self, file: FileId) {
        self.kept().sent.remove(&file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_workspace::CancelFlag;

    #[test]
    fn answers_are_kept_for_a_number_of_documents() {
        let results = TokenResults::default();
        let file = |number: usize| FileId(number as u32);
        let take = |number: usize| std::mem::take(&mut results.take(file(number)).sent);
        let keep = |number: usize| results.take(file(number)).keep(Vec::new());
        let ids: Vec<String> = (0..=DOCUMENTS).map(keep).collect();
        assert!(take(0).answers.is_empty(), "the oldest document is forgotten");
        assert!(take(1).answer(&ids[1]).is_some());
        assert!(take(1).answers.is_empty(), "it was taken out");
        let of_two: Vec<String> = (0..ANSWERS).map(|_| keep(2)).collect();
        let sent = take(2);
        assert!(sent.answer(&ids[2]).is_none(), "the oldest answer is forgotten");
        assert!(of_two.iter().all(|id| sent.answer(id).is_some()));
        keep(2);
        results.forget(file(2));
        assert!(take(2).answers.is_empty());
    }

    #[test]
    fn answers_outlive_one_that_was_given_up() {
        let results = TokenResults::default();
        let id = results.take(FileId(1)).keep(Vec::new());
        let cancelled = CancelFlag::new();
        cancelled.cancel();
        let given_up = cancelled.until_cancelled(|| {
            let _taken = results.take(FileId(1));
            (0..1_000).for_each(|_| assert!(lofting_syntax::parse("a: 1").walk().count() > 0));
        });
        assert!(given_up.is_err());
        assert!(results.take(FileId(1)).sent.answer(&id).is_some());
    }
}

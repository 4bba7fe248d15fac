//! Documents on the web: which are needed, and the results of fetching them. This crate fetches nothing. It lists its
//! *wishes* and gets the answers, by a command line that waits for them or by an editor's server that does not.

use crate::disk::Reach;
use crate::files::scan::{FoundFile, look_at};
use crate::threads::map;
use lofting_dialect::json_schema;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// A document on the web that is named somewhere and not available.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wish {
    /// Its URL, without a fragment.
    pub url: String,
    /// The user chose what names it, such as a catalogue; otherwise an untrusted file may have named it.
    pub is_chosen: bool,
}

/// A document that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedDocument {
    /// Its path on disk.
    pub path: PathBuf,
    /// Why the copy may be outdated, in words.
    pub outdated: Option<String>,
}

/// Why a document was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFetched {
    /// The reason, in words that follow "it cannot be read:".
    pub why: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Nothing was requested because of the user's settings, so it is not an error.
    pub is_refusal: bool,
    /// The server has no such document.
    pub is_missing: bool,
}

impl fmt::Display for NotFetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for NotFetched {}

/// The answer to a wish.
pub type Answer = Result<FetchedDocument, NotFetched>;

/// A wish that was answered.
#[derive(Debug)]
pub struct Answered {
    pub(crate) wish: Wish,
    pub(crate) answer: Answer,
    /// A first look at the file that the document was stored in.
    pub(crate) found: Option<FoundFile>,
}

impl Answered {
    /// Reads the fetched file, so that the thread that takes the answer does not have to.
    pub fn new(wish: Wish, answer: Answer) -> Answered {
        let look = |document: &FetchedDocument| look_at(document.path.clone(), &reach_of(document));
        let found = answer.as_ref().ok().map(look);
        Answered { wish, answer, found }
    }

    /// The answer.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}

/// A fetched document may refer to files in the folder that it was stored in, and to no others.
fn reach_of(document: &FetchedDocument) -> Reach {
    Reach::within(document.path.parent().unwrap_or(&document.path))
}

/// Fetches documents, for callers that wait.
pub trait Fetch: Sync {
    /// Fetches a document, or returns why that is not possible. May take a long time.
    fn fetch(&self, wish: &Wish) -> Answer;
}

/// What is known about documents on the web.
#[derive(Clone, Default)]
pub(crate) struct FetchedDocuments {
    /// Wishes are answered at all.
    is_on: bool,
    answers: FxHashMap<String, Known>,
    /// The paths of the available documents.
    paths: FxHashSet<PathBuf>,
    /// Changes with every answer.
    pub stamp: Stamp,
}

#[derive(Clone)]
struct Known {
    answer: Answer,
    /// The wish came from something that the user chose.
    is_chosen: bool,
    /// Files that it refers to are read through this.
    reach: Reach,
}

impl FetchedDocuments {
    /// From now on wishes are answered.
    pub fn begin(&mut self) {
        self.is_on = true;
    }

    /// Whether wishes are answered at all.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether nothing was asked of the web: all wishes there are, were refused by the settings.
    pub fn is_all_refused(&self) -> bool {
        self.refused().count() == self.answers.len()
    }

    /// Forgets all other answers.
    pub fn keep(&mut self, keep: impl Fn(&Answer) -> bool) {
        self.answers.retain(|_, known| keep(&known.answer));
        let paths = self.answers.values().filter_map(|known| known.answer.as_ref().ok());
        self.paths = paths.map(|document| document.path.clone()).collect();
    }

    /// Whether an answer says what was known before.
    pub fn knows(&self, wish: &Wish, answer: &Answer) -> bool {
        let known = self.answers.get(&wish.url);
        known.is_some_and(|known| known.answer == *answer && known.is_chosen >= wish.is_chosen)
    }

    /// Notes an answer.
    pub fn put(&mut self, wish: Wish, answer: Answer) {
        let reach = answer.as_ref().map_or_else(|_| Reach::nowhere(), reach_of);
        self.paths.extend(answer.as_ref().ok().map(|document| document.path.clone()));
        self.answers.insert(wish.url, Known { answer, is_chosen: wish.is_chosen, reach });
    }

    /// The file that a URL was fetched into.
    pub fn file(&self, url: &str) -> Option<(PathBuf, Reach)> {
        let known = self.answers.get(document_of(url))?;
        known.answer.as_ref().ok().map(|document| (document.path.clone(), known.reach.clone()))
    }

    /// Why the document of a URL is outdated, if it is.
    pub fn outdated(&self, url: &str) -> Option<&str> {
        self.answers.get(document_of(url))?.answer.as_ref().ok()?.outdated.as_deref()
    }

    /// The answer to a wish for the document of a URL, if there is one.
    pub fn answer(&self, url: &str) -> Option<&Answer> {
        self.answers.get(document_of(url)).map(|known| &known.answer)
    }

    /// The URLs that were not requested because of the user's settings, each with why.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &NotFetched)> {
        self.answers.iter().filter_map(|(url, known)| match &known.answer {
            Err(why) if why.is_refusal => Some((url.as_str(), why)),
            _ => None,
        })
    }

    /// Whether a file is one of the fetched documents.
    pub fn holds(&self, path: &Path) -> bool {
        self.paths.contains(path)
    }

    /// Whether the document of a URL should be fetched. A refused one is requested again if something that the user
    /// chose names it.
    pub fn is_wanted(&self, url: &str, is_chosen: bool) -> bool {
        let is_web = is_web(url);
        let url = document_of(url);
        let is_refused = |known: &Known| known.answer.as_ref().is_err_and(|problem| problem.is_refusal);
        let is_open = |known: &Known| is_chosen && !known.is_chosen && is_refused(known);
        self.is_on && is_web && self.answers.get(url).is_none_or(is_open) && !json_schema::is_meta_schema(url)
    }
}

/// Whether a URI names a document on the web.
pub(crate) fn is_web(uri: &str) -> bool {
    uri.starts_with("https://") || uri.starts_with("http://")
}

pub(crate) fn document_of(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

/// Fetches wishes, several at a time.
pub fn fetch_all(wishes: Vec<Wish>, fetch: &dyn Fetch) -> Vec<Answered> {
    map(AT_ONCE, &wishes, 1, |wish| Answered::new(wish.clone(), fetch.fetch(wish)))
}

/// How many documents are fetched at a time.
const AT_ONCE: usize = 4;

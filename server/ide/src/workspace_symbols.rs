//! Workspace symbols: what has a name anywhere, by a part of that name.

use lofting_document::FileId;
use lofting_workspace::{CancelFlag, NamedSymbol, Snapshot};
use std::cmp::Reverse;

#[cfg(test)]
mod tests;

/// As many are listed: who wants another one types more of its name.
const MAX_FOUND: usize = 500;

/// The symbols whose names hold the letters of `query` in this order, whatever their case, best first. All match an empty
/// one.
pub fn workspace_symbols(snapshot: &Snapshot, query: &str, cancel: &CancelFlag) -> Vec<NamedSymbol> {
    let query: Vec<char> = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let mut files: Vec<FileId> = snapshot.files().collect();
    files.sort_by(|one, other| snapshot.path(*one).cmp(snapshot.path(*other)));
    let mut found: Vec<(Fit, NamedSymbol)> = Vec::new();
    for file in files {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let symbols = snapshot.named_symbols(file).into_iter();
        found.extend(symbols.filter_map(|symbol| Some((fit(&symbol.name, &query)?, symbol))));
    }
    // What fits equally well stays in the order of files.
    found.sort_by_key(|(fit, _)| *fit);
    found.into_iter().take(MAX_FOUND).map(|(_, symbol)| symbol).collect()
}

/// How well a name fits: less is better.
type Fit = (Reverse<How>, usize);

/// Later is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// The letters are there, with others between.
    Scattered,
    /// They stand together.
    Inside,
    /// A part of the name begins with them.
    PartBegins,
    /// The last part of the name is this.
    LastPart,
    /// The name is this.
    Whole,
}

fn fit(name: &str, query: &[char]) -> Option<Fit> {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let mut rest = query;
    for letter in &name {
        if rest.first() == Some(letter) {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    if !rest.is_empty() {
        return None;
    }
    let is_edge = |at: usize| at.checked_sub(1).and_then(|at| name.get(at)).is_none_or(|c| !c.is_alphanumeric());
    let mut how = How::Scattered;
    for (at, part) in name.windows(query.len().max(1)).enumerate() {
        if part != query {
            continue;
        }
        let here = match (at, at + query.len() == name.len()) {
            (0, true) => How::Whole,
            _ if !is_edge(at) => How::Inside,
            (_, true) => How::LastPart,
            _ => How::PartBegins,
        };
        how = how.max(here);
    }
    Some((Reverse(how), name.len()))
}

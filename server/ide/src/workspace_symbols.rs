//! Workspace symbols: everything with a name, by a part of that name.

use lofting_workspace::{CancelFlag, NamedSymbol, Snapshot};
use std::cmp::{Ordering, Reverse};

#[cfg(test)]
mod tests;

/// The maximum length of the list: users type more of the name to see others.
const MAX_FOUND: usize = 500;

/// The symbols whose names contain the letters of `query` in this order, ignoring case, best first. All match an empty
/// one.
pub fn workspace_symbols(snapshot: &Snapshot, query: &str, cancel: &CancelFlag) -> Vec<NamedSymbol> {
    let query: Vec<char> = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let mut lists = Vec::new();
    for file in snapshot.files() {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        lists.extend(snapshot.named_symbols(file));
    }
    let all = lists.iter().flat_map(|symbols| symbols.iter());
    let mut found: Vec<(Fit, &NamedSymbol)> =
        all.filter_map(|symbol| Some((fit(&symbol.name, &query)?, symbol))).collect();
    // Equally good matches are in the order of files, and then of the text.
    let place = |symbol: &NamedSymbol| (snapshot.path(symbol.span.file), symbol.span.start);
    let better = |(one, a): &(Fit, &NamedSymbol), (other, b): &(Fit, &NamedSymbol)| -> Ordering {
        one.cmp(other).then_with(|| place(a).cmp(&place(b)))
    };
    // Many match a letter or two: only those that are listed are sorted.
    if found.len() > MAX_FOUND {
        found.select_nth_unstable_by(MAX_FOUND, better);
        found.truncate(MAX_FOUND);
    }
    found.sort_by(better);
    found.into_iter().map(|(_, symbol)| symbol.clone()).collect()
}

/// How well a name fits: less is better.
type Fit = (Reverse<How>, usize);

/// Later is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// The letters occur, with others between them.
    Scattered,
    /// They are adjacent.
    Inside,
    /// A part of the name begins with them.
    PartBegins,
    /// It is the last part of the name.
    LastPart,
    /// It is the name.
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

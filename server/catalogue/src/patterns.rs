//! Which patterns may match a file, judging by what is literal in them. Each file is compared with all patterns, so that most
//! have to be ruled out quickly: most are for one file name.

use rustc_hash::FxHashMap;

/// A pattern of an entry, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternNumber {
    pub entry: usize,
    pub pattern: usize,
}

/// The patterns of all entries.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// Those whose last part is a name, by that name, each with the directories that it names.
    named: FxHashMap<String, Vec<(PatternNumber, Vec<String>)>>,
    /// All others.
    others: Vec<(PatternNumber, Literal)>,
}

/// What is literal in a pattern.
#[derive(Debug)]
struct Literal {
    /// How the last part begins and ends; that is all of it if it is a name.
    start: String,
    end: String,
    /// Whole parts before the last one.
    directories: Vec<String>,
}

impl Literal {
    fn of(pattern: &str) -> Literal {
        // A slash may be inside an alternative, which has to be looked at as a whole.
        let (before, last) = match pattern.rsplit_once('/') {
            Some((before, last)) if !before.contains('{') => (before, last),
            Some(_) => ("", "*"),
            None => ("", pattern),
        };
        let start = last.bytes().position(is_special).map_or(last, |at| &last[..at]);
        let end = last.bytes().rposition(is_special).map_or(last, |at| &last[at + 1..]);
        let directories = before.split('/').filter(|part| !part.is_empty() && !part.bytes().any(is_special));
        Literal { start: start.to_owned(), end: end.to_owned(), directories: directories.map(str::to_owned).collect() }
    }
}

impl Patterns {
    /// Adds the patterns of the entry with this number. Those that exclude files match none.
    pub fn add(&mut self, entry: usize, patterns: &[String]) {
        for (number, pattern) in patterns.iter().enumerate().filter(|(_, pattern)| !pattern.starts_with('!')) {
            let place = PatternNumber { entry, pattern: number };
            let literal = Literal::of(pattern);
            if pattern.rsplit('/').next() == Some(literal.start.as_str()) {
                self.named.entry(literal.start).or_default().push((place, literal.directories));
            } else {
                self.others.push((place, literal));
            }
        }
    }

    /// Those that may match a file at this path, with slashes, in the order of the entries.
    pub fn for_file(&self, path: &str) -> Vec<PatternNumber> {
        let (before, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_there = |directories: &[String]| {
            directories.iter().all(|directory| before.split('/').any(|part| part == directory))
        };
        let fits = |literal: &Literal| {
            let length = literal.start.len().max(literal.end.len());
            name.len() >= length && name.ends_with(&*literal.end) && name.starts_with(&*literal.start)
        };
        let named = self.named.get(name).map(Vec::as_slice).unwrap_or_default().iter();
        let named = named.filter(|(_, directories)| is_there(directories)).map(|(place, _)| *place);
        let others = self.others.iter().filter(|(_, literal)| fits(literal) && is_there(&literal.directories));
        let mut places: Vec<PatternNumber> = named.chain(others.map(|(place, _)| *place)).collect();
        places.sort_unstable();
        places
    }
}

/// Whether a byte has a meaning in patterns.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b']' | b'{' | b'}' | b'\\')
}

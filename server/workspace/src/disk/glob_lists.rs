//! Many lists of patterns, of which those that match a path are asked for. Not every pattern is compared with it: most
//! have a text that the paths they match contain, and are found by the names in the path.

use crate::disk::glob::Glob;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, is_separator};

/// Lists of patterns, in an order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GlobLists {
    /// The patterns of all lists, in order, each with the number of its list.
    globs: Vec<(usize, Glob)>,
    /// Patterns by a name that is in each path that they match.
    by_name: FxHashMap<Box<str>, Vec<usize>>,
    /// Patterns by how a name in each such path begins, and how it ends.
    by_start: Affixes,
    by_end: Affixes,
    /// The patterns of which neither is known.
    others: Vec<usize>,
}

/// Patterns by the beginnings of names, or by their ends.
#[derive(Debug, Clone, Default, PartialEq)]
struct Affixes {
    patterns: FxHashMap<Box<str>, Vec<usize>>,
    /// How long the texts are.
    lengths: BTreeSet<usize>,
}

/// What a path has to contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PartOfPath<'g> {
    Name(&'g str),
    Start(&'g str),
    End(&'g str),
}

impl GlobLists {
    /// Knows these lists.
    pub fn new<'g>(lists: impl Iterator<Item = Vec<&'g Glob>>) -> GlobLists {
        let numbered = lists.enumerate().flat_map(|(list, globs)| globs.into_iter().map(move |glob| (list, glob)));
        let globs: Vec<(usize, &Glob)> = numbered.collect();
        let wanted: Vec<Vec<PartOfPath<'g>>> = globs.iter().map(|(_, glob)| wanted_by(glob.pattern())).collect();
        let mut counts: FxHashMap<PartOfPath<'g>, usize> = FxHashMap::default();
        wanted.iter().flatten().for_each(|one| *counts.entry(*one).or_default() += 1);
        let mut made = GlobLists::default();
        for (number, wanted) in wanted.into_iter().enumerate() {
            lofting_memo::step();
            // The one that the fewest patterns share; a whole name comes first.
            let best = wanted.into_iter().min_by_key(|one| counts.get(one).copied().unwrap_or_default());
            match best {
                Some(PartOfPath::Name(name)) => made.by_name.entry(name.into()).or_default().push(number),
                Some(PartOfPath::Start(start)) => made.by_start.add(start, number),
                Some(PartOfPath::End(end)) => made.by_end.add(end, number),
                None => made.others.push(number),
            }
        }
        made.globs = globs.into_iter().map(|(list, glob)| (list, glob.clone())).collect();
        made
    }

    /// The numbers of the lists that match a path, in order, each with its first pattern that does. The path is
    /// absolute, or relative to `root`.
    pub fn matching<'s>(&'s self, root: &Path, path: &Path) -> Vec<(usize, &'s Glob)> {
        let mut found: Vec<(usize, &Glob)> = Vec::new();
        for number in self.candidates(path) {
            lofting_memo::step();
            let Some((list, glob)) = self.globs.get(number) else { continue };
            if found.last().is_none_or(|(last, _)| last != list) && glob.matches(root, path) {
                found.push((*list, glob));
            }
        }
        found
    }

    /// The numbers of the patterns that may match a path, in order.
    fn candidates(&self, path: &Path) -> Vec<usize> {
        let mut found = self.others.clone();
        let path = path.to_string_lossy();
        for name in path.split(is_separator) {
            found.extend(self.by_name.get(name).into_iter().flatten());
            found.extend(self.by_start.of(|length| name.get(..length), name.len()));
            found.extend(self.by_end.of(|length| name.get(name.len() - length..), name.len()));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Affixes {
    fn add(&mut self, text: &str, number: usize) {
        self.lengths.insert(text.len());
        self.patterns.entry(text.into()).or_default().push(number);
    }

    /// The patterns of the parts of a name of this length.
    fn of<'n>(&self, part: impl Fn(usize) -> Option<&'n str>, length: usize) -> impl Iterator<Item = usize> {
        let parts = self.lengths.range(..=length).filter_map(move |length| part(*length));
        parts.filter_map(|part| self.patterns.get(part)).flatten().copied()
    }
}

/// What each path contains that a pattern matches, what says most first.
fn wanted_by(pattern: &str) -> Vec<PartOfPath<'_>> {
    let pattern = pattern.trim_start_matches("./");
    // A character after a backslash is an ordinary one.
    if pattern.contains('\\') {
        return Vec::new();
    }
    // Between brackets are alternatives, and a slash there ends no name.
    let first = pattern.find(['[', '{']);
    let last = pattern.rfind([']', '}']).map_or(0, |at| at + 1);
    let mut wanted = Vec::new();
    match first {
        None => add_wanted(pattern, (true, true), &mut wanted),
        Some(first) => {
            add_wanted(pattern.get(..first).unwrap_or_default(), (true, false), &mut wanted);
            add_wanted(pattern.get(last.max(first)..).unwrap_or_default(), (false, true), &mut wanted);
        }
    }
    wanted.sort_by_key(|one| match one {
        PartOfPath::Name(text) => (false, Reverse(text.len())),
        PartOfPath::Start(text) | PartOfPath::End(text) => (true, Reverse(text.len())),
    });
    wanted
}

/// What the names in a part of a pattern ask for; `whole`: whether its first name begins in it, and its last one ends
/// in it.
fn add_wanted<'p>(part: &'p str, whole: (bool, bool), wanted: &mut Vec<PartOfPath<'p>>) {
    let names: Vec<&str> = part.split('/').collect();
    for (number, name) in names.iter().enumerate() {
        let begins = number > 0 || whole.0;
        let ends = number + 1 < names.len() || whole.1;
        let start = name.find(['*', '?']).unwrap_or(name.len());
        let end = name.rfind(['*', '?']).map_or(0, |at| at + 1);
        if begins && ends && start == name.len() {
            wanted.extend((!name.is_empty()).then_some(PartOfPath::Name(name)));
            continue;
        }
        let (start, end) = (name.get(..start).unwrap_or_default(), name.get(end..).unwrap_or_default());
        wanted.extend((begins && !start.is_empty()).then_some(PartOfPath::Start(start)));
        wanted.extend((ends && !end.is_empty()).then_some(PartOfPath::End(end)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(patterns: &[String]) -> Vec<Glob> {
        patterns.iter().map(|pattern| Glob::new(pattern).expect("a pattern")).collect()
    }

    /// Every pattern is found that would be if all were compared with the path.
    #[test]
    fn the_index_loses_no_match() {
        let patterns = [
            "values.yml",
            "./values.yml",
            "envs/*.yml",
            "envs/**/*.{yml,yaml}",
            "a{,.*}.yml",
            "/w/x/*.yml",
            "/x/*.yml",
            "*",
            "**",
            "**/a",
            "a/**",
            "a/**/b.yml",
            "?.yml",
            "x?z/*",
            "[ab].yml",
            "a[/]b.yml",
            "{a,b/c}/d.yml",
            "{a,b}/{c,d}x.yml",
            "pre-*-post.yml",
            "*-post.yml",
            "pre-*",
            "ä*.yml",
            "*ö",
            "a]b",
            "{]/a,b}.yml",
            "/**/x.yml",
            "a,b",
            "**.yml",
            "d/**x",
            "{values,}.yml",
        ];
        let paths = [
            "/w/values.yml",
            "/w/a/values.yml",
            "/w/envs/x.yml",
            "/w/envs/b/x.yaml",
            "/w/a.yml",
            "/w/a.b.yml",
            "/w/x/a.yml",
            "/w/a",
            "/w/a/q",
            "/w/a/b.yml",
            "/w/a/x/y/b.yml",
            "/w/xyz/q",
            "/w/b.yml",
            "/w/b/c/d.yml",
            "/w/a/d.yml",
            "/w/a/cx.yml",
            "/w/b/dx.yml",
            "/w/pre-1-post.yml",
            "/w/äb.yml",
            "/w/xö",
            "/w/a]b",
            "/w/]/a.yml",
            "/w/a,b",
            "/w/d/ax",
            "/w/.yml",
            "/other/x.yml",
            "/w",
        ];
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let globs = globs(&patterns);
        let each = GlobLists::new(globs.iter().map(|glob| vec![glob]));
        let pairs = GlobLists::new(globs.chunks(2).map(|pair| pair.iter().collect()));
        let root = Path::new("/w");
        let mut matches = 0;
        for path in paths.map(Path::new) {
            let shown = |found: Vec<(usize, &Glob)>| -> Vec<(usize, String)> {
                found.into_iter().map(|(list, glob)| (list, glob.pattern().to_owned())).collect()
            };
            let all = globs.iter().enumerate().filter(|(_, glob)| glob.matches(root, path));
            let all = shown(all.collect());
            matches += all.len();
            assert_eq!(shown(each.matching(root, path)), all, "{path:?}");
            let first = globs
                .chunks(2)
                .enumerate()
                .filter_map(|(list, pair)| pair.iter().find(|glob| glob.matches(root, path)).map(|glob| (list, glob)));
            assert_eq!(shown(pairs.matching(root, path)), shown(first.collect()), "{path:?}");
        }
        assert!(matches > 80, "{matches}");
    }

    /// However many patterns there are, a path is compared with the few that share a text with it.
    #[test]
    fn few_patterns_are_compared_with_a_path() {
        for form in
            ["apps/@/*.yaml", "apps/@.yaml", "@-*.yaml", "*-@", "{apps,envs}/@/*.yaml", "apps/*/@.{yml,yaml}", "/@/**"]
        {
            let patterns: Vec<String> = (0..1_000).map(|number| form.replace('@', &format!("n{number}"))).collect();
            let globs = globs(&patterns);
            let lists = GlobLists::new(globs.iter().map(|glob| vec![glob]));
            for path in ["/w/apps/n500/a.yaml", "/w/apps/x/n500.yaml", "/w/n500-a.yaml", "/w/a-n500", "/w/other.yaml"] {
                // `n500` begins with `n5` and `n50`.
                let tried = lists.candidates(Path::new(path)).len();
                assert!(tried <= 3, "{form} {path}: {tried}");
            }
        }
    }
}

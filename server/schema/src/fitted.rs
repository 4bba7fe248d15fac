//! Expressions with high counts, such as `.{1,4000}`.
//!
//! An engine that runs in linear time has states for each repetition, so that such an expression takes much memory. Two
//! things help. A text of 20 characters cannot have more than 20 repetitions that are not empty: for it, `.{1,}` is the
//! same. And a text has few different characters, and with these alone, an expression takes far less memory.

use crate::tries::takes_a_try;
use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

/// A compiled expression, as far as it can be compiled.
#[derive(Debug)]
pub(crate) struct Fitted<R> {
    /// In the syntax of the `regex` crate.
    source: String,
    build: fn(&str) -> Option<R>,
    /// The expression for texts of any length.
    whole: Option<R>,
    /// Without high counts, with the length of the longest text, in characters, for which it is the same.
    without_counts: Option<(R, usize)>,
}

/// Counts from these numbers on are left out, the highest first.
const HIGH: [usize; 4] = [256, 64, 16, 4];

impl<R: Clone> Fitted<R> {
    /// Compiles a valid expression without as few of its counts as possible.
    pub fn compile(source: String, build: fn(&str) -> Option<R>) -> Self {
        let whole = build(&source);
        let mut without_counts = None;
        if whole.is_none() {
            without_counts = fewer_counts(&source).find_map(|(source, longest)| Some((build(&source)?, longest)));
        }
        Fitted { source, build, whole, without_counts }
    }

    /// The expression for texts of any length.
    pub fn whole(&self) -> Option<&R> {
        self.whole.as_ref()
    }

    /// Whether the expression matches anywhere in a text, as `is_match` finds out; None if that takes too much memory.
    pub fn is_match(&self, text: &str, is_match: impl Fn(&R) -> bool) -> Option<bool> {
        if let Some(whole) = &self.whole {
            return Some(is_match(whole));
        }
        if let Some((regex, longest)) = &self.without_counts {
            let is_short = text.len() <= *longest || text.chars().nth(*longest).is_none();
            let found = is_match(regex);
            // What does not match without its counts does not match with them.
            if is_short || !found {
                return Some(found);
            }
        }
        self.on(text).map(|regex| is_match(&regex))
    }

    /// The expression for one text; None if it takes too much memory.
    pub fn on(&self, text: &str) -> Option<Cow<'_, R>> {
        match &self.whole {
            Some(whole) => Some(Cow::Borrowed(whole)),
            None if takes_a_try() => (self.build)(&with_characters_of(&self.source, text)?).map(Cow::Owned),
            None => None,
        }
    }
}

/// The expression without its highest counts, then without more of them; each with the length of the longest text, in
/// characters, for which that is the same.
pub(crate) fn fewer_counts(source: &str) -> impl Iterator<Item = (String, usize)> {
    HIGH.iter().filter_map(move |least| without_counts(source, *least))
}

/// The expression without upper bounds of at least this number, and the lowest bound that was left out; None if it has
/// none.
fn without_counts(source: &str, least: usize) -> Option<(String, usize)> {
    let mut out = String::with_capacity(source.len());
    let (mut classes, mut longest) = (0_usize, None);
    let mut rest = source.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' => skip_escape(&mut rest),
            '[' => classes += 1,
            ']' => classes = classes.saturating_sub(1),
            '{' if classes == 0 => {
                if let Some((length, low, high)) = bounds(source.get(at..)?).filter(|(.., high)| *high >= least) {
                    longest = Some(longest.map_or(high, |longest: usize| longest.min(high)));
                    out.push_str(&format!("{{{low},}}"));
                    while rest.next_if(|(next, _)| *next < at + length).is_some() {}
                    continue;
                }
            }
            _ => {}
        }
        let end = rest.peek().map_or(source.len(), |(next, _)| *next);
        out.push_str(source.get(at..end)?);
    }
    longest.map(|longest| (out, longest))
}

/// Passes an escaped character, with what is between its braces.
fn skip_escape(rest: &mut Peekable<CharIndices<'_>>) {
    let escaped = rest.next().map(|(_, c)| c);
    if matches!(escaped, Some('x' | 'u' | 'U' | 'p' | 'P')) && rest.next_if(|(_, c)| *c == '{').is_some() {
        while rest.next().is_some_and(|(_, c)| c != '}') {}
    }
}

/// The length in bytes, the lower and the upper bound of a count `{low,high}` at the start of a text.
fn bounds(text: &str) -> Option<(usize, usize, usize)> {
    let end = text.find('}')?;
    let (low, high) = text.get(1..end)?.split_once(',')?;
    Some((end + 1, low.parse().ok()?, high.parse().ok()?))
}

/// The expression whose classes have only the characters of a text. For this text it is the same.
fn with_characters_of(source: &str, text: &str) -> Option<String> {
    let parsed = regex_syntax::ParserBuilder::new().utf8(false).build().parse(source).ok()?;
    let characters = ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c)));
    Some(with_characters(&parsed, &characters).to_string())
}

/// The parser bounds the nesting, and so this recursion.
fn with_characters(node: &Hir, characters: &ClassUnicode) -> Hir {
    let inside = |node: &Hir| Box::new(with_characters(node, characters));
    let all = |nodes: &[Hir]| nodes.iter().map(|node| with_characters(node, characters)).collect();
    match node.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.intersect(characters);
            Hir::class(Class::Unicode(class))
        }
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: inside(&repetition.sub), ..repetition.clone() })
        }
        HirKind::Capture(capture) => Hir::capture(Capture { sub: inside(&capture.sub), ..capture.clone() }),
        HirKind::Concat(nodes) => Hir::concat(all(nodes)),
        HirKind::Alternation(nodes) => Hir::alternation(all(nodes)),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => node.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;
    use regex::Regex;

    #[test]
    fn high_counts_are_left_out() {
        for (source, least, wanted) in [
            ("^.{1,400}$", 256, Some(("^.{1,}$", 400))),
            ("^.{1,400}$", 512, None),
            ("(a{0,64}b){2,70}?", 64, Some(("(a{0,}b){2,}?", 64))),
            (r"[{1,400}]\{1,400}\x{41}{0,500}", 256, Some((r"[{1,400}]\{1,400}\x{41}{0,}", 500))),
            (r"[a[^\]{1,400}]b]{1,300}é{300}", 256, Some((r"[a[^\]{1,400}]b]{1,}é{300}", 300))),
            ("a{300}", 256, None),
            ("a{300,}", 256, None),
        ] {
            let found = without_counts(source, least);
            assert_eq!(found.as_ref().map(|(source, longest)| (&**source, *longest)), wanted, "{source}");
        }
    }

    /// All matches, with those of the groups.
    fn found(regex: &Regex, text: &str) -> Vec<Vec<Option<std::ops::Range<usize>>>> {
        let groups = |found: regex::Captures<'_>| found.iter().map(|part| part.map(|part| part.range())).collect();
        regex.captures_iter(text).map(groups).collect()
    }

    proptest! {
        #[test]
        fn what_matches_does_not_depend_on_how_it_fits(
            first in select(vec!["[ab.]", "(a|b)", "(a|bb)?", "[^a]", "(a?b){0,2}", "(a*|b)", r"\p{L}", r"(?i:[Ab])\b"]),
            second in select(vec!["a", ".", "ba", "é|a", "$"]),
            low in 0_usize..3,
            high in 4_usize..9,
            lazy in any::<bool>(),
            text in "[abé]{0,12}",
        ) {
            let source = format!("^?(?:{first}){{{low},{high}}}{}({second}){{0,{high}}}", if lazy { "?" } else { "" });
            for source in [format!("^{source}$"), source] {
                let whole = Regex::new(&source).unwrap();
                let own = Regex::new(&with_characters_of(&source, &text).unwrap()).unwrap();
                prop_assert_eq!(found(&own, &text), found(&whole, &text), "{}", source);
                let (without, longest) = without_counts(&source, 4).unwrap();
                let without = Regex::new(&without).unwrap().is_match(&text);
                let is_short = text.chars().count() <= longest;
                prop_assert!(without == whole.is_match(&text) || (without && !is_short), "{}", source);
            }
        }
    }
}

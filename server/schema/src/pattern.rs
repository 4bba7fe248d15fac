//! Regular expressions in schemas.

mod ecma;
mod enumerated;

use self::ecma::Engine;
use crate::fitted::{Fitted, fewer_counts};
use crate::re2;
use crate::tries::takes_a_try;
use regex::Regex;
use std::sync::{Arc, OnceLock};

/// A regular expression in its dialect. Compiled on first use, once for all clones.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// Its dialect.
    pub dialect: PatternDialect,
    compiled: Arc<OnceLock<Compiled>>,
}

/// A dialect of regular expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternDialect {
    /// Go's RE2.
    Re2,
    /// ECMA 262 (JSON Schema).
    Ecma,
}

#[derive(Debug)]
enum Compiled {
    /// Runs in linear time.
    Linear(Fitted<Regex>),
    /// Runs in linear time, on bytes as in Go.
    Go(Fitted<regex::bytes::Regex>),
    /// Uses look-around or back references, and gives up after an amount of work.
    Backtracking(Box<Backtracking>),
    /// Not a valid expression, or one that cannot be compiled.
    Unread,
}

/// Maximum size of a compiled expression in bytes: a schema may come from anywhere.
const SIZE: usize = 1 << 20;

/// An expression that may go through a text many times. Each step may read the rest of the text once, so that the
/// number of steps depends on the text.
#[derive(Debug)]
struct Backtracking {
    /// In the syntax of the library.
    source: String,
    /// It can only match at the start.
    anchored: bool,
    /// The longest text in characters for which it is the same as the one that was meant, which has high counts.
    longest: usize,
    /// With the number of steps for texts of up to 32 bytes, 128 bytes and so on: the few that nearly all texts need, and
    /// as many as one text may have. None if it cannot be compiled.
    by_size: [[OnceLock<Option<fancy_regex::Regex>>; 2]; CLASSES],
}

/// How thoroughly an expression tries.
#[derive(Debug, Clone, Copy)]
enum Effort {
    Few = 0,
    Full = 1,
}

/// Classes of texts by size. Texts longer than those of the last one, 512 KiB, are not matched.
const CLASSES: usize = 8;

/// The longest text of the first class in bytes; those of each further class may be four times as long.
const SHORT: usize = 32;

/// Maximum number of bytes that the steps for one text read, and of steps: a few milliseconds.
const WORK: usize = 2_000_000;
const STEPS: usize = 20_000;

/// For the first attempt: bytes that are read at most, and steps for each byte of the text.
const FEW_WORK: usize = 100_000;
const FEW_STEPS: usize = 4;

/// This many steps are taken, however long a text is: expressions that look ahead from their start need few.
const LEAST_STEPS: usize = 16;

impl Backtracking {
    fn new(source: String) -> Option<Self> {
        let new = |(source, longest): (String, usize)| {
            let anchored = is_anchored(&source);
            Backtracking { source, anchored, longest, by_size: Default::default() }
        };
        let mut all = std::iter::once((source.clone(), usize::MAX)).chain(fewer_counts(&source)).map(new);
        all.find(|new| new.of_size(0, Effort::Full).is_some())
    }

    fn of_size(&self, class: usize, effort: Effort) -> Option<&fancy_regex::Regex> {
        let compiled = self.by_size.get(class)?.get(effort as usize)?.get_or_init(|| {
            let longest = SHORT << (2 * class);
            let steps = match effort {
                Effort::Few => (FEW_WORK / longest).clamp(LEAST_STEPS, 64 + FEW_STEPS * longest),
                Effort::Full => (WORK / longest).clamp(LEAST_STEPS, STEPS),
            };
            let mut builder = fancy_regex::RegexBuilder::new(&self.source);
            builder.backtrack_limit(steps).delegate_size_limit(SIZE).build().ok()
        });
        compiled.as_ref()
    }

    fn is_in(&self, text: &str) -> Option<bool> {
        if text.len() > self.longest && text.chars().nth(self.longest).is_some() {
            return None;
        }
        let class = (0..CLASSES).find(|class| text.len() <= SHORT << (2 * class))?;
        let input = || fancy_regex::RegexInput::new(text).anchored(self.anchored);
        let with = |effort| self.of_size(class, effort)?.is_match_input(input()).ok();
        with(Effort::Few).or_else(|| if takes_a_try() { with(Effort::Full) } else { None })
    }
}

/// Whether an expression begins with `^` that no alternative goes around.
fn is_anchored(source: &str) -> bool {
    let (mut depth, mut in_class, mut rest) = (0_usize, false, source.chars());
    while let Some(c) = rest.next() {
        match c {
            '\\' => _ = rest.next(),
            ']' => in_class = false,
            '[' => in_class = true,
            _ if in_class => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return false,
            _ => {}
        }
    }
    // `^*` and the like may match anywhere.
    source.strip_prefix('^').is_some_and(|rest| !rest.starts_with(['*', '+', '?', '{']))
}

impl Pattern {
    /// A regular expression as it is written.
    pub fn new(source: impl Into<String>, dialect: PatternDialect) -> Self {
        Pattern { source: source.into(), dialect, compiled: Arc::default() }
    }

    /// Whether it matches anywhere in `text`; None if it is invalid, and where finding out would take too long, or too
    /// much memory, for this text.
    pub fn is_in(&self, text: &str) -> Option<bool> {
        match self.compiled.get_or_init(|| self.compile()) {
            Compiled::Linear(regex) => regex.is_match(text, |regex| regex.is_match(text)),
            Compiled::Go(regex) => regex.is_match(text, |regex| regex.is_match(text.as_bytes())),
            Compiled::Backtracking(regex) => regex.is_in(text),
            Compiled::Unread => None,
        }
    }

    /// Whether finding out if it matches would take too long, or too much memory, for this text.
    pub fn gives_up_on(&self, text: &str) -> bool {
        match self.compiled.get_or_init(|| self.compile()) {
            Compiled::Unread => false,
            Compiled::Linear(regex) if regex.whole().is_some() => false,
            Compiled::Go(regex) if regex.whole().is_some() => false,
            Compiled::Linear(_) | Compiled::Go(_) | Compiled::Backtracking(_) => self.is_in(text).is_none(),
        }
    }

    /// The expression in the syntax of the `regex` crates, if it is a regular one: without look-around and back
    /// references. None as well if its counts are too high.
    pub fn regular(&self) -> Option<&str> {
        match self.compiled.get_or_init(|| self.compile()) {
            Compiled::Linear(regex) => regex.whole().map(|regex| regex.as_str()),
            Compiled::Go(regex) => regex.whole().map(|regex| regex.as_str()),
            Compiled::Backtracking(_) | Compiled::Unread => None,
        }
    }

    /// Whether it is valid in its dialect, however large it is.
    pub fn is_valid(&self) -> bool {
        if self.dialect == PatternDialect::Re2 {
            return re2::check(&self.source).is_ok();
        }
        if !ecma::is_of_ecma(&self.source) {
            return false;
        }
        // Reading takes far less time than compiling, which only look-around and back references need.
        match self.compiled.get() {
            Some(compiled) => !matches!(compiled, Compiled::Unread),
            None => {
                is_regular(&ecma::translated(&self.source, Engine::Linear))
                    || !matches!(self.compiled.get_or_init(|| self.compile()), Compiled::Unread)
            }
        }
    }

    fn compile(&self) -> Compiled {
        if self.dialect == PatternDialect::Re2 {
            return re2::fitted(&self.source).map_or(Compiled::Unread, Compiled::Go);
        }
        // Rust would read it as something else.
        if !ecma::is_of_ecma(&self.source) {
            return Compiled::Unread;
        }
        let source = ecma::translated(&self.source, Engine::Linear);
        if is_regular(&source) {
            let build = |source: &str| regex::RegexBuilder::new(source).size_limit(SIZE).build().ok();
            return Compiled::Linear(Fitted::compile(source, build));
        }
        let source = ecma::translated(&self.source, Engine::Backtracking);
        Backtracking::new(source).map_or(Compiled::Unread, |regex| Compiled::Backtracking(Box::new(regex)))
    }
}

/// Whether it is a valid expression without look-around and back references.
fn is_regular(source: &str) -> bool {
    regex_syntax::Parser::new().parse(source).is_ok()
}

/// Patterns are equal if their text and dialect are.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.dialect == other.dialect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tries::tests::{ALL, NONE, left};
    use crate::within_a_document;

    /// Every length up to beyond the largest class, and expressions that read the rest of the text at each step.
    #[test]
    fn work_is_bounded_by_the_text() {
        for source in ["(?=.*.*.*.*=)x", "(?!.*.*.*z)x", "(a+)+(?=b)$", r"(a*)*\1b", "(?<=a*)b", "(?=(.*)*=)x"] {
            let pattern = Pattern::new(source, PatternDialect::Ecma);
            for length in [10, 100, 1_000, 10_000, 40_000, 200_000, 600_000, 4_000_000] {
                let text = "a".repeat(length);
                let start = std::time::Instant::now();
                assert_ne!(pattern.is_in(&text), Some(true), "{source}");
                // A multiple of what a release build may take, for builds without optimisation on busy machines.
                let most = 20 * (50_000 + length);
                assert!(start.elapsed().as_micros() < most as u128, "{source} {length}: {:?}", start.elapsed());
            }
        }
    }

    /// However many texts a document has: some are given up on, and the next document starts again.
    #[test]
    fn work_is_bounded_for_all_texts_together() {
        let pattern = Pattern::new(r"(a*)*\1b", PatternDialect::Ecma);
        let text = "a".repeat(60);
        let simple = "a=x";
        let tries = || {
            let before = left();
            for _ in 0..1_000 {
                assert_ne!(pattern.is_in(&text), Some(true));
                assert_eq!(pattern.is_in(simple), Some(false), "what needs only a few steps is always known");
            }
            (before, left())
        };
        for _ in 0..2 {
            assert_eq!(within_a_document(tries), (ALL, NONE));
        }
        assert_eq!(left(), None);
    }

    #[test]
    fn expressions_that_look_ahead_from_the_start_read_long_texts() {
        for (source, yes, no) in [
            ("^(?!.*secret)", "a", "a secret"),
            ("^(?=.*[0-9])(?=.*[a-z]).*$", "a1", "aa"),
            ("^(?!-)[a-z-]+(?<!-)$", "a-a", "-a"),
        ] {
            let pattern = Pattern::new(source, PatternDialect::Ecma);
            for length in [1, 1_000, 100_000] {
                let filled = |end: &str| format!("{end}{}{end}", "a".repeat(length));
                assert_eq!(pattern.is_in(&filled(yes)), Some(true), "{source} {length}");
                assert_eq!(pattern.is_in(&filled(no)), Some(false), "{source} {length}");
            }
        }
    }

    #[test]
    fn anchors() {
        for (source, anchored) in [("^a", true), ("^(a|b)", true), ("^a|b", false), ("^[|]", true), ("^*a", false)] {
            assert_eq!(is_anchored(source), anchored, "{source}");
        }
    }
}

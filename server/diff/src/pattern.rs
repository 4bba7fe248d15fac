//! Whether everything that one regular expression accepts is accepted by another one.
//!
//! Both become automata, which read the same text side by side. If some text leads to a place where only the first one
//! accepts, that text is the answer. The work is bounded; expressions with look-around or back references have no
//! automaton, and then nothing is known.

use lofting_schema::Pattern;
use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use rustc_hash::FxHashMap;

/// Maximum size of an automaton in bytes, and of what it takes to make it.
const SIZE: usize = 1 << 19;

/// How many pairs of states are visited for one comparison.
const STATES: usize = 50_000;

/// How many comparisons two schemas get: they may come from anywhere.
const SEARCHES: usize = 200;

/// Compares expressions, each pair of them once.
#[derive(Default)]
pub(crate) struct Patterns {
    known: FxHashMap<(String, String), Inclusion>,
}

impl Patterns {
    /// Whether what `first` accepts is accepted by `second`.
    pub fn included(&mut self, first: &Pattern, second: &Pattern) -> Inclusion {
        let both = (first.source.clone(), second.source.clone());
        if let Some(known) = self.known.get(&both) {
            return known.clone();
        }
        if self.known.len() >= SEARCHES {
            return Inclusion::Unknown;
        }
        let found = included(first, second);
        self.known.insert(both, found.clone());
        found
    }
}

/// The relation of two expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inclusion {
    /// The second accepts everything that the first does.
    Included,
    /// The first accepts this text, the second does not.
    Without(String),
    /// Not decided.
    Unknown,
}

type Automata = dense::DFA<Vec<u32>>;

fn automaton(pattern: &Pattern) -> Option<Automata> {
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .dfa_size_limit(Some(SIZE))
        .determinize_size_limit(Some(2 * SIZE));
    let syntax = syntax::Config::new().utf8(false);
    dense::Builder::new().configure(config).syntax(syntax).build(pattern.regular()?).ok()
}

/// Whether what `first` accepts is accepted by `second`. Expressions accept a text in which they are found anywhere.
fn included(first: &Pattern, second: &Pattern) -> Inclusion {
    if first == second {
        return Inclusion::Included;
    }
    search(first, second).unwrap_or(Inclusion::Unknown)
}

/// A state of both automata and of the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Both {
    first: Progress,
    second: Progress,
    text: Utf8,
}

/// How far an expression has been found.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Progress {
    Not(StateID),
    Yes,
}

impl Progress {
    fn start(automaton: &Automata) -> Option<Progress> {
        let state = automaton.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        Progress::Not(state).settled(automaton)
    }

    fn settled(self, automaton: &Automata) -> Option<Progress> {
        Some(match self {
            Progress::Not(state) if automaton.is_match_state(state) => Progress::Yes,
            Progress::Not(state) if automaton.is_quit_state(state) => return None,
            other => other,
        })
    }

    fn next(self, automaton: &Automata, byte: u8) -> Option<Progress> {
        match self {
            Progress::Yes => Some(Progress::Yes),
            Progress::Not(state) => Progress::Not(automaton.next_state(state, byte)).settled(automaton),
        }
    }

    fn at_end(self, automaton: &Automata) -> bool {
        match self {
            Progress::Yes => true,
            Progress::Not(state) => automaton.is_match_state(automaton.next_eoi_state(state)),
        }
    }
}

/// Where a text is within a character: how many bytes it needs, and which the next may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Utf8 {
    needed: u8,
    least: u8,
    most: u8,
}

impl Utf8 {
    const BETWEEN: Utf8 = Utf8 { needed: 0, least: 0, most: 0 };

    fn next(self, byte: u8) -> Option<Utf8> {
        let inside = |needed| Utf8 { needed, least: 0x80, most: 0xBF };
        if self.needed > 0 {
            let fits = (self.least..=self.most).contains(&byte);
            let rest = if self.needed == 1 { Utf8::BETWEEN } else { inside(self.needed - 1) };
            return fits.then_some(rest);
        }
        Some(match byte {
            0..=0x7F => Utf8::BETWEEN,
            0xC2..=0xDF => inside(1),
            0xE0 => Utf8 { least: 0xA0, ..inside(2) },
            0xED => Utf8 { most: 0x9F, ..inside(2) },
            0xE1..=0xEF => inside(2),
            0xF0 => Utf8 { least: 0x90, ..inside(3) },
            0xF4 => Utf8 { most: 0x8F, ..inside(3) },
            0xF1..=0xF3 => inside(3),
            _ => return None,
        })
    }
}

/// The bytes in the order in which they make texts that people can read.
fn bytes() -> impl Iterator<Item = u8> + Clone {
    let letters = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
    letters.chain((0..=u8::MAX).filter(|byte| !byte.is_ascii_alphanumeric()))
}

fn search(first: &Pattern, second: &Pattern) -> Option<Inclusion> {
    let (one, two) = (automaton(first)?, automaton(second)?);
    let begin = Both { first: Progress::start(&one)?, second: Progress::start(&two)?, text: Utf8::BETWEEN };
    // Each state with the one that it was reached from.
    let mut reached: Vec<(Both, usize, u8)> = vec![(begin, 0, 0)];
    let mut known: FxHashMap<Both, ()> = FxHashMap::from_iter([(begin, ())]);
    let mut next = 0;
    while let Some((here, ..)) = reached.get(next).copied() {
        if here.text == Utf8::BETWEEN && here.first.at_end(&one) && !here.second.at_end(&two) {
            return text_to(&reached, next).map(Inclusion::Without);
        }
        // Whatever follows, the second accepts it.
        if here.second != Progress::Yes {
            for byte in bytes() {
                let Some(text) = here.text.next(byte) else { continue };
                let (first, second) = (here.first.next(&one, byte)?, here.second.next(&two, byte)?);
                // Whatever follows, the first does not accept it.
                if matches!(first, Progress::Not(state) if one.is_dead_state(state)) {
                    continue;
                }
                let both = Both { first, second, text };
                if known.insert(both, ()).is_none() {
                    reached.push((both, next, byte));
                }
            }
        }
        if reached.len() > STATES {
            return None;
        }
        next += 1;
    }
    Some(Inclusion::Included)
}

/// The text that leads to a state.
fn text_to(reached: &[(Both, usize, u8)], state: usize) -> Option<String> {
    let mut bytes = Vec::new();
    let mut at = state;
    while at > 0 {
        let (_, from, byte) = reached.get(at)?;
        bytes.push(*byte);
        at = *from;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{Inclusion, included};
    use lofting_schema::{Pattern, PatternDialect};

    #[test]
    fn what_one_expression_accepts_the_other_does_or_a_text_shows_the_difference() {
        for (first, second, expected) in [
            (r"^(https?|git|ssh)://.*\.git$", "^(https?|git|ssh)://.*", true),
            ("^(https?|git|ssh)://.*", r"^(https?|git|ssh)://.*\.git$", false),
            ("^[a-z]+$", "^[a-z0-9]+$", true),
            ("^[a-z0-9]+$", "^[a-z]+$", false),
            ("abc", "b", true),
            ("b", "abc", false),
            ("^a{2,4}$", "^a{1,5}$", true),
            ("^a{1,5}$", "^a{2,4}$", false),
            ("^é$", "^.$", true),
            ("a", "^.*a", false),
            ("a", r"^[\s\S]*a", true),
            ("", "x", false),
            ("x", "", true),
            ("^$", "^a?$", true),
        ] {
            for dialect in [PatternDialect::Ecma, PatternDialect::Re2] {
                let (one, two) = (Pattern::new(first, dialect), Pattern::new(second, dialect));
                match included(&one, &two) {
                    Inclusion::Included => assert!(expected, "{first} {second}"),
                    Inclusion::Without(text) => {
                        assert!(!expected, "{first} {second} {text:?}");
                        assert_eq!((one.is_in(&text), two.is_in(&text)), (Some(true), Some(false)), "{text:?}");
                    }
                    Inclusion::Unknown => panic!("{first} {second}"),
                }
            }
        }
    }

    #[test]
    fn expressions_without_an_automaton_are_not_decided() {
        let pattern = |source: &str| Pattern::new(source, PatternDialect::Ecma);
        for (first, second) in [("^(?!a)b", "b"), ("a", "(?=a)"), ("(", "a"), ("(a|b)*a(a|b){30}", "c")] {
            assert_eq!(included(&pattern(first), &pattern(second)), Inclusion::Unknown, "{first} {second}");
        }
    }
}

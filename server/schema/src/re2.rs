//! Go's regular expressions (RE2), translated for the `regex` crate.
//!
//! The two share most of their syntax. Differences are rewritten; what only one side accepts is refused with Go's
//! message.

mod counts;
mod expressions;
mod properties;
mod translate;

pub use self::expressions::Expressions;

use self::translate::translate;
use crate::fitted::Fitted;
use regex::bytes::Regex;
use std::borrow::Cow;
use std::fmt;

/// Why a pattern is refused. Its words are Go's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub mistake: Mistake,
    /// The part of the pattern that is.
    pub part: String,
}

/// What is wrong with a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// It needs more memory than an expression may.
    TooLarge,
    /// The `regex` crate refuses it.
    Invalid,
    /// A closing parenthesis without an opening one.
    UnexpectedParenthesis,
    /// A parenthesis that is not closed.
    MissingParenthesis,
    /// A class that is not closed.
    MissingBracket,
    /// An operator after another.
    NestedRepetition,
    /// An operator with nothing before it.
    NothingToRepeat,
    /// What Perl has and RE2 has not.
    Perl,
    /// A group whose name is wrong.
    NamedCapture,
    /// A class that does not exist.
    ClassRange,
    /// An escape that does not exist.
    Escape,
    /// A count that is too large, or counts in the wrong order.
    RepeatCount,
    /// A backslash with nothing after it.
    TrailingBackslash,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mistake::TooLarge => "expression too large",
            Mistake::Invalid => "invalid expression",
            Mistake::UnexpectedParenthesis => "unexpected )",
            Mistake::MissingParenthesis => "missing closing )",
            Mistake::MissingBracket => "missing closing ]",
            Mistake::NestedRepetition => "invalid nested repetition operator",
            Mistake::NothingToRepeat => "missing argument to repetition operator",
            Mistake::Perl => "invalid or unsupported Perl syntax",
            Mistake::NamedCapture => "invalid named capture",
            Mistake::ClassRange => "invalid character class range",
            Mistake::Escape => "invalid escape sequence",
            Mistake::RepeatCount => "invalid repeat count",
            Mistake::TrailingBackslash => "trailing backslash at end of expression",
        })
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.mistake, self.part)
    }
}

impl std::error::Error for PatternError {}

/// A compiled expression.
#[derive(Debug)]
pub struct Expression {
    fitted: Fitted<Regex>,
    pattern: String,
}

impl Expression {
    /// Whether it matches anywhere in a text.
    ///
    /// # Errors
    /// For this text, it takes too much memory.
    pub fn is_match(&self, text: &str) -> Result<bool, PatternError> {
        let found = self.fitted.is_match(text, |regex| regex.is_match(text.as_bytes()));
        found.ok_or_else(|| self.too_large())
    }

    /// The expression with which matches in a text are found.
    ///
    /// # Errors
    /// For this text, it takes too much memory.
    pub fn on(&self, text: &str) -> Result<Cow<'_, Regex>, PatternError> {
        self.fitted.on(text).ok_or_else(|| self.too_large())
    }

    fn too_large(&self) -> PatternError {
        failure(Mistake::TooLarge, &self.pattern)
    }
}

/// The size that an expression may have in bytes: it may come from anywhere.
const SIZE: usize = 1 << 20;

/// How deeply the groups of an expression may be nested.
const NESTING: u32 = 200;

/// Compiles a pattern.
///
/// # Errors
/// Go refuses it.
pub fn compile(pattern: &str) -> Result<Expression, PatternError> {
    Ok(Expression { fitted: fitted(pattern)?, pattern: pattern.to_owned() })
}

/// Whether Go accepts a pattern. Compiles nothing.
///
/// # Errors
/// It does not.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    checked(pattern).map(drop)
}

/// A valid pattern, as far as it can be compiled.
pub(crate) fn fitted(pattern: &str) -> Result<Fitted<Regex>, PatternError> {
    let build = |source: &str| {
        let mut builder = regex::bytes::RegexBuilder::new(source);
        builder.size_limit(SIZE).dfa_size_limit(SIZE).nest_limit(NESTING).build().ok()
    };
    Ok(Fitted::compile(checked(pattern)?, build))
}

/// A valid pattern in the syntax of the `regex` crate.
fn checked(pattern: &str) -> Result<String, PatternError> {
    let translated = translate(pattern)?;
    let syntax = regex_syntax::ast::parse::ParserBuilder::new().nest_limit(NESTING).build().parse(&translated);
    let syntax = syntax.map_err(|_| failure(Mistake::Invalid, pattern))?;
    counts::check(&syntax, &translated)?;
    let mut translator = regex_syntax::hir::translate::TranslatorBuilder::new().utf8(false).build();
    translator.translate(&translated, &syntax).map_err(|_| failure(Mistake::Invalid, pattern))?;
    Ok(translated)
}

fn failure(mistake: Mistake, part: &str) -> PatternError {
    PatternError { mistake, part: part.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{check, compile};
    use proptest::prelude::*;

    #[test]
    fn regular_expressions_mean_what_they_mean_in_go() {
        let matches = |pattern: &str, text: &str| compile(pattern)?.is_match(text);
        for (pattern, text) in [
            ("^a+$", "aaa"),
            ("[[]", "["),
            ("[a[b]", "["),
            (r"\Qa.b\E", "a.b"),
            (r"\101", "A"),
            ("a{,2}", "a{,2}"),
            ("{", "{"),
            (r"[\d-z]", "-"),
            ("[a&&b]", "&"),
            ("[+--]", ","),
            (r"^\w+$", "a_1"),
            (r"(?i)ABC", "abc"),
            (r"(?P<n>x)", "x"),
            // Since Go 1.22.
            (r"(?<n>x)(?<n>y)", "xy"),
            (r"^\p{Lu}\pN\p{Old_Italic}?$", "É1"),
            // Without what is not assigned.
            (r"^[\PC]\P{C}\pC$", "a\u{378}\u{1}"),
            (r"[[:alpha:]]", "q"),
            (r"[^\d]", "a"),
            (r"\x41\x{42}", "AB"),
            ("a*?b", "aab"),
            ("[]a]", "]"),
            (r"\pL", "é"),
            (r"^\ *\_\<[\ \-]$", "  _< "),
            (r"^\p{^L}\P{^L}$", "1a"),
            (r"^(?)a$", "a"),
            (r"^[\.-[:b]$", "["),
            (r"^[\pL-z]$", "-"),
        ] {
            assert_eq!(matches(pattern, text), Ok(true), "{pattern}");
        }
        for (pattern, text) in [(r"^\d+$", "٣"), (r"^\w+$", "é"), (r"\bé", "é"), ("a{2}", "a"), (r"^\s$", "\u{a0}")]
        {
            assert_eq!(matches(pattern, text), Ok(false), "{pattern}");
        }
        for (pattern, error) in [
            ("a(?=b)", "invalid or unsupported Perl syntax: `(?=`"),
            ("(?<=x)", "invalid or unsupported Perl syntax: `(?<=`"),
            ("a{1001}", "invalid repeat count: `{1001}`"),
            ("((a{2,40}){5,}b){6}?c{3000", "invalid repeat count: `{6}?`"),
            (r"\u00e9", r"invalid escape sequence: `\u`"),
            (r"(a)\1", r"invalid escape sequence: `\1`"),
            (r"\C", r"invalid escape sequence: `\C`"),
            (r"a\E", r"invalid escape sequence: `\E`"),
            (r"[a-\d]", r"invalid escape sequence: `\d`"),
            (r"\p{Script=Greek}", r"invalid character class range: `\p{Script=Greek}`"),
            (r"a\p{greek}", r"invalid character class range: `\p{greek}`"),
            (r"[\p{Alphabetic}]", r"invalid character class range: `\p{Alphabetic}`"),
            (r"\pÉ", r"invalid character class range: `\pÉ`"),
            ("(?<>x)", "invalid named capture: `(?<>`"),
            ("[[:nope:]]", "invalid character class range: `[:nope:]`"),
            ("a**", "invalid nested repetition operator: `**`"),
            ("*", "missing argument to repetition operator: `*`"),
            ("(a", "missing closing ): `(a`"),
            ("a)", "unexpected ): `a)`"),
            ("[a", "missing closing ]: `[a`"),
            ("a\\", "trailing backslash"),
            ("[a--b]", "invalid expression"),
        ] {
            let found = matches(pattern, "");
            assert_eq!(found.as_ref().err(), check(pattern).as_ref().err(), "{pattern}");
            assert!(found.as_ref().is_err_and(|refused| refused.to_string().contains(error)), "{pattern}: {found:?}");
        }
    }

    proptest! {
        #[test]
        fn patterns_never_panic(pattern in "[a\\[\\](){}|*+?^$\\\\.dwsQEpLxu0-9,:<>P&~-]{0,20}") {
            let _ = compile(&pattern);
        }
    }
}

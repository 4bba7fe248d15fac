//! Regular expressions of schemas.

mod ecma;

use crate::re2;
use regex::Regex;
use std::sync::{Arc, OnceLock};

/// A regular expression with its dialect. Compiled when first asked, once for all copies.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// How to read it.
    pub dialect: PatternDialect,
    compiled: Arc<OnceLock<Compiled>>,
}

/// Whose regular expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternDialect {
    /// Go RE2.
    Re2,
    /// ECMA 262 (JSON Schema).
    Ecma,
}

#[derive(Debug)]
enum Compiled {
    /// Needs time in proportion to the text.
    Linear(Regex),
    /// The same, as Go reads it.
    Go(regex::bytes::Regex),
    /// Looks around or back, and gives up after so many steps.
    Backtracking(Box<fancy_regex::Regex>),
    /// No expression, or one that cannot be read.
    Unread,
}

/// How large a compiled expression may be, in bytes: a schema may come from anywhere.
const SIZE: usize = 1 << 20;

/// Steps back that an expression may take for one text: a few milliseconds.
const STEPS: usize = 50_000;

impl Pattern {
    /// An expression as it is written.
    pub fn new(source: impl Into<String>, dialect: PatternDialect) -> Self {
        Pattern { source: source.into(), dialect, compiled: Arc::default() }
    }

    /// Whether it is found anywhere in `text`; none if it is no expression, or one we cannot read.
    pub fn is_in(&self, text: &str) -> Option<bool> {
        match self.compiled.get_or_init(|| self.compile()) {
            Compiled::Linear(regex) => Some(regex.is_match(text)),
            Compiled::Go(regex) => Some(regex.is_match(text.as_bytes())),
            Compiled::Backtracking(regex) => regex.is_match(text).ok(),
            Compiled::Unread => None,
        }
    }

    /// Whether it is an expression of its dialect.
    pub fn is_valid(&self) -> bool {
        let compiled = self.compiled.get_or_init(|| self.compile());
        let foreign = self.dialect == PatternDialect::Ecma && ecma::has_foreign_escape(&self.source);
        !foreign && !matches!(compiled, Compiled::Unread)
    }

    fn compile(&self) -> Compiled {
        if self.dialect == PatternDialect::Re2 {
            return re2::compile(&self.source).map_or(Compiled::Unread, Compiled::Go);
        }
        let linear = |source: &str| regex::RegexBuilder::new(source).size_limit(SIZE).build();
        let source = ecma::translated(&self.source);
        if let Ok(regex) = linear(&source) {
            return Compiled::Linear(regex);
        }
        let mut builder = fancy_regex::RegexBuilder::new(&source);
        let built = builder.backtrack_limit(STEPS).delegate_size_limit(SIZE).build();
        built.map_or(Compiled::Unread, |regex| Compiled::Backtracking(Box::new(regex)))
    }
}

/// Equal if they are written alike.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.dialect == other.dialect
    }
}

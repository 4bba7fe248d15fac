//! Regular expressions in schemas.

mod ecma;

use crate::re2;
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
    Linear(Regex),
    /// Runs in linear time, on bytes as in Go.
    Go(regex::bytes::Regex),
    /// Uses look-around or back references, and gives up after a number of steps.
    Backtracking(Box<fancy_regex::Regex>),
    /// Not a valid expression, or one that cannot be compiled.
    Unread,
}

/// Maximum size of a compiled expression in bytes: a schema may come from anywhere.
const SIZE: usize = 1 << 20;

/// Maximum number of backtracking steps for one text: a few milliseconds.
const STEPS: usize = 50_000;

impl Pattern {
    /// A regular expression as it is written.
    pub fn new(source: impl Into<String>, dialect: PatternDialect) -> Self {
        Pattern { source: source.into(), dialect, compiled: Arc::default() }
    }

    /// Whether it matches anywhere in `text`; None if it is invalid or cannot be compiled.
    pub fn is_in(&self, text: &str) -> Option<bool> {
        match self.compiled.get_or_init(|| self.compile()) {
            Compiled::Linear(regex) => Some(regex.is_match(text)),
            Compiled::Go(regex) => Some(regex.is_match(text.as_bytes())),
            Compiled::Backtracking(regex) => regex.is_match(text).ok(),
            Compiled::Unread => None,
        }
    }

    /// Whether it is valid in its dialect.
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

/// Patterns are equal if their text and dialect are.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.dialect == other.dialect
    }
}

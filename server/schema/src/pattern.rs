//! Regular expressions of schemas.

use regex::Regex;
use std::sync::{Arc, OnceLock};

/// A regular expression with its dialect. Compiled when first asked, once for all copies.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// How to read it.
    pub dialect: PatternDialect,
    compiled: Arc<OnceLock<Option<Regex>>>,
}

/// Whose regular expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternDialect {
    /// Go RE2.
    Re2,
    /// ECMA 262 (JSON Schema).
    Ecma,
}

/// How large a compiled expression may be, in bytes: a schema may come from anywhere.
const SIZE: usize = 1 << 20;

impl Pattern {
    /// An expression as it is written.
    pub fn new(source: impl Into<String>, dialect: PatternDialect) -> Self {
        Pattern { source: source.into(), dialect, compiled: Arc::default() }
    }

    /// Whether it is found anywhere in `text`; none if it is no expression, or one we cannot read.
    pub fn is_in(&self, text: &str) -> Option<bool> {
        let compile = || regex::RegexBuilder::new(&self.source).size_limit(SIZE).build().ok();
        self.compiled.get_or_init(compile).as_ref().map(|regex| regex.is_match(text))
    }
}

/// Equal if they are written alike.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.dialect == other.dialect
    }
}

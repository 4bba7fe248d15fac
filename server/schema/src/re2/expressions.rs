//! Expressions that were compiled, because the same ones are matched again and again.

use super::{Expression, PatternError, compile};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Regular expressions that were compiled, by their text.
#[derive(Debug, Default)]
pub struct Expressions {
    known: Mutex<FxHashMap<Box<str>, Compiled>>,
}

type Compiled = Result<Arc<Expression>, PatternError>;

/// The number of expressions that are kept.
const KEPT: usize = 64;

impl Expressions {
    /// The compiled expression.
    ///
    /// # Errors
    /// Go refuses it.
    pub fn get(&self, pattern: &str) -> Result<Arc<Expression>, PatternError> {
        let mut known = self.known.lock();
        if let Some(compiled) = known.get(pattern) {
            return compiled.clone();
        }
        if known.len() >= KEPT {
            known.clear();
        }
        let compiled = compile(pattern).map(Arc::new);
        known.insert(pattern.into(), compiled.clone());
        compiled
    }
}

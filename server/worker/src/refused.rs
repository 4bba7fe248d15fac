//! What is not asked again, or not yet.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::recorded::Read;
use lofting_eval::{EvalError, EvalErrorKind};

/// How long a question that was interrupted rests, the first time and after each further one. Then it counts as one
/// that never ends.
const RESTS: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(300)];
/// Questions beyond which all are forgotten: each may be tried again.
const MOST: usize = 10_000;

/// Questions without an answer, by their hash.
#[derive(Default)]
pub(crate) struct Refused(HashMap<u64, Refusal>);

struct Refusal {
    error: EvalError,
    /// What its code read: where that is another now, the question is another.
    read: Vec<Read>,
    /// How often it was interrupted, two attempts counted as one.
    times: usize,
    /// When it may be asked again; None: never.
    until: Option<Instant>,
}

impl Refused {
    /// True if nothing is refused, so that questions need no names.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Why a question is not asked now, as long as its code would read the same.
    pub(crate) fn error(&self, question: u64) -> Option<(EvalError, Vec<Read>)> {
        let refusal = self.0.get(&question)?;
        match refusal.until {
            Some(until) if until <= Instant::now() => None,
            _ => Some((refusal.error.clone(), refusal.read.clone())),
        }
    }

    /// Notes how a question ended, and gives the error with a word on when it is asked again.
    pub(crate) fn note(&mut self, question: u64, error: EvalError, read: Vec<Read>) -> EvalError {
        if !matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::Interrupted) {
            return error;
        }
        if self.0.len() >= MOST && !self.0.contains_key(&question) {
            self.0.clear();
        }
        // What reads something else is another question, with attempts of its own.
        let same = self.0.get(&question).filter(|refusal| refusal.read == read);
        let times = same.map_or(0, |refusal| refusal.times);
        let rest = RESTS.get(times).filter(|_| error.kind == EvalErrorKind::Interrupted);
        let (kind, when) = match rest {
            Some(rest) => (EvalErrorKind::Interrupted, format!("it is tried again after {} s", rest.as_secs())),
            None => (EvalErrorKind::Limit, "it is not tried again until the text changes".to_owned()),
        };
        let error = EvalError { kind, message: format!("{}; {when}", error.message), ..error };
        let until = rest.map(|rest| Instant::now() + *rest);
        self.0.insert(question, Refusal { error: error.clone(), read, times: times + 1, until });
        error
    }

    /// A question was answered after all.
    pub(crate) fn forget(&mut self, question: u64) {
        self.0.remove(&question);
    }
}

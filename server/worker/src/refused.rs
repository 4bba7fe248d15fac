//! Questions that are refused because they interrupted or killed a worker: for a while, or for good.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::recorded::Read;
use lofting_eval::{EvalError, EvalErrorKind};

/// How long a question rests after the first, second and third interruption. After the next one it counts as a
/// computation that never ends.
const RESTS: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(300)];
/// Beyond this number of questions all are forgotten, so that each may be tried again.
const MOST: usize = 10_000;

/// Questions without an answer, by their hash.
#[derive(Default)]
pub(crate) struct Refused(HashMap<u64, Refusal>);

struct Refusal {
    error: EvalError,
    /// What its code read. If any of that changes, it is a new question.
    read: Vec<Read>,
    /// How often it was interrupted; an attempt and its immediate retry count as one.
    times: usize,
    /// When it may be asked again; None for never.
    until: Option<Instant>,
}

impl Refused {
    /// Whether nothing is refused, so that questions need not be hashed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Why a question is not asked now; holds as long as its code would read the same.
    pub(crate) fn error(&self, question: u64) -> Option<(EvalError, Vec<Read>)> {
        let refusal = self.0.get(&question)?;
        match refusal.until {
            Some(until) if until <= Instant::now() => None,
            _ => Some((refusal.error.clone(), refusal.read.clone())),
        }
    }

    /// Notes how a question ended, and returns the error with a note on when it is retried.
    pub(crate) fn note(&mut self, question: u64, error: EvalError, read: Vec<Read>) -> EvalError {
        if !matches!(error.kind, EvalErrorKind::Limit | EvalErrorKind::Interrupted) {
            return error;
        }
        if self.0.len() >= MOST && !self.0.contains_key(&question) {
            self.0.clear();
        }
        // With other files read, it is a different question and has its own attempts.
        let same = self.0.get(&question).filter(|refusal| refusal.read == read);
        let times = same.map_or(0, |refusal| refusal.times);
        let rest = RESTS.get(times).filter(|_| error.kind == EvalErrorKind::Interrupted);
        let (kind, when) = match rest {
            Some(rest) => (EvalErrorKind::Interrupted, format!("it is retried after {} s", rest.as_secs())),
            None => (EvalErrorKind::Limit, "it is not retried until the text changes".to_owned()),
        };
        let error = EvalError { kind, message: format!("{}; {when}", error.message), ..error };
        let until = rest.map(|rest| Instant::now() + *rest);
        self.0.insert(question, Refusal { error: error.clone(), read, times: times + 1, until });
        error
    }

    /// Forgets a question because it was answered after all.
    pub(crate) fn forget(&mut self, question: u64) {
        self.0.remove(&question);
    }
}

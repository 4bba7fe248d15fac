//! How far a connection has come: which messages are in order depends on it.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::jsonrpc::{Error, ErrorCode};

/// A part of a connection's life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing was said yet.
    #[default]
    New,
    /// `initialize` was asked, and is not answered.
    Beginning,
    /// It was.
    Running,
    /// `shutdown` was asked.
    Ending,
}

/// The phase of one connection; copies are the same one.
#[derive(Clone, Default)]
pub(crate) struct Lifecycle(Arc<Mutex<Phase>>);

impl Lifecycle {
    /// The phase now.
    pub(crate) fn phase(&self) -> Phase {
        *self.0.lock()
    }

    /// Goes on to a phase.
    pub(crate) fn enter(&self, phase: Phase) {
        *self.0.lock() = phase;
    }

    /// Whether the server may speak of its own accord.
    pub(crate) fn has_begun(&self) -> bool {
        matches!(self.phase(), Phase::Running | Phase::Ending)
    }

    /// Whether an ordinary message is in order now, and why not.
    pub(crate) fn allows_ordinary(&self) -> Result<(), Error> {
        match self.phase() {
            Phase::Running => Ok(()),
            Phase::New | Phase::Beginning => {
                Err(Error::new(ErrorCode::SERVER_NOT_INITIALIZED, "`initialize` comes first"))
            }
            Phase::Ending => Err(Error::new(ErrorCode::INVALID_REQUEST, "after `shutdown` only `exit` is in order")),
        }
    }
}

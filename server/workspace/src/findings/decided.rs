//! What decides how a file is checked: its kind, and what governs it.
//!
//! It follows from much more than the file, such as other files around it and the configurations above it, and seldom
//! changes. So it is compared with that of an earlier state, and findings depend only on the outcome.

use crate::association::associate::kind;
use crate::association::kind::FileKind;
use crate::association::reads::Reads;
use crate::association::reason::{Association, Reason, SchemaRef};
use crate::association::shared::FileList;
use crate::files::file::File;
use crate::findings::state::CheckState;
use lofting_memo::{Stamp, Weigh};
use std::sync::Arc;

/// What was decided about a file.
pub(crate) struct Decided {
    what: Decision,
    /// Stays the same as long as the decision does. What the schemas say is another question.
    pub stamp: Stamp,
}

#[derive(Clone, PartialEq)]
struct Decision {
    kind: FileKind,
    reason: Reason,
    /// The schemas that govern it.
    schemas: Vec<SchemaUse>,
    /// The schemas that declare what its code reads, and whether there are no others.
    read: (Vec<SchemaUse>, bool),
}

/// How a schema is used.
#[derive(Clone, PartialEq)]
struct SchemaUse {
    files: FileList,
    set: Option<Arc<str>>,
    plain: bool,
    incomplete: bool,
}

impl Weigh for Decided {
    fn weight(&self) -> usize {
        size_of::<Decided>() + size_of::<SchemaUse>() * (self.what.schemas.len() + self.what.read.0.len())
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

/// The stamp of what was decided about a file in a state, which is given.
pub(crate) fn stamp(state: &CheckState, file: &File, association: &Association, read: &Reads) -> Stamp {
    state.check_shared.decided.get((file.id, state.calls_functions()), |_| {
        let what = Decision {
            kind: kind(state, file),
            reason: association.reason.clone(),
            schemas: association.schemas().map(SchemaUse::of).collect(),
            read: (read.schemas.iter().map(SchemaUse::of).collect(), read.certain),
        };
        let last = state.check_memos.decided.newest(&file.id).filter(|last| last.what == what);
        let stamp = last.map_or_else(Stamp::next, |last| last.stamp);
        // The answer is for this state alone; the next ones compare theirs with it.
        state
            .check_memos
            .decided
            .get(file.id, &state.inputs([stamp, state.number]), || Decided { what: what.clone(), stamp });
        stamp
    })
}

impl SchemaUse {
    fn of(schema: &SchemaRef) -> SchemaUse {
        SchemaUse {
            files: schema.source.list().clone(),
            set: schema.set.clone(),
            plain: schema.plain,
            incomplete: schema.incomplete,
        }
    }
}

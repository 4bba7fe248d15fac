//! Remembered findings: with the schemas that they point into, because positions there move with edits.

use super::Findings;
use crate::association::reads::Reads;
use crate::association::reason::Association;
use crate::caches::weight;
use lofting_check::follow;
use lofting_memo::Stamp;
use lofting_memo::Weigh;
use lofting_schema::{Moves, Schema};
use std::sync::Arc;

/// Findings of a file. They are valid as long as its schemas mean the same.
pub(crate) struct Remembered {
    pub findings: Findings,
    /// The schemas of the file, in an order that stays the same as long as they mean the same.
    schemas: Vec<(Stamp, Arc<Schema>)>,
}

impl Weigh for Remembered {
    fn weight(&self) -> usize {
        size_of::<Remembered>() + self.findings.list.iter().map(weight::of_diagnostic).sum::<usize>()
    }
}

impl Remembered {
    pub(super) fn new(findings: Findings, association: &Association, read: &Reads) -> Self {
        // Findings that name no other file keep no schema alive.
        let schemas = if names_others(&findings) { schemas(association, read).collect() } else { Vec::new() };
        Remembered { findings, schemas }
    }

    /// The findings with current positions; `None` if one of these cannot be found.
    pub(super) fn now(&self, association: &Association, read: &Reads) -> Option<Findings> {
        let pairs = self.schemas.iter().zip(schemas(association, read));
        let moved = pairs.filter(|((old, _), (new, _))| old != new);
        let moves: Vec<Moves> = moved.map(|((_, old), (_, new))| old.moves_to(&new)).collect();
        if moves.is_empty() {
            return Some(self.findings.clone());
        }
        let mut list = self.findings.list.to_vec();
        let followed = list.iter_mut().all(|finding| moves.iter().all(|moves| follow(finding, moves)));
        followed.then(|| Findings { list: list.into(), partial: self.findings.partial })
    }
}

fn schemas<'a>(association: &'a Association, read: &'a Reads) -> impl Iterator<Item = (Stamp, Arc<Schema>)> + 'a {
    let schemas = association.schemas().chain(&read.schemas);
    schemas.map(|schema| (schema.state.stamp, schema.schema.clone()))
}

fn names_others(findings: &Findings) -> bool {
    findings.list.iter().any(|finding| {
        let own = finding.span.file;
        finding.related.iter().any(|related| related.span.file != own)
            || finding.fixes.iter().any(|fix| fix.edits.iter().any(|(span, _)| span.file != own))
    })
}

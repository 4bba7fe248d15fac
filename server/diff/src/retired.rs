//! Keys that are gone after a release has said that they should no longer be used.

use crate::change::{Breaks, Change, Kind};
use crate::language::{Compared, compare};

impl Compared {
    /// Removed keys that the schema of a release has as deprecated break no values: their authors know. `released` is
    /// the text of the schema in the release, `new` the one that was compared.
    pub fn retire(&mut self, release: &str, released: &str, new: &str) {
        let may_go = |change: &Change| matches!(change.kind, Kind::Removed | Kind::RenamedTo);
        if !self.changes.iter().any(may_go) {
            return;
        }
        let Ok(since) = compare(self.language, released, new) else { return };
        let is_announced = |change: &Change| {
            let is_it = |other: &Change| other.path == change.path && other.part == change.part;
            since.changes.iter().any(|other| may_go(other) && other.was_deprecated && is_it(other))
        };
        for change in self.changes.iter_mut().filter(|change| may_go(change) && is_announced(change)) {
            change.breaks = Breaks { values: false, ..change.breaks };
            change.retired = Some(release.to_owned());
        }
    }
}

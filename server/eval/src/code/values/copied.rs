//! A copy of what code says about data values.

use super::{PathId, ValuePaths, ValueStep};
use crate::code::moved::copied;

impl ValuePaths {
    /// A copy, whose making ends where it is cancelled.
    pub(in crate::code) fn copied(&self) -> ValuePaths {
        let child = |(place, id): (&(PathId, ValueStep), &PathId)| {
            lofting_memo::step();
            (place.clone(), *id)
        };
        ValuePaths {
            paths: copied(&self.paths),
            uses: self.uses.clone(),
            escapes: self.escapes.clone(),
            passes: copied(&self.passes),
            whole: self.whole.clone(),
            unfollowed: self.unfollowed.clone(),
            meanings: copied(&self.meanings),
            bound: copied(&self.bound),
            children: self.children.iter().map(child).collect(),
        }
    }
}

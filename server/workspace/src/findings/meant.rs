//! Findings about one mistake that different rules made: a key that the schema does not declare, and what the language of the
//! file says of the key that it is meant to be.

use super::depth::map_of;
use crate::files::file::{BY_YTT, File};
use lofting_check::Diagnostic;
use lofting_check::meant::{Beside, is_stray, join};
use lofting_check::rules::MISSING_KEY;
use lofting_document::FileId;
use lofting_syntax::resolve::Profile;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What makes the values that findings are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MadeBy {
    /// They are written.
    Hand,
    /// Code, which may make several at one place.
    Code,
}

/// Joins findings about keys that are meant to be missing ones with those about these.
pub(crate) fn join_meant<'f>(
    found: &mut Vec<Diagnostic>,
    made_by: MadeBy,
    file_of: impl Fn(FileId) -> Option<&'f File>,
) {
    let files = found.iter().filter_map(|finding| finding.lack.as_ref()?.beside).map(|beside| beside.file);
    let files: FxHashSet<FileId> = files.collect();
    drop_replaced(found);
    for file in files.into_iter().filter_map(file_of) {
        join(found, &InFile { file, made_by });
    }
    found.iter_mut().for_each(|finding| finding.lack = None);
}

/// Drops what others say instead.
fn drop_replaced(found: &mut Vec<Diagnostic>) {
    let instead = found.iter().filter_map(|finding| finding.lack.as_ref()).flat_map(|lack| &lack.instead);
    let instead: FxHashSet<(FileId, u32)> = instead.map(|key| (key.file, key.start)).collect();
    found.retain(|finding| !(is_stray(finding) && instead.contains(&(finding.span.file, finding.span.start))));
}

/// The findings in a file, whose maps are told apart by where they are written.
struct InFile<'f> {
    file: &'f File,
    made_by: MadeBy,
}

impl Beside<Diagnostic> for InFile<'_> {
    type Map = Range<usize>;

    fn finding<'t>(&self, of: &'t Diagnostic) -> &'t Diagnostic {
        of
    }

    fn finding_mut<'t>(&self, of: &'t mut Diagnostic) -> &'t mut Diagnostic {
        of
    }

    fn map(&self, of: &Diagnostic) -> Option<Range<usize>> {
        let beside = || of.lack.as_ref()?.beside;
        map_of(self.file, if is_stray(of) { of.span } else { beside()? })
    }

    fn name(&self, of: &Diagnostic) -> Option<String> {
        let scalar = self.file.tree().scalar_at(of.span.range().start)?;
        Some(scalar.value().into_owned())
    }

    fn fits(&self, _: &Diagnostic, missing: &Diagnostic) -> bool {
        // Those of schemas are compared where the kinds of their values are known.
        *missing.rule != MISSING_KEY
    }

    fn is_one_value(&self) -> bool {
        self.made_by == MadeBy::Hand
    }

    fn profile(&self) -> Profile {
        BY_YTT
    }
}

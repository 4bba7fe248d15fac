//! Mistakes about which a schema and something else both have a finding. Rules of languages declare what they say better
//! than schemas ([`lofting_diagnostic::Rule::instead_of`]); where the rule has nothing to say, that of the schema stays.

use super::depth::map_of;
use super::levels;
use crate::files::file::File;
use crate::findings::state::CheckState;
use lofting_check::Diagnostic;
use lofting_diagnostic::{Said, drop_at};
use lofting_document::FileId;
use lofting_syntax::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Drops what schemas say of values about which rules of languages say it better, unless these are turned off.
pub(crate) fn drop_said<'f>(
    state: &CheckState,
    found: &mut Vec<Diagnostic>,
    file_of: impl Fn(FileId) -> Option<&'f File>,
) {
    let is_better = |finding: &&Diagnostic| !finding.rule.instead_of.is_empty();
    let files: FxHashSet<FileId> = found.iter().filter(is_better).map(|finding| finding.span.file).collect();
    for file in files.into_iter().filter_map(file_of) {
        let said = said_in(state, file, found);
        drop_at(found, |index| said.contains(&index));
    }
}

/// The findings of schemas in a file that others replace, by their index.
fn said_in(state: &CheckState, file: &File, found: &[Diagnostic]) -> FxHashSet<usize> {
    let mut said = FxHashSet::default();
    let of_file = || found.iter().enumerate().filter(|(_, finding)| finding.span.file == file.id);
    let better = || of_file().map(|(_, finding)| finding).filter(|finding| !finding.rule.instead_of.is_empty());
    let off = levels::turned_off(state, file, better().map(|finding| finding.rule));
    let better: Vec<&Diagnostic> = better().filter(|finding| !off.contains(finding.rule.code)).collect();
    let mut of_schemas: FxHashMap<Range<usize>, Vec<(usize, &Diagnostic)>> = FxHashMap::default();
    for (index, finding) in of_file().filter(|(_, finding)| finding.rule.shared) {
        lofting_memo::step();
        if let Some(entry) = entries_around(file, finding).pop() {
            of_schemas.entry(entry).or_default().push((index, finding));
        }
    }
    for finding in better {
        lofting_memo::step();
        for (depth, entry) in entries_around(file, finding).iter().rev().enumerate() {
            let less = of_schemas.get(entry).into_iter().flatten();
            said.extend(less.filter(|(_, less)| replaces(file, finding, less, depth)).map(|(index, _)| *index));
        }
    }
    said
}

/// The entries of maps and the items around the place of a finding, from the outside.
fn entries_around(file: &File, finding: &Diagnostic) -> Vec<Range<usize>> {
    let path = file.tree().path_at(finding.span.range().start).into_iter();
    path.filter(|node| matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry)).map(|node| node.range()).collect()
}

/// Whether a finding replaces one of a schema about an entry that is so many levels around it.
fn replaces(file: &File, finding: &Diagnostic, less: &Diagnostic, depth: usize) -> bool {
    let is_said = |said: &Said| match said {
        // Items are told apart by the values of their keys.
        Said::Value(name) => less.rule.name() == *name && depth <= 1,
        Said::Lack => match (&finding.lack, &less.lack) {
            (Some(own), Some(other)) => {
                let has_all = !other.keys.is_empty() && other.keys.iter().all(|key| own.keys.contains(key));
                let map = |beside| map_of(file, beside);
                has_all && (depth == 0 || own.beside.and_then(map) == other.beside.and_then(map))
            }
            _ => false,
        },
        Said::Expression(keys) => {
            let is_read = |key: &str| less.reads.iter().any(|read| read.as_str() == Some(key));
            less.reads.len() == keys.len() && keys.iter().all(|key| is_read(key))
        }
    };
    // The lesser of two levels must not hide that the value is refused.
    finding.severity <= less.severity && finding.rule.instead_of.iter().any(is_said)
}

//! Documents that begin without `---`: the keys of the root of one are given once more.

use crate::files::file::File;
use lofting_check::rules::{DUPLICATE_KEY, REPEATED_KEY};
use lofting_check::{Begun, Diagnostic, Stage, forgotten_document_start};
use lofting_document::Span;
use lofting_syntax::{Document, Entry};
use lofting_text::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The keys of every resource.
const OF_RESOURCES: [&str; 2] = ["apiVersion", "kind"];

/// How many lines of comments above a key belong to it.
const COMMENTS: usize = 20;

/// Makes one finding of those about the keys of a document that begins without `---`. What it says of values mixes two
/// documents, so nothing else is reported about them.
pub(crate) fn join_begun(found: &mut Vec<Diagnostic>, file: &File) {
    let is_repeated = |finding: &Diagnostic| {
        let is_one = *finding.rule == REPEATED_KEY || *finding.rule == DUPLICATE_KEY;
        is_one && finding.span.file == file.id
    };
    let repeated: FxHashMap<usize, Diagnostic> = found
        .iter()
        .filter(|finding| is_repeated(finding))
        .map(|finding| (finding.span.range().start, finding.clone()))
        .collect();
    let (mut documents, mut known) = (Vec::new(), FxHashSet::default());
    for at in repeated.keys() {
        lofting_memo::step();
        let document = file.tree().path_at(*at).into_iter().find_map(Document::cast);
        documents.extend(document.filter(|document| known.insert(document.range().start)));
    }
    for document in documents {
        let run = Runs::of(document, &repeated);
        if run.begins.is_empty() {
            continue;
        }
        let range = document.range();
        found.retain(|finding| {
            let at = finding.span.range().start;
            let is_inside = finding.span.file == file.id && range.contains(&at);
            let is_said = is_repeated(finding) && run.across.contains(&at);
            let of_values = matches!(finding.stage, Stage::Overlay | Stage::Type | Stage::Validation);
            !is_inside || !(is_said || of_values && !is_repeated(finding))
        });
        for (at, begun) in run.begins {
            let Some(instead) = repeated.get(&at) else { continue };
            let start = annotated_from(file.text(), at);
            let newline =
                if file.text().slice(0..file.text().line_range(1).start).ends_with("\r\n") { "\r\n" } else { "\n" };
            let marker = Span::new(file.id, start..start);
            found.push(forgotten_document_start(begun, marker, &format!("---{newline}"), instead));
        }
    }
}

/// The start of the first line of the comments directly above a key.
fn annotated_from(text: &Text, key: usize) -> usize {
    let own = text.line_of(key);
    let is_comment = |line: &Range<usize>| text.slice(line.clone()).starts_with('#');
    let above = (own.saturating_sub(COMMENTS)..own).rev().map(|line| text.line_range(line)).take_while(is_comment);
    above.last().map_or(text.line_range(own).start, |line| line.start)
}

/// The keys of a root, divided where they are given once more.
#[derive(Default)]
struct Runs {
    /// Where a document begins, by the start of its first key.
    begins: Vec<(usize, Begun)>,
    /// Keys that are repeated because of that, and not in their own document.
    across: FxHashSet<usize>,
}

impl Runs {
    fn of(document: Document<'_>, repeated: &FxHashMap<usize, Diagnostic>) -> Runs {
        let mut runs = Runs::default();
        let map = document.root().and_then(|root| root.map()).filter(|map| !map.is_flow());
        let named = |entry: Entry<'_>| {
            let key = entry.key()?;
            Some((entry.range().start, key.scalar()?.value().into_owned()))
        };
        let keys: Vec<(usize, String)> = map.into_iter().flat_map(|map| map.entries()).filter_map(named).collect();
        let (mut first, mut at) = (0, 0);
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        while let Some((start, key)) = keys.get(at) {
            lofting_memo::step();
            if repeated.contains_key(start) {
                let is_first = keys.get(first).is_some_and(|(_, first)| first == key);
                let begun = seen.contains(key.as_str()).then(|| begun(&seen, is_first, keys.get(at..)?)).flatten();
                if let Some(begun) = begun {
                    runs.begins.push((*start, begun));
                    (first, seen) = (at, FxHashSet::default());
                }
                if !seen.contains(key.as_str()) {
                    runs.across.insert(*start);
                }
            }
            seen.insert(key);
            at += 1;
        }
        runs
    }
}

/// What begins with the first of these keys, if `above` are those before it: those up to the first that is given once
/// more. `is_first`: the keys above begin with it as well.
fn begun(above: &FxHashSet<&str>, is_first: bool, rest: &[(usize, String)]) -> Option<Begun> {
    let begins = rest.first().map(|(_, key)| key.as_str());
    if !is_first && begins.is_none_or(|key| !OF_RESOURCES.contains(&key)) {
        return None;
    }
    let mut below: FxHashSet<&str> = FxHashSet::default();
    below.extend(rest.iter().map(|(_, key)| key.as_str()).take_while({
        let mut seen = FxHashSet::default();
        move |key| seen.insert(*key)
    }));
    let has_all = |keys: &FxHashSet<&str>| OF_RESOURCES.iter().all(|key| keys.contains(key));
    if has_all(above) && has_all(&below) && begins.is_some_and(|key| OF_RESOURCES.contains(&key)) {
        return Some(Begun::Resource);
    }
    (above.len() > 1 && is_first && above.is_subset(&below)).then_some(Begun::Document)
}

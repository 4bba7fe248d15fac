//! A misspelt required key is one mistake: the required key is missing, and the written one is not declared. The second
//! finding has the exact place and can be fixed by renaming, so it takes the place of the first.

use crate::path::Step;
use crate::rules;
use crate::rules::renaming::{rename, title};
use crate::suggest;
use crate::values::Finding;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Span};
use lofting_syntax::resolve::Profile;
use rustc_hash::{FxHashMap, FxHashSet};

/// The findings about the keys of one map, by their index.
#[derive(Default)]
struct OfMap {
    missing: Vec<usize>,
    undeclared: Vec<usize>,
}

/// Joins each missing key with the undeclared key that is a misspelling of it.
pub(super) fn join(findings: &mut Vec<Finding>, profile: Profile) {
    let is_missing = |finding: &Finding| {
        let found = &finding.diagnostic;
        *found.rule == rules::MISSING_KEY && found.key.as_ref().is_some_and(|key| key.as_str().is_some())
    };
    if !findings.iter().any(is_missing) {
        return;
    }
    let mut maps: FxHashMap<&[Step], OfMap> = FxHashMap::default();
    for (index, finding) in findings.iter().enumerate() {
        let Some((_, holder)) = finding.steps.split_last() else { continue };
        let rule = finding.diagnostic.rule;
        if is_missing(finding) {
            maps.entry(holder).or_default().missing.push(index);
        } else if *rule == rules::UNDECLARED_KEY || *rule == rules::UNREAD_KEY {
            maps.entry(holder).or_default().undeclared.push(index);
        }
    }
    let mut searches = suggest::SEARCHES;
    let mut meant: Vec<(usize, Key)> = Vec::new();
    let mut joined: FxHashSet<usize> = FxHashSet::default();
    let mut pairs: Vec<&OfMap> = maps.values().filter(|of| !of.missing.is_empty()).collect();
    pairs.sort_unstable_by_key(|of| of.undeclared.first().copied());
    for OfMap { missing, undeclared } in pairs {
        for index in undeclared {
            if searches == 0 {
                break;
            }
            searches -= 1;
            let Some(Step::Key(Key::String(written))) = findings[*index].steps.last() else { continue };
            let open = missing.iter().filter(|index| !joined.contains(index));
            let name = |index: &usize| findings[*index].diagnostic.key.as_ref().and_then(Key::as_str);
            let names: Vec<&str> = open.filter_map(name).collect();
            let Some(nearest) = suggest::nearest(written, names) else { continue };
            joined.extend(missing.iter().filter(|index| name(index) == Some(nearest)));
            meant.push((*index, Key::from(nearest)));
        }
    }
    for (index, key) in meant {
        // The lesser of two levels must not hide that the value is refused.
        let severity = joined.iter().filter_map(|at| findings.get(*at)).map(|it| &it.diagnostic);
        let severity =
            severity.filter(|missing| missing.key.as_ref() == Some(&key)).map(|missing| missing.severity).min();
        let found = &mut findings[index].diagnostic;
        found.severity = severity.map_or(found.severity, |severity| severity.min(found.severity));
        let name = key.to_string();
        if found.fixes.first().is_none_or(|fix| fix.title != title(&name)) {
            found.fixes.insert(0, rename(found.span, &name, profile));
        }
        found.help = Some(format!("did you mean `{name}`, which is required?"));
    }
    let mut index = 0..;
    findings.retain(|_| index.next().is_none_or(|index| !joined.contains(&index)));
}

/// Adds to the finding about a missing key that a written key, which any map may have, is a misspelling of it.
pub(super) fn with_slip(finding: Diagnostic, written: (&str, Span), meant: &str, profile: Profile) -> Diagnostic {
    let (name, span) = written;
    let mut fix = rename(span, meant, profile);
    fix.title = format!("Rename `{name}` to `{meant}`");
    finding.help(format!("did you mean it by `{name}`?")).fix(fix)
}

//! Each action that is offered for the example of a rule is applied and the result checked.

use super::{all_at, applied};
use crate::fixture::open_with;
use lofting_check::{Rule, rules};
use lofting_workspace::{CancelFlag, Settings, Snapshot};
use std::collections::BTreeMap;

/// How often something is found, by file and code.
type Found = BTreeMap<(String, String), usize>;

fn found(snapshot: &Snapshot) -> Found {
    let mut found = Found::new();
    for file in snapshot.files() {
        for finding in snapshot.diagnostics(file, &CancelFlag::new()).iter() {
            *found.entry((snapshot.shown_path(file), finding.code().into_owned())).or_default() += 1;
        }
    }
    found
}

/// Applies what is offered for the findings of a rule. Gives how many actions mend one; none if there is no finding.
fn mended(rule: &Rule, fixture: &str, wrong: &mut Vec<String>) -> Option<usize> {
    let settings = Settings { validate_other_yaml: true, ..Settings::default() };
    let fixture = open_with(settings, fixture);
    let snapshot = &fixture.snapshot;
    let before = found(snapshot);
    let count = |found: &Found, key: &(String, String)| found.get(key).copied().unwrap_or(0);
    let (mut seen, mut mending) = (false, 0);
    for file in files(snapshot) {
        for finding in snapshot.diagnostics(file, &CancelFlag::new()).iter().filter(|finding| finding.rule == rule) {
            seen = true;
            for action in all_at(snapshot, file, finding.span.range()) {
                let title = &action.name.title;
                let Some(change) = action.change.filter(|_| action.finding.as_ref() == Some(finding)) else { continue };
                let after = applied(snapshot, &change);
                let now = found(&after);
                let own = (snapshot.shown_path(file), finding.code().into_owned());
                mending += usize::from(action.name.source != "suppress");
                if count(&now, &own) >= count(&before, &own) {
                    wrong.push(format!("{rule}: {title}: is found all the same:\n{}", shown(&after)));
                }
                for (key, number) in now.iter().filter(|(key, number)| count(&before, key) < **number) {
                    wrong.push(format!("{rule}: {title}: brings {number} of {key:?}:\n{}", shown(&after)));
                }
            }
        }
    }
    seen.then_some(mending)
}

fn files(snapshot: &Snapshot) -> Vec<lofting_document::FileId> {
    let mut files: Vec<_> = snapshot.files().collect();
    files.sort();
    files
}

fn shown(snapshot: &Snapshot) -> String {
    let text = |file| format!("#- {}\n{}", snapshot.shown_path(file), snapshot.text(file).slice(0..usize::MAX));
    files(snapshot).into_iter().map(text).collect()
}

/// The ways in which the example of a rule may be meant.
fn fixtures(rule: &Rule) -> Vec<String> {
    let text = rule.section("Example");
    let Some(example) = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()) else {
        return Vec::new();
    };
    let mut fixtures = vec![lofting_fixture::of_example(example)];
    if let Some((schema, values)) = example.strip_prefix("# schema\n").and_then(|rest| rest.split_once("# values\n")) {
        let modeline = "# yaml-language-server: $schema=json-schema.yml\n";
        fixtures.push(format!("#- json-schema.yml\n{schema}#- values.yml\n{modeline}{values}"));
    }
    fixtures
}

#[test]
fn whatever_is_offered_mends_its_finding_and_brings_no_other() {
    let mut wrong = Vec::new();
    let mut offered = 0;
    for rule in rules::registry().rules() {
        let outcomes = fixtures(rule).into_iter().filter_map(|fixture| mended(rule, &fixture, &mut wrong));
        offered += outcomes.sum::<usize>();
    }
    assert!(offered > 30, "{offered}");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

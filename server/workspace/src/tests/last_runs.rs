//! After an edit, only the templates run again that the edit can have changed.

use super::noting::Noting;
use crate::Need;
use crate::evaluation::LastRuns;
use crate::fixture::Fixture;
use std::sync::Arc;

const FILES: &str = "#- lofting.toml
[sets.dev]
files = ['config']
values = ['dev.yml']
[sets.prod]
files = ['config']
values = ['prod.yml']
#- dev.yml
size: 1
#- prod.yml
size: 3
#- config/schema.yml
#@data/values-schema
---
size: 0
#- config/a.yml
a: #@ 1
#- config/a.star
x = 1
#- config/b.yml
b: #@ 2
#- config/c.yml
c: #@ 3
";

/// An editor with the files, in which each template reads the library of its name.
fn noted() -> (Fixture, Arc<Noting>) {
    let mut fixture = Fixture::scanned(FILES);
    let noting = Arc::new(Noting::new(|name| name.replace(".yml", ".star")));
    fixture.workspace.set_evaluator(noting.clone());
    (fixture, noting)
}

/// Renders both calls; what ran.
fn ran(noting: &Noting, fixture: &mut Fixture) -> String {
    let file = fixture.id("config/b.yml");
    let snapshot = fixture.workspace.evaluate(&[file], Need::Values, 1);
    let calls = snapshot.output_calls(file);
    assert_eq!(calls.len(), 2, "dev and prod");
    for call in &calls {
        assert!(snapshot.output(call).files.is_some(), "{call:?}");
    }
    std::mem::take(&mut *noting.ran()).join(" ")
}

#[test]
fn only_templates_that_an_edit_can_change_run_again() {
    let (mut fixture, noting) = noted();
    let ran = |fixture: &mut Fixture| ran(&noting, fixture);
    // The library runs by itself as well, for its own mistakes: this evaluator does not say that the template loaded
    // it.
    assert_eq!(ran(&mut fixture), "a.yml b.yml c.yml a.star a.yml b.yml c.yml a.star");
    assert_eq!(ran(&mut fixture), "");
    fixture.open("config/b.yml", "b: #@ 2\n");
    fixture.edit("config/b.yml", "2", "22");
    assert_eq!(ran(&mut fixture), "b.yml b.yml", "a template");
    fixture.open("config/a.star", "x = 2\n");
    assert_eq!(ran(&mut fixture), "a.yml a.star a.yml a.star", "a file that another one loads");
    fixture.open("dev.yml", "size: 2\n");
    assert_eq!(ran(&mut fixture), "a.yml b.yml c.yml a.star", "values of one call");
    fixture.open("dev.yml", "size: 2 # the same\n");
    assert_eq!(ran(&mut fixture), "", "values that are the same");
    fixture.open("config/schema.yml", "#@data/values-schema\n---\nsize: 0\nname: \"\"\n");
    assert_eq!(ran(&mut fixture), "a.yml b.yml c.yml a.star a.yml b.yml c.yml a.star", "the schema");
}

#[test]
fn what_is_left_of_sets_that_are_gone_makes_room() {
    let (mut fixture, noting) = noted();
    ran(&noting, &mut fixture);
    let (once, of_one) = fixture.workspace.runner.last_runs.held();
    // Room for the two calls, and for little else.
    fixture.workspace.runner.last_runs = LastRuns::of(once + of_one);
    for number in 0..5 {
        let set = |values: &str| format!("[sets.{values}{number}]\nfiles = ['config']\nvalues = ['{values}.yml']\n");
        // Each time, the calls have other numbers.
        let others: String = (0..2 * number).map(|one| format!("[sets.a{one}]\nfiles = ['dev.yml']\n")).collect();
        fixture.open("lofting.toml", &(others + &set("dev") + &set("prod")));
        ran(&noting, &mut fixture);
        assert_eq!(ran(&noting, &mut fixture), "", "set {number}");
    }
}

//! The thread that owns a workspace takes small steps, because everything waits for it. However many files a workspace
//! has, and however many of them its input sets, no step takes more work than with a few files.

use std::fs;
use std::path::Path;

use lofting_workspace::{CancelFlag, SchemaSetting, SettingName, Settings, Taken, Workspace};

use crate::ask::{Work, counted};
use crate::{FACTOR, turn};

/// Files applied in one step, as the server does.
const PIECE: usize = 128;

/// Files of the smaller workspace: more than are gone through at once.
const FILES: usize = 3_000;

const MAKEFILE: &str =
    "all:\n\tytt -f .\nboth:\n\tytt -f . -f config\nvalues:\n\tytt -f config -f apps --data-values-file values.yml\n";

/// The work of the largest step of each kind.
#[derive(Default)]
struct Steps(Vec<(&'static str, Work)>);

impl Steps {
    fn count(&mut self, name: &'static str, step: impl FnOnce()) {
        let work = counted(step);
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, largest)) if largest.bytes < work.bytes => *largest = work,
            Some(_) => {}
            None => self.0.push((name, work)),
        }
    }

    /// Resolves input sets as the server does: the job elsewhere, which is not counted, and what it brings in pieces.
    fn resolve_sets(&mut self, workspace: &mut Workspace) -> usize {
        let mut jobs = 0;
        while let Some(job) = workspace.take_sets_job() {
            jobs += 1;
            let mut found = job.run();
            let mut taken = Taken::More;
            while taken == Taken::More {
                let before = workspace.snapshot();
                self.count("input sets", || taken = workspace.take_sets(&mut found, PIECE));
                drop(before);
            }
        }
        jobs
    }
}

/// Runs searches for schemas as the server does; only what its loop does is counted.
fn search_schemas(steps: &mut Steps, workspace: &mut Workspace) -> usize {
    let mut jobs = 0;
    while let Some(job) = workspace.take_schema_search() {
        jobs += 1;
        let mut found = job.run();
        let mut taken = Taken::More;
        while taken == Taken::More {
            let before = workspace.snapshot();
            steps.count("schemas", || taken = workspace.take_schemas_found(&mut found, PIECE));
            drop(before);
        }
    }
    jobs
}

fn write(root: &Path, files: usize) {
    let file = |path: String, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    };
    file("config/schema.yml".to_owned(), "#@data/values-schema\n---\nport: 80\n");
    file("values.yml".to_owned(), "port: 81\n");
    file("Makefile".to_owned(), MAKEFILE);
    for number in 0..files {
        let directory = number / 100;
        file(format!("apps/{directory}/{number}.yml"), "kind: Service\nport: 1\n");
        if number % 100 == 0 {
            file(format!("apps/{directory}/render.sh"), "#!/bin/sh\nytt -f . -f ../../config\n");
        }
    }
}

/// All steps of a day in a workspace.
fn day(files: usize) -> Steps {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("it is there");
    write(&root, files);
    let mut steps = Steps::default();
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.resolve_sets_elsewhere();
    workspace.search_elsewhere();
    let values = root.join("values.yml");
    steps.count("open before the scan", || _ = workspace.open(&values, 1, "port: 81\n"));
    let mut scan = workspace.scanner().run(&mut |_| {}, &CancelFlag::new());
    let mut is_over = false;
    while !is_over {
        steps.count("scan", || is_over = workspace.take_scan(&mut scan, PIECE));
    }
    assert!(steps.resolve_sets(&mut workspace) > 0, "these are too many to be resolved at once");
    let opened = root.join("apps/0/0.yml");
    steps.count("open", || _ = workspace.open(&opened, 1, "kind: Service\nport: 1\n"));
    let file = workspace.snapshot().file(&values).expect("it is open");
    steps.count("edit", || workspace.edit(file, 2, 0..0, "# a\n"));
    let config = root.join("lofting.toml");
    let text = "[sets.all]\nfiles = ['.']\n[sets.some]\nfiles = ['apps', 'config']\nvalues = ['apps/*/*.yml']\n";
    steps.count("lofting.toml", || _ = workspace.open(&config, 1, text));
    steps.resolve_sets(&mut workspace);
    let file = workspace.snapshot().file(&config).expect("it is open");
    steps.count("a key in lofting.toml", || workspace.edit(file, 2, 0..0, "\n"));
    steps.resolve_sets(&mut workspace);
    let new = root.join("apps/0/new.yml");
    fs::write(&new, "a: 1\n").expect("it can be written");
    steps.count("a new file", || _ = workspace.disk_changed(&[new]));
    steps.resolve_sets(&mut workspace);
    fs::remove_dir_all(root.join("apps")).expect("it can be removed");
    let mut found = workspace.disk_look().run(&[root.join("apps")]);
    while !found.is_empty() {
        steps.count("a removed directory", || _ = workspace.take_found(&mut found, PIECE));
    }
    steps.count("behind it", || workspace.after_disk(&[file]));
    steps.resolve_sets(&mut workspace);
    steps.count("close", || workspace.close(file));
    steps
}

/// Keys of the smaller schema: more than is read while a request waits.
const KEYS: usize = 3_000;

/// All steps of a day with a schema of many keys, which refers to another one as large. Nothing knows of them before
/// they are named.
fn named(keys: usize) -> Steps {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("it is there");
    let schema = |other: &str| {
        let key = |number| format!("\"key{number}\": {{\"$ref\": \"{other}#/definitions/text\"}}, ");
        let keys: String = (0..keys).map(key).collect();
        format!("{{\"definitions\": {{\"text\": {{\"type\": \"string\"}}}}, \"properties\": {{{keys}\"last\": true}}}}")
    };
    for (name, other) in [("one.json", "other.json"), ("other.json", "one.json")] {
        fs::write(root.join(name), schema(other)).expect("it can be written");
    }
    let mut steps = Steps::default();
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.search_elsewhere();
    workspace.apply_scan(workspace.scanner().run(&mut |_| {}, &CancelFlag::new()));
    let path = root.join("a.yaml");
    let mut file = None;
    let text = "# $schema: one.json\nkey1: 1\n";
    steps.count("open", || file = Some(workspace.open(&path, 1, text)));
    let file = file.expect("it is open");
    assert!(search_schemas(&mut steps, &mut workspace) > 1, "this is too much to be read at once");
    let findings = |workspace: &Workspace| workspace.snapshot().diagnostics(file, &CancelFlag::new()).len();
    assert_eq!(findings(&workspace), 1, "`key1` is not text");
    let at = text.find("one").expect("the name");
    steps.count("a key in the name", || workspace.edit(file, 2, at..at + 3, "other"));
    search_schemas(&mut steps, &mut workspace);
    assert_eq!(findings(&workspace), 1);
    let changed = schema("one.json").replacen("true", "false", 1);
    fs::write(root.join("other.json"), changed).expect("it can be written");
    let mut found = workspace.disk_look().run(&[root.join("other.json")]);
    let mut all = Vec::new();
    while !found.is_empty() {
        steps.count("a changed schema", || all.extend(workspace.take_found(&mut found, PIECE)));
    }
    steps.count("behind it", || workspace.after_disk(&all));
    search_schemas(&mut steps, &mut workspace);
    let setting = |schema: &str| SchemaSetting {
        schema: schema.to_owned(),
        files: vec!["b.yaml".to_owned()],
        setting: SettingName::Lofting,
    };
    let settings = Settings { schemas: vec![setting("other.json")], ..Settings::default() };
    steps.count("settings", || workspace.set_settings(settings));
    search_schemas(&mut steps, &mut workspace);
    steps.count("a text without the name", || workspace.replace(file, 3, "key1: 1\n"));
    steps.count("close", || workspace.close(file));
    steps
}

#[test]
fn no_step_of_the_loop_grows_with_a_schema_that_is_named() {
    let _turn = turn();
    assert_same(&named(KEYS), &named(KEYS * FACTOR));
}

#[test]
fn no_step_of_the_loop_grows_with_the_workspace() {
    let _turn = turn();
    assert_same(&day(FILES), &day(FILES * FACTOR));
}

/// All steps of a day with a schema whose aliases double what it means many times.
fn doubled(times: usize) -> Steps {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("it is there");
    let double = |number: usize| format!("  a{number}: &a{number} {{allOf: [*a{0}, *a{0}]}}\n", number - 1);
    let doubles: String = (1..=times).map(double).collect();
    let schema = format!(
        "definitions:\n  a0: &a0 {{type: string}}\n{doubles}properties: {{key1: {{$ref: '#/definitions/a{times}'}}}}\n"
    );
    fs::write(root.join("schema.yaml"), &schema).expect("it can be written");
    let mut steps = Steps::default();
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.search_elsewhere();
    workspace.apply_scan(workspace.scanner().run(&mut |_| {}, &CancelFlag::new()));
    let path = root.join("a.yaml");
    let mut file = None;
    let text = "# yaml-language-server: $schema=schema.yaml\nkey1: 1\n";
    steps.count("open", || file = Some(workspace.open(&path, 1, text)));
    let file = file.expect("it is open");
    search_schemas(&mut steps, &mut workspace);
    // Every reader but the loop reads all of it.
    workspace.snapshot().diagnostics(file, &CancelFlag::new());
    steps.count("edit", || workspace.edit(file, 2, text.len()..text.len(), "key2: 1\n"));
    search_schemas(&mut steps, &mut workspace);
    let named = root.join("schema.yaml");
    steps.count("open the schema", || file_opened(&mut workspace, &named, &schema));
    search_schemas(&mut steps, &mut workspace);
    steps
}

fn file_opened(workspace: &mut Workspace, path: &Path, text: &str) {
    let _ = workspace.open(path, 1, text);
}

/// Sets of the smaller `lofting.toml`: it is longer than what is read while a request waits.
const SETS: usize = 2_000;

/// All steps of a day beside a `lofting.toml` with many sets.
fn configured(sets: usize) -> Steps {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("it is there");
    let config: String = (0..sets).map(|set| format!("[sets.s{set}]\nfiles = ['schema.yml']\n")).collect();
    fs::write(root.join("lofting.toml"), &config).expect("it can be written");
    fs::write(root.join("schema.yml"), "#@data/values-schema\n---\nport: 80\n").expect("it can be written");
    let mut steps = Steps::default();
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.search_elsewhere();
    workspace.resolve_sets_elsewhere();
    let scanned = workspace.scanner().run(&mut |_| {}, &CancelFlag::new());
    steps.count("scan", || workspace.apply_scan(scanned));
    let values = root.join("values.yml");
    steps.count("open", || file_opened(&mut workspace, &values, "port: 81\n"));
    assert!(steps.resolve_sets(&mut workspace) > 0, "these are too many to be resolved at once");
    search_schemas(&mut steps, &mut workspace);
    // Its text is applied, and nothing else.
    file_opened(&mut workspace, &root.join("lofting.toml"), &config);
    steps.resolve_sets(&mut workspace);
    search_schemas(&mut steps, &mut workspace);
    let file = workspace.snapshot().file(&root.join("lofting.toml")).expect("it is open");
    steps.count("a key in lofting.toml", || workspace.edit(file, 2, 0..0, "\n"));
    steps.resolve_sets(&mut workspace);
    search_schemas(&mut steps, &mut workspace);
    steps
}

#[test]
fn no_step_of_the_loop_grows_with_what_aliases_repeat() {
    let _turn = turn();
    assert_same(&doubled(8), &doubled(16));
}

#[test]
fn no_step_of_the_loop_grows_with_the_sets_of_a_configuration() {
    let _turn = turn();
    assert_same(&configured(SETS), &configured(SETS * FACTOR));
}

fn assert_same(small: &Steps, large: &Steps) {
    let mut grown = String::new();
    for ((name, before), (_, after)) in small.0.iter().zip(&large.0) {
        // Indexes are a little deeper, tables of chunks a little longer.
        if after.bytes > 1_000_000.max(before.bytes * 3 / 2)
            || after.allocations > 10_000.max(before.allocations * 3 / 2)
        {
            grown += &format!("{name}: {before:?} -> {after:?}\n");
        }
    }
    assert!(grown.is_empty(), "{grown}");
}

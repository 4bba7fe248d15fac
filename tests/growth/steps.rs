//! The thread that owns a workspace takes small steps: everybody waits behind it. However many files a workspace has, and
//! however many of them its input sets, no step is more work than what a few files make.

use std::fs;
use std::path::Path;
use std::sync::PoisonError;

use lofting_workspace::{CancelFlag, Settings, Taken, Workspace};

use crate::ask::{Work, counted};
use crate::{FACTOR, TURN};

/// Files taken over in one step, as the server does.
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

#[test]
fn no_step_of_the_loop_grows_with_the_workspace() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (small, large) = (day(FILES), day(FILES * FACTOR));
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

//! `lofting diff --against REV`: the schemas of the working tree compared with those of a revision.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use lofting_diff::rules::SCHEMA_GONE;
use lofting_diff::{Language, Severity};
use lofting_git::EntryKind;
use lofting_workspace::{Reach, ReadProblem, normalise, relative};
use serde_json::json;

use super::lines::ChangeLine;
use super::report::{Report, breaking, code as as_code, plain, summary};
use super::{Arguments, FailOn, Format, Pair};
use crate::release::Releases;
use crate::revision::Revision;
use crate::terminal::{self, line};

/// What the command compares.
struct Against<'a> {
    arguments: &'a Arguments,
    revision: Revision,
    /// The current directory.
    here: PathBuf,
    /// How far the files of the working tree are read.
    reach: Reach,
    /// Whose deprecated keys may be removed.
    releases: RefCell<Releases>,
}

/// What was found.
#[derive(Default)]
struct FoundSchemas {
    pairs: Vec<Pair>,
    /// Schemas of the revision that are no longer there.
    gone: Vec<String>,
    /// Schemas that were named, and that the revision does not have.
    new: Vec<String>,
    /// Why schemas could not be compared.
    problems: Vec<String>,
}

/// Compares, and prints what changed.
pub(super) fn run(arguments: &Arguments, revision: &str) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir().context("no current directory")?;
    let revision = Revision::named(&here, revision)?;
    let reach = Reach::within(&revision.root);
    let releases = RefCell::new(Releases::around(&here)?);
    let asked = Against { arguments, revision, here, reach, releases };
    let found = asked.find()?;
    let printed = match arguments.format {
        Format::Text => terminal::print(&asked.text(&found)),
        Format::Json => terminal::print_data(&asked.json(&found)),
        Format::Lists => terminal::print(&asked.lists(&found)),
        format => {
            let files: Vec<&str> = found.pairs.iter().map(|pair| pair.names[1].as_str()).collect();
            terminal::print_data(&format.of_lines(&asked.lines(&found), &files, &asked.summary(&found)))
        }
    };
    printed?;
    if !found.problems.is_empty() {
        bail!(found.problems.join("\n"));
    }
    let fail_on = arguments.fail_on;
    // Whom the loss of a schema breaks cannot be said.
    let is_lost = !found.gone.is_empty() && fail_on != FailOn::Never;
    Ok(super::code(is_lost || found.pairs.iter().any(|pair| fail_on.fails(&pair.compared))))
}

impl Against<'_> {
    fn find(&self) -> anyhow::Result<FoundSchemas> {
        let mut found = FoundSchemas::default();
        if self.arguments.paths.is_empty() {
            self.add_below(&self.revision.inside, &mut found);
        }
        for path in &self.arguments.paths {
            let whole = normalise(&self.here, Path::new(path));
            let inside = self.revision.below(&self.here, &whole);
            let inside = inside.with_context(|| format!("{path}: it is not in this working tree"))?;
            if self.revision.tree.list(&inside).is_some() {
                self.add_below(&inside, &mut found);
                continue;
            }
            let whole = self.revision.root.join(&inside);
            let is_old = self.revision.tree.get(&inside).is_some_and(|entry| entry.kind == EntryKind::File);
            match (is_old, self.reach.is_file(&whole)) {
                (false, false) if self.reach.is_directory(&whole) => {}
                (false, false) => {
                    bail!("{path}: there is no such file, and {} has none", self.revision.name);
                }
                (false, true) => found.new.push(path.clone()),
                (true, _) => self.add(&inside, true, &mut found),
            }
        }
        Ok(found)
    }

    /// Compares the files that declare to be schemas in a folder of the revision.
    fn add_below(&self, folder: &Path, found: &mut FoundSchemas) {
        let is_below = |path: &Path| path.starts_with(folder);
        let is_candidate = |path: &Path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("yml" | "yaml" | "json"))
        };
        for (path, entry) in self.revision.tree.files() {
            if entry.kind == EntryKind::File && is_below(&path) && is_candidate(&path) {
                self.add(&path, false, found);
            }
        }
    }

    /// Compares a file of the revision. `is_named`: whatever it looks like.
    fn add(&self, path: &Path, is_named: bool, found: &mut FoundSchemas) {
        let shown = self.shown(path);
        let Some(entry) = self.revision.tree.get(path) else { return };
        let new = self.reach.text(&self.revision.root.join(path));
        if new.as_ref().is_ok_and(|text| entry.has(text.as_bytes())) && !is_named {
            return;
        }
        let old_name = format!("{}:{shown}", self.revision.name);
        let old = self.revision.tree.bytes(entry).map_err(|problem| problem.to_string());
        let old = old.and_then(|bytes| String::from_utf8(bytes).map_err(|_| ReadProblem::NotUtf8(0).to_string()));
        let old = match old {
            Ok(old) => old,
            Err(why) if is_named => return found.problems.push(format!("{old_name}: {why}")),
            // A schema is a text.
            Err(_) => return,
        };
        if !is_named && Language::declared(&shown, &old).is_none() {
            return;
        }
        match new {
            Err(ReadProblem::NotFound) => found.gone.push(shown),
            Err(problem) => found.problems.push(format!("{shown}: {problem}")),
            Ok(new) => match Pair::new(self.arguments, [old_name, shown], [old, new]) {
                Ok(mut pair) => {
                    if let Err(problem) = self.releases.borrow_mut().retire(&mut pair.compared, path, &pair.texts[1]) {
                        found.problems.push(format!("[deprecation] in lofting.toml: {problem}"));
                    }
                    found.pairs.push(pair);
                }
                Err(error) => found.problems.push(format!("{error:#}")),
            },
        }
    }

    /// A path of the revision as seen from where the command was started.
    fn shown(&self, path: &Path) -> String {
        let seen = relative(&self.revision.root.join(&self.revision.inside), &self.revision.root.join(path));
        seen.unwrap_or_else(|| path.to_string_lossy().into_owned())
    }

    fn changed<'f>(&self, found: &'f FoundSchemas) -> impl Iterator<Item = &'f Pair> {
        found.pairs.iter().filter(|pair| !pair.compared.changes.is_empty())
    }

    /// Files that only one side has, with the note about each.
    fn lonely<'f>(&self, found: &'f FoundSchemas) -> impl Iterator<Item = (&'f String, String)> {
        let gone = self.gone();
        let new = format!("{} does not have this schema", self.revision.name);
        let gone = found.gone.iter().map(move |name| (name, gone.clone()));
        gone.chain(found.new.iter().map(move |name| (name, new.clone())))
    }

    fn summary(&self, found: &FoundSchemas) -> String {
        let count = found.pairs.len();
        let schemas =
            if count == 1 { "1 changed schema was".to_owned() } else { format!("{count} changed schemas were") };
        let all: Vec<_> = found.pairs.iter().map(|pair| &pair.compared).collect();
        format!("{schemas} compared with {}. {}", self.revision.name, summary(&all))
    }

    fn text(&self, found: &FoundSchemas) -> String {
        let mut out = String::new();
        for pair in self.changed(found) {
            let _ = writeln!(out, "{}\n", line(&pair.names[1]));
            out += &Report::new(pair).groups_as_text();
        }
        for (name, words) in self.lonely(found) {
            let _ = writeln!(out, "{}: {words}\n", line(name));
        }
        out + &line(&self.summary(found)) + "\n"
    }

    fn lists(&self, found: &FoundSchemas) -> String {
        let mut out = String::new();
        for pair in self.changed(found) {
            let _ = writeln!(out, "## {}\n", as_code(&line(&pair.names[1])));
            out += &Report::new(pair).groups_as_lists();
        }
        for (name, words) in self.lonely(found) {
            let _ = writeln!(out, "- {}: {}", as_code(&line(name)), plain(&words));
        }
        out + "\n" + &plain(&line(&self.summary(found))) + "\n"
    }

    /// One entry for each change.
    fn lines(&self, found: &FoundSchemas) -> Vec<ChangeLine> {
        let gone = found.gone.iter().map(|name| ChangeLine {
            file: name.clone(),
            line: None,
            rule: SCHEMA_GONE,
            severity: Severity::Error,
            subject: name.clone(),
            words: self.gone(),
        });
        found.pairs.iter().flat_map(|pair| Report::new(pair).lines()).chain(gone).collect()
    }

    fn gone(&self) -> String {
        format!("this schema of {} is gone, and what it meant is not known any more", self.revision.name)
    }

    fn json(&self, found: &FoundSchemas) -> String {
        let all: Vec<_> = found.pairs.iter().map(|pair| &pair.compared).collect();
        let document = json!({
            "against": self.revision.name,
            "commit": self.revision.tree.commit(),
            "schemas": found.pairs.iter().map(|pair| Report::new(pair).value()).collect::<Vec<_>>(),
            "gone": found.gone,
            "new": found.new,
            "problems": found.problems,
            "breaking": breaking(&all),
            "complete": found.problems.is_empty() && all.iter().all(|compared| !compared.is_cut),
        });
        format!("{document:#}\n")
    }
}

//! Compares open schemas with where the current branch began, and reports what breaks: on a thread of its own, once nothing
//! has changed for a moment. Objects of git are read, and no program is run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lofting_diff::{Change, Compared, Language, compare};
use lofting_document::{FileId, Span};
use lofting_git::{Commit, Repository};
use lofting_workspace::{BranchFindings, FileKind, FoundSinceBranch, Snapshot};

use crate::proposal;
use crate::release::Releases;
use crate::session::Session;
use crate::session::consequences::Changed;

/// Larger schemas are left to `lofting diff`, in bytes.
const LARGEST: usize = 1024 * 1024;

impl Session {
    /// Compares the open documents that are schemas.
    pub(crate) fn compare_with_branch(&mut self) {
        let cancel = self.branch.begin();
        let snapshot = self.workspace.snapshot();
        let files: Vec<FileId> = self.documents.values().map(|document| document.file).collect();
        self.elsewhere(
            "comparing schemas",
            move || found(&snapshot, &files, &|| cancel.is_set()),
            |session, found| {
                session.branch.over();
                if let Some(found) = found.flatten()
                    && session.workspace.take_branch_findings(found)
                {
                    session.changed(Changed::Compared);
                }
            },
        );
    }
}

/// What the branch breaks in files; None if that is not wanted any more.
fn found(snapshot: &Snapshot, files: &[FileId], is_over: &dyn Fn() -> bool) -> Option<BranchFindings> {
    let mut found = Vec::new();
    let mut bases: HashMap<PathBuf, Option<Base>> = HashMap::new();
    for file in files {
        if is_over() {
            return None;
        }
        let path = snapshot.path(*file);
        let Some((language, text)) = schema(snapshot, *file) else { continue };
        let Some(folder) = path.parent() else { continue };
        let base = bases.entry(folder.to_owned()).or_insert_with(|| Base::around(folder));
        let old = base.as_ref().and_then(|base| base.text(path));
        let Some(old) = old.filter(|old| *old != text && old.len() <= LARGEST) else { continue };
        // Half a schema says nothing about what the whole one breaks.
        let Ok(mut compared) = compare(language, &old, &text) else { continue };
        if let Some(base) = base {
            base.retire(&mut compared, path, &text);
        }
        let breaking = compared.changes.iter().filter(|change| change.breaks.values);
        let list = breaking.map(|change| {
            let span = Span::new(*file, first_line(&text, change));
            let new_path = change.renamed.as_ref().map(|renamed| renamed.to.to_string());
            lofting_check::breaking_change(span, &change.path.to_string(), &change.words(), new_path.as_deref())
        });
        let list: Vec<_> = list.collect();
        let is_migrated = matches!(language, Language::Ytt | Language::JsonSchema) && !compared.old_keys.is_empty();
        let plan = path
            .file_name()
            .filter(|_| is_migrated && !list.is_empty())
            .map(|name| proposal::plan(&name.to_string_lossy(), &compared, &old, &text));
        found.push((*file, FoundSinceBranch { list, plan }));
    }
    Some(snapshot.branch_findings(found))
}

/// The language and the text of a file that is a schema.
fn schema(snapshot: &Snapshot, file: FileId) -> Option<(Language, String)> {
    let text = snapshot.text(file);
    if text.len() > LARGEST {
        return None;
    }
    match snapshot.kind(file) {
        FileKind::Schema => Some((Language::Ytt, text.to_string())),
        FileKind::Other | FileKind::Parts => {
            let text = text.to_string();
            // What is certainly no schema is not read.
            let marks = ["$schema", "CustomResourceDefinition", "openapi", "openchoreo.dev/"];
            let name = snapshot.shown_path(file);
            let may_be = marks.iter().any(|mark| text.contains(mark)) || name.contains(".schema.");
            let language = if may_be { Language::declared(&name, &text) } else { None };
            language.map(|language| (language, text))
        }
        FileKind::DataValues
        | FileKind::PlainValues
        | FileKind::Template
        | FileKind::Library
        | FileKind::Configuration => None,
    }
}

/// Where the new schema says it, up to the end of the line.
fn first_line(text: &str, change: &Change) -> std::ops::Range<usize> {
    let range = change.new.map_or(0..0, |span| span.range());
    let line = text.get(range.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
    range.start..range.start + line.len()
}

/// Where the branch of a repository began.
struct Base {
    repository: Repository,
    commit: Commit,
    /// Whose deprecated keys may be removed.
    releases: Releases,
}

impl Base {
    /// None outside a repository, and where it cannot be read.
    fn around(folder: &Path) -> Option<Base> {
        let repository = Repository::around(folder).ok()?;
        let commit = repository.base().ok()?;
        Some(Base { repository, commit, releases: Releases::around(folder).ok()? })
    }

    /// The text of a file there.
    fn text(&self, path: &Path) -> Option<String> {
        self.repository.text(self.commit, &self.inside(path)?).ok()?
    }

    /// Notes which removed keys may go. A release that cannot be read lets no key go.
    fn retire(&mut self, compared: &mut Compared, path: &Path, new: &str) {
        if let Some(inside) = self.inside(path) {
            let _ = self.releases.retire(compared, &inside, new);
        }
    }

    /// The path relative to the root.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        Some(self.repository.inside().join(path.file_name()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_tests::history::History;
    use lofting_workspace::{CancelFlag, Settings, Workspace};

    const OLD: &str = "#@data/values-schema\n---\nport: 80\nname: \"\"\n";
    const NEW: &str = "#@data/values-schema\n---\nport: \"80\"\n";

    /// What is found in the files of a folder.
    fn found_in(root: &Path) -> Vec<String> {
        let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
        workspace.scan(&mut |_| (), &CancelFlag::new());
        let files: Vec<FileId> = workspace.snapshot().files().collect();
        let found = found(&workspace.snapshot(), &files, &|| false).expect("it is wanted");
        workspace.take_branch_findings(found);
        let snapshot = workspace.snapshot();
        let mut all: Vec<String> = files
            .iter()
            .flat_map(|file| {
                let list = lofting_ide::diagnostics(&snapshot, *file, &CancelFlag::new());
                let ours = list.iter().filter(|finding| finding.rule.code == "lofting/breaking-change");
                ours.map(|finding| format!("{}: {}", snapshot.shown_path(*file), finding.message)).collect::<Vec<_>>()
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn only_schemas_of_the_repository_are_compared() {
        let place = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        };
        write("config/schema.yml", NEW);
        assert!(found_in(place.path()).is_empty(), "there is no repository");
        let json = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"required\": []}";
        write("a.schema.yml", json);
        write("plain.yml", "a: 1\n");
        write("config/schema.yml", OLD);
        let mut history = History::at(place.path());
        history.commit_all("main");
        write("config/schema.yml", NEW);
        write("config/new.yml", NEW);
        write("a.schema.yml", &json.replace("[]", "[\"a\"]"));
        write("plain.yml", "a: b\n");
        let found = found_in(place.path());
        assert_eq!(
            found,
            [
                "a.schema.yml: a: it is required now",
                "config/schema.yml: name: it is gone, and values that have it are refused",
                "config/schema.yml: port: its type was integer and is string now",
            ]
        );
        write("config/schema.yml", &NEW.replace("port", "#! lofting: ignore lofting/breaking-change\nport"));
        write("lofting.toml", "");
        assert_eq!(found_in(place.path()).len(), 2);
        write("lofting.toml", "[rules]\n\"lofting/breaking-change\" = \"off\"\n");
        assert!(found_in(place.path()).is_empty());
    }

    #[test]
    fn a_damaged_repository_is_no_repository() {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("schema.yml"), OLD).expect("a file");
        let mut history = History::at(place.path());
        history.commit_all("main");
        std::fs::write(place.path().join("schema.yml"), NEW).expect("a file");
        assert_eq!(found_in(place.path()).len(), 2);
        for (name, text) in
            [("HEAD", "ref: refs/heads/../../x\n"), ("HEAD", "junk"), ("objects/info/alternates", "/\n")]
        {
            std::fs::write(history.git().join(name), text).expect("a file");
            assert!(found_in(place.path()).is_empty(), "{name}: {text}");
        }
    }
}

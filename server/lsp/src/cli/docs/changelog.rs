//! What changed in a schema from tag to tag.

use std::path::Path;

use anyhow::Context;
use lofting_cel::time::civil;
use lofting_diff::{Breaks, Change, Language, compare};
use lofting_documentation::{Changelog, ChangesOfGroup, Release, SchemaChange};
use lofting_git::Repository;
use lofting_workspace::{normalise, read_text};

use crate::cli::diff::subject;

/// How many releases are looked at.
const RELEASES: usize = 100;

/// How many changes of a group are listed.
const CHANGES: usize = 200;

/// Whether changes that break these belong to a group.
type IsIn = fn(Breaks) -> bool;

/// Groups of changes, by whom they break.
const GROUPS: [(&str, IsIn); 3] = [
    ("Breaks values", |breaks| breaks.values),
    ("Breaks templates", |breaks| breaks.templates && !breaks.values),
    ("Other changes", |breaks| !breaks.templates && !breaks.values),
];

/// The schema at a time.
struct Version {
    name: String,
    date: Option<String>,
    /// None if it does not have the schema.
    text: Option<String>,
}

/// The changes of the schema in a file.
pub(super) fn of(file: &str) -> anyhow::Result<Changelog> {
    let here = std::env::current_dir().context("no current directory")?;
    let path = normalise(&here, Path::new(file));
    let now = read_text(Path::new(file)).with_context(|| file.to_owned())?;
    let repository = Repository::around(path.parent().unwrap_or(&here))?;
    let name = path.file_name().with_context(|| format!("{file}: this is not a file"))?;
    let inside = repository.inside().join(name);
    let tags = repository.tags()?;
    let is_cut = tags.len() > RELEASES;
    let mut versions = vec![Version { name: "Unreleased".to_owned(), date: None, text: Some(now) }];
    for tag in tags.iter().take(RELEASES) {
        versions.push(Version {
            name: tag.names.join(", "),
            date: Some(date(tag.seconds)),
            text: repository.text(tag.commit, &inside)?,
        });
    }
    let mut releases = Vec::new();
    for (index, version) in versions.iter().enumerate() {
        let before = versions.get(index + 1);
        // Nothing is known about what is before the last one.
        if before.is_none() && is_cut {
            break;
        }
        let Some(new) = &version.text else { continue };
        releases.extend(release(version, new, before.and_then(|before| before.text.as_deref())));
    }
    Ok(Changelog { file: file.to_owned(), releases, is_cut })
}

/// What a version has changed; None if that is nothing.
fn release(version: &Version, new: &str, old: Option<&str>) -> Option<Release> {
    let mut release = Release {
        name: version.name.clone(),
        date: version.date.clone(),
        is_first: old.is_none(),
        problem: None,
        groups: Vec::new(),
    };
    let Some(old) = old else { return Some(release) };
    if old == new {
        return None;
    }
    let Some(language) = Language::of(new) else {
        release.problem = Some("this does not look like a schema".to_owned());
        return Some(release);
    };
    match compare(language, old, new) {
        Ok(compared) if compared.changes.is_empty() => return None,
        Ok(compared) => release.groups = groups(&compared.changes),
        Err(problem) => release.problem = Some(problem.to_string()),
    }
    Some(release)
}

fn groups(changes: &[Change]) -> Vec<ChangesOfGroup> {
    let group = |(title, is_in): (&str, IsIn)| {
        let own: Vec<&Change> = changes.iter().filter(|change| is_in(change.breaks)).collect();
        let listed = own.iter().take(CHANGES);
        ChangesOfGroup {
            title: title.to_owned(),
            changes: listed.map(|change| SchemaChange { path: subject(change), words: change.words() }).collect(),
            more: own.len().saturating_sub(CHANGES),
        }
    };
    GROUPS.into_iter().map(group).filter(|group| !group.changes.is_empty()).collect()
}

/// A day, in UTC.
fn date(seconds: i64) -> String {
    let time = civil(seconds);
    format!("{:04}-{:02}-{:02}", time.year, time.month, time.day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!([0, 951_782_400, 1_700_000_000].map(date), ["1970-01-01", "2000-02-29", "2023-11-14"]);
    }
}

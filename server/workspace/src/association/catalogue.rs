//! A catalogue that maps file names to schemas, such as SchemaStore's: `{"schemas": [{"name", "url", "fileMatch"}]}`.
//!
//! The user chooses it, and thereby everything it leads to. It is asked for the schema of a file when nothing else names
//! one, and after it the catalogue that is part of the program.

use crate::association::associate::{has_claimed_parts, is_given_to_ytt};
use crate::association::kind::named_as_values;
use crate::association::mirrors::{Mirrors, mirrored};
use crate::association::naming::{NamedBy, Naming, SchemaProblem};
use crate::association::nearest::nearest;
use crate::association::state::AssociationState;
use crate::disk::Reach;
use crate::disk::built_in::is_in_program;
use crate::disk::glob::pattern_of_catalogue;
use crate::files::fetched::is_web;
use crate::files::file::File;
use globset::{GlobSet, GlobSetBuilder};
use lofting_catalogue::{CatalogueEntry, Origin};
use lofting_document::{Key, Node, NodeValue, Options, lower};
use lofting_memo::Weigh;
use lofting_syntax::resolve::Profile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Limits on the schemas of a catalogue, and on all its patterns.
const SCHEMAS: usize = 20_000;

/// A catalogue that was read.
pub(crate) struct Catalogue {
    /// It has a list of schemas.
    is_catalogue: bool,
    schemas: Vec<Schema>,
    /// Each with the index of its schema.
    patterns: Vec<(String, usize)>,
    /// The patterns, compiled, in the same order.
    matches: GlobSet,
}

struct Schema {
    name: String,
    url: String,
    /// Files that are excluded.
    except: GlobSet,
}

impl Weigh for Catalogue {
    fn weight(&self) -> usize {
        let texts = self.schemas.iter().map(|schema| schema.name.len() + schema.url.len());
        // A compiled pattern is about ten times as large as its text.
        texts.sum::<usize>() + self.patterns.iter().map(|(pattern, _)| 10 * pattern.len()).sum::<usize>()
    }
}

impl Catalogue {
    fn read(root: Option<&Node>) -> Catalogue {
        let (mut schemas, mut patterns) = (Vec::new(), Vec::new());
        let mut matches = GlobSetBuilder::new();
        let is_catalogue = root.and_then(|root| items(root.get(&Key::from("schemas"))?)).is_some();
        for entry in root.and_then(|root| items(root.get(&Key::from("schemas"))?)).into_iter().flatten().take(SCHEMAS) {
            let text = |name: &str| entry.get(&Key::from(name)).and_then(text);
            let Some(url) = text("url") else { continue };
            let mut except = GlobSetBuilder::new();
            let written =
                entry.get(&Key::from("fileMatch")).and_then(items).into_iter().flatten().filter_map(self::text);
            for pattern in written {
                match pattern.strip_prefix('!') {
                    Some(excepted) => {
                        if let Some(glob) = pattern_of_catalogue(excepted) {
                            except.add(glob);
                        }
                    }
                    None if patterns.len() >= SCHEMAS => break,
                    None => {
                        if let Some(glob) = pattern_of_catalogue(pattern) {
                            matches.add(glob);
                            patterns.push((pattern.to_owned(), schemas.len()));
                        }
                    }
                }
            }
            schemas.push(Schema {
                name: text("name").unwrap_or(url).to_owned(),
                url: url.to_owned(),
                except: except.build().unwrap_or_default(),
            });
        }
        match matches.build() {
            Ok(matches) => Catalogue { is_catalogue, schemas, patterns, matches },
            // Together they are too large to compile.
            Err(_) => Catalogue { is_catalogue, schemas, patterns: Vec::new(), matches: GlobSet::empty() },
        }
    }

    /// The schema of a file, and the pattern that matched. Of several patterns the longest counts, as the most
    /// specific.
    fn schema_of(&self, path: &Path) -> Option<(&Schema, &str)> {
        let matching = self.matches.matches(path).into_iter().filter_map(|number| self.patterns.get(number));
        let allowed = matching.filter_map(|(pattern, number)| {
            let schema = self.schemas.get(*number)?;
            (!schema.except.is_match(path)).then_some((schema, pattern.as_str()))
        });
        allowed.reduce(|best, next| if next.1.len() > best.1.len() { next } else { best })
    }
}

fn items(node: &Node) -> Option<impl Iterator<Item = &Node>> {
    match &node.value {
        NodeValue::Array(items) => Some(items.iter().map(|item| &item.value)),
        _ => None,
    }
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

/// Where the catalogue that the user chose is in the user's mirrors.
pub(crate) fn places(state: &AssociationState) -> impl Iterator<Item = (PathBuf, Reach)> {
    state.settings.catalogue.iter().flat_map(|url| mirrored(&state.settings.mirrors, url))
}

/// The file of the catalogue that the user chose; None if there is none or it is not available. Files of a repository
/// cannot name it.
fn file(state: &AssociationState) -> Option<&Arc<File>> {
    let url = state.settings.catalogue.as_deref()?;
    let files = places(state).chain(state.fetched.file(url));
    let mut known = files.filter_map(|(path, _)| state.file_at(&path));
    known.find(|file| file.exists())
}

/// Whether there is a catalogue: one that the user chose, or the built-in one.
pub(crate) fn are_used(state: &AssociationState) -> bool {
    state.settings.catalogue.is_some() || state.settings.built_in.is_some()
}

/// Whether a catalogue was chosen and is not available.
pub(crate) fn is_lacking(state: &AssociationState) -> bool {
    state.settings.catalogue.is_some() && file(state).is_none()
}

/// Why the catalogue that the user chose cannot be used, in words; None if it can, or if none was chosen.
pub(crate) fn problem(state: &AssociationState) -> Option<String> {
    let url = state.settings.catalogue.as_deref()?;
    let why = match file(state) {
        Some(file) => match file.problem() {
            Some(why) => why.to_string(),
            None if !read(state, file).is_catalogue => {
                "it is not a catalogue: it has no list `schemas` at its top".to_owned()
            }
            None => return None,
        },
        None if !is_web(url) => "it should be a URL".to_owned(),
        None if mirrored(&state.settings.mirrors, url).next().is_some() => {
            "there is no such file in the folder that stands for it".to_owned()
        }
        None => SchemaProblem::of_url(&state.fetched, url).to_string(),
    };
    Some(format!("the catalogue `{url}` cannot be read: {why}"))
}

fn read(state: &AssociationState, file: &File) -> Arc<Catalogue> {
    let inputs = state.inputs([file.revision]);
    state.memos.catalogue.get(file.id, &inputs, || {
        let documents = lower(file.id, file.tree(), Profile::Core12, Options::default());
        Catalogue::read(documents.documents.first().map(|document| &document.value))
    })
}

/// The titles and URLs of the schemas in the catalogue that the user chose.
pub(crate) fn schemas(state: &AssociationState) -> Vec<(String, String)> {
    let Some(catalogue) = file(state).map(|file| read(state, file)) else { return Vec::new() };
    catalogue.schemas.iter().map(|schema| (schema.name.clone(), schema.url.clone())).collect()
}

/// What catalogues name as the schema of a file for which nothing else names one: that of the user, then the built-in
/// one.
pub(crate) fn namings(state: &AssociationState, asked: &File) -> Vec<Naming> {
    let root = state.root_of(&asked.path);
    let below = asked.path.strip_prefix(root).unwrap_or(&asked.path);
    let mut found: Vec<Naming> = of_user(state, below).into_iter().collect();
    found.extend(built_in(state, asked, below));
    let is_values = || named_as_values(root, &asked.path) && nearest(state, &asked.path).is_some();
    if !found.is_empty() && (is_values() || has_claimed_parts(state, asked)) {
        found.clear();
    }
    found
}

/// What the catalogue that the user chose names.
fn of_user(state: &AssociationState, below: &Path) -> Option<Naming> {
    let catalogue = read(state, file(state)?);
    let (schema, pattern) = catalogue.schema_of(below)?;
    let by = NamedBy::Catalogue { name: schema.name.clone(), pattern: pattern.to_owned() };
    Some(Naming::of_catalogue(schema.url.clone(), by))
}

/// What the built-in catalogue names, the narrowest pattern first: files of several kinds may have one name.
fn built_in(state: &AssociationState, asked: &File, below: &Path) -> Vec<Naming> {
    // A template of ytt is not data, and a schema is not governed by its name.
    let is_data = !asked.facts.ytt && !asked.is_configuration() && !is_in_program(&asked.path);
    let is_asked = is_data && state.settings.by_file_name;
    let Some(path) = below.to_str().map(|path| path.replace('\\', "/")).filter(|_| is_asked) else {
        return Vec::new();
    };
    let mirrors = Mirrors::of(state, &asked.path);
    let Some(built_in) = mirrors.built_in() else { return Vec::new() };
    let found = built_in.entries_for(&path);
    // What ytt gets as values has their schema.
    if found.is_empty() || is_given_to_ytt(state, asked) {
        return Vec::new();
    }
    let naming = |(entry, pattern): (&CatalogueEntry, &str)| {
        let newer = built_in.newer_copy(&entry.url).and_then(|path| state.file_at(&path)).filter(|file| file.exists());
        let origin = match newer {
            Some(_) => Some("a newer copy of the built-in schema".to_owned()),
            None => built_in.origin(&entry.url).map(Origin::words),
        };
        let by = NamedBy::BuiltIn { name: entry.name.clone(), pattern: pattern.to_owned(), origin };
        Naming::of_catalogue(entry.url.clone(), by)
    };
    found.into_iter().map(naming).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_document::FileId;

    fn catalogue(text: &str) -> Catalogue {
        let documents = lower(FileId(0), &lofting_syntax::parse(text), Profile::Core12, Options::default());
        Catalogue::read(documents.documents.first().map(|document| &document.value))
    }

    #[test]
    fn the_pattern_that_says_most_decides() {
        let text = r#"{"schemas": [
            {"name": "Any", "url": "https://a/any", "fileMatch": ["*.yml", "!**/no/*.yml"]},
            {"name": "Workflow", "url": "https://a/workflow", "fileMatch": ["**/.github/workflows/*.yml", "!x.yml"]},
            {"name": "Compose", "url": "https://a/compose", "fileMatch": ["docker-compose{,.*}.yml", "["]},
            {"url": "https://a/odd", "fileMatch": "odd.txt"},
            {"name": "None"}, 3
        ]}"#;
        let catalogue = catalogue(text);
        for (path, want) in [
            ("a.yml", Some("Any")),
            ("no/a.yml", None),
            (".github/workflows/a.yml", Some("Workflow")),
            ("deep/.github/workflows/a.yml", Some("Workflow")),
            (".github/workflows/x.yml", Some("Any")),
            (".github/workflows/deep/a.yml", Some("Any")),
            ("docker-compose.yml", Some("Compose")),
            ("b/docker-compose.test.yml", Some("Compose")),
            ("a.json", None),
            ("odd.txt", None),
        ] {
            let found = catalogue.schema_of(Path::new(path)).map(|(schema, _)| schema.name.as_str());
            assert_eq!(found, want, "{path}");
        }
    }

    #[test]
    fn what_is_no_catalogue_has_no_schemas() {
        for text in [
            "",
            "[]",
            "3",
            "{\"schemas\": 3}",
            "{\"schemas\": [[], {\"url\": 3}]}",
            "{\"schemas\": [{\"url\": \"x\", \"fileMatch\": [3]}]}",
        ] {
            assert!(catalogue(text).schema_of(Path::new("a.yml")).is_none(), "{text}");
        }
    }
}

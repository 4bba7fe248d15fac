//! Who says which schema a file has: the file itself, a `lofting.toml`, a setting, or a catalogue. The first that does
//! decides.

use crate::association::configurations;
use crate::association::fetched::NotFetched;
use crate::association::mirrors::Mirrors;
use crate::files::disk::{OUT_OF_REACH, Reach};
use crate::files::file::File;
use crate::files::modeline::Form;
use crate::files::path::normalise;
use crate::input_sets::config::{ConfigSchema, FILE_NAME};
use crate::settings::{SettingName, local_path};
use crate::state::State;
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Dialect, WrittenSteps};
use lofting_document::{FileId, Span};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file came to its schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A comment at its top.
    Modeline,
    /// Its key `$schema`.
    Key,
    /// An entry of `[[schemas]]`.
    Configuration {
        /// The `lofting.toml`.
        config: FileId,
        /// The same, as shown to the user.
        shown: String,
        /// The pattern that matches the file.
        pattern: String,
    },
    /// A setting.
    Setting {
        /// Its name.
        setting: SettingName,
        /// The pattern that matches the file.
        pattern: String,
    },
    /// The catalogue that the user chose.
    Catalogue {
        /// What it calls the schema.
        name: String,
        /// The pattern that matches the file.
        pattern: String,
    },
}

impl NamedBy {
    /// Whether the file says so itself.
    pub fn is_in_file(&self) -> bool {
        matches!(self, NamedBy::Modeline | NamedBy::Key)
    }

    /// One sentence about a schema of this name.
    pub fn words(&self, schema: &str) -> String {
        match self {
            NamedBy::Modeline => format!("Its modeline names the JSON Schema `{schema}`."),
            NamedBy::Key => format!("Its key `$schema` names the JSON Schema `{schema}`."),
            NamedBy::Configuration { shown, pattern, .. } => {
                format!("{shown} gives files that match `{pattern}` the schema `{schema}`.")
            }
            NamedBy::Setting { setting, pattern } => {
                let setting = setting.as_str();
                format!("The setting `{setting}` gives files that match `{pattern}` the schema `{schema}`.")
            }
            NamedBy::Catalogue { name, pattern } => {
                format!("The catalogue gives files that match `{pattern}` the schema `{schema}` ({name}).")
            }
        }
    }
}

/// A schema that somebody names.
#[derive(Debug, Clone)]
pub(crate) struct Naming {
    /// The path or URL, as written.
    pub schema: String,
    pub by: NamedBy,
    /// Where it is written, if that is in a file.
    pub place: Option<Span>,
    /// Directories that a path may be relative to, the first first.
    bases: Vec<PathBuf>,
    /// How far the text leads that names it.
    reach: Reach,
}

/// Why a schema that is named cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SchemaProblem {
    NotFound,
    OutOfReach,
    /// No folder stands for the URL, and nobody fetches it.
    NoFolder,
    /// It is being fetched.
    Awaited,
    /// It could not be fetched.
    NotFetched(NotFetched),
    /// What is wrong with the file, in words.
    Unreadable(String),
    /// It is a schema of ytt, which is read elsewhere.
    Ytt,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SchemaProblem::NotFound => "there is no such file",
            SchemaProblem::OutOfReach => OUT_OF_REACH,
            SchemaProblem::NoFolder => "nothing is fetched, and no folder stands for this URL",
            SchemaProblem::Awaited => "it is still being fetched",
            SchemaProblem::NotFetched(NotFetched { why, .. }) | SchemaProblem::Unreadable(why) => why,
            SchemaProblem::Ytt => "it is a schema of ytt",
        })
    }
}

impl Naming {
    /// The entry of a `lofting.toml`.
    pub fn configured(state: &State, config: &File, entry: &ConfigSchema, pattern: &str) -> Naming {
        let shown = state.shown(&config.path);
        Naming {
            schema: entry.schema.clone(),
            by: NamedBy::Configuration { config: config.id, shown, pattern: pattern.to_owned() },
            place: Some(Span::new(config.id, entry.range.clone())),
            bases: config.path.parent().map(Path::to_owned).into_iter().collect(),
            reach: state.reach_of(&config.path),
        }
    }

    /// The paths that the name may stand for, each with how far who says so leads; the text of a URL is in a folder that
    /// stands for a part of it.
    pub fn candidates(&self, mirrors: &Mirrors) -> Vec<(PathBuf, Reach)> {
        match local_path(&self.schema) {
            Some(path) => self.bases.iter().map(|base| (normalise(base, &path), self.reach.clone())).collect(),
            None => mirrors.files(&self.schema),
        }
    }

    /// The entry of a catalogue, which leads to no file.
    pub fn of_catalogue(schema: String, by: NamedBy) -> Naming {
        Naming { schema, by, place: None, bases: Vec::new(), reach: Reach::nowhere() }
    }

    /// Whether nothing is said, and others are asked, where this leads to nothing: a setting may be meant for another
    /// folder, or another server; a catalogue is nobody's mistake.
    pub fn is_optional(&self) -> bool {
        matches!(self.by, NamedBy::Setting { .. } | NamedBy::Catalogue { .. })
    }

    /// Whether the user chose what names it, and with it where that leads.
    pub fn is_chosen(&self) -> bool {
        matches!(self.by, NamedBy::Catalogue { .. })
    }

    /// The file of the schema, and its URI.
    pub fn find(&self, state: &State, own: FileId, mirrors: &Mirrors) -> Result<Arc<File>, SchemaProblem> {
        let candidates = self.candidates(mirrors);
        let mut problem = match (candidates.is_empty(), local_path(&self.schema)) {
            (true, None) => state.fetched.problem(&self.schema),
            _ => SchemaProblem::NotFound,
        };
        for (path, reach) in candidates {
            if !reach.names(&path) {
                problem = SchemaProblem::OutOfReach;
                continue;
            }
            let Some(file) = state.file_at(&path).filter(|file| file.exists() && file.id != own) else { continue };
            if file.holds().schema {
                return Err(SchemaProblem::Ytt);
            }
            return match file.problem() {
                Some(why) => Err(SchemaProblem::Unreadable(why.to_string())),
                None => Ok(file.clone()),
            };
        }
        Err(problem)
    }
}

/// What a file itself names as its schema.
pub(crate) fn in_file(state: &State, file: &File) -> Option<Naming> {
    if !file.facts.modeline || file.facts.ytt {
        return None;
    }
    let beside = file.path.parent().unwrap_or(Path::new("/"));
    let naming = |schema: &str, by, range| Naming {
        schema: schema.to_owned(),
        by,
        place: Some(Span::new(file.id, range)),
        bases: vec![beside.to_owned(), state.root_of(&file.path).to_owned()],
        reach: state.reach_of(&file.path),
    };
    if let Some(modeline) = file.modeline() {
        let is_shared = modeline.form == Form::YamlLanguageServer;
        return is_shared.then(|| naming(&modeline.schema, NamedBy::Modeline, modeline.range.clone()));
    }
    let root = file.tree().documents().next()?.root()?;
    let value = WrittenSteps::root(root, JsonSchema.profile()).key("$schema")?;
    Some(naming(&value.text()?, NamedBy::Key, value.value().range()))
}

/// The name of its schema as it stands in a file, ytt's included.
pub(crate) fn written(state: &State, file: &File) -> Option<String> {
    let modeline = file.facts.modeline.then(|| file.modeline()).flatten();
    modeline.map(|modeline| modeline.schema.clone()).or_else(|| in_file(state, file).map(|naming| naming.schema))
}

/// What `lofting.toml` files and settings name as the schema of a file, in their order.
pub(crate) fn configured(state: &State, file: &File) -> Vec<Naming> {
    let mut found = Vec::new();
    for config in configurations::going_up(state, &file.path) {
        let directory = config.path.parent().unwrap_or(Path::new("/"));
        for entry in &config.config().schemas {
            let glob = entry.files.iter().find(|glob| glob.matches(directory, &file.path));
            let naming = glob.filter(|_| !entry.schema.is_empty());
            found.extend(naming.map(|glob| Naming::configured(state, &config, entry, glob.written())));
        }
    }
    let root = state.root_of(&file.path);
    for (setting, pattern) in state.setting_globs.matching(root, &file.path) {
        found.push(Naming {
            schema: setting.schema.clone(),
            by: NamedBy::Setting { setting: setting.setting, pattern: pattern.to_owned() },
            place: None,
            bases: std::iter::once(root).chain(state.roots.iter().map(PathBuf::as_path)).map(Path::to_owned).collect(),
            // A client does not tell whether the user or the workspace says so.
            reach: state.reach_of(&file.path),
        });
    }
    found
}

/// What a setting names, seen from a workspace folder.
pub(crate) fn of_setting(state: &State, schema: &str, setting: SettingName, root: &Path) -> Naming {
    Naming {
        schema: schema.to_owned(),
        by: NamedBy::Setting { setting, pattern: String::new() },
        place: None,
        bases: vec![root.to_owned()],
        reach: state.reach_of(&root.join(FILE_NAME)),
    }
}

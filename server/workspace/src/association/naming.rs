//! What names the schema of a file: the file itself, a `lofting.toml`, a setting, or a catalogue. The first of these
//! that does so decides.

use crate::association::configurations;
use crate::association::mirrors::Mirrors;
use crate::association::state::AssociationState;
use crate::config::{ConfigSchema, FILE_NAME};
use crate::disk::path::{file_name, normalise};
use crate::disk::{OUT_OF_REACH, Reach};
use crate::files::fetched::{FetchedDocuments, NotFetched};
use crate::files::file::File;
use crate::files::modeline::Form;
use crate::settings::{SettingName, local_path};
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Dialect, WrittenSteps};
use lofting_document::{FileId, Span};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the schema of a file is named.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A comment at the top of the file.
    Modeline,
    /// An entry of `[[schemas]]` with `kubernetes`, or `lofting.kubernetes`, and what the document says it is.
    Bundle {
        /// The `lofting.toml` or setting, as shown to the user.
        shown: String,
        /// The bundle, as written.
        bundle: String,
    },
    /// The key `$schema` in the file.
    Key,
    /// The name of the file says that it is a schema.
    OwnName,
    /// Something names the file as a schema.
    Use,
    /// An entry of `[[schemas]]`.
    Configuration {
        /// The `lofting.toml`.
        config: FileId,
        /// The path of the `lofting.toml` as shown to the user.
        shown: String,
        /// The pattern that matches the file.
        pattern: String,
    },
    /// The Helm chart whose values the file holds.
    Chart,
    /// A setting.
    Setting {
        /// Its name.
        setting: SettingName,
        /// The pattern that matches the file.
        pattern: String,
    },
    /// The built-in catalogue.
    BuiltIn {
        /// What it calls the schema.
        name: String,
        /// The pattern that matches the file.
        pattern: String,
        /// Where the schema comes from, and from when, in words; None if its text is not built in.
        origin: Option<String>,
    },
    /// The built-in definitions of Kubernetes, and what the document says it is.
    BuiltInKind {
        /// The version of Kubernetes.
        version: String,
        /// What the document says that it is.
        kind: String,
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
    /// The pattern of a catalogue that matches the file, if one does.
    pub(crate) fn pattern_of_catalogue(&self) -> Option<&str> {
        match self {
            NamedBy::Catalogue { pattern, .. } | NamedBy::BuiltIn { pattern, .. } => Some(pattern),
            _ => None,
        }
    }

    /// Whether the file itself names the schema.
    pub fn is_in_file(&self) -> bool {
        matches!(self, NamedBy::Modeline | NamedBy::Key)
    }

    /// What a catalogue calls the schema, or what the document says that it is.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            NamedBy::Catalogue { name, .. } | NamedBy::BuiltIn { name, .. } => Some(name),
            NamedBy::BuiltInKind { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// A sentence about the schema with this name.
    pub fn words(&self, schema: &str) -> String {
        match self {
            NamedBy::Modeline => format!("Its modeline names the JSON Schema `{schema}`."),
            NamedBy::Key => format!("Its key `$schema` names the JSON Schema `{schema}`."),
            NamedBy::OwnName => {
                format!("By its name it is a JSON Schema; as it names no draft, it is read as `{schema}`.")
            }
            NamedBy::Use => {
                format!("It is named as a JSON Schema elsewhere; as it names no draft, it is read as `{schema}`.")
            }
            NamedBy::Configuration { shown, pattern, .. } => {
                format!("{shown} gives files that match `{pattern}` the schema `{schema}`.")
            }
            NamedBy::Chart => format!("It holds the values of a Helm chart, whose schema is `{schema}` beside it."),
            NamedBy::Bundle { shown, bundle } => {
                format!("Its `apiVersion` and `kind` select the schema `{schema}` in `{bundle}`, which {shown} names.")
            }
            NamedBy::Setting { setting, pattern } => {
                let setting = setting.as_str();
                format!("The setting `{setting}` gives files that match `{pattern}` the schema `{schema}`.")
            }
            NamedBy::BuiltIn { name, pattern, origin } => {
                let origin = origin.as_ref().map_or_else(String::new, |origin| format!("; {origin}"));
                format!(
                    "The built-in catalogue gives files that match `{pattern}` the schema `{schema}` ({name}{origin})."
                )
            }
            NamedBy::BuiltInKind { version, kind } => {
                format!("It says that it is {kind}, whose schema is built in (Kubernetes {version}).")
            }
            NamedBy::Catalogue { name, pattern } => {
                format!("The catalogue gives files that match `{pattern}` the schema `{schema}` ({name}).")
            }
        }
    }
}

/// A schema that is named somewhere.
#[derive(Debug, Clone)]
pub(crate) struct Naming {
    /// The path or URL, as written.
    pub schema: String,
    pub by: NamedBy,
    /// The place of the name, if it is in a file.
    pub place: Option<Span>,
    /// Directories that a path may be relative to, in order.
    bases: Vec<PathBuf>,
    /// The reach of the text that contains the name.
    reach: Reach,
}

/// Why a named schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SchemaProblem {
    NotFound,
    OutOfReach,
    /// The URL has no mirror, and documents are not fetched.
    NoFolder,
    /// It is being fetched, or looked for.
    Awaited,
    /// It could not be fetched.
    NotFetched(NotFetched),
    /// What is wrong with the file, in words.
    Unreadable(String),
    /// It is a ytt schema, which is read elsewhere.
    Ytt,
}

impl SchemaProblem {
    /// Why a URL has no document.
    pub fn of_url(fetched: &FetchedDocuments, url: &str) -> SchemaProblem {
        match fetched.answer(url) {
            Some(Err(why)) => SchemaProblem::NotFetched(why.clone()),
            Some(Ok(_)) => SchemaProblem::NotFound,
            None if fetched.is_wanted(url, false) => SchemaProblem::Awaited,
            None => SchemaProblem::NoFolder,
        }
    }
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SchemaProblem::NotFound => "there is no such file",
            SchemaProblem::OutOfReach => OUT_OF_REACH,
            SchemaProblem::NoFolder => "nothing is fetched, and this URL has no mirror folder",
            SchemaProblem::Awaited => "it is still being searched for",
            SchemaProblem::NotFetched(NotFetched { why, .. }) | SchemaProblem::Unreadable(why) => why,
            SchemaProblem::Ytt => "it is a ytt schema",
        })
    }
}

impl std::error::Error for SchemaProblem {}

impl Naming {
    /// The entry of a `lofting.toml`.
    pub fn configured(state: &AssociationState, config: &File, entry: &ConfigSchema, pattern: &str) -> Naming {
        let shown = state.shown(&config.path);
        Naming {
            schema: entry.schema.clone(),
            by: NamedBy::Configuration { config: config.id, shown, pattern: pattern.to_owned() },
            place: Some(Span::new(config.id, entry.range.clone())),
            bases: config.path.parent().map(Path::to_owned).into_iter().collect(),
            reach: state.reach_of(&config.path),
        }
    }

    /// The path or URL of the document.
    pub fn document(&self) -> &str {
        self.schema.split('#').next().unwrap_or_default()
    }

    /// The fragment of the URI, which selects a schema inside the document; empty for the whole document.
    pub fn fragment(&self) -> &str {
        self.schema.split_once('#').map_or("", |(_, fragment)| fragment)
    }

    /// A schema in a bundle that a `lofting.toml` names.
    pub fn bundled(state: &AssociationState, config: &File, entry: &ConfigSchema, schema: String) -> Naming {
        let naming = Naming::configured(state, config, entry, "");
        let by = NamedBy::Bundle { shown: state.shown(&config.path), bundle: entry.schema.clone() };
        Naming { schema, by, ..naming }
    }

    /// A schema in the bundle that a setting names, as seen from a file.
    pub fn bundled_by_setting(state: &AssociationState, file: &File, bundle: &str, schema: String) -> Naming {
        let by = NamedBy::Bundle { shown: "the setting `lofting.kubernetes`".to_owned(), bundle: bundle.to_owned() };
        Naming {
            schema,
            by,
            place: None,
            bases: state.bases_of_settings(&file.path),
            reach: state.reach_of(&file.path),
        }
    }

    /// This naming with another fragment.
    pub fn with_fragment(self, fragment: &str) -> Naming {
        Naming { schema: format!("{}#{fragment}", self.document()), ..self }
    }

    /// The paths that the name may refer to, each with its reach; for a URL, the paths in its mirrors.
    pub fn candidates(&self, mirrors: &Mirrors) -> Vec<(PathBuf, Reach)> {
        match local_path(self.document()) {
            Some(path) => self.bases.iter().map(|base| (normalise(base, &path), self.reach.clone())).collect(),
            None => mirrors.files(&self.schema),
        }
    }

    /// Whether it follows from the name of the file alone: a document that says what it is may be meant otherwise.
    pub fn is_by_file_name(&self) -> bool {
        self.by.pattern_of_catalogue().is_some()
    }

    /// The naming of the usual draft for a schema that names none.
    pub fn of_schema(by: NamedBy) -> Naming {
        Naming::of_catalogue(lofting_dialect::json_schema::usual_meta_schema().to_owned(), by)
    }

    /// The naming by an entry of a catalogue.
    pub fn of_catalogue(schema: String, by: NamedBy) -> Naming {
        Naming { schema, by, place: None, bases: Vec::new(), reach: Reach::nowhere() }
    }

    /// Whether a naming that leads nowhere is skipped silently: a setting may be meant for another folder or another
    /// server, and a catalogue is not the user's own text.
    pub fn is_optional(&self) -> bool {
        match self.by {
            NamedBy::Setting { .. } | NamedBy::Bundle { .. } => true,
            NamedBy::Catalogue { .. } | NamedBy::BuiltIn { .. } | NamedBy::BuiltInKind { .. } => true,
            NamedBy::OwnName | NamedBy::Use | NamedBy::Chart => true,
            NamedBy::Modeline | NamedBy::Key | NamedBy::Configuration { .. } => false,
        }
    }

    /// Whether the user chose what names it, and thereby where that leads.
    pub fn is_chosen(&self) -> bool {
        matches!(self.by, NamedBy::Catalogue { .. })
    }

    /// Whether the file at this path is the schema.
    fn leads_to(&self, path: &Path) -> bool {
        let Some(written) = local_path(self.document()) else { return false };
        self.bases.iter().any(|base| normalise(base, &written) == path)
    }

    /// The file of the schema.
    pub fn find(&self, state: &AssociationState, own: FileId, mirrors: &Mirrors) -> Result<Arc<File>, SchemaProblem> {
        self.known(state, own, mirrors, state.pending_schemas.has(self, own))
    }

    /// The file, as far as a state knows it. `is_pending`: an unknown file may still be found.
    pub fn known(
        &self,
        state: &AssociationState,
        own: FileId,
        mirrors: &Mirrors,
        is_pending: bool,
    ) -> Result<Arc<File>, SchemaProblem> {
        let candidates = self.candidates(mirrors);
        // A path may be relative to the file or to the folder. Only if neither place may be looked at is that the reason.
        let may_look = candidates.iter().any(|(path, reach)| reach.names(path));
        let problem = match (candidates.is_empty(), local_path(self.document())) {
            (true, None) => SchemaProblem::of_url(&state.fetched, &self.schema),
            (true, Some(_)) => SchemaProblem::NotFound,
            (false, _) if may_look => SchemaProblem::NotFound,
            (false, _) => SchemaProblem::OutOfReach,
        };
        for (path, reach) in candidates {
            if !reach.names(&path) {
                continue;
            }
            let Some(file) = state.file_at(&path).filter(|file| file.exists() && file.id != own) else {
                if is_pending {
                    return Err(SchemaProblem::Awaited);
                }
                continue;
            };
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

/// The schema that Helm compares the values of a chart with.
pub(crate) fn of_chart(state: &AssociationState, file: &File) -> Option<Naming> {
    let is_values = !file.facts.ytt && file_name(&file.path) == "values.yaml";
    let beside = file.path.parent().filter(|_| is_values)?;
    let is_there = |name: &str| state.file_at(&beside.join(name)).is_some_and(|file| file.exists());
    (is_there(CHART) && is_there(SCHEMA_OF_VALUES)).then(|| Naming {
        schema: SCHEMA_OF_VALUES.to_owned(),
        by: NamedBy::Chart,
        place: None,
        bases: vec![beside.to_owned()],
        reach: state.reach_of(&file.path),
    })
}

/// What Helm calls the description of a chart, and the schema of its values.
const CHART: &str = "Chart.yaml";
const SCHEMA_OF_VALUES: &str = "values.schema.json";

/// The schema that a file names for itself.
pub(crate) fn in_file(state: &AssociationState, file: &File) -> Option<Naming> {
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

/// The name that a file gives its schema, including ytt schemas.
pub(crate) fn name_in(state: &AssociationState, file: &File) -> Option<String> {
    let modeline = file.facts.modeline.then(|| file.modeline()).flatten();
    modeline.map(|modeline| modeline.schema.clone()).or_else(|| in_file(state, file).map(|naming| naming.schema))
}

/// The schemas that `lofting.toml` files and settings name for a file, in order of precedence.
pub(crate) fn configured(state: &AssociationState, file: &File) -> Vec<Naming> {
    let mut found = Vec::new();
    for config in configurations::going_up(state, &file.path) {
        let directory = config.path.parent().unwrap_or(Path::new("/"));
        let entries = config.config().schemas_of(directory, &file.path).filter(|(entry, _)| !entry.schema.is_empty());
        found.extend(entries.map(|(entry, glob)| Naming::configured(state, &config, entry, glob.pattern())));
    }
    let root = state.root_of(&file.path);
    for (setting, pattern) in state.setting_globs.matching(root, &file.path) {
        found.push(Naming {
            schema: setting.schema.clone(),
            by: NamedBy::Setting { setting: setting.setting, pattern: pattern.to_owned() },
            place: None,
            bases: state.bases_of_settings(&file.path),
            // A client does not tell whether a setting is the user's or the workspace's.
            reach: state.reach_of(&file.path),
        });
    }
    // A pattern such as `*.json` may also match the schema that it is about.
    found.retain(|naming| !naming.leads_to(&file.path));
    found
}

/// The naming by a setting, as seen from a workspace folder.
pub(crate) fn of_setting(state: &AssociationState, schema: &str, setting: SettingName, root: &Path) -> Naming {
    Naming {
        schema: schema.to_owned(),
        by: NamedBy::Setting { setting, pattern: String::new() },
        place: None,
        bases: vec![root.to_owned()],
        reach: state.reach_of(&root.join(FILE_NAME)),
    }
}

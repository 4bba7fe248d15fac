//! What a user can choose to govern a file: the schemas that the workspace knows, and its input sets.

use crate::association::associate::associate;
use crate::association::catalogue;
use crate::association::configurations;
use crate::association::json_schemas;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming};
use crate::association::nearest::{is_schema_file, schema_files_below};
use crate::association::reason::Reason;
use crate::association::shared::SchemaFiles;
use crate::association::state::AssociationState;
use crate::disk::Reach;
use crate::disk::path::relative;
use crate::disk::walk::{Step, Walk};
use crate::files::file::File;
use crate::files::scan::is_visible;
use crate::files::table::Kept;
use crate::input_sets::sets::SetOrigin;
use crate::inputs::NameKind;
use crate::settings::local_path;
use lofting_dialect::json_schema;
use lofting_document::FileId;
use lofting_memo::CancelFlag;
use memchr::memmem;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many directory entries are looked at to find JSON Schemas, and how many bytes are read for it.
const VISITED: usize = 20_000;
const BYTES: u64 = 32 * 1024 * 1024;

/// Larger files (in bytes) are not read for it.
const SIZE: u64 = 2 * 1024 * 1024;

/// Something that could govern a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ChosenSchema {
    /// A ytt schema: a file, or a directory with schema files.
    Ytt(PathBuf),
    /// The JSON Schema in a file.
    Json {
        /// The file.
        path: PathBuf,
        /// The fragment of its URI that selects the schema; empty for the whole document.
        fragment: String,
    },
    /// The JSON Schema at a URL.
    Web(String),
    /// An input set.
    Set {
        /// The `lofting.toml`.
        config: FileId,
        /// Its name.
        name: String,
    },
    /// No schema.
    None,
}

/// Where a choice comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundIn {
    /// It is a set of this `lofting.toml`.
    Sets(String),
    /// It is a file of the workspace.
    Workspace,
    /// A `lofting.toml` or another file names it.
    File(String),
    /// A setting names it.
    Setting(&'static str),
    /// It is always there.
    Everywhere,
    /// The catalogue names it.
    Catalogue,
}

/// Where a choice can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WrittenIn {
    /// In a `lofting.toml`.
    Configuration,
    /// In a comment at the top of the file.
    Modeline,
}

/// A choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChoice {
    /// The schema or set.
    pub chosen: ChosenSchema,
    /// What users call it: a path relative to the workspace folder, a URL, a title.
    pub name: String,
    /// Where it comes from.
    pub found_in: FoundIn,
    /// Whether it governs the file now.
    pub is_in_force: bool,
    /// Where it can be written so that it takes effect, the most usual first. Never empty.
    pub written_in: Vec<WrittenIn>,
}

/// What could govern a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChoices {
    /// Why the file has the schema that it has, or none.
    pub reason: Reason,
    /// What is in force first, then input sets, schemas by how near they are, and the rest.
    pub choices: Vec<SchemaChoice>,
}

/// What could govern a file. Looks for JSON Schemas on disk, so it is not for a user who is typing.
pub(crate) fn schema_choices(state: &AssociationState, file: &Arc<File>, cancel: &CancelFlag) -> SchemaChoices {
    let mut found = Choices::new(state, file);
    if let Some(ways) = found.ways {
        found.sets(ways);
        found.ytt_schemas(ways);
        if ways.is_plain {
            found.json_schemas(ways, cancel);
        }
    }
    SchemaChoices { reason: associate(state, file).reason.clone(), choices: found.sorted() }
}

/// How a choice can take effect on a file.
#[derive(Clone, Copy)]
struct Ways {
    /// It is not a file of ytt: JSON Schemas can govern it.
    is_plain: bool,
    /// Schemas of ytt can: it holds values, or could.
    is_values: bool,
    /// A modeline counts before what the file says elsewhere, so it always takes effect; a `lofting.toml` does unless
    /// something comes before it that cannot be taken away.
    by_configuration: bool,
    /// Membership of input sets decides unless the file itself names its schema by a key.
    by_sets: bool,
}

impl Ways {
    fn of(state: &AssociationState, file: &File) -> Option<Ways> {
        let is_yaml = NameKind::of_path(&file.path) == NameKind::Yaml;
        if !is_yaml || file.is_configuration() || file.holds().schema {
            return None;
        }
        let is_plain = !file.facts.ytt;
        let has_key = naming::in_file(state, file).is_some_and(|naming| naming.by == NamedBy::Key);
        let is_input = state.sets.of_file(file.id).any(|(set, _)| matches!(set.origin, SetOrigin::Config { .. }));
        let is_addressed = matches!(associate(state, file).reason, Reason::Addressed { .. });
        Some(Ways {
            is_plain,
            is_values: is_plain || file.holds().values,
            by_configuration: !has_key && !is_input && !is_addressed,
            by_sets: !has_key && !is_addressed,
        })
    }

    fn of_schema(self) -> Vec<WrittenIn> {
        if self.by_configuration {
            vec![WrittenIn::Configuration, WrittenIn::Modeline]
        } else {
            vec![WrittenIn::Modeline]
        }
    }
}

struct Choices<'s> {
    state: &'s AssociationState,
    file: &'s Arc<File>,
    ways: Option<Ways>,
    /// How far a name in the file or in its `lofting.toml` may lead.
    reach: Reach,
    /// The JSON Schema that is named for the file now.
    named: Option<ChosenSchema>,
    found: Vec<SchemaChoice>,
    /// What was found: several places may name the same.
    known: FxHashSet<ChosenSchema>,
}

impl<'s> Choices<'s> {
    fn new(state: &'s AssociationState, file: &'s Arc<File>) -> Choices<'s> {
        let ways = Ways::of(state, file);
        let mirrors = Mirrors::of(state, &file.path);
        let named = json_schemas::named(state, file).map(|named| chosen(state, &named.naming, file.id, &mirrors));
        let (reach, known) = (state.reach_of(&file.path), FxHashSet::default());
        Choices { state, file, ways, reach, named, found: Vec::new(), known }
    }

    fn add(&mut self, chosen: ChosenSchema, name: String, found_in: FoundIn, is_in_force: bool, ways: Vec<WrittenIn>) {
        if self.known.insert(chosen.clone()) {
            self.found.push(SchemaChoice { chosen, name, found_in, is_in_force, written_in: ways });
        }
    }

    fn sets(&mut self, ways: Ways) {
        if !ways.by_sets {
            return;
        }
        let state = self.state;
        for config in configurations::going_up(state, &self.file.path) {
            for set in &config.config().sets {
                let origin = SetOrigin::Config { file: config.id };
                let is_it = |known: &crate::input_sets::sets::WorkspaceSet| {
                    known.origin == origin && known.name.as_deref() == Some(set.name.as_str())
                };
                let is_in_force = state.sets.of_file(self.file.id).any(|(known, _)| is_it(known));
                let chosen = ChosenSchema::Set { config: config.id, name: set.name.clone() };
                let shown = state.shown(&config.path);
                self.add(chosen, set.name.clone(), FoundIn::Sets(shown), is_in_force, vec![WrittenIn::Configuration]);
            }
        }
    }

    fn ytt_schemas(&mut self, ways: Ways) {
        if !ways.is_values {
            return;
        }
        let state = self.state;
        let association = associate(state, self.file);
        let is_in_force = |files: &SchemaFiles| {
            let mut schemas = association.schemas().filter(|schema| schema.set.is_none());
            schemas.any(|schema| schema.source.is(files))
        };
        for root in state.roots.iter() {
            for (directory, files) in state.index.schemas_below(root) {
                if !self.reach.names(directory) {
                    continue;
                }
                let schemas = files.iter().filter_map(|id| state.file(*id)).filter(|file| is_schema_file(file));
                let schemas: Vec<Arc<File>> = schemas.cloned().collect();
                let together = schema_files_below(state, directory);
                if schemas.len() > 1 && !together.read(state).is_accidental() {
                    let name = format!("{}/", state.shown(directory));
                    let in_force = is_in_force(&together);
                    self.add(
                        ChosenSchema::Ytt(directory.to_owned()),
                        name,
                        FoundIn::Workspace,
                        in_force,
                        ways.of_schema(),
                    );
                }
                for schema in schemas {
                    let in_force = is_in_force(&SchemaFiles::of(state, [schema.clone()]));
                    let chosen = ChosenSchema::Ytt(schema.path.to_path_buf());
                    self.add(chosen, state.shown(&schema.path), FoundIn::Workspace, in_force, ways.of_schema());
                }
            }
        }
    }

    fn json_schemas(&mut self, ways: Ways, cancel: &CancelFlag) {
        let state = self.state;
        let mirrors = Mirrors::of(state, &self.file.path);
        // Named by a `lofting.toml` or another file, or a schema itself.
        for file in state.index.kept(Kept::Naming).filter_map(|id| state.file(id)) {
            let shown = || FoundIn::File(state.shown(&file.path));
            if file.is_configuration() {
                for entry in file.config().schemas.iter().filter(|entry| !entry.schema.is_empty()) {
                    self.named(&Naming::configured(state, file, entry, ""), shown(), ways, &mirrors);
                }
                continue;
            }
            let Some(naming) = naming::in_file(state, file) else { continue };
            if json_schemas::is_meta_schema(&naming) {
                self.json_file(&file.path, ways);
            } else if naming.schema != crate::files::modeline::NONE {
                self.named(&naming, shown(), ways, &mirrors);
            }
        }
        let root = state.root_of(&self.file.path);
        for setting in &state.settings.schemas {
            let naming = naming::of_setting(state, &setting.schema, setting.setting, root);
            self.named(&naming, FoundIn::Setting(setting.setting.as_str()), ways, &mirrors);
        }
        for path in on_disk(root, &self.reach, cancel) {
            self.json_file(&path, ways);
        }
        let is_none = json_schemas::has_none(state, self.file);
        self.add(ChosenSchema::None, "none".to_owned(), FoundIn::Everywhere, is_none, vec![WrittenIn::Modeline]);
        for (name, url) in catalogue::schemas(state) {
            let is_in_force = self.named == Some(ChosenSchema::Web(url.clone()));
            self.add(ChosenSchema::Web(url), name, FoundIn::Catalogue, is_in_force, ways.of_schema());
        }
    }

    fn json_file(&mut self, path: &Path, ways: Ways) {
        let chosen = ChosenSchema::Json { path: path.to_owned(), fragment: String::new() };
        if path == &*self.file.path || !self.reach.names(path) {
            return;
        }
        let is_in_force = self.named.as_ref() == Some(&chosen);
        self.add(chosen, self.state.shown(path), FoundIn::Workspace, is_in_force, ways.of_schema());
    }

    /// What something names, as far as the file may name it as well.
    fn named(&mut self, naming: &Naming, found_in: FoundIn, ways: Ways, mirrors: &Arc<Mirrors>) {
        let chosen = chosen(self.state, naming, self.file.id, mirrors);
        let (name, is_reachable) = match &chosen {
            ChosenSchema::Json { path, fragment } => {
                let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
                let is_there = self.state.file_at(path).is_some_and(|file| file.exists());
                (format!("{}{fragment}", self.state.shown(path)), is_there && self.reach.names(path))
            }
            ChosenSchema::Web(url) => (url.clone(), true),
            // Found in the workspace.
            ChosenSchema::Ytt(_) | ChosenSchema::Set { .. } | ChosenSchema::None => return,
        };
        if is_reachable {
            let is_in_force = self.named.as_ref() == Some(&chosen);
            self.add(chosen, name, found_in, is_in_force, ways.of_schema());
        }
    }

    fn sorted(mut self) -> Vec<SchemaChoice> {
        let here = self.file.path.parent().unwrap_or(Path::new("/")).to_owned();
        let group = |choice: &SchemaChoice| match choice.found_in {
            FoundIn::Sets(_) => 0,
            FoundIn::Workspace => 1,
            FoundIn::File(_) | FoundIn::Setting(_) => 2,
            FoundIn::Everywhere => 3,
            FoundIn::Catalogue => 4,
        };
        // How many folders lie between the two.
        let distance = |choice: &SchemaChoice| match &choice.chosen {
            ChosenSchema::Ytt(path) | ChosenSchema::Json { path, .. } => {
                relative(&here, path).map_or(0, |way| way.matches('/').count())
            }
            _ => 0,
        };
        // Sets stay in the order of their files.
        self.found.sort_by_cached_key(|choice| {
            let name = if group(choice) == 0 { String::new() } else { choice.name.clone() };
            (!choice.is_in_force, group(choice), distance(choice), name)
        });
        self.found
    }
}

/// What a naming leads to.
fn chosen(state: &AssociationState, naming: &Naming, own: FileId, mirrors: &Arc<Mirrors>) -> ChosenSchema {
    if local_path(naming.document()).is_none() {
        return ChosenSchema::Web(naming.schema.clone());
    }
    let path = match naming.find(state, own, mirrors) {
        Ok(file) => file.path.to_path_buf(),
        Err(_) => naming.candidates(mirrors).into_iter().map(|(path, _)| path).next().unwrap_or_default(),
    };
    if state.file_at(&path).is_some_and(|file| file.exists() && file.holds().schema) {
        ChosenSchema::Ytt(path)
    } else {
        ChosenSchema::Json { path, fragment: naming.fragment().to_owned() }
    }
}

/// The files of a folder that say by their key `$schema` that they are JSON Schemas. Only JSON: what is YAML is known.
fn on_disk(root: &Path, reach: &Reach, cancel: &CancelFlag) -> Vec<PathBuf> {
    let (mut found, mut visited, mut left) = (Vec::new(), 0, BYTES);
    let walk = Walk { reach, top: root, depth: None, is_visible };
    let _ = walk.run(root, &mut |step| {
        visited += 1;
        if cancel.is_cancelled() || visited > VISITED || left == 0 {
            return ControlFlow::Break(());
        }
        if let Step::File(path) = step
            && path.extension().is_some_and(|extension| extension == "json")
            && let Ok(bytes) = reach.bytes_up_to(&path, SIZE.min(left))
        {
            left = left.saturating_sub(bytes.len() as u64);
            found.extend(is_json_schema(&bytes).then_some(path));
        }
        ControlFlow::Continue(())
    });
    found
}

/// Whether a text in JSON names a draft as its schema.
fn is_json_schema(bytes: &[u8]) -> bool {
    let named = |at: usize| {
        let rest = bytes.get(at + "\"$schema\"".len()..)?.trim_ascii_start().strip_prefix(b":")?;
        let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
        let end = rest.iter().position(|byte| *byte == b'"')?;
        std::str::from_utf8(rest.get(..end)?).ok()
    };
    memmem::find(bytes, b"\"$schema\"").and_then(named).is_some_and(json_schema::is_meta_schema)
}

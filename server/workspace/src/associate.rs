//! The six rules that find the schema of a file; the first that applies decides.

use crate::association::{Association, Because, ModelineProblem, Reason, SchemaRef};
use crate::disk::{Kind, Reach, ReadProblem};
use crate::file::File;
use crate::inputs::InputFile;
use crate::kind::{FileKind, NameKind, named_as_values};
use crate::modeline::Form;
use crate::nearest::{addressed_library, is_schema_file, library_of, nearest, schema_files_below};
use crate::path::{file_name, normalise};
use crate::schema_state::SchemaState;
use crate::scope::{file_of, is_private};
use crate::sets::{Part, SetOrigin, WorkspaceSet};
use crate::settings::local_path;
use crate::state::State;
use lofting_values::LibraryRef;
use std::path::Path;
use std::sync::Arc;

/// What a file is.
pub(crate) fn kind(state: &State, file: &File) -> FileKind {
    if file_name(&file.path) == crate::config::FILE_NAME {
        return FileKind::Configuration;
    }
    let in_set = state.sets.of_file(file.id).map(|(_, part)| part).next();
    let name = match in_set {
        // A file mark can make a template of any file (reference 3.2).
        Some(Part::Template) => NameKind::Yaml,
        _ => NameKind::of_path(&file.path),
    };
    match name {
        NameKind::YamlLibrary => return FileKind::Library,
        NameKind::Yaml => {}
        // The editor says that it is YAML, or a flag gives it as values.
        _ if file.is_open() || in_set == Some(Part::PlainValues) => {}
        _ => return FileKind::Other,
    }
    let holds = file.holds();
    if holds.schema {
        FileKind::Schema
    } else if holds.values {
        FileKind::DataValues
    } else if holds.template {
        FileKind::Template
    } else if associate(state, file).schema.is_some() || in_set == Some(Part::PlainValues) {
        FileKind::PlainValues
    } else {
        FileKind::Other
    }
}

/// Which schema governs a file.
pub(crate) fn associate(state: &State, file: &File) -> Association {
    if file_name(&file.path) == crate::config::FILE_NAME {
        return Association::none(Reason::Configuration);
    }
    if file.facts.schema && file.holds().schema {
        return of_schema_file(state, file);
    }
    by_modeline(state, file)
        .or_else(|| by_library_ref(state, file))
        .or_else(|| by_library_values(state, file))
        .or_else(|| by_sets(state, file, Written::Down))
        .or_else(|| by_setting(state, file))
        .or_else(|| by_sets(state, file, Written::Found))
        .unwrap_or_else(|| by_place(state, file))
}

/// A schema file is governed by no other; it is shown with the schema it takes part in.
fn of_schema_file(state: &State, file: &File) -> Association {
    let sets = by_sets(state, file, Written::Down).filter(|sets| sets.schema.is_some());
    let (schema, others) = match sets.or_else(|| by_sets(state, file, Written::Found)) {
        Some(Association { schema: Some(schema), others, .. }) => (Some(schema), others),
        _ => (own_schema(state, file), Vec::new()),
    };
    Association { schema, others, reason: Reason::IsSchema }
}

/// The schema that a schema file makes, together with those that lie beside it.
fn own_schema(state: &State, file: &File) -> Option<SchemaRef> {
    let beside = match library_of(state, &file.path) {
        Some((directory, _)) => schema_files_below(state, &directory),
        None => nearest(state, &file.path).map(|(_, files)| files).unwrap_or_default(),
    };
    if beside.iter().any(|other| other.id == file.id) {
        let together = schema_ref(state, &beside, None, false);
        if !together.state.is_accidental() {
            return Some(together);
        }
    }
    let alone = state.file(file.id)?.clone();
    Some(schema_ref(state, &[alone], None, false))
}

pub(crate) fn schema_ref(state: &State, files: &[Arc<File>], set: Option<Arc<str>>, plain: bool) -> SchemaRef {
    let schema: Arc<SchemaState> = state.schemas.get(files, &state.runner);
    SchemaRef {
        schema: schema.schema.clone(),
        files: schema.files.clone(),
        set,
        plain,
        incomplete: false,
        state: schema,
    }
}

/// Rule 1.
fn by_modeline(state: &State, file: &File) -> Option<Association> {
    let modeline = file.modeline()?;
    let target = modeline_target(state, file, &modeline.schema);
    match target {
        Ok(files) => Some(Association {
            schema: Some(schema_ref(state, &files, None, !file.holds().values)),
            others: Vec::new(),
            reason: Reason::Modeline { schema: modeline.schema.clone() },
        }),
        // What another server can make of its own modeline is not ours to judge.
        Err(_) if modeline.form == Form::YamlLanguageServer => None,
        Err(problem) => Some(Association::none(Reason::ModelineBroken { schema: modeline.schema.clone(), problem })),
    }
}

fn modeline_target(state: &State, file: &File, written: &str) -> Result<Vec<Arc<File>>, ModelineProblem> {
    let path = local_path(written).ok_or(ModelineProblem::Web)?;
    let beside = file.path.parent().unwrap_or(Path::new("/"));
    let reach = state.reach_of(&file.path);
    let mut problem = ModelineProblem::NotFound;
    for base in [beside, state.root_of(&file.path)] {
        match schema_at(state, &normalise(base, &path), &reach) {
            Ok(files) => return Ok(files),
            Err(ModelineProblem::NotFound) => {}
            Err(other) => problem = other,
        }
    }
    Err(problem)
}

/// The schema files that a path names: the file itself, or those below the directory.
fn schema_at(state: &State, path: &Path, reach: &Reach) -> Result<Vec<Arc<File>>, ModelineProblem> {
    // What leads out is not used either if it is known for other reasons.
    if !reach.names(path) {
        return Err(ModelineProblem::OutOfReach);
    }
    if let Some(file) = state.file_at(path).filter(|file| file.exists()) {
        return match file.holds().schema {
            true => Ok(vec![file.clone()]),
            false => Err(ModelineProblem::NoSchemaDocument),
        };
    }
    let below = schema_files_below(state, path);
    if !below.is_empty() {
        return Ok(below);
    }
    if state.index.directories_below(path).next().is_some() {
        return Err(ModelineProblem::Directory);
    }
    Err(match reach.look(path) {
        Ok(Kind::Directory) => ModelineProblem::Directory,
        Err(ReadProblem::OutOfReach) => ModelineProblem::OutOfReach,
        _ => ModelineProblem::NotFound,
    })
}

/// Which sets are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// Those of `lofting.toml` and of the command line.
    Down,
    /// Those made of commands that were found.
    Found,
}

/// Rules 2 and 4, and the inputs of the command line.
fn by_sets(state: &State, file: &File, written: Written) -> Option<Association> {
    let mut found: Vec<(&WorkspaceSet, Option<SchemaRef>, Vec<String>)> = Vec::new();
    let of_kind = |set: &WorkspaceSet| matches!(set.origin, SetOrigin::Command { .. }) == (written == Written::Found);
    for (set, part) in state.sets.of_file(file.id).filter(|(set, _)| of_kind(set)) {
        let governed = match part {
            Part::PlainValues => true,
            Part::Template => file.holds().values || file.holds().schema,
            Part::LibraryValues | Part::Flag | Part::Other => false,
        };
        if !governed {
            continue;
        }
        let files: Vec<Arc<File>> = set
            .templates
            .iter()
            .filter_map(|id| state.file(*id))
            .filter(|file| file.exists() && file.facts.schema && file.holds().schema)
            .cloned()
            .collect();
        // A command that was found is only evidence; without a schema it says nothing.
        if files.is_empty() && written == Written::Found {
            continue;
        }
        let names = files.iter().map(|file| state.shown(&file.path)).collect();
        let schema = (!files.is_empty()).then(|| SchemaRef {
            incomplete: matches!(set.origin, SetOrigin::Command { incomplete: true, .. }),
            ..schema_ref(state, &files, set.name.clone(), part == Part::PlainValues)
        });
        found.push((set, schema, names));
    }
    let is_whole = |schema: &Option<SchemaRef>| schema.as_ref().is_some_and(|schema| !schema.incomplete);
    if found.iter().any(|(_, schema, _)| is_whole(schema)) {
        found.retain(|(_, schema, _)| is_whole(schema));
    }
    let Some((first, _, schema)) = found.first() else {
        let parts = || state.sets.of_file(file.id).filter(|(set, _)| of_kind(set)).map(|(_, part)| part);
        if written == Written::Down && parts().next().is_some() && parts().all(|part| part == Part::LibraryValues) {
            return Some(Association::none(Reason::OtherLibrary));
        }
        // ytt gets the file as a template: its place says nothing any more.
        let given = written == Written::Down && state.sets.of_file(file.id).any(|(set, _)| of_kind(set));
        return given.then(|| Association::none(Reason::Input));
    };
    let reason = match &first.origin {
        SetOrigin::Config { file } => Reason::Sets {
            names: found.iter().filter_map(|(set, ..)| set.name.as_deref()).map(str::to_owned).collect(),
            config: state.file(*file).map(|file| state.shown(&file.path)).unwrap_or_default(),
            schema: all_of(&found),
        },
        SetOrigin::Command { command, place, .. } => {
            Reason::Command { command: command.clone(), place: place.clone(), schema: schema.clone() }
        }
        SetOrigin::Flags => Reason::Flags { schema: schema.clone() },
    };
    let mut schemas: Vec<SchemaRef> = Vec::new();
    for schema in found.into_iter().filter_map(|(_, schema, _)| schema) {
        // Many commands share one schema.
        let same = |known: &SchemaRef| Arc::ptr_eq(&known.state, &schema.state) && known.plain == schema.plain;
        if written == Written::Down || !schemas.iter().any(same) {
            schemas.push(schema);
        }
    }
    let mut schemas = schemas.into_iter();
    Some(Association { schema: schemas.next(), others: schemas.collect(), reason })
}

/// The schema files of all sets, each once.
fn all_of(found: &[(&WorkspaceSet, Option<SchemaRef>, Vec<String>)]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in found.iter().flat_map(|(.., names)| names) {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

/// Whether anything in the workspace may give a library more of a schema than its own: templates, or documents
/// that are addressed to it. Then what it does not declare is not known.
fn library_may_be_extended(state: &State) -> bool {
    state.files.iter().any(|file| file.facts.library_schema && file.exists())
}

/// Rule 5 for documents with `#@library/ref`.
fn by_library_ref(state: &State, file: &File) -> Option<Association> {
    let holds = file.holds();
    // ytt looks at these values when it renders, and then its flags say what belongs together.
    let flags = || state.sets.of_file(file.id).any(|(set, _)| set.origin == SetOrigin::Flags);
    if !holds.values || !holds.for_library || flags() {
        return None;
    }
    let (directory, files) = addressed_library(state, file)?;
    let names = files.iter().map(|file| state.shown(&file.path)).collect();
    let incomplete = library_may_be_extended(state);
    let schema = SchemaRef { incomplete, ..schema_ref(state, &files, None, false) };
    let reason = Reason::Addressed { library: state.shown(&directory), schema: names };
    Some(Association { schema: Some(schema), others: Vec::new(), reason })
}

/// Rule 5 for plain values that a set addresses to a library among its inputs (`@library:path`).
fn by_library_values(state: &State, file: &File) -> Option<Association> {
    let sets = state.sets.of_file(file.id).filter(|(_, part)| *part == Part::LibraryValues).map(|(set, _)| set);
    let set = sets.into_iter().find(|set| set.origin != SetOrigin::Flags)?;
    let (_, address) = set.plain_for_libraries.iter().find(|(id, _)| *id == file.id)?;
    let directory = format!("{}/", LibraryRef::read(address).ok()?.directory()?);
    let own = |input: &&InputFile| input.name.strip_prefix(&directory).is_some_and(|rest| !is_private(rest));
    let files = set.inputs.iter().filter(own).filter_map(|input| file_of(state, input));
    let files: Vec<Arc<File>> = files.filter(|file| is_schema_file(file)).cloned().collect();
    if files.is_empty() {
        return None;
    }
    let names = files.iter().map(|file| state.shown(&file.path)).collect();
    let incomplete = library_may_be_extended(state);
    let schema = SchemaRef { incomplete, ..schema_ref(state, &files, None, true) };
    let reason = Reason::Addressed { library: address.clone(), schema: names };
    Some(Association { schema: Some(schema), others: Vec::new(), reason })
}

/// Rule 3.
fn by_setting(state: &State, file: &File) -> Option<Association> {
    let root = state.root_of(&file.path);
    let reach = state.reach_of(&file.path);
    for (setting, pattern) in state.setting_globs.matching(root, &file.path) {
        let Some(path) = setting.path() else { continue };
        let bases = std::iter::once(root).chain(state.roots.iter().map(|root| root.as_path()));
        for base in bases {
            let Ok(files) = schema_at(state, &normalise(base, &path), &reach) else { continue };
            if files.iter().any(|schema| schema.id == file.id) {
                break;
            }
            return Some(Association {
                schema: Some(schema_ref(state, &files, None, !file.holds().values)),
                others: Vec::new(),
                reason: Reason::Setting {
                    setting: setting.setting.as_str(),
                    pattern: pattern.to_owned(),
                    schema: setting.schema.clone(),
                },
            });
        }
    }
    None
}

/// Rules 5 and 6.
fn by_place(state: &State, file: &File) -> Association {
    match NameKind::of_path(&file.path) {
        NameKind::Yaml => {}
        other => return Association::none(Reason::Name(other)),
    }
    let holds = file.holds();
    let because = if holds.values {
        if holds.for_library {
            return Association::none(Reason::OtherLibrary);
        }
        Because::Annotated
    } else if holds.template {
        return Association::none(Reason::Template);
    } else if named_as_values(state.root_of(&file.path), &file.path) {
        if in_helm_chart(state, file) {
            return Association::none(Reason::HelmChart);
        }
        if is_manifest(file) {
            return Association::none(Reason::Manifest);
        }
        Because::Place
    } else if is_manifest_by_text(file) {
        return Association::none(Reason::Manifest);
    } else {
        return Association::none(Reason::NotValues);
    };
    let names = |files: &[Arc<File>]| -> Vec<String> { files.iter().map(|file| state.shown(&file.path)).collect() };
    let plain = because == Because::Place;
    if let Some((directory, library)) = library_of(state, &file.path) {
        let files = schema_files_below(state, &directory);
        let schema = (!files.is_empty()).then(|| schema_ref(state, &files, None, plain));
        let reason = Reason::Library { library, schema: names(&files) };
        return Association { schema, others: Vec::new(), reason };
    }
    match nearest(state, &file.path) {
        Some((directory, files)) if schema_ref(state, &files, None, plain).state.is_accidental() => {
            Association::none(Reason::Several { directory: state.shown(&directory), schema: names(&files) })
        }
        Some((directory, files)) => Association {
            schema: Some(schema_ref(state, &files, None, plain)),
            others: Vec::new(),
            reason: Reason::Nearest { directory: state.shown(&directory), schema: names(&files), because },
        },
        None => Association::none(Reason::NoSchema { because }),
    }
}

/// Whether a `Chart.yaml` stands beside the file or in a directory above it, below the root.
fn in_helm_chart(state: &State, file: &File) -> bool {
    let root = state.root_of(&file.path);
    file.path.ancestors().skip(1).take_while(|directory| directory.starts_with(root)).any(|directory| {
        ["Chart.yaml", "Chart.yml"]
            .iter()
            .any(|name| state.file_at(&directory.join(name)).is_some_and(|chart| chart.exists()))
    })
}

/// Whether the first document has `apiVersion` and `kind` at the top.
fn is_manifest(file: &File) -> bool {
    if !is_manifest_by_text(file) {
        return false;
    }
    let tree = file.tree();
    let Some(map) = tree.documents().find_map(|document| document.root()?.map()) else {
        return false;
    };
    // Manifests name themselves first; a long list of keys is not read to the end.
    let mut left = ["apiVersion", "kind"].to_vec();
    for entry in map.entries().take(50) {
        let key = entry.key().and_then(|key| key.scalar()).map(|key| key.value().into_owned());
        left.retain(|name| key.as_deref() != Some(*name));
    }
    left.is_empty()
}

/// A cheap look at the beginning of the text, which may say yes too often.
fn is_manifest_by_text(file: &File) -> bool {
    let top = file.text().slice(0..4 * 1024);
    let has = |key: &str| top.starts_with(key) || top.contains(&format!("\n{key}"));
    has("apiVersion:") && has("kind:")
}

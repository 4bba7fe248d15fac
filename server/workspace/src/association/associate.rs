//! The six rules that find the schema of a file; the first that applies decides.

use crate::association::bundles;
use crate::association::governed::schema_of;
use crate::association::json_schemas::{lost, named, named_by, with_own};
use crate::association::kind::{FileKind, named_as_values};
use crate::association::mirrors::Mirrors;
use crate::association::naming::{self, NamedBy, Naming, SchemaProblem};
use crate::association::nearest::{addressed_library, is_schema_file, nearest, schema_files_below};
use crate::association::no_data::no_data;
use crate::association::reason::{Association, Because, ModelineProblem, Reason, SchemaRef};
use crate::association::shared::{Nearest, SchemaFiles};
use crate::association::state::AssociationState;
use crate::disk::glob::says_name_of;
use crate::disk::path::normalise;
use crate::disk::{FileType, Reach, ReadProblem};
use crate::evaluation::scope::{file_of, is_private};
use crate::files::claims::Claims;
use crate::files::file::{File, Holds};
use crate::files::libraries::library_of;
use crate::files::modeline::Form;
use crate::files::table::Kept;
use crate::input_sets::sets::{FileRole, SetOrigin, WorkspaceSet};
use crate::inputs::InputFile;
use crate::inputs::NameKind;
use crate::settings::local_path;
use lofting_check::LibraryRef;
use lofting_dialect::{Ownership, Role};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::Arc;

/// The kind of a file. Computed once for each state.
pub(crate) fn kind(state: &AssociationState, file: &File) -> FileKind {
    state.shared.kinds.get(file.id, |_| kind_of(state, file))
}

fn kind_of(state: &AssociationState, file: &File) -> FileKind {
    if file.is_configuration() {
        return FileKind::Configuration;
    }
    let in_set = state.sets.of_file(file.id).map(|(_, part)| part).next();
    let name = match in_set {
        // A file mark can make any file a template (docs/ytt.md 3.2).
        Some(FileRole::Template) => NameKind::Yaml,
        _ => NameKind::of_path(&file.path),
    };
    match name {
        NameKind::YamlLibrary => return FileKind::Library,
        NameKind::Yaml => {}
        // The editor says that it is YAML, or a flag passes it as values.
        _ if file.is_open_as_yaml() || in_set == Some(FileRole::PlainValues) || state.named.contains(&file.id) => {}
        NameKind::Data if is_configured(state, file) => return FileKind::Parts,
        _ => return FileKind::Other,
    }
    let is_no_template = state.sets.is_no_template(file.id);
    let holds = if is_no_template { Holds::default() } else { file.holds() };
    if holds.schema {
        FileKind::Schema
    } else if holds.values {
        FileKind::DataValues
    } else if holds.template {
        FileKind::Template
    } else if in_set == Some(FileRole::PlainValues)
        || may_be_values(state, file) && associate(state, file).schema.is_some()
    {
        FileKind::PlainValues
    } else if has_parts(state, file) {
        FileKind::Parts
    } else {
        FileKind::Other
    }
}

/// Whether a `lofting.toml` or a setting gives the file, whose name does not say that it is YAML, a schema that can be used.
fn is_configured(state: &AssociationState, file: &File) -> bool {
    let is_meant = |pattern: &str| says_name_of(pattern, &file.path);
    state.shared.names_schemas(state)
        && named_by(state, file).is_some_and(|(by, _)| match by {
            NamedBy::Configuration { pattern, .. } | NamedBy::Setting { pattern, .. } => is_meant(&pattern),
            _ => false,
        })
}

/// Whether a schema of ytt may govern the file, or its code may read values that one declares. A quick look at its marks,
/// its path and what names it, which most files of a workspace do not pass: only the others are looked at for questions
/// about all users of a schema.
pub(crate) fn may_use_schema(state: &AssociationState, file: &File) -> bool {
    file.may_have_code() || may_be_values(state, file)
}

/// Whether a schema of ytt may govern the file as a whole. Each of the rules for this needs one of these signs.
fn may_be_values(state: &AssociationState, file: &File) -> bool {
    file.facts.ytt
        || file.facts.modeline
        || state.sets.of_file(file.id).next().is_some()
        || named_as_values(state.root_of(&file.path), &file.path)
        || state.shared.names_schemas(state) && !naming::configured(state, file).is_empty()
}

/// Whether parts of the file belong to languages that check it.
pub(crate) fn has_parts(state: &AssociationState, file: &File) -> bool {
    named_by(state, file).is_some() || with_own(state, file).is_some() || has_claimed_parts(state, file)
}

/// Whether `ytt` gets the file: as values, or as one of the inputs that a `lofting.toml` or a flag names. A command that
/// was found gives ytt whole folders, and says nothing about what else is in them.
pub(crate) fn is_given_to_ytt(state: &AssociationState, file: &File) -> bool {
    state.sets.of_file(file.id).any(|(set, part)| {
        let is_found = matches!(set.origin, SetOrigin::Command { .. });
        matches!(part, FileRole::PlainValues | FileRole::LibraryValues) || !is_found
    })
}

/// Whether languages claim parts of the file, whatever schema it has as a whole.
pub(crate) fn has_claimed_parts(state: &AssociationState, file: &File) -> bool {
    // Most files that use common keys are not even parsed.
    let has_schemas = || state.index.count(Kept::ClaimedSchema) > 0 || bundles::are_named(state);
    if !file.facts.parts && !file.facts.part_schema && !has_schemas() {
        return false;
    }
    if no_data(state, file).is_some() {
        return false;
    }
    let is_ours = |claims: &Claims| {
        claims.dialect.ownership() == Ownership::All
            || claims.roles().iter().any(|role| match &**role {
                Role::Schema(_) | Role::Template => true,
                Role::Instance(name) if bundles::is_told_of(state, file, name) => true,
                role => schema_of(state, file, claims.dialect, role).is_some(),
            })
    };
    file.claims().iter().any(is_ours)
}

/// The schema that governs a file. Computed once for each state, separately for states with and without callable
/// functions.
pub(crate) fn associate(state: &AssociationState, file: &File) -> Arc<Association> {
    let key = (file.id, state.calls_functions());
    state.shared.associations.get(key, |_| Arc::new(first_that_applies(state, file)))
}

fn first_that_applies(state: &AssociationState, file: &File) -> Association {
    if file.is_configuration() {
        return Association::none(Reason::Configuration);
    }
    if file.facts.schema && file.holds().schema {
        return of_schema_file(state, file);
    }
    by_modeline(state, file)
        .or_else(|| by_own_name(state, file))
        .or_else(|| by_library_ref(state, file))
        .or_else(|| by_library_values(state, file))
        .or_else(|| by_sets(state, file, SetSource::Declared))
        .or_else(|| no_data(state, file).map(|why| Association::none(Reason::NoData(why))))
        .or_else(|| by_configured_name(state, file))
        .or_else(|| by_sets(state, file, SetSource::Discovered))
        .or_else(|| Some(by_place(state, file)).filter(|found| found.schema.is_some()))
        .or_else(|| named(state, file).map(|named| named_as(&named.naming, named.schema.as_ref().err())))
        .or_else(|| lost(state, file).map(|(naming, problem)| named_as(&naming, Some(&problem))))
        .unwrap_or_else(|| by_place(state, file))
}

/// No other schema governs a schema file; it is shown with the schema that it is part of.
fn of_schema_file(state: &AssociationState, file: &File) -> Association {
    let sets = by_sets(state, file, SetSource::Declared).filter(|sets| sets.schema.is_some());
    let (schema, others) = match sets.or_else(|| by_sets(state, file, SetSource::Discovered)) {
        Some(Association { schema: Some(schema), others, .. }) => (Some(schema), others),
        _ => (own_schema(state, file), Vec::new()),
    };
    Association { schema, others, reason: Reason::IsSchema }
}

/// The schema that a schema file forms, together with those beside it.
fn own_schema(state: &AssociationState, file: &File) -> Option<SchemaRef> {
    let beside = match library_of(state, &file.path) {
        Some((directory, _)) => Some(schema_files_below(state, &directory)),
        None => nearest(state, &file.path).map(|nearest| nearest.files),
    };
    if let Some(beside) = beside.filter(|beside| beside.contains(file.id)) {
        let together = schema_ref(state, beside, None, false);
        if !together.state.is_accidental() {
            return Some(together);
        }
    }
    let alone = state.file(file.id)?.clone();
    Some(schema_ref(state, SchemaFiles::of(state, [alone]), None, false))
}

pub(crate) fn schema_ref(
    state: &AssociationState,
    source: SchemaFiles,
    set: Option<Arc<str>>,
    plain: bool,
) -> SchemaRef {
    let schema = source.read(state);
    SchemaRef { schema: schema.schema.clone(), set, plain, incomplete: false, state: schema, source }
}

/// Rule 1.
fn by_modeline(state: &AssociationState, file: &File) -> Option<Association> {
    let modeline = file.modeline()?;
    let target = modeline_target(state, file, &modeline.schema);
    match target {
        Ok(files) => Some(Association {
            schema: Some(schema_ref(state, files, None, !file.holds().values)),
            others: Vec::new(),
            reason: Reason::Modeline { schema: modeline.schema.clone() },
        }),
        // The modeline of another server may name something that only that server understands.
        Err(_) if modeline.form == Form::YamlLanguageServer => None,
        Err(problem) => Some(Association::none(Reason::ModelineBroken { schema: modeline.schema.clone(), problem })),
    }
}

fn modeline_target(state: &AssociationState, file: &File, written: &str) -> Result<SchemaFiles, ModelineProblem> {
    let path = local_path(written).ok_or(ModelineProblem::Web)?;
    let beside = file.path.parent().unwrap_or(Path::new("/"));
    let reach = state.reach_of(&file.path);
    let root = state.root_of(&file.path);
    let first = match schema_at(state, &normalise(beside, &path), &reach) {
        Ok(files) => return Ok(files),
        Err(problem) => problem,
    };
    let is_pending = state.pending_schemas.is_of(file.id);
    let nothing = if is_pending { ModelineProblem::Awaited } else { ModelineProblem::NotFound };
    match (schema_at(state, &normalise(root, &path), &reach), first) {
        (Ok(files), _) => Ok(files),
        // What is relative to the file is meant first, so its problem counts, unless nothing is there.
        (Err(ModelineProblem::NotFound | ModelineProblem::OutOfReach), ModelineProblem::NotFound) => Err(nothing),
        (Err(second), ModelineProblem::NotFound) => Err(second),
        (Err(_), first) => Err(first),
    }
}

/// The schema files that a path names: the file itself, or those below the directory.
pub(crate) fn schema_at(state: &AssociationState, path: &Path, reach: &Reach) -> Result<SchemaFiles, ModelineProblem> {
    // A path that leads out of reach is not used, even if its file is known for other reasons.
    if !reach.names(path) {
        return Err(ModelineProblem::OutOfReach);
    }
    if let Some(file) = state.file_at(path).filter(|file| file.exists()) {
        return if file.holds().schema {
            Ok(SchemaFiles::of(state, [file.clone()]))
        } else {
            Err(ModelineProblem::NoSchemaDocument)
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
        Ok(FileType::Directory) => ModelineProblem::Directory,
        Err(ReadProblem::OutOfReach) => ModelineProblem::OutOfReach,
        _ => ModelineProblem::NotFound,
    })
}

/// Which input sets are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SetSource {
    /// Sets in `lofting.toml` and on the command line.
    Declared,
    /// Sets made from commands that were found.
    Discovered,
}

/// Rules 2 and 4, and the inputs of the command line.
fn by_sets(state: &AssociationState, file: &File, source: SetSource) -> Option<Association> {
    let mut found: Vec<(&WorkspaceSet, Option<SchemaRef>)> = Vec::new();
    let of_kind =
        |set: &WorkspaceSet| matches!(set.origin, SetOrigin::Command { .. }) == (source == SetSource::Discovered);
    for (index, set, part) in state.sets.of_file_numbered(file.id).filter(|(_, set, _)| of_kind(set)) {
        let governed = match part {
            FileRole::PlainValues => true,
            FileRole::Template => file.holds().values || file.holds().schema,
            FileRole::LibraryValues | FileRole::Flag | FileRole::Library | FileRole::NoTemplate => false,
        };
        if !governed {
            continue;
        }
        let files = SchemaFiles::of_set(state, index);
        // A command that was found is only a hint; without a schema it decides nothing.
        if files.is_empty() && source == SetSource::Discovered {
            continue;
        }
        let schema = (!files.is_empty()).then(|| SchemaRef {
            incomplete: matches!(set.origin, SetOrigin::Command { incomplete: true, .. }),
            ..schema_ref(state, files, set.name.clone(), part == FileRole::PlainValues)
        });
        found.push((set, schema));
    }
    let is_whole = |schema: &Option<SchemaRef>| schema.as_ref().is_some_and(|schema| !schema.incomplete);
    if found.iter().any(|(_, schema)| is_whole(schema)) {
        found.retain(|(_, schema)| is_whole(schema));
    }
    let Some((first, schema)) = found.first() else {
        let parts = || state.sets.of_file(file.id).filter(|(set, _)| of_kind(set)).map(|(_, part)| part);
        if source == SetSource::Declared
            && parts().next().is_some()
            && parts().all(|part| part == FileRole::LibraryValues)
        {
            return Some(Association::none(Reason::OtherLibrary));
        }
        // ytt gets the file as a template, so its directory no longer matters.
        let given = source == SetSource::Declared && state.sets.of_file(file.id).any(|(set, _)| of_kind(set));
        return given.then(|| Association::none(Reason::Input));
    };
    let schema = || schema.as_ref().map_or_else(|| Arc::from([]), |schema| schema.source.names(state));
    let reason = match &first.origin {
        SetOrigin::Config { file } => Reason::Sets {
            names: found.iter().filter_map(|(set, ..)| set.name.as_deref()).map(str::to_owned).collect(),
            config: state.file(*file).map(|file| state.shown(&file.path)).unwrap_or_default(),
            file: *file,
            schema: all_of(state, found.iter().filter_map(|(_, schema)| schema.as_ref())),
        },
        SetOrigin::Command { command, place, .. } => {
            Reason::Command { command: command.clone(), place: place.clone(), schema: schema() }
        }
        SetOrigin::Flags => Reason::Flags { schema: schema() },
    };
    let mut schemas: Vec<SchemaRef> = Vec::new();
    for schema in found.into_iter().filter_map(|(_, schema)| schema) {
        // Many commands share one schema.
        let same = |known: &SchemaRef| Arc::ptr_eq(&known.state, &schema.state) && known.plain == schema.plain;
        if source == SetSource::Declared || !schemas.iter().any(same) {
            schemas.push(schema);
        }
    }
    let mut schemas = schemas.into_iter();
    Some(Association { schema: schemas.next(), others: schemas.collect(), reason })
}

/// The schema files of all sets, each once.
fn all_of<'s>(state: &AssociationState, schemas: impl Iterator<Item = &'s SchemaRef>) -> Arc<[String]> {
    let mut sources: Vec<&SchemaFiles> = Vec::new();
    for schema in schemas {
        if !sources.iter().any(|known| known.is(&schema.source)) {
            sources.push(&schema.source);
        }
    }
    match sources.as_slice() {
        [] => Arc::from([]),
        [one] => one.names(state),
        several => {
            let mut seen = FxHashSet::default();
            let names: Vec<Arc<[String]>> = several.iter().map(|source| source.names(state)).collect();
            names.iter().flat_map(|names| &**names).filter(|name| seen.insert(*name)).cloned().collect()
        }
    }
}

/// Whether anything in the workspace may add to the schema of a library: templates, or documents for the library. Then
/// undeclared keys are unknown, not wrong.
fn library_may_be_extended(state: &AssociationState) -> bool {
    state.index.count(Kept::LibrarySchema) > 0
}

/// Rule 5 for documents with `#@library/ref`.
fn by_library_ref(state: &AssociationState, file: &File) -> Option<Association> {
    let holds = file.holds();
    // ytt reads these values when it renders, and then its flags say which files belong together.
    let flags = || state.sets.of_file(file.id).any(|(set, _)| set.origin == SetOrigin::Flags);
    if !holds.values || !holds.for_library || flags() {
        return None;
    }
    let (directory, files) = addressed_library(state, file)?;
    let names = files.names(state);
    let incomplete = library_may_be_extended(state);
    let schema = SchemaRef { incomplete, ..schema_ref(state, files, None, false) };
    let reason = Reason::Addressed { library: state.shown(&directory), schema: names };
    Some(Association { schema: Some(schema), others: Vec::new(), reason })
}

/// Rule 5 for plain values that a set passes to a library among its inputs (`@library:path`).
fn by_library_values(state: &AssociationState, file: &File) -> Option<Association> {
    let sets = state.sets.of_file(file.id).filter(|(_, part)| *part == FileRole::LibraryValues).map(|(set, _)| set);
    let set = sets.into_iter().find(|set| set.origin != SetOrigin::Flags)?;
    let (_, address) = set.plain_for_libraries.iter().find(|(id, _)| *id == file.id)?;
    let directory = format!("{}/", LibraryRef::read(address).ok()?.directory()?);
    let own = |input: &&InputFile| input.name.strip_prefix(&directory).is_some_and(|rest| !is_private(rest));
    let files = set.inputs.iter().filter(own).filter_map(|input| file_of(state, input));
    let files = SchemaFiles::of(state, files.filter(|file| is_schema_file(file)).cloned());
    if files.is_empty() {
        return None;
    }
    let names = files.names(state);
    let incomplete = library_may_be_extended(state);
    let schema = SchemaRef { incomplete, ..schema_ref(state, files, None, true) };
    let reason = Reason::Addressed { library: address.clone(), schema: names };
    Some(Association { schema: Some(schema), others: Vec::new(), reason })
}

/// Rule 1 for JSON Schemas: the file itself names one. It governs whole documents, as parts.
fn by_own_name(state: &AssociationState, file: &File) -> Option<Association> {
    let named = named(state, file).filter(|named| named.naming.by.is_in_file())?;
    named.schema.is_ok().then(|| named_as(&named.naming, None))
}

fn named_as(naming: &Naming, problem: Option<&SchemaProblem>) -> Association {
    let problem = problem.map(ToString::to_string);
    Association::none(Reason::Named { by: naming.by.clone(), schema: naming.schema.clone(), problem })
}

/// Rule 3.
fn by_configured_name(state: &AssociationState, file: &File) -> Option<Association> {
    let named = named(state, file).filter(|named| !named.naming.is_by_file_name());
    if let Some(named) = named.filter(|named| named.schema.is_ok() || !named.naming.by.is_in_file()) {
        return Some(named_as(&named.naming, named.schema.as_ref().err()));
    }
    let mirrors = Mirrors::of(state, &file.path);
    for naming in naming::configured(state, file) {
        for (path, reach) in naming.candidates(&mirrors) {
            let Ok(files) = schema_at(state, &path, &reach) else { continue };
            if files.contains(file.id) {
                break;
            }
            return Some(Association {
                schema: Some(schema_ref(state, files, None, !file.holds().values)),
                ..named_as(&naming, None)
            });
        }
    }
    None
}

/// Rules 5 and 6.
fn by_place(state: &AssociationState, file: &File) -> Association {
    match NameKind::of_path(&file.path) {
        NameKind::Yaml => {}
        other => return Association::none(Reason::Name(other)),
    }
    if has_parts(state, file) {
        return Association::none(Reason::Parts);
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
    let plain = because == Because::Place;
    if let Some((directory, library)) = library_of(state, &file.path) {
        let files = schema_files_below(state, &directory);
        let reason = Reason::Library { library, schema: files.names(state) };
        let schema = (!files.is_empty()).then(|| schema_ref(state, files, None, plain));
        return Association { schema, others: Vec::new(), reason };
    }
    let Some(Nearest { directory, files }) = nearest(state, &file.path) else {
        return Association::none(Reason::NoSchema { because });
    };
    let (directory, names) = (state.shown(&directory), files.names(state));
    let schema = schema_ref(state, files, None, plain);
    if schema.state.is_accidental() {
        return Association::none(Reason::Several { directory, schema: names });
    }
    let reason = Reason::Nearest { directory, schema: names, because };
    Association { schema: Some(schema), others: Vec::new(), reason }
}

/// Whether there is a `Chart.yaml` beside the file or in a directory above it, below the root.
fn in_helm_chart(state: &AssociationState, file: &File) -> bool {
    let look = |directory: &Path| {
        let is_there = |name| state.file_at(&directory.join(name)).is_some_and(|chart| chart.exists());
        ["Chart.yaml", "Chart.yml"].into_iter().any(is_there).then_some(true)
    };
    let directory = file.path.parent();
    directory.is_some_and(|directory| state.shared.charts.going_up(directory, state.root_of(&file.path), false, look))
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

/// A quick look at the beginning of the text, which may return true too often.
fn is_manifest_by_text(file: &File) -> bool {
    let top = file.text().slice(0..4 * 1024);
    let has = |key: &str| top.starts_with(key) || top.contains(&format!("\n{key}"));
    has("apiVersion:") && has("kind:")
}

//! Chooses the schema or the input set of a file: what there is to choose from, and the change that writes a choice down.

use crate::answers::Refusal;
use crate::code_actions::{Abilities, Change};
use lofting_document::{FileId, Span};
use lofting_text::{Breaks, visible};
use lofting_workspace::config::{self, ListKey};
use lofting_workspace::{CancelFlag, ChosenSchema, FileKind, FoundIn, Snapshot, WrittenIn, modeline, relative};
use std::path::Path;

#[cfg(test)]
mod tests;

/// How much of a text is read for its modeline, in bytes: they are at the top.
const TOP: usize = 16 * 1024;

/// What could govern a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChoices {
    /// Why the file has the schema that it has, or none, in a sentence or two.
    pub reason: String,
    /// What is in force first. Empty for a file that no schema governs in any way.
    pub choices: Vec<SchemaChoice>,
}

/// Something that could.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaChoice {
    /// The schema or set.
    pub chosen: ChosenSchema,
    /// Its name.
    pub name: String,
    /// What it is and where it comes from, in a few words.
    pub about: String,
    /// Whether it governs the file now.
    pub is_in_force: bool,
    /// Where it can be written, the most usual first. Never empty.
    pub written_in: Vec<WrittenIn>,
}

/// What could govern `file`; None for a file that the workspace does not know. Looks for JSON Schemas on disk.
pub fn schema_choices(
    snapshot: &Snapshot,
    file: FileId,
    abilities: Abilities,
    cancel: &CancelFlag,
) -> Option<SchemaChoices> {
    let found = snapshot.schema_choices(file, cancel)?;
    let can_configure = abilities.creates_files || snapshot.configuration_of(file).is_some();
    let choices = found.choices.into_iter().map(|choice| SchemaChoice {
        about: about(&choice.chosen, &choice.found_in),
        name: visible(&choice.name, Breaks::Shown).into_owned(),
        written_in: choice
            .written_in
            .into_iter()
            .filter(|place| *place == WrittenIn::Modeline || can_configure)
            .collect(),
        chosen: choice.chosen,
        is_in_force: choice.is_in_force,
    });
    Some(SchemaChoices {
        reason: visible(&found.reason.to_string(), Breaks::Shown).into_owned(),
        choices: choices.filter(|choice| !choice.written_in.is_empty()).collect(),
    })
}

fn about(chosen: &ChosenSchema, found_in: &FoundIn) -> String {
    let kind = match chosen {
        ChosenSchema::Ytt(_) => "ytt schema",
        ChosenSchema::Json { .. } | ChosenSchema::Web(_) => "JSON Schema",
        ChosenSchema::Set { .. } => "input set",
        ChosenSchema::None => return "no schema: a comment at the top of the file says so".to_owned(),
    };
    match found_in {
        FoundIn::Sets(config) => format!("{kind} of {}", visible(config, Breaks::Shown)),
        FoundIn::File(named_in) => format!("{kind}, named in {}", visible(named_in, Breaks::Shown)),
        FoundIn::Setting(setting) => format!("{kind}, named by the setting {setting}"),
        FoundIn::Catalogue => format!("{kind} of the catalogue"),
        FoundIn::Workspace | FoundIn::Everywhere => kind.to_owned(),
    }
}

/// The change that makes `chosen` govern `file`, or why it cannot be written there. In the texts nothing else changes.
pub fn choose_schema(
    snapshot: &Snapshot,
    file: FileId,
    chosen: &ChosenSchema,
    written_in: WrittenIn,
    abilities: Abilities,
) -> Result<Change, Refusal> {
    let change = match (chosen, written_in) {
        (ChosenSchema::Set { config, name }, _) => in_set(snapshot, file, *config, name),
        (_, WrittenIn::Modeline) => as_modeline(snapshot, file, chosen),
        (_, WrittenIn::Configuration) => in_configuration(snapshot, file, chosen, abilities),
    };
    change.ok_or_else(|| {
        let why = match (chosen, written_in) {
            (ChosenSchema::Set { .. }, _) | (_, WrittenIn::Configuration) => {
                "`lofting.toml` has a mistake, is written in a form that cannot be changed automatically, or cannot name \
                 this file"
            }
            (_, WrittenIn::Modeline) => "a comment cannot name a path that contains blanks",
        };
        Refusal(why.to_owned())
    })
}

/// The name of a schema in a text of a folder.
fn named_from(folder: &Path, chosen: &ChosenSchema) -> Option<String> {
    match chosen {
        ChosenSchema::Ytt(path) => relative(folder, path),
        ChosenSchema::Json { path, fragment } => {
            let path = relative(folder, path)?;
            Some(if fragment.is_empty() { path } else { format!("{path}#{fragment}") })
        }
        ChosenSchema::Web(url) => Some(url.clone()),
        ChosenSchema::None => Some(modeline::NONE.to_owned()),
        ChosenSchema::Set { .. } => None,
    }
}

fn as_modeline(snapshot: &Snapshot, file: FileId, chosen: &ChosenSchema) -> Option<Change> {
    let form = match chosen {
        ChosenSchema::Ytt(_) => modeline::Form::Lofting,
        _ => modeline::Form::YamlLanguageServer,
    };
    let top = snapshot.text(file).slice(0..TOP).into_owned();
    let schema = named_from(snapshot.path(file).parent()?, chosen)?;
    let (range, text) = modeline::naming(&top, form, &schema)?;
    Some(Change::replace(Span::new(file, range), text))
}

/// A choice that is written elsewhere only counts if the file names no schema itself.
fn without_modelines(snapshot: &Snapshot, file: FileId) -> Vec<(Span, String)> {
    let top = snapshot.text(file).slice(0..TOP).into_owned();
    modeline::lines(&top).into_iter().map(|line| (Span::new(file, line), String::new())).collect()
}

fn in_configuration(snapshot: &Snapshot, file: FileId, chosen: &ChosenSchema, abilities: Abilities) -> Option<Change> {
    let path = snapshot.path(file);
    let mut change = Change::of(without_modelines(snapshot, file));
    match snapshot.configuration_of(file) {
        Some(known) => {
            let folder = snapshot.path(known).parent()?;
            let before = snapshot.text(known).to_string();
            let after = config::with_schema(&before, folder, path, &named_from(folder, chosen)?)?;
            change.edits.extend(edits_between(known, &before, &after));
        }
        None if abilities.creates_files => {
            let folder = snapshot.folder_of(file);
            let text = config::with_schema("", folder, path, &named_from(folder, chosen)?)?;
            change.new_files.push((folder.join(config::FILE_NAME), text));
        }
        None => return None,
    }
    Some(change)
}

fn in_set(snapshot: &Snapshot, file: FileId, config: FileId, name: &str) -> Option<Change> {
    let folder = snapshot.path(config).parent()?;
    let list = match snapshot.kind(file) {
        FileKind::Schema | FileKind::DataValues | FileKind::Template | FileKind::Library => ListKey::Files,
        FileKind::PlainValues | FileKind::Parts | FileKind::Configuration | FileKind::Other => ListKey::Values,
    };
    let before = snapshot.text(config).to_string();
    let after = config::with_file_in_set(&before, folder, snapshot.path(file), name, list)?;
    let mut edits = without_modelines(snapshot, file);
    edits.extend(edits_between(config, &before, &after));
    Some(Change::of(edits))
}

/// The change that writes down the input set which `file` is assumed to belong to, or why there is none to write.
pub fn describe_input_set(snapshot: &Snapshot, file: FileId, abilities: Abilities) -> Result<Change, Refusal> {
    let refuse = |why: &str| Err(Refusal(why.to_owned()));
    if !snapshot.output_calls(file).is_empty() {
        return refuse("the file already belongs to an input set");
    }
    let Some((_, assumed)) = snapshot.with_assumed_set(file) else {
        return refuse("the file holds nothing that ytt evaluates, or too many files would belong to its set");
    };
    let known = snapshot.configuration_of(file);
    let before = known.map(|known| snapshot.text(known).to_string()).unwrap_or_default();
    let Some((after, _)) = config::with_set(&before, &assumed.name, &assumed.files, &assumed.values) else {
        return refuse("`lofting.toml` has a mistake, or is written in a form that cannot be changed automatically");
    };
    match known {
        Some(known) => Ok(Change::of(edits_between(known, &before, &after))),
        None if abilities.creates_files => {
            let mut change = Change::default();
            change.new_files.push((assumed.folder.join(config::FILE_NAME), after));
            Ok(change)
        }
        None => refuse("there is no `lofting.toml`, and the editor cannot create files"),
    }
}

fn edits_between(file: FileId, before: &str, after: &str) -> Vec<(Span, String)> {
    if before == after { Vec::new() } else { Change::between(file, before, after).edits }
}

//! What the calls of input sets render differently from an earlier state of the same files.

use crate::command_line::report::CheckReport;
use crate::evaluation::Need;
use crate::input_sets::sets::{SetOrigin, WorkspaceSet};
use crate::inputs::{DataValue, InputFile, Source};
use crate::render::{Output, OutputCall, RenderedContent, RenderedFile, calls_of_set, files_of, output};
use crate::running::with_code;
use crate::state::State;
use crate::threads::threads;
use lofting_check::{Diagnostic, Severity};
use lofting_document::{FileId, write};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A call of an input set that renders something different from before.
#[derive(Debug)]
pub struct OtherOutput {
    /// The title of the call.
    pub title: String,
    /// The files given to it whose text has changed, or that only one of the states has; in order.
    pub changed: Vec<PathBuf>,
    /// What it was.
    pub before: Rendition,
    /// What it is.
    pub now: Rendition,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendition {
    /// There is no such call.
    Missing,
    /// The files by their paths inside ytt, each as `ytt` writes it.
    Files(Vec<(String, String)>),
    /// The call stops with these errors.
    Failed(Vec<Diagnostic>),
    /// No error is known, and it cannot be rendered here.
    Unknown(&'static str),
}

impl Rendition {
    fn of(output: Output) -> Rendition {
        let Output { files, findings, not_rendered } = output;
        match (files, not_rendered) {
            (Some(files), _) => Rendition::Files(files.iter().map(|file| (file.name.clone(), text(file))).collect()),
            (None, Some(why)) => Rendition::Unknown(why),
            (None, None) if findings.iter().any(|finding| finding.severity == Severity::Error) => {
                Rendition::Failed(findings)
            }
            (None, None) => Rendition::Unknown("some code could not be evaluated"),
        }
    }

    /// Whether there is nothing to tell a user: a set that failed and still fails is not compared.
    fn is_as(&self, other: &Rendition) -> bool {
        match (self, other) {
            (Rendition::Failed(_), Rendition::Failed(_)) | (Rendition::Unknown(_), Rendition::Unknown(_)) => true,
            _ => self == other,
        }
    }
}

/// A file as `ytt` writes it.
fn text(file: &RenderedFile) -> String {
    let RenderedContent::Documents(documents) = &file.content else {
        let RenderedContent::Text(text) = &file.content else { return String::new() };
        return text.clone();
    };
    let texts: Vec<String> = documents.iter().map(|document| write::yaml_document(&document.value)).collect();
    texts.join("---\n")
}

/// What makes two calls of two states the same: where the set is defined, its name or its command, the values file, and
/// how many like it come before.
type Identity<'s> = (&'s Path, &'s str, Option<&'s Path>, usize);

/// The calls of a state, as far as they were asked for.
struct Calls<'s> {
    state: &'s State,
    list: Vec<(Identity<'s>, OutputCall)>,
}

impl<'s> Calls<'s> {
    fn of(state: &'s State) -> Calls<'s> {
        let mut seen: FxHashMap<(&Path, &str, Option<&Path>), usize> = FxHashMap::default();
        let mut list = Vec::new();
        for (index, set) in state.sets.sets.iter().enumerate() {
            let (place, name) = match &set.origin {
                SetOrigin::Config { file } => (state.file(*file).map(|file| &*file.path), set.title()),
                // Lines above a command do not make it another one.
                SetOrigin::Command { command, place, .. } => {
                    (Some(Path::new(place.rsplit_once(':').map_or(place.as_str(), |(file, _)| file))), command.as_str())
                }
                SetOrigin::Flags => (None, set.title()),
            };
            for call in calls_of_set(state, index, set, None) {
                let values = call.alternative.and_then(|file| state.file(file)).map(|file| &*file.path);
                let alike = (place.unwrap_or(Path::new("")), name, values);
                let before = seen.entry(alike).or_default();
                list.push(((alike.0, alike.1, alike.2, *before), call));
                *before += 1;
            }
        }
        Calls { state, list }
    }

    fn set_of(&self, call: &OutputCall) -> Option<&'s WorkspaceSet> {
        self.state.sets.sets.get(call.set)
    }

    /// The paths of the files that are given to a call.
    fn paths(&self, call: &OutputCall) -> impl Iterator<Item = &'s Path> {
        let set = self.set_of(call);
        let inputs = set.into_iter().flat_map(|set| set.inputs.iter()).filter_map(|input| match &input.source {
            Source::Path(path) => Some(path.as_path()),
            Source::Text(_) => None,
        });
        let state = self.state;
        let ids =
            set.into_iter().flat_map(|set| set.plain.iter().chain(set.plain_for_libraries.iter().map(|(id, _)| id)));
        let ids = ids.copied().chain(call.alternative);
        inputs.chain(ids.filter_map(|id| state.file(id)).map(|file| &*file.path))
    }

    /// What it says besides the texts of its files.
    fn definition(&self, call: &OutputCall) -> Option<Described<'s>> {
        let set = self.set_of(call)?;
        let path = |id: &FileId| self.state.file(*id).map(|file| &*file.path);
        Some(Described {
            templates: set.templates.iter().map(path).collect(),
            plain: set.plain.iter().map(path).collect(),
            for_libraries: set.plain_for_libraries.iter().map(|(id, address)| (path(id), address.as_str())).collect(),
            flags: set.flags.iter().map(|flag| &flag.value).collect(),
            inputs: &set.inputs,
            others: (set.options, set.not_rendered()),
        })
    }

    /// A later state, in which the code of the schemas and values of these calls has run.
    fn ready(&self, calls: &[&OutputCall]) -> Arc<State> {
        let state = Arc::new(self.state.clone());
        let Some(runner) = &self.state.runner else { return state };
        let sets: FxHashSet<usize> = calls.iter().map(|call| call.set).collect();
        let sets = sets.into_iter().filter_map(|index| self.state.sets.sets.get(index));
        let needed: FxHashSet<FileId> = sets.flat_map(|set| files_of(self.state, set)).collect();
        let mut needed: Vec<FileId> = needed.into_iter().collect();
        needed.sort_unstable();
        with_code(&state, &needed, Need::Values, runner, threads(), &mut |_| ())
    }
}

/// What a set says besides the texts of its files.
#[derive(PartialEq)]
struct Described<'s> {
    templates: Vec<Option<&'s Path>>,
    plain: Vec<Option<&'s Path>>,
    for_libraries: Vec<(Option<&'s Path>, &'s str)>,
    flags: Vec<&'s DataValue>,
    inputs: &'s [InputFile],
    others: (crate::inputs::InputOptions, Option<&'static str>),
}

/// Which files have other texts in two states.
struct Texts<'s> {
    new: &'s State,
    old: &'s State,
    known: FxHashMap<PathBuf, bool>,
}

impl Texts<'_> {
    fn differ(&mut self, path: &Path, new: Option<&WorkspaceSet>, old: Option<&WorkspaceSet>) -> bool {
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        // What ytt does not evaluate may be unknown here, and can still be read by code.
        let text = |state: &State, set: Option<&WorkspaceSet>| match state.file_at(path).filter(|file| file.exists()) {
            Some(file) if file.problem().is_none() => Some(String::from(file.text())),
            _ => set.and_then(|set| set.reach.text(path).ok()),
        };
        let differ = text(self.new, new) != text(self.old, old);
        self.known.insert(path.to_owned(), differ);
        differ
    }
}

/// Looks at all calls for which `is_asked` is true, by title and files, and hands over those whose output differs; the
/// calls that are no longer there come last. Calls whose inputs are all as they were are not rendered.
///
/// Both reports are those of checks with [`crate::Outside::all_inputs`]; `None` if there was nothing before.
pub fn other_outputs(
    new: &CheckReport,
    old: Option<&CheckReport>,
    is_asked: &dyn Fn(&str, &mut dyn Iterator<Item = &Path>) -> bool,
    take: &mut dyn FnMut(OtherOutput),
) {
    let nothing = State::new(Vec::new(), crate::settings::Settings::default());
    let (new, old) = (Calls::of(&new.snapshot.state), Calls::of(old.map_or(&nothing, |old| &old.snapshot.state)));
    let of_old: FxHashMap<&Identity<'_>, &OutputCall> = old.list.iter().map(|(id, call)| (id, call)).collect();
    let of_new: FxHashSet<&Identity<'_>> = new.list.iter().map(|(id, _)| id).collect();
    let pairs = new.list.iter().map(|(id, call)| (Some(call), of_old.get(id).copied()));
    let gone = old.list.iter().filter(|(id, _)| !of_new.contains(id)).map(|(_, call)| (None, Some(call)));
    let mut texts = Texts { new: new.state, old: old.state, known: FxHashMap::default() };
    let mut found: Vec<(Option<&OutputCall>, Option<&OutputCall>, Vec<PathBuf>)> = Vec::new();
    for (now, before) in pairs.chain(gone) {
        let mut paths: Vec<&Path> = now
            .into_iter()
            .flat_map(|call| new.paths(call))
            .chain(before.into_iter().flat_map(|call| old.paths(call)))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        let title = now.or(before).map_or("", |call| &call.title);
        if !is_asked(title, &mut paths.iter().copied()) {
            continue;
        }
        let sets = (now.and_then(|call| new.set_of(call)), before.and_then(|call| old.set_of(call)));
        let mut changed: Vec<PathBuf> =
            paths.into_iter().filter(|path| texts.differ(path, sets.0, sets.1)).map(Path::to_owned).collect();
        let definitions = (now.and_then(|call| new.definition(call)), before.and_then(|call| old.definition(call)));
        if definitions.0 != definitions.1 {
            let config = |calls: &Calls<'_>, set: &WorkspaceSet| match set.origin {
                SetOrigin::Config { file } => calls.state.file(file).map(|file| file.path.to_path_buf()),
                _ => None,
            };
            let place = sets.0.and_then(|set| config(&new, set)).or_else(|| sets.1.and_then(|set| config(&old, set)));
            changed.extend(place.filter(|place| texts.differ(place, sets.0, sets.1)));
        } else if changed.is_empty() {
            continue;
        }
        found.push((now, before, changed));
    }
    let (now, before): (Vec<&OutputCall>, Vec<&OutputCall>) = (
        found.iter().filter_map(|(now, ..)| *now).collect(),
        found.iter().filter_map(|(_, before, _)| *before).collect(),
    );
    let (new_state, old_state) = (new.ready(&now), old.ready(&before));
    for (now, before, changed) in found {
        let title = now.or(before).map_or_else(String::new, |call| call.title.clone());
        let rendition = |state: &State, call: Option<&OutputCall>| {
            call.map_or(Rendition::Missing, |call| Rendition::of(output(state, call)))
        };
        let (before, now) = (rendition(&old_state, before), rendition(&new_state, now));
        if !before.is_as(&now) {
            take(OtherOutput { title, changed, before, now });
        }
    }
}

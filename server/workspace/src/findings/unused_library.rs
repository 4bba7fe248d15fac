//! Private libraries that no code gets.
//!
//! What each file with code gets is remembered as long as its text is the same, and put together once for each state.

use crate::files::file::File;
use crate::files::libraries::library_of;
use crate::files::scan::is_code;
use crate::findings::levels;
use crate::findings::state::CheckState;
use crate::findings::unused_keys::with_text;
use lofting_check::{Diagnostic, rules::UNUSED_LIBRARY, unused_library as finding};
use lofting_document::Span;
use lofting_eval::code::{Code, TermKind};
use lofting_memo::{Stamp, Weigh};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::sync::Arc;

/// What `library.get` is given in a file; None if its text does not tell.
pub(crate) struct LibrariesOfFile(Option<Vec<SmolStr>>);

impl Weigh for LibrariesOfFile {
    fn weight(&self) -> usize {
        self.0.as_ref().map_or(0, |names| size_of_val(names.as_slice()))
    }
}

/// The names of all libraries that code gets.
#[derive(Default)]
pub(crate) struct LibrariesUsed {
    /// None if some code does not tell.
    names: Option<FxHashSet<SmolStr>>,
    /// Stays the same as long as these are the same.
    stamp: Stamp,
}

impl Weigh for LibrariesUsed {
    fn weight(&self) -> usize {
        size_of::<LibrariesUsed>() + self.names.as_ref().map_or(0, |names| names.len() * size_of::<SmolStr>())
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.stamp)
    }
}

/// What findings about a library in a file depend on, if it has a place for them and the rule is on.
pub(crate) fn stamp(state: &CheckState, file: &File) -> Option<Stamp> {
    name_reported_in(state, file).map(|_| used(state).stamp)
}

/// The finding that a library is unused, in the first of its files.
pub(crate) fn unused_library(state: &CheckState, file: &File) -> Option<Diagnostic> {
    let name = name_reported_in(state, file)?;
    let used = used(state);
    let is_unused = used.names.as_ref().is_some_and(|names| !names.contains(name.as_str()));
    is_unused.then(|| finding(Span::new(file.id, file.text().line_range(0)), &name))
}

/// The name of the library in which this file is the first one with a schema or code.
fn name_reported_in(state: &CheckState, file: &File) -> Option<String> {
    if !*state.seen_all || !levels::is_chosen(state, file, &UNUSED_LIBRARY) {
        return None;
    }
    let (directory, name) = library_of(state, &file.path)?;
    let files = state.index.in_directory(&directory)?.iter().filter_map(|id| state.file(*id));
    // The purpose of plain YAML is unknown.
    let files = files.filter(|file| file.facts.schema || file.facts.code);
    let is_first = files.map(|file| &file.path).min() == Some(&file.path);
    // A library that is given to `ytt` directly needs no code that gets it.
    let is_given = state.sets.of_file(file.id).next().is_some();
    (is_first && !is_given).then_some(name)
}

fn used(state: &CheckState) -> Arc<LibrariesUsed> {
    state.check_shared.libraries_used(state)
}

/// The libraries that the code of a state gets; it asks all files with code.
pub(crate) fn of_state(state: &CheckState) -> Arc<LibrariesUsed> {
    let files: Vec<&Arc<File>> = state.files.iter().filter(|file| file.exists() && file.may_have_code()).collect();
    let inputs = state.inputs(files.iter().map(|file| file.revision));
    state.check_memos.libraries_used.get((), &inputs, || {
        let last = state.check_memos.libraries_used.newest(&());
        let mut names = Some(FxHashSet::default());
        for file in &files {
            match (&mut names, &of_file(state, file).0) {
                (Some(names), Some(own)) => names.extend(own.iter().cloned()),
                _ => names = None,
            }
        }
        let same = last.filter(|last| last.names == names);
        LibrariesUsed { names, stamp: same.map_or_else(Stamp::next, |last| last.stamp) }
    })
}

fn of_file(state: &CheckState, file: &File) -> Arc<LibrariesOfFile> {
    state.check_memos.libraries_of_file.get(file.id, &state.inputs([file.revision]).passing(file.is_open()), || {
        LibrariesOfFile(with_text(file, |file| {
            let is_hidden = !is_code(&file.path) && file.tree().root().has_errors();
            let is_read = !is_hidden && file.problem().is_none();
            is_read.then(|| names_in(file.code())).flatten()
        }))
    })
}

/// The texts in code that can get libraries; None if something else may be the name of one. Only what loads
/// `@ytt:library` gets any, and hands it on.
fn names_in(code: &Code) -> Option<Vec<SmolStr>> {
    if !code.loads.iter().any(|load| load.module == "@ytt:library") {
        return Some(Vec::new());
    }
    let text = |id| match code.term(id).map(|term| &term.kind) {
        Some(TermKind::String { value, .. }) => Some(SmolStr::from(value.as_str())),
        _ => None,
    };
    let is_get = |id| match code.term(id).map(|term| &term.kind) {
        Some(TermKind::Attribute { name, .. }) => name == "get",
        _ => false,
    };
    let mut names = Vec::new();
    for term in &code.terms {
        match &term.kind {
            TermKind::String { value, .. } => names.push(SmolStr::from(value.as_str())),
            TermKind::Call { function, arguments, .. } if is_get(*function) => {
                // Maps have a function of this name, too; of these nothing is known either.
                arguments.first().filter(|argument| !argument.starred).and_then(|argument| text(argument.value))?;
            }
            _ => {}
        }
    }
    Some(names)
}

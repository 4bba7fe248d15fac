//! One library of a set, the root or a private one, with everything addressed to it and to libraries inside it.

use super::Render;
use crate::evaluation::scope::{file_of, is_private};
use crate::files::file::File;
use crate::findings::calls::plain_documents;
use crate::input_sets::flags;
use crate::inputs::{InputFile, InputOptions, Role};
use crate::state::State;
use lofting_check::LibraryRef;
use lofting_check::library_ref;
use lofting_document::{Document, DocumentSet, Options, Span};
use lofting_eval::LibraryOptions;
use lofting_overlay::Mode;
use std::sync::Arc;

/// One library.
pub(crate) struct Level<'s> {
    /// Its directory inside ytt, empty for the root or ending in a slash.
    pub directory: String,
    /// Its files with their inputs, in ytt's order.
    pub files: Vec<(&'s InputFile, Arc<File>)>,
    /// How its files are read.
    pub options: InputOptions,
    /// What others address to it, in ytt's order.
    pub to_it: Vec<Addressed>,
    /// What is addressed to libraries inside it, by itself and by others.
    pub into_it: Vec<Addressed>,
}

/// Schema or values that are addressed to a library.
#[derive(Clone)]
pub(crate) struct Addressed {
    /// Its target, relative to the library that addresses it.
    to: LibraryRef,
    pub kind: AddressedKind,
    pub document: Document,
    /// It comes after the values that templates give to the library: `after_library_module=True`.
    pub late: bool,
    /// The span to report, which is the address as written.
    pub place: Span,
    /// The address, as the text says it.
    pub address: String,
}

/// What is addressed to a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressedKind {
    Schema,
    Values(Mode),
}

impl<'s> Level<'s> {
    /// A library to which nothing is addressed from outside: while schema and values are evaluated, it is not known
    /// what they address to libraries.
    pub fn unaddressed(render: &Render<'s>, directory: &str) -> Level<'s> {
        let inside = |input: &&InputFile| input.name.strip_prefix(directory).is_some_and(|rest| !is_private(rest));
        let files = render.set.inputs.iter().filter(inside);
        let files = files.filter_map(|input| Some((input, file_of(render.state, input)?.clone())));
        Level {
            directory: directory.to_owned(),
            files: files.collect(),
            options: render.set.options,
            to_it: Vec::new(),
            into_it: Vec::new(),
        }
    }

    /// The root library with everything that its files, plain files and flags address to libraries.
    pub fn root(render: &Render<'s>) -> Level<'s> {
        let mut level = Level::unaddressed(render, "");
        level.into_it = level.addressed(render.state);
        for (file, library) in &render.set.plain_for_libraries {
            let Some(file) = render.state.file(*file) else { continue };
            let Ok(to) = LibraryRef::read(library) else { continue };
            level.into_it.extend(plain_documents(render.state, file).map(|document| Addressed {
                to: to.clone(),
                kind: AddressedKind::Values(Mode::Plain),
                place: document.marker.unwrap_or(Span::new(file.id, 0..0)),
                document: document.clone(),
                late: false,
                address: library.clone(),
            }));
        }
        for flag in &render.set.flags {
            let Some(library) = &flag.value.library else { continue };
            // Invalid values are reported when the root's values are merged.
            let (Ok(to), Ok((document, mode))) =
                (LibraryRef::read(library), flags::document(flag, render.set.options.strict))
            else {
                continue;
            };
            level.into_it.push(Addressed {
                to,
                kind: AddressedKind::Values(mode),
                place: document.span,
                document,
                late: false,
                address: library.clone(),
            });
        }
        level
    }

    /// The library that a template of `caller` evaluates.
    pub fn inside(
        render: &Render<'s>,
        caller: &Level<'s>,
        directory: &str,
        name: &str,
        alias: Option<&str>,
        options: LibraryOptions,
    ) -> Level<'s> {
        let mut level = Level::unaddressed(render, directory);
        let above = caller.options;
        level.options = InputOptions {
            ignore_unknown_comments: options.ignore_unknown_comments.unwrap_or(above.ignore_unknown_comments),
            implicit_map_key_overrides: options.implicit_map_key_overrides.unwrap_or(above.implicit_map_key_overrides),
            strict: options.strict.unwrap_or(above.strict),
            // If validation is disabled, it is disabled for everything inside.
            disable_validation: options.disable_validation.unwrap_or(false) || above.disable_validation,
        };
        for (_, file) in &mut level.files {
            let wanted = Options {
                ignore_unknown_comments: level.options.ignore_unknown_comments,
                implicit_map_key_overrides: level.options.implicit_map_key_overrides,
                strict: level.options.strict,
                ..file.options
            };
            if wanted != file.options {
                let again = || Arc::new(file.with_options(file.revision, wanted));
                let known = render.shared.files.lock().entry((file.id, wanted)).or_insert_with(again).clone();
                *file = known;
            }
        }
        for addressed in &caller.into_it {
            let Some(to) = addressed.to.within(name, alias) else { continue };
            let here = to.is_here();
            let addressed = Addressed { to, ..addressed.clone() };
            if here {
                render.uses(&addressed);
                level.to_it.push(addressed);
            } else {
                level.into_it.push(addressed);
            }
        }
        level
    }

    /// The YAML templates, which are searched for schema and values.
    pub fn templates(&self) -> impl Iterator<Item = (&'s InputFile, &Arc<File>)> {
        let files = self.files.iter().filter(|(input, _)| input.role == Role::YamlTemplate);
        files.map(|(input, file)| (*input, file))
    }

    /// The documents of a file of the library: the result of running it, as far as that is known.
    pub fn documents(&self, state: &State, file: &File) -> Arc<DocumentSet> {
        let here = || state.in_libraries.known(&(file.id, file.options));
        let evaluated = state.evaluations.of(file).cloned().or_else(here);
        evaluated.map_or_else(|| file.lowered().clone(), |evaluated| evaluated.documents.clone())
    }

    /// The documents of the library's own files that are addressed to libraries inside it, after their code was run.
    pub fn addressed(&self, state: &State) -> Vec<Addressed> {
        let mut found = Vec::new();
        for (_, file) in self.templates().filter(|(_, file)| file.facts.ytt) {
            for document in &self.documents(state, file).documents {
                let kinds = [
                    (document.is_schema(), AddressedKind::Schema),
                    (document.is_data_values(), AddressedKind::Values(Mode::Annotated)),
                ];
                let Some(Ok(to)) = library_ref(&document.notes) else { continue };
                let note = document.notes.get("library/ref");
                for (_, kind) in kinds.into_iter().filter(|(is, _)| *is) {
                    found.push(Addressed {
                        to: to.clone(),
                        kind,
                        document: document.clone(),
                        late: is_late(document),
                        place: document.marker.or(note.map(|note| note.span)).unwrap_or(document.span),
                        address: note.map(address).unwrap_or_default(),
                    });
                }
            }
        }
        found
    }
}

fn address(note: &lofting_document::Note) -> String {
    match note.arguments.positional.first().map(|value| &value.kind) {
        Some(lofting_eval::ExprKind::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// `after_library_module=True`
fn is_late(document: &Document) -> bool {
    document
        .notes
        .get("data/values")
        .and_then(|note| note.arguments.keyword("after_library_module"))
        .is_some_and(|keyword| matches!(keyword.value.kind, lofting_eval::ExprKind::Bool(true)))
}

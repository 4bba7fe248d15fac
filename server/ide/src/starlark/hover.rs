//! Hover in code: data values, names, members of modules and structs, words of the language.

use super::kind::Entry;
use super::language;
use super::view::{CodeView, Known, comment_above, signature};
use crate::answers::Hovered;
use crate::markdown::{Page, Words};
use crate::pages::{describe_node, effective, undeclared};
use crate::path::Step;
use lofting_check::shown_path;
use lofting_document::{FileId, Key};
use lofting_eval::code::{BindingKind, Load, Meaning, PathId, TermKind, ValueStep};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// What is known about the thing at `offset`, which is in code.
pub(crate) fn hover(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Hovered> {
    let (view, _) = CodeView::at(snapshot, file, offset)?;
    if let Some(used) = view.code.values.use_at(offset) {
        return Some((value(&view, used.path)?, used.range.clone()));
    }
    let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if let Some(load) = view.code.loads.iter().find(|load| inside(&load.module_range)) {
        return Some((loaded(&view, load)?, load.module_range.clone()));
    }
    if let Some(index) = view.code.bindings.iter().position(|binding| inside(&binding.range)) {
        let binding = view.code.bindings.get(index)?;
        let page = described(&view, &view.bound(binding));
        return Some((with_value(&view, page, view.code.values.bound(index))?, binding.range.clone()));
    }
    if let Some((function, _, range)) = view.keyword_argument(offset) {
        let known = view.known(function).filter(|known| matches!(known, Known::Function(..)));
        return Some((described(&view, &known?)?, range));
    }
    let named = view.code.term_at(offset).and_then(|id| Some((id, view.code.term(id)?)));
    let Some((id, term)) = named else { return word(snapshot, file, offset) };
    let range = match &term.kind {
        TermKind::Attribute { name_range, .. } => name_range.clone(),
        TermKind::Name(_) => term.range.clone(),
        TermKind::String { .. } => return None,
        _ => return word(snapshot, file, offset),
    };
    if !inside(&range) {
        return None;
    }
    let meaning = view.code.values.meaning(id).0;
    if let (Meaning::Values(path, _), TermKind::Attribute { .. }) = (meaning, &term.kind) {
        return Some((value(&view, *path)?, range));
    }
    if let TermKind::Attribute { of, name, .. } = &term.kind
        && let Some(entry) = view.members(*of).into_iter().find(|entry| entry.name == *name)
    {
        return Some((member(&view, &entry)?, range));
    }
    let page = view.known(id).and_then(|known| described(&view, &known));
    Some((with_value(&view, page, meaning)?, range))
}

/// The text about a name, and if it stands for a data value, what the schema says about it.
fn with_value(view: &CodeView<'_>, page: Option<Page>, meaning: &Meaning) -> Option<Page> {
    let about = match meaning {
        Meaning::Values(path, _) if !view.code.values.steps(*path).is_empty() => value(view, *path),
        _ => None,
    };
    match (page, about) {
        (Some(page), Some(about)) => Some(page.page(about)),
        (page, about) => page.or(about),
    }
}

/// The file or module that `load` names.
fn loaded(view: &CodeView<'_>, load: &Load) -> Option<Page> {
    if let Some(module) = load.module.strip_prefix("@ytt:") {
        return described(view, &Known::Module(language::module(module)?));
    }
    let file = view.snapshot.loaded_file(view.file, &load.module)?;
    let names = Words::list(view.exports(file).map(|binding| Words::default().code(&binding.name)));
    let path = Words::default().code(view.snapshot.shown_path(file));
    Some(if names.is_empty() { path.ours(" defines nothing").into() } else { Page::from(path).words(names) })
}

/// A member of a struct.
fn member(view: &CodeView<'_>, entry: &Entry) -> Option<Page> {
    let range = entry.value.code.term(entry.value.term)?.range.clone();
    let text = view.snapshot.text(entry.value.file).slice(range).into_owned();
    let text = crate::describe::shorten(text.split_whitespace().collect::<Vec<_>>().join(" "));
    Some(Page::default().code(format!("{} = {text}", entry.name)))
}

/// A word of the language.
fn word(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Hovered> {
    let text = snapshot.text(file);
    let line = text.line_range(text.line_of(offset));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, after) = (text.slice(line.start..offset), text.slice(offset..line.end));
    let start = offset - before.len() + before.trim_end_matches(is_word).len();
    let end = offset + after.len() - after.trim_start_matches(is_word).len();
    let written = text.slice(start..end);
    let (name, doc) = language::KEYWORDS.iter().find(|(name, _)| *name == written)?;
    Some((Page::default().code(*name).words(Words::default().ours(doc)), start..end))
}

/// A data value as its schemas declare it.
fn value(view: &CodeView<'_>, path: PathId) -> Option<Page> {
    let steps = view.code.values.steps(path);
    let path_steps: Vec<Step> = steps.iter().map(step).collect();
    let declared = view.declared(path);
    let several = declared.len() > 1;
    if declared.is_empty() {
        return undeclared(view, path, &steps);
    }
    let parts = Page::several(declared.into_iter().map(|(schema, id)| {
        let page = describe_node(view.snapshot, view.file, &schema.schema, id, &path_steps);
        match schema.set.as_deref().filter(|_| several) {
            Some(set) => page.words(Words::default().ours("In the set ").code(set)),
            None => page,
        }
    }));
    let effective = effective::read(view.snapshot, view.file, &path_steps);
    let head = Page::from(Words::default().code(shown_path(&steps)));
    Some(head.page(parts).page(effective.unwrap_or_default()))
}

/// What the schemas say about a data value that none of them declares.
fn undeclared(view: &CodeView<'_>, path: PathId, steps: &[ValueStep]) -> Option<Page> {
    let ValueStep::Key(key) = steps.last()? else { return None };
    let key = Key::from(key.as_str());
    let above: Vec<Step> = steps.iter().take(steps.len().saturating_sub(1)).map(step).collect();
    let pages = view
        .undeclared(path)
        .into_iter()
        .map(|(schema, map)| undeclared::of_key(view.snapshot, &schema.schema, &[map], &above, (&key, &key)));
    let page = Page::several(pages);
    (!page.is_empty()).then(|| Page::from(Words::default().code(shown_path(steps))).page(page))
}

fn step(step: &ValueStep) -> Step {
    match step {
        ValueStep::Key(key) => Step::Key(Key::from(key.as_str())),
        ValueStep::Item => Step::Item,
    }
}

fn described(view: &CodeView<'_>, known: &Known) -> Option<Page> {
    let page = Page::default();
    let ours = |text: &'static str| Words::default().ours(text);
    Some(match known {
        Known::Module(module) => {
            let names = Words::list(view.module_members(module)?.map(|member| Words::default().code(member.name)));
            page.code(format!("load(\"@ytt:{0}\", \"{0}\")", module.name)).words(ours(module.doc)).words(names)
        }
        Known::Member(of, member) => page.code(format!("{of}.{}", member.signature())).words(ours(member.doc)),
        Known::Builtin(member) => page.code(member.signature()).words(ours(member.doc)),
        Known::Function(file, function) => {
            let page = page.code(format!("def {}", signature(function)));
            let page = match comment_above(view.snapshot, *file, function) {
                Some(comment) => page.description(comment),
                None => page,
            };
            elsewhere(view, *file, page)
        }
        Known::Variable(file, binding) => {
            let source = view.snapshot.code(*file);
            let written = |id| {
                let range = source.term(id)?.range.clone();
                let text = view.snapshot.text(*file).slice(range).into_owned();
                Some(crate::describe::shorten(text.split_whitespace().collect::<Vec<_>>().join(" ")))
            };
            let page = match binding.kind {
                BindingKind::Value(term) => page.code(format!("{} = {}", binding.name, written(term)?)),
                BindingKind::Item(term) | BindingKind::ItemPart(term, _) => {
                    page.code(format!("for {} in {}", binding.name, written(term)?))
                }
                BindingKind::Parameter { function, .. } => {
                    let function = function.and_then(|id| source.functions.get(id.0 as usize));
                    let name = Words::default().code(&binding.name);
                    match function {
                        Some(function) => {
                            page.words(name.ours(" is a parameter of")).code(format!("def {}", signature(function)))
                        }
                        None => page.words(name.ours(" is a parameter of a lambda")),
                    }
                }
                BindingKind::Loaded(load, _) => {
                    let module = &source.loads.get(load)?.module;
                    page.words(Words::default().code(&binding.name).ours(" is loaded from ").code(module))
                }
                BindingKind::Function(_) | BindingKind::Other => return None,
            };
            elsewhere(view, *file, page)
        }
    })
}

/// Adds in which file something from another file is defined.
fn elsewhere(view: &CodeView<'_>, file: FileId, page: Page) -> Page {
    if file == view.file {
        return page;
    }
    page.words(Words::default().ours("Defined in ").code(view.snapshot.shown_path(file)))
}

#[cfg(test)]
mod tests;

//! Hover in code: data values, names, members of modules and structs, words of the language.

use super::{Hover, describe_node, effective};
use crate::code::{CodeView, Entry, Known, comment_above, signature};
use crate::describe::{Markup, code, prose};
use crate::path::Step;
use lofting_check::shown_path;
use lofting_document::{FileId, Key};
use lofting_eval::code::{BindingKind, Load, Meaning, PathId, TermKind, ValueStep};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// What is known about the thing at `offset`, which is in code.
pub(super) fn hover(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<Hover> {
    let (view, _) = CodeView::at(snapshot, file, offset)?;
    if let Some(used) = view.code.values.use_at(offset) {
        let text = value(&view, used.path, markup)?;
        return Some(Hover { text, range: used.range.clone() });
    }
    let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if let Some(load) = view.code.loads.iter().find(|load| inside(&load.module_range)) {
        return Some(Hover { text: loaded(&view, load, markup)?, range: load.module_range.clone() });
    }
    if let Some(index) = view.code.bindings.iter().position(|binding| inside(&binding.range)) {
        let binding = view.code.bindings.get(index)?;
        let text =
            with_value(&view, described(&view, &view.bound(binding), markup), view.code.values.bound(index), markup)?;
        return Some(Hover { text, range: binding.range.clone() });
    }
    if let Some((function, _, range)) = view.keyword_argument(offset) {
        let known = view.known(function).filter(|known| matches!(known, Known::Function(..)));
        return Some(Hover { text: described(&view, &known?, markup)?, range });
    }
    let named = view.code.term_at(offset).and_then(|id| Some((id, view.code.term(id)?)));
    let Some((id, term)) = named else { return word(snapshot, file, offset, markup) };
    let range = match &term.kind {
        TermKind::Attribute { name_range, .. } => name_range.clone(),
        TermKind::Name(_) => term.range.clone(),
        TermKind::String { .. } => return None,
        _ => return word(snapshot, file, offset, markup),
    };
    if !inside(&range) {
        return None;
    }
    let meaning = view.code.values.meaning(id).0;
    if let (Meaning::Values(path, _), TermKind::Attribute { .. }) = (meaning, &term.kind) {
        return Some(Hover { text: value(&view, *path, markup)?, range });
    }
    if let TermKind::Attribute { of, name, .. } = &term.kind
        && let Some(entry) = view.members(*of).into_iter().find(|entry| entry.name == *name)
    {
        return Some(Hover { text: member(&view, &entry, markup)?, range });
    }
    let text = view.known(id).and_then(|known| described(&view, &known, markup));
    Some(Hover { text: with_value(&view, text, meaning, markup)?, range })
}

/// What is told about a name, and of the data value that it stands for what the schema says.
fn with_value(view: &CodeView<'_>, told: Option<String>, meaning: &Meaning, markup: Markup) -> Option<String> {
    let about = match meaning {
        Meaning::Values(path, _) if !view.code.values.steps(*path).is_empty() => value(view, *path, markup),
        _ => None,
    };
    match (told, about) {
        (Some(told), Some(about)) => Some(format!("{told}\n\n{about}")),
        (told, about) => told.or(about),
    }
}

/// The file or module that `load` names.
fn loaded(view: &CodeView<'_>, load: &Load, markup: Markup) -> Option<String> {
    if let Some(module) = load.module.strip_prefix("@ytt:") {
        return described(view, &Known::Module(crate::language::module(module)?), markup);
    }
    let file = view.snapshot.loaded_file(view.file, &load.module)?;
    let names: Vec<String> = view.exports(file).map(|binding| code(&binding.name, markup)).collect();
    let path = code(&view.snapshot.shown_path(file), markup);
    Some(match names.is_empty() {
        true => format!("{path} defines nothing"),
        false => format!("{path}\n\n{}", names.join(", ")),
    })
}

/// A member of a struct.
fn member(view: &CodeView<'_>, entry: &Entry, markup: Markup) -> Option<String> {
    let range = entry.value.code.term(entry.value.term)?.range.clone();
    let text = view.snapshot.text(entry.value.file).slice(range).into_owned();
    let text = crate::describe::shorten(text.split_whitespace().collect::<Vec<_>>().join(" "));
    Some(block(&format!("{} = {text}", entry.name), markup))
}

/// A word of the language.
fn word(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<Hover> {
    let text = snapshot.text(file);
    let line = text.line_range(text.line_of(offset));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, behind) = (text.slice(line.start..offset), text.slice(offset..line.end));
    let start = offset - before.len() + before.trim_end_matches(is_word).len();
    let end = offset + behind.len() - behind.trim_start_matches(is_word).len();
    let written = text.slice(start..end);
    let (name, doc) = crate::language::KEYWORDS.iter().find(|(name, _)| *name == written)?;
    Some(Hover { text: format!("{}\n\n{}", block(name, markup), prose(doc, markup)), range: start..end })
}

/// A data value as its schemas declare it.
fn value(view: &CodeView<'_>, path: PathId, markup: Markup) -> Option<String> {
    let steps = view.code.values.steps(path);
    let path_steps: Vec<Step> = steps
        .iter()
        .map(|step| match step {
            ValueStep::Key(key) => Step::Key(Key::from(key.as_str())),
            ValueStep::Item => Step::Item,
        })
        .collect();
    let declared = view.declared(path);
    let several = declared.len() > 1;
    let parts: Vec<String> = declared
        .into_iter()
        .map(|(schema, id)| {
            let mut text = describe_node(view.snapshot, view.file, &schema.schema, id, &path_steps, markup);
            if let Some(set) = schema.set.as_deref().filter(|_| several) {
                text.push_str(&format!("\n\nIn the set {}", code(set, markup)));
            }
            text
        })
        .collect();
    if parts.is_empty() {
        return None;
    }
    let parts = parts.join(match markup {
        Markup::Markdown => "\n\n---\n\n",
        Markup::Plain => "\n\n",
    });
    let mut text = format!("{}\n\n{parts}", code(&shown_path(&steps), markup));
    if let Some(effective) = effective::read(view.snapshot, view.file, &path_steps, markup) {
        text.push_str(&format!("\n\n{effective}"));
    }
    Some(text)
}

fn block(text: &str, markup: Markup) -> String {
    match markup {
        Markup::Markdown => format!("```python\n{text}\n```"),
        Markup::Plain => text.to_owned(),
    }
}

fn described(view: &CodeView<'_>, known: &Known, markup: Markup) -> Option<String> {
    Some(match known {
        Known::Module(module) => {
            let names: Vec<String> = module.members.iter().map(|member| code(member.name, markup)).collect();
            let head = block(&format!("load(\"@ytt:{0}\", \"{0}\")", module.name), markup);
            format!("{head}\n\n{}\n\n{}", prose(module.doc, markup), names.join(", "))
        }
        Known::Member(of, member) => {
            format!("{}\n\n{}", block(&format!("{of}.{}", member.signature()), markup), prose(member.doc, markup))
        }
        Known::Builtin(member) => format!("{}\n\n{}", block(&member.signature(), markup), prose(member.doc, markup)),
        Known::Function(file, function) => {
            let mut text = block(&format!("def {}", signature(function)), markup);
            if let Some(comment) = comment_above(view.snapshot, *file, function) {
                text.push_str(&format!("\n\n{comment}"));
            }
            if *file != view.file {
                let name = code(&view.snapshot.shown_path(*file), markup);
                text.push_str(&format!("\n\nDefined in {name}"));
            }
            text
        }
        Known::Variable(file, binding) => {
            let source = view.snapshot.code(*file);
            let written = |id| {
                let range = source.term(id)?.range.clone();
                let text = view.snapshot.text(*file).slice(range).into_owned();
                Some(crate::describe::shorten(text.split_whitespace().collect::<Vec<_>>().join(" ")))
            };
            let text = match binding.kind {
                BindingKind::Value(term) => block(&format!("{} = {}", binding.name, written(term)?), markup),
                BindingKind::Item(term) | BindingKind::ItemPart(term, _) => {
                    block(&format!("for {} in {}", binding.name, written(term)?), markup)
                }
                BindingKind::Parameter { function, .. } => {
                    let function = function.and_then(|id| source.functions.get(id.0 as usize));
                    match function {
                        Some(function) => {
                            let head = format!("def {}", signature(function));
                            format!("{} is a parameter of\n\n{}", code(&binding.name, markup), block(&head, markup))
                        }
                        None => format!("{} is a parameter of a lambda", code(&binding.name, markup)),
                    }
                }
                BindingKind::Loaded(load, _) => {
                    let module = &source.loads.get(load)?.module;
                    format!("{} is loaded from {}", code(&binding.name, markup), code(module, markup))
                }
                BindingKind::Function(_) | BindingKind::Other => return None,
            };
            match *file == view.file {
                true => text,
                false => format!("{text}\n\nDefined in {}", code(&view.snapshot.shown_path(*file), markup)),
            }
        }
    })
}

#[cfg(test)]
mod tests;

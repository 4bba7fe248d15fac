//! Hover in code: data values, names, members of modules.

use super::{Hover, describe_node};
use crate::code::{CodeView, Known, comment_above, signature};
use crate::describe::{Markup, code, prose};
use crate::path::Step;
use lofting_check::shown_path;
use lofting_document::{FileId, Key};
use lofting_eval::code::{BindingKind, Meaning, PathId, TermKind, ValueStep};
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
        let module = load.module.strip_prefix("@ytt:").and_then(crate::language::module)?;
        return Some(Hover {
            text: described(&view, &Known::Module(module), markup)?,
            range: load.module_range.clone(),
        });
    }
    if let Some(binding) = view.code.bindings.iter().find(|binding| inside(&binding.range)) {
        let text = described(&view, &view.bound(binding), markup)?;
        return Some(Hover { text, range: binding.range.clone() });
    }
    let id = view.code.term_at(offset)?;
    let term = view.code.term(id)?;
    let range = match &term.kind {
        TermKind::Attribute { name_range, .. } => name_range.clone(),
        _ => term.range.clone(),
    };
    if !inside(&range) {
        return None;
    }
    if let (Meaning::Values(path, _), TermKind::Attribute { .. }) = (view.code.values.meaning(id).0, &term.kind) {
        return Some(Hover { text: value(&view, *path, markup)?, range });
    }
    let text = described(&view, &view.known(id)?, markup)?;
    Some(Hover { text, range })
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
    Some(format!("{}\n\n{parts}", code(&shown_path(&steps), markup)))
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
                BindingKind::Value(term) => {
                    let mut text = block(&format!("{} = {}", binding.name, written(term)?), markup);
                    if let (Meaning::Values(path, _), true) = (source.values.meaning(term).0, *file == view.file)
                        && let Some(about) = value(view, *path, markup)
                    {
                        text.push_str(&format!("\n\n{about}"));
                    }
                    text
                }
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
                        None => return None,
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

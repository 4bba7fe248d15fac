//! Completion in code: members of data values and modules, names in scope, files and names in `load`.

use super::item::{CompletionItem, CompletionOptions, ItemKind};
use crate::code::{CodeView, Known, comment_above, signature};
use crate::describe;
use crate::language::{self, Member};
use lofting_document::{FileId, Key};
use lofting_eval::code::{BindingKind, Code, Form, Meaning, Operator, PathId, PieceKind, ScopeId, TermId, TermKind};
use lofting_schema::Shape;
use lofting_workspace::Snapshot;
use std::collections::HashSet;
use std::ops::Range;

/// Items at an offset in code; `None` where there is no code, or where something else than code knows better.
pub(super) fn items(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    options: &CompletionOptions,
) -> Option<Vec<CompletionItem>> {
    let (view, kind) = CodeView::at(snapshot, file, offset)?;
    // Right behind `#@` an annotation begins.
    if snapshot.text(file).slice(offset.saturating_sub(2)..offset) == "#@" {
        return None;
    }
    let mut list = List { seen: HashSet::new(), view: &view, options, items: Vec::new() };
    if !list.load(offset) && !list.member(offset) && !list.text(offset) {
        // Names of arguments are the annotation's business.
        if kind == PieceKind::Arguments && !in_call(&view.code, offset) {
            return None;
        }
        list.names(offset, kind);
    }
    Some(list.items)
}

fn in_call(code: &Code, offset: usize) -> bool {
    code.call_at(offset).is_some()
}

struct List<'v> {
    /// Labels that are there.
    seen: HashSet<String>,
    view: &'v CodeView<'v>,
    options: &'v CompletionOptions,
    items: Vec<CompletionItem>,
}

impl List<'_> {
    fn push(&mut self, label: &str, kind: ItemKind, edit: (Range<usize>, String)) -> &mut CompletionItem {
        self.seen.insert(label.to_owned());
        let sort_text = format!("{:05}", self.items.len());
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind,
            detail: None,
            documentation: None,
            filter_text: label.to_owned(),
            edit,
            is_snippet: false,
            additional_edits: Vec::new(),
            sort_text,
            deprecated: false,
            triggers_suggest: false,
        });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    fn table(&mut self, table: &[Member], range: &Range<usize>, kind: ItemKind) {
        for member in table {
            let kind = if member.parameters.is_some() { kind } else { ItemKind::Constant };
            let item = self.push(member.name, kind, (range.clone(), member.name.to_owned()));
            item.detail = member.parameters.map(|_| member.signature());
            item.documentation = Some(member.doc.to_owned());
        }
    }

    /// Behind a dot. True if the offset is there.
    fn member(&mut self, offset: usize) -> bool {
        let code = &self.view.code;
        let attribute = code.terms.iter().find_map(|term| match &term.kind {
            TermKind::Attribute { of, name_range, .. } if name_range.start <= offset && offset <= name_range.end => {
                Some((*of, name_range.clone()))
            }
            _ => None,
        });
        let Some((of, range)) = attribute else { return false };
        let (meaning, _) = code.values.meaning(of);
        match meaning {
            Meaning::Module(module) => {
                if let Some(module) = language::module(module) {
                    self.table(module.members, &range, ItemKind::Function);
                }
            }
            Meaning::Values(path, Form::Plain) => {
                let dot = code.term(of).map_or(range.start, |of| of.range.end);
                let dot = self.dot(dot..range.start).unwrap_or(range.start);
                self.keys(*path, &Place::Attribute { name: range.clone(), dot });
            }
            _ => {}
        }
        if let Some((_, methods)) = self.view.methods(of) {
            self.table(methods, &range, ItemKind::Function);
        }
        true
    }

    /// Where the dot is between a value and the name behind it.
    fn dot(&self, between: Range<usize>) -> Option<usize> {
        let text = self.view.snapshot.text(self.view.file);
        let at = text.slice(between.clone()).rfind('.')?;
        Some(between.start + at)
    }

    /// In a string that names a key. True for every string: nothing else is offered in one.
    fn text(&mut self, offset: usize) -> bool {
        let code = &self.view.code;
        let inside = code.terms.iter().enumerate().rfind(|(_, term)| match &term.kind {
            TermKind::String { content, .. } => content.start <= offset && offset <= content.end,
            _ => false,
        });
        let Some((index, term)) = inside else { return false };
        let TermKind::String { content, .. } = &term.kind else { return false };
        let id = TermId(u32::try_from(index).unwrap_or(u32::MAX));
        let closed = term.range.end > content.end;
        if let Some(path) = holder(code, id) {
            let text = self.view.snapshot.text(self.view.file);
            // An open string takes the rest of the line; only its first word is meant.
            let rest = text.slice(offset..content.end.max(offset));
            let more =
                rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
            let end = if closed { content.end } else { offset + more };
            self.keys(path, &Place::Text { content: content.start..end });
        }
        true
    }

    fn keys(&mut self, path: PathId, place: &Place) {
        let declared: Vec<_> = self.view.declared(path).into_iter().map(|(s, id)| (s.schema.clone(), id)).collect();
        for (schema, id) in declared {
            let Shape::Map(map) = &schema.node(id).shape else { continue };
            for key in &map.keys {
                let Key::String(name) = &key.key else { continue };
                if self.seen.contains(name.as_str()) {
                    continue;
                }
                let Some((edit, filter)) = place.edit(name) else { continue };
                let node = schema.node(key.schema);
                let facts = describe::facts(&schema, key.schema, self.options.markup);
                let item = self.push(name, ItemKind::Key, edit);
                item.filter_text = filter;
                item.detail = Some(schema.type_words(key.schema));
                item.documentation = Some(facts).filter(|facts| !facts.is_empty());
                item.deprecated = node.docs.deprecated.is_some();
            }
        }
    }

    /// In `load(...)`: modules, files, and their names. True if the offset is there.
    fn load(&mut self, offset: usize) -> bool {
        let view = self.view;
        let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let Some(load) = view.code.loads.iter().find(|load| inside(&load.range)) else { return false };
        if inside(&load.module_range) && !load.module_range.is_empty() || load.module_range == (offset..offset) {
            for module in language::MODULES {
                let label = format!("@ytt:{}", module.name);
                let item = self.push(&label, ItemKind::Module, (load.module_range.clone(), label.clone()));
                item.documentation = Some(module.doc.to_owned());
            }
            for name in view.snapshot.loadable(view.file) {
                self.push(&name, ItemKind::File, (load.module_range.clone(), name.clone()));
            }
            return true;
        }
        let Some(name) = load.names.iter().find(|name| inside(&name.name_range)) else { return false };
        if let Some(module) = load.module.strip_prefix("@ytt:") {
            if let Some(module) = language::module(module) {
                let edit = (name.name_range.clone(), module.name.to_owned());
                self.push(module.name, ItemKind::Module, edit).documentation = Some(module.doc.to_owned());
            }
            return true;
        }
        if let Some(file) = view.snapshot.loaded_file(view.file, &load.module) {
            self.exported(file, &name.name_range);
        }
        true
    }

    /// The names of another file that can be loaded: none that begin with `_` (reference 7.5).
    fn exported(&mut self, file: FileId, range: &Range<usize>) {
        let code = self.view.snapshot.code(file);
        for binding in code.bindings.iter().filter(|binding| binding.scope == ScopeId(0)) {
            let loaded = matches!(binding.kind, BindingKind::Loaded(..));
            if loaded || binding.name.starts_with('_') || self.seen.contains(&binding.name) {
                continue;
            }
            let function = match binding.kind {
                BindingKind::Function(id) => code.functions.get(id.0 as usize),
                _ => None,
            };
            let kind = if function.is_some() { ItemKind::Function } else { ItemKind::Variable };
            let documentation = function.and_then(|function| comment_above(self.view.snapshot, file, function));
            let item = self.push(&binding.name, kind, (range.clone(), binding.name.clone()));
            item.detail = function.map(signature);
            item.documentation = documentation;
        }
    }

    /// Names in scope, nearest first, then what is always there.
    fn names(&mut self, offset: usize, kind: PieceKind) {
        let view = self.view;
        let code = &view.code;
        let word = code.terms.iter().find_map(|term| match &term.kind {
            TermKind::Name(_) if term.range.start <= offset && offset <= term.range.end => Some(term.range.clone()),
            _ => None,
        });
        // Keywords are no expressions, and what is bound is no use.
        let range = word.unwrap_or_else(|| self.word_before(offset)..offset);
        if code.bindings.iter().any(|binding| {
            binding.range == range && !matches!(binding.kind, BindingKind::Value(_) | BindingKind::Other)
        }) {
            return;
        }
        let mut scope = Some(code.scope_at(offset));
        while let Some(here) = scope {
            for binding in code.bindings.iter().filter(|binding| binding.scope == here && binding.range != range) {
                if binding.name.is_empty() || self.seen.contains(&binding.name) {
                    continue;
                }
                let known = view.bound(binding);
                let (kind, detail, documentation) = match &known {
                    Known::Module(module) => {
                        (ItemKind::Module, Some(format!("@ytt:{}", module.name)), Some(module.doc.to_owned()))
                    }
                    Known::Function(file, function) => {
                        (ItemKind::Function, Some(signature(function)), comment_above(view.snapshot, *file, function))
                    }
                    _ => (ItemKind::Variable, None, None),
                };
                let name = binding.name.clone();
                let item = self.push(&name, kind, (range.clone(), name.clone()));
                item.detail = detail;
                item.documentation = documentation;
            }
            scope = code.scopes.get(here.0 as usize).and_then(|scope| scope.parent);
        }
        self.table(language::BUILTINS, &range, ItemKind::Function);
        for (word, doc) in language::KEYWORDS {
            let statement =
                matches!(*word, "def" | "return" | "end" | "load" | "while" | "elif" | "break" | "continue");
            if statement && kind != PieceKind::Code {
                continue;
            }
            self.push(word, ItemKind::Keyword, (range.clone(), (*word).to_owned())).documentation =
                Some((*doc).to_owned());
        }
    }

    fn word_before(&self, offset: usize) -> usize {
        let text = self.view.snapshot.text(self.view.file);
        let line = text.line_range(text.line_of(offset));
        let before = text.slice(line.start..offset.max(line.start)).into_owned();
        let word = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
        line.start + word.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
    }
}

/// Where a key goes.
enum Place {
    /// Behind a dot.
    Attribute { name: Range<usize>, dot: usize },
    /// Between quotes.
    Text { content: Range<usize> },
}

impl Place {
    /// The edit that names a key, and the text it is compared with.
    fn edit(&self, key: &str) -> Option<((Range<usize>, String), String)> {
        match self {
            Place::Attribute { name, dot } => match lofting_eval::is_field_name(key) {
                true => Some(((name.clone(), key.to_owned()), key.to_owned())),
                // What can not stand behind a dot is an index.
                false if !key.contains(['"', '\\', '\n']) => {
                    Some(((*dot..name.end, format!("[\"{key}\"]")), format!(".{key}")))
                }
                false => None,
            },
            Place::Text { content } if !key.contains(['"', '\'', '\\', '\n']) => {
                Some(((content.clone(), key.to_owned()), key.to_owned()))
            }
            Place::Text { .. } => None,
        }
    }
}

/// The value of which a string names a key: `value["…"]`, `getattr(value, "…")`, `"…" in value`.
fn holder(code: &Code, string: TermId) -> Option<PathId> {
    let values = |id: TermId| match code.values.meaning(id).0 {
        Meaning::Values(path, _) => Some(*path),
        _ => None,
    };
    let behind = code.terms.get(string.0 as usize + 1..)?;
    behind.iter().find_map(|term| match &term.kind {
        TermKind::Index { of, key: Some(key), .. } if *key == string => values(*of),
        TermKind::Call { function, arguments, .. } if arguments.get(1).is_some_and(|second| second.value == string) => {
            match &code.term(*function)?.kind {
                TermKind::Name(name) if matches!(name.as_str(), "getattr" | "hasattr") => {
                    values(arguments.first()?.value)
                }
                _ => None,
            }
        }
        TermKind::Operation { operands, operators } => {
            let at = operands.iter().position(|operand| *operand == string)?;
            let right = operands.get(at + 1).filter(|_| operators.get(at) == Some(&Operator::In))?;
            values(*right)
        }
        _ => None,
    })
}

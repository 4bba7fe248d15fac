//! Completion in code: members of data values and modules, names in scope, files and names in `load`.

use super::blocks::open_at;
use super::kind::{Entry, Kind};
use super::language::{self, Member, Module};
use super::validation::{self, ArgumentMeaning};
use super::view::{CodeView, Known, comment_above, signature};
use crate::completion_item::{About, CompletionItem, ItemKind};
use crate::describe;
use crate::likely_values::texts;
use crate::markdown::Words;
use lofting_document::{FileId, Key};
use lofting_eval::code::{
    BindingKind, CallArgument, Code, Form, Meaning, Operator, PathId, PieceKind, TermId, TermKind,
};
use lofting_schema::Shape;
use lofting_workspace::Snapshot;
use std::collections::HashSet;
use std::ops::Range;

/// Items at an offset in code; `None` outside code, or if something other than code completes there.
pub(crate) fn items(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Vec<CompletionItem>> {
    let (view, kind) = CodeView::at(snapshot, file, offset)?;
    // An annotation begins directly after `#@`.
    if snapshot.text(file).slice(offset.saturating_sub(2)..offset) == "#@" {
        return None;
    }
    let mut list = List { seen: HashSet::new(), view: &view, items: Vec::new() };
    // The annotation itself completes the names of arguments, and their possible strings.
    let of_annotation = kind == PieceKind::Arguments && !in_call(&view.code, offset);
    if !list.load(offset) && !list.member(offset) {
        let in_text = list.text(offset);
        if of_annotation && (!in_text || list.items.is_empty()) {
            return None;
        }
        if !in_text {
            list.names(offset, kind);
        }
    }
    Some(list.items)
}

/// Names in scope, for an argument of an annotation: after other proposals.
pub(crate) fn names_after(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<CompletionItem> {
    let Some((view, kind)) = CodeView::at(snapshot, file, offset) else { return Vec::new() };
    let mut list = List { seen: HashSet::new(), view: &view, items: Vec::new() };
    list.names(offset, kind);
    for item in &mut list.items {
        item.sort_text.insert(0, 'n');
    }
    list.items
}

/// The members of the second parameter of a condition or rule (docs/ytt.md 13.5).
const CONTEXT: &[Member] = &[
    Member { name: "parent", parameters: None, doc: "The map or array that holds the value." },
    Member { name: "root", parameters: None, doc: "All data values." },
];

fn in_call(code: &Code, offset: usize) -> bool {
    code.call_at(offset).is_some()
}

struct List<'v> {
    /// Labels that are already present.
    seen: HashSet<String>,
    view: &'v CodeView<'v>,
    items: Vec<CompletionItem>,
}

impl List<'_> {
    fn push(&mut self, label: &str, kind: ItemKind, edit: (Range<usize>, String)) -> &mut CompletionItem {
        self.seen.insert(label.to_owned());
        let sort_text = format!("{:05}", self.items.len());
        self.items.push(CompletionItem { sort_text, ..CompletionItem::new(label, kind, edit) });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    fn module(&mut self, module: &Module, range: &Range<usize>) {
        let members = self.view.module_members(module);
        self.table(members.into_iter().flatten(), range, ItemKind::Function);
    }

    fn table<'m>(&mut self, table: impl IntoIterator<Item = &'m Member>, range: &Range<usize>, kind: ItemKind) {
        for member in table {
            let kind = if member.parameters.is_some() { kind } else { ItemKind::Constant };
            let item = self.push(member.name, kind, (range.clone(), member.name.to_owned()));
            item.detail = member.parameters.map(|_| member.signature());
            item.about = Some(Words::default().ours(member.doc).into());
        }
    }

    /// After a dot. True if the offset is there.
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
                    self.module(module, &range);
                }
            }
            Meaning::Unknown if self.unloaded_module(of).is_some() => {
                if let Some(module) = self.unloaded_module(of) {
                    let from = self.items.len();
                    self.module(module, &range);
                    let load = self.load_edit(module);
                    for item in self.items.iter_mut().skip(from) {
                        item.additional_edits.push(load.clone());
                    }
                }
            }
            Meaning::Values(path, Form::Plain) => {
                let dot = code.term(of).map_or(range.start, |of| of.range.end);
                let dot = self.dot(dot..range.start).unwrap_or(range.start);
                self.keys(*path, &KeyInsertion::Attribute { name: range.clone(), dot });
            }
            _ => {}
        }
        for entry in self.view.members(of) {
            self.entry(&entry, &range);
        }
        match validation::given(self.view, of) {
            Some(ArgumentMeaning::Context) => self.table(CONTEXT, &range, ItemKind::Constant),
            Some(ArgumentMeaning::Value(schema, id)) if matches!(schema.node(id).shape(), Shape::String) => {
                self.table(language::STRING, &range, ItemKind::Function);
            }
            _ => {}
        }
        if let Some((_, methods)) = self.view.methods(of) {
            self.table(methods, &range, ItemKind::Function);
        }
        true
    }

    /// The module that a name means if nothing else is known about it.
    fn unloaded_module(&self, of: TermId) -> Option<&'static Module> {
        let TermKind::Name(name) = &self.view.code.term(of)?.kind else { return None };
        let is_free = self.view.code.owner(self.view.code.term(of)?.scope, name).is_none();
        let known = language::module(name).filter(|module| self.view.module_members(module).is_some());
        known.filter(|_| is_free && self.load_mark().is_some())
    }

    /// What precedes a `load` on its line in such a file; `None` if it has a different form.
    fn load_mark(&self) -> Option<&'static str> {
        match self.view.snapshot.path(self.view.file).extension().and_then(|extension| extension.to_str()) {
            Some("star") => Some(""),
            Some("txt") => None,
            _ => Some("#@ "),
        }
    }

    /// The line that loads a module: below the last `load` at the top, or at the very beginning.
    fn load_edit(&self, module: &Module) -> (Range<usize>, String) {
        let text = self.view.snapshot.text(self.view.file);
        let mark = self.load_mark().unwrap_or_default();
        let mut line = 0;
        while line < text.line_count() {
            let written = text.slice(text.line_range(line));
            let written = written.trim_start_matches("#@").trim_start();
            if !written.starts_with("load(") || !written.trim_end().ends_with(')') {
                break;
            }
            line += 1;
        }
        let at = text.line_range(line).start.min(text.len());
        (at..at, format!("{mark}load(\"@ytt:{0}\", \"{0}\")\n", module.name))
    }

    /// A member of a struct or key of a dict.
    fn entry(&mut self, entry: &Entry, range: &Range<usize>) {
        if self.seen.contains(&entry.name) {
            return;
        }
        let text = self.view.snapshot.text(entry.value.file);
        let written = entry.value.code.term(entry.value.term).map(|term| text.slice(term.range.clone()).into_owned());
        let item = self.push(&entry.name, ItemKind::Key, (range.clone(), entry.name.clone()));
        item.detail = written.map(|text| describe::shorten(text.split_whitespace().collect::<Vec<_>>().join(" ")));
    }

    /// Where the dot is between a value and the name after it.
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
        if let Some(compared) = compared(code, id)
            && let Meaning::Values(path, _) = code.values.meaning(compared).0
        {
            let end = if closed { content.end } else { offset.max(content.start) };
            self.allowed(*path, &(content.start..end));
        }
        if let Some(holder) = holder(code, id) {
            let text = self.view.snapshot.text(self.view.file);
            // An open string takes the rest of the line; only its first word is meant.
            let rest = text.slice(offset..content.end.max(offset));
            let more =
                rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
            let end = if closed { content.end } else { offset + more };
            let content = content.start..end;
            match code.values.meaning(holder).0 {
                Meaning::Values(path, _) => self.keys(*path, &KeyInsertion::Text { content }),
                _ => {
                    if let Some(ArgumentMeaning::Value(schema, id)) = validation::given(self.view, holder) {
                        for (name, key) in validation::keys(&schema, id) {
                            let edit = (content.clone(), name.clone());
                            self.push(&name, ItemKind::Key, edit).detail = Some(schema.type_words(key));
                        }
                    }
                    if let Some(Kind::Dict(entries) | Kind::Struct(entries)) = self.view.kind(holder) {
                        for entry in entries {
                            self.entry(&entry, &content);
                        }
                    }
                }
            }
        }
        true
    }

    fn keys(&mut self, path: PathId, place: &KeyInsertion) {
        let declared: Vec<_> = self.view.declared(path).into_iter().map(|(s, id)| (s.schema.clone(), id)).collect();
        for (schema, id) in declared {
            let Shape::Map(map) = schema.node(id).shape() else { continue };
            for key in &map.keys {
                let Key::String(name) = &key.key else { continue };
                if self.seen.contains(name.as_str()) {
                    continue;
                }
                let Some((edit, filter)) = place.edit(name) else { continue };
                let node = schema.node(key.schema);
                let item = self.push(name, ItemKind::Key, edit);
                item.filter_text = filter;
                item.detail = Some(schema.type_words(key.schema));
                item.about = Some(About::Node(schema.clone(), key.schema));
                item.deprecated = node.docs.deprecated.is_some();
            }
        }
    }

    /// The texts that a value can be.
    fn allowed(&mut self, path: PathId, content: &Range<usize>) {
        let declared: Vec<_> = self.view.declared(path).into_iter().map(|(s, id)| (s.schema.clone(), id)).collect();
        for text in declared.iter().flat_map(|(schema, id)| texts(schema, *id)) {
            if !self.seen.contains(&text.text) && !text.text.contains(['"', '\'', '\\', '\n']) {
                let item = self.push(&text.text, ItemKind::EnumMember, (content.clone(), text.text.clone()));
                (item.detail, item.about) = (text.detail, text.about);
            }
        }
    }

    /// In `load(...)`: modules, files, and their names. True if the offset is there.
    fn load(&mut self, offset: usize) -> bool {
        let view = self.view;
        let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let Some(load) = view.code.loads.iter().find(|load| inside(&load.range)) else { return false };
        if inside(&load.module_range) && !load.module_range.is_empty() || load.module_range == (offset..offset) {
            for module in language::MODULES.iter().filter(|module| view.module_members(module).is_some()) {
                let label = format!("@ytt:{}", module.name);
                let item = self.push(&label, ItemKind::Module, (load.module_range.clone(), label.clone()));
                item.about = Some(Words::default().ours(module.doc).into());
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
                self.push(module.name, ItemKind::Module, edit).about = Some(Words::default().ours(module.doc).into());
            }
            return true;
        }
        if let Some(file) = view.snapshot.loaded_file(view.file, &load.module) {
            self.exported(file, &name.name_range);
        }
        true
    }

    /// The names of another file that can be loaded.
    fn exported(&mut self, file: FileId, range: &Range<usize>) {
        let code = self.view.snapshot.code(file);
        for binding in self.view.exports(file) {
            let function = match binding.kind {
                BindingKind::Function(id) => code.functions.get(id.0 as usize),
                _ => None,
            };
            let kind = if function.is_some() { ItemKind::Function } else { ItemKind::Variable };
            let documentation = function.and_then(|function| comment_above(self.view.snapshot, file, function));
            let item = self.push(&binding.name, kind, (range.clone(), binding.name.clone()));
            item.detail = function.map(signature);
            item.about = documentation.map(|comment| Words::default().described(comment).into());
        }
    }

    /// Names in scope, nearest first, then built-in names.
    fn names(&mut self, offset: usize, kind: PieceKind) {
        let view = self.view;
        let code = &view.code;
        let word = code.terms.iter().find_map(|term| match &term.kind {
            TermKind::Name(_) if term.range.start <= offset && offset <= term.range.end => Some(term.range.clone()),
            _ => None,
        });
        // Keywords are not expressions, and bindings are not uses.
        let range = word.unwrap_or_else(|| self.word_before(offset)..offset);
        let line = view.snapshot.text(view.file);
        let line = line.slice(line.line_range(line.line_of(range.start)).start..range.start).into_owned();
        if line.ends_with(['"', '\'', ')', ']', '}']) {
            // After a complete expression an operator is needed first.
            return;
        }
        if code.bindings.iter().any(|binding| {
            binding.range == range && !matches!(binding.kind, BindingKind::Value(_) | BindingKind::Other)
        }) {
            return;
        }
        let begins_line = line.trim_start().trim_start_matches("#@").trim().is_empty();
        let begins = (kind == PieceKind::Code && begins_line).then(|| open_at(view.snapshot, view.file, range.start));
        // A word that is there already is offered as it is.
        let typed = view.snapshot.text(view.file).slice(range.clone()).into_owned();
        let is_possible = |word: &str| word == typed || begins.as_ref().is_none_or(|open| can_begin(word, open));
        if begins.is_some() {
            self.keywords(&range, |word| language::LIKELY_STATEMENTS.contains(&word) && is_possible(word));
        }
        self.keyword_arguments(offset, &range);
        let mut scope = Some(code.scope_at(offset));
        while let Some(here) = scope {
            for binding in code.bindings.iter().filter(|binding| binding.scope == here && binding.range != range) {
                if binding.name.is_empty() || self.seen.contains(&binding.name) {
                    continue;
                }
                let known = view.bound(binding);
                let (kind, detail, documentation) = match &known {
                    Known::Module(module) => (
                        ItemKind::Module,
                        Some(format!("@ytt:{}", module.name)),
                        Some(Words::default().ours(module.doc).into()),
                    ),
                    Known::Function(file, function) => (
                        ItemKind::Function,
                        Some(signature(function)),
                        comment_above(view.snapshot, *file, function)
                            .map(|comment| Words::default().described(comment).into()),
                    ),
                    _ => (ItemKind::Variable, None, None),
                };
                let name = binding.name.clone();
                let item = self.push(&name, kind, (range.clone(), name.clone()));
                item.detail = detail;
                item.about = documentation;
            }
            scope = code.scopes.get(here.0 as usize).and_then(|scope| scope.parent);
        }
        self.table(language::BUILTINS, &range, ItemKind::Function);
        let is_word = |word: &str| kind == PieceKind::Code || !language::BEGINS_STATEMENT.contains(&word);
        self.keywords(&range, |word| is_word(word) && is_possible(word));
    }

    /// The keywords that are wanted and not in the list yet.
    fn keywords(&mut self, range: &Range<usize>, wanted: impl Fn(&str) -> bool) {
        for (word, doc) in language::KEYWORDS.iter().filter(|(word, _)| wanted(word)) {
            if !self.seen.contains(*word) {
                self.push(word, ItemKind::Keyword, (range.clone(), (*word).to_owned())).about =
                    Some(Words::default().ours(doc).into());
            }
        }
    }

    /// The parameters that a call does not have yet, where an argument begins.
    fn keyword_arguments(&mut self, offset: usize, range: &Range<usize>) {
        let view = self.view;
        let call = view.code.call_at(offset).and_then(|call| view.code.term(call));
        let Some(TermKind::Call { function, arguments, inside, .. }) = call.map(|call| &call.kind) else { return };
        let before = view.snapshot.text(view.file).slice(inside.start.min(range.start)..range.start).into_owned();
        let begins = before.trim_end().is_empty() || before.trim_end().ends_with(',');
        let count = |marks: &[char]| before.matches(marks).count();
        if !begins || count(&['[', '{', '(']) > count(&[']', '}', ')']) {
            return;
        }
        let written: Vec<String> = match view.known(*function) {
            Some(Known::Function(_, function)) => {
                let named = function.parameters.into_iter().filter(|parameter| !parameter.starred);
                named.map(|parameter| parameter.written).collect()
            }
            Some(Known::Member(_, member) | Known::Builtin(member)) => {
                let signature = member.signature();
                let parameters = language::parameters(&signature).into_iter();
                let texts = parameters.filter_map(|range| signature.get(range));
                texts.filter(|text| text.contains('=')).map(str::to_owned).collect()
            }
            _ => return,
        };
        let place = |argument: &CallArgument| view.code.term(argument.value).map(|value| value.range.clone());
        let positional = arguments.iter().filter(|argument| {
            argument.name.is_none() && !argument.starred && place(argument).is_some_and(|value| value.end < range.start)
        });
        let all_written = matches!(view.known(*function), Some(Known::Function(..)));
        let skipped = if all_written { positional.count() } else { 0 };
        for parameter in written.iter().skip(skipped) {
            let name = parameter.split('=').next().unwrap_or_default();
            let given = |argument: &CallArgument| argument.name.as_ref().is_some_and(|(given, _)| given == name);
            if arguments.iter().any(given) {
                continue;
            }
            let label = format!("{name}=");
            let item = self.push(&label, ItemKind::Keyword, (range.clone(), label.clone()));
            item.detail = Some(parameter.clone());
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

/// Whether a statement can begin with a word where these blocks are open, the innermost last.
fn can_begin(word: &str, open: &[String]) -> bool {
    let is_in = |word: &str| open.iter().any(|block| block == word);
    let in_function = || open.iter().rev().take_while(|block| *block != "def");
    match word {
        "end" => !open.is_empty(),
        "elif" | "else" => open.last().is_some_and(|block| block == "if"),
        "return" => is_in("def"),
        "break" | "continue" => in_function().any(|block| matches!(block.as_str(), "for" | "while")),
        _ => true,
    }
}

/// Where a key is inserted.
enum KeyInsertion {
    /// After a dot.
    Attribute { name: Range<usize>, dot: usize },
    /// Between quotes.
    Text { content: Range<usize> },
}

impl KeyInsertion {
    /// The edit that names a key, and the text it is compared with.
    fn edit(&self, key: &str) -> Option<((Range<usize>, String), String)> {
        match self {
            KeyInsertion::Attribute { name, dot } => {
                if lofting_eval::is_field_name(key) {
                    Some(((name.clone(), key.to_owned()), key.to_owned()))
                } else if !key.contains(['"', '\\', '\n']) {
                    // What cannot follow a dot is an index.
                    Some(((*dot..name.end, format!("[\"{key}\"]")), format!(".{key}")))
                } else {
                    None
                }
            }
            KeyInsertion::Text { content } if !key.contains(['"', '\'', '\\', '\n']) => {
                Some(((content.clone(), key.to_owned()), key.to_owned()))
            }
            KeyInsertion::Text { .. } => None,
        }
    }
}

/// The expression that a string is compared with, alone or in a list: `value == "…"`, `value in ["…"]`.
fn compared(code: &Code, string: TermId) -> Option<TermId> {
    let after = code.terms.get(string.0 as usize + 1..)?;
    let mut of = string;
    for (index, term) in after.iter().enumerate() {
        match &term.kind {
            TermKind::Sequence { items, .. } if items.contains(&of) => {
                of = TermId(string.0 + 1 + u32::try_from(index).ok()?);
            }
            TermKind::Operation { operands, operators } => {
                let Some(at) = operands.iter().position(|operand| *operand == of) else { continue };
                let before = at.checked_sub(1);
                let wanted = if of == string { Operator::Comparison } else { Operator::In };
                return match before.and_then(|before| operators.get(before)) {
                    Some(operator) if *operator == wanted => operands.get(before?).copied(),
                    _ if of == string && operators.get(at) == Some(&wanted) => operands.get(at + 1).copied(),
                    _ => None,
                };
            }
            _ => {}
        }
    }
    None
}

/// The expression of which a string names a key: `value["…"]`, `getattr(value, "…")`, `"…" in value`.
fn holder(code: &Code, string: TermId) -> Option<TermId> {
    let after = code.terms.get(string.0 as usize + 1..)?;
    after.iter().find_map(|term| match &term.kind {
        TermKind::Index { of, key: Some(key), .. } if *key == string => Some(*of),
        TermKind::Call { function, arguments, .. } => {
            let place = arguments.iter().position(|argument| argument.value == string)?;
            match (&code.term(*function)?.kind, place) {
                (TermKind::Name(name), 1) if matches!(name.as_str(), "getattr" | "hasattr") => {
                    Some(arguments.first()?.value)
                }
                (TermKind::Attribute { of, name, .. }, 0) if matches!(name.as_str(), "get" | "pop" | "setdefault") => {
                    Some(*of)
                }
                _ => None,
            }
        }
        TermKind::Operation { operands, operators } => {
            let at = operands.iter().position(|operand| *operand == string)?;
            operands.get(at + 1).filter(|_| operators.get(at) == Some(&Operator::In)).copied()
        }
        _ => None,
    })
}

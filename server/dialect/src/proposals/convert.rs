//! Converts a schema of either proposal into ytt's own form: comments, code, order and layout stay, annotations change.
//!
//! Annotations without an equivalent in ytt stay as comments (`#! was: …`).

mod expressions;
mod names;
mod rules;

use self::names::Names;
use self::rules::Rules;
use super::{Form, ProposalReader, Site, note};
use crate::{head, ytt};
use lofting_document::{Document, DocumentSet, MapItem, Node, NodeValue, Note, Notes, OwnerKind, Span};
use lofting_overlay::NoFunctions;
use lofting_schema::{Kinds, Schema, SchemaId, SchemaNode};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The head of a schema that is in ytt's own form already: all of its annotations stay.
const SCHEMA: &str = "data/values-schema";

/// A schema in ytt's own form.
#[derive(Debug, Default)]
pub struct Converted {
    /// The texts of its files, one after the other.
    pub text: String,
    /// Annotations without an equivalent: those that stay as comments, and those of documents that functions make.
    pub kept: Vec<Span>,
}

/// Converts the schemas in the texts of files.
pub fn convert(files: &[(String, Arc<DocumentSet>)]) -> Converted {
    let (mut body, mut kept) = (String::new(), Vec::new());
    let mut names = Names::of(files.iter().map(|(text, _)| text.as_str()));
    let documents: Vec<&Document> = files.iter().flat_map(|(_, set)| &set.documents).collect();
    let form = head::form(&documents).unwrap_or(Form::Second);
    for (text, set) in files {
        let mut conversion = Conversion { text, form, edits: Vec::new(), names: &mut names, kept: &mut kept };
        for document in &set.documents {
            if head::is_proposal(document) {
                conversion.document(document);
            } else if !document.heads().any(|note| note.name == SCHEMA) {
                conversion.keep(&document.value);
            }
        }
        if !body.is_empty() && !body.ends_with('\n') {
            body.push('\n');
        }
        body.push_str(&conversion.finish());
    }
    let body: String = body.split_inclusive('\n').map(|line| names.without_new_functions(line)).collect();
    // ytt does not have this module; its rules are keywords or functions now.
    let body = names.without_unused("validations", &body);
    kept.sort_unstable_by_key(|span| (span.file, span.start));
    Converted { text: names.preamble() + &body, kept }
}

struct Conversion<'t> {
    text: &'t str,
    form: Form,
    edits: Vec<(Range<usize>, String)>,
    names: &'t mut Names,
    kept: &'t mut Vec<Span>,
}

/// A node that is being converted.
struct At<'n> {
    value: &'n Node,
    notes: &'n Notes,
    /// The key, dash or marker.
    name: Span,
    /// For a document: the offset of its annotations.
    head: Option<usize>,
}

impl<'t> Conversion<'t> {
    fn document(&mut self, document: &Document) {
        let mut reader = ProposalReader { form: self.form, host: &NoFunctions, nodes: Vec::new(), faults: Vec::new() };
        let declared = ytt::declared_document(document);
        let root = reader.node(&document.value, &document.notes, declared, Site::of(OwnerKind::Document));
        let schema = Schema::new(reader.nodes, root, &super::SEMANTICS);
        let places: FxHashMap<u32, SchemaId> =
            schema.nodes().map(|(id, node)| (node.declared.name.start, id)).collect();
        for head in document.heads() {
            let amends = head.name == "schema/amend";
            let more = if amends { "\n#@overlay/match-child-defaults missing_ok=True" } else { "" };
            self.edits.push((head.span.range(), format!("#@data/values-schema{more}")));
        }
        let head = document.heads().next().map(|head| head.span.range().end);
        let at = At { value: &document.value, notes: &document.notes, name: declared.name, head };
        self.node(&at, root, &schema, &places);
    }

    /// Documents have bounded depth, and so has this recursion.
    fn node(&mut self, at: &At<'_>, id: SchemaId, schema: &Schema, places: &FxHashMap<u32, SchemaId>) {
        let node = schema.node(id);
        let own = at.notes.annotations.iter().filter(|note| is_own(note)).collect::<Vec<&Note>>();
        let lines = self.lines(at, id, schema);
        let indentation = self.indentation(at.name.range().start);
        for note in &own {
            self.remove_line(note.span.range());
        }
        self.insert(at, &own, indentation, lines);
        self.value(at, node);
        if ends_typing(node) {
            return self.free(at, node, schema, places);
        }
        match &at.value.value {
            NodeValue::Map(items) => {
                for item in items {
                    let below = At { value: &item.value, notes: &item.notes, name: item.key_span, head: None };
                    if let Some(id) = places.get(&item.key_span.start) {
                        self.node(&below, *id, schema, places);
                    }
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    let below = At { value: &item.value, notes: &item.notes, name: item.span, head: None };
                    if let Some(id) = places.get(&item.span.start) {
                        self.node(&below, *id, schema, places);
                    }
                }
            }
            _ => {}
        }
    }

    /// ytt's annotations for what a node says.
    fn lines(&mut self, at: &At<'_>, id: SchemaId, schema: &Schema) -> Vec<String> {
        let node = schema.node(id);
        let mut lines = Vec::new();
        let text = self.text;
        let arguments = |note: &Note| text.get(note.arguments.range.clone()).unwrap_or_default().trim().to_owned();
        if let Some(note) = note(at.notes, "schema/title") {
            lines.push(format!("#@schema/title {}", arguments(note)));
        }
        if let Some(note) = note(at.notes, "schema/doc") {
            lines.push(format!("#@schema/desc {}", arguments(note)));
        }
        let mut examples = Vec::new();
        if let Some(note) = at.notes.get("schema/example") {
            examples.push(format!("(\"\", {})", arguments(note)));
        }
        if let Some(note) = at.notes.get("schema/examples") {
            let given = arguments(note);
            let listed = given.strip_prefix('[').and_then(|given| given.strip_suffix(']'));
            examples.push(listed.map_or(given.clone(), str::to_owned));
        }
        if !examples.is_empty() {
            lines.push(format!("#@schema/examples {}", examples.join(", ")));
        }
        if let Some(note) = at.notes.get("schema/deprecated") {
            let text = Some(arguments(note)).filter(|text| !text.is_empty());
            lines.push(format!("#@schema/deprecated {}", text.as_deref().unwrap_or("\"Deprecated.\"")));
        }
        let mut rules = Rules::default();
        let mut nullable = node.nullable || node.left_out;
        if let Some(note) = at.notes.get("schema/removed") {
            nullable = true;
            let text = arguments(note);
            let text = if text.is_empty() { "\"removed\"".to_owned() } else { format!("\"removed: \" + {text}") };
            rules.functions.push(format!("({text}, lambda v: False)"));
        } else {
            self.rules_of(at, id, schema, &mut rules);
        }
        let any = is_any(node);
        if any {
            lines.push("#@schema/type any=True".to_owned());
        } else if nullable {
            lines.push("#@schema/nullable".to_owned());
        }
        if let Some(note) = at.notes.get("schema/default").filter(|_| !node.left_out) {
            lines.push(format!("#@schema/default {}", arguments(note)));
        } else if node.nullable && !any && !at.notes.has("schema/nullable") && at.value.value != NodeValue::Null {
            // Null is one of the types, and the value is the default.
            let default = match &at.value.value {
                NodeValue::Map(_) => "{}".to_owned(),
                NodeValue::Array(_) => "[]".to_owned(),
                _ => expressions::literal(at.value),
            };
            lines.push(format!("#@schema/default {default}"));
        }
        if any && at.notes.has("schema/nullable") && !at.notes.has("schema/default") {
            lines.push("#@schema/default None".to_owned());
        }
        lines.extend(rules.line());
        lines
    }

    /// Inserts lines above a node.
    fn insert(&mut self, at: &At<'_>, own: &[&Note], indentation: usize, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let space = " ".repeat(indentation);
        let start = at.name.range().start;
        let line = self.line_start(start);
        if let Some(head) = at.head {
            let text: String = lines.iter().map(|line| format!("\n{line}")).collect();
            return self.edits.push((head..head, text));
        }
        let before = self.source(line..start);
        if before.trim().is_empty() {
            let text: String = lines.iter().map(|line| format!("{space}{line}\n")).collect();
            let first = own.first().map(|note| self.line_start(note.span.range().start)).filter(|first| *first < line);
            let place = first.unwrap_or(line);
            return self.edits.push((place..place, text));
        }
        // The first key after a dash: a line above would belong to the array item.
        if before.trim().chars().all(|c| c == '-') {
            let column = " ".repeat(start - line);
            let text: String = lines.iter().map(|line| format!("\n{column}{line}")).collect();
            self.edits.push((start..start, format!("{text}\n{column}")));
        }
    }

    /// Changes the value itself where ytt infers the type from it.
    fn value(&mut self, at: &At<'_>, node: &SchemaNode) {
        let range = at.value.span.range();
        let indentation = self.indentation(at.name.range().start);
        match &at.value.value {
            // The value determines the type.
            NodeValue::Null if !is_any(node) => {
                let says = [(Kinds::STRING, "\"\""), (Kinds::BOOL, "false"), (Kinds::FLOAT, "0.0"), (Kinds::INT, "0")];
                let end = self.value_begin(at);
                let said = says.iter().find(|(kind, _)| node.kinds.has(*kind)).map(|(_, said)| format!(" {said}"));
                self.edits.extend(said.map(|said| (end..end.max(range.end), said)));
            }
            NodeValue::Int(_) if node.kinds == Kinds::NUMBER => {
                self.edits.push((range.end..range.end, ".0".to_owned()))
            }
            NodeValue::Array(items) if items.is_empty() && node.array.is_some() && !is_any(node) => {
                let space = " ".repeat(indentation);
                let start = range.start - self.source(0..range.start).len()
                    + self.source(0..range.start).trim_end_matches(' ').len();
                self.edits.push((start..range.end, format!("\n{space}#@schema/type any=True\n{space}- null")));
            }
            _ => {}
        }
    }

    /// Below `any` there are no rules: annotations stay as comments, and undeclared keys are removed.
    fn free(&mut self, at: &At<'_>, node: &SchemaNode, schema: &Schema, places: &FxHashMap<u32, SchemaId>) {
        let free: Vec<u32> = node.map.iter().flat_map(|map| &map.free).map(|free| free.span.start).collect();
        let left_out = |key: Span| places.get(&key.start).is_some_and(|id| schema.node(*id).left_out);
        let NodeValue::Map(items) = &at.value.value else { return self.comment_out(at.value) };
        let is_free = |item: &MapItem| {
            left_out(item.key_span) || item.notes.annotations.iter().any(|note| free.contains(&note.span.start))
        };
        for item in items {
            self.comment_notes(&item.notes);
            if is_free(item) {
                let mut line = self.line_start(item.key_span.range().start);
                let end = item.value.span.range().end.max(item.key_span.range().end);
                while line < end {
                    let indentation =
                        self.source(line..end).len() - self.source(line..end).trim_start_matches(' ').len();
                    self.comment(line + indentation);
                    line = self
                        .text
                        .get(line..)
                        .and_then(|rest| rest.find('\n'))
                        .map_or(self.text.len(), |at| line + at + 1);
                }
            } else {
                self.comment_out(&item.value);
            }
        }
        if !items.is_empty() && items.iter().all(is_free) && at.head.is_none() {
            let begin = self.value_begin(at);
            self.edits.push((begin..begin, " {}".to_owned()));
        }
    }

    /// The offset after the colon of a key.
    fn value_begin(&self, at: &At<'_>) -> usize {
        let end = at.name.range().end;
        let rest = self.text.get(end..).unwrap_or_default();
        let after = rest.trim_start_matches(' ');
        if after.starts_with(':') { end + rest.len() - after.len() + 1 } else { end }
    }

    /// Turns the annotations below a value into comments.
    fn comment_out(&mut self, value: &Node) {
        below(value, &mut |notes| self.comment_notes(notes));
    }

    /// Notes the annotations below a value as kept.
    fn keep(&mut self, value: &Node) {
        below(value, &mut |notes| self.kept.extend(notes.annotations.iter().filter(|it| is_own(it)).map(|it| it.span)));
    }

    fn comment_notes(&mut self, notes: &Notes) {
        for note in notes.annotations.iter().filter(|note| is_own(note)) {
            self.kept.push(note.span);
            self.comment(note.span.range().start);
        }
    }

    fn comment(&mut self, start: usize) {
        if !self.edits.iter().any(|(range, text)| range.start == start && text == WAS) {
            self.edits.push((start..start, WAS.to_owned()));
        }
    }

    fn source(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }

    fn indentation(&self, at: usize) -> usize {
        let line = self.source(self.line_start(at)..self.text.len());
        line.len() - line.trim_start_matches(' ').len()
    }

    /// Removes a comment, and its line if nothing else is on it.
    fn remove_line(&mut self, comment: Range<usize>) {
        let line = self.line_start(comment.start);
        if self.source(line..comment.start).trim().is_empty() {
            let end = self.text.get(comment.end..).and_then(|rest| rest.find('\n'));
            self.edits.push((line..end.map_or(self.text.len(), |at| comment.end + at + 1), String::new()));
        } else {
            self.edits.push((comment, String::new()))
        }
    }

    /// The text with all edits, after the code that it needs.
    fn finish(mut self) -> String {
        // At one place, insertions come before removals.
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut body, mut at) = (String::new(), 0);
        for (range, text) in &self.edits {
            body.push_str(self.text.get(at..range.start.max(at)).unwrap_or_default());
            body.push_str(text);
            at = at.max(range.end);
        }
        body.push_str(self.text.get(at..).unwrap_or_default());
        body
    }
}

/// Calls `take` with the annotations of every node below a value.
fn below(value: &Node, take: &mut dyn FnMut(&Notes)) {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Map(items) => items.iter().for_each(|item| {
                take(&item.notes);
                open.push(&item.value);
            }),
            NodeValue::Array(items) => items.iter().for_each(|item| {
                take(&item.notes);
                open.push(&item.value);
            }),
            _ => {}
        }
    }
}

const WAS: &str = "#! was: ";

/// Whether it is an annotation of the proposals, but not a head.
fn is_own(note: &Note) -> bool {
    note.name.starts_with("schema/") && !lofting_document::SCHEMA_HEADS.contains(&note.name.as_str())
}

/// Whether ytt can only allow any value here.
fn is_any(node: &SchemaNode) -> bool {
    node.kinds == Kinds::ANY || node.kinds == Kinds::NULL || ends_typing(node) || node.kinds.is_several()
}

/// Whether the values below a node have no types any more.
fn ends_typing(node: &SchemaNode) -> bool {
    let free = node.map.as_deref().is_some_and(|map| !map.free.is_empty());
    free || node.kinds == Kinds::ANY || (node.kinds.is_several() && node.kinds.and(Kinds::COLLECTIONS) != Kinds::NONE)
}

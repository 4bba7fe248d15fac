//! Compiles the documents of a file into a program.

use crate::leave_out::LeftOut;
use lofting_document::{Document, DocumentSet, FileId, Key, Node, NodeValue, Note, Notes, Options, Span, lower};
use lofting_eval::code::is_text_template;
use lofting_eval::{
    Body, Data, NodeKind, ScalarText, Source, Statement, TemplateAnnotation, TemplateKey, TemplateNode,
    TemplateProgram, TextPart, node_bound,
};
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use std::ops::Range;

/// How the scalars of templates are read.
const PROFILE: Profile = Profile::Ytt;

/// A program, with the places that its indices stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The program.
    pub program: TemplateProgram,
    /// The file.
    pub file: FileId,
    /// Places of `program.nodes`, by index.
    pub places: Vec<NodePlace>,
    /// The annotations as written, by index in `program.annotations`.
    pub annotations: Vec<Note>,
    pub(crate) left_out: LeftOut,
}

impl Compiled {
    /// The program, to be handed over; its path stays, by which its places are found.
    pub fn take_program(&mut self) -> TemplateProgram {
        let path = self.program.path.clone();
        std::mem::replace(&mut self.program, TemplateProgram { path, ..TemplateProgram::default() })
    }

    /// A text template: only text, without nodes.
    pub fn text(file: FileId, path: &str) -> Compiled {
        let program = TemplateProgram { path: path.to_owned(), ..TemplateProgram::default() };
        Compiled { program, file, places: Vec::new(), annotations: Vec::new(), left_out: LeftOut::default() }
    }
}

/// The place of a node of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePlace {
    /// The whole item or document.
    pub span: Span,
    /// Its key, dash or marker.
    pub name: Span,
    /// Its value, or the expression that gives it.
    pub value: Span,
    /// The `---`, if the node is a document that has one.
    pub marker: Option<Span>,
}

/// Compiles a file. `path` is the file's path inside ytt; `options` are those for reading its documents.
pub fn compile(file: FileId, path: &str, tree: &Tree, options: Options) -> Compiled {
    let options = Options { for_evaluation: true, ..options };
    let set = lower(file, tree, PROFILE, options);
    let mut compiler = Compiler {
        tree,
        out: Compiled {
            program: TemplateProgram { path: path.to_owned(), ..TemplateProgram::default() },
            file,
            places: Vec::new(),
            annotations: Vec::new(),
            left_out: LeftOut::default(),
        },
    };
    compiler.set(&set);
    compiler.out
}

struct Compiler<'t> {
    tree: &'t Tree,
    out: Compiled,
}

impl Compiler<'_> {
    fn set(&mut self, set: &DocumentSet) {
        for document in &set.documents {
            self.document(document);
        }
        self.code_and_annotations(&set.tail, None);
        self.end(&set.tail);
    }

    fn document(&mut self, document: &Document) {
        let name = document.marker.unwrap_or(Span { end: document.value.span.start, ..document.value.span });
        let place = NodePlace { span: document.span, name, value: document.value.span, marker: document.marker };
        self.node(NodeKind::Document, None, None, &document.notes, &document.value, place, false);
    }

    /// Adds a node, with the code and annotations before it and everything below it.
    #[allow(clippy::too_many_arguments, reason = "one call per kind of node, all arguments are the node's parts")]
    fn node(
        &mut self,
        kind: NodeKind,
        parent: Option<u32>,
        key: Option<&Key>,
        notes: &Notes,
        value: &Node,
        place: NodePlace,
        templated: bool,
    ) {
        let index = self.out.program.nodes.len() as u32;
        let templated = templated || notes.has("yaml/text-templated-strings");
        let value_span = notes.computed.unwrap_or(place.value);
        self.out.places.push(NodePlace { value: value_span, ..place });
        // The node gets its index before its annotations, which refer to it.
        self.out.program.nodes.push(TemplateNode {
            kind,
            parent,
            key: key.map(|key| self.key(key, place.name, templated)),
            body: self.body(notes, value, templated),
            range: (place.name.start, place.name.end),
        });
        self.code_and_annotations(notes, Some(index));
        self.out.program.statements.push(Statement::Node(index));
        if notes.computed.is_none() {
            self.below(index, value, templated);
        }
        self.end(notes);
    }

    /// Adds the items of a node's value.
    fn below(&mut self, index: u32, value: &Node, templated: bool) {
        match &value.value {
            NodeValue::Map(items) => {
                for item in items {
                    let place =
                        NodePlace { span: item.span, name: item.key_span, value: item.value.span, marker: None };
                    self.node(
                        NodeKind::MapItem,
                        Some(index),
                        Some(&item.key),
                        &item.notes,
                        &item.value,
                        place,
                        templated,
                    );
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    let place = NodePlace { span: item.span, name: item.span, value: item.value.span, marker: None };
                    self.node(NodeKind::ArrayItem, Some(index), None, &item.notes, &item.value, place, templated);
                }
            }
            _ => {}
        }
    }

    /// Ends the block of a head like `if/end` above a node; there is at most one (docs/ytt.md 7.1).
    fn end(&mut self, notes: &Notes) {
        let is_bound = |code: &Span| node_bound(&self.tree.text(code.range())).is_some();
        if notes.code.iter().any(is_bound) {
            self.out.program.statements.push(Statement::End);
        }
    }

    /// Adds statements for the comments that a node owns, in the order written.
    fn code_and_annotations(&mut self, notes: &Notes, node: Option<u32>) {
        enum Comment<'n> {
            Code(Span),
            Annotation(&'n Note),
        }
        let mut comments: Vec<(u32, Comment<'_>)> =
            notes.code.iter().map(|span| (span.start, Comment::Code(*span))).collect();
        comments.extend(notes.annotations.iter().map(|note| (note.span.start, Comment::Annotation(note))));
        comments.sort_by_key(|(start, _)| *start);
        for (_, comment) in comments {
            match comment {
                Comment::Code(span) => {
                    let source = self.source(span);
                    self.out.program.statements.push(Statement::Code(source));
                }
                // Annotations after the last node are not part of any result, but their arguments are evaluated.
                Comment::Annotation(note) => {
                    let index = self.out.program.annotations.len() as u32;
                    let arguments = Span::new(note.span.file, note.arguments.range.clone());
                    self.out.program.annotations.push(TemplateAnnotation {
                        node: node.unwrap_or(u32::MAX),
                        name: note.name.to_string(),
                        arguments: self.source(arguments),
                    });
                    self.out.annotations.push(note.clone());
                    self.out.program.statements.push(Statement::Annotation(index));
                }
            }
        }
    }

    fn source(&self, span: Span) -> Source {
        Source { text: self.tree.text(span.range()).into_owned(), start: span.start }
    }

    fn key(&self, key: &Key, span: Span, templated: bool) -> TemplateKey {
        match key {
            Key::String(text) if templated && is_text_template(text) => TemplateKey::Text(self.scalar_text(text, span)),
            Key::String(text) => TemplateKey::Data(Data::String(text.clone())),
            Key::Collection(_) => TemplateKey::Collection,
            Key::Null => TemplateKey::Data(Data::None),
            Key::Bool(value) => TemplateKey::Data(Data::Bool(*value)),
            Key::Int(value) => TemplateKey::Data(Data::Int(*value)),
            Key::Float(bits) => TemplateKey::Data(Data::Float(f64::from_bits(*bits))),
        }
    }

    fn body(&self, notes: &Notes, value: &Node, templated: bool) -> Body {
        if let Some(code) = notes.computed {
            return Body::Expression(self.source(code));
        }
        match &value.value {
            NodeValue::Map(_) => Body::Map,
            NodeValue::Array(_) => Body::Array,
            NodeValue::String(text) if templated && is_text_template(text) => {
                Body::Text(self.scalar_text(text, value.span))
            }
            NodeValue::String(text) => Body::Scalar(Data::String(text.clone())),
            NodeValue::Bool(value) => Body::Scalar(Data::Bool(*value)),
            NodeValue::Int(value) => Body::Scalar(Data::Int(*value)),
            NodeValue::Float(value) => Body::Scalar(Data::Float(*value)),
            NodeValue::Null | NodeValue::Unknown => Body::Scalar(Data::None),
        }
    }

    /// The text of a scalar, with the places of its parts; those of a text that is not that of the scalar at this place
    /// begin with it.
    fn scalar_text(&self, text: &str, span: Span) -> ScalarText {
        // After anchor and tag.
        let scalar = span.range().end.checked_sub(1).and_then(|end| self.tree.scalar_at(end));
        let Some(scalar) = scalar.filter(|scalar| scalar.value_in(PROFILE) == text) else {
            return ScalarText::verbatim(text, span.start);
        };
        let part = |(meant, written): (Range<usize>, Range<usize>)| TextPart {
            meant: meant.start as u32..meant.end as u32,
            written: written.start as u32..written.end as u32,
        };
        ScalarText { text: text.to_owned(), parts: scalar.origins(PROFILE).parts().map(part).collect() }
    }
}

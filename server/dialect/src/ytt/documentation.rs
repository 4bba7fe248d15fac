//! `@schema/title`, `desc`, `examples`, `deprecated` (docs/ytt.md 9.5).

use super::YttReader;
use super::problem::{ExampleArgument, ProblemKind, TextArgument};
use lofting_document::{Note, Notes, OwnerKind, Span, from_expression};
use lofting_eval::{Expr, ExprKind};
use lofting_schema::{Example, SchemaNode, Text};

impl YttReader {
    pub(super) fn documentation(&mut self, node: &mut SchemaNode, notes: &Notes, place: OwnerKind) {
        if notes.annotations.is_empty() {
            return;
        }
        node.docs.title = self.text(node, notes, "schema/title");
        node.docs.description = self.text(node, notes, "schema/desc");
        if node.docs.description.is_none()
            && let Some(note) = notes.get("schema/doc")
            && let [text] = note.arguments.positional.as_slice()
            && let Some(text) = literal(note, text)
        {
            // The name in the design documents. ytt accepts any arguments and ignores them.
            node.docs.description = Some(text);
            node.docs.from_doc = true;
        }
        if let Some(note) = notes.get("schema/examples") {
            self.examples(node, note);
        }
        if place == OwnerKind::Document
            && let Some(note) = notes.get("schema/deprecated")
        {
            self.problem(node.declared, Some(note), note.name_span, ProblemKind::DeprecatedOnDocument);
        } else {
            node.docs.deprecated = self.text(node, notes, "schema/deprecated");
        }
    }

    /// The text argument of an annotation. A text that needs evaluation is empty.
    fn text(&mut self, node: &SchemaNode, notes: &Notes, name: &str) -> Option<Text> {
        let note = notes.get(name)?;
        let arguments = &note.arguments;
        let unknown = Some(Text { text: String::new(), span: note.span });
        if !arguments.errors.is_empty() || arguments.starred {
            return unknown;
        }
        let at = |range: &std::ops::Range<usize>| Span::new(note.span.file, range.clone());
        let (wrong, span) = match (arguments.keywords.first(), arguments.positional.as_slice()) {
            (Some(keyword), _) => (TextArgument::Keyword(keyword.name.clone()), at(&keyword.name_range)),
            (None, []) => (TextArgument::Missing, note.name_span),
            (None, [only]) => match (literal(note, only), only.type_name()) {
                (Some(text), _) => return Some(text),
                (None, Some(found)) => (TextArgument::NotText(found.into()), at(&only.range)),
                (None, None) => return unknown,
            },
            (None, [_, second, ..]) => (TextArgument::Several(arguments.positional.len()), at(&second.range)),
        };
        self.problem(node.declared, Some(note), span, ProblemKind::Text { name: note.name.clone(), wrong });
        None
    }

    fn examples(&mut self, node: &mut SchemaNode, note: &Note) {
        let arguments = &note.arguments;
        let at = |range: &std::ops::Range<usize>| Span::new(note.span.file, range.clone());
        if !arguments.errors.is_empty() {
            return;
        }
        if let Some(keyword) = arguments.keywords.first() {
            let wrong = ExampleArgument::Keyword(keyword.name.clone());
            self.problem(node.declared, Some(note), at(&keyword.name_range), ProblemKind::Examples { wrong });
            return;
        }
        if arguments.positional.is_empty() && !arguments.starred {
            let kind = ProblemKind::Examples { wrong: ExampleArgument::Missing };
            self.problem(node.declared, Some(note), note.name_span, kind);
            return;
        }
        for argument in &arguments.positional {
            match example(note, argument) {
                Ok(example) => node.docs.examples.extend(example),
                Err((wrong, span)) => self.problem(node.declared, Some(note), span, ProblemKind::Examples { wrong }),
            }
        }
    }
}

/// A pair `(description, value)`; `None` if it needs evaluation.
fn example(note: &Note, argument: &Expr) -> Result<Option<Example>, (ExampleArgument, Span)> {
    let span = Span::new(note.span.file, argument.range.clone());
    let ExprKind::Tuple(parts) = &argument.kind else {
        return argument.type_name().map_or(Ok(None), |found| Err((ExampleArgument::NotTuple(found.into()), span)));
    };
    let [description, value] = parts.as_slice() else {
        return Err((ExampleArgument::Length(parts.len()), span));
    };
    let description = match (description.as_str(), description.type_name()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(found)) => {
            let span = Span::new(note.span.file, description.range.clone());
            return Err((ExampleArgument::Description(found.into()), span));
        }
        (None, None) => String::new(),
    };
    if let Some((part, kind)) = value.not_data() {
        return Err((ExampleArgument::NotData(kind.into()), Span::new(note.span.file, part.range.clone())));
    }
    Ok(Some(Example { description, value: from_expression(note.span.file, value), span }))
}

fn literal(note: &Note, expression: &Expr) -> Option<Text> {
    let span = Span::new(note.span.file, expression.range.clone());
    expression.as_str().map(|text| Text { text: text.to_owned(), span })
}

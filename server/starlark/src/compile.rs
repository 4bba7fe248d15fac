//! Compiles a program of statements into one Starlark text, keeping the origin of every byte.

use std::ops::Range;

use lofting_eval::{
    Body, EvalError, EvalErrorKind, ReadError, ScalarText, Source, Statement, TemplateKey, TemplateProgram, node_bound,
    read_arguments_at, read_expression_at, write_string,
};

use crate::mapped::{Mapped, OriginRange};
use crate::rewrite::{Code, NodeLine, ProgramItem, RewriteError, TextLine, check, logical_lines, rewrite};
use crate::text_template::{self, TemplatePiece};

/// Compiles a YAML template; `file` is the program's number in places.
pub(crate) fn template(program: &TemplateProgram, file: u32) -> Result<Mapped, RewriteError> {
    let mut compiler = Compiler { program, file, items: Vec::new(), code: Mapped::default() };
    // All code of a node runs before its annotations, in whatever order they are written.
    let mut annotations: Vec<u32> = Vec::new();
    for statement in &program.statements {
        match statement {
            Statement::Code(source) => compiler.code_line(source),
            Statement::Annotation(index) => annotations.push(*index),
            Statement::Node(node) => {
                compiler.annotations(&mut annotations)?;
                compiler.node(*node)?;
            }
            Statement::End => {
                compiler.annotations(&mut annotations)?;
                compiler.items.push(ProgramItem::End);
            }
        }
    }
    compiler.annotations(&mut annotations)?;
    rewrite(&compiler.items)
}

/// Compiles a `.star` file.
pub(crate) fn starlark(text: &str, file: u32) -> Result<Mapped, RewriteError> {
    let mut code = Mapped::default();
    code.source(text, file, 0);
    rewrite(&code_items(&code).collect::<Vec<_>>())
}

/// Compiles a text template.
pub(crate) fn text(text: &str, file: u32) -> Result<Mapped, RewriteError> {
    let mut items = vec![text_line("__text()")];
    text_items(&ScalarText::verbatim(text, 0), file, &mut items)?;
    rewrite(&items)
}

struct Compiler<'a> {
    program: &'a TemplateProgram,
    file: u32,
    items: Vec<ProgramItem>,
    /// The code comments so far: brackets may stay open from one to the next.
    code: Mapped,
}

impl Compiler<'_> {
    fn code_line(&mut self, source: &Source) {
        if let Some(keyword) = node_bound(&source.text) {
            return self.head(source, keyword);
        }
        // Leading white space is removed, unless the line continues one that ends in a backslash (docs/ytt.md 7.1).
        let continues = self.code.text.ends_with("\\\n");
        let text = if continues { source.text.as_str() } else { source.text.trim_start_matches([' ', '\t']) };
        let skipped = source.text.len() - text.len();
        self.code.source(text, self.file, source.start + skipped as u32);
        self.code.own("\n");
    }

    /// The head of a node-bound block, without its `/end`.
    fn head(&mut self, source: &Source, keyword: &str) {
        self.flush();
        let start = source.text.len() - source.text.trim_start().len();
        let after = start + keyword.len() + "/end".len();
        let mut line = Mapped::default();
        line.source(keyword, self.file, source.start + start as u32);
        line.source(source.text.get(after..).unwrap_or(""), self.file, source.start + after as u32);
        self.items.push(ProgramItem::Code(Code { line, node_bound: true }));
    }

    fn flush(&mut self) {
        let code = std::mem::take(&mut self.code);
        if !code.text.is_empty() {
            self.items.extend(code_items(&code));
        }
    }

    /// Writes the code collected so far, then the annotations.
    fn annotations(&mut self, annotations: &mut Vec<u32>) -> Result<(), RewriteError> {
        self.flush();
        annotations.drain(..).try_for_each(|index| self.annotation(index))
    }

    fn annotation(&mut self, index: u32) -> Result<(), RewriteError> {
        let Some(annotation) = self.program.annotations.get(index as usize) else { return Ok(()) };
        let source = &annotation.arguments;
        // ytt puts the name between quotes, so these characters would end the quotes (docs/ytt.md 5.3).
        if annotation.name.contains(['"', '\\']) {
            let message = "there must be a space between an annotation's name and its arguments";
            let end = if source.text.is_empty() { source.start } else { source.start.saturating_sub(1) };
            let start = end.saturating_sub(annotation.name.len() as u32);
            let error = EvalError::new(EvalErrorKind::Syntax, message);
            return Err(RewriteError { error, origin: Some((self.file, start..end)) });
        }
        refuse(&read_arguments_at(&source.text, source.start as usize).errors, |range| self.origin(range))?;
        let arguments = self.checked(source)?;
        let mut line = Mapped::default();
        line.own(&format!("__annotate({}, {index}, ", self.file));
        line.copy(&arguments, 0..arguments.text.len());
        line.own(")");
        self.items.push(ProgramItem::Node(NodeLine { lines: vec![line], starts: false }));
        Ok(())
    }

    /// A range of the file.
    fn origin(&self, range: Range<usize>) -> Option<OriginRange> {
        Some((self.file, range.start as u32..range.end as u32))
    }

    fn checked(&self, source: &Source) -> Result<Mapped, RewriteError> {
        let mut code = Mapped::default();
        code.source(&source.text, self.file, source.start);
        check(&code)?;
        Ok(code)
    }

    fn node(&mut self, index: u32) -> Result<(), RewriteError> {
        let Some(node) = self.program.nodes.get(index as usize) else { return Ok(()) };
        let mut line = Mapped::default();
        line.own(&format!("__node({}, {index})", self.file));
        let mut lines = vec![line];
        if let Body::Expression(source) = &node.body {
            refuse(&read_expression_at(&source.text, source.start as usize).errors, |range| self.origin(range))?;
            let expression = self.checked(source)?;
            let mut line = Mapped::default();
            line.own("__value((");
            line.copy(&expression, 0..expression.text.len());
            line.own("))");
            lines.push(line);
        }
        self.items.push(ProgramItem::Node(NodeLine { lines, starts: true }));
        if let Some(TemplateKey::Text(source)) = &node.key {
            self.text(source, "__text_key()")?;
        }
        if let Body::Text(source) = &node.body {
            self.text(source, "__text_value()")?;
        }
        Ok(())
    }

    fn text(&mut self, source: &ScalarText, end: &str) -> Result<(), RewriteError> {
        self.items.push(text_line("__text()"));
        text_items(source, self.file, &mut self.items)?;
        self.items.push(text_line(end));
        Ok(())
    }
}

/// The logical lines of a stretch of code.
pub(crate) fn code_items(code: &Mapped) -> impl Iterator<Item = ProgramItem> {
    logical_lines(code).into_iter().map(|line| ProgramItem::Code(Code { line, node_bound: false }))
}

fn text_line(text: &str) -> ProgramItem {
    let mut line = Mapped::default();
    line.own(text);
    ProgramItem::Text(TextLine { line, writes: false })
}

/// The pieces of a text template, as items that write them.
fn text_items(source: &ScalarText, file: u32, items: &mut Vec<ProgramItem>) -> Result<(), RewriteError> {
    let whole = Mapped::scalar(source, file);
    // Nothing that is missing has a place of its own.
    let origin = |range: Range<usize>| match whole.origin(range.clone()) {
        Some((file, found)) if range.is_empty() && range.start < whole.text.len() => {
            Some((file, found.start..found.start))
        }
        found => found,
    };
    let part = |range: Range<usize>| {
        let mut code = Mapped::default();
        code.copy(&whole, range);
        code
    };
    let pieces = text_template::pieces(&source.text).map_err(|error| RewriteError {
        error: EvalError::new(EvalErrorKind::Syntax, error.message),
        origin: origin(error.range),
    })?;
    for piece in pieces {
        match piece {
            TemplatePiece::Text(text) => {
                let mut line = Mapped::default();
                line.own(&format!("__write({})", write_string(text)));
                items.push(ProgramItem::Text(TextLine { line, writes: true }));
            }
            TemplatePiece::Expression(range) => {
                let around = source.text.get(range.clone()).unwrap_or("");
                // What is wrong with the expression is not wrong with the white space around it.
                let text = around.trim();
                let start = range.start + around.len() - around.trim_start().len();
                refuse(&read_expression_at(text, start).errors, origin)?;
                let code = part(start..start + text.len());
                check(&code)?;
                let mut line = Mapped::default();
                line.own("__write((");
                line.copy(&code, 0..code.text.len());
                line.own("))");
                items.push(ProgramItem::Text(TextLine { line, writes: true }));
            }
            TemplatePiece::Code(range) => items.extend(code_items(&part(range))),
        }
    }
    Ok(())
}

/// Compilation ends at the first thing that the reader refuses, because ytt refuses it as well.
fn refuse(errors: &[ReadError], origin: impl FnOnce(Range<usize>) -> Option<OriginRange>) -> Result<(), RewriteError> {
    match errors.first() {
        None => Ok(()),
        Some(error) => Err(RewriteError {
            error: EvalError::new(EvalErrorKind::Syntax, error.message.clone()),
            origin: origin(error.range.clone()),
        }),
    }
}

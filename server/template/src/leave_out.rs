//! Leaves parts of a program out that cannot be run, so that one half-typed line does not make the whole file unknown.

use crate::compile::Compiled;
use lofting_document::Note;
use lofting_eval::{Body, Data, Source, Statement, TokenKind, lex, node_bound};
use std::ops::Range;

/// The parts that were left out of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LeftOut {
    /// Annotations that are not evaluated: they keep their arguments as written.
    annotations: Vec<(u32, u32)>,
    /// Nodes whose values are not evaluated.
    values: Vec<u32>,
}

impl Compiled {
    /// Leaves out the code that contains the bytes of `range`, if possible: the arguments of an annotation, the value
    /// of a node, or a statement. A statement that begins or ends a block is left out only if `blocks` is set. Returns
    /// whether something was left out.
    pub fn leave_out(&mut self, range: Range<u32>, blocks: bool) -> bool {
        let holds = |source: &Source| {
            let end = source.start + source.text.len() as u32;
            source.start <= range.start && range.start <= end
        };
        let annotations = &self.program.annotations;
        let statement = self.program.statements.iter().position(|statement| match statement {
            Statement::Annotation(index) => {
                annotations.get(*index as usize).is_some_and(|annotation| holds(&annotation.arguments))
            }
            Statement::Code(source) => holds(source) && (blocks || !begins_or_ends_block(&source.text)),
            Statement::Node(_) | Statement::End => false,
        });
        if let Some(statement) = statement {
            match self.program.statements.remove(statement) {
                Statement::Annotation(index) => {
                    if let Some(annotation) = self.program.annotations.get(index as usize) {
                        self.left_out.annotations.push((annotation.node, index));
                    }
                }
                Statement::Code(source) if node_bound(&source.text).is_some() => self.leave_out_end(statement),
                _ => {}
            }
            return true;
        }
        let node = self.program.nodes.iter_mut().enumerate().find(|(_, node)| match &node.body {
            Body::Expression(source) => holds(source),
            Body::Text(text) => match (text.parts.first(), text.parts.last()) {
                (Some(first), Some(last)) => first.written.start <= range.start && range.start <= last.written.end,
                _ => false,
            },
            _ => false,
        });
        let Some((index, node)) = node else { return false };
        node.body = Body::Scalar(Data::None);
        self.left_out.values.push(index as u32);
        true
    }

    /// Leaves out the end of the node-bound block whose head was before the statement at `from`.
    fn leave_out_end(&mut self, from: usize) {
        let mut open = 0usize;
        let end = self.program.statements.iter().skip(from).position(|statement| match statement {
            Statement::End => match open.checked_sub(1) {
                Some(left) => {
                    open = left;
                    false
                }
                None => true,
            },
            Statement::Code(source) => {
                open += usize::from(node_bound(&source.text).is_some());
                false
            }
            _ => false,
        });
        if let Some(end) = end {
            self.program.statements.remove(from + end);
        }
    }

    /// The annotations of a node that were not evaluated, as written.
    pub(crate) fn unevaluated(&self, node: u32) -> impl Iterator<Item = Note> {
        let left_out = self.left_out.annotations.iter().filter(move |(of, _)| *of == node);
        left_out.filter_map(|(_, annotation)| self.annotations.get(*annotation as usize).cloned())
    }

    /// Whether the value of a node was left out.
    pub(crate) fn is_unknown(&self, node: u32) -> bool {
        self.left_out.values.contains(&node)
    }
}

/// Without such statements, other lines would belong to other blocks.
fn begins_or_ends_block(code: &str) -> bool {
    let tokens = lex(code, 0);
    let significant = || tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Newline | TokenKind::Comment));
    let word = significant().next().and_then(|token| code.get(token.range.clone())).unwrap_or_default();
    let ends_with_colon = significant().next_back().is_some_and(|last| last.kind == TokenKind::Punct(":"));
    let count = |marks: &[&str]| {
        significant().filter(|token| matches!(token.kind, TokenKind::Punct(mark) if marks.contains(&mark))).count()
    };
    let in_brackets = count(&["(", "[", "{"]) > count(&[")", "]", "}"]);
    matches!(word, "if" | "for" | "while" | "def" | "elif" | "else" | "end") || ends_with_colon && !in_brackets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use lofting_document::{FileId, Options};
    use lofting_syntax::parse;

    const TEXT: &str = "#@ x = 1 +\n#@ if x:\n#@schema/desc \"a\nk: #@ f(\n#@ end\n";

    /// After leaving out the line with `needle`: the number of remaining statements and of nodes with unknown values.
    fn left(needle: &str, blocks: bool) -> Option<(usize, usize)> {
        let mut compiled = compile(FileId(0), "a.yml", &parse(TEXT), Options::default());
        let at = TEXT.find(needle).expect("it is there") as u32;
        let statements = compiled.program.statements.len();
        compiled.leave_out(at..at + 1, blocks).then(|| {
            let unknown = (0..compiled.program.nodes.len() as u32).filter(|node| compiled.is_unknown(*node)).count();
            (statements - compiled.program.statements.len(), unknown)
        })
    }

    #[test]
    fn statements_arguments_and_values_are_left_out() {
        assert_eq!(left("x = 1", false), Some((1, 0)));
        assert_eq!(left("\"a", false), Some((1, 0)));
        assert_eq!(left("f(", false), Some((0, 1)));
    }

    #[test]
    fn blocks_stay_whole() {
        assert_eq!(left("if x", false), None);
        assert_eq!(left("end", false), None);
        assert_eq!(left("if x", true), Some((1, 0)));
    }

    #[test]
    fn the_end_of_a_node_bound_block_goes_with_its_head() {
        let text = "#@ if/end x y:\na:\n  #@ if/end z:\n  b: 1\n";
        let mut compiled = compile(FileId(0), "a.yml", &parse(text), Options::default());
        let ends = |compiled: &Compiled| compiled.program.statements.iter().filter(|s| **s == Statement::End).count();
        assert_eq!(ends(&compiled), 2);
        assert!(compiled.leave_out(12..13, true));
        assert_eq!(ends(&compiled), 1);
        assert_eq!(compiled.program.statements.last(), Some(&Statement::End));
    }

    #[test]
    fn an_annotation_that_is_left_out_keeps_what_is_written() {
        let mut compiled = compile(FileId(0), "a.yml", &parse(TEXT), Options::default());
        let at = TEXT.find("\"a").expect("it is there") as u32;
        assert!(compiled.leave_out(at..at, false));
        let names = |node| compiled.unevaluated(node).map(|note| note.name.to_string()).collect::<Vec<_>>();
        let all: Vec<String> = (0..compiled.program.nodes.len() as u32).flat_map(names).collect();
        assert_eq!(all, ["schema/desc"]);
    }
}

//! Converts ytt's blocks, which `end` closes and for which indentation has no meaning, into indented ones.
//!
//! It works on tokens, so strings, comments and open brackets are respected. [`Mapped`] keeps the origin of the text.
//! Code that ytt refuses and the interpreter would accept is refused here.

use std::ops::Range;

use lofting_eval::{EvalError, EvalErrorKind, TokenKind, lex};

use crate::line::{Line, examine};
use crate::mapped::Mapped;

/// One piece of a program, before blocks are resolved.
pub(crate) enum ProgramItem {
    Code(Code),
    /// A generated statement for a YAML node or one of its annotations.
    Node(NodeLine),
    /// The end of the node of a node-bound block and everything below it.
    End,
    /// A generated statement for a part of a text template.
    Text(TextLine),
}

/// A logical line of code: its text may span several lines.
pub(crate) struct Code {
    pub(crate) line: Mapped,
    /// It is the head of a block that ends with the next node (`if/end`).
    pub(crate) node_bound: bool,
}

/// A statement of a text template.
pub(crate) struct TextLine {
    pub(crate) line: Mapped,
    /// It writes text, so a function around it returns text.
    pub(crate) writes: bool,
}

/// What a function with nodes or text in its body returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Nodes,
    Text,
}

/// Statements for a node.
pub(crate) struct NodeLine {
    /// The statements, one line each.
    pub(crate) lines: Vec<Mapped>,
    /// It starts the node; otherwise it is one of the node's annotations.
    pub(crate) starts: bool,
}

/// Names in generated code. None of them can clash with a user's name.
pub(crate) mod names {
    pub(crate) const ENTER: &str = "__enter";
    pub(crate) const LEAVE: &str = "__leave";
    pub(crate) const LEAVE_WITH: &str = "__leave_with";
    pub(crate) const TEXT_ENTER: &str = "__text";
    pub(crate) const TEXT_LEAVE: &str = "__text_leave";
    pub(crate) const TEXT_LEAVE_WITH: &str = "__text_leave_with";
    pub(crate) const EARLY_RETURN: &str = "__early_return";
}

/// An error in a mapped text, which the caller locates in the source.
pub(crate) struct RewriteError {
    pub(crate) error: EvalError,
    pub(crate) origin: Option<(u32, Range<u32>)>,
}

/// A syntax error in a mapped text.
pub(crate) fn syntax(mapped: &Mapped, range: Range<usize>, message: impl Into<String>) -> RewriteError {
    RewriteError { error: EvalError::new(EvalErrorKind::Syntax, message), origin: mapped.origin(range) }
}

/// How deeply blocks may nest.
const MAX_BLOCKS: usize = lofting_eval::MAX_NESTING;

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Def,
    Loop,
    If,
}

struct Block {
    kind: BlockKind,
    /// Index of the item that opened it.
    opener: usize,
    /// It ends with the next node (`if/end`), which has not started yet.
    waits_for_node: bool,
    /// Whether nothing has been written in it since it was opened or continued.
    empty: bool,
    /// It is a function with YAML nodes or text in its body.
    gives: Option<Gives>,
}

/// Splits code into logical lines. A bracket or string that stays open takes everything after it. What follows an `end` is
/// a line of its own, as for ytt.
pub(crate) fn logical_lines(code: &Mapped) -> Vec<Mapped> {
    let mut lines = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    // Where the line may end because there is only an `end` so far, and whether there is nothing so far.
    let (mut after_end, mut is_first) = (None, true);
    for token in lex(&code.text, 0) {
        match token.kind {
            TokenKind::Newline if depth == 0 => (after_end, is_first) = (None, true),
            TokenKind::Newline | TokenKind::Comment => {}
            _ => {
                if let Some(end) = after_end.take() {
                    let mut line = Mapped::default();
                    line.copy(code, start..end);
                    lines.push(line);
                    (start, is_first) = (token.range.start, true);
                }
                let is_end = token.kind == TokenKind::Name && code.text.get(token.range.clone()) == Some("end");
                after_end = (is_first && is_end).then_some(token.range.end);
                is_first = false;
            }
        }
        match token.kind {
            TokenKind::Punct("(" | "[" | "{") => depth += 1,
            TokenKind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
            TokenKind::Newline if depth == 0 => {
                let mut line = Mapped::default();
                line.copy(code, start..token.range.start);
                lines.push(line);
                start = token.range.end;
            }
            _ => {}
        }
    }
    let mut line = Mapped::default();
    line.copy(code, start..code.text.len());
    lines.push(line);
    lines
}

/// Turns items into one indented text.
pub(crate) fn rewrite(items: &[ProgramItem]) -> Result<Mapped, RewriteError> {
    let lines = items.iter().map(|item| match item {
        ProgramItem::Code(code) => examine(&code.line).map(Some),
        ProgramItem::Node(_) | ProgramItem::Text(_) | ProgramItem::End => Ok(None),
    });
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    let with_nodes = functions_with_nodes(items, &lines);
    ProgramWriter { out: Mapped::default(), blocks: Vec::new(), with_nodes }.write(items, &lines)
}

/// Checks an expression or argument list.
pub(crate) fn check(code: &Mapped) -> Result<(), RewriteError> {
    examine(code).map(drop)
}

/// For every item that opens a function with YAML nodes or text in its body: the index of the first of these, and their
/// kind.
fn functions_with_nodes(items: &[ProgramItem], lines: &[Option<Line>]) -> Vec<Option<(usize, Gives)>> {
    let mut first_node = vec![None; items.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item {
            ProgramItem::Node(_) => {
                if let Some((opener, _)) = open.iter().rev().find(|(_, is_def)| *is_def)
                    && let Some(slot) = first_node.get_mut(*opener)
                {
                    slot.get_or_insert((index, Gives::Nodes));
                }
            }
            ProgramItem::End => {
                open.pop();
            }
            ProgramItem::Text(text) => {
                if text.writes
                    && let Some((opener, _)) = open.iter().rev().find(|(_, is_def)| *is_def)
                    && let Some(slot) = first_node.get_mut(*opener)
                {
                    slot.get_or_insert((index, Gives::Text));
                }
            }
            ProgramItem::Code(_) => {
                let Some(Some(line)) = lines.get(index) else { continue };
                match line.keyword {
                    Some("end") if line.tokens.len() == 1 => {
                        open.pop();
                    }
                    Some("elif" | "else") => {}
                    _ if line.opens => open.push((index, line.keyword == Some("def"))),
                    _ => {}
                }
            }
        }
    }
    first_node
}

struct ProgramWriter {
    out: Mapped,
    blocks: Vec<Block>,
    with_nodes: Vec<Option<(usize, Gives)>>,
}

impl ProgramWriter {
    fn write(mut self, items: &[ProgramItem], lines: &[Option<Line>]) -> Result<Mapped, RewriteError> {
        for (index, item) in items.iter().enumerate() {
            match (item, lines.get(index)) {
                (ProgramItem::Node(node), _) => self.node(node),
                (ProgramItem::Text(TextLine { line, .. }), _) => {
                    self.fill();
                    self.indent();
                    self.out.copy(line, 0..line.text.len());
                    self.out.own("\n");
                }
                (ProgramItem::Code(code), Some(Some(line))) => self.code(index, code, line)?,
                (ProgramItem::Code(_), _) => {}
                (ProgramItem::End, _) => self.close(),
            }
        }
        if let Some(block) = self.blocks.first() {
            let message = "mismatched set of block openings (if/else/elif/for/def) and closing (end)";
            return Err(match items.get(block.opener) {
                Some(ProgramItem::Code(Code { line, .. })) => syntax(line, 0..line.text.len(), message),
                _ => RewriteError { error: EvalError::new(EvalErrorKind::Syntax, message), origin: None },
            });
        }
        Ok(self.out)
    }

    fn depth(&self) -> usize {
        self.blocks.len()
    }

    fn indent(&mut self) {
        let depth = self.depth();
        self.out.own(&" ".repeat(depth));
    }

    fn own_line(&mut self, text: &str) {
        self.indent();
        self.out.own(text);
        self.out.own("\n");
    }

    /// Notes that the innermost block is not empty.
    fn fill(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.empty = false;
        }
    }

    fn node(&mut self, node: &NodeLine) {
        if node.starts
            && let Some(block) = self.blocks.last_mut()
        {
            block.waits_for_node = false;
        }
        self.fill();
        for line in &node.lines {
            self.indent();
            self.out.copy(line, 0..line.text.len());
            self.out.own("\n");
        }
    }

    fn close(&mut self) {
        let Some(block) = self.blocks.last() else { return };
        match block.gives {
            Some(Gives::Nodes) => self.own_line(&format!("return {}()", names::LEAVE)),
            Some(Gives::Text) => self.own_line(&format!("return {}()", names::TEXT_LEAVE)),
            None if block.empty => self.own_line("pass"),
            None => {}
        }
        self.blocks.pop();
    }

    fn code(&mut self, index: usize, code: &Code, line: &Line) -> Result<(), RewriteError> {
        if line.tokens.is_empty() {
            return Ok(());
        }
        let (code, node_bound) = (&code.line, code.node_bound);
        if self.blocks.last().is_some_and(|block| block.waits_for_node) {
            let message = "Unexpected code after use of '*/end', expected YAML node";
            return Err(syntax(code, 0..code.text.len(), message));
        }
        if node_bound && !line.opens {
            return Err(syntax(code, 0..code.text.len(), "unexpected end: the block of '*/end' ends on its own line"));
        }
        let keyword = line.keyword;
        match keyword {
            Some("end") if line.tokens.len() == 1 => {
                if self.blocks.is_empty() {
                    return Err(syntax(code, 0..code.text.len(), "unexpected end"));
                }
                self.close();
                return Ok(());
            }
            Some("elif" | "else") => {
                if self.blocks.is_empty() {
                    let message = format!("got {}, want an `if` before it", keyword.unwrap_or("else"));
                    return Err(syntax(code, 0..code.text.len(), message));
                }
                self.close();
            }
            _ => {}
        }
        self.statement(index, code, line)?;
        if line.opens {
            let kind = match keyword {
                Some("def") => BlockKind::Def,
                Some("for" | "while") => BlockKind::Loop,
                _ => BlockKind::If,
            };
            let gives = match kind {
                BlockKind::Def => self.with_nodes.get(index).copied().flatten().map(|(_, gives)| gives),
                _ => None,
            };
            if self.blocks.len() >= MAX_BLOCKS {
                let error =
                    EvalError::new(EvalErrorKind::Limit, format!("blocks nested deeper than {MAX_BLOCKS} levels"));
                return Err(RewriteError { error, origin: code.origin(0..code.text.len()) });
            }
            self.blocks.push(Block { kind, opener: index, waits_for_node: node_bound, empty: true, gives });
            match gives {
                Some(Gives::Nodes) => self.own_line(&format!("{}()", names::ENTER)),
                Some(Gives::Text) => self.own_line(&format!("{}()", names::TEXT_ENTER)),
                None => {}
            }
        }
        Ok(())
    }

    /// Writes the line itself, rewritten where needed.
    fn statement(&mut self, index: usize, code: &Mapped, line: &Line) -> Result<(), RewriteError> {
        if !(line.opens && matches!(line.keyword, Some("elif" | "else"))) {
            self.fill();
        }
        self.indent();
        // In a function with nodes, `return` replaces the nodes.
        let function = self.blocks.iter().rev().find(|block| block.kind == BlockKind::Def);
        let body = function.and_then(|block| self.with_nodes.get(block.opener).copied().flatten());
        let leave = body.map(|(first, gives)| match gives {
            Gives::Nodes if index < first => names::EARLY_RETURN,
            Gives::Nodes => names::LEAVE_WITH,
            Gives::Text => names::TEXT_LEAVE_WITH,
        });
        let mut at = line.tokens.first().map_or(0, |token| token.range.start);
        let mut open_returns = 0;
        let mut depth = 0usize;
        for (place, token) in line.tokens.iter().enumerate() {
            let text = code.text.get(token.range.clone()).unwrap_or("");
            match token.kind {
                TokenKind::Punct("(" | "[" | "{") => depth += 1,
                TokenKind::Punct(")" | "]" | "}") => depth = depth.saturating_sub(1),
                TokenKind::Punct(";") if depth == 0 && open_returns > 0 => {
                    self.out.copy(code, at..token.range.start);
                    self.out.own(&")".repeat(open_returns));
                    open_returns = 0;
                    at = token.range.start;
                }
                TokenKind::Name if text == "return" && depth == 0 => {
                    let bare = !line.tokens.get(place + 1).is_some_and(|next| next.kind != TokenKind::Punct(";"));
                    if let Some(leave) = leave {
                        // Without a value it gives what was written so far.
                        let leave = match leave {
                            names::LEAVE_WITH if bare => names::LEAVE,
                            names::TEXT_LEAVE_WITH if bare => names::TEXT_LEAVE,
                            leave => leave,
                        };
                        self.out.copy(code, at..token.range.end);
                        self.out.own(" ");
                        self.out.own(leave);
                        self.out.own("(");
                        open_returns += 1;
                        at = token.range.end;
                    }
                }
                _ => {}
            }
        }
        // Comments after the last token are dropped, so that they do not swallow generated text.
        let end = line.tokens.last().map_or(code.text.len(), |token| token.range.end);
        self.out.copy(code, at.min(end)..end);
        self.out.own(&")".repeat(open_returns));
        self.out.own("\n");
        Ok(())
    }
}

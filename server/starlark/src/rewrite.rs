//! Converts ytt's blocks, which `end` closes and for which indentation has no meaning, into indented ones.
//!
//! It works on tokens, so strings, comments and open brackets are respected. [`Mapped`] keeps the origin of the text.
//! Code that ytt refuses and the Starlark crate would accept is refused here.

use std::ops::Range;

use lofting_eval::{EvalError, EvalErrorKind, Token, TokenKind, lex, read_string, write_string};

use crate::bytes;
use crate::line::{Line, examine};
use crate::loads;
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
    pub(crate) const FOREVER: &str = "__range(2147483647)";
    /// `assert` is a reserved word of the Starlark crate. The new name has the same length, so columns stay the same.
    pub(crate) const ASSERT: &str = "assrt_";
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

/// Splits code into logical lines. A bracket or string that stays open takes everything after it.
pub(crate) fn logical_lines(code: &Mapped) -> Vec<Mapped> {
    let mut lines = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for token in lex(&code.text, 0) {
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

/// Checks an expression or argument list and renames what the Starlark crate would misread.
pub(crate) fn prepare(code: &Mapped) -> Result<Mapped, RewriteError> {
    let line = examine(code)?;
    let mut writer = ProgramWriter { out: Mapped::default(), blocks: Vec::new(), with_nodes: Vec::new() };
    let at = writer.tokens(code, line.tokens.iter(), 0);
    writer.out.copy(code, at..code.text.len());
    Ok(writer.out)
}

/// A string literal respelled for the Starlark crate, where that reads escapes differently: in ytt `\u` is not an
/// escape, and `\x` and octal digits stand for bytes.
fn respelled(text: &str) -> Option<String> {
    let mut escapes = text.match_indices('\\');
    let differs = |(at, _): (usize, &str)| {
        text.as_bytes().get(at + 1).is_some_and(|byte| matches!(byte, b'u' | b'U' | b'x' | b'0'..=b'7'))
    };
    let plain = text.starts_with(['"', '\'']) && escapes.any(differs);
    plain.then(|| write_string(&bytes::text(&read_string(text).spelled)))
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
            self.blocks.push(Block {
                kind,
                opener: index,
                waits_for_node: node_bound,
                empty: keyword != Some("while"),
                gives,
            });
            if keyword == Some("while") {
                self.while_condition(code, line);
            }
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
        let mut first = 0;
        if line.keyword == Some("while") {
            self.out.own("for __w in ");
            self.out.own(names::FOREVER);
            self.out.own(":\n");
            if line.opens {
                return Ok(());
            }
            // The body is on the same line, after the colon.
            first = line.colon.map_or(line.tokens.len(), |colon| colon + 1);
            self.out.own(" ");
            self.while_condition(code, line);
            self.out.own(" ");
            self.indent();
        }
        if let Some(load) = self.conditional_load(code, line) {
            self.out.copy(&load, 0..load.text.len());
            self.out.own("\n");
            return Ok(());
        }
        // In a function with nodes, `return` replaces the nodes.
        let function = self.blocks.iter().rev().find(|block| block.kind == BlockKind::Def);
        let body = function.and_then(|block| self.with_nodes.get(block.opener).copied().flatten());
        let leave = body.map(|(first, gives)| match gives {
            Gives::Nodes if index < first => names::EARLY_RETURN,
            Gives::Nodes => names::LEAVE_WITH,
            Gives::Text => names::TEXT_LEAVE_WITH,
        });
        let mut at = line.tokens.get(first).map_or(0, |token| token.range.start);
        let mut open_returns = 0;
        let mut depth = 0usize;
        let in_load = code.text.get(at..).is_some_and(|rest| rest.starts_with("load"));
        for (place, token) in line.tokens.iter().enumerate().skip(first) {
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
                // The names that `load` imports are strings.
                TokenKind::String { .. }
                    if in_load && place > 2 && text.len() == 8 && text.get(1..7) == Some("assert") =>
                {
                    self.out.copy(code, at..token.range.start + 1);
                    self.rename(code, token.range.start + 1..token.range.end - 1);
                    at = token.range.end - 1;
                }
                _ => at = self.tokens(code, std::iter::once(token), at),
            }
        }
        // Comments after the last token are dropped, so that they do not swallow generated text.
        let end = line.tokens.last().map_or(code.text.len(), |token| token.range.end);
        self.out.copy(code, at.min(end)..end);
        self.out.own(&")".repeat(open_returns));
        self.out.own("\n");
        Ok(())
    }

    /// Writes code from `at` through these tokens, which are those that the Starlark crate would misread. Returns the
    /// end of the written code.
    fn tokens<'t>(&mut self, code: &Mapped, tokens: impl Iterator<Item = &'t Token>, mut at: usize) -> usize {
        for token in tokens {
            let text = code.text.get(token.range.clone()).unwrap_or("");
            let string = match token.kind {
                TokenKind::String { closed: true } => respelled(text),
                _ => None,
            };
            if string.is_none() && text != "assert" {
                continue;
            }
            self.out.copy(code, at..token.range.start);
            match string {
                Some(literal) => self.out.own(&literal),
                None => self.rename(code, token.range.clone()),
            }
            at = token.range.end;
        }
        at
    }

    fn rename(&mut self, code: &Mapped, range: Range<usize>) {
        match code.origin(range) {
            Some((file, origin)) => self.out.renamed(names::ASSERT, file, origin.start),
            None => self.out.own(names::ASSERT),
        }
    }

    /// A `load` below `if` or `for`: unlike those at the top, it runs when it is reached. So does a load of the data
    /// values, which are not frozen.
    fn conditional_load(&self, code: &Mapped, line: &Line) -> Option<Mapped> {
        let values = line.tokens.get(2).and_then(|path| code.text.get(path.range.clone()));
        let values = matches!(values, Some("\"@ytt:data\"" | "'@ytt:data'"));
        let below = values || !self.blocks.is_empty();
        let below = below && self.blocks.iter().all(|block| block.kind != BlockKind::Def);
        if below { loads::assignment(code, &line.tokens) } else { None }
    }

    /// `while COND:` becomes an infinite loop with a `break` when the condition fails.
    fn while_condition(&mut self, code: &Mapped, line: &Line) {
        let colon = line.colon.and_then(|colon| line.tokens.get(colon));
        let (Some(first), Some(colon)) = (line.tokens.first(), colon) else { return };
        self.indent();
        self.out.own("if not (");
        // The tokens of the condition are copied as they are, so `assert` is not renamed here.
        let condition = line.tokens.iter().take_while(|token| token.range.end <= colon.range.start);
        let at = self.tokens(code, condition.skip(1), first.range.end);
        self.out.copy(code, at..colon.range.start);
        self.out.own("): break\n");
    }
}

//! The code in comments: its blocks, and how far its lines are from their `#@`.
//!
//! ytt removes the white space before a line of code, so it is up to the author. In a block that contains only code,
//! lines are indented one step deeper than its head, as ytt's users write functions. In a block with YAML, the YAML
//! already shows what is inside: there lines of code are as deep as the head or one step deeper, as they were written.

use lofting_annotation::{CommentKind, read_comment};
use lofting_document::{FileId, Span, Statement, StatementReader};
use lofting_syntax::{Event, Kind, Tree};

/// By how many spaces the lines of a block are deeper than its head.
const STEP: usize = 2;

/// The kind of a comment on its own line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `# text`, `#! text`
    Remark,
    /// `#@name arguments`
    Annotation,
    /// A statement inside a block that contains only code, which begins in this comment.
    InCode { head: usize },
    /// A statement.
    Statement,
    /// The head of a block, or of what is bound to the next node, that contains YAML.
    Head,
    /// `end`, `else` and the like, for the block that begins in this comment.
    Branch { head: usize },
    /// A further line of the statement that begins in this comment.
    Further { first: usize },
}

/// A comment on its own line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The offset of its `#` in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) role: Role,
    /// White space between `#@` and the code, in bytes; and how many spaces there should be, if it may be changed.
    pub(crate) inner: (usize, Option<usize>),
    /// White space at its end has a meaning.
    pub(crate) keeps_end: bool,
}

/// All comments on their own lines.
#[derive(Debug, Default)]
pub(crate) struct Code {
    lines: Vec<Line>,
    blocks: Vec<Block>,
    /// Where the block structure changes: an offset in the text, and how many blocks are open after it.
    depths: Vec<(usize, usize)>,
}

#[derive(Debug)]
struct Block {
    /// The index of the line with its head.
    head: usize,
    /// The block around it.
    around: Option<usize>,
    /// Tokens of YAML above its head.
    nodes_above: usize,
    /// There is YAML between head and end; also true of a block without its `end`.
    holds_nodes: bool,
}

impl Code {
    /// Reads the comments of a text.
    pub(crate) fn read(tree: &Tree, text: &str) -> Code {
        let mut reading = Reading::default();
        let mut content = false;
        for event in tree.walk() {
            let Event::Token(token) = event else { continue };
            match token.kind() {
                Kind::Newline => content = false,
                Kind::Whitespace | Kind::Bom => {}
                Kind::Comment => {
                    if !content {
                        reading.comment(text.get(token.range()).unwrap_or_default(), token.range().start);
                    }
                }
                kind => {
                    // The lines of a block scalar are complete.
                    content = kind != Kind::BlockBody;
                    reading.nodes += 1;
                }
            }
        }
        reading.finish()
    }

    /// The comments in order.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// How many blocks are open above a line that begins here.
    pub(crate) fn depth_above(&self, offset: usize) -> usize {
        let above = self.depths.partition_point(|(at, _)| *at < offset);
        above.checked_sub(1).and_then(|index| self.depths.get(index)).map_or(0, |(_, depth)| *depth)
    }

    /// The line with the head of a block that contains only code.
    fn only_code(&self, block: Option<usize>) -> Option<usize> {
        let block = self.blocks.get(block?)?;
        (!block.holds_nodes).then_some(block.head)
    }

    /// The white space of a line after its `#@`.
    fn written(&self, line: usize) -> usize {
        self.lines.get(line).map_or(1, |line| line.inner.0)
    }

    /// The white space that a line should have there.
    fn wanted(&self, line: usize) -> usize {
        self.lines.get(line).map_or(1, |line| line.inner.1.unwrap_or(line.inner.0).max(1))
    }

    /// The white space that a statement in a block should have there.
    fn wanted_in(&self, block: Option<usize>, line: usize) -> usize {
        let Some(block) = block.and_then(|block| self.blocks.get(block)) else { return 1 };
        let is_level = block.holds_nodes && self.written(line) <= self.written(block.head);
        self.wanted(block.head) + if is_level { 0 } else { STEP }
    }
}

/// The role of a line in the structure of the code; blocks by their indices.
#[derive(Clone, Copy)]
enum LineRole {
    /// No code.
    None,
    /// A statement in a block.
    Statement(Option<usize>),
    /// The head of a block.
    Head(usize),
    /// The head of what is bound to the next node, in a block.
    Bound(Option<usize>),
    /// `end`, `else` and the like.
    Branch(usize),
    /// A further line of the statement that begins in a line.
    Further(usize),
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    code: Code,
    /// One for each line.
    places: Vec<LineRole>,
    /// Tokens of YAML so far.
    nodes: usize,
    /// How many tokens of YAML there were at the last line of code.
    nodes_at_code: usize,
    /// The open blocks.
    open: Vec<usize>,
    reader: StatementReader,
    /// The line that begins an unfinished statement.
    first: Option<usize>,
    /// The last line of code ended in a backslash.
    escaped: bool,
}

impl Reading {
    fn comment(&mut self, text: &str, start: usize) {
        let mut line = Line { start, role: Role::Remark, inner: (0, None), keeps_end: false };
        let index = self.code.lines.len();
        self.places.push(LineRole::None);
        match read_comment(text, 0).kind {
            CommentKind::Annotation(annotation) => {
                line.role = Role::Annotation;
                if annotation.name == "template/code" {
                    self.statement(text.get(annotation.arguments_range).unwrap_or_default(), start, index);
                    line.keeps_end = self.reader.is_in_string() || self.escaped;
                }
            }
            CommentKind::Code { .. } => {
                let code = text.get(2..).unwrap_or_default();
                let blank = code.len() - code.trim_start_matches([' ', '\t']).len();
                let may_change = !self.escaped && blank < code.len();
                line.inner = (blank, may_change.then_some(blank));
                self.statement(code, start, index);
                line.keeps_end = self.reader.is_in_string() || self.escaped;
            }
            CommentKind::Ytt | CommentKind::Ordinary => {}
        }
        self.code.lines.push(line);
    }

    /// Reads a line of code.
    fn statement(&mut self, code: &str, start: usize, index: usize) {
        if self.nodes != self.nodes_at_code {
            // An open statement ends above the node.
            if let Some((statement, _)) = self.reader.interrupt() {
                let first = self.first.take().unwrap_or(index);
                self.settle(statement, first, start);
            }
            self.nodes_at_code = self.nodes;
        }
        self.escaped = code.trim_end().ends_with('\\');
        let begun = self.first;
        let complete = self.reader.line(code, Span::new(FileId(0), start..start + code.len()));
        let mut is_own = false;
        for (statement, span) in &complete {
            let begins_here = span.range().start == start;
            is_own |= begins_here;
            let first = begun.filter(|_| !begins_here).unwrap_or(index);
            self.settle(*statement, first, start);
        }
        let goes_on = self.reader.is_open();
        self.first = goes_on.then(|| begun.filter(|_| complete.is_empty()).unwrap_or(index));
        let place = match begun.filter(|_| !is_own && self.first != Some(index)) {
            Some(first) => LineRole::Further(first),
            // Its role is only known when it ends.
            None if !is_own => LineRole::Statement(self.open.last().copied()),
            None => return,
        };
        self.place(index, place);
    }

    fn place(&mut self, line: usize, place: LineRole) {
        if let Some(known) = self.places.get_mut(line) {
            *known = place;
        }
    }

    /// Updates the block structure with a statement that began on the line `first`.
    fn settle(&mut self, statement: Statement, first: usize, offset: usize) {
        let around = self.open.last().copied();
        let place = match statement {
            Statement::Open(_) | Statement::HalfOpen(_) => {
                let block = Block { head: first, around, nodes_above: self.nodes, holds_nodes: true };
                self.code.blocks.push(block);
                self.open.push(self.code.blocks.len() - 1);
                LineRole::Head(self.code.blocks.len() - 1)
            }
            Statement::Branch => around.map_or(LineRole::Statement(None), LineRole::Branch),
            Statement::End | Statement::LastBranch => {
                self.open.pop();
                if let Some(block) = around.and_then(|block| self.code.blocks.get_mut(block)) {
                    block.holds_nodes = self.nodes > block.nodes_above;
                }
                around.map_or(LineRole::Statement(None), LineRole::Branch)
            }
            Statement::NodeBound(_) | Statement::BoundBranch => LineRole::Bound(around),
            Statement::Other => LineRole::Statement(around),
        };
        self.code.depths.push((offset, self.open.len()));
        self.place(first, place);
    }

    /// Determines the role of each line, now that all blocks are known.
    fn finish(self) -> Code {
        let Reading { mut code, places, .. } = self;
        for (index, place) in places.into_iter().enumerate() {
            let in_code = |block| code.only_code(block).map(|head| Role::InCode { head });
            let (role, wanted) = match place {
                LineRole::None => continue,
                LineRole::Statement(block) => (in_code(block).unwrap_or(Role::Statement), code.wanted_in(block, index)),
                LineRole::Bound(block) => (in_code(block).unwrap_or(Role::Head), code.wanted_in(block, index)),
                LineRole::Head(block) => {
                    let around = code.blocks.get(block).and_then(|block| block.around);
                    let own = if code.only_code(Some(block)).is_some() { Role::Statement } else { Role::Head };
                    (in_code(around).unwrap_or(own), code.wanted_in(around, index))
                }
                LineRole::Branch(block) => {
                    let head = code.blocks.get(block).map_or(index, |block| block.head);
                    (Role::Branch { head }, code.wanted(head))
                }
                LineRole::Further(first) => {
                    let moved = code.written(index) + code.wanted(first);
                    (Role::Further { first }, moved.saturating_sub(code.written(first)).max(1))
                }
            };
            if let Some(line) = code.lines.get_mut(index) {
                // The long form of code is written like an annotation.
                if line.role != Role::Annotation {
                    line.role = role;
                }
                line.inner.1 = line.inner.1.map(|_| wanted);
            }
        }
        code
    }
}

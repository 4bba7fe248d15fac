//! The state of the reader.

use super::mistakes::mistake;
use super::tokens::{Line, Tok, lines};
use super::values::Outside;
use super::{Binding, BindingKind, Code, FunctionId, Piece, PieceKind, Scope, ScopeId, Term, TermId, TermKind};
use crate::lexer::TokenKind;
/// How deeply scopes nest; looking up a name takes time in proportion.
const MAX_SCOPES: usize = 100;
use std::ops::Range;

/// Reads the code of a file of `length` bytes. Never fails; linear in the length of the pieces.
pub fn read_code(pieces: &[Piece<'_>], length: usize) -> Code {
    let mut code = Code {
        pieces: pieces.iter().map(|piece| (piece.start..piece.start + piece.text.len(), piece.kind)).collect(),
        ..Code::default()
    };
    code.scopes.push(Scope { parent: None, range: 0..length });
    let mut blocks = Blocks::default();
    let has_annotations = pieces.iter().any(|piece| piece.kind == PieceKind::Arguments);
    for line in lines(pieces) {
        lofting_memo::step();
        blocks.leave_bound(line.range.start);
        code.mistakes.extend(mistake(&line, has_annotations));
        let mut reader = LineReader::new(&mut code, &mut blocks, &line);
        match line.kind {
            PieceKind::Code => reader.statements(),
            PieceKind::Value => reader.value(),
            PieceKind::Arguments => reader.annotation_arguments(),
        }
    }
    let all = blocks.open.len();
    for _ in 0..all {
        blocks.close(&mut code.bindings, length);
    }
    code.index_names();
    code.values = super::values::follow(&code, &Outside::default());
    code
}

/// An open block.
pub(super) struct Block {
    /// The scope it opened, if it is a function.
    pub scope: Option<ScopeId>,
    /// The bindings of its head, such as the variables of a loop.
    pub variables: Range<usize>,
}

/// Blocks that are open between lines.
#[derive(Default)]
pub(super) struct Blocks {
    open: Vec<Block>,
    /// The scopes of those that are functions.
    functions: Vec<ScopeId>,
    /// Node-bound blocks, outermost first: the scope in each if it is in a function that is bound as well, and the end of
    /// its node.
    bound: Vec<(Option<ScopeId>, usize)>,
}

impl Blocks {
    /// The scope of the next line.
    pub fn scope(&self) -> ScopeId {
        self.bound_scope().or_else(|| self.functions.last().copied()).unwrap_or(ScopeId(0))
    }

    fn bound_scope(&self) -> Option<ScopeId> {
        self.bound.last().and_then(|(scope, _)| *scope)
    }

    pub fn is_inside(&self) -> bool {
        !self.open.is_empty() || !self.bound.is_empty()
    }

    pub fn open(&mut self, block: Block) {
        self.functions.extend(block.scope);
        self.open.push(block);
    }

    /// Closes the innermost block at an offset; gives its scope.
    pub fn close(&mut self, bindings: &mut [Binding], at: usize) -> Option<ScopeId> {
        let block = self.open.pop()?;
        if block.scope.is_some() {
            self.functions.pop();
        }
        hold_until(bindings, block.variables, at);
        block.scope
    }

    pub fn bind_to_node(&mut self, scope: Option<ScopeId>, end: usize) {
        self.bound.push((scope.or(self.bound_scope()), end));
    }

    fn leave_bound(&mut self, at: usize) {
        while self.bound.pop_if(|(_, end)| *end <= at).is_some() {}
    }
}

/// The variables of a loop hold up to its end.
pub(super) fn hold_until(bindings: &mut [Binding], variables: Range<usize>, end: usize) {
    for binding in bindings.get_mut(variables).unwrap_or_default() {
        binding.until = Some(end);
    }
}

/// Reads one logical line.
pub(super) struct LineReader<'r, 'a> {
    pub code: &'r mut Code,
    pub blocks: &'r mut Blocks,
    pub tokens: &'r [Tok<'a>],
    pub at: usize,
    pub depth: usize,
    pub scope: ScopeId,
    /// Greater than zero inside code that may not be evaluated.
    pub conditional: usize,
    pub end: usize,
    pub node_end: usize,
}

impl<'r, 'a> LineReader<'r, 'a> {
    fn new(code: &'r mut Code, blocks: &'r mut Blocks, line: &'r Line<'a>) -> Self {
        let scope = blocks.scope();
        let conditional = usize::from(blocks.is_inside());
        LineReader {
            code,
            blocks,
            tokens: &line.tokens,
            at: 0,
            depth: 0,
            scope,
            conditional,
            end: line.range.end,
            node_end: line.node_end,
        }
    }

    pub fn peek(&self) -> Option<&'r Tok<'a>> {
        self.tokens.get(self.at)
    }

    pub fn ahead(&self, by: usize) -> &'a str {
        self.tokens.get(self.at + by).map_or("", |token| token.text)
    }

    pub fn at_punct(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| matches!(token.kind, TokenKind::Punct(_)) && token.text == text)
    }

    pub fn at_word(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.kind == TokenKind::Name && token.text == text)
    }

    pub fn eat(&mut self, punct: &str) -> bool {
        let found = self.at_punct(punct);
        self.at += usize::from(found);
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.at += usize::from(found);
        found
    }

    /// The end of the last consumed token.
    pub fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.or(self.tokens.first())
            .map_or(self.end, |token| if self.at == 0 { token.range.start } else { token.range.end })
    }

    pub fn push(&mut self, range: Range<usize>, kind: TermKind) -> TermId {
        let id = TermId(u32::try_from(self.code.terms.len()).unwrap_or(u32::MAX));
        self.code.terms.push(Term { range, kind, scope: self.scope, conditional: self.conditional > 0 });
        id
    }

    pub fn missing(&mut self) -> TermId {
        let at = self.last_end();
        self.push(at..at, TermKind::Missing)
    }

    pub fn range_of(&self, id: TermId) -> Range<usize> {
        self.code.term(id).map(|term| term.range.clone()).unwrap_or_default()
    }

    pub fn bind(&mut self, name: &str, range: Range<usize>, kind: BindingKind) {
        self.code.bindings.push(Binding { name: name.to_owned(), range, scope: self.scope, kind, until: None });
    }

    /// Opens a scope inside the current one. Below a certain depth no further scopes are opened, because looking up a
    /// name costs time in proportion to the depth.
    pub fn new_scope(&mut self, start: usize) -> ScopeId {
        let mut depth = 0;
        let mut parent = self.code.scopes.get(self.scope.0 as usize).and_then(|scope| scope.parent);
        while let Some(here) = parent {
            depth += 1;
            parent = self.code.scopes.get(here.0 as usize).and_then(|scope| scope.parent);
        }
        if depth >= MAX_SCOPES {
            return self.scope;
        }
        let id = ScopeId(u32::try_from(self.code.scopes.len()).unwrap_or(u32::MAX));
        let end = self.code.scopes.first().map_or(start, |file| file.range.end);
        self.code.scopes.push(Scope { parent: Some(self.scope), range: start..end.max(start) });
        id
    }

    pub fn end_scope(&mut self, scope: ScopeId, end: usize) {
        if scope == ScopeId(0) {
            return;
        }
        if let Some(scope) = self.code.scopes.get_mut(scope.0 as usize) {
            scope.range.end = end.max(scope.range.start);
        }
    }

    pub fn next_function(&self) -> FunctionId {
        FunctionId(u32::try_from(self.code.functions.len()).unwrap_or(u32::MAX))
    }
}

//! The code of a whole file, read without running it: names, attributes, calls, bindings and scopes, each with its byte
//! range.
//!
//! It serves an editor while code is being typed, so it takes any text, never fails, and confines damage to one line. A
//! file is one program in the order of its comments (docs/ytt.md 7.1); the caller says where its pieces are.

mod expressions;
mod mistakes;
mod moved;
mod reader;
mod statements;
mod text;
mod tokens;
mod values;

pub use reader::read_code;
pub use text::{is_text_template, read_starlark, read_text_template, text_pieces};
pub use values::{
    Escape, Form, Handed, Meaning, Outside, Pass, PassedValue, PathId, Use, UseKind, ValuePaths, ValueStep,
};

use std::ops::Range;

/// One stretch of code in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The code, without `#@ ` or `(@`.
    pub text: &'a str,
    /// Where it begins, in bytes of the file.
    pub start: usize,
    /// What it is.
    pub kind: PieceKind,
    /// Only white space and comment marks separate it from the piece before, so a statement may continue in it.
    pub follows: bool,
    /// Where the node below ends: the extent of a node-bound block (`if/end`).
    pub node_end: usize,
}

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Statements.
    Code,
    /// The value of a node.
    Value,
    /// The arguments of an annotation.
    Arguments,
}

/// Names an expression of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// Names a scope of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// Names a function of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its byte range.
    pub range: Range<usize>,
    /// What it is.
    pub kind: TermKind,
    /// The scope it is in.
    pub scope: ScopeId,
    /// It may be evaluated later or not at all: inside a block, inside a function, after `and`.
    pub conditional: bool,
}

/// The forms of expressions. A part has a smaller id than the expression that contains it.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `name`
    Name(String),
    /// `of.name`
    Attribute {
        /// The expression before the dot.
        of: TermId,
        /// The name; empty if none was typed yet.
        name: String,
        /// The range of the name; empty, after the dot, if the name is missing.
        name_range: Range<usize>,
    },
    /// `of[key]`
    Index {
        /// The expression before the bracket.
        of: TermId,
        /// The key; None for slices and for half-typed indexes.
        key: Option<TermId>,
        /// `[a:b]`
        slice: bool,
        /// The closing bracket is there.
        closed: bool,
    },
    /// `function(arguments)`
    Call {
        /// What is called.
        function: TermId,
        /// The arguments in order.
        arguments: Vec<CallArgument>,
        /// Offsets of the commas between them.
        commas: Vec<usize>,
        /// Between the parentheses; to the end of the statement if the closing one is missing.
        inside: Range<usize>,
    },
    /// A string literal.
    String {
        /// What it stands for.
        value: String,
        /// The bytes between the quotes.
        content: Range<usize>,
    },
    /// An integer, float, `True`, `False`, `None`.
    Literal(&'static str),
    /// `[...]`, `(...)`, `a, b`
    Sequence {
        /// The items.
        items: Vec<TermId>,
        /// Starlark's name of the type.
        type_name: &'static str,
    },
    /// `{...}`: keys and values in turn.
    Dict(Vec<TermId>),
    /// `[element for x in y]`, `{...}`
    Comprehension {
        /// Element or key and value.
        elements: Vec<TermId>,
    },
    /// `lambda ...: body`
    Lambda {
        /// What it computes.
        body: TermId,
    },
    /// `a if c else b`
    Choice {
        /// Before `if`.
        then: TermId,
        /// After `else`.
        otherwise: TermId,
    },
    /// Operands with the operators between them. No operators: a single operand after a sign or `not`.
    Operation {
        /// The operands.
        operands: Vec<TermId>,
        /// The operators between them.
        operators: Vec<Operator>,
    },
    /// Nothing was typed where an expression belongs, or it cannot be read.
    Missing,
}

/// An operator, as far as it matters for the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `and`
    And,
    /// `or`
    Or,
    /// `in`, `not in`
    In,
    /// `==` and its like
    Comparison,
    /// Everything else.
    Other,
}

/// One argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallArgument {
    /// `name=`
    pub name: Option<(String, Range<usize>)>,
    /// `*` and `**`
    pub starred: bool,
    /// The value.
    pub value: TermId,
}

/// A scope: of the file, a function, a lambda or a comprehension.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A place that gives a name its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// Its range.
    pub range: Range<usize>,
    /// The scope in which it holds.
    pub scope: ScopeId,
    /// What it is bound to.
    pub kind: BindingKind,
    /// For the variable of a loop: where the loop ends.
    pub until: Option<usize>,
}

/// What a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// `name = value`
    Value(TermId),
    /// `for name in value`
    Item(TermId),
    /// `for a, b in value`: the element with this index.
    ItemPart(TermId, usize),
    /// `def name(...)`
    Function(FunctionId),
    /// A parameter of a function, or of a lambda (which has no function id).
    Parameter {
        /// The function.
        function: Option<FunctionId>,
        /// Its index among the parameters.
        index: usize,
    },
    /// A name that a `load` brings: an index into [`Code::loads`], and one into its names.
    Loaded(usize, usize),
    /// A binding that is not followed: `x += 1`, a part of an unknown tuple.
    Other,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The range of the name.
    pub name_range: Range<usize>,
    /// From `def` to the closing parenthesis.
    pub head: Range<usize>,
    /// Parameters as written, `b=1`, `*rest`.
    pub parameters: Vec<Parameter>,
    /// The scope of its body.
    pub scope: ScopeId,
    /// What it returns, in the order written.
    pub returns: Vec<TermId>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, without `*`.
    pub name: String,
    /// As written, with its default.
    pub written: String,
    /// The range of the name.
    pub range: Range<usize>,
    /// `*` or `**`
    pub starred: bool,
}

/// `load("where", "name", local="name")`
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The module's path.
    pub module: String,
    /// The bytes of the path, between its quotes.
    pub module_range: Range<usize>,
    /// The whole statement from `load` on, as far as it was typed.
    pub range: Range<usize>,
    /// The names.
    pub names: Vec<LoadedName>,
}

/// A name of a `load`.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedName {
    /// The name in the loaded file.
    pub name: String,
    /// The bytes between the quotes of it.
    pub name_range: Range<usize>,
    /// The name here.
    pub local: String,
    /// The range of that.
    pub local_range: Range<usize>,
}

/// What is wrong in a statement, as far as the statement alone tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementMistake {
    /// The pieces of the statement, from the first to the last byte.
    pub statement: Range<usize>,
    /// What is marked.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
}

/// The result of reading code. Every range counts bytes of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The pieces in order: the bytes of each and what it is.
    pub pieces: Vec<(Range<usize>, PieceKind)>,
    /// Expressions.
    pub terms: Vec<Term>,
    /// Scopes; the first is the file's.
    pub scopes: Vec<Scope>,
    /// Names with a meaning, in the order of the text.
    pub bindings: Vec<Binding>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Loads.
    pub loads: Vec<Load>,
    /// How the code uses data values.
    pub values: ValuePaths,
    /// Statements that cannot be read, each with its first mistake.
    pub mistakes: Vec<StatementMistake>,
    /// Expressions whose value is not passed on: conditions, where only the truth counts, and assignment targets.
    ends: Vec<TermId>,
    /// Bindings by scope and name, sorted for searching.
    by_name: Vec<u32>,
}

impl Code {
    /// The expression of that id.
    pub fn term(&self, id: TermId) -> Option<&Term> {
        self.terms.get(id.0 as usize)
    }

    /// Whether it contains no code.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The piece that contains an offset or ends there.
    pub fn piece_at(&self, offset: usize) -> Option<(Range<usize>, PieceKind)> {
        let index = self.pieces.partition_point(|(piece, _)| piece.end < offset);
        self.pieces.get(index).filter(|(piece, _)| piece.start <= offset).cloned()
    }

    /// The smallest expression that contains an offset or ends there; among equally small ones the one that begins
    /// last.
    pub fn term_at(&self, offset: usize) -> Option<TermId> {
        let holds = |(_, term): &(usize, &Term)| term.range.start <= offset && offset <= term.range.end;
        let (index, _) = self
            .terms
            .iter()
            .enumerate()
            .filter(holds)
            .min_by_key(|(_, term)| (term.range.len(), usize::MAX - term.range.start))?;
        u32::try_from(index).ok().map(TermId)
    }

    /// The bindings of a name as seen from a scope: those in the nearest enclosing scope that binds it.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> &[u32] {
        self.owner(scope, name).map_or(&[], |owner| self.bound_in(owner, name))
    }

    /// The nearest scope around `scope`, or itself, that binds the name.
    pub fn owner(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        self.scopes_around(scope).find(|here| !self.bound_in(*here, name).is_empty())
    }

    /// A scope and those around it, innermost first.
    pub fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        let parent = |here: &ScopeId| self.scopes.get(here.0 as usize).and_then(|scope| scope.parent);
        std::iter::successors(Some(scope), parent)
    }

    /// Indices into [`Code::bindings`] of a name's bindings in one scope.
    pub fn bound_in(&self, scope: ScopeId, name: &str) -> &[u32] {
        let key =
            |index: &u32| self.bindings.get(*index as usize).map(|binding| (binding.scope, binding.name.as_str()));
        let wanted = Some((scope, name));
        let start = self.by_name.partition_point(|index| key(index) < wanted);
        let end = self.by_name.partition_point(|index| key(index) <= wanted);
        self.by_name.get(start..end).unwrap_or(&[])
    }

    /// The innermost scope around an offset.
    pub fn scope_at(&self, offset: usize) -> ScopeId {
        let holds = |(_, scope): &(usize, &Scope)| scope.range.start <= offset && offset <= scope.range.end;
        let found = self.scopes.iter().enumerate().filter(holds).min_by_key(|(_, scope)| scope.range.len());
        ScopeId(found.and_then(|(index, _)| u32::try_from(index).ok()).unwrap_or(0))
    }

    /// The innermost call whose parentheses hold an offset.
    pub fn call_at(&self, offset: usize) -> Option<TermId> {
        let inside = |term: &Term| match &term.kind {
            TermKind::Call { inside, .. } if inside.start <= offset && offset <= inside.end => Some(inside.len()),
            _ => None,
        };
        let calls = self.terms.iter().enumerate().filter_map(|(index, term)| Some((inside(term)?, index)));
        let (_, index) = calls.min()?;
        u32::try_from(index).ok().map(TermId)
    }

    fn index_names(&mut self) {
        let count = u32::try_from(self.bindings.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|index| {
            let binding = self.bindings.get(*index as usize);
            (binding.map(|binding| (binding.scope, binding.name.as_str())), *index)
        });
        self.by_name = order;
    }
}

#[cfg(test)]
mod tests;

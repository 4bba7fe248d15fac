//! What the names in an expression mean: variables, types, functions and macros.

mod macros;

use crate::library::{Library, Overload, overloads};
use crate::literal::{self, LiteralError};
use crate::tree::{Expression, Fault, Id, Node, NodeKind, Operator};
use crate::types::{Signature, Type, named};
use crate::value::{Key, Value};
use lofting_schema::re2::Expressions;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use macros::{Loop, Macro};

/// What an expression may use besides the language and its libraries.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Names are looked for here first: `a.b`.
    pub container: String,
    /// The variables, which may have dots in their names.
    pub variables: FxHashMap<String, Type>,
    /// The functions that can be called.
    pub library: Library,
    /// Functions that have types only, and no implementation.
    pub functions: Cow<'static, [Signature]>,
    /// The type with a name of which expressions can make objects (`Name{field: value}`). They have types only, too.
    pub objects: fn(&str) -> Option<Type>,
    /// Whether there are macros such as `all`.
    pub has_macros: bool,
    /// Whether fields can be written in backticks.
    pub has_quoted_fields: bool,
    /// Whether `cel.bind` gives names to values.
    pub has_bindings: bool,
}

impl Default for Environment {
    /// That of Kubernetes, without variables.
    fn default() -> Self {
        Environment {
            container: String::new(),
            variables: FxHashMap::default(),
            library: Library::Kubernetes,
            functions: Cow::Borrowed(&[]),
            objects: |_| None,
            has_macros: true,
            has_quoted_fields: false,
            has_bindings: false,
        }
    }
}

/// An expression whose names are known.
#[derive(Debug)]
pub struct Program {
    /// Its operations; those that an operation uses come before it.
    pub(crate) operations: Vec<Operation>,
    /// The one that gives the value of the whole.
    pub(crate) root: OpId,
    /// How many variables of macros there are.
    pub(crate) slots: usize,
    /// Regular expressions that were compiled for it.
    pub(crate) expressions: Expressions,
}

/// The index of an operation.
pub(crate) type OpId = usize;

#[derive(Debug)]
pub(crate) struct Operation {
    pub kind: Op,
    pub range: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum Op {
    Constant(Value),
    /// A type as a value.
    Type(Type),
    /// A variable of a macro.
    Local(usize),
    Variable(Arc<str>),
    /// A name that means nothing.
    Unknown(String),
    /// A field, and the bytes of its name.
    Select {
        of: OpId,
        field: Key,
        name: Range<usize>,
        may_be_absent: bool,
    },
    Has {
        of: OpId,
        field: Key,
        name: Range<usize>,
    },
    Index {
        of: OpId,
        key: OpId,
        may_be_absent: bool,
    },
    Call {
        name: Arc<str>,
        is_method: bool,
        overloads: &'static [Overload],
        arguments: Vec<OpId>,
    },
    /// `||` of all these.
    Any(Vec<OpId>),
    /// `&&` of all these.
    All(Vec<OpId>),
    Choice(OpId, OpId, OpId),
    /// Items, and whether an item is left out if it is empty.
    List(Vec<(OpId, bool)>),
    Map(Vec<(OpId, OpId, bool)>),
    /// An object of a type, with its fields.
    Object(Type, Vec<MadeField>),
    Loop(Box<Loop>),
}

/// A field of an object that an expression makes.
#[derive(Debug)]
pub(crate) struct MadeField {
    pub name: String,
    /// The bytes of its name.
    pub range: Range<usize>,
    pub value: OpId,
    /// It is left out if its value is empty.
    pub may_be_empty: bool,
}

/// How deep operations may be nested; the API server's parser has the same limit.
const DEPTH: usize = 250;

impl Program {
    /// Finds out what the names of an expression mean.
    pub fn new(tree: &Expression, environment: &Environment) -> Result<Program, Fault> {
        if let Some(fault) = &tree.fault {
            return Err(fault.clone());
        }
        let root = tree.nodes.len().saturating_sub(1);
        let whole = tree.nodes.get(root).map_or(0..0, |node| node.range.clone());
        if depth(tree) > DEPTH {
            return Err(Fault { range: whole, message: "the expression is nested too deep".to_owned() });
        }
        let mut planner = Planner { tree, environment, operations: Vec::new(), scope: Vec::new(), slots: 0 };
        let root = planner.plan(root)?;
        let Planner { operations, slots, .. } = planner;
        Ok(Program { operations, root, slots, expressions: Expressions::default() })
    }

    /// Makes a call one of a single way to call the function.
    pub(crate) fn choose(&mut self, id: OpId, number: usize) {
        if let Some(Op::Call { overloads, .. }) = self.operations.get_mut(id).map(|operation| &mut operation.kind) {
            *overloads = overloads.get(number..=number).unwrap_or(overloads);
        }
    }

    /// Whether it uses a variable.
    pub fn uses(&self, variable: &str) -> bool {
        self.operations.iter().any(|operation| matches!(&operation.kind, Op::Variable(name) if **name == *variable))
    }

    pub(crate) fn get(&self, id: OpId) -> Option<&Operation> {
        self.operations.get(id)
    }
}

/// How deep the nodes of an expression are nested. Chains of `&&` and `||` count as one level.
fn depth(tree: &Expression) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let of = |id: &Id| depths.get(*id).copied().unwrap_or(0);
        let deepest = |ids: &[Id]| ids.iter().map(of).max().unwrap_or(0);
        let pairs = |entries: &[(Id, Id)]| entries.iter().map(|(key, value)| of(key).max(of(value))).max().unwrap_or(0);
        let own = match &node.kind {
            NodeKind::Binary(operator @ (Operator::Or | Operator::And), left, right) => {
                let is_chain = |id: &Id| matches!(tree.nodes.get(*id).map(|node| &node.kind), Some(NodeKind::Binary(own, ..)) if own == operator);
                let level = |id: &Id| of(id) + usize::from(!is_chain(id));
                depths.push(level(left).max(level(right)));
                continue;
            }
            NodeKind::Select { of: value, .. } | NodeKind::Unary(_, value) => of(value),
            NodeKind::Index { of: left, key: right } | NodeKind::Binary(_, left, right) => of(left).max(of(right)),
            NodeKind::Call { of: value, arguments, .. } => value.as_ref().map_or(0, of).max(deepest(arguments)),
            NodeKind::Choice(condition, then, other) => deepest(&[*condition, *then, *other]),
            NodeKind::List(items) => deepest(items),
            NodeKind::Map(entries) | NodeKind::Message { entries, .. } => pairs(entries),
            _ => 0,
        };
        depths.push(own + 1);
    }
    depths.last().copied().unwrap_or(0)
}

/// Whether the language keeps a word for itself, so that nothing can have it as its name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Names that the language keeps for itself.
const RESERVED: &[&str] = &[
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "true",
    "false",
    "null",
];

struct Planner<'e> {
    tree: &'e Expression,
    environment: &'e Environment,
    operations: Vec<Operation>,
    /// The variables of macros around, the innermost last.
    scope: Vec<(String, usize)>,
    slots: usize,
}

fn fault(range: &Range<usize>, message: impl Into<String>) -> Fault {
    Fault { range: range.clone(), message: message.into() }
}

impl<'e> Planner<'e> {
    fn push(&mut self, kind: Op, range: &Range<usize>) -> OpId {
        self.operations.push(Operation { kind, range: range.clone() });
        self.operations.len() - 1
    }

    fn node(&self, id: Id) -> Result<&'e Node, Fault> {
        self.tree.nodes.get(id).ok_or_else(|| fault(&(0..0), "a value is missing here"))
    }

    fn all(&mut self, ids: &[Id]) -> Result<Vec<OpId>, Fault> {
        ids.iter().map(|id| self.plan(*id)).collect()
    }

    fn plan(&mut self, id: Id) -> Result<OpId, Fault> {
        let node = self.node(id)?;
        let range = &node.range;
        let refused = |error: LiteralError| fault(range, error.to_string());
        let kind = match &node.kind {
            NodeKind::Missing => return Err(fault(range, "a value is missing here")),
            NodeKind::Number(written) => Op::Constant(literal::number(written, false).map_err(refused)?),
            NodeKind::Text { text, is_raw, .. } => {
                Op::Constant(Value::text(literal::text(text, *is_raw).map_err(refused)?))
            }
            NodeKind::Bytes { text, is_raw } => {
                Op::Constant(Value::Bytes(literal::bytes(text, *is_raw).map_err(refused)?.into()))
            }
            NodeKind::Bool(value) => Op::Constant(Value::Bool(*value)),
            NodeKind::Null => Op::Constant(Value::Null),
            NodeKind::Name(_) | NodeKind::Outermost(_) => self.name(id, range)?,
            NodeKind::Select { of, name, name_range } => self.select(id, *of, name, name_range)?,
            NodeKind::Index { of, key } => {
                let (of, key) = (self.plan(*of)?, self.plan(*key)?);
                Op::Index { of, key, may_be_absent: node.may_be_absent }
            }
            NodeKind::Call { of, name, name_range, arguments } => self.call(node, *of, name, name_range, arguments)?,
            NodeKind::Unary(operator, of) => self.unary(*operator, *of)?,
            NodeKind::Binary(operator, left, right) => self.binary(*operator, *left, *right)?,
            NodeKind::Choice(condition, then, other) => {
                Op::Choice(self.plan(*condition)?, self.plan(*then)?, self.plan(*other)?)
            }
            NodeKind::List(items) => {
                let planned = items.iter().map(|item| Ok((self.plan(*item)?, self.node(*item)?.may_be_empty)));
                Op::List(planned.collect::<Result<_, Fault>>()?)
            }
            NodeKind::Map(entries) => {
                let planned = entries
                    .iter()
                    .map(|(key, value)| Ok((self.plan(*key)?, self.plan(*value)?, self.node(*key)?.may_be_empty)));
                Op::Map(planned.collect::<Result<_, Fault>>()?)
            }
            NodeKind::Message { of, entries } => self.object(*of, entries)?,
        };
        Ok(self.push(kind, range))
    }

    fn object(&mut self, of: Id, entries: &[(Id, Id)]) -> Result<Op, Fault> {
        let range = &self.node(of)?.range;
        let named = self.path(of).and_then(|(names, is_outermost)| {
            let names = self.candidates(&names.join("."), is_outermost);
            names.iter().find_map(|name| (self.environment.objects)(name))
        });
        let of = named.ok_or_else(|| fault(range, "there is no type of objects with this name"))?;
        let mut fields = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let key = self.node(*key)?;
            let NodeKind::Name(name) = &key.kind else {
                return Err(fault(&key.range, "the name of a field is missing here"));
            };
            let value = self.plan(*value)?;
            let (name, may_be_empty) = (name.clone(), key.may_be_empty);
            fields.push(MadeField { name, range: key.range.clone(), value, may_be_empty });
        }
        Ok(Op::Object(of, fields))
    }

    /// The path that a name or a selection of names is, and whether it is one from the outermost scope.
    fn path(&self, id: Id) -> Option<(Vec<&'e str>, bool)> {
        let mut names = Vec::new();
        let mut id = id;
        loop {
            let node = self.tree.nodes.get(id)?;
            match &node.kind {
                NodeKind::Name(name) | NodeKind::Outermost(name) => {
                    names.push(name.as_str());
                    names.reverse();
                    return Some((names, matches!(node.kind, NodeKind::Outermost(_))));
                }
                NodeKind::Select { of, name, .. } if !node.may_be_absent => {
                    names.push(name);
                    id = *of;
                }
                _ => return None,
            }
        }
    }

    /// The full names that a path may stand for: those in the container first.
    fn candidates(&self, path: &str, is_outermost: bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut container = self.environment.container.as_str();
        while !is_outermost && !container.is_empty() {
            found.push(format!("{container}.{path}"));
            container = container.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        found.push(path.to_owned());
        found
    }

    fn local(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().find(|(own, _)| own == name).map(|(_, slot)| *slot)
    }

    /// The variable or type that a path stands for.
    fn named(&self, id: Id) -> Option<Op> {
        let (names, is_outermost) = self.path(id)?;
        if !is_outermost && self.local(names.first()?).is_some() {
            return None;
        }
        self.candidates(&names.join("."), is_outermost).into_iter().find_map(|name| {
            if self.environment.variables.contains_key(&name) {
                Some(Op::Variable(name.into()))
            } else {
                named(&name).map(Op::Type)
            }
        })
    }

    fn name(&self, id: Id, range: &Range<usize>) -> Result<Op, Fault> {
        let (NodeKind::Name(name) | NodeKind::Outermost(name)) = &self.node(id)?.kind else {
            return Err(fault(range, "a name is missing here"));
        };
        if name.starts_with('`') {
            return Err(fault(range, "only fields can be written in backticks"));
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(fault(range, format!("`{name}` is a reserved word")));
        }
        let is_outermost = matches!(self.node(id)?.kind, NodeKind::Outermost(_));
        if let Some(slot) = self.local(name).filter(|_| !is_outermost) {
            return Ok(Op::Local(slot));
        }
        Ok(self.named(id).unwrap_or_else(|| Op::Unknown(name.clone())))
    }

    fn select(&mut self, id: Id, of: Id, name: &str, range: &Range<usize>) -> Result<Op, Fault> {
        self.field_name(name, range)?;
        if let Some(found) = self.named(id) {
            return Ok(found);
        }
        let may_be_absent = self.node(id)?.may_be_absent;
        Ok(Op::Select { of: self.plan(of)?, field: Key::Text(name.into()), name: range.clone(), may_be_absent })
    }

    /// Refuses what cannot be the name of a field.
    fn field_name(&self, name: &str, range: &Range<usize>) -> Result<(), Fault> {
        let is_quoted = range.len() != name.len();
        if is_quoted && !self.environment.has_quoted_fields {
            return Err(fault(range, "fields cannot be written in backticks here"));
        }
        if !is_quoted && matches!(name, "in" | "true" | "false" | "null") {
            return Err(fault(range, format!("`{name}` is a reserved word")));
        }
        Ok(())
    }

    fn unary(&mut self, operator: Operator, of: Id) -> Result<Op, Fault> {
        let operand = self.node(of)?;
        if let (Operator::Minus, NodeKind::Number(written)) = (operator, &operand.kind) {
            // The sign belongs to the number, unless the number is in parentheses.
            if operand.range.len() == written.len() && !written.ends_with(['u', 'U']) {
                let number =
                    literal::number(written, true).map_err(|error| fault(&operand.range, error.to_string()))?;
                return Ok(Op::Constant(number));
            }
        }
        let name = if operator == Operator::Not { "@not" } else { "@negate" };
        let arguments = vec![self.plan(of)?];
        Ok(operation(name, arguments))
    }

    fn binary(&mut self, operator: Operator, left: Id, right: Id) -> Result<Op, Fault> {
        let name = match operator {
            Operator::Or | Operator::And => return self.logic(operator, left, right),
            Operator::Equal => "@equal",
            Operator::NotEqual => "@not_equal",
            Operator::Less => "@less",
            Operator::LessEqual => "@less_equal",
            Operator::Greater => "@greater",
            Operator::GreaterEqual => "@greater_equal",
            Operator::In => "@in",
            Operator::Plus => "@add",
            Operator::Minus => "@subtract",
            Operator::Times => "@multiply",
            Operator::Divide => "@divide",
            Operator::Remainder => "@remainder",
            Operator::Not => "@not",
        };
        let arguments = vec![self.plan(left)?, self.plan(right)?];
        Ok(operation(name, arguments))
    }

    /// All operands of a chain of the same operator, found without going down into it.
    fn logic(&mut self, operator: Operator, left: Id, right: Id) -> Result<Op, Fault> {
        let mut operands = Vec::new();
        let mut open = vec![right, left];
        while let Some(id) = open.pop() {
            match &self.node(id)?.kind {
                NodeKind::Binary(own, left, right) if *own == operator => open.extend([*right, *left]),
                _ => operands.push(self.plan(id)?),
            }
        }
        Ok(if operator == Operator::Or { Op::Any(operands) } else { Op::All(operands) })
    }

    fn call(
        &mut self,
        node: &Node,
        of: Option<Id>,
        name: &str,
        name_range: &Range<usize>,
        arguments: &[Id],
    ) -> Result<Op, Fault> {
        if self.environment.has_macros
            && let Some(found) = self.as_macro(node, of, name, arguments)?
        {
            return Ok(found);
        }
        let Some(of) = of else {
            if RESERVED.contains(&name) {
                return Err(fault(name_range, format!("`{name}` is a reserved word")));
            }
            let candidates = self.candidates(name, false);
            let found = candidates.into_iter().find(|name| self.is_function(name, false));
            let arguments = self.all(arguments)?;
            return Ok(self.function(found.as_deref().unwrap_or(name), arguments));
        };
        // The text before the name may be the path of a function.
        if let Some((mut path, is_outermost)) = self.path(of)
            && (is_outermost || path.first().is_some_and(|first| self.local(first).is_none()))
        {
            path.push(name);
            let candidates = self.candidates(&path.join("."), is_outermost);
            if let Some(found) = candidates.into_iter().find(|name| self.is_function(name, false)) {
                let arguments = self.all(arguments)?;
                return Ok(self.function(&found, arguments));
            }
        }
        let mut all = vec![self.plan(of)?];
        all.extend(self.all(arguments)?);
        let overloads = self.environment.library.overloads(name, true).unwrap_or_default();
        Ok(Op::Call { name: name.into(), is_method: true, overloads, arguments: all })
    }

    /// A call of a function that has a name.
    fn function(&self, name: &str, arguments: Vec<OpId>) -> Op {
        let overloads = self.environment.library.overloads(name, false).unwrap_or_default();
        Op::Call { name: name.into(), is_method: false, overloads, arguments }
    }

    fn is_function(&self, name: &str, is_method: bool) -> bool {
        let declared = |own: &Signature| own.name == name && own.is_method == is_method;
        self.environment.library.overloads(name, is_method).is_some() || self.environment.functions.iter().any(declared)
    }
}

/// A call of an operator.
fn operation(name: &str, arguments: Vec<OpId>) -> Op {
    let overloads = overloads(name, false).unwrap_or_default();
    Op::Call { name: name.into(), is_method: false, overloads, arguments }
}

#[cfg(test)]
mod tests;

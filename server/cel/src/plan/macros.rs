//! Macros: calls whose arguments are not values.

use super::{Op, OpId, Planner, RESERVED, fault};
use crate::parse::NO_FIELD;
use crate::tree::{Fault, Id, Node, NodeKind};
use crate::value::Key;

/// A macro that goes through an array or a map, or that gives a name to an optional value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Macro {
    /// Whether all items fulfil a condition.
    All,
    /// Whether an item fulfils it.
    Exists,
    /// Whether exactly one item fulfils it.
    ExistsOne,
    /// What becomes of each item.
    Map,
    /// The items that fulfil a condition.
    Filter,
    /// What becomes of each value of a map.
    TransformMap,
    /// The entries that are made of each entry.
    TransformMapEntry,
    /// The items sorted by a key.
    SortBy,
    /// What becomes of a value that may be absent.
    OptMap,
    /// What becomes of a value that may be absent, if what becomes of it may be absent as well.
    OptFlatMap,
    /// A name for a value: `cel.bind(name, value, what becomes of it)`.
    Bind,
}

/// A call of a macro.
#[derive(Debug)]
pub struct Loop {
    /// Which one.
    pub(crate) kind: Macro,
    /// What it goes through.
    pub(crate) of: OpId,
    /// The variable for an item, or for its index or key if there are two.
    pub(crate) first: usize,
    /// The variable for the item or value, if there are two.
    pub(crate) second: Option<usize>,
    /// The condition for an item to count.
    pub(crate) condition: Option<OpId>,
    /// What is evaluated for each.
    pub(crate) body: OpId,
}

/// Macros that are methods, by their names and numbers of arguments: how many variables they have, and whether there is
/// a condition before the last argument.
const METHODS: &[(&str, usize, Macro, usize, bool)] = &[
    ("all", 2, Macro::All, 1, false),
    ("exists", 2, Macro::Exists, 1, false),
    ("exists_one", 2, Macro::ExistsOne, 1, false),
    ("existsOne", 2, Macro::ExistsOne, 1, false),
    ("map", 2, Macro::Map, 1, false),
    ("map", 3, Macro::Map, 1, true),
    ("filter", 2, Macro::Filter, 1, false),
    ("all", 3, Macro::All, 2, false),
    ("exists", 3, Macro::Exists, 2, false),
    ("exists_one", 3, Macro::ExistsOne, 2, false),
    ("existsOne", 3, Macro::ExistsOne, 2, false),
    ("transformList", 3, Macro::Map, 2, false),
    ("transformList", 4, Macro::Map, 2, true),
    ("transformMap", 3, Macro::TransformMap, 2, false),
    ("transformMap", 4, Macro::TransformMap, 2, true),
    ("transformMapEntry", 3, Macro::TransformMapEntry, 2, false),
    ("transformMapEntry", 4, Macro::TransformMapEntry, 2, true),
    ("sortBy", 2, Macro::SortBy, 1, false),
    ("optMap", 2, Macro::OptMap, 1, false),
    ("optFlatMap", 2, Macro::OptFlatMap, 1, false),
];

impl Planner<'_> {
    /// The macro that a call is; None for an ordinary call.
    pub(super) fn as_macro(
        &mut self,
        node: &Node,
        of: Option<Id>,
        name: &str,
        arguments: &[Id],
    ) -> Result<Option<Op>, Fault> {
        let Some(of) = of else {
            return match (name, arguments) {
                ("has", [field]) => self.has(*field).map(Some),
                _ => Ok(None),
            };
        };
        if let ([variable, value, body], "bind", true) = (arguments, name, self.environment.has_bindings)
            && self.path(of).is_some_and(|(path, _)| path == ["cel"])
        {
            return self.loop_of(&(Macro::Bind, 1, false), *value, name, &[*variable, *body], node).map(Some);
        }
        let found = METHODS.iter().find(|(own, count, ..)| *own == name && *count == arguments.len());
        let Some((_, _, kind, variables, has_condition)) = found else { return Ok(None) };
        self.loop_of(&(*kind, *variables, *has_condition), of, name, arguments, node).map(Some)
    }

    fn loop_of(
        &mut self,
        (kind, variables, has_condition): &(Macro, usize, bool),
        of: Id,
        name: &str,
        arguments: &[Id],
        node: &Node,
    ) -> Result<Op, Fault> {
        let mut names = Vec::new();
        for variable in arguments.iter().take(*variables) {
            let variable = self.node(*variable)?;
            match &variable.kind {
                NodeKind::Name(name) if RESERVED.contains(&name.as_str()) => {
                    return Err(fault(&variable.range, format!("`{name}` is a reserved word")));
                }
                NodeKind::Name(name) if variable.range.len() == name.len() && !names.contains(name) => {
                    names.push(name.clone());
                }
                _ => {
                    return Err(fault(&variable.range, format!("`{name}` needs a name of its own for each item here")));
                }
            }
        }
        let of = self.plan(of)?;
        let first = self.slots;
        let second = (*variables == 2).then_some(first + 1);
        self.slots += variables;
        self.scope.extend(names.into_iter().zip(first..));
        let planned = self.inner(arguments.get(*variables..).unwrap_or_default(), *has_condition, node);
        self.scope.truncate(self.scope.len() - variables);
        let (condition, body) = planned?;
        Ok(Op::Loop(Box::new(Loop { kind: *kind, of, first, second, condition, body })))
    }

    fn inner(&mut self, rest: &[Id], has_condition: bool, node: &Node) -> Result<(Option<OpId>, OpId), Fault> {
        match (rest, has_condition) {
            ([condition, body], true) => Ok((Some(self.plan(*condition)?), self.plan(*body)?)),
            ([body], false) => Ok((None, self.plan(*body)?)),
            _ => Err(fault(&node.range, "an argument is missing")),
        }
    }

    /// `has(a.b)`
    fn has(&mut self, field: Id) -> Result<Op, Fault> {
        let field = self.node(field)?;
        match &field.kind {
            NodeKind::Select { of, name, name_range } if !field.may_be_absent => {
                self.field_name(name, name_range)?;
                Ok(Op::Has { of: self.plan(*of)?, field: Key::Text(name.as_str().into()), name: name_range.clone() })
            }
            _ => Err(fault(&field.range, NO_FIELD)),
        }
    }
}

//! What an expression is made of, as far as the text shows it: text, a list, a dict or struct with these keys.
//!
//! Names are followed to their bindings, even in other files, and calls to what the function returns. Nothing is run,
//! and if the text does not show it there is no answer.

use super::language::{self, Member};
use super::view::nearest;
use lofting_document::FileId;
use lofting_eval::code::{BindingKind, Code, Meaning, Operator, ScopeId, TermId, TermKind};
use lofting_workspace::Snapshot;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// How deep an expression is followed, through names, calls and members.
const MAX_DEPTH: usize = 16;
/// How many expressions are looked at for one answer.
const MAX_LOOKS: usize = 300;

/// How much further an expression is followed.
#[derive(Clone, Copy)]
struct Steps<'l> {
    depth: usize,
    looks: &'l Cell<usize>,
}

impl Steps<'_> {
    fn next(self) -> Option<Self> {
        self.looks.set(self.looks.get().checked_sub(1)?);
        Some(Steps { depth: self.depth.checked_sub(1)?, ..self })
    }
}

/// An expression of a file.
#[derive(Clone)]
pub(crate) struct Expression {
    /// The file.
    pub file: FileId,
    /// Its code.
    pub code: Arc<Code>,
    /// The expression.
    pub term: TermId,
    /// It went through `struct.encode` (true) or `struct.decode` (false), which turn dicts into structs or back, all the
    /// way down.
    pub encoded: Option<bool>,
}

/// What an expression is made of.
pub(crate) enum Kind {
    /// A string.
    Text,
    /// A list.
    List,
    /// A set.
    Set,
    /// A dict with these keys.
    Dict(Vec<Entry>),
    /// A struct with these members.
    Struct(Vec<Entry>),
}

/// A key of a dict or member of a struct.
pub(crate) struct Entry {
    /// The name.
    pub name: String,
    /// Its range.
    pub range: Range<usize>,
    /// Its value.
    pub value: Expression,
}

impl Kind {
    /// The methods of such a value, with the name of its type.
    pub fn methods(&self) -> Option<(&'static str, &'static [Member])> {
        Some(match self {
            Kind::Text => ("string", language::STRING),
            Kind::List => ("list", language::LIST),
            Kind::Set => ("set", language::SET),
            Kind::Dict(_) => ("dict", language::DICT),
            Kind::Struct(_) => return None,
        })
    }

    fn entry(self, name: &str) -> Option<Expression> {
        let (Kind::Dict(entries) | Kind::Struct(entries)) = self else { return None };
        entries.into_iter().rev().find(|entry| entry.name == name).map(|entry| entry.value)
    }
}

impl Expression {
    /// What it is made of.
    pub fn kind(&self, snapshot: &Snapshot) -> Option<Kind> {
        let looks = Cell::new(MAX_LOOKS);
        self.kind_within(snapshot, Steps { depth: MAX_DEPTH, looks: &looks })
    }

    fn at(&self, term: TermId) -> Expression {
        Expression { term, ..self.clone() }
    }

    fn kind_within(&self, snapshot: &Snapshot, steps: Steps<'_>) -> Option<Kind> {
        let steps = steps.next()?;
        let code = &self.code;
        let kind = |term: TermId| self.at(term).kind_within(snapshot, steps);
        match &code.term(self.term)?.kind {
            TermKind::String { .. } => Some(Kind::Text),
            TermKind::Sequence { type_name: "list", .. } => Some(Kind::List),
            TermKind::Comprehension { elements } => {
                Some(if elements.len() == 2 { Kind::Dict(Vec::new()) } else { Kind::List })
            }
            TermKind::Dict(parts) => {
                let entries = parts.chunks_exact(2).filter_map(|pair| {
                    let TermKind::String { value, content } = &code.term(*pair.first()?)?.kind else { return None };
                    Some(Entry { name: value.clone(), range: content.clone(), value: self.at(*pair.get(1)?) })
                });
                let entries = entries.collect();
                Some(if self.encoded == Some(true) { Kind::Struct(entries) } else { Kind::Dict(entries) })
            }
            TermKind::Choice { then, otherwise } => kind(*then).or_else(|| kind(*otherwise)),
            TermKind::Operation { operands, operators } => {
                let truth = |operator: &Operator| matches!(operator, Operator::In | Operator::Comparison);
                if operators.is_empty() || operators.iter().any(truth) {
                    return None;
                }
                operands.iter().find_map(|operand| kind(*operand))
            }
            TermKind::Name(name) => {
                let term = code.term(self.term)?;
                let bound = nearest(code, term.scope, name, term.range.start)?;
                self.bound(snapshot, bound.kind)?.kind_within(snapshot, steps)
            }
            TermKind::Attribute { of, name, .. } => match kind(*of)? {
                Kind::Dict(_) => None,
                found => found.entry(name)?.kind_within(snapshot, steps),
            },
            TermKind::Index { of, key: Some(key), slice: false, .. } => {
                let TermKind::String { value, .. } = &code.term(*key)?.kind else { return None };
                match kind(*of)? {
                    Kind::Struct(_) => None,
                    found => found.entry(value)?.kind_within(snapshot, steps),
                }
            }
            TermKind::Call { .. } => self.result(snapshot, steps),
            _ => None,
        }
    }

    /// What a name is bound to, in the file with the binding.
    fn bound(&self, snapshot: &Snapshot, kind: BindingKind) -> Option<Expression> {
        match kind {
            BindingKind::Value(value) => Some(self.at(value)),
            BindingKind::Loaded(load, name) => {
                let load = self.code.loads.get(load)?;
                let file = snapshot.loaded_file(self.file, &load.module)?;
                let code = snapshot.code(file);
                let last = *code.bound_in(ScopeId(0), &load.names.get(name)?.name).last()?;
                match code.bindings.get(last as usize)?.kind {
                    BindingKind::Value(term) => Some(Expression { file, code, term, encoded: self.encoded }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The result of a call.
    fn result(&self, snapshot: &Snapshot, steps: Steps<'_>) -> Option<Kind> {
        let code = &self.code;
        let TermKind::Call { function, arguments, .. } = &code.term(self.term)?.kind else { return None };
        let first = arguments.first().filter(|argument| argument.name.is_none()).map(|argument| argument.value);
        let named = |encoded: Option<bool>| {
            let entries = arguments.iter().filter_map(|argument| {
                let (name, range) = argument.name.clone()?;
                Some(Entry { name, range, value: Expression { encoded, ..self.at(argument.value) } })
            });
            entries.collect::<Vec<_>>()
        };
        if let Meaning::Member(module, member) = code.values.meaning(*function).0 {
            return match (module.as_str(), member.as_str()) {
                ("struct", "make") => Some(Kind::Struct(named(None))),
                ("struct", "encode" | "decode") => {
                    let encoded = Some(member == "encode");
                    Expression { encoded, ..self.at(first?) }.kind_within(snapshot, steps)
                }
                ("struct", "make_and_bind" | "bind") => self.at(first?).kind_within(snapshot, steps),
                (_, "encode") | ("template", "text") => Some(Kind::Text),
                _ => None,
            };
        }
        match &code.term(*function)?.kind {
            TermKind::Name(name) => {
                let scope = code.term(*function)?.scope;
                let Some(bound) = nearest(code, scope, name, code.term(*function)?.range.start) else {
                    return match name.as_str() {
                        "str" | "repr" | "type" | "chr" => Some(Kind::Text),
                        "list" | "sorted" | "reversed" | "dir" | "zip" | "enumerate" => Some(Kind::List),
                        "dict" => Some(Kind::Dict(named(None))),
                        "set" => Some(Kind::Set),
                        _ => None,
                    };
                };
                let (file, code, id) = match bound.kind {
                    BindingKind::Function(id) => (self.file, code.clone(), id),
                    BindingKind::Loaded(load, name) => {
                        let load = code.loads.get(load)?;
                        let file = snapshot.loaded_file(self.file, &load.module)?;
                        let there = snapshot.code(file);
                        let last = *there.bound_in(ScopeId(0), &load.names.get(name)?.name).last()?;
                        let BindingKind::Function(id) = there.bindings.get(last as usize)?.kind else { return None };
                        (file, there, id)
                    }
                    _ => return None,
                };
                let returns = code.functions.get(id.0 as usize)?.returns.clone();
                returns.into_iter().find_map(|term| {
                    Expression { file, code: code.clone(), term, encoded: self.encoded }.kind_within(snapshot, steps)
                })
            }
            TermKind::Attribute { of, name, .. } => {
                let of = self.at(*of).kind_within(snapshot, steps)?;
                match (&of, name.as_str()) {
                    (
                        Kind::Text,
                        "capitalize" | "format" | "join" | "lower" | "lstrip" | "replace" | "rstrip" | "strip"
                        | "title" | "upper",
                    ) => Some(Kind::Text),
                    (Kind::Text, "split" | "rsplit" | "splitlines") => Some(Kind::List),
                    (Kind::Dict(_), "keys" | "values" | "items") => Some(Kind::List),
                    (Kind::Dict(_), "get") => {
                        let TermKind::String { value, .. } = &code.term(first?)?.kind else { return None };
                        of.entry(value)?.kind_within(snapshot, steps)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;

//! Data values of which code may read any part, whether it names the part or not.

use super::outside::assigned;
use super::{Binding, BindingKind, Code, Follower, Form, Meaning, Operator, PathId, TermId, TermKind};
use std::collections::HashSet;

/// Built-in functions whose result is followed only if they get nothing but the value.
const REORDERING: [&str; 5] = ["list", "sorted", "reversed", "tuple", "enumerate"];

impl Follower<'_> {
    /// Values that escape, and those whose holder may hold another value as well, so that its uses are not noted for
    /// both. Sorted.
    pub(super) fn unfollowed(&self, settled: bool) -> Vec<PathId> {
        let is_half_typed = self.code.terms.iter().any(|term| matches!(term.kind, TermKind::Missing));
        if !settled || is_half_typed {
            return vec![PathId(0)];
        }
        let mut found: Vec<PathId> = self.paths.escapes.iter().map(|escape| escape.path).collect();
        found.extend(self.of_modules());
        found.extend(self.of_bindings());
        found.extend(self.of_terms());
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The value that an expression stands for; for the module `data`, all values.
    fn held(&self, id: TermId) -> Option<(PathId, Form)> {
        self.paths.meanings.get(id.0 as usize).and_then(|(meaning, _)| held(meaning))
    }

    /// The module of data values, passed on.
    fn of_modules(&self) -> Option<PathId> {
        let mut terms = self.paths.meanings.iter().zip(&self.consumed);
        let passed = terms.any(|((meaning, _), consumed)| {
            !consumed && matches!(meaning, Meaning::Module(_)) && held(meaning).is_some()
        });
        passed.then_some(PathId(0))
    }

    fn of_bindings(&self) -> impl Iterator<Item = PathId> {
        let bindings = self.code.bindings.iter().enumerate();
        bindings.filter_map(|(index, binding)| {
            // What a loop runs over, where its variable is not followed.
            let of_loop = match binding.kind {
                BindingKind::Item(term) => self.held(term).filter(|(_, form)| *form == Form::Numbered),
                BindingKind::ItemPart(term, part) => {
                    self.held(term).filter(|(_, form)| *form != Form::Numbered || part > 1)
                }
                _ => None,
            };
            let value = held(self.paths.bound(index)).filter(|_| is_shared(self.code, index, binding));
            of_loop.or(value).map(|(path, _)| path)
        })
    }

    fn of_terms(&self) -> impl Iterator<Item = PathId> {
        // `dict.get("key")` is followed.
        let gets: HashSet<TermId> =
            self.code.terms.iter().filter_map(|term| self.followed_method(&term.kind)).collect();
        let terms = self.code.terms.iter().zip(0..);
        terms.flat_map(move |(term, id)| match &term.kind {
            TermKind::Attribute { of, .. } if !gets.contains(&TermId(id)) => {
                let value = self.held(*of).filter(|(_, form)| *form != Form::Plain);
                value.map(|(path, _)| path).into_iter().collect()
            }
            TermKind::Call { .. } => self.of_call(&term.kind),
            TermKind::Operation { operands, operators } => self.of_comparison(operands, operators),
            _ => Vec::new(),
        })
    }

    fn followed_method(&self, call: &TermKind) -> Option<TermId> {
        let TermKind::Call { function, arguments, .. } = call else { return None };
        let key = arguments.first().filter(|argument| argument.name.is_none() && !argument.starred)?;
        let TermKind::Attribute { name, .. } = &self.code.term(*function)?.kind else { return None };
        (name == "get" && self.string(key.value).is_some()).then_some(*function)
    }

    /// Arguments that the function does not hold alone.
    fn of_call(&self, call: &TermKind) -> Vec<PathId> {
        let TermKind::Call { function, arguments, .. } = call else { return Vec::new() };
        if let Meaning::Function(id) = self.known(*function).0 {
            let Some(callee) = self.code.functions.get(id.0 as usize) else { return Vec::new() };
            let passed = assigned(&callee.parameters, arguments).into_iter().filter_map(|(index, value)| {
                let (meaning, _) = self.known(value);
                let is_alone = self.parameters.get(&(id, index)).is_some_and(|(known, _)| *known == meaning);
                held(&meaning).filter(|_| !is_alone)
            });
            return passed.map(|(path, _)| path).collect();
        }
        let builtin = self.builtin(*function).filter(|name| REORDERING.contains(&name.as_str()));
        match arguments.as_slice() {
            [first, _, ..] if builtin.is_some() => self.held(first.value).map(|(path, _)| path).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// What is compared as a whole.
    fn of_comparison(&self, operands: &[TermId], operators: &[Operator]) -> Vec<PathId> {
        let mut found = Vec::new();
        for (operator, pair) in operators.iter().zip(operands.windows(2)) {
            let [left, right] = pair else { continue };
            let compared: &[TermId] = match operator {
                Operator::Comparison => &[*left, *right],
                // The key is named.
                Operator::In if self.string(*left).is_some() => &[],
                Operator::In => &[*left, *right],
                Operator::And | Operator::Or | Operator::Other => &[],
            };
            found.extend(compared.iter().filter_map(|term| self.held(*term)).map(|(path, _)| path));
        }
        found
    }
}

fn held(meaning: &Meaning) -> Option<(PathId, Form)> {
    match meaning {
        Meaning::Values(path, form) => Some((*path, *form)),
        Meaning::Module(module) if module == "data" => Some((PathId(0), Form::Plain)),
        _ => None,
    }
}

/// Whether a name has other bindings that may hold where this one does. A loop's variable has none within the loop.
fn is_shared(code: &Code, index: usize, binding: &Binding) -> bool {
    let all = code.bound_in(binding.scope, &binding.name);
    let Some(end) = binding.until else { return all.len() > 1 };
    let after = all.partition_point(|other| *other as usize <= index);
    let next = all.get(after).and_then(|next| code.bindings.get(*next as usize));
    next.is_some_and(|next| next.range.start < end)
}

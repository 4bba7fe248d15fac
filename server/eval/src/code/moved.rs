//! Code in a text that an edit made longer or shorter elsewhere.

use super::{
    Binding, CallArgument, Code, Escape, Function, Load, LoadedName, Parameter, Scope, StatementMistake, Term,
    TermKind, Use,
};
use crate::Moved;

impl Code {
    /// The code after an edit that changed no code.
    #[must_use]
    pub fn moved(&self, moved: &Moved) -> Code {
        let mut code = Code {
            pieces: self.pieces.clone(),
            terms: copied(&self.terms),
            scopes: self.scopes.clone(),
            bindings: copied(&self.bindings),
            functions: copied(&self.functions),
            loads: copied(&self.loads),
            values: self.values.copied(),
            mistakes: self.mistakes.clone(),
            ends: self.ends.clone(),
            by_name: self.by_name.clone(),
        };
        code.pieces.iter_mut().for_each(|(piece, _)| moved.range(piece));
        for Term { range: own, kind, .. } in &mut code.terms {
            moved.range(own);
            match kind {
                TermKind::Attribute { name_range, .. } => moved.range(name_range),
                TermKind::Call { arguments, commas, inside, .. } => {
                    for CallArgument { name, .. } in arguments {
                        name.iter_mut().for_each(|(_, own)| moved.range(own));
                    }
                    commas.iter_mut().for_each(|comma| moved.offset(comma));
                    moved.range(inside);
                }
                TermKind::String { content, .. } => moved.range(content),
                _ => {}
            }
        }
        code.scopes.iter_mut().for_each(|Scope { range: own, .. }| moved.range(own));
        for Binding { range: own, until, .. } in &mut code.bindings {
            moved.range(own);
            until.iter_mut().for_each(|until| moved.offset(until));
        }
        for Function { name_range, head, parameters, .. } in &mut code.functions {
            moved.range(name_range);
            moved.range(head);
            parameters.iter_mut().for_each(|Parameter { range: own, .. }| moved.range(own));
        }
        for Load { module_range, range: own, names, .. } in &mut code.loads {
            moved.range(module_range);
            moved.range(own);
            for LoadedName { name_range, local_range, .. } in names {
                moved.range(name_range);
                moved.range(local_range);
            }
        }
        for StatementMistake { statement, range: own, .. } in &mut code.mistakes {
            moved.range(statement);
            moved.range(own);
        }
        code.values.uses.iter_mut().for_each(|Use { range: own, .. }| moved.range(own));
        code.values.escapes.iter_mut().for_each(|Escape { range: own, .. }| moved.range(own));
        code
    }
}

/// A copy, whose making ends where it is cancelled.
pub(super) fn copied<T: Clone>(items: &[T]) -> Vec<T> {
    let copy = |item: &T| {
        lofting_memo::step();
        item.clone()
    };
    items.iter().map(copy).collect()
}

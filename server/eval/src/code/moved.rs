//! Code in a text that an edit made longer or shorter elsewhere.

use super::{Binding, CallArgument, Code, Escape, Function, Load, LoadedName, Parameter, Scope, Term, TermKind, Use};
use std::ops::Range;

impl Code {
    /// The code after an edit that changed no code: what begins at or after `from` is `by` bytes further on.
    #[must_use]
    pub fn moved(&self, from: usize, by: isize) -> Code {
        let mut code = self.clone();
        let at = |offset: &mut usize| {
            if *offset >= from {
                *offset = offset.saturating_add_signed(by);
            }
        };
        let range = |range: &mut Range<usize>| {
            at(&mut range.start);
            at(&mut range.end);
        };
        code.pieces.iter_mut().for_each(|(piece, _)| range(piece));
        for Term { range: own, kind, .. } in &mut code.terms {
            range(own);
            match kind {
                TermKind::Attribute { name_range, .. } => range(name_range),
                TermKind::Call { arguments, commas, inside, .. } => {
                    for CallArgument { name, .. } in arguments {
                        name.iter_mut().for_each(|(_, own)| range(own));
                    }
                    commas.iter_mut().for_each(at);
                    range(inside);
                }
                TermKind::String { content, .. } => range(content),
                _ => {}
            }
        }
        code.scopes.iter_mut().for_each(|Scope { range: own, .. }| range(own));
        for Binding { range: own, until, .. } in &mut code.bindings {
            range(own);
            until.iter_mut().for_each(at);
        }
        for Function { name_range, head, parameters, .. } in &mut code.functions {
            range(name_range);
            range(head);
            parameters.iter_mut().for_each(|Parameter { range: own, .. }| range(own));
        }
        for Load { module_range, range: own, names, .. } in &mut code.loads {
            range(module_range);
            range(own);
            for LoadedName { name_range, local_range, .. } in names {
                range(name_range);
                range(local_range);
            }
        }
        code.values.uses.iter_mut().for_each(|Use { range: own, .. }| range(own));
        code.values.escapes.iter_mut().for_each(|Escape { range: own, .. }| range(own));
        code
    }
}

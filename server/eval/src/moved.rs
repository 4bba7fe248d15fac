//! Places in a text that an edit made longer or shorter before them.

use crate::expr::{Argument, Arguments, Expr, ExprKind, Keyword};
use std::ops::Range;

/// How places are moved by an edit that replaced a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    from: usize,
    by: isize,
}

impl Moved {
    /// What is at or after the end of `old`, a part of the text that now has `new_len` bytes.
    pub fn by(old: &Range<usize>, new_len: usize) -> Moved {
        Moved { from: old.end, by: new_len as isize - old.len() as isize }
    }

    /// Moves an offset.
    pub fn offset(&self, offset: &mut usize) {
        if *offset >= self.from {
            *offset = offset.saturating_add_signed(self.by);
        }
    }

    /// Moves both ends of a range.
    pub fn range(&self, range: &mut Range<usize>) {
        self.offset(&mut range.start);
        self.offset(&mut range.end);
    }

    /// Moves all places of arguments.
    pub fn arguments(&self, arguments: &mut Arguments) {
        let Arguments { positional, keywords, order, errors, starred: _, names, commas, range } = arguments;
        positional.iter_mut().for_each(|value| self.expression(value));
        for Keyword { name_range, value, .. } in keywords {
            self.range(name_range);
            self.expression(value);
        }
        for argument in order {
            match argument {
                Argument::Star(value) | Argument::StarStar(value) => self.expression(value),
                Argument::Positional(_) | Argument::Keyword(_) => {}
            }
        }
        errors.iter_mut().for_each(|error| self.range(&mut error.range));
        names.iter_mut().for_each(|used| self.range(&mut used.range));
        commas.iter_mut().for_each(|comma| self.offset(comma));
        self.range(range);
    }

    /// The reader caps the nesting, and so this recursion.
    fn expression(&self, expression: &mut Expr) {
        self.range(&mut expression.range);
        match &mut expression.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter_mut().for_each(|item| self.expression(item)),
            ExprKind::Dict(entries) => {
                for (key, value) in entries {
                    self.expression(key);
                    self.expression(value);
                }
            }
            ExprKind::Callable(callable) => callable.made_with.iter_mut().for_each(|made| self.expression(made)),
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Lambda { .. }
            | ExprKind::Code
            | ExprKind::Missing => {}
        }
    }
}

//! How often something may be repeated in Go: counts inside counts are multiplied.

use super::{Mistake, PatternError, failure};
use regex_syntax::ast::{Ast, Repetition, RepetitionKind, RepetitionRange, Visitor, visit};

/// The highest count, and the highest product of counts.
const MOST: u32 = 1000;

/// Refuses counts that are too high together, with the first operator that makes them so.
pub(super) fn check(syntax: &Ast, translated: &str) -> Result<(), PatternError> {
    visit(syntax, Counts { translated, products: vec![0] })
}

struct Counts<'t> {
    translated: &'t str,
    /// For each operator that is open, from the outermost: the highest product of the counts inside it. Zero: there are
    /// none.
    products: Vec<u32>,
}

impl Visitor for Counts<'_> {
    type Output = ();
    type Err = PatternError;

    fn finish(self) -> Result<(), PatternError> {
        Ok(())
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), PatternError> {
        if count(node).is_some() {
            self.products.push(0);
        }
        Ok(())
    }

    fn visit_post(&mut self, node: &Ast) -> Result<(), PatternError> {
        let Some((repetition, count)) = count(node) else { return Ok(()) };
        let inside = self.products.pop().unwrap_or_default();
        // What occurs never has no size, and is not looked into.
        let product = if count == 0 { 0 } else { count.saturating_mul(inside.max(1)) };
        if product > MOST {
            let operator = repetition.op.span;
            let operator = self.translated.get(operator.start.offset..operator.end.offset).unwrap_or_default();
            return Err(failure(Mistake::RepeatCount, operator));
        }
        if let Some(around) = self.products.last_mut() {
            *around = product.max(*around);
        }
        Ok(())
    }
}

/// A repetition with a count, and the count: the highest number, or the lowest if there is no highest one.
fn count(node: &Ast) -> Option<(&Repetition, u32)> {
    let Ast::Repetition(repetition) = node else { return None };
    match &repetition.op.kind {
        RepetitionKind::Range(RepetitionRange::Exactly(count) | RepetitionRange::Bounded(_, count)) => {
            Some((repetition, *count))
        }
        RepetitionKind::Range(RepetitionRange::AtLeast(count)) => Some((repetition, (*count).max(1))),
        _ => None,
    }
}

//! What alternatives of a scalar allow together: the values that some of them list, and what the others take.

use super::Walk;
use super::discriminator::NAMED;
use super::score::allowed;
use crate::score::Score;
use crate::view::View;
use lofting_diagnostic::words::with_article;
use lofting_document::{Node, NodeValue};
use lofting_schema::{ConstraintKind, Kinds, SchemaId};

/// How many alternatives besides those that list values are put into words.
const WORDS: usize = 6;

/// What alternatives allow, of which at least one lists values.
pub(super) struct Choice {
    /// The values that are listed.
    pub listed: Vec<Node>,
    /// What alternatives without a list take: `an integer`.
    pub others: Vec<String>,
}

impl<V: View> Walk<'_, '_, V> {
    /// What alternatives allow, with how well each fits a scalar that none of them takes. None if no alternative lists
    /// values, or if one that takes values of this kind cannot be put into a few words.
    pub(super) fn choice(&self, scores: &[(Score, SchemaId)]) -> Option<Choice> {
        let mut choice = Choice { listed: Vec::new(), others: Vec::new() };
        let mut has_list = false;
        for (score, id) in scores {
            for member in self.all_alternatives(&[*id]) {
                let node = self.schema.node(member);
                // What the author says of one alternative says more.
                if node.message.is_some() || node.constraints.iter().any(|bound| bound.message.is_some()) {
                    return None;
                }
                match allowed(self.schema, member) {
                    Some(values) => {
                        has_list = true;
                        values.iter().for_each(|value| choice.list(value.clone()));
                    }
                    // There are no others of these kinds.
                    None if node.kinds == Kinds::BOOL || node.kinds == Kinds::NULL => {
                        let values: &[NodeValue] = match node.kinds {
                            Kinds::NULL => &[NodeValue::Null],
                            _ => &[NodeValue::Bool(true), NodeValue::Bool(false)],
                        };
                        let place = node.declared.span;
                        values.iter().for_each(|value| choice.list(Node::new(value.clone(), place)));
                    }
                    None => choice.others.push(self.in_words(member, score.kind)?),
                }
            }
        }
        choice.others.dedup();
        (has_list && choice.others.len() <= WORDS && scores.len() > 1).then_some(choice)
    }

    /// What a node without a list of values takes. `of_kind`: it takes values of this kind, but not this value.
    fn in_words(&self, id: SchemaId, of_kind: bool) -> Option<String> {
        let node = self.schema.node(id);
        if node.kinds == Kinds::NONE || !node.known {
            return None;
        }
        if !of_kind {
            return (node.kinds != Kinds::ANY).then(|| with_article(&self.schema.type_words(id)));
        }
        // A pattern only refuses strings.
        let [only] = node.constraints.as_slice() else { return None };
        let is_plain = node.clauses.is_empty() && (node.kinds == Kinds::STRING || node.kinds == Kinds::ANY);
        match &only.kind {
            ConstraintKind::Pattern(pattern) if is_plain => Some(format!("a string that matches `{}`", pattern.source)),
            _ => None,
        }
    }
}

impl Choice {
    fn list(&mut self, value: Node) {
        if self.listed.len() < NAMED && !self.listed.iter().any(|known| known.value == value.value) {
            self.listed.push(value);
        }
    }
}

//! Texts that would be right if they were read as something else than a string.

use super::Walk;
use crate::view::{NodeView, Scalar, View};
use lofting_document::{Node, NodeValue};
use lofting_schema::{Kinds, SchemaId};
use lofting_syntax::resolve::{Profile, Resolved, resolve_plain};

impl<V: View> Walk<'_, '_, V> {
    /// The first of some nodes that accepts a string once it is read without its quotes, and by the rules of YAML 1.1, where
    /// `yes` and `off` are booleans. Also what it is then.
    pub(super) fn read_otherwise(&mut self, value: V, nodes: &[SchemaId]) -> Option<(Kinds, SchemaId)> {
        let Some(Scalar::String(text)) = value.scalar() else { return None };
        let meant = match resolve_plain(Profile::Yaml11, &text) {
            Resolved::Bool(meant) => NodeValue::Bool(meant),
            Resolved::Int(meant) => NodeValue::int(meant),
            Resolved::Float(meant) => NodeValue::Float(meant),
            _ => return None,
        };
        let kinds = Kinds::of(&meant)?;
        let meant = Node::new(meant, value.span());
        let mut scorer = self.scorer();
        let accepts = |id: &&SchemaId| {
            let score = scorer.score(NodeView(&meant), **id, 0);
            score.fits && !score.unsure
        };
        nodes.iter().find(accepts).map(|id| (kinds, *id))
    }
}

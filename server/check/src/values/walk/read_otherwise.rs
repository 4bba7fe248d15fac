//! Texts that would be right if they were read as something else than a string.

use super::Walk;
use crate::path::Step;
use crate::rules;
use crate::view::{Kind, Scalar, View};
use lofting_diagnostic::Fix;
use lofting_document::{FileId, Node, NodeValue, Options, Span, lower};
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
            let score = scorer.score_aside(&meant, **id, 0);
            score.fits && !score.unsure
        };
        nodes.iter().find(accepts).map(|id| (kinds, *id))
    }

    /// Drops the fixes of the last finding that write a value which the node does not take either: one in quotes, where
    /// a string has to match a pattern, an empty one, where it has a least length, or an array of a scalar, where its
    /// items are maps.
    pub(super) fn drop_wrong_fixes(&mut self, value: V, id: SchemaId) {
        let Some(fixes) = self.found.findings.last_mut().map(|found| std::mem::take(&mut found.diagnostic.fixes))
        else {
            return;
        };
        let (span, profile) = (value.span(), self.schema.semantics().profile);
        let mut scorer = self.scorer();
        let mut number = 0;
        let mut is_wrong = |fix: &Fix| match fix.edits.as_slice() {
            [(at, text)] if *at == span => written(text, profile).is_some_and(|meant| {
                // Values are known by their places.
                number += 1;
                let place = Span::new(ASIDE, span.range().start..span.range().end + number);
                let score = scorer.score_aside(&Node::new(meant, place), id, 0);
                !score.fits && !score.unsure
            }),
            _ => false,
        };
        let (wrong, right): (Vec<Fix>, Vec<Fix>) = fixes.into_iter().partition(|fix| is_wrong(fix));
        let is_null = value.kind() == Kind::Null;
        if let Some(found) = self.found.findings.last_mut() {
            // Advice goes with the only fix that follows it.
            if right.is_empty() && !wrong.is_empty() {
                found.diagnostic.help = None;
            }
            if is_null && !wrong.is_empty() {
                let is_item = matches!(found.steps.last(), Some(Step::Index(_)));
                let has_default = self.schema.node(id).default.is_some();
                found.diagnostic.help = Some(rules::ytt_type_mismatch::advice_for_null(&right, is_item, has_default));
            }
            found.diagnostic.fixes = right;
        }
    }
}

/// The file of values that are in none.
const ASIDE: FileId = FileId(u32::MAX);

/// The value that a fix writes on one line; None if it writes something else.
fn written(text: &str, profile: Profile) -> Option<NodeValue> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return Some(NodeValue::String(quoted.into()));
    }
    if text.starts_with(['[', '{']) {
        let tree = lofting_syntax::parse(text);
        let document = lower(ASIDE, &tree, profile, Options::default()).documents.into_iter().next()?;
        return (tree.errors().is_empty() && document.value.is_known()).then_some(document.value.value);
    }
    Some(match resolve_plain(profile, text) {
        Resolved::Null => NodeValue::Null,
        Resolved::Bool(meant) => NodeValue::Bool(meant),
        Resolved::Int(meant) => NodeValue::int(meant),
        Resolved::Float(meant) => NodeValue::Float(meant),
        Resolved::String => NodeValue::String(text.into()),
    })
}

//! `@schema/default`.

use super::rules::{default_arguments, default_redundant, default_required, no_effect};
use super::{ProposalReader, Site, found, is_sure};
use lofting_document::{Node, Notes, OwnerKind, from_expression};
use lofting_eval::ExprKind;
use lofting_schema::{DefaultValue, Kinds, SchemaNode};

impl ProposalReader<'_> {
    pub(super) fn defaults(&mut self, node: &mut SchemaNode, notes: &Notes, site: Site) {
        let name = node.declared.name;
        let Some(note) = notes.get("schema/default") else {
            if !site.without_default && !notes.has("schema/nullable") {
                self.faults.extend(default_required::look(node, self.form).map(found));
            }
            return;
        };
        // A default that is not allowed there is reported by the rule about places.
        if site.place == OwnerKind::ArrayItem {
            return;
        }
        let unknown =
            || DefaultValue { value: Node::unknown(note.span), span: note.span, explicit: true, keyword: None };
        if !is_sure(note) {
            node.default = Some(Box::new(unknown()));
            return;
        }
        let wrong = match (note.arguments.keywords.first(), note.arguments.positional.as_slice()) {
            (Some(keyword), _) => format!("`@schema/default` takes no argument `{}=`", keyword.name),
            (None, []) => "`@schema/default` needs a value".to_owned(),
            (None, [only]) if matches!(only.kind, ExprKind::Lambda { .. } | ExprKind::Callable(_)) => {
                "a function cannot be a default".to_owned()
            }
            (None, [only]) => {
                let value = from_expression(note.span.file, only);
                let is_collection = node.map.is_some() || node.array.is_some();
                if !self.form.allows_scalar_default() && node.known && !is_collection {
                    let is_any = node.kinds == Kinds::ANY;
                    self.found(default_redundant::finding(name, note, is_any));
                } else if site.without_default && site.place == OwnerKind::MapItem {
                    let message = "this default is never used: the key is only present if it is given";
                    self.found(no_effect::finding(note.span, message));
                }
                node.default = Some(Box::new(DefaultValue { span: value.span, value, explicit: true, keyword: None }));
                return;
            }
            (None, several) => format!("`@schema/default` takes one value, but has {}", several.len()),
        };
        node.default = Some(Box::new(unknown()));
        self.found(default_arguments::finding(name, note, &wrong));
    }
}

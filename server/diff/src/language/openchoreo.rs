//! Documents of OpenChoreo: the schemas of their parameters.

use super::numbered::numbered;
use super::{Compared, Incomparable, NoVersion, Side, Texts};
use crate::change::{Breaks, Change, Kind, Part};
use crate::place::{Described, ids};
use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::{ReadsSchemas, Role};
use lofting_document::{Document, Key, Node, NodeValue, Span};
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use rustc_hash::{FxHashMap, FxHashSet};

/// A schema of a document: the kind and name of the document, and what the values are for, such as `parameters`.
struct Parameters {
    resource: String,
    slot: &'static str,
    schema: Schema,
    span: Span,
}

impl Parameters {
    /// Whether nothing may be left out of the values without being missed.
    fn asks_for_something(&self) -> bool {
        let root = Described::of(&self.schema, &ids([self.schema.root()]));
        let is_filled = |key| {
            let below = Described::of(&self.schema, &root.below(key));
            below.default.is_some()
        };
        root.required.iter().any(|key| !is_filled(key))
    }
}

pub(super) fn are_in(side: &Side) -> bool {
    !side.claims(&OpenChoreo).is_empty()
}

fn schemas(side: &Side) -> Vec<Parameters> {
    let found = side.claims(&OpenChoreo).into_iter().filter_map(|claim| {
        let document = side.documents.documents.get(claim.document)?;
        let Role::Schema(name) = &claim.role else { return None };
        let (resource, slot) = (format!("{} {}", name.kind, name.name), name.slot);
        let part = lofting_dialect::SchemaPart { document, claim: Some(&claim), tree: Some(&side.tree) };
        let schema = OpenChoreo.read(&[part], &NoFunctions).schema;
        Some(Parameters { resource, slot, schema, span: Span::new(document.value.span.file, claim.key.clone()) })
    });
    found.collect()
}

/// The documents of a file, each by its kind and name, whether it has schemas or not.
fn documents(side: &Side) -> Vec<String> {
    let text = |node: &Node| match &node.value {
        NodeValue::String(text) => Some(text.to_string()),
        _ => None,
    };
    let name = |document: &Document| {
        let name = document.value.get(&Key::from("metadata"))?.get(&Key::from("name")).and_then(text)?;
        Some(format!("{} {name}", document.value.get(&Key::from("kind")).and_then(text)?))
    };
    side.documents.documents.iter().filter_map(name).collect()
}

/// Compares the schemas with the same name.
pub(super) fn add(compared: &mut Compared, before: &Side, after: &Side, texts: Texts<'_>) -> Result<(), Incomparable> {
    let documents = documents(after);
    let (before, after) = (schemas(before), schemas(after));
    for (in_new, schemas) in [(false, &before), (true, &after)] {
        if schemas.is_empty() {
            return Err(Incomparable { in_new, why: NoVersion::NoParameters });
        }
    }
    let is_one =
        |all: &[Parameters]| all.iter().zip(all.iter().skip(1)).all(|(one, next)| one.resource == next.resource);
    let is_single = is_one(&before) && is_one(&after);
    // A file with one document is compared as that, even if it was renamed.
    let name = |one: &Parameters| if is_single { String::new() } else { one.resource.clone() };
    let part = |one: &Parameters| Part {
        resource: (!is_single).then(|| one.resource.clone()),
        component: Some(one.slot.to_owned()),
        ..Part::default()
    };
    let keys = |all: &[Parameters]| numbered(all.iter().map(|one| (name(one), one.slot)));
    let (old_keys, new_keys) = (keys(&before), keys(&after));
    let news: FxHashMap<_, &Parameters> = new_keys.iter().zip(&after).collect();
    for (key, old) in old_keys.iter().zip(&before) {
        match news.get(key) {
            Some(new) => {
                let roots = vec![(part(old), old.schema.root(), new.schema.root())];
                compared.add_roots(&old.schema, &new.schema, texts, roots);
            }
            None => {
                let resource = after.first().filter(|_| is_single).map_or(&old.resource, |one| &one.resource);
                // A document that asks for no values of the kind ignores those that are given.
                let is_kept = documents.iter().filter(|document| *document == resource).count() > key.1;
                let breaks = Breaks { values: !is_kept, templates: true };
                let change = Change::new(Kind::Removed).breaking(breaks).at(Some(old.span), None);
                compared.changes.push(Change { part: part(old), ..change });
            }
        }
    }
    let olds: FxHashSet<_> = old_keys.iter().collect();
    for (_, new) in new_keys.iter().zip(&after).filter(|(key, _)| !olds.contains(key)) {
        let is_needed = new.asks_for_something();
        let kind = if is_needed { Kind::AddedRequired } else { Kind::AddedOptional };
        let change = Change::new(kind).breaking(Breaks::values_if(is_needed)).at(None, Some(new.span));
        compared.changes.push(Change { part: part(new), ..change });
    }
    Ok(())
}

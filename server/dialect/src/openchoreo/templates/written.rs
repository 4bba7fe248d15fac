//! Finds what is wrong in the expressions of a file in its tree, where only what is not known to be right is looked at.

use super::items::{
    ID, OPERATIONS, PATH, TARGET, Template, TemplateAt, is_literal, is_outside, wanted, wanted_in_target,
};
use super::{
    Declared, OPENING, ResultType, SpecView, Variables, check_text, each, era, is_absent, is_template, looped,
};
use crate::inside::Own;
use crate::openchoreo::SEMANTICS;
use crate::openchoreo::cel::types::Type;
use crate::openchoreo::claims::{GROUP, SLOTS, TYPES};
use crate::openchoreo::structure;
use crate::quiet::QuietTexts;
use crate::resources::{self, Resource, resources_in};
use crate::{FileView, WrittenSteps};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::Searches;
use lofting_document::Key;
use lofting_schema::Schema;
use lofting_syntax::{Document, Element, Green, Item, Kind, Map, Node, Value, ValueKind};
use rustc_hash::{FxHashSet, FxHasher};
use smol_str::SmolStr;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The findings in the expressions of a file.
pub(in crate::openchoreo) fn findings(file: &dyn FileView, own: &Own<'_>, quiet: &mut QuietTexts) -> Vec<Diagnostic> {
    let declared = Declared::of(own);
    let mut look = Look { file, quiet, given: 0, kind: "".into(), searches: Searches::default(), found: Vec::new() };
    // Only lowering knows what an alias stands for.
    let documents = file.tree().documents().enumerate();
    let named: FxHashSet<usize> =
        documents.filter(|(_, document)| document.node().has_names()).map(|(number, _)| number).collect();
    if !named.is_empty() {
        each(file, own, &mut |number, template, variables| {
            if named.contains(&number) {
                check_text(file, template, variables, &mut look.searches, &mut look.found);
            }
        });
    }
    let nothing = look.quiet.given(Vec::new(), 0);
    look.documents(file.tree().root(), &mut 0, nothing, &mut |look, document, resource| {
        let own = resource.kind.as_deref().filter(|_| resource.version.starts_with(GROUP));
        let kind = own.unwrap_or_default();
        look.structure(kind, &resource.root);
        let is_one = TYPES.contains(&kind) && !named.contains(&document);
        let Some(spec) = resource.root.key("spec").filter(|_| is_one) else { return };
        let path = resource.root.path();
        let way = resources::split(&path).0;
        let view = WrittenSpec { kind, spec: &spec };
        let has = |path: &[&str]| view.has(path);
        let schemas: Vec<_> = SLOTS.iter().map(|(_, slot)| declared.schema(document, way, slot).cloned()).collect();
        let absent: Vec<bool> = SLOTS.iter().map(|(name, _)| is_absent(name, &view)).collect();
        let ids = match view.by_id() {
            Some((_, Type::ById(_, ids))) => Some(ids),
            _ => None,
        };
        look.kind = kind.into();
        let given = |section: &str| (schemas.clone(), hash_of(&(kind, era(&has), &absent, section, &ids)));
        look.spec(&spec, &given, &mut declared.variables(&view, document, way));
    });
    look.quiet.finish();
    look.found
}

/// A spec in a tree.
struct WrittenSpec<'s, 't> {
    kind: &'s str,
    spec: &'s WrittenSteps<'t>,
}

impl SpecView for WrittenSpec<'_, '_> {
    fn kind(&self) -> &str {
        self.kind
    }

    fn has(&self, path: &[&str]) -> bool {
        path.iter().try_fold(self.spec.clone(), |at, key| at.key(key)).is_some()
    }

    fn keys(&self, path: &[&str]) -> Vec<SmolStr> {
        let found = path.iter().try_fold(self.spec.clone(), |at, key| at.key(key));
        found.map(|found| found.keys()).unwrap_or_default()
    }

    fn ids(&self, list: &str) -> Option<Arc<[SmolStr]>> {
        let items = structure::few(self.spec, list);
        let ids: Option<Arc<[SmolStr]>> = items.iter().map(|item| item.text_at(ID)).collect();
        ids.filter(|ids| !ids.is_empty())
    }
}

/// What texts are read with: schemas, and everything else as a number.
type Given<'g> = &'g dyn Fn(&str) -> (Vec<Option<Arc<Schema>>>, usize);

fn hash_of(of: &impl Hash) -> usize {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish() as usize
}

struct Look<'l> {
    file: &'l dyn FileView,
    quiet: &'l mut QuietTexts,
    /// The number of the schemas of the variables.
    given: usize,
    /// The kind of the resource.
    kind: SmolStr,
    searches: Searches,
    found: Vec<Diagnostic>,
}

/// What is left to do in a list of templates.
enum ToDo<'t> {
    Look(Node<'t>),
    /// Everything below was looked at; the number of findings before that.
    Leave(&'t Arc<Green>, usize),
}

impl Look<'_> {
    /// Goes over the resources of the documents in the root of a tree, or in a group in it, of which the first has this
    /// number. Gives whether none of them may have templates: that a group has `nothing` is remembered. Groups have few
    /// levels.
    fn documents<'t>(
        &mut self,
        node: Node<'t>,
        number: &mut usize,
        nothing: usize,
        look: &mut dyn FnMut(&mut Self, usize, &Resource<'t>),
    ) -> bool {
        let mut is_empty = true;
        for part in node.parts().filter_map(Element::node) {
            if let Some(document) = Document::cast(part) {
                for resource in resources_in(&document, *number, SEMANTICS.profile) {
                    let before = self.found.len();
                    look(self, *number, &resource);
                    is_empty &= resource.kind.as_deref().is_none_or(|kind| !TYPES.contains(&kind));
                    is_empty &= self.found.len() == before;
                }
                *number += 1;
                continue;
            }
            let Some(green) = part.green() else { continue };
            if self.quiet.contains(green, nothing) {
                *number += green.count();
                continue;
            }
            if self.documents(part, number, nothing, look) {
                self.quiet.insert(green, nothing);
            } else {
                is_empty = false;
            }
        }
        is_empty
    }

    /// What is wrong with a resource beyond expressions.
    fn structure(&mut self, kind: &str, root: &WrittenSteps<'_>) {
        if !structure::concerns(kind) {
            return;
        }
        self.given = self.quiet.given(Vec::new(), hash_of(&("structure", kind)));
        let id = self.file.id();
        match root.value().node() {
            Some(node) => self.unless_quiet(node, |look| structure::look(kind, root, id, &mut look.found)),
            None => structure::look(kind, root, id, &mut self.found),
        }
    }

    fn spec(&mut self, spec: &WrittenSteps<'_>, given: Given<'_>, variables: &mut Variables) {
        for entry in spec.map().into_iter().flat_map(|map| map.entries()) {
            let name = entry.key().and_then(|key| Some(Key::from(key.scalar()?.value().as_ref())));
            let Some(name) = name.filter(|name| !entry.is_incomplete() && is_template(name)) else { continue };
            variables.place.section = name.as_str().unwrap_or_default().into();
            variables.place.key = SmolStr::default();
            let (schemas, others) = given(&variables.place.section);
            self.given = self.quiet.given(schemas, others);
            if let Some(list) = entry.value().seq() {
                self.items(list.node(), variables);
                continue;
            }
            variables.looped = None;
            self.unless_quiet(entry.node(), |look| look.strings(entry.value(), None, variables));
        }
    }

    /// Looks at a part unless it is known to be quiet.
    fn unless_quiet(&mut self, part: Node<'_>, look: impl FnOnce(&mut Self)) {
        let green = part.green();
        if green.is_some_and(|green| self.quiet.contains(green, self.given)) {
            return;
        }
        let before = self.found.len();
        look(self);
        self.leave(green, before);
    }

    fn leave(&mut self, green: Option<&Arc<Green>>, before: usize) {
        if let Some(green) = green.filter(|_| self.found.len() == before) {
            self.quiet.insert(green, self.given);
        }
    }

    /// The templates in a list.
    fn items(&mut self, list: Node<'_>, variables: &mut Variables) {
        let mut open = vec![ToDo::Look(list)];
        while let Some(task) = open.pop() {
            let node = match task {
                ToDo::Look(node) => node,
                ToDo::Leave(green, before) => {
                    self.leave(Some(green), before);
                    continue;
                }
            };
            if let Some(item) = Item::cast(node) {
                self.unless_quiet(node, |look| look.item(item.value(), variables));
                continue;
            }
            let green = node.green();
            if green.is_some_and(|green| self.quiet.contains(green, self.given)) {
                continue;
            }
            open.extend(green.map(|green| ToDo::Leave(green, self.found.len())));
            let inside: Vec<Node<'_>> = node.parts().filter_map(Element::node).collect();
            let inside = inside.into_iter().rev();
            open.extend(inside.filter(|node| matches!(node.kind(), Kind::Group | Kind::SeqEntry)).map(ToDo::Look));
        }
    }

    fn item(&mut self, item: Value<'_>, variables: &mut Variables) {
        (variables.looped, variables.place.key) = Default::default();
        let steps = WrittenSteps::root(item, SEMANTICS.profile);
        let around = looped(&|key| steps.text_at(key), &|| steps.keys(), variables);
        let Some(map) = item.map() else {
            variables.looped = around;
            self.strings(item, None, variables);
            return;
        };
        for entry in map.entries().filter(|entry| !entry.is_incomplete()) {
            let name = entry.key().and_then(|key| Some(key.scalar()?.value().into_owned())).unwrap_or_default();
            if is_literal(&name, None) {
                continue;
            }
            let value = entry.value();
            let is_text = value.scalar().is_some();
            variables.looped = around.clone().filter(|_| !(is_text && is_outside(&name)));
            variables.place.key = name.as_str().into();
            if let Some(target) = value.map().filter(|_| name == TARGET) {
                self.target(&target, variables);
                continue;
            }
            let text = is_text.then(|| WrittenSteps::root(value, SEMANTICS.profile).text()).flatten();
            let wanted = text.and_then(|text| wanted(&self.kind, &name, &text));
            match value.seq().filter(|_| name == OPERATIONS) {
                Some(operations) => operations.items().for_each(|item| self.operation(item.value(), variables)),
                None => self.strings(value, wanted, variables),
            }
        }
    }

    /// An operation of a patch.
    fn operation(&mut self, operation: Value<'_>, variables: &Variables) {
        let Some(map) = operation.map() else { return self.strings(operation, None, variables) };
        for entry in map.entries().filter(|entry| map.is_flow() || !entry.is_incomplete()) {
            let value = entry.value();
            let is_path = entry.key().and_then(|key| Some(key.scalar()?.value() == PATH)) == Some(true);
            let wanted = (is_path && value.scalar().is_some()).then_some(ResultType::Path);
            self.strings(value, wanted, variables);
        }
    }

    /// What a patch or a check is about.
    fn target(&mut self, target: &Map<'_>, variables: &Variables) {
        for entry in target.entries().filter(|entry| target.is_flow() || !entry.is_incomplete()) {
            let name = entry.key().and_then(|key| Some(key.scalar()?.value().into_owned()));
            if !is_literal(TARGET, name.as_deref()) {
                let wanted = name.as_deref().and_then(wanted_in_target);
                let wanted = wanted.filter(|_| {
                    entry
                        .value()
                        .scalar()
                        .is_some_and(|_| WrittenSteps::root(entry.value(), SEMANTICS.profile).text().is_some())
                });
                self.strings(entry.value(), wanted, variables);
            }
        }
    }

    /// The strings in a value, keys and values.
    fn strings(&mut self, value: Value<'_>, wanted: Option<ResultType>, variables: &Variables) {
        let mut open = vec![(value, wanted)];
        while let Some((value, wanted)) = open.pop() {
            let before = open.len();
            match (value.map(), value.seq()) {
                (Some(map), _) => {
                    let entries = map.entries().filter(|entry| map.is_flow() || !entry.is_incomplete());
                    open.extend(entries.flat_map(|entry| {
                        let key = entry.key().map(|key| (key, Some(ResultType::Name)));
                        key.into_iter().chain([(entry.value(), None)])
                    }));
                }
                (_, Some(list)) => open.extend(list.items().map(|item| (item.value(), None))),
                _ => self.string(value, wanted, variables),
            }
            if let Some(inside) = open.get_mut(before..) {
                inside.reverse();
            }
        }
    }

    fn string(&mut self, value: Value<'_>, wanted: Option<ResultType>, variables: &Variables) {
        let tree = self.file.tree();
        let written = tree.text(value.range());
        // In double quotes, other characters may stand for these.
        let may_be = written.contains(OPENING) || value.kind() == ValueKind::DoubleQuoted && written.contains('\\');
        if !may_be && wanted.is_none_or(ResultType::is_of_text) {
            return;
        }
        let Some(text) = WrittenSteps::root(value, SEMANTICS.profile).text() else { return };
        let template = Template { place: TemplateAt::Written(value), text: &text, wanted };
        check_text(self.file, &template, variables, &mut self.searches, &mut self.found);
    }
}

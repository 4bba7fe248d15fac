//! Finds what is wrong in the expressions of a file in its tree, where only what is not known to be right is looked at.

use super::items::{TARGET, Template, TemplateAt, is_literal, is_outside, wanted};
use super::{Declared, OPENING, ResultType, Variables, check_text, each, is_absent, is_template, looped};
use crate::inside::Own;
use crate::openchoreo::SEMANTICS;
use crate::openchoreo::claims::{SLOTS, TYPES};
use crate::quiet::QuietTexts;
use crate::resources::{self, Resource, resources_in};
use crate::{FileView, WrittenSteps};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::Searches;
use lofting_document::Key;
use lofting_syntax::{Document, Element, Green, Item, Kind, Map, Node, Value, ValueKind};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
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
        let kind = resource.kind.as_deref().unwrap_or_default();
        let is_one = TYPES.contains(&kind) && !named.contains(&document);
        let Some(spec) = resource.root.key("spec").filter(|_| is_one) else { return };
        let way = resources::split(resource.root.path()).0;
        let has = |path: &[&str]| path.iter().try_fold(spec.clone(), |at, key| at.key(key)).is_some();
        let schemas = SLOTS.iter().map(|(_, slot)| declared.schema(document, way, slot).cloned()).collect();
        let absent = SLOTS.iter().fold(0, |bits, (name, _)| 2 * bits + usize::from(is_absent(name, &has)));
        let number = TYPES.iter().position(|known| *known == kind).unwrap_or_default();
        look.given = look.quiet.given(schemas, absent * TYPES.len() + number);
        look.kind = kind.into();
        look.spec(&spec, &mut Variables { given: declared.given(document, way, &has), looped: None });
    });
    look.quiet.finish();
    look.found
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
                    is_empty &= resource.kind.as_deref().is_none_or(|kind| !TYPES.contains(&kind));
                    look(self, *number, &resource);
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

    fn spec(&mut self, spec: &WrittenSteps<'_>, variables: &mut Variables) {
        for entry in spec.map().into_iter().flat_map(|map| map.entries()) {
            let name = entry.key().and_then(|key| Some(Key::from(key.scalar()?.value().as_ref())));
            if entry.is_incomplete() || !name.is_some_and(|name| is_template(&name)) {
                continue;
            }
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
        variables.looped = None;
        let steps = WrittenSteps::root(item, SEMANTICS.profile);
        let around = looped(&|key| steps.text_at(key), variables);
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
            if let Some(target) = value.map().filter(|_| name == TARGET) {
                self.target(&target, variables);
                continue;
            }
            let text = is_text.then(|| WrittenSteps::root(value, SEMANTICS.profile).text()).flatten();
            let wanted = text.and_then(|text| wanted(&self.kind, &name, &text));
            self.strings(value, wanted, variables);
        }
    }

    /// What a patch or a check is about.
    fn target(&mut self, target: &Map<'_>, variables: &Variables) {
        for entry in target.entries().filter(|entry| target.is_flow() || !entry.is_incomplete()) {
            let name = entry.key().and_then(|key| Some(key.scalar()?.value().into_owned()));
            if !is_literal(TARGET, name.as_deref()) {
                self.strings(entry.value(), None, variables);
            }
        }
    }

    /// The strings in a value, keys and values.
    fn strings(&mut self, value: Value<'_>, wanted: Option<ResultType>, variables: &Variables) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let before = open.len();
            match (value.map(), value.seq()) {
                (Some(map), _) => {
                    let entries = map.entries().filter(|entry| map.is_flow() || !entry.is_incomplete());
                    open.extend(entries.flat_map(|entry| entry.key().into_iter().chain([entry.value()])));
                }
                (_, Some(list)) => open.extend(list.items().map(|item| item.value())),
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
        if !may_be && wanted.is_none() {
            return;
        }
        let Some(text) = WrittenSteps::root(value, SEMANTICS.profile).text() else { return };
        let template = Template { place: TemplateAt::Written(value), text: &text, wanted };
        check_text(self.file, &template, variables, &mut self.searches, &mut self.found);
    }
}

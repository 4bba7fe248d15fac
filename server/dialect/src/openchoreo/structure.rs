//! What the platform's own code refuses in its documents when they are submitted, beyond schemas and expressions. What
//! is written elsewhere and named here may be anything.

use super::claims::{SCHEMA, is_workflow};
use super::rules::{component_name, loop_name, patch_operation, repeated_name, template_resource, workload_resource};
use super::templates::{LoopFault, loop_fault};
use crate::WrittenSteps;
use lofting_diagnostic::suggest::nearest;
use lofting_diagnostic::{Diagnostic, Lack};
use lofting_document::{FileId, Key, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::ops::Range;

/// Kinds of workloads.
pub(super) const WORKLOADS: &[&str] = &["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job"];

/// API groups of workloads. Other groups may have kinds with the same names.
const GROUPS: &[&str] = &["apps", "batch"];

/// The type of component types without a workload.
pub(super) const PROXY: &str = "proxy";

/// What the namespace of a template is.
const NAMESPACE: &str = "metadata.namespace";

/// Operations of patches.
const OPERATIONS: &[&str] = &["add", "replace", "remove"];

/// Lists whose items may be loops, by the kind.
const LOOPS: &[(&str, &[&str])] = &[
    ("ComponentType", &["resources", "postRenderValidations"]),
    ("ProjectType", &["resources"]),
    ("Trait", &["creates", "patches", "removes", "postRenderValidations"]),
];

/// Adds what is wrong in a resource of a kind.
pub(super) fn look(kind: &str, root: &WrittenSteps<'_>, file: FileId, found: &mut Vec<Diagnostic>) {
    let Some(spec) = root.key("spec") else { return };
    let mut look = Structure { file, found };
    let base = kind.strip_prefix("Cluster").unwrap_or(kind);
    let is_current = spec.key(SCHEMA).is_none();
    for (_, lists) in LOOPS.iter().filter(|(own, _)| *own == base) {
        lists.iter().for_each(|list| look.loops(kind, &spec, list));
    }
    match base {
        "Component" => look.component(root, &spec),
        "ComponentType" => {
            look.repeated(&spec, "traits", "instanceName", "the instance");
            look.allowed(&spec);
            if is_current {
                look.component_type(&spec);
            }
        }
        "Trait" if is_current => look.attached(&spec),
        "ResourceType" => {
            look.repeated(&spec, "resources", "id", "the resource");
            look.repeated(&spec, "outputs", "name", "the output");
        }
        "ProjectType" => look.repeated(&spec, "resources", "id", "the resource"),
        _ if is_workflow(base) && is_current => look.workflow(&spec),
        _ => {}
    }
}

/// Whether something may be wrong with a kind.
pub(super) fn concerns(kind: &str) -> bool {
    let base = kind.strip_prefix("Cluster").unwrap_or(kind);
    matches!(base, "Component" | "ComponentType" | "ProjectType" | "Trait" | "ResourceType") || is_workflow(base)
}

struct Structure<'l> {
    file: FileId,
    found: &'l mut Vec<Diagnostic>,
}

/// Longer lists are not looked at: documents have few templates, and each is looked at again when another one changes.
const ITEMS: usize = 200;

/// The items of the list below a key.
pub(super) fn few<'t>(around: &WrittenSteps<'t>, key: &str) -> Vec<WrittenSteps<'t>> {
    let list = around.key(key);
    let is_short = |list: &WrittenSteps<'t>| list.value().seq().is_some_and(|seq| seq.items().nth(ITEMS).is_none());
    list.filter(is_short).map(|list| list.items()).unwrap_or_default()
}

/// Whether all keys of a map are written in it.
pub(super) fn is_whole(map: &WrittenSteps<'_>) -> bool {
    map.map().is_some() && map.key("<<").is_none()
}

/// Whether a key of a map is missing or null. One without a value is being typed.
pub(super) fn lacks(map: &WrittenSteps<'_>, key: &str) -> bool {
    let is_written_null = |value: WrittenSteps<'_>| {
        value.is_null() && value.value().alias().is_none() && !value.value().content_range().is_empty()
    };
    is_whole(map) && map.key(key).is_none_or(is_written_null)
}

/// What a map lacks that has a key at this place.
fn lack(beside: Span, keys: &[&str]) -> Lack {
    let keys = keys.iter().map(|key| Key::from(*key)).collect();
    Lack { keys, beside: Some(beside), is_required: true, instead: Vec::new() }
}

/// Whether a text has an expression.
pub(super) fn is_computed(text: &str) -> bool {
    text.contains("${")
}

/// Whether a text is one expression.
fn is_expression(text: &str, expression: &str) -> bool {
    let inner = text.trim().strip_prefix("${").and_then(|text| text.strip_suffix('}'));
    inner.is_some_and(|inner| inner.trim() == expression)
}

/// What a template says about itself.
#[derive(Default)]
struct Head {
    /// Its kind, with its place.
    kind: Option<(SmolStr, Range<usize>)>,
    group: SmolStr,
}

impl Head {
    fn workload(&self) -> Option<(&SmolStr, &Range<usize>)> {
        let (kind, range) = self.kind.as_ref()?;
        let is_workload = WORKLOADS.iter().any(|workload| kind.eq_ignore_ascii_case(workload));
        (is_workload && GROUPS.contains(&self.group.as_str())).then_some((kind, range))
    }
}

/// Whether the namespace of a template has to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Optional,
    Required,
}

impl Structure<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    fn add(&mut self, finding: Diagnostic) {
        self.found.push(finding);
    }

    /// Loops in a list.
    fn loops(&mut self, kind: &str, spec: &WrittenSteps<'_>, list: &str) {
        for item in few(spec, list) {
            lofting_memo::step();
            let name = item.key("var").and_then(|place| Some((place.text()?, place.value().content_range())));
            if let Some((name, range)) = name.filter(|_| item.key("forEach").is_some()) {
                let fault = loop_fault(kind, spec, list, &name);
                self.found.extend(fault.map(|fault| match fault {
                    LoopFault::Reserved => loop_name::reserved(self.span(range), &name),
                    LoopFault::Taken => loop_name::hides(self.span(range), &name),
                }));
            }
            if let Some(over) = item.key("forEach").filter(|_| !lacks(&item, "forEach") && lacks(&item, "var")) {
                let at = self.span(over.key_range());
                self.add(loop_name::finding(at).lack(lack(at, &["var"])));
            }
        }
    }

    fn component(&mut self, root: &WrittenSteps<'_>, spec: &WrittenSteps<'_>) {
        self.repeated(spec, "traits", "instanceName", "the instance");
        let is_current = spec.key("componentType").is_some_and(|named| named.map().is_some());
        let name = root.key("metadata").and_then(|metadata| metadata.key("name"));
        if let Some((place, name)) = name.filter(|_| is_current).and_then(|place| Some((place.clone(), place.text()?)))
            && !is_label(&name)
            && !name.is_empty()
        {
            self.add(component_name::finding(self.span(place.value().content_range()), &name));
        }
    }

    /// Reports items of a list with the same text below a key.
    fn repeated(&mut self, spec: &WrittenSteps<'_>, list: &str, key: &str, what: &str) {
        let mut known: FxHashMap<SmolStr, Range<usize>> = FxHashMap::default();
        for item in few(spec, list) {
            lofting_memo::step();
            let Some((place, name)) = item.key(key).and_then(|place| Some((place.clone(), place.text()?))) else {
                continue;
            };
            let range = place.value().content_range();
            match known.get(&name) {
                Some(first) => {
                    self.add(repeated_name::finding(self.span(range), self.span(first.clone()), what, &name));
                }
                None => {
                    known.insert(name, range);
                }
            }
        }
    }

    /// The traits and workflows that components of a type may have.
    fn allowed(&mut self, spec: &WrittenSteps<'_>) {
        for (list, what) in [("allowedTraits", "the trait"), ("allowedWorkflows", "the workflow")] {
            let mut embedded: FxHashMap<(SmolStr, SmolStr), Range<usize>> = FxHashMap::default();
            if list == "allowedTraits" {
                let traits = few(spec, "traits");
                embedded.extend(traits.iter().filter_map(named));
            }
            let mut known: FxHashMap<(SmolStr, SmolStr), Range<usize>> = FxHashMap::default();
            for item in few(spec, list) {
                lofting_memo::step();
                let Some((key, range)) = named(&item) else { continue };
                let (span, name) = (self.span(range.clone()), &key.1);
                if let Some(first) = known.get(&key) {
                    self.add(repeated_name::finding(span, self.span(first.clone()), what, name));
                } else if let Some(first) = embedded.get(&key) {
                    self.add(repeated_name::embedded(span, self.span(first.clone()), name));
                }
                known.entry(key).or_insert(range);
            }
        }
    }

    /// The head of the template in an item, after what is wrong with it was reported.
    fn template(&mut self, item: &WrittenSteps<'_>, key: &str, namespace: Namespace) -> Option<Head> {
        let written = item.key(key)?;
        if written.text().is_some_and(|text| !text.is_empty()) {
            self.add(template_resource::not_a_map(self.span(written.value().content_range())));
        }
        let template = Some(written).filter(is_whole)?;
        let metadata = template.key("metadata");
        let name_may_be = metadata.as_ref().is_some_and(|metadata| {
            !lacks(metadata, "name") && !metadata.text_at("name").is_some_and(|name| name.is_empty())
        });
        let has_metadata = metadata.as_ref().is_some_and(|metadata| metadata.map().is_some());
        let is_named =
            name_may_be && (has_metadata || metadata.as_ref().is_some_and(|own| own.value().alias().is_some()));
        let is_empty = |key: &str| lacks(&template, key) || template.text_at(key).is_some_and(|text| text.is_empty());
        let mut missing: Vec<&str> = ["apiVersion", "kind"].into_iter().filter(|key| is_empty(key)).collect();
        missing.extend((!is_named).then_some("metadata.name"));
        let own = metadata.as_ref().and_then(|metadata| metadata.key("namespace"));
        let needs_namespace = namespace == Namespace::Required;
        let lacks_namespace = metadata.as_ref().is_none_or(|metadata| lacks(metadata, "namespace"));
        missing.extend((needs_namespace && lacks_namespace).then_some("metadata.namespace"));
        if !missing.is_empty() {
            self.add(template_resource::missing(self.span(template.key_range()), &missing));
        }
        if let Some((place, text)) = own.and_then(|place| Some((place.clone(), place.text()?))) {
            let fits = if needs_namespace { text == "${metadata.namespace}" } else { is_expression(&text, NAMESPACE) };
            if !fits {
                self.add(template_resource::namespace(self.span(place.value().content_range())));
            }
        }
        let kind = template.key("kind").and_then(|place| Some((place.text()?, place.value().content_range())));
        if let Some((_, range)) = kind.as_ref().filter(|(kind, _)| is_computed(kind)) {
            self.add(template_resource::computed_kind(self.span(range.clone())));
        }
        let version = template.text_at("apiVersion").unwrap_or_default();
        let group = version.split_once('/').map(|(group, _)| SmolStr::from(group)).unwrap_or_default();
        Some(Head { kind: kind.filter(|(kind, _)| !kind.is_empty() && !is_computed(kind)), group })
    }

    fn component_type(&mut self, spec: &WrittenSteps<'_>) {
        let Some(resources) = spec.key("resources") else { return };
        let workload = spec
            .text_at("workloadType")
            .filter(|own| own == PROXY || WORKLOADS.iter().any(|kind| own == kind.to_lowercase().as_str()));
        let (mut first, mut is_known): (Option<Range<usize>>, bool) = (None, true);
        let mut others = false;
        for item in few(spec, "resources") {
            lofting_memo::step();
            let head = self.template(&item, "template", Namespace::Optional);
            let Some(kind) = head.as_ref().and_then(|head| head.kind.clone()) else {
                is_known = false;
                continue;
            };
            let Some(workload) = workload.as_ref() else { continue };
            if kind.0.eq_ignore_ascii_case(workload) {
                let span = self.span(kind.1.clone());
                match &first {
                    Some(first) => self.add(workload_resource::second(span, &kind.0, self.span(first.clone()))),
                    None => {
                        first = Some(kind.1);
                        let id = item.key("id").and_then(|place| Some((place.text()?, place.value().content_range())));
                        if let Some((_, range)) = id.filter(|(id, _)| id != workload) {
                            self.add(workload_resource::id(self.span(range), workload));
                        }
                    }
                }
            } else if let Some((kind, range)) = head.as_ref().and_then(Head::workload) {
                others = true;
                self.add(workload_resource::other(self.span(range.clone()), kind, workload));
            }
        }
        let is_list = !few(spec, "resources").is_empty();
        if let Some(workload) = workload.filter(|own| own != PROXY)
            && first.is_none()
            && is_known
            && is_list
            && !others
        {
            self.add(workload_resource::none(self.span(resources.key_range()), &workload));
        }
    }

    fn attached(&mut self, spec: &WrittenSteps<'_>) {
        for item in few(spec, "creates") {
            lofting_memo::step();
            let head = self.template(&item, "template", Namespace::Optional);
            if let Some((kind, range)) = head.as_ref().and_then(Head::workload) {
                self.add(workload_resource::in_trait(self.span(range.clone()), kind, "create"));
            }
        }
        for target in few(spec, "removes").iter().filter_map(|item| item.key("target")) {
            let kind = target.key("kind").and_then(|place| Some((place.text()?, place.value().content_range())));
            let head = Head { kind, group: target.text_at("group").unwrap_or_default() };
            if let Some((kind, range)) = head.workload() {
                self.add(workload_resource::in_trait(self.span(range.clone()), kind, "remove"));
            }
        }
        for operation in few(spec, "patches").iter().flat_map(|item| few(item, "operations")) {
            lofting_memo::step();
            self.operation(&operation);
        }
    }

    fn operation(&mut self, operation: &WrittenSteps<'_>) {
        if !is_whole(operation) {
            return;
        }
        let op = operation.key("op").and_then(|place| Some((place.text()?, place.value().content_range())));
        if let Some((op, range)) = op.as_ref().filter(|(op, _)| !OPERATIONS.contains(&op.as_str())) {
            let meant = nearest(op, OPERATIONS.iter().copied());
            self.add(patch_operation::unknown(self.span(range.clone()), op, meant, OPERATIONS));
        }
        let path = operation.key("path").and_then(|path| Some((path.text()?, path.value().content_range())));
        let is_pointer = |path: &str| path.is_empty() || path.starts_with('/') || is_computed(path);
        if let Some((path, range)) = path.filter(|(path, _)| !is_pointer(path)) {
            self.add(patch_operation::path(self.span(range), &path));
        }
        let op = op.map(|(op, _)| op).unwrap_or_default();
        let value = operation.key("value").filter(|_| !lacks(operation, "value"));
        let mut missing: Vec<&str> = ["op", "path"].into_iter().filter(|key| lacks(operation, key)).collect();
        // A value that is null is decoded as none.
        missing.extend((value.is_none() && matches!(op.as_str(), "add" | "replace")).then_some("value"));
        if !missing.is_empty() {
            let range = operation.value().content_range();
            let start = range.start;
            let end = operation
                .map()
                .and_then(|map| map.entries().next())
                .map_or(range.end, |entry| entry.key().map_or(range.end, |key| key.content_range().end));
            let at = self.span(start..end.max(start));
            let finding = patch_operation::missing(at, &missing).lack(lack(at, &missing));
            // Any value may be meant.
            self.add(match missing.as_slice() {
                [key] if *key != "value" => finding.key(&Key::from(*key)),
                _ => finding,
            });
        }
        if let Some(value) = value.filter(|_| op == "remove") {
            self.add(patch_operation::value(self.span(value.key_range())));
        }
    }

    fn workflow(&mut self, spec: &WrittenSteps<'_>) {
        self.template(spec, "runTemplate", Namespace::Required);
        for item in few(spec, "resources") {
            lofting_memo::step();
            self.template(&item, "template", Namespace::Required);
        }
        self.repeated(spec, "resources", "id", "the resource");
        self.repeated(spec, "externalRefs", "id", "the reference");
    }
}

/// The kind and name in a reference, and the place of the name.
fn named(item: &WrittenSteps<'_>) -> Option<((SmolStr, SmolStr), Range<usize>)> {
    let place = item.key("name")?;
    let kind = item.text_at("kind").unwrap_or_default();
    Some(((kind, place.text()?), place.value().content_range()))
}

/// Whether a text is a label that begins with a letter.
fn is_label(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(is_end)
        && text.chars().all(|c| is_end(c) || c == '-')
}

#[cfg(test)]
mod tests;

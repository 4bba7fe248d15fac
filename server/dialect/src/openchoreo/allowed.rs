//! What a component has, compared with what its type allows. The type is often in another file.

use super::claims::{SCHEMA, SYSTEM, is_workflow, referent};
use super::rules::{not_allowed, other_workload, repeated_name};
use super::structure::{PROXY, WORKLOADS, few, is_computed, is_whole, lacks};
use crate::{WrittenIn, WrittenSteps};
use lofting_diagnostic::Diagnostic;
use lofting_document::Span;
use smol_str::SmolStr;

/// Whether documents of a kind say what those that name them may have.
pub(super) fn limits(kind: &str) -> bool {
    matches!(kind, "ComponentType" | "ClusterComponentType")
}

/// What precedes the name of a component type where components name it: its workload.
pub(super) fn lead(named: &WrittenIn<'_>) -> Option<String> {
    named.root.text_at("kind").filter(|kind| limits(kind))?;
    let workload = named.root.key("spec")?.text_at("workloadType").filter(|workload| is_workload(workload))?;
    Some(format!("{workload}/"))
}

/// Whether a text is the type of a workload.
fn is_workload(text: &str) -> bool {
    text == PROXY || WORKLOADS.iter().any(|kind| text == kind.to_lowercase())
}

/// What a component has that its type does not allow.
pub(super) fn beyond(own: &WrittenIn<'_>, by: &WrittenIn<'_>) -> Vec<Diagnostic> {
    let (Some(spec), Some(limits)) = (own.root.key("spec"), by.root.key("spec")) else { return Vec::new() };
    let is_component = own.root.text_at("kind").is_some_and(|kind| kind == "Component");
    let Some(reference) = spec.key("componentType").filter(|_| is_component) else { return Vec::new() };
    // Until shortly before 1.0, types had no such lists. They were then named by a string, and had their schemas in one
    // place.
    let has_lists = ["traits", "allowedTraits"].into_iter().any(|list| limits.key(list).is_some());
    let is_current = reference.map().is_some() && (has_lists || limits.key(SCHEMA).is_none());
    let kind = by.root.text_at("kind").unwrap_or_default();
    let type_name = by.root.key("metadata").and_then(|metadata| metadata.text_at("name")).unwrap_or_default();
    let mut compared =
        Compared { own, by, type_name, limits, is_cluster: kind.starts_with("Cluster"), is_current, found: Vec::new() };
    compared.workload(&reference);
    compared.traits(&spec);
    compared.workflow(&spec);
    compared.found
}

struct Compared<'c, 't> {
    own: &'c WrittenIn<'t>,
    by: &'c WrittenIn<'t>,
    type_name: SmolStr,
    /// The content of the type.
    limits: WrittenSteps<'t>,
    /// The type is cluster-wide.
    is_cluster: bool,
    is_current: bool,
    found: Vec<Diagnostic>,
}

/// Something that a type allows: its kind, unless any is meant, and its name.
type Allowed = (Option<SmolStr>, SmolStr);

/// Whether the value of a name is known: it is neither empty nor filled in by a program.
fn is_known(name: &str) -> bool {
    !name.is_empty() && !is_computed(name) && !name.contains("{{")
}

impl Compared<'_, '_> {
    /// The workload before the name of the type.
    fn workload(&mut self, reference: &WrittenSteps<'_>) {
        let place = if reference.text().is_some() { Some(reference.clone()) } else { reference.key("name") };
        let Some((place, text)) = place.and_then(|place| Some((place.clone(), place.text()?))) else { return };
        let workload = self.limits.key("workloadType").and_then(|place| Some((place.text()?, place)));
        let Some((workload, declared)) = workload.filter(|(workload, _)| is_workload(workload)) else { return };
        let Some((written, _)) = text.rsplit_once('/').filter(|(written, _)| is_known(written)) else { return };
        let range = place.text_range(0..written.len()).filter(|_| written != workload);
        self.found.extend(range.map(|range| {
            let declared = Span::new(self.by.file, declared.value().content_range());
            other_workload::finding(Span::new(self.own.file, range), &self.type_name, &workload, declared)
        }));
    }

    fn traits(&mut self, spec: &WrittenSteps<'_>) {
        let embedded = few(&self.limits, "traits");
        let default = if self.is_cluster { "ClusterTrait" } else { "Trait" };
        let allowed = self.allowed("allowedTraits", default);
        for attached in few(spec, "traits") {
            lofting_memo::step();
            let instance = attached.key("instanceName").and_then(|place| Some((place.text()?, place)));
            if let Some((name, place)) = instance.filter(|(name, _)| is_known(name)) {
                let is_same = |own: &&WrittenSteps<'_>| own.text_at("instanceName").is_some_and(|own| own == name);
                let first = embedded.iter().find(is_same).and_then(|own| own.key("instanceName"));
                self.found.extend(first.map(|first| {
                    let first = Span::new(self.by.file, first.value().content_range());
                    let span = Span::new(self.own.file, place.value().content_range());
                    repeated_name::of_type(span, first, &name)
                }));
            }
            let kind = attached.text_at("kind").unwrap_or_else(|| "Trait".into());
            if matches!(kind.as_str(), "Trait" | "ClusterTrait")
                && let Some(allowed) = &allowed
            {
                self.look_up(&attached, Some(kind), "trait", "allowedTraits", allowed);
            }
        }
    }

    fn workflow(&mut self, spec: &WrittenSteps<'_>) {
        let Some(workflow) = spec.key("workflow") else { return };
        let Some(allowed) = self.allowed("allowedWorkflows", "ClusterWorkflow") else { return };
        // Workflows of the older kind are named without it.
        let is_older = !self.is_current || workflow.key(SYSTEM).is_some();
        let kind = match workflow.text_at("kind") {
            Some(kind) => Some(kind),
            None => (!is_older).then(|| "ClusterWorkflow".into()),
        };
        if kind.as_deref().is_none_or(is_workflow) {
            self.look_up(&workflow, kind, "workflow", "allowedWorkflows", &allowed);
        }
    }

    /// What a list of the type allows; None if that is not known.
    fn allowed(&self, list: &str, default: &str) -> Option<Vec<Allowed>> {
        let is_missing = lacks(&self.limits, list);
        // A part of a type, which is put onto the whole one, does not say what its workload is.
        if is_missing {
            let is_type = is_whole(&self.limits) && self.limits.text_at("workloadType").is_some();
            return (is_type && self.is_current).then(Vec::new);
        }
        let items = few(&self.limits, list);
        // Where none are given, the list may be too long to be looked at.
        if items.is_empty() && self.limits.key(list)?.value().seq()?.items().next().is_some() {
            return None;
        }
        let read = |item: &WrittenSteps<'_>| {
            let (kind, name, _) = referent(item, default)?;
            // A name alone may be of any kind.
            let kind = item.text().is_none().then_some(kind);
            (is_known(&name) && kind.as_deref().is_none_or(is_known)).then_some((kind, name))
        };
        items.iter().map(read).collect()
    }

    /// Reports what is named in a place and not allowed.
    fn look_up(
        &mut self,
        named: &WrittenSteps<'_>,
        kind: Option<SmolStr>,
        what: &'static str,
        list: &str,
        allowed: &[Allowed],
    ) {
        let Some((place, name)) = named.key("name").and_then(|place| Some((place.clone(), place.text()?))) else {
            return;
        };
        let is_of_kind = |(of, _): &&Allowed| of.as_ref().zip(kind.as_ref()).is_none_or(|(of, kind)| of == kind);
        if !is_known(&name) || allowed.iter().any(|own| is_of_kind(&own) && own.1 == name) {
            return;
        }
        let other_kind = allowed.iter().find(|(_, own)| *own == name).and_then(|(kind, _)| kind.as_deref());
        let names: Vec<&str> = allowed.iter().filter(is_of_kind).map(|(_, name)| name.as_str()).collect();
        let declared = self.limits.key(list).map(|list| list.key_range());
        let declared = declared.or_else(|| Some(self.by.root.key("metadata")?.key("name")?.value().content_range()));
        let asked = not_allowed::NotAllowed { what, name: &name, type_name: &self.type_name };
        let range = place.text_range(0..name.len()).unwrap_or_else(|| place.value().content_range());
        let finding = not_allowed::finding(
            Span::new(self.own.file, range),
            &asked,
            other_kind,
            &names,
            declared.map(|range| Span::new(self.by.file, range)),
        );
        self.found.push(finding);
    }
}

#[cfg(test)]
mod tests;

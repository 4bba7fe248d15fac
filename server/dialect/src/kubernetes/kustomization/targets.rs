//! What the targets of patches select: every text is a regular expression that has to match the whole of a name, and the
//! rest are selectors of labels and annotations.

use super::selector::{self, Requirement};
use super::{Identified, marks};
use crate::WrittenSteps;
use crate::kubernetes::pods::{Written, is_computed};
use lofting_schema::{Pattern, PatternDialect};
use smol_str::SmolStr;
use std::ops::Range;

/// What a patch is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// What has to fit, so far as it is known, in the order of [`Aspect`].
    pub conditions: Vec<Condition>,
}

/// What resources are selected by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The kind.
    Kind,
    /// The group of the version.
    Group,
    /// The version without its group.
    Version,
    /// The name.
    Name,
    /// The namespace.
    Namespace,
    /// The labels.
    Labels,
    /// The annotations.
    Annotations,
}

/// The keys of a target.
const ASPECTS: [(&str, Aspect); 7] = [
    ("kind", Aspect::Kind),
    ("group", Aspect::Group),
    ("version", Aspect::Version),
    ("name", Aspect::Name),
    ("namespace", Aspect::Namespace),
    ("labelSelector", Aspect::Labels),
    ("annotationSelector", Aspect::Annotations),
];

/// Where kustomizations add labels and annotations.
const ADDED_LABELS: [&[&str]; 2] = [&["commonLabels"], &["labels", "[]", "pairs"]];
const ADDED_ANNOTATIONS: [&[&str]; 1] = [&["commonAnnotations"]];

/// The namespace of resources for which none is written.
const DEFAULT_NAMESPACE: &str = "default";

impl Aspect {
    /// Whether a patch with this text may change it. Patches cannot change the others.
    pub fn is_in(self, text: &str) -> bool {
        match self {
            Aspect::Labels => text.contains("labels"),
            Aspect::Annotations => text.contains("annotations"),
            Aspect::Namespace => text.contains("namespace"),
            Aspect::Kind | Aspect::Group | Aspect::Version | Aspect::Name => false,
        }
    }
}

/// What one text of a target asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What it is about.
    pub aspect: Aspect,
    /// As written.
    pub text: SmolStr,
    /// Its bytes, without quotes.
    pub at: Range<usize>,
}

/// A condition that is ready to be compared.
#[derive(Debug)]
pub struct Fit<'c> {
    condition: &'c Condition,
    test: Test,
}

#[derive(Debug)]
enum Test {
    Name,
    Pattern(Pattern),
    Selector(Vec<Requirement>),
    /// It cannot be read.
    Unknown,
}

/// What kustomizations add to resources. It may come before a patch or after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    /// Labels.
    pub labels: Vec<(SmolStr, SmolStr)>,
    /// Annotations.
    pub annotations: Vec<(SmolStr, SmolStr)>,
    /// Namespaces.
    pub namespaces: Vec<SmolStr>,
    /// What may be anything.
    pub unknown: Vec<Aspect>,
}

impl Added {
    /// What a kustomization adds.
    pub(super) fn by(root: &WrittenSteps<'_>) -> Added {
        let mut added = Added::default();
        let mut read = |paths: &[&[&str]], aspect| -> Vec<(SmolStr, SmolStr)> {
            let maps = paths.iter().flat_map(|path| root.reached(path));
            let known: Option<Vec<_>> = maps.map(|map| marks(Some(map))).collect();
            added.unknown.extend(known.is_none().then_some(aspect));
            known.unwrap_or_default().into_iter().flatten().collect()
        };
        let labels = read(&ADDED_LABELS, Aspect::Labels);
        let annotations = read(&ADDED_ANNOTATIONS, Aspect::Annotations);
        let namespaces: Vec<SmolStr> = root.text_at("namespace").into_iter().collect();
        added.unknown.extend(namespaces.iter().any(|name| is_computed(name)).then_some(Aspect::Namespace));
        Added { labels, annotations, namespaces, ..added }
    }

    /// Adds what another kustomization adds.
    pub fn add(&mut self, other: &Added) {
        self.labels.extend_from_slice(&other.labels);
        self.annotations.extend_from_slice(&other.annotations);
        self.namespaces.extend_from_slice(&other.namespaces);
        self.unknown.extend_from_slice(&other.unknown);
    }

    /// Adds that a patch with this text is applied.
    pub fn patched_with(&mut self, text: &str) {
        let changed = [Aspect::Labels, Aspect::Annotations, Aspect::Namespace].into_iter();
        self.unknown.extend(changed.filter(|aspect| aspect.is_in(text)));
    }
}

/// Whether a text is a name, and no pattern.
pub(in crate::kubernetes) fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl Target {
    /// What is written in a target. What is only known after something was filled in is left out.
    pub(super) fn of(target: &WrittenSteps<'_>) -> Target {
        let condition = |(key, aspect): (&str, Aspect)| {
            let written = Written::of(&target.key(key)?)?;
            let is_known = !written.name.is_empty() && !is_computed(&written.name);
            is_known.then_some(Condition { aspect, text: written.name, at: written.at })
        };
        Target { conditions: ASPECTS.into_iter().filter_map(condition).collect() }
    }

    /// The name that an aspect has to have, if it is not a pattern.
    pub fn plain(&self, aspect: Aspect) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.aspect == aspect && is_plain(&condition.text))
    }
}

impl Condition {
    /// Prepares comparisons.
    pub fn fit(&self) -> Fit<'_> {
        let text = self.text.as_str();
        let test = match self.aspect {
            Aspect::Labels | Aspect::Annotations => selector::read(text).map_or(Test::Unknown, Test::Selector),
            _ if is_plain(text) => Test::Name,
            _ => Test::Pattern(Pattern::new(format!("^(?:{text})$"), PatternDialect::Re2)),
        };
        Fit { condition: self, test }
    }

    /// Whether it is a pattern.
    pub fn is_pattern(&self) -> bool {
        !is_plain(&self.text)
    }
}

impl Fit<'_> {
    /// Whether a resource may fit.
    pub fn is_possible(&self, resource: &Identified, added: &Added) -> bool {
        let aspect = self.condition.aspect;
        if added.unknown.contains(&aspect) {
            return true;
        }
        let (group, version) = resource.version.split_once('/').unwrap_or(("", &resource.version));
        match aspect {
            Aspect::Kind => self.matches(&resource.kind),
            Aspect::Group => self.matches(group),
            Aspect::Version => self.matches(version),
            Aspect::Name => self.matches(&resource.name),
            Aspect::Namespace => {
                let own = resource.namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE);
                is_computed(own) || self.matches(own) || added.namespaces.iter().any(|name| self.matches(name))
            }
            Aspect::Labels => self.selects(resource.labels.as_deref(), &added.labels),
            Aspect::Annotations => self.selects(resource.annotations.as_deref(), &added.annotations),
        }
    }

    fn matches(&self, name: &str) -> bool {
        match &self.test {
            Test::Name => self.condition.text == name,
            Test::Pattern(pattern) => pattern.is_in(name) != Some(false),
            Test::Selector(_) | Test::Unknown => true,
        }
    }

    /// Whether each requirement fits with what is written, or with something that may be added.
    fn selects(&self, own: Option<&[(SmolStr, SmolStr)]>, added: &[(SmolStr, SmolStr)]) -> bool {
        let (Test::Selector(requirements), Some(own)) = (&self.test, own) else { return true };
        requirements.iter().all(|requirement| {
            let is_asked = |(key, _): &&(SmolStr, SmolStr)| *key == requirement.key;
            let value = own.iter().rfind(is_asked).map(|(_, value)| value.as_str());
            let may_be = added.iter().filter(is_asked).map(|(_, value)| Some(value.as_str()));
            std::iter::once(value).chain(may_be).any(|value| requirement.fits(value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kustomization, identified};
    use super::*;

    const RESOURCES: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {note: a}}
---
apiVersion: v1
kind: Service
metadata: {name: web-a, namespace: shop}
---
apiVersion: example.com/v1beta1
kind: Box
metadata: {name: a.example.com, labels: {app: '${A}'}}
";

    /// The names of the resources that a target may select.
    fn selected(kustomization: &str) -> String {
        let kustomization = Kustomization::of(&lofting_syntax::parse(kustomization)).expect("a map");
        let resources = identified(&lofting_syntax::parse(RESOURCES)).expect("resources");
        let target = kustomization.patches[0].target.clone().expect("a target");
        let fits: Vec<Fit<'_>> = target.conditions.iter().map(Condition::fit).collect();
        let is_selected = |known: &&Identified| fits.iter().all(|fit| fit.is_possible(known, &kustomization.added));
        resources.iter().filter(is_selected).map(|known| known.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn targets_select_as_kustomize_does() {
        for (target, want) in [
            ("{}", "web web-a a.example.com"),
            ("{kind: Deployment}", "web"),
            ("{kind: 'Deployment|Service'}", "web web-a"),
            ("{kind: Deploy}", ""),
            ("{name: web}", "web"),
            ("{name: web.*}", "web web-a"),
            ("{name: we|web-a}", "web-a"),
            ("{name: a.example.com}", "a.example.com"),
            ("{name: '('}", "web web-a a.example.com"),
            ("{name: '${A}'}", "web web-a a.example.com"),
            ("{group: apps}", "web"),
            ("{group: .*}", "web web-a a.example.com"),
            ("{version: v1}", "web web-a"),
            ("{version: v1, group: apps, kind: Service}", ""),
            ("{namespace: shop}", "web-a"),
            ("{namespace: default}", "web a.example.com"),
            ("{labelSelector: app=web}", "web a.example.com"),
            ("{labelSelector: app!=web}", "web-a a.example.com"),
            ("{labelSelector: 'app in (x'}", "web web-a a.example.com"),
            ("{annotationSelector: note}", "web"),
        ] {
            assert_eq!(selected(&format!("patches: [{{target: {target}, patch: x}}]\n")), want, "{target}");
        }
        for (added, target, want) in [
            ("commonLabels: {app: db}", "{labelSelector: app=db}", "web web-a a.example.com"),
            ("labels: [{pairs: {a: b}}, {pairs: {c: d}}]", "{labelSelector: 'c=d,a'}", "web web-a a.example.com"),
            ("labels: [{pairs: {a: '${B}'}}]", "{labelSelector: x=y}", "web web-a a.example.com"),
            ("commonAnnotations: {a: b}", "{annotationSelector: a=c}", ""),
            ("namespace: prod", "{namespace: prod}", "web web-a a.example.com"),
        ] {
            let text = format!("{added}\npatches: [{{target: {target}, patch: x}}]\n");
            assert_eq!(selected(&text), want, "{text}");
        }
    }
}

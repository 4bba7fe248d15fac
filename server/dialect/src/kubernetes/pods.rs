//! Pods as they are written in workloads: their volumes, the ports of their containers, and their labels.

use super::validation::{has_label_form, is_label, is_port_name};
use crate::WrittenSteps;
use crate::resources::Resource;
use lofting_diagnostic::Lack;
use lofting_diagnostic::suggest::is_slip;
use lofting_document::{Key, Span, is_substituted};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::ops::Range;

/// Where kinds have the template of their pods, from the root of the resource.
const TEMPLATES: [(&str, &[&str]); 9] = [
    ("Pod", &[]),
    ("Deployment", &["spec", "template"]),
    ("ReplicaSet", &["spec", "template"]),
    ("StatefulSet", &["spec", "template"]),
    ("DaemonSet", &["spec", "template"]),
    ("ReplicationController", &["spec", "template"]),
    ("PodTemplate", &["template"]),
    ("Job", &["spec", "template"]),
    ("CronJob", &["spec", "jobTemplate", "spec", "template"]),
];

/// The groups of these kinds.
const GROUPS: [&str; 3] = ["v1", "apps/", "batch/"];

/// The keys of a pod with containers.
pub(super) const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

const PROBES: [&str; 3] = ["livenessProbe", "readinessProbe", "startupProbe"];
const EVENTS: [&str; 2] = ["postStart", "preStop"];
const CALLS: [&str; 2] = ["httpGet", "tcpSocket"];

/// A name, and where it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub name: SmolStr,
    /// Its bytes, without quotes.
    pub at: Range<usize>,
}

impl Written {
    /// The text of a value.
    pub fn of(steps: &WrittenSteps<'_>) -> Option<Written> {
        let name = steps.text()?;
        Some(Written { at: steps.text_range(0..name.len())?, name })
    }
}

/// Names that are declared in one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Declared {
    pub names: Vec<Written>,
    /// These names, to look one up.
    known: FxHashSet<SmolStr>,
    /// Some of them are not known.
    pub is_partial: bool,
}

impl Declared {
    /// Whether a name that is used is certainly not declared.
    pub fn lacks(&self, used: &Written) -> bool {
        is_lacking(self.is_partial, |name| self.known.contains(name), &used.name)
    }

    /// A name that cannot be one is reported as such, and may be meant to be any.
    fn add(&mut self, steps: Option<WrittenSteps<'_>>, is_name: fn(&str) -> bool) {
        match steps.as_ref().and_then(Written::of) {
            Some(written) if !is_computed(&written.name) && is_name(&written.name) => {
                self.known.insert(written.name.clone());
                self.names.push(written);
            }
            _ => self.is_partial = true,
        }
    }

    /// The names of the items of an array.
    fn add_items(&mut self, around: &WrittenSteps<'_>, key: &str, name: &[&str], is_name: fn(&str) -> bool) {
        self.is_partial |= around.key("<<").is_some() || is_misspelt(around, key);
        let Some(array) = around.key(key) else { return };
        self.is_partial |= array.value().seq().is_none();
        for item in array.items() {
            self.add(name.iter().try_fold(item, |item, key| item.key(key)), is_name);
        }
    }
}

fn is_lacking(is_partial: bool, is_declared: impl Fn(&SmolStr) -> bool, used: &SmolStr) -> bool {
    !is_partial && !used.is_empty() && !is_computed(used) && !is_declared(used)
}

/// Whether a key is missing, and another one is most likely meant to be it. That is one mistake, and what follows from it is
/// not another.
pub(super) fn is_misspelt(steps: &WrittenSteps<'_>, key: &str) -> bool {
    let may_be_meant = |written: &SmolStr| is_slip(&written.to_ascii_lowercase(), &key.to_ascii_lowercase());
    steps.key(key).is_none() && steps.keys().iter().any(may_be_meant)
}

/// The first key of a map.
pub(super) fn first_key(steps: &WrittenSteps<'_>) -> Option<Range<usize>> {
    steps.map()?.entries().next()?.key().map(|key| key.content_range())
}

/// What follows from the absence of keys in a map that begins with this key. One of them has to be there if they are
/// required.
pub(super) fn lack(beside: Option<Span>, keys: &[&str], is_required: bool) -> Option<Box<Lack>> {
    let keys: Vec<Key> = keys.iter().map(|key| Key::from(*key)).collect();
    (!keys.is_empty()).then(|| Box::new(Lack { keys, beside, is_required, instead: Vec::new() }))
}

/// Whether all keys of a map are written here.
pub(super) fn is_whole(steps: &WrittenSteps<'_>) -> bool {
    let keys = steps.keys();
    let is_plain = |key: &SmolStr| key != "<<" && !is_computed(key);
    steps.map().is_some_and(|map| map.entries().count() == keys.len()) && keys.iter().all(is_plain)
}

/// What begins a part that is filled in later, wherever it ends.
const BEGINNINGS: [&str; 3] = ["${", "{{", "$("];

/// Whether a text or a part of it is filled in later.
pub(super) fn is_computed(text: &str) -> bool {
    is_substituted(text) || BEGINNINGS.iter().any(|begin| text.contains(begin))
}

/// The names of ports, without where they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ports {
    pub names: Vec<SmolStr>,
    known: FxHashSet<SmolStr>,
    is_partial: bool,
}

impl Ports {
    /// The ports of containers.
    pub fn of<'c>(containers: impl IntoIterator<Item = &'c Container>) -> Self {
        let mut ports = Ports::default();
        for Declared { names, is_partial, .. } in containers.into_iter().map(|container| &container.ports) {
            ports.is_partial |= is_partial;
            names.iter().for_each(|port| ports.add(&port.name));
        }
        ports
    }

    pub fn extend(&mut self, other: &Ports) {
        self.is_partial |= other.is_partial;
        other.names.iter().for_each(|name| self.add(name));
    }

    fn add(&mut self, name: &SmolStr) {
        if self.known.insert(name.clone()) {
            self.names.push(name.clone());
        }
    }

    /// Whether a name that is used is certainly not declared.
    pub fn lack(&self, used: &Written) -> bool {
        is_lacking(self.is_partial, |name| self.known.contains(name), &used.name)
    }
}

/// A container.
#[derive(Debug, Default)]
pub(super) struct Container {
    /// Its first key.
    pub beside: Option<Range<usize>>,
    /// It says what it runs. Patches often do not, and leave out more.
    pub is_whole: bool,
    pub mounts: Vec<Written>,
    pub ports: Declared,
    /// Where its ports are named.
    pub uses: Vec<Written>,
}

/// What a workload says of its pods.
#[derive(Debug, Default)]
pub(super) struct Pods {
    /// The first key of what is around the volumes.
    pub beside: Option<Range<usize>>,
    pub volumes: Declared,
    /// There are claims of volumes beside the pods.
    pub has_claims: bool,
    pub containers: Vec<Container>,
}

/// The way from the root of a resource to the template of its pods.
pub(super) fn way_to_template(resource: &Resource<'_>) -> Option<&'static [&'static str]> {
    let kind = resource.kind.as_deref()?;
    let is_own = GROUPS
        .iter()
        .any(|group| resource.version == *group || group.ends_with('/') && resource.version.starts_with(group));
    let (_, path) = TEMPLATES.iter().find(|(known, _)| *known == kind && is_own)?;
    Some(path)
}

/// The template of the pods of a resource, or the pod itself.
pub(super) fn template<'t>(resource: &Resource<'t>) -> Option<WrittenSteps<'t>> {
    way_to_template(resource)?.iter().try_fold(resource.root.clone(), |steps, key| steps.key(key))
}

/// Whether a resource has a key that is most likely meant to be that of the template of its pods.
pub(super) fn has_misspelt_template(resource: &Resource<'_>) -> bool {
    let kind = resource.kind.as_deref().unwrap_or_default();
    let Some((_, path)) = TEMPLATES.iter().find(|(known, _)| *known == kind) else { return false };
    let mut steps = resource.root.clone();
    for key in *path {
        match steps.key(key) {
            Some(below) => steps = below,
            None => return is_misspelt(&steps, key),
        }
    }
    false
}

/// What is written in the pods of a resource.
pub(super) fn pods(resource: &Resource<'_>) -> Option<Pods> {
    let spec = template(resource)?.key("spec")?;
    let mut pods = Pods { beside: first_key(&spec), ..Pods::default() };
    pods.volumes.add_items(&spec, "volumes", &["name"], is_label);
    pods.has_claims = resource.kind.as_deref() == Some("StatefulSet");
    if let Some(own) = resource.root.key("spec").filter(|_| pods.has_claims) {
        // Nothing else reports what these names consist of.
        pods.volumes.add_items(&own, "volumeClaimTemplates", &["metadata", "name"], |_| true);
    }
    for container in CONTAINERS.iter().filter_map(|key| spec.key(key)).flat_map(|array| array.items()) {
        pods.containers.push(self::container(&container));
    }
    Some(pods)
}

fn container(steps: &WrittenSteps<'_>) -> Container {
    let is_whole = steps.key("image").is_some();
    let mut container = Container { beside: first_key(steps), is_whole, ..Container::default() };
    let mounts = ["volumeMounts", "volumeDevices"].into_iter().filter_map(|key| steps.key(key));
    let names = mounts.flat_map(|array| array.items()).filter_map(|mount| Written::of(&mount.key("name")?));
    container.mounts.extend(names);
    // Ports need no names.
    container.ports.is_partial = steps.key("<<").is_some() || is_misspelt(steps, "ports");
    if let Some(ports) = steps.key("ports") {
        container.ports.is_partial |= ports.value().seq().is_none();
        for port in ports.items() {
            match port.key("name") {
                // An empty name counts as absent.
                Some(name) => container.ports.add(Some(name), |name| name.is_empty() || is_port_name(name)),
                None => {
                    let is_open = port.map().is_none() || port.key("<<").is_some() || is_misspelt(&port, "name");
                    container.ports.is_partial |= is_open;
                }
            }
        }
    }
    let probes = PROBES.into_iter().filter_map(|key| steps.key(key));
    let lifecycle = steps.key("lifecycle");
    let events = EVENTS.into_iter().filter_map(|key| lifecycle.as_ref()?.key(key));
    for call in probes.chain(events).flat_map(|action| CALLS.map(|call| action.key(call))).flatten() {
        container.uses.extend(call.key("port").and_then(|port| Written::of(&port)));
    }
    container
}

/// The labels at a place; None if some are not known.
pub(super) fn labels(steps: &WrittenSteps<'_>) -> Option<Vec<(SmolStr, SmolStr)>> {
    let entries = steps.map()?;
    let mut labels = Vec::new();
    for (key, value) in steps.entries() {
        let value = value.text().filter(|value| !is_computed(value))?;
        // What cannot be a label is reported as such.
        if key == "<<" || is_computed(&key) || !has_label_form(&key, &value) {
            return None;
        }
        labels.push((key, value));
    }
    (labels.len() == entries.entries().count()).then_some(labels)
}

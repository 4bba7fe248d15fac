//! What identifies resources: names, labels and owners, with the rules of the API server (`ValidateObjectMeta`).

use super::fields::has_slip;
use super::structure::{get, list};
use lofting_cel::refusals;
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_schema::{Breach, BrokenRule, Judge, Step};

/// How many bytes all annotations of a resource may have.
const ANNOTATIONS: usize = 256 * 1024;

/// Values with rules of their own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Identity {
    /// `apiVersion`
    Version,
    /// `kind`
    Kind,
    /// `metadata`
    Metadata(Metadata),
    /// A resource, of whose metadata only the names are looked at.
    Names(Metadata),
}

/// What names of a kind consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameForm {
    /// A name of DNS, with periods.
    Subdomain,
    /// A part of a name of DNS.
    Label,
    /// A part of a name of DNS that begins with a letter.
    OldLabel,
    /// Anything that can be a segment of a path.
    Segment,
    /// Anything, because nothing reads it, such as in the template of a pod.
    Anything,
}

/// `metadata`
#[derive(Debug, Clone, Copy)]
pub(super) struct Metadata {
    pub named: NameForm,
    /// Whether there has to be a name.
    pub is_required: bool,
}

impl NameForm {
    /// What names of a kind of Kubernetes consist of.
    pub fn of_kind(group: &str, kind: &str) -> NameForm {
        match (group, kind) {
            ("", "Service") => NameForm::OldLabel,
            ("", "Namespace") | ("apps", "StatefulSet") => NameForm::Label,
            ("rbac.authorization.k8s.io", _) => NameForm::Segment,
            (_, "APIService" | "ClusterTrustBundle" | "IPAddress") => NameForm::Segment,
            _ => NameForm::Subdomain,
        }
    }

    /// The formats of names and of their beginnings, and what they consist of.
    fn formats(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            NameForm::Subdomain => Some((
                "dns1123Subdomain",
                "dns1123SubdomainPrefix",
                "a name consists of up to 253 lower-case letters, digits, hyphens and periods, and begins and ends with a \
                 letter or digit",
            )),
            NameForm::Label => Some(("dns1123Label", "dns1123LabelPrefix", LABEL)),
            NameForm::OldLabel => Some((
                "dns1035Label",
                "dns1035LabelPrefix",
                "a name consists of up to 63 lower-case letters, digits and hyphens, begins with a letter and ends with a \
                 letter or digit",
            )),
            NameForm::Segment | NameForm::Anything => None,
        }
    }

    fn refusal(self, name: &str, is_prefix: bool) -> Option<&'static str> {
        if let Some((whole, prefix, why)) = self.formats() {
            let format = if is_prefix { prefix } else { whole };
            return (!refusals(format, name).is_empty()).then_some(why);
        }
        match self {
            NameForm::Segment if !is_prefix && (name == "." || name == "..") => Some("a name cannot be a path"),
            NameForm::Segment if name.contains(['/', '%']) => Some("a name cannot contain `/` or `%`"),
            _ => None,
        }
    }
}

const LABEL: &str =
    "a name consists of up to 63 lower-case letters, digits and hyphens, and begins and ends with a letter or digit";

fn key(name: &str) -> Step {
    Step::Key(Key::from(name))
}

fn broken(at: Vec<Step>, message: impl Into<String>) -> BrokenRule {
    BrokenRule { message: message.into(), breach: Breach::Identity(None), at, is_key: false }
}

/// What was most likely meant by a name in the wrong case or with underscores.
fn spelled(name: &str, format: &str) -> Option<String> {
    let meant = name.trim().to_lowercase().replace(['_', ' '], "-");
    (meant != name && refusals(format, &meant).is_empty()).then_some(meant)
}

impl Judge for Identity {
    fn broken(&self, value: &Node) -> Vec<BrokenRule> {
        match (self, &value.value) {
            (Identity::Version, NodeValue::String(version)) => self::version(version).into_iter().collect(),
            (Identity::Kind, NodeValue::String(kind)) => self::kind(kind).into_iter().collect(),
            (Identity::Metadata(own), NodeValue::Map(_)) => metadata(value, *own),
            (Identity::Names(own), NodeValue::Map(_)) => names_within(value, *own),
            _ => Vec::new(),
        }
    }
}

fn version(version: &str) -> Option<BrokenRule> {
    match version.matches('/').count() {
        _ if version.is_empty() => Some(broken(Vec::new(), "the version is empty")),
        0 | 1 => None,
        _ => Some(broken(Vec::new(), "a version has the form `group/version`")),
    }
}

fn kind(kind: &str) -> Option<BrokenRule> {
    if kind.is_empty() {
        return Some(broken(Vec::new(), "the kind is empty"));
    }
    let is_wrong = !refusals("dns1035Label", &kind.to_lowercase()).is_empty();
    is_wrong.then(|| broken(Vec::new(), "a kind consists of letters, digits and hyphens, and begins with a letter"))
}

fn string<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    match &get(node, name)?.value {
        NodeValue::String(text) => Some(text).filter(|text| !text.is_empty()).map(|text| text.as_str()),
        _ => None,
    }
}

fn entries<'n>(node: &'n Node, name: &str) -> &'n [MapItem] {
    match get(node, name).map(|node| &node.value) {
        Some(NodeValue::Map(items)) => items,
        _ => &[],
    }
}

fn metadata(metadata: &Node, own: Metadata) -> Vec<BrokenRule> {
    let mut found = Vec::new();
    names(metadata, own, &mut found);
    if let Some(NodeValue::Int(generation)) = get(metadata, "generation").map(|node| &node.value)
        && generation.get() < 0
    {
        found.push(broken(vec![key("generation")], "a generation cannot be negative"));
    }
    labels(metadata, &mut found);
    annotations(metadata, &mut found);
    owners(metadata, &mut found);
    finalizers(metadata, &mut found);
    found
}

/// The names in the metadata of a resource.
fn names_within(resource: &Node, own: Metadata) -> Vec<BrokenRule> {
    let mut found = Vec::new();
    match get(resource, "metadata").filter(|metadata| metadata.value != NodeValue::Null) {
        Some(metadata) if matches!(metadata.value, NodeValue::Map(_)) => names(metadata, own, &mut found),
        Some(_) => {}
        None if own.is_required && !resource.partial && !has_slip(resource, "metadata") => {
            let is_written = get(resource, "metadata").is_some();
            // A name below empty metadata is only indented too little, which is reported there.
            if is_written && ["name", "generateName"].iter().any(|name| get(resource, name).is_some()) {
                return found;
            }
            found.push(broken(Vec::new(), if is_written { NAMELESS } else { NO_METADATA }))
        }
        None => {}
    }
    found.into_iter().map(|broken| BrokenRule { at: [vec![key("metadata")], broken.at].concat(), ..broken }).collect()
}

const NAMELESS: &str = "a resource has a `name` or a `generateName`";
const NO_METADATA: &str = "a resource has `metadata` with a `name` or a `generateName`";

fn names(metadata: &Node, Metadata { named, is_required }: Metadata, found: &mut Vec<BrokenRule>) {
    let prefix = string(metadata, "generateName");
    if let Some(why) = prefix.and_then(|prefix| named.refusal(prefix, true)) {
        found.push(broken(vec![key("generateName")], why));
    }
    match string(metadata, "name") {
        Some(name) => {
            if let Some(message) = named.refusal(name, false) {
                let instead = named.formats().and_then(|(format, ..)| spelled(name, format));
                let breach = Breach::Identity(instead);
                found.push(BrokenRule { message: message.into(), breach, at: vec![key("name")], is_key: false });
            }
        }
        None => {
            let is_absent = |name| {
                get(metadata, name).is_none_or(|node| match &node.value {
                    NodeValue::Null => true,
                    NodeValue::String(text) => text.is_empty(),
                    _ => false,
                })
            };
            let is_meant = || ["name", "generateName"].iter().any(|name| has_slip(metadata, name));
            let is_known = !metadata.partial && is_absent("name") && is_absent("generateName") && !is_meant();
            if is_required && is_known {
                found.push(broken(vec![key("name")], NAMELESS));
            }
        }
    }
    if let Some(namespace) = string(metadata, "namespace")
        && let Some(message) = NameForm::Label.refusal(namespace, false)
        && named != NameForm::Anything
    {
        let breach = Breach::Identity(spelled(namespace, "dns1123Label"));
        found.push(BrokenRule { message: message.into(), breach, at: vec![key("namespace")], is_key: false });
    }
}

/// The names of labels, annotations and finalizers.
const QUALIFIED: &str = "it should consist of up to 63 letters, digits, `-`, `_` and `.`, and begin and end with a letter or \
                         digit; a domain and `/` may be before it";

fn labels(metadata: &Node, found: &mut Vec<BrokenRule>) {
    for label in entries(metadata, "labels") {
        let Key::String(name) = &label.key else { continue };
        let at = || vec![key("labels"), Step::Key(label.key.clone())];
        if !refusals("qualifiedName", name).is_empty() {
            found.push(BrokenRule {
                is_key: true,
                ..broken(at(), format!("the name of a label is wrong: {QUALIFIED}"))
            });
        }
        if let NodeValue::String(value) = &label.value.value
            && !refusals("labelValue", value).is_empty()
        {
            let message = "the value of a label consists of up to 63 letters, digits, `-`, `_` and `.`, and begins and ends \
                           with a letter or digit";
            found.push(broken(at(), message));
        }
    }
}

fn annotations(metadata: &Node, found: &mut Vec<BrokenRule>) {
    let mut size = 0;
    for annotation in entries(metadata, "annotations") {
        let Key::String(name) = &annotation.key else { continue };
        if let NodeValue::String(value) = &annotation.value.value {
            size += name.len() + value.len();
        }
        if !refusals("qualifiedName", &name.to_lowercase()).is_empty() {
            let at = vec![key("annotations"), Step::Key(annotation.key.clone())];
            let message = format!("the name of an annotation is wrong: {QUALIFIED}");
            found.push(BrokenRule { is_key: true, ..broken(at, message) });
        }
    }
    if size > ANNOTATIONS {
        let message = format!("annotations have at most {ANNOTATIONS} bytes together, but these have {size}");
        found.push(broken(vec![key("annotations")], message));
    }
}

fn owners(metadata: &Node, found: &mut Vec<BrokenRule>) {
    let mut has_controller = false;
    for (index, owner) in list(get(metadata, "ownerReferences")).enumerate() {
        let at = |name: &str| vec![key("ownerReferences"), Step::Index(index), key(name)];
        let is_empty = |name: &str| matches!(get(owner, name).map(|node| &node.value), Some(NodeValue::String(text)) if text.is_empty());
        for name in ["apiVersion", "kind", "name", "uid"] {
            if is_empty(name) {
                found.push(broken(at(name), format!("the `{name}` of an owner is empty")));
            }
        }
        if let Some(version) = string(owner, "apiVersion")
            && (version.matches('/').count() > 1 || version.ends_with('/'))
        {
            found.push(broken(at("apiVersion"), "a version has the form `group/version`"));
        }
        if string(owner, "apiVersion") == Some("v1") && string(owner, "kind") == Some("Event") {
            found.push(broken(at("kind"), "an event cannot be an owner"));
        }
        if matches!(get(owner, "controller").map(|node| &node.value), Some(NodeValue::Bool(true))) {
            if has_controller {
                found.push(broken(at("controller"), "only one owner can be the controller"));
            }
            has_controller = true;
        }
    }
}

fn finalizers(metadata: &Node, found: &mut Vec<BrokenRule>) {
    let written = || list(get(metadata, "finalizers"));
    for (index, finalizer) in written().enumerate() {
        if let NodeValue::String(name) = &finalizer.value
            && !refusals("qualifiedName", name).is_empty()
        {
            let at = vec![key("finalizers"), Step::Index(index)];
            found.push(broken(at, format!("the name of a finalizer is wrong: {QUALIFIED}")));
        }
    }
    let has = |wanted: &str| written().any(|node| matches!(&node.value, NodeValue::String(name) if name == wanted));
    if has("orphan") && has("foregroundDeletion") {
        let message = "`orphan` and `foregroundDeletion` cannot both be there";
        found.push(broken(vec![key("finalizers")], message));
    }
}

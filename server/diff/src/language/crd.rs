//! Definitions of custom resources: their versions, and what only they have.

use super::numbered::numbered;
use super::{Compared, Incomparable, NoVersion, Side, Texts};
use crate::change::{Breaks, Change, Kind, Part, Path, PathStep};
use lofting_dialect::kubernetes::Kubernetes;
use lofting_dialect::{ReadsSchemas, Role};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_overlay::NoFunctions;
use lofting_schema::{Schema, Step};
use rustc_hash::{FxHashMap, FxHashSet};

mod lists;

/// A version of a custom resource: its kind with its group, its name, and the schema.
struct Version {
    resource: String,
    name: String,
    schema: Schema,
    /// The schema as it is written.
    written: Node,
    span: Span,
    /// The API server accepts and returns resources of this version.
    is_served: bool,
    /// What the API server says to those who use this version, if they should not.
    deprecated: Option<(String, Span)>,
}

/// A text with its place.
type TextAt = Option<(String, Span)>;

/// A definition of a custom resource: its kind with its group, its scope, and the names that programs call it by.
struct Definition {
    resource: String,
    scope: TextAt,
    /// Each with the name of its key: `group`, `kind`, `plural`.
    names: [(&'static str, TextAt); 3],
}

/// What the keys lead to in a map.
fn within<'n>(node: Option<&'n Node>, keys: &[&str]) -> Option<&'n Node> {
    keys.iter().try_fold(node?, |node, key| node.get(&Key::from(*key)))
}

fn text(node: Option<&Node>) -> TextAt {
    node.and_then(|node| match &node.value {
        NodeValue::String(text) => Some((text.to_string(), node.span)),
        _ => None,
    })
}

fn flag(node: Option<&Node>) -> Option<bool> {
    match node?.value {
        NodeValue::Bool(flag) => Some(flag),
        _ => None,
    }
}

/// The entry of a version in the definition.
fn entry<'n>(definition: Option<&'n Node>, name: &str) -> Option<&'n Node> {
    let NodeValue::Array(items) = &within(definition, &["spec", "versions"])?.value else { return None };
    let is_it = |node: &&Node| text(within(Some(node), &["name"])).is_some_and(|(own, _)| own == name);
    items.iter().map(|item| &item.value).find(is_it)
}

/// What the API server says to those who use a version, if they should not.
fn deprecation(version: Option<&Node>) -> TextAt {
    let deprecated = within(version, &["deprecated"]);
    if flag(deprecated) != Some(true) {
        return None;
    }
    let said = text(within(version, &["deprecationWarning"]));
    said.or_else(|| Some(("it should not be used any more".to_owned(), deprecated?.span)))
}

fn definitions(side: &Side) -> (Vec<Definition>, Vec<Version>) {
    let (mut definitions, mut versions): (Vec<Definition>, Vec<Version>) = Default::default();
    for claim in side.claims(&Kubernetes) {
        let Some(document) = side.documents.documents.get(claim.document) else { continue };
        let Role::Schema(name) = &claim.role else { continue };
        let (group, version) = name.name.split_once('/').unwrap_or(("", &name.name));
        let resource = format!("{}.{group}", name.kind);
        let part = lofting_dialect::SchemaPart { document, claim: Some(&claim), tree: Some(&side.tree) };
        let schema = Kubernetes.read(&[part], &NoFunctions).schema;
        // The definition is where `spec` is: in a `List`, somewhere below the root.
        let is_spec = |step: &Step| *step == Step::Key("spec".into());
        let above = claim.at.iter().position(is_spec).unwrap_or_default();
        let below = |node: &'_ Node, step: &Step| match (&node.value, step) {
            (NodeValue::Map(items), Step::Key(key)) => items.value(key).cloned(),
            (NodeValue::Array(items), Step::Index(index)) => items.get(*index).map(|item| item.value.clone()),
            _ => None,
        };
        let root = claim.at.iter().take(above).try_fold(document.value.clone(), |node, step| below(&node, step));
        if !definitions.iter().any(|known| known.resource == resource) {
            let said = |name: &'static str, keys: &[&str]| (name, text(within(root.as_ref(), keys)));
            let names = [
                said("group", &["spec", "group"]),
                said("kind", &["spec", "names", "kind"]),
                said("plural", &["spec", "names", "plural"]),
            ];
            let scope = text(within(root.as_ref(), &["spec", "scope"]));
            definitions.push(Definition { resource: resource.clone(), scope, names });
        }
        let span = Span::new(document.value.span.file, claim.key.clone());
        let Some(written) = part.value().cloned() else { continue };
        let own = entry(root.as_ref(), version);
        versions.push(Version {
            resource,
            name: version.to_owned(),
            schema,
            written,
            span,
            is_served: flag(within(own, &["served"])) != Some(false),
            deprecated: deprecation(own),
        });
    }
    (definitions, versions)
}

/// The keyword of rules in CEL.
const RULES: &str = "x-kubernetes-validations";

/// The places of a schema that one path leads to.
fn places(schema: &Node) -> Vec<(Path, &Node)> {
    let mut found: Vec<(Path, &Node)> = vec![(Path::default(), schema)];
    let mut next = 0;
    while let Some((path, node)) = found.get(next).cloned() {
        next += 1;
        let below = |step| Path(path.0.iter().cloned().chain([step]).collect());
        if let Some(NodeValue::Map(items)) = node.get(&Key::from("properties")).map(|items| &items.value) {
            let named = |item: &lofting_document::MapItem| Key::String(item.key.to_string().into());
            found.extend(items.iter().map(|item| (below(PathStep::Key(named(item))), &item.value)));
        }
        for (keyword, step) in [("items", PathStep::Items), ("additionalProperties", PathStep::AnyKey)] {
            found.extend(node.get(&Key::from(keyword)).map(|value| (below(step), value)));
        }
    }
    found
}

/// The rules in CEL, each with its place.
fn rules(schema: &Node) -> Vec<(Path, String, Span)> {
    let mut found = Vec::new();
    for (path, node) in places(schema) {
        if let Some(NodeValue::Array(rules)) = node.get(&Key::from(RULES)).map(|rules| &rules.value) {
            for rule in rules {
                if let Some(NodeValue::String(text)) = rule.value.get(&Key::from("rule")).map(|rule| &rule.value) {
                    found.push((path.clone(), text.trim().to_owned(), rule.value.span));
                }
            }
        }
    }
    found
}

/// Compares rules in CEL as texts.
fn add_rules(compared: &mut Compared, part: &Part, old: &Version, new: &Version) {
    let (before, after) = (rules(&old.written), rules(&new.written));
    let told: FxHashSet<Path> = compared
        .changes
        .iter()
        .filter(|change| matches!(change.kind, Kind::Removed | Kind::AddedOptional | Kind::AddedRequired))
        .map(|change| change.path.clone())
        .collect();
    // Of a key that is new or gone, only the key is named.
    let is_below =
        |path: &Path| (0..=path.0.len()).any(|end| told.contains(&Path(path.0.iter().take(end).cloned().collect())));
    type Rules<'r> = &'r [(Path, String, Span)];
    let without = |these: Rules<'_>, those: Rules<'_>| -> FxHashMap<Path, Vec<Span>> {
        let known: FxHashSet<(&Path, &str)> = those.iter().map(|(path, text, _)| (path, text.as_str())).collect();
        let mut found: FxHashMap<Path, Vec<Span>> = FxHashMap::default();
        for (path, text, span) in these {
            if !known.contains(&(path, text.as_str())) && !is_below(path) {
                found.entry(path.clone()).or_default().push(*span);
            }
        }
        found
    };
    let (gone, added) = (without(&before, &after), without(&after, &before));
    let mut paths: Vec<(&Path, Option<Span>, Option<Span>)> = Vec::new();
    let first = |spans: Option<&Vec<Span>>| spans.and_then(|spans| spans.first()).copied();
    paths.extend(added.keys().map(|path| (path, first(gone.get(path)), first(added.get(path)))));
    paths.extend(gone.keys().filter(|path| !added.contains_key(path)).map(|path| (path, first(gone.get(path)), None)));
    paths.sort_by_key(|(path, ..)| path.to_string());
    for (path, old, new) in paths {
        let change = match new {
            Some(_) => Change { assumed: true, ..Change::new(Kind::Narrowed).breaking(Breaks::VALUES) },
            None => Change::new(Kind::Widened),
        };
        let change = change.by(RULES).at(old, new);
        compared.changes.push(Change { part: part.clone(), path: path.clone(), ..change });
    }
}

/// The keyword for whether a version is served.
const SERVED: &str = "served";

/// Compares whether a version may be used, and whether it should be.
fn add_served(compared: &mut Compared, part: &Part, old: &Version, new: &Version) {
    let places = (Some(old.span), Some(new.span));
    let name = Some(old.name.clone());
    if old.is_served != new.is_served {
        let change = if new.is_served {
            Change::new(Kind::VersionAdded).saying(None, name)
        } else {
            Change::new(Kind::VersionRemoved).breaking(Breaks::BOTH).saying(name, None)
        };
        compared.changes.push(Change { part: part.clone(), ..change.by(SERVED).at(places.0, places.1) });
    }
    if let (None, Some((said, span))) = (&old.deprecated, &new.deprecated) {
        let change = Change::new(Kind::Deprecated).saying(None, Some(said.clone())).at(places.0, Some(*span));
        compared.changes.push(Change { part: part.clone(), ..change });
    }
}

/// Compares definitions of custom resources.
pub(super) fn add(compared: &mut Compared, before: &Side, after: &Side, texts: Texts<'_>) -> Result<(), Incomparable> {
    let (old_definitions, old_versions) = definitions(before);
    let (new_definitions, new_versions) = definitions(after);
    for (in_new, versions) in [(false, &old_versions), (true, &new_versions)] {
        if versions.is_empty() {
            return Err(Incomparable { in_new, why: NoVersion::NoDefinition });
        }
    }
    let is_single = old_definitions.len() == 1 && new_definitions.len() == 1;
    // A file with one definition is compared as that, even if its kind was renamed.
    let name = |resource: &str| if is_single { String::new() } else { resource.to_owned() };
    let key = |version: &Version| (name(&version.resource), version.name.clone());
    let part = |resource: &str, version: Option<&str>| Part {
        resource: (!is_single).then(|| resource.to_owned()),
        version: version.map(str::to_owned),
        ..Part::default()
    };
    let others: FxHashMap<String, &Definition> =
        new_definitions.iter().map(|definition| (name(&definition.resource), definition)).collect();
    for definition in &old_definitions {
        let Some(other) = others.get(&name(&definition.resource)) else { continue };
        let mut differ = |before: &TextAt, after: &TextAt, change: Change| {
            if let (Some((from, old)), Some((to, new))) = (before, after)
                && from != to
            {
                let change = change.saying(Some(from.clone()), Some(to.clone())).at(Some(*old), Some(*new));
                compared.changes.push(Change { part: part(&definition.resource, None), ..change });
            }
        };
        for ((keyword, before), (_, after)) in definition.names.iter().zip(&other.names) {
            differ(before, after, Change::new(Kind::NameChanged).breaking(Breaks::BOTH).by(keyword));
        }
        differ(&definition.scope, &other.scope, Change::new(Kind::ScopeChanged).breaking(Breaks::VALUES));
    }
    let (old_keys, new_keys) = (numbered(old_versions.iter().map(key)), numbered(new_versions.iter().map(key)));
    let after: FxHashMap<_, &Version> = new_keys.iter().zip(&new_versions).collect();
    for (key, old) in old_keys.iter().zip(&old_versions) {
        let part = part(&old.resource, Some(&old.name));
        match after.get(key) {
            Some(new) => {
                let first = compared.changes.len();
                add_served(compared, &part, old, new);
                let roots = vec![(part.clone(), old.schema.root(), new.schema.root())];
                compared.add_roots(&old.schema, &new.schema, texts, roots);
                add_rules(compared, &part, old, new);
                let lists = lists::changes(&old.written, &new.written);
                compared.changes.extend(lists.into_iter().map(|change| Change { part: part.clone(), ..change }));
                if !old.is_served {
                    // No client can use the old version.
                    let changes = compared.changes.iter_mut().skip(first);
                    changes.for_each(|change| change.breaks = Breaks::NOTHING);
                }
            }
            None => {
                let breaks = if old.is_served { Breaks::BOTH } else { Breaks::NOTHING };
                let change = Change::new(Kind::VersionRemoved).breaking(breaks);
                let change = change.saying(Some(old.name.clone()), None).at(Some(old.span), None);
                compared.changes.push(Change { part, ..change });
            }
        }
    }
    let before: FxHashSet<_> = old_keys.iter().collect();
    for (_, new) in new_keys.iter().zip(&new_versions).filter(|(key, _)| !before.contains(key)) {
        let change = Change::new(Kind::VersionAdded).saying(None, Some(new.name.clone())).at(None, Some(new.span));
        compared.changes.push(Change { part: part(&new.resource, Some(&new.name)), ..change });
    }
    Ok(())
}

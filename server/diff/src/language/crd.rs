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

/// A version of a custom resource: its kind with its group, its name, and the schema.
struct Version {
    resource: String,
    name: String,
    schema: Schema,
    /// The schema as it is written.
    written: Node,
    span: Span,
}

/// A definition of a custom resource: its kind with its group, and its scope.
struct Definition {
    resource: String,
    scope: Option<(String, Span)>,
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
            let spec = root.as_ref().and_then(|root| root.get(&"spec".into()));
            let scope = spec.and_then(|spec| spec.get(&"scope".into()));
            let scope = scope.and_then(|scope| match &scope.value {
                NodeValue::String(text) => Some((text.to_string(), scope.span)),
                _ => None,
            });
            definitions.push(Definition { resource: resource.clone(), scope });
        }
        let span = Span::new(document.value.span.file, claim.key.clone());
        let Some(written) = part.value().cloned() else { continue };
        versions.push(Version { resource, name: version.to_owned(), schema, written, span });
    }
    (definitions, versions)
}

/// The keyword of rules in CEL.
const RULES: &str = "x-kubernetes-validations";

/// The rules in CEL, each with its place.
fn rules(schema: &Node) -> Vec<(Path, String, Span)> {
    let mut found = Vec::new();
    let mut todo = vec![(Path::default(), schema)];
    while let Some((path, node)) = todo.pop() {
        if let Some(NodeValue::Array(rules)) = node.get(&Key::from(RULES)).map(|rules| &rules.value) {
            for rule in rules {
                if let Some(NodeValue::String(text)) = rule.value.get(&Key::from("rule")).map(|rule| &rule.value) {
                    found.push((path.clone(), text.trim().to_owned(), rule.value.span));
                }
            }
        }
        let below = |step| Path(path.0.iter().cloned().chain([step]).collect());
        if let Some(NodeValue::Map(items)) = node.get(&Key::from("properties")).map(|items| &items.value) {
            let named = |item: &lofting_document::MapItem| Key::String(item.key.to_string().into());
            todo.extend(items.iter().map(|item| (below(PathStep::Key(named(item))), &item.value)));
        }
        for (keyword, step) in [("items", PathStep::Items), ("additionalProperties", PathStep::AnyKey)] {
            todo.extend(node.get(&Key::from(keyword)).map(|value| (below(step), value)));
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
    let new_scopes: FxHashMap<String, &Definition> =
        new_definitions.iter().map(|definition| (name(&definition.resource), definition)).collect();
    for definition in &old_definitions {
        let other = new_scopes.get(&name(&definition.resource)).and_then(|other| other.scope.as_ref());
        if let (Some((from, old)), Some((to, new))) = (&definition.scope, other)
            && from != to
        {
            let change = Change::new(Kind::ScopeChanged).breaking(Breaks::VALUES);
            let change = change.saying(Some(from.clone()), Some(to.clone())).at(Some(*old), Some(*new));
            compared.changes.push(Change { part: part(&definition.resource, None), ..change });
        }
    }
    let (old_keys, new_keys) = (numbered(old_versions.iter().map(key)), numbered(new_versions.iter().map(key)));
    let after: FxHashMap<_, &Version> = new_keys.iter().zip(&new_versions).collect();
    for (key, old) in old_keys.iter().zip(&old_versions) {
        let part = part(&old.resource, Some(&old.name));
        match after.get(key) {
            Some(new) => {
                let roots = vec![(part.clone(), old.schema.root(), new.schema.root())];
                compared.add_roots(&old.schema, &new.schema, texts, roots);
                add_rules(compared, &part, old, new);
            }
            None => {
                let change = Change::new(Kind::VersionRemoved).breaking(Breaks::BOTH);
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

//! Kustomizations: which files and folders they put together, what they generate, and what their patches are for.

mod filling;
mod selector;
mod targets;

pub use filling::Filling;
pub(super) use targets::is_plain;
pub use targets::{Added, Aspect, Condition, Target};

use super::SEMANTICS;
use super::pods::{Written, is_computed};
use crate::WrittenSteps;
use crate::resources::resources;
use lofting_syntax::Tree;
use smol_str::SmolStr;
use std::ops::Range;
use std::sync::Arc;

/// What has to be at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathTo {
    /// A file.
    File,
    /// A folder with a kustomization.
    Folder,
    /// One of the two.
    Either,
}

/// What a kustomization does with what is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathUse {
    /// It takes the resources.
    Resources,
    /// It applies a patch.
    Patch,
    /// It takes the content as data.
    Data,
    /// Anything else.
    Settings,
}

/// A path that a kustomization names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// The path, relative to the folder of the kustomization.
    pub text: SmolStr,
    /// Its bytes, without quotes.
    pub at: Range<usize>,
    /// What has to be there.
    pub to: PathTo,
    /// What becomes of it.
    pub used: PathUse,
}

/// Where paths are, from the root of a kustomization.
const PATHS: [(&[&str], PathTo, PathUse); 18] = [
    (&["resources", "[]"], PathTo::Either, PathUse::Resources),
    (&["bases", "[]"], PathTo::Folder, PathUse::Resources),
    (&["components", "[]"], PathTo::Folder, PathUse::Resources),
    (&["patches", "[]", "path"], PathTo::File, PathUse::Patch),
    (&["patchesStrategicMerge", "[]"], PathTo::File, PathUse::Patch),
    (&["patchesJson6902", "[]", "path"], PathTo::File, PathUse::Patch),
    (&["configMapGenerator", "[]", "files", "[]"], PathTo::File, PathUse::Data),
    (&["configMapGenerator", "[]", "envs", "[]"], PathTo::File, PathUse::Data),
    (&["secretGenerator", "[]", "files", "[]"], PathTo::File, PathUse::Data),
    (&["secretGenerator", "[]", "envs", "[]"], PathTo::File, PathUse::Data),
    (&["generators", "[]"], PathTo::Either, PathUse::Settings),
    (&["transformers", "[]"], PathTo::Either, PathUse::Settings),
    (&["validators", "[]"], PathTo::Either, PathUse::Settings),
    (&["crds", "[]"], PathTo::File, PathUse::Settings),
    (&["configurations", "[]"], PathTo::File, PathUse::Settings),
    (&["replacements", "[]", "path"], PathTo::File, PathUse::Settings),
    (&["openapi", "path"], PathTo::File, PathUse::Settings),
    (&["helmCharts", "[]", "valuesFile"], PathTo::File, PathUse::Settings),
];

/// Keys by which a kustomization gets resources, or changes their names, in ways that only running it tells.
const OPEN: [&str; 5] = ["generators", "transformers", "helmCharts", "helmChartInflationGenerator", "<<"];

/// Options with which a patch changes by what its resource is found.
const RENAMING: [&str; 2] = ["allowNameChange", "allowKindChange"];

/// Keys of generators, and the kinds of what they make.
pub(super) const GENERATORS: [(&str, &str); 2] = [("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")];

/// Hosts from which resources are fetched when their name comes first.
const HOSTS: [&str; 3] = ["github.com", "gitlab.com", "bitbucket.org"];

impl NamedPath {
    /// Whether it may lead to another repository, or is only known after something was filled in.
    pub fn is_elsewhere(&self) -> bool {
        let text = self.text.as_str();
        let first = text.split('/').next().unwrap_or_default();
        // A host ends with the name of a domain; the number of a version does not.
        let is_domain = |name: &str| name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_host = !first.starts_with('.') && first.rsplit_once('.').is_some_and(|(_, last)| is_domain(last));
        let has_path = text.matches('/').count() >= 2;
        text.is_empty()
            || is_computed(text)
            || text.contains(['?', ':'])
            || text.contains("//")
            || HOSTS.contains(&first)
            || (self.to != PathTo::File && is_host && has_path)
    }
}

/// A patch of a kustomization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// What it is for; None if the patch says that itself.
    pub target: Option<Target>,
    /// The path of its file.
    pub path: Option<NamedPath>,
    /// The patch, if it is written here.
    pub text: Option<SmolStr>,
    /// What it says itself that it is for, if it is written here and has no target. The bytes are those of this file.
    pub named: Vec<Identified>,
}

/// Labels or annotations; None if they are not all known.
pub type Marks = Option<Arc<[(SmolStr, SmolStr)]>>;

/// A resource by what patches select it with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identified {
    /// The version with its group; empty if it is not known.
    pub version: SmolStr,
    /// The kind.
    pub kind: SmolStr,
    /// The name.
    pub name: SmolStr,
    /// The bytes of the name.
    pub at: Range<usize>,
    /// The namespace, if one is written.
    pub namespace: Option<SmolStr>,
    /// The labels.
    pub labels: Marks,
    /// The annotations.
    pub annotations: Marks,
}

/// What a kustomization says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kustomization {
    /// The paths that it names.
    pub paths: Vec<NamedPath>,
    /// Its patches, in the order in which they are applied.
    pub patches: Vec<Patch>,
    /// What it generates.
    pub generated: Vec<Identified>,
    /// What it puts before and after names.
    pub affixes: (SmolStr, SmolStr),
    /// What else it adds to its resources.
    pub added: Added,
    /// What it puts into pods and selectors.
    pub filling: Filling,
    /// It is for the resources of those that use it.
    pub is_component: bool,
    /// It has resources, or gives names, that only running it tells.
    pub is_open: bool,
}

impl Kustomization {
    /// What is written in the first document of a tree.
    pub fn of(tree: &Tree) -> Option<Kustomization> {
        let root = root(tree)?;
        let text = |key: &str| root.key(key).and_then(|value| value.text()).unwrap_or_default();
        let is_open = |key: &&str| root.key(key).is_some();
        let renames = |key: &&str| !root.reached(&["patches", "[]", "options", key]).is_empty();
        let generated = GENERATORS.iter().flat_map(|(key, kind)| {
            let generators = root.reached(&[key, "[]"]).into_iter();
            generators.filter_map(|generator| generated(&root, &generator, kind))
        });
        Some(Kustomization {
            paths: PATHS.iter().flat_map(|(path, to, used)| paths(&root, path, *to, *used)).collect(),
            patches: patches(&root),
            generated: generated.collect(),
            affixes: (text("namePrefix"), text("nameSuffix")),
            added: Added::by(&root),
            filling: Filling::by(&root),
            is_component: text("kind") == "Component",
            is_open: OPEN.iter().any(is_open) || RENAMING.iter().any(renames),
        })
    }
}

pub(super) fn root(tree: &Tree) -> Option<WrittenSteps<'_>> {
    root_of(&tree.documents().next()?)
}

/// The content of a file's first document.
pub(super) fn root_of<'t>(document: &lofting_syntax::Document<'t>) -> Option<WrittenSteps<'t>> {
    let root = WrittenSteps::root(document.root()?, SEMANTICS.profile);
    root.map().is_some().then_some(root)
}

fn paths(root: &WrittenSteps<'_>, path: &[&str], to: PathTo, used: PathUse) -> Vec<NamedPath> {
    root.reached(path).iter().filter_map(|value| named_path(value, to, used)).collect()
}

fn named_path(value: &WrittenSteps<'_>, to: PathTo, used: PathUse) -> Option<NamedPath> {
    let text = value.text()?;
    // A text of several lines, or a map in one line, is the content itself.
    if text.contains('\n') || text.starts_with(['{', '[']) {
        return None;
    }
    // Data has a key, or that of its file.
    let from = if used == PathUse::Data { text.find('=').map_or(0, |equals| equals + 1) } else { 0 };
    let at = value.text_range(from..text.len())?;
    Some(NamedPath { text: text.get(from..)?.into(), at, to, used })
}

/// What a generator makes.
fn generated(root: &WrittenSteps<'_>, generator: &WrittenSteps<'_>, kind: &str) -> Option<Identified> {
    let name = Written::of(&generator.key("name")?)?;
    let has_options = generator.key("options").is_some() || root.key("generatorOptions").is_some();
    let marks: Marks = (!has_options).then(|| [].into());
    Some(Identified {
        version: "v1".into(),
        kind: kind.into(),
        name: name.name,
        at: name.at,
        namespace: generator.text_at("namespace"),
        labels: marks.clone(),
        annotations: marks,
    })
}

/// The patches, in the order in which they are applied.
fn patches(root: &WrittenSteps<'_>) -> Vec<Patch> {
    let path = |value: Option<WrittenSteps<'_>>| named_path(&value?, PathTo::File, PathUse::Patch);
    let listed = ["patches", "patchesJson6902"].into_iter().flat_map(|key| root.reached(&[key, "[]"]));
    let of_list = listed.map(|patch| {
        let target = patch.key("target").map(|target| Target::of(&target));
        let text = patch.key("patch").filter(|_| target.is_none());
        let named = text.map(|text| named_within(&text)).unwrap_or_default();
        Patch { target, path: path(patch.key("path")), text: patch.text_at("patch"), named }
    });
    let merged = root.reached(&["patchesStrategicMerge", "[]"]).into_iter().map(|patch| {
        let named = named_within(&patch);
        Patch { target: None, text: patch.text(), path: path(Some(patch)), named }
    });
    merged.chain(of_list).collect()
}

/// The resources that a patch in a text names; none if not all are known.
fn named_within(patch: &WrittenSteps<'_>) -> Vec<Identified> {
    let Some(text) = patch.text() else { return Vec::new() };
    let found = identified(&lofting_syntax::parse(&text)).unwrap_or_default();
    found.into_iter().filter_map(|own| Some(Identified { at: patch.text_range(own.at.clone())?, ..own })).collect()
}

/// The entries of a map of labels or annotations; none if there is no map.
fn marks(map: Option<WrittenSteps<'_>>) -> Option<Vec<(SmolStr, SmolStr)>> {
    let Some(map) = map else { return Some(Vec::new()) };
    let entries = map.entries();
    let is_whole = map.map().is_some_and(|map| map.entries().count() == entries.len());
    let known = |text: &SmolStr| !is_computed(text);
    let mark = |(key, value): (SmolStr, WrittenSteps<'_>)| {
        let value = value.text().filter(known)?;
        (known(&key) && key != "<<").then_some((key, value))
    };
    if !is_whole {
        return None;
    }
    entries.into_iter().map(mark).collect()
}

/// The resources in a file; None if they are not all known.
pub fn identified(tree: &Tree) -> Option<Vec<Identified>> {
    let found = resources(tree, SEMANTICS.profile);
    let documents = tree.documents().filter(|document| document.root().is_some()).count();
    let mut in_documents: Vec<usize> = found.iter().map(|resource| resource.document).collect();
    in_documents.dedup();
    let known = found.into_iter().map(|resource| {
        let metadata = resource.root.key("metadata")?;
        let name = Written::of(&metadata.key("name")?).filter(|name| !is_computed(&name.name))?;
        Some(Identified {
            version: resource.version,
            kind: resource.kind?,
            name: name.name,
            at: name.at,
            namespace: metadata.text_at("namespace"),
            labels: marks(metadata.key("labels")).map(Arc::from),
            annotations: marks(metadata.key("annotations")).map(Arc::from),
        })
    });
    let known: Option<Vec<Identified>> = known.collect();
    known.filter(|_| in_documents.len() == documents && tree.errors().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Kustomization {
        Kustomization::of(&lofting_syntax::parse(text)).unwrap_or_default()
    }

    #[test]
    fn paths_of_all_forms() {
        let text = "resources: [a.yaml, '../base', \"https://a.b/c\", github.com/a/b, git@a:b, v1.0/base/x, host.io/a/b, '${A}/b']
patches: [{path: p.yaml}, {patch: \"a\"}]
patchesStrategicMerge: [m.yaml, \"kind: A\\nb: c\\n\"]
configMapGenerator: [{name: c, files: [a.txt, key=b.txt], envs: [e.env]}]
";
        let kustomization = read(text);
        let shown = |path: &NamedPath| {
            assert_eq!(&text[path.at.clone()], path.text);
            format!("{}{}", if path.is_elsewhere() { "-" } else { "" }, path.text)
        };
        let shown: Vec<String> = kustomization.paths.iter().map(shown).collect();
        let want = "a.yaml ../base -https://a.b/c -github.com/a/b -git@a:b v1.0/base/x -host.io/a/b -${A}/b p.yaml m.yaml a.txt b.txt e.env";
        assert_eq!(shown.join(" "), want);
        let generated: Vec<_> =
            kustomization.generated.iter().map(|made| (made.kind.as_str(), &text[made.at.clone()])).collect();
        assert_eq!(generated, [("ConfigMap", "c")]);
        for text in
            ["", "- a", "a", "resources: a", "resources: [[a], {b: c}]", "patches: [a]", "configMapGenerator: {}"]
        {
            assert_eq!(read(text).paths, [], "{text}");
        }
    }

    #[test]
    fn resources_that_are_all_known() {
        let named = |text: &str| {
            let found = identified(&lofting_syntax::parse(text))?;
            Some(found.iter().map(|it| format!("{} {}", it.kind, it.name)).collect::<Vec<_>>().join(", "))
        };
        let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
        assert_eq!(named(&format!("{pod}---\n{pod}---\n# nothing\n")).as_deref(), Some("Pod a, Pod a"));
        assert_eq!(named("").as_deref(), Some(""));
        for other in [
            "a: b\n",
            "apiVersion: v1\nkind: Pod\nmetadata: {generateName: a}\n",
            "apiVersion: v1\nmetadata: {name: a}\n",
        ] {
            assert_eq!(named(&format!("{pod}---\n{other}")), None, "{other}");
        }
        assert_eq!(named(&pod.replace("name: a", "name: '${A}'")), None);
    }
}

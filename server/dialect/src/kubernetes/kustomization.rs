//! Kustomizations: which files and folders they put together, what they generate, and what their patches are for.

use super::SEMANTICS;
use super::pods::{Written, is_computed};
use crate::WrittenSteps;
use crate::resources::resources;
use lofting_syntax::Tree;
use smol_str::SmolStr;
use std::ops::Range;

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

/// What a patch is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The kind, and where it is written.
    pub kind: Option<(SmolStr, Range<usize>)>,
    /// The name, and where it is written.
    pub name: Option<(SmolStr, Range<usize>)>,
}

/// A patch of a kustomization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// What it is for; None if the patch says that itself.
    pub target: Option<Target>,
    /// The path of its file.
    pub path: Option<NamedPath>,
}

/// A resource by its kind and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    /// The kind.
    pub kind: SmolStr,
    /// The name.
    pub name: SmolStr,
}

/// What a kustomization says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kustomization {
    /// The paths that it names.
    pub paths: Vec<NamedPath>,
    /// Its patches.
    pub patches: Vec<Patch>,
    /// What it generates.
    pub generated: Vec<Identified>,
    /// What it puts before and after names.
    pub affixes: (SmolStr, SmolStr),
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
        let generated = GENERATORS.iter().flat_map(|(key, kind)| {
            let names = root.reached(&[key, "[]", "name"]).into_iter().filter_map(|name| name.text());
            names.map(|name| Identified { kind: (*kind).into(), name })
        });
        Some(Kustomization {
            paths: PATHS.iter().flat_map(|(path, to, used)| paths(&root, path, *to, *used)).collect(),
            patches: patches(&root),
            generated: generated.collect(),
            affixes: (text("namePrefix"), text("nameSuffix")),
            is_component: text("kind") == "Component",
            is_open: OPEN.iter().any(is_open),
        })
    }
}

pub(super) fn root(tree: &Tree) -> Option<WrittenSteps<'_>> {
    let root = WrittenSteps::root(tree.documents().next()?.root()?, SEMANTICS.profile);
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

fn patches(root: &WrittenSteps<'_>) -> Vec<Patch> {
    let path = |value: Option<WrittenSteps<'_>>| named_path(&value?, PathTo::File, PathUse::Patch);
    let listed = ["patches", "patchesJson6902"].into_iter().flat_map(|key| root.reached(&[key, "[]"]));
    let of_list = listed.map(|patch| Patch { target: patch.key("target").map(target), path: path(patch.key("path")) });
    let merged = root.reached(&["patchesStrategicMerge", "[]"]).into_iter();
    of_list.chain(merged.map(|patch| Patch { target: None, path: path(Some(patch)) })).collect()
}

fn target(target: WrittenSteps<'_>) -> Target {
    let part = |key: &str| {
        let written = Written::of(&target.key(key)?)?;
        // Others are patterns.
        is_plain(&written.name).then_some((written.name, written.at))
    };
    Target { kind: part("kind"), name: part("name") }
}

/// Whether a text is a name, and no pattern.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The resources in a file; None if they are not all known.
pub fn identified(tree: &Tree) -> Option<Vec<Identified>> {
    let found = resources(tree, SEMANTICS.profile);
    let documents = tree.documents().filter(|document| document.root().is_some()).count();
    let mut in_documents: Vec<usize> = found.iter().map(|resource| resource.document).collect();
    in_documents.dedup();
    let known = found.into_iter().map(|resource| {
        let name = resource.root.key("metadata")?.key("name")?.text().filter(|name| !is_computed(name))?;
        Some(Identified { kind: resource.kind?, name })
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
        assert_eq!(kustomization.generated, [Identified { kind: "ConfigMap".into(), name: "c".into() }]);
        for text in
            ["", "- a", "a", "resources: a", "resources: [[a], {b: c}]", "patches: [a]", "configMapGenerator: {}"]
        {
            assert_eq!(read(text).paths, [], "{text}");
        }
    }

    #[test]
    fn targets_that_are_names() {
        let text =
            "patches: [{target: {kind: Deployment, name: web}, patch: ''}, {target: {name: web.*}}, {path: p.yaml}]";
        let targets: Vec<_> = read(text).patches.into_iter().map(|patch| patch.target).collect();
        let part = |name: &str| text.find(name).map(|at| (SmolStr::from(name), at..at + name.len()));
        assert_eq!(targets[0], Some(Target { kind: part("Deployment"), name: part("web") }));
        assert_eq!(targets[1..], [Some(Target { kind: None, name: None }), None]);
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

//! A workspace over stored files finds what one over the same files on the disk finds.

use crate::settings::Settings;
use crate::{CancelFlag, CheckReport, Outside, ReadProblem, Stored, StoredFolder, StoredKind, check_workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text, or where a link leads.
#[derive(Debug, Clone, PartialEq)]
enum Content {
    Text(String),
    Link(String),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Files(BTreeMap<PathBuf, Content>);

impl Files {
    pub fn of(files: &[(&str, &str)]) -> Files {
        Files(files.iter().map(|(name, text)| (PathBuf::from(name), Content::Text((*text).to_owned()))).collect())
    }

    pub fn write(&self, root: &Path) {
        for (name, content) in &self.0 {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            match content {
                Content::Text(text) => std::fs::write(path, text).unwrap(),
                #[cfg(unix)]
                Content::Link(target) => std::os::unix::fs::symlink(target, path).unwrap(),
                #[cfg(not(unix))]
                Content::Link(_) => {}
            }
        }
    }
}

impl Stored for Files {
    fn kind(&self, path: &Path) -> Option<StoredKind> {
        match self.0.get(path) {
            Some(Content::Text(_)) => Some(StoredKind::File),
            Some(Content::Link(_)) => Some(StoredKind::Link),
            None => self.0.keys().any(|file| file.starts_with(path)).then_some(StoredKind::Directory),
        }
    }

    fn list(&self, directory: &Path) -> Vec<(OsString, StoredKind)> {
        let below = self.0.keys().filter_map(|file| file.strip_prefix(directory).ok()?.components().next());
        let names: BTreeSet<OsString> = below.map(|name| name.as_os_str().to_owned()).collect();
        names.into_iter().map(|name| (name.clone(), self.kind(&directory.join(name)).unwrap())).collect()
    }

    fn size(&self, path: &Path) -> Option<u64> {
        Some(self.bytes(path, u64::MAX).ok()?.len() as u64)
    }

    fn bytes(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem> {
        match self.0.get(path) {
            Some(Content::Text(text)) if text.len() as u64 > limit => Err(ReadProblem::TooLarge(text.len() as u64)),
            Some(Content::Text(text) | Content::Link(text)) => Ok(text.clone().into_bytes()),
            None => Err(ReadProblem::NotFound),
        }
    }
}

/// The files in place of those of a folder.
pub(super) fn folder(base: &Path, files: Files) -> StoredFolder {
    let (written, real) = (base.to_owned(), base.canonicalize().unwrap());
    StoredFolder { written, real, elsewhere: Default::default(), files: Arc::new(files) }
}

fn check(base: &Path, paths: &[&str], files: Option<Files>) -> CheckReport {
    check_only(base, paths, files, &|_| true)
}

fn check_only(base: &Path, paths: &[&str], files: Option<Files>, only: &dyn Fn(&str) -> bool) -> CheckReport {
    let stored = files.map(|files| StoredFolder {
        elsewhere: [PathBuf::from("module")].into_iter().collect(),
        ..folder(base, files)
    });
    let outside = Outside { stored, only: Some(only), ..Outside::from(super::checks::no_evaluator()) };
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    check_workspace(base, &paths, Settings::default(), outside, &CancelFlag::new()).unwrap()
}

/// All findings with their places, and the files that were checked.
fn lines(report: &CheckReport) -> Vec<String> {
    let files = report.files.iter().map(|file| file.shown.clone());
    let of = |finding: &lofting_check::Diagnostic| {
        let related: Vec<String> =
            finding.related.iter().map(|it| format!("{}:{:?}", report.name(it.span.file), it.span.range())).collect();
        format!(
            "{}:{:?}: {} {} {related:?}",
            report.name(finding.span.file),
            finding.span.range(),
            finding.code(),
            finding.message
        )
    };
    files.chain(report.diagnostics().map(of)).collect()
}

/// Pseudo-random numbers from a seed.
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Files that depend on each other in every way, each with several texts.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "lofting.toml",
        &[
            "[sets.a]\nfiles = [\"config\"]\nvalues = [\"values/dev.yml\"]\n",
            "[[schemas]]\npath = \"s.json\"\nfiles = [\"plain/*.yml\"]\n",
            "[[schemas]]\npath = \"gone.json\"\nfiles = [\"plain/*.yml\"]\n",
        ],
    ),
    (
        "s.json",
        &[
            "{\"properties\": {\"a\": {\"$ref\": \"inner/d.json\"}}, \"additionalProperties\": false}",
            "{\"properties\": {\"b\": {\"type\": \"string\"}}}",
            "{\"properties\": ",
        ],
    ),
    ("inner/d.json", &["{\"type\": \"integer\"}", "{\"type\": \"string\"}"]),
    ("plain/a.yml", &["a: 1\n", "a: x\n", "b: 1\n", "a: [\n"]),
    ("plain/b.yml", &["# yaml-language-server: $schema=../inner/d.json\n1\n", "a: x\nb: 2\n"]),
    (
        "config/schema.yml",
        &[
            "#@data/values-schema\n---\nport: 80\nname: \"\"\n",
            "#@data/values-schema\n---\nport: \"\"\n",
            "#@data/values-schema\n---\n#@schema/validation min=10\nport: 1\n",
        ],
    ),
    (
        "config/values.yml",
        &["#@data/values\n---\nport: 81\n", "#@data/values\n---\nport: x\n", "#@data/values\n---\nother: 1\n"],
    ),
    ("values/dev.yml", &["port: 1\n", "port: z\n", "name: a\n"]),
    ("config/t.yml", &["#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\n", "a: #@ data.values.gone\n"]),
    (".gitignore", &["plain/b.yml\n", "values\n"]),
    (
        "k8s/crd.yml",
        &[
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.x.io}\nspec:\n  group: x.io\n  names: {kind: A, plural: as}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec: {type: object, properties: {n: {type: integer}}}\n",
        ],
    ),
    (
        "k8s/a.yml",
        &[
            "apiVersion: x.io/v1\nkind: A\nmetadata: {name: a}\nspec: {n: x}\n",
            "apiVersion: x.io/v1\nkind: A\nmetadata: {name: a}\nspec: {n: 1}\n",
        ],
    ),
    ("README.md", &["```sh\nytt -f config -f values/dev.yml\n```\n"]),
];

fn random_files(random: &mut Random) -> Files {
    let mut files = Files::default();
    for (name, texts) in TEXTS {
        // Most files are there.
        if random.below(5) > 0 {
            let text = texts[random.below(texts.len())];
            files.0.insert(PathBuf::from(name), Content::Text(text.to_owned()));
        }
    }
    if cfg!(unix) && random.below(3) == 0 {
        files.0.insert(PathBuf::from("plain/link.yml"), Content::Link("a.yml".to_owned()));
        files.0.insert(PathBuf::from("out.json"), Content::Link("../../outside.json".to_owned()));
    }
    files
}

#[test]
fn stored_files_are_checked_as_files_on_the_disk() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let (earlier, now) = (random_files(&mut random), random_files(&mut random));
        let (on_disk, over) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        earlier.write(on_disk.path());
        now.write(over.path());
        let expected = lines(&check(on_disk.path(), &[], None));
        assert_eq!(lines(&check(over.path(), &[], Some(earlier.clone()))), expected, "seed {seed}: {earlier:#?}");
        let below = ["plain", "config/schema.yml"].into_iter().filter(|path| earlier.kind(Path::new(path)).is_some());
        let below: Vec<&str> = below.collect();
        if !below.is_empty() {
            let expected = lines(&check(on_disk.path(), &below, None));
            assert_eq!(
                lines(&check(over.path(), &below, Some(earlier.clone()))),
                expected,
                "seed {seed}: {earlier:#?}"
            );
        }
    }
}

/// What changed between two states is found where only files are checked that have findings now.
#[test]
fn new_findings_are_those_of_two_whole_checks() {
    let mut new = 0;
    for seed in 100..160 {
        let mut random = Random(seed);
        let (earlier, now) = (random_files(&mut random), random_files(&mut random));
        let directory = tempfile::tempdir().unwrap();
        now.write(directory.path());
        let report = check(directory.path(), &[], None);
        let whole = check(directory.path(), &[], Some(earlier.clone()));
        let found = report.files_with_findings();
        let part = check_only(directory.path(), &[], Some(earlier.clone()), &|name| found.contains(name));
        assert_eq!(report.is_new(&part), report.is_new(&whole), "seed {seed}: {earlier:#?} {now:#?}");
        new += report.is_new(&part).into_iter().filter(|is_new| *is_new).count();
        // Each part of the files has the findings that it has in the whole.
        let of_part = |half: usize| move |name: &str| name.len() % 2 == half;
        let mut halves = [0, 1].map(|half| lines(&check_only(directory.path(), &[], None, &of_part(half)))).concat();
        let mut all = lines(&report);
        halves.sort();
        all.sort();
        assert_eq!(halves, all, "seed {seed}: {now:#?}");
    }
    assert!(new > 60, "{new}");
}

#[test]
fn nothing_of_the_disk_is_seen_where_files_are_stored() {
    let directory = tempfile::tempdir().unwrap();
    Files::of(&[("b.yml", "a: [\n"), ("module/c.yml", "#@data/values\n---\n- 1\n")]).write(directory.path());
    let mut files =
        Files::of(&[("lofting.toml", "[[schemas]]\npath = \"link.json\"\nfiles = [\"a.yml\"]\n"), ("a.yml", "x\n")]);
    let secret = tempfile::tempdir().unwrap();
    std::fs::write(secret.path().join("s.json"), "{\"type\": \"integer\"}").unwrap();
    let target = secret.path().join("s.json").to_string_lossy().into_owned();
    files.0.insert(PathBuf::from("link.json"), Content::Link(target));
    files.0.insert(PathBuf::from("module/x"), Content::Text(String::new()));
    let report = check(directory.path(), &[], Some(files));
    let names: Vec<&str> = report.files.iter().map(|file| file.shown.as_str()).collect();
    // What another repository holds is on the disk.
    assert_eq!(names, ["a.yml", "lofting.toml", "module/c.yml"]);
    assert!(!lines(&report).join("\n").contains("integer"), "{:?}", lines(&report));
}

#[test]
fn a_finding_is_new_if_its_place_had_none() {
    let schema = "{\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"string\"}}}";
    let modeline = "# yaml-language-server: $schema=s.json\n";
    let new_of = |old: &str, new: &str| {
        let files = |text: &str| Files::of(&[("s.json", schema), ("v.yml", &format!("{modeline}{text}"))]);
        let directory = tempfile::tempdir().unwrap();
        files(new).write(directory.path());
        let earlier = check(directory.path(), &[], Some(files(old)));
        let mut report = check(directory.path(), &[], None);
        let all = report.diagnostics().count();
        report.without(&earlier);
        (all, report.diagnostics().map(|finding| finding.path.clone().unwrap_or_default()).collect::<Vec<_>>())
    };
    assert_eq!(new_of("a: x\n", "# a comment\n\na: x\n"), (1, Vec::new()));
    assert_eq!(new_of("a: x\n", "a: [y]\n"), (1, Vec::new()), "another mistake at the same place");
    assert_eq!(new_of("a: x\n", "a: x\nb: 1\n"), (2, vec!["b".to_owned()]));
    assert_eq!(new_of("a: 1\n", "a: x\n"), (1, vec!["a".to_owned()]));
}

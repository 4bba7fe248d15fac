//! Names in files of well-known programs that refer to something in the same file: the jobs that a job of a workflow needs.

use lofting_diagnostic::suggest::is_slip;
use lofting_dialect::WrittenSteps;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Entry, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

/// How the programs read plain texts. It makes no difference for names.
const PROFILE: Profile = Profile::Core12;

/// What is known of the files of one program.
pub struct KnownFormat {
    /// Who reads them.
    pub reader: &'static str,
    /// The reader refuses a map with a key that is written twice.
    pub refuses_repeated_keys: bool,
    /// Files beside one that may declare what it refers to.
    pub beside: &'static [&'static str],
    is_of: fn(&Path) -> bool,
    /// Keys at the root that bring names from elsewhere.
    opens: &'static [&'static str],
    /// The key at the root whose entries have the references; empty if those of the root itself have them.
    holder: &'static str,
    /// Keys at the root that are not such entries, and what begins others of this kind.
    keywords: (&'static [&'static str], &'static str),
    references: &'static [NameReference],
}

/// A kind of reference.
struct NameReference {
    /// What it refers to, in words.
    kind: &'static str,
    /// The key in an entry that has it.
    field: &'static str,
    /// The names in its value.
    read: fn(&WrittenSteps<'_>) -> Vec<Used>,
    /// The key at the root whose keys or items are the names; those of the root itself if it is empty.
    declared: &'static str,
    /// Names that need no declaration.
    implied: &'static [&'static str],
    /// Names that there are where nothing is declared.
    otherwise: &'static [&'static str],
}

/// A name that is used, and its bytes.
type Used = (SmolStr, Range<usize>);

const GITHUB: KnownFormat = KnownFormat {
    reader: "GitHub",
    refuses_repeated_keys: true,
    beside: &[],
    is_of: is_workflow,
    opens: &[],
    holder: "jobs",
    keywords: (&[], "."),
    references: &[of("job", "needs", names, "jobs")],
};

const COMPOSE: KnownFormat = KnownFormat {
    reader: "Compose",
    refuses_repeated_keys: true,
    beside: &[
        "compose.override.yaml",
        "compose.override.yml",
        "docker-compose.override.yaml",
        "docker-compose.override.yml",
    ],
    is_of: |path| is_named(path, &["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"]),
    opens: &["include"],
    holder: "services",
    keywords: (&[], "x-"),
    references: &[
        of("service", "depends_on", needed_services, "services"),
        of("service", "extends", extended_service, "services"),
        of("service", "links", before_colon, "services"),
        of("service", "volumes_from", before_colon, "services"),
        of("service", "network_mode", shared_with, "services"),
        of("service", "pid", shared_with, "services"),
        of("service", "ipc", shared_with, "services"),
        NameReference { implied: &["default"], ..of("network", "networks", names, "networks") },
        of("volume", "volumes", mounted_volumes, "volumes"),
        of("secret", "secrets", names_or_sources, "secrets"),
        of("config", "configs", names_or_sources, "configs"),
    ],
};

const GITLAB: KnownFormat = KnownFormat {
    reader: "GitLab",
    refuses_repeated_keys: false,
    beside: &[],
    is_of: |path| is_named(path, &[".gitlab-ci.yml"]),
    opens: &["include", "spec"],
    holder: "",
    keywords: (
        &["default", "stages", "variables", "workflow", "image", "services", "cache", "before_script", "after_script"],
        ".",
    ),
    references: &[
        of("job", "needs", needed_jobs, ""),
        of("job", "dependencies", names, ""),
        of("job or template", "extends", names, ""),
        NameReference {
            implied: &[".pre", ".post"],
            otherwise: &["build", "test", "deploy"],
            ..of("stage", "stage", names, "stages")
        },
    ],
};

/// Each program has one line.
static FORMATS: [&KnownFormat; 3] = [&GITHUB, &COMPOSE, &GITLAB];

const fn of(
    kind: &'static str,
    field: &'static str,
    read: fn(&WrittenSteps<'_>) -> Vec<Used>,
    declared: &'static str,
) -> NameReference {
    NameReference { kind, field, read, declared, implied: &[], otherwise: &[] }
}

/// What is known of the files of the program that reads a file, judging by its path.
pub fn format_of(path: &Path) -> Option<&'static KnownFormat> {
    FORMATS.into_iter().find(|format| (format.is_of)(path))
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| names.contains(&name))
}

fn is_workflow(path: &Path) -> bool {
    let is_yaml = path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    is_yaml && path.parent().is_some_and(|folder| folder.ends_with(".github/workflows"))
}

/// A name that nothing in the file declares.
pub(crate) struct MissingName {
    pub kind: &'static str,
    pub name: SmolStr,
    pub at: Range<usize>,
    /// The key that declares such names; empty if all keys of the file do.
    pub declared: &'static str,
    /// The names that there are.
    pub known: Rc<[SmolStr]>,
}

/// The names in a file that nothing in it declares. Nothing is known of a file with several documents.
pub(crate) fn missing(format: &KnownFormat, tree: &Tree) -> Vec<MissingName> {
    let mut documents = tree.documents();
    let (Some(document), None) = (documents.next(), documents.next()) else { return Vec::new() };
    let Some(root) = document.root().map(|root| WrittenSteps::root(root, PROFILE)) else { return Vec::new() };
    if format.opens.iter().chain(&["<<"]).any(|key| root.key(key).is_some()) {
        return Vec::new();
    }
    let is_root = format.holder.is_empty();
    let Some(holder) = (if is_root { Some(root.clone()) } else { root.key(format.holder) }) else { return Vec::new() };
    let (keywords, hidden) = format.keywords;
    let mut declared: FxHashMap<&'static str, Option<Declared>> = FxHashMap::default();
    let mut found = Vec::new();
    for entry in holder.map().into_iter().flat_map(|map| map.entries()) {
        lofting_memo::step();
        if is_root && name_of(&entry).is_none_or(|key| keywords.contains(&&*key) || key.starts_with(hidden)) {
            continue;
        }
        for field in entry.value().map().into_iter().flat_map(|map| map.entries()) {
            let Some(key) = name_of(&field) else { continue };
            let Some(reference) = format.references.iter().find(|reference| reference.field == key) else { continue };
            // A tag says that the value is computed, as `!reference` does.
            if field.value().tag().is_some() {
                continue;
            }
            for (name, at) in (reference.read)(&WrittenSteps::root(field.value(), PROFILE)) {
                let known = declared.entry(reference.declared).or_insert_with(|| Declared::of(&root, reference));
                let Some(known) = known.as_ref().filter(|known| !is_computed(&name) && !known.has(&name)) else {
                    continue;
                };
                let (kind, declared) = (reference.kind, reference.declared);
                found.push(MissingName { kind, name, at, declared, known: Rc::clone(&known.names) });
            }
        }
    }
    found
}

/// The text of a key.
fn name_of<'t>(entry: &Entry<'t>) -> Option<Cow<'t, str>> {
    entry.key()?.scalar().map(|key| key.value())
}

/// The names to which references may lead.
struct Declared {
    names: Rc<[SmolStr]>,
    lower: FxHashSet<String>,
}

impl Declared {
    /// None if there may be others.
    fn of(root: &WrittenSteps<'_>, reference: &NameReference) -> Option<Declared> {
        let names = declared(root, reference)?;
        let lower = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Some(Declared { names: names.into(), lower })
    }

    fn has(&self, name: &str) -> bool {
        // GitLab numbers the jobs that it makes of one: `test 1/3`, `test: [a]`.
        let parts = [Some(name), name.rsplit_once(' ').map(|(job, _)| job), name.split_once(": [").map(|(job, _)| job)];
        name.is_empty() || parts.into_iter().flatten().any(|name| self.lower.contains(&name.to_ascii_lowercase()))
    }
}

/// The names to which a reference may lead; None if there may be others.
fn declared(root: &WrittenSteps<'_>, reference: &NameReference) -> Option<Vec<SmolStr>> {
    let is_root = reference.declared.is_empty();
    let Some(section) = Some(root.clone()).filter(|_| is_root).or_else(|| root.key(reference.declared)) else {
        // A misspelt key is one mistake, and what follows from it is not another.
        let is_misspelt = root.keys().iter().any(|key| is_slip(key, reference.declared));
        let names = reference.otherwise.iter().chain(reference.implied).map(|name| SmolStr::from(*name)).collect();
        return (!is_misspelt).then_some(names);
    };
    let mut names = match section.map() {
        Some(map) => Some(section.keys())
            .filter(|keys| keys.len() == map.entries().count() && !keys.iter().any(|key| key == "<<")),
        None if section.is_null() => Some(Vec::new()),
        None => section.value().seq().and_then(|_| section.items().iter().map(WrittenSteps::text).collect()),
    }?;
    names.extend(reference.implied.iter().map(|name| SmolStr::from(*name)));
    (!names.iter().any(|name| is_computed(name))).then_some(names)
}

/// Whether something else may take the place of a name or a part of it.
fn is_computed(name: &str) -> bool {
    name.contains('$') || name.contains("{{")
}

fn text(value: &WrittenSteps<'_>) -> Option<Used> {
    let text = value.text()?;
    Some((text.clone(), value.text_range(0..text.len())?))
}

/// The text of a value or of its items, or the keys of a map.
fn names(value: &WrittenSteps<'_>) -> Vec<Used> {
    let keys = value.entries().into_iter().map(|(key, value)| (key, value.key_range()));
    let keys = keys.filter(|(key, _)| key != "<<");
    text(value).into_iter().chain(value.items().iter().filter_map(text)).chain(keys).collect()
}

/// Services that are needed. What is not required may be missing.
fn needed_services(value: &WrittenSteps<'_>) -> Vec<Used> {
    let is_required = |(_, condition): &(SmolStr, WrittenSteps<'_>)| condition.key("required").is_none();
    let keys = value.entries().into_iter().filter(is_required).map(|(key, value)| (key, value.key_range()));
    value.items().iter().filter_map(text).chain(keys.filter(|(key, _)| key != "<<")).collect()
}

fn extended_service(value: &WrittenSteps<'_>) -> Vec<Used> {
    let service = value.key("service").filter(|_| value.key("file").is_none());
    text(value).into_iter().chain(service.as_ref().and_then(text)).collect()
}

/// `name:other` and `name`.
fn before_colon(value: &WrittenSteps<'_>) -> Vec<Used> {
    let name = |item: &WrittenSteps<'_>| {
        let whole = item.text()?;
        let name = whole.split(':').next().filter(|name| *name != "container")?;
        Some((name.into(), item.text_range(0..name.len())?))
    };
    value.items().iter().filter_map(name).collect()
}

/// `service:name`.
fn shared_with(value: &WrittenSteps<'_>) -> Vec<Used> {
    const PREFIX: &str = "service:";
    let name = || {
        let whole = value.text()?;
        Some((whole.strip_prefix(PREFIX)?.into(), value.text_range(PREFIX.len()..whole.len())?))
    };
    name().into_iter().collect()
}

/// Volumes by their name: a path, also one that begins with a drive, is not one.
fn mounted_volumes(value: &WrittenSteps<'_>) -> Vec<Used> {
    let is_name = |name: &&str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        name.len() > 1 && name.chars().all(is_part) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let short = |item: &WrittenSteps<'_>| {
        let whole = item.text()?;
        let (name, _) = whole.split_once(':').filter(|(name, _)| is_name(name))?;
        Some((name.into(), item.text_range(0..name.len())?))
    };
    let long = |item: &WrittenSteps<'_>| {
        let source = item.key("source").filter(|_| item.text_at("type").as_deref() == Some("volume"))?;
        text(&source)
    };
    value.items().iter().filter_map(|item| short(item).or_else(|| long(item))).collect()
}

fn names_or_sources(value: &WrittenSteps<'_>) -> Vec<Used> {
    value.items().iter().filter_map(|item| text(item).or_else(|| text(&item.key("source")?))).collect()
}

/// Jobs of this pipeline that have to be there.
fn needed_jobs(value: &WrittenSteps<'_>) -> Vec<Used> {
    let is_here =
        |item: &&WrittenSteps<'_>| ["pipeline", "project", "optional"].iter().all(|key| item.key(key).is_none());
    let job = |item: &WrittenSteps<'_>| text(item).or_else(|| text(&item.key("job")?));
    value.items().iter().filter(is_here).filter_map(job).collect()
}

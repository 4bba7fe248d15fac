//! Schemas for files by name: the newest of those that are used most, and what SchemaStore hosts for YAML files.

use crate::archive::Package;
use crate::corrections;
use crate::known::{KNOWN, Known, NEWEST, TOOLS};
use crate::packed::Packed;
use crate::patterns;
use anyhow::Context;
use lofting_catalogue::canonical;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Where the newer packages have their schemas.
const FOLDERS: [(&str, &str); 6] = [
    ("check-jsonschema", "check_jsonschema/builtin_schemas/vendor/"),
    ("ansible-lint", "ansiblelint/schemas/"),
    ("@cspell/cspell-types", "package/"),
    ("markdownlint", "package/schema/"),
    ("@commitlint/config-validator", "package/lib/"),
    ("lefthook", "package/"),
];

/// Where the package of the store has those that it hosts itself; third-party ones are in folders below.
const HOSTED: &str = "package/schemas/json/";

/// How the package writes the addresses of schemas that others host.
const STORE: &str = "https://json.schemastore.org/";

/// What takes up space in the data file, printed at the end.
const WHAT: &str = "schemas for files";

/// Larger schemas in bytes are left out: few files need them, and each costs as much as many others.
const LARGEST: usize = 400 * 1024;

/// The folder of the schemas of a newer package; None for other packages.
pub fn folder(package: &str) -> Option<&'static str> {
    FOLDERS.iter().find(|(name, _)| *name == package).map(|(_, folder)| *folder)
}

/// The newer packages.
pub fn newer() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().map(|(name, _)| *name)
}

/// Packs them: of the newer packages what is known of them, and then what the store has for other files.
pub fn pack(packed: &mut Packed, newest: &[Package], store: &Package) -> anyhow::Result<()> {
    let mut known = BTreeSet::new();
    let mut origins = BTreeMap::new();
    let mut corrections = corrections::read()?;
    for schema in KNOWN.iter().chain(TOOLS) {
        let package = newest.iter().find(|package| package.name == schema.package);
        let package = package.with_context(|| format!("there is no package {}", schema.package))?;
        let folder = folder(schema.package).unwrap_or_default();
        let mut text = package.json(&format!("{folder}{}.json", schema.file))?;
        corrections.apply(schema.file, &mut text)?;
        let origin = *origins
            .entry((origin_name(schema), schema.licence, schema.is_strict))
            .or_insert_with(|| packed.origin(origin_name(schema), package, schema.licence, schema.is_strict));
        let description = text.get("description").and_then(Value::as_str).unwrap_or_default();
        let mut line =
            vec!["schema", schema.name, schema.urls[0], if description.len() < 300 { description } else { "" }];
        line.extend(schema.patterns);
        if !schema.patterns.is_empty() {
            packed.line(&line);
        }
        let place = packed.text(WHAT, &minimal(text).to_string());
        for url in schema.urls {
            known.insert(canonical(url).into_owned());
            add_text(packed, url, origin, &place);
        }
    }
    let mut changes = patterns::read()?;
    let origin = packed.origin("SchemaStore", store, &store.licence, false);
    let hosted: BTreeSet<&str> = store.below(HOSTED).filter(|path| !path.contains('/')).collect();
    let mut todo = VecDeque::new();
    let catalogue = store.json("package/dist/catalog.json")?;
    for entry in catalogue.get("schemas").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
        let url = original(text("url"));
        let patterns = entry.get("fileMatch").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let patterns: Vec<&str> = patterns.filter(|pattern| is_for_yaml(pattern)).collect();
        let is_only_exclusion = patterns.iter().all(|pattern| pattern.starts_with('!'));
        let is_same = |known: &&[&str]| known.iter().any(|pattern| patterns.contains(pattern));
        // The newer one is for the same files, under another address.
        let is_replaced = KNOWN.iter().chain(TOOLS).any(|known| is_same(&known.patterns));
        if is_only_exclusion || is_replaced || known.contains(&*canonical(&url)) {
            continue;
        }
        let patterns = changes.apply(&url, patterns);
        let mut line = vec!["schema", text("name"), &url, text("description")];
        line.extend(&patterns);
        // A file may still name it.
        if !patterns.is_empty() {
            packed.line(&line);
        }
        todo.push_back(url.clone());
    }
    while let Some(url) = todo.pop_front() {
        let key = canonical(&url).into_owned();
        let name = url.strip_prefix(STORE).unwrap_or_default().split('#').next().unwrap_or_default();
        let file = if name.ends_with(".json") { name.to_owned() } else { format!("{name}.json") };
        if !hosted.contains(&*file) || !known.insert(key) {
            continue;
        }
        let mut schema = store.json(&format!("{HOSTED}{file}"))?;
        corrections.apply(file.strip_suffix(".json").unwrap_or(&file), &mut schema)?;
        let schema = minimal(schema);
        let text = schema.to_string();
        if text.len() > LARGEST {
            continue;
        }
        todo.extend(references(&schema));
        let place = packed.text(WHAT, &text);
        add_text(packed, &url, origin, &place);
    }
    packed.close(WHAT);
    corrections.finish()?;
    changes.finish()
}

/// Who made a schema.
fn origin_name(schema: &Known) -> &'static str {
    let is_of_store = schema.urls.iter().any(|url| url.starts_with(STORE));
    match schema.package {
        "ansible-lint" => "Ansible",
        NEWEST if is_of_store => "SchemaStore",
        _ => schema.name,
    }
}

fn add_text(packed: &mut Packed, url: &str, origin: usize, place: &[String; 3]) {
    let [block, start, length] = place;
    packed.line(&["text", url.split('#').next().unwrap_or_default(), &origin.to_string(), block, start, length]);
}

/// The address of a schema, which the package writes as if the store hosted it.
fn original(url: &str) -> String {
    match url.strip_prefix(STORE) {
        Some(rest) if rest.split('/').next().is_some_and(|host| host.contains('.') && rest.contains('/')) => {
            format!("https://{rest}")
        }
        _ => url.to_owned(),
    }
}

/// Whether files that match a pattern may be YAML: all but those with an ending of something else.
fn is_for_yaml(pattern: &str) -> bool {
    let ending = pattern.rsplit('/').next().and_then(|last| last.rsplit_once('.')).map_or("", |(_, ending)| ending);
    let is_yaml = ["yml", "yaml", "y{,a}ml", "y?(a)ml", "{yml,yaml}", "cff", "lock"].contains(&ending);
    // A name alone is that of a file that may be anything, such as `.clang-format`.
    let is_bare = !pattern.rsplit('/').next().unwrap_or_default().trim_start_matches('.').contains('.');
    is_yaml || is_bare && !pattern.contains('*')
}

/// A schema without what Lofting never reads, to be smaller: snippets for other editors.
fn minimal(mut schema: Value) -> Value {
    let mut todo = vec![&mut schema];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(members) => {
                for key in ["x-intellij-html-description", "x-intellij-metadata", "markdownEnumDescriptions"] {
                    members.remove(key);
                }
                todo.extend(members.values_mut());
            }
            Value::Array(items) => todo.extend(items),
            _ => {}
        }
    }
    schema
}

/// The documents of the store that a schema refers to.
fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![schema];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(members) => {
                if let Some(to) = members.get("$ref").and_then(Value::as_str) {
                    let document = to.split('#').next().unwrap_or_default();
                    match document.split_once("://") {
                        Some(_) => found.push(document.to_owned()),
                        None if !document.is_empty() => found.push(format!("{STORE}{document}")),
                        None => {}
                    }
                }
                todo.extend(members.values());
            }
            Value::Array(items) => todo.extend(items),
            _ => {}
        }
    }
    found
}

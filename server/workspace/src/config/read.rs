//! Reading of `lofting.toml`.
//!
//! Valid TOML is read as such. Otherwise each statement is read separately: what is being typed then affects neither
//! the sets after it nor existing entries, and findings elsewhere stay as they are.

mod tables;

use super::keys::{SCHEMA_KEYS, SET_KEYS, Switch, Takes, key_named};
use super::statements::{Statement, StatementKind, statements};
use super::{Config, ConfigError, ConfigMirror, ConfigSchema, ConfigSet, ListKey, TextSource};
use crate::disk::glob::Glob;
use crate::disk::glob_lists::GlobLists;
use crate::settings::local_path;
use lofting_check::nearest_name;
use lofting_diagnostic::suggest::Searches;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The known tables.
const TABLES: [&str; 7] = ["sets", "schemas", "kubernetes", "catalogue", "deprecation", "rules", "format"];

/// What is allowed in `schemas` besides its entries.
const MIRROR: &str = "mirror";

type Key<'k> = Spanned<Cow<'k, str>>;

/// Reads a `lofting.toml`.
pub fn read(text: &str) -> Config {
    let mut reader = ConfigReader::default();
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        reader.table(ConfigTable::Top, table.get_ref());
    } else {
        reader.damaged(text);
    }
    let mut config = reader.finish();
    if config.errors.is_empty()
        && let Some(error) = errors.first()
    {
        // Each statement is correct, but not all of them together.
        config.errors.push(syntax_error(error, 0, text));
    }
    config
}

/// The place of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ConfigTable {
    /// Outside all tables.
    Top,
    /// Directly in `[sets]`.
    Sets,
    /// In the set with this index.
    Set(usize),
    /// Directly in `[schemas]`.
    Schemas,
    /// In the entry of `[[schemas]]` with this index.
    Schema(usize),
    /// In `[schemas.mirror]`.
    Mirrors,
    /// In `[kubernetes]`.
    Kubernetes,
    /// In `[catalogue]`.
    Catalogue,
    /// In `[deprecation]`.
    Deprecation,
    /// Directly in `[rules]`.
    Rules,
    /// In `[format]`.
    Format,
    /// In an unknown table.
    Nowhere,
}

#[derive(Default)]
struct ConfigReader {
    config: Config,
    /// Where the text that is being read begins.
    offset: usize,
    /// Sets by name.
    by_name: HashMap<String, usize>,
    /// Sets and entries of `[[schemas]]` in which something is half-typed, or wrong and already reported.
    half_typed: HashSet<ConfigTable>,
    /// Of codes of rules.
    searches: Searches,
}

impl ConfigReader {
    fn finish(mut self) -> Config {
        for (index, set) in self.config.sets.iter().enumerate() {
            // The files may be what is being typed.
            if set.list(ListKey::Files).is_empty() && !self.half_typed.contains(&ConfigTable::Set(index)) {
                self.config.errors.push(ConfigError {
                    range: set.name_range.clone(),
                    message: format!("the set `{}` has no files", set.name),
                    help: Some("name what `ytt -f` would get: files = [\"config/\"]".to_owned()),
                    meant: None,
                });
            }
        }
        for index in 0..self.config.schemas.len() {
            self.whole_schema(index);
        }
        let is_bundle = |entry: &mut ConfigSchema| entry.is_bundle;
        self.config.bundles = self.config.schemas.extract_if(.., is_bundle).collect();
        self.config.bundles.retain(|entry| !entry.schema.is_empty());
        self.config.schema_globs = GlobLists::new(self.config.schemas.iter().map(ConfigSchema::globs));
        self.config.bundle_globs = GlobLists::new(self.config.bundles.iter().map(ConfigSchema::globs));
        self.config.sets.sort_by_key(|set| set.name_range.start);
        self.config.errors.sort_by_key(|error| (error.range.start, error.range.end));
        self.config
    }

    /// Reports what an entry of `[[schemas]]` lacks, unless it may be what is being typed.
    fn whole_schema(&mut self, index: usize) {
        let Some(entry) = self.config.schemas.get(index) else { return };
        let lacks = match (entry.schema.is_empty(), entry.files.is_empty()) {
            _ if self.half_typed.contains(&ConfigTable::Schema(index)) => return,
            (true, _) => ("names no schema", "name one: path = \"schemas/app.json\", or url = \"https://…\""),
            (false, true) if entry.is_bundle => return,
            (false, true) => ("governs no files", "name the files that it governs: files = [\"apps/*.yml\"]"),
            (false, false) => return,
        };
        let range = entry.range.clone();
        self.config.errors.push(ConfigError {
            range,
            message: format!("this entry of `[[schemas]]` {}", lacks.0),
            help: Some(lacks.1.to_owned()),
            meant: None,
        });
    }

    /// Reads a text that is not TOML, statement by statement.
    fn damaged(&mut self, text: &str) {
        let mut place = ConfigTable::Top;
        let mut headers: HashSet<String> = HashSet::new();
        let all = statements(text);
        let before = all.first().map_or(text.len(), |first| first.range.start);
        self.statement(text, 0..before, ConfigTable::Nowhere);
        for Statement { kind, range } in all {
            self.offset = 0;
            match kind {
                StatementKind::Header(names) => {
                    let is_item = text.get(range.clone()).is_some_and(|text| text.starts_with("[["));
                    let sound = self.statement(text, range, ConfigTable::Nowhere);
                    place = self.header(&names, (sound, is_item), &mut headers);
                }
                StatementKind::Entry(name) => {
                    let known = match place {
                        ConfigTable::Set(index) => self.config.sets.get(index).map_or(0, |set| set.lists.len()),
                        _ => 0,
                    };
                    let sound = self.statement(text, range, place);
                    if !sound {
                        self.half_typed.insert(place);
                    }
                    if let ConfigTable::Set(index) = place {
                        self.drop_repeated(index, known, &name);
                    }
                }
            }
        }
        self.offset = 0;
    }

    /// Reads one statement as a text of its own. Returns whether it is correct: otherwise only its first error is
    /// reported.
    fn statement(&mut self, text: &str, range: Range<usize>, place: ConfigTable) -> bool {
        let part = text.get(range.clone()).unwrap_or_default();
        let (table, errors) = DeTable::parse_recoverable(part);
        self.offset = range.start;
        let reported = self.config.errors.len();
        self.table(place, table.get_ref());
        if let Some(error) = errors.iter().min_by_key(|error| error.span().map_or(0, |span| span.start)) {
            self.config.errors.truncate(reported);
            self.config.errors.push(syntax_error(error, range.start, part));
            self.config.half_typed.push(range);
        }
        errors.is_empty()
    }

    /// The place that a header names, whether it is correct, and whether it begins an item of an array.
    fn header(
        &mut self,
        names: &[(String, Range<usize>)],
        (sound, is_item): (bool, bool),
        known: &mut HashSet<String>,
    ) -> ConfigTable {
        match names {
            [(first, _)] if first == "sets" => ConfigTable::Sets,
            [(first, _)] if first == "kubernetes" => ConfigTable::Kubernetes,
            [(first, _)] if first == "catalogue" => ConfigTable::Catalogue,
            [(first, _)] if first == "deprecation" => ConfigTable::Deprecation,
            [(first, _)] if first == "rules" => ConfigTable::Rules,
            [(first, _)] if first == "format" => ConfigTable::Format,
            [(first, _)] if first == "schemas" && !is_item => ConfigTable::Schemas,
            [(first, range)] if first == "schemas" => ConfigTable::Schema(self.schema(range.clone())),
            [(first, _), (second, _)] if first == "schemas" && second == MIRROR => ConfigTable::Mirrors,
            [(first, _), (second, range), ..] if first == "schemas" => {
                if sound {
                    self.unknown_key(second, range.clone(), std::iter::once(MIRROR));
                }
                ConfigTable::Nowhere
            }
            [(first, _), (name, range)] if first == "sets" => {
                if sound && known.contains(name) {
                    self.config.errors.push(ConfigError {
                        range: range.clone(),
                        message: format!("the set `{name}` is defined twice"),
                        help: Some(format!("write all its keys below one `[sets.{name}]`")),
                        meant: None,
                    });
                }
                known.insert(name.clone());
                ConfigTable::Set(self.set(name, range.clone()))
            }
            [(first, _), _, (third, range), ..] if first == "sets" => {
                if sound {
                    self.unknown_key(third, range.clone(), SET_KEYS.iter().map(|key| key.name));
                }
                ConfigTable::Nowhere
            }
            [(first, range), ..] if sound && !TABLES[2..].contains(&&**first) => {
                self.unknown_key(first, range.clone(), TABLES.into_iter());
                ConfigTable::Nowhere
            }
            _ => ConfigTable::Nowhere,
        }
    }

    /// The index of a set; it is added if there is none with this name.
    fn set(&mut self, name: &str, range: Range<usize>) -> usize {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let index = self.config.sets.len();
        self.by_name.insert(name.to_owned(), index);
        self.config.sets.push(ConfigSet { name: name.to_owned(), name_range: range, ..ConfigSet::default() });
        index
    }

    /// If a key is given twice, the first one counts.
    fn drop_repeated(&mut self, index: usize, known: usize, name: &(String, Range<usize>)) {
        let Some(set) = self.config.sets.get_mut(index) else { return };
        let Some((last, _)) = set.lists.last().filter(|_| set.lists.len() > known) else { return };
        if set.lists.iter().take(known).any(|(key, _)| key == last) {
            set.lists.truncate(known);
            self.config.errors.push(ConfigError {
                range: name.1.clone(),
                message: format!("the key `{}` is given twice", name.0),
                help: Some("write all of it into one array".to_owned()),
                meant: None,
            });
        }
    }

    fn table(&mut self, place: ConfigTable, table: &DeTable<'_>) {
        for (key, value) in table {
            match place {
                ConfigTable::Top if key.get_ref() == "kubernetes" => match value.get_ref().as_table() {
                    Some(table) => self.table(ConfigTable::Kubernetes, table),
                    None => self.wrong_type("kubernetes", value, "a table: write `[kubernetes]`"),
                },
                ConfigTable::Top if key.get_ref() == "catalogue" => match value.get_ref().as_table() {
                    Some(table) => self.table(ConfigTable::Catalogue, table),
                    None => self.wrong_type("catalogue", value, "a table: write `[catalogue]`"),
                },
                ConfigTable::Top if key.get_ref() == "deprecation" => match value.get_ref().as_table() {
                    Some(table) => self.table(ConfigTable::Deprecation, table),
                    None => self.wrong_type("deprecation", value, "a table: write `[deprecation]`"),
                },
                ConfigTable::Top if key.get_ref() == "rules" => match value.get_ref().as_table() {
                    Some(rules) => self.table(ConfigTable::Rules, rules),
                    None => self.wrong_type("rules", value, "a table: write `[rules]`"),
                },
                ConfigTable::Top if key.get_ref() == "format" => match value.get_ref().as_table() {
                    Some(choices) => self.table(ConfigTable::Format, choices),
                    None => self.wrong_type("format", value, "a table: write `[format]`"),
                },
                ConfigTable::Top if key.get_ref() == "schemas" => self.schemas(value),
                ConfigTable::Top if key.get_ref() != "sets" => {
                    let range = self.range(key.span());
                    self.unknown_key(key.get_ref(), range, TABLES.into_iter());
                }
                ConfigTable::Top => match value.get_ref().as_table() {
                    Some(sets) => self.sets(sets),
                    None => self.wrong_type("sets", value, "a table: write `[sets.NAME]`"),
                },
                ConfigTable::Sets => {
                    self.sets(table);
                    return;
                }
                ConfigTable::Set(index) => self.key(index, key, value),
                ConfigTable::Schemas | ConfigTable::Schema(_) if key.get_ref() == MIRROR => {
                    match value.get_ref().as_table() {
                        Some(mirrors) => self.table(ConfigTable::Mirrors, mirrors),
                        None => self.wrong_type(MIRROR, value, "a table: write `[schemas.mirror]`"),
                    }
                }
                ConfigTable::Schemas => {
                    self.wrong_type("schemas", value, "an array of tables: write `[[schemas]]`");
                    return;
                }
                ConfigTable::Schema(index) => self.schema_key(index, key, value),
                ConfigTable::Mirrors => self.mirror(key, value),
                ConfigTable::Kubernetes => self.version(key, value),
                ConfigTable::Catalogue => self.built_in(key, value),
                ConfigTable::Deprecation => self.release(key, value),
                ConfigTable::Rules => self.level(key, value),
                ConfigTable::Format => self.layout(key, value),
                ConfigTable::Nowhere => return,
            }
        }
    }

    fn sets(&mut self, sets: &DeTable<'_>) {
        for (name, value) in sets {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong_type(name.get_ref(), value, "a table: write `[sets.NAME]`");
                continue;
            };
            let range = self.range(name.span());
            let index = self.set(name.get_ref(), range);
            self.table(ConfigTable::Set(index), table);
        }
    }

    /// The value of `schemas`: entries, or only mirrors.
    fn schemas(&mut self, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Array(entries) => {
                for entry in entries {
                    let range = self.range(entry.span());
                    match entry.get_ref().as_table() {
                        Some(table) => {
                            let index = self.schema(range);
                            self.table(ConfigTable::Schema(index), table);
                        }
                        None => self.wrong_type("schemas", entry, "an array of tables: write `[[schemas]]`"),
                    }
                }
            }
            DeValue::Table(table) => self.table(ConfigTable::Schemas, table),
            _ => self.wrong_type("schemas", value, "an array of tables: write `[[schemas]]`"),
        }
    }

    /// The index of a new entry of `[[schemas]]`.
    fn schema(&mut self, range: Range<usize>) -> usize {
        self.config.schemas.push(ConfigSchema { range, ..ConfigSchema::default() });
        self.config.schemas.len() - 1
    }

    fn schema_key(&mut self, index: usize, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        let Some(known) = key_named(&SCHEMA_KEYS, name) else {
            let range = self.range(key.span());
            let text = value.get_ref().as_str().unwrap_or_default();
            // What names the schema is called otherwise elsewhere.
            let is_name = matches!(name, "schema" | "$schema" | "file" | "uri") && !text.is_empty();
            if is_name {
                let meant = if local_path(text).is_some() { "path" } else { "url" };
                self.half_typed.insert(ConfigTable::Schema(index));
                self.unknown_key_meant(name, range, meant);
            } else {
                self.unknown_key(name, range, SCHEMA_KEYS.iter().map(|key| key.name));
            }
            return;
        };
        if known.takes == Takes::Patterns {
            let reported = self.config.errors.len();
            let files = self.patterns(name, value);
            if self.config.errors.len() > reported {
                self.half_typed.insert(ConfigTable::Schema(index));
            }
            if let Some(entry) = self.config.schemas.get_mut(index) {
                entry.files = files;
            }
            return;
        }
        let is_bundle = known.takes == Takes::Bundle;
        let is_url = known.takes == Takes::Url;
        let wanted = match known.takes {
            Takes::Bundle => "a folder, a file or a URL: \"schemas/kubernetes\"",
            Takes::Url => "a URL: \"https://…\"",
            _ => "a path: \"schemas/app.json\"",
        };
        let fits = |text: &&str| !text.is_empty() && (is_bundle || is_url == local_path(text).is_none());
        match value.get_ref().as_str().filter(fits) {
            Some(text) => {
                let range = self.range(value.span());
                let Some(entry) = self.config.schemas.get_mut(index) else { return };
                let is_second = !entry.schema.is_empty();
                entry.is_bundle |= is_bundle;
                (entry.schema, entry.range) = (text.to_owned(), range.clone());
                if is_second {
                    self.config.errors.push(ConfigError {
                        range,
                        message: "this entry of `[[schemas]]` names two schemas".to_owned(),
                        help: Some("write `path` or `url`; for another schema begin another `[[schemas]]`".to_owned()),
                        meant: None,
                    });
                }
            }
            None => {
                self.half_typed.insert(ConfigTable::Schema(index));
                self.wrong_type(name, value, wanted);
            }
        }
    }

    /// Patterns of files.
    fn patterns(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<(Glob, Range<usize>)> {
        let mut globs = Vec::new();
        for (text, range) in self.list(name, value) {
            match Glob::new(&text) {
                _ if text.starts_with('!') => self.config.errors.push(ConfigError {
                    range,
                    message: format!("`{text}` excludes nothing: patterns name the files that the schema governs"),
                    help: Some("give the other files a schema of their own in an earlier entry".to_owned()),
                    meant: None,
                }),
                Some(glob) => globs.push((glob, range)),
                None => self.config.errors.push(ConfigError {
                    range,
                    message: format!("`{text}` is not a valid file pattern"),
                    help: Some(
                        "`*` stands for a part of a name, `**` for directories, `[a-z]` and `{a,b}` for one of several"
                            .to_owned(),
                    ),
                    meant: None,
                }),
            }
        }
        globs
    }

    /// A folder for a URL.
    fn mirror(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let url: &str = key.get_ref();
        if local_path(url).is_some() {
            let range = self.range(key.span());
            self.config.errors.push(ConfigError {
                range,
                message: format!("`{url}` is not a URL"),
                help: Some("write the URL that the folder mirrors: \"https://example.com\" = \"schemas\"".to_owned()),
                meant: None,
            });
            return;
        }
        match value.get_ref().as_str().filter(|folder| !folder.is_empty()) {
            Some(folder) => {
                let range = self.range(value.span());
                let mirror = ConfigMirror { url: url.to_owned(), folder: folder.to_owned(), range };
                self.config.mirrors.push(mirror);
            }
            None => self.wrong_type(url, value, "the path of a folder"),
        }
    }

    fn key(&mut self, index: usize, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        let Some(known) = key_named(&SET_KEYS, name) else {
            let range = self.range(key.span());
            self.unknown_key(name, range, SET_KEYS.iter().map(|key| key.name));
            return;
        };
        match known.takes {
            Takes::List(list_key, _) => {
                let list = self.list(name, value);
                if let Some(set) = self.config.sets.get_mut(index) {
                    set.lists.push((list_key, list));
                }
            }
            // Keys of sets take nothing else.
            Takes::Patterns | Takes::Path | Takes::Url | Takes::Bundle => {}
            Takes::Version | Takes::BuiltIn | Takes::Revision | Takes::Layout(_) => {}
            Takes::Switch(switch) => {
                let Some(on) = value.get_ref().as_bool() else {
                    self.wrong_type(name, value, "true or false");
                    return;
                };
                let Some(set) = self.config.sets.get_mut(index) else { return };
                let place = match switch {
                    Switch::IgnoreUnknownComments => &mut set.options.ignore_unknown_comments,
                    Switch::ImplicitMapKeyOverrides => &mut set.options.implicit_map_key_overrides,
                    Switch::Strict => &mut set.options.strict,
                    Switch::DisableValidation => &mut set.options.disable_validation,
                };
                *place = on;
            }
        }
    }

    /// An array of strings; a single string counts as an array of one.
    fn list(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> TextSource {
        let mut list = Vec::new();
        let items: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        for item in items {
            match item.get_ref().as_str() {
                Some(text) => list.push((text.to_owned(), self.range(item.span()))),
                None => self.wrong_type(name, item, "an array of strings: [\"a\", \"b\"]"),
            }
        }
        list
    }

    fn range(&self, range: Range<usize>) -> Range<usize> {
        range.start + self.offset..range.end + self.offset
    }

    fn unknown_key(&mut self, name: &str, range: Range<usize>, known: impl Iterator<Item = &'static str> + Clone) {
        if let Some(meant) = nearest_name(name, known.clone()) {
            return self.unknown_key_meant(name, range, meant);
        }
        let help = Some(format!("known keys are {}", known.collect::<Vec<_>>().join(", ")));
        self.config.errors.push(ConfigError { range, message: format!("unknown key `{name}`"), help, meant: None });
    }

    fn unknown_key_meant(&mut self, name: &str, range: Range<usize>, meant: &str) {
        self.config.errors.push(ConfigError {
            range,
            message: format!("unknown key `{name}`"),
            help: Some(format!("did you mean `{meant}`?")),
            meant: Some(meant.to_owned()),
        });
    }

    fn wrong_type(&mut self, name: &str, value: &Spanned<DeValue<'_>>, want: &str) {
        self.config.errors.push(ConfigError {
            range: self.range(value.span()),
            message: format!("`{name}` must be {want}"),
            help: None,
            meant: None,
        });
    }
}

/// A syntax error in a part of the text that begins at `offset`. An error about something missing has an empty range:
/// then the word before it is marked.
fn syntax_error(error: &toml::de::Error, offset: usize, part: &str) -> ConfigError {
    let part = part.trim_end();
    let span = error.span().unwrap_or(0..part.len());
    let mut start = span.start.min(part.len());
    let mut end = span.end.clamp(start, part.len());
    if start == end {
        let before = part.get(..start).unwrap_or_default().trim_end();
        end = if before.is_empty() { part.chars().next().map_or(0, char::len_utf8) } else { before.len() };
        start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    }
    ConfigError {
        range: offset + start..offset + end,
        message: format!("this is not valid TOML: {}", error.message()),
        help: None,
        meant: None,
    }
}

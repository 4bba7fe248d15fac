//! Reading of `lofting.toml`.
//!
//! A text that is TOML is read as such. In any other, each statement is read by itself: what is being typed then takes
//! away neither the sets behind it nor the entries that stand there already, and findings elsewhere stay as they are.

use super::keys::{KEYS, Switch, Takes, set_key};
use super::statements::{Statement, StatementKind, statements};
use super::{Config, ConfigError, ConfigSet, ListKey, TextSource};
use lofting_check::{nearest_name, rules};
use lofting_diagnostic::Level;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The tables there are.
const TABLES: [&str; 2] = ["sets", "rules"];

type Key<'k> = Spanned<Cow<'k, str>>;

/// Reads a `lofting.toml`.
pub fn read(text: &str) -> Config {
    let mut reader = Reader::default();
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        reader.table(Place::Top, table.get_ref());
    } else {
        reader.damaged(text);
    }
    let mut config = reader.finish();
    if config.errors.is_empty()
        && let Some(error) = errors.first()
    {
        // Nothing is wrong with any statement, but with all of them together.
        config.errors.push(syntax_error(error, 0, text));
    }
    config
}

/// Where keys stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of all tables.
    Top,
    /// Directly in `[sets]`.
    Sets,
    /// In the set of this number.
    Set(usize),
    /// Directly in `[rules]`.
    Rules,
    /// In a table that means nothing.
    Nowhere,
}

#[derive(Default)]
struct Reader {
    config: Config,
    /// Where the text begins that is being read.
    offset: usize,
    /// Sets by name.
    by_name: HashMap<String, usize>,
    /// Sets in which something is half-typed.
    half_typed: HashSet<usize>,
}

impl Reader {
    fn finish(mut self) -> Config {
        for (index, set) in self.config.sets.iter().enumerate() {
            // The files may be what is being typed.
            if set.list(ListKey::Files).is_empty() && !self.half_typed.contains(&index) {
                self.config.errors.push(ConfigError {
                    range: set.name_range.clone(),
                    message: format!("the set `{}` has no files", set.name),
                    help: Some("name what `ytt -f` would get: files = [\"config/\"]".to_owned()),
                    meant: None,
                });
            }
        }
        self.config.sets.sort_by_key(|set| set.name_range.start);
        self.config.errors.sort_by_key(|error| (error.range.start, error.range.end));
        self.config
    }

    /// Reads a text that is no TOML, statement by statement.
    fn damaged(&mut self, text: &str) {
        let mut place = Place::Top;
        let mut headers: HashSet<String> = HashSet::new();
        let all = statements(text);
        let before = all.first().map_or(text.len(), |first| first.range.start);
        self.statement(text, 0..before, Place::Nowhere);
        for Statement { kind, range } in all {
            self.offset = 0;
            match kind {
                StatementKind::Header(names) => {
                    let sound = self.statement(text, range, Place::Nowhere);
                    place = self.header(&names, sound, &mut headers);
                }
                StatementKind::Entry(name) => {
                    let known = match place {
                        Place::Set(index) => self.config.sets.get(index).map_or(0, |set| set.lists.len()),
                        _ => 0,
                    };
                    let sound = self.statement(text, range, place);
                    if let Place::Set(index) = place {
                        if !sound {
                            self.half_typed.insert(index);
                        }
                        self.drop_repeated(index, known, &name);
                    }
                }
            }
        }
        self.offset = 0;
    }

    /// Reads one statement as a text of its own. Whether it is sound: of others only the first error is told.
    fn statement(&mut self, text: &str, range: Range<usize>, place: Place) -> bool {
        let part = text.get(range.clone()).unwrap_or_default();
        let (table, errors) = DeTable::parse_recoverable(part);
        self.offset = range.start;
        let told = self.config.errors.len();
        self.table(place, table.get_ref());
        if let Some(error) = errors.iter().min_by_key(|error| error.span().map_or(0, |span| span.start)) {
            self.config.errors.truncate(told);
            self.config.errors.push(syntax_error(error, range.start, part));
            self.config.half_typed.push(range);
        }
        errors.is_empty()
    }

    /// The place that a header leads to.
    fn header(&mut self, names: &[(String, Range<usize>)], sound: bool, known: &mut HashSet<String>) -> Place {
        match names {
            [(first, _)] if first == "sets" => Place::Sets,
            [(first, _)] if first == "rules" => Place::Rules,
            [(first, _), (name, range)] if first == "sets" => {
                if sound && known.contains(name) {
                    self.config.errors.push(ConfigError {
                        range: range.clone(),
                        message: format!("the set `{name}` is described twice"),
                        help: Some(format!("write all its keys below one `[sets.{name}]`")),
                        meant: None,
                    });
                }
                known.insert(name.clone());
                Place::Set(self.set(name, range.clone()))
            }
            [(first, _), _, (third, range), ..] if first == "sets" => {
                if sound {
                    self.unknown_key(third, range.clone(), KEYS.iter().map(|key| key.name));
                }
                Place::Nowhere
            }
            [(first, range), ..] if sound && first != "rules" => {
                self.unknown_key(first, range.clone(), TABLES.into_iter());
                Place::Nowhere
            }
            _ => Place::Nowhere,
        }
    }

    /// The number of a set; it is added where there is none of this name.
    fn set(&mut self, name: &str, range: Range<usize>) -> usize {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let index = self.config.sets.len();
        self.by_name.insert(name.to_owned(), index);
        self.config.sets.push(ConfigSet { name: name.to_owned(), name_range: range, ..ConfigSet::default() });
        index
    }

    /// Of a key that is given twice the first counts.
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

    fn table(&mut self, place: Place, table: &DeTable<'_>) {
        for (key, value) in table {
            match place {
                Place::Top if key.get_ref() == "rules" => match value.get_ref().as_table() {
                    Some(rules) => self.table(Place::Rules, rules),
                    None => self.wrong_type("rules", value, "a table: write `[rules]`"),
                },
                Place::Top if key.get_ref() != "sets" => {
                    let range = self.range(key.span());
                    self.unknown_key(key.get_ref(), range, TABLES.into_iter());
                }
                Place::Top => match value.get_ref().as_table() {
                    Some(sets) => self.sets(sets),
                    None => self.wrong_type("sets", value, "a table: write `[sets.NAME]`"),
                },
                Place::Sets => {
                    self.sets(table);
                    return;
                }
                Place::Set(index) => self.key(index, key, value),
                Place::Rules => self.level(key, value),
                Place::Nowhere => return,
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
            self.table(Place::Set(index), table);
        }
    }

    /// The level of a rule.
    fn level(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let code: &str = key.get_ref();
        let range = self.range(key.span());
        let Some(rule) = rules::registry().get(code) else {
            let meant = rules::registry().nearest(code).map(|rule| rule.code);
            self.config.errors.push(ConfigError {
                range,
                message: format!("there is no rule `{code}`"),
                help: Some(match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "docs/rules.md lists all rules".to_owned(),
                }),
                // The key is written in quotes.
                meant: meant.map(|meant| format!("\"{meant}\"")),
            });
            return;
        };
        match value.get_ref().as_str().and_then(Level::named) {
            Some(level) => self.config.levels.choose(rule, level),
            None => {
                let names: Vec<String> = Level::ALL.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                self.wrong_type(code, value, &format!("one of {}", names.join(", ")));
            }
        }
    }

    fn key(&mut self, index: usize, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        let Some(known) = set_key(name) else {
            let range = self.range(key.span());
            self.unknown_key(name, range, KEYS.iter().map(|key| key.name));
            return;
        };
        match known.takes {
            Takes::List(list_key, _) => {
                let list = self.list(name, value);
                if let Some(set) = self.config.sets.get_mut(index) {
                    set.lists.push((list_key, list));
                }
            }
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
        let meant = nearest_name(name, known.clone());
        let help = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known here: {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.config.errors.push(ConfigError {
            range,
            message: format!("unknown key `{name}`"),
            help: Some(help),
            meant: meant.map(str::to_owned),
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

/// An error of the parser in a part of the text that begins at `offset`. One that is about something missing has no
/// extent: then the word before it is marked.
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

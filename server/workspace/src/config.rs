//! `lofting.toml`: named input sets, each what one `ytt` call would get.
//!
//! ```toml
//! [sets.prod]
//! files = ["config/"]              # ytt -f
//! values = ["values/prod.yml"]     # ytt --data-values-file
//! ```
//!
//! An entry of `values` that is a pattern (`values/*.yml`) stands for one `ytt` call per file it
//! matches; entries without stars are given to every call.

use crate::inputs::{InputFlags, InputOptions};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Name of the file.
pub const FILE_NAME: &str = "lofting.toml";

/// A `lofting.toml` as read. What is wrong with it is in `errors`; the rest is used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The sets in the order written.
    pub sets: Vec<ConfigSet>,
    /// What is wrong, sorted by place.
    pub errors: Vec<ConfigError>,
}

/// `[sets.NAME]`
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigSet {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_range: Range<usize>,
    /// Lists of flag values with their places, in the order of [`LISTS`].
    pub lists: Vec<(ListKey, Texts)>,
    /// The switches.
    pub options: InputOptions,
}

/// Texts with the places of their literals, quotes included.
pub type Texts = Vec<(String, Range<usize>)>;

/// What is wrong with a `lofting.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Bytes of the file.
    pub range: Range<usize>,
    /// Plain words.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
}

/// A key of a set that holds a list of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListKey {
    /// `files`: `-f`
    Files,
    /// `values`: `--data-values-file`
    Values,
    /// `data-values`: `--data-value`
    DataValues,
    /// `data-values-yaml`: `--data-value-yaml`
    DataValuesYaml,
    /// `data-value-files`: `--data-value-file`
    DataValueFiles,
    /// `data-values-env`
    DataValuesEnv,
    /// `data-values-env-yaml`
    DataValuesEnvYaml,
    /// `file-marks`
    FileMarks,
}

/// The list keys with their spelling.
pub const LISTS: [(&str, ListKey); 8] = [
    ("files", ListKey::Files),
    ("values", ListKey::Values),
    ("data-values", ListKey::DataValues),
    ("data-values-yaml", ListKey::DataValuesYaml),
    ("data-value-files", ListKey::DataValueFiles),
    ("data-values-env", ListKey::DataValuesEnv),
    ("data-values-env-yaml", ListKey::DataValuesEnvYaml),
    ("file-marks", ListKey::FileMarks),
];

const SWITCHES: [&str; 4] =
    ["ignore-unknown-comments", "implicit-map-key-overrides", "strict", "dangerous-data-values-disable-validation"];

impl ConfigSet {
    /// The texts of a list with their places.
    pub fn list(&self, key: ListKey) -> &[(String, Range<usize>)] {
        self.lists.iter().find(|(k, _)| *k == key).map_or(&[], |(_, list)| list.as_slice())
    }

    /// The set as flags of one `ytt` call; patterns of `values` are left out.
    pub fn flags(&self) -> InputFlags {
        let texts = |key| self.list(key).iter().map(|(text, _)| text.clone()).collect();
        InputFlags {
            files: texts(ListKey::Files),
            data_values_files: self
                .list(ListKey::Values)
                .iter()
                .filter(|(text, _)| !is_pattern(text))
                .map(|(text, _)| text.clone())
                .collect(),
            data_values: texts(ListKey::DataValues),
            data_values_yaml: texts(ListKey::DataValuesYaml),
            data_value_files: texts(ListKey::DataValueFiles),
            data_values_env: texts(ListKey::DataValuesEnv),
            data_values_env_yaml: texts(ListKey::DataValuesEnvYaml),
            file_marks: texts(ListKey::FileMarks),
            options: self.options,
        }
    }

    /// Patterns of `values` with their places.
    pub fn value_patterns(&self) -> impl Iterator<Item = &(String, Range<usize>)> {
        self.list(ListKey::Values).iter().filter(|(text, _)| is_pattern(text))
    }
}

fn is_pattern(text: &str) -> bool {
    text.contains('*')
}

/// Reads a `lofting.toml`.
pub fn read(text: &str) -> Config {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut config = Config::default();
    for error in errors {
        config.errors.push(ConfigError {
            range: error.span().unwrap_or(0..0),
            message: format!("this is not valid TOML: {}", error.message()),
            help: None,
        });
    }
    for (key, value) in table.get_ref() {
        if key.get_ref() != "sets" {
            config.unknown_key(key, &["sets"]);
        } else if let Some(sets) = value.get_ref().as_table() {
            config.read_sets(sets);
        } else {
            config.wrong_type("sets", value, "a table: write `[sets.NAME]`");
        }
    }
    config.sets.sort_by_key(|set| set.name_range.start);
    config.errors.sort_by_key(|error| (error.range.start, error.range.end));
    config
}

impl Config {
    fn read_sets(&mut self, sets: &DeTable<'_>) {
        for (name, value) in sets {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong_type(name.get_ref(), value, "a table: write `[sets.NAME]`");
                continue;
            };
            let mut set =
                ConfigSet { name: name.get_ref().to_string(), name_range: name.span(), ..ConfigSet::default() };
            for (key, value) in table {
                self.read_key(&mut set, key, value);
            }
            if set.list(ListKey::Files).is_empty() {
                self.errors.push(ConfigError {
                    range: name.span(),
                    message: format!("the set `{}` has no files", set.name),
                    help: Some("name what `ytt -f` would get: files = [\"config/\"]".to_owned()),
                });
            }
            self.sets.push(set);
        }
    }

    fn read_key(
        &mut self,
        set: &mut ConfigSet,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let name: &str = key.get_ref();
        if let Some((_, list_key)) = LISTS.iter().find(|(known, _)| *known == name) {
            let list = self.read_list(name, value);
            set.lists.push((*list_key, list));
            return;
        }
        let switch = match name {
            "ignore-unknown-comments" => &mut set.options.ignore_unknown_comments,
            "implicit-map-key-overrides" => &mut set.options.implicit_map_key_overrides,
            "strict" => &mut set.options.strict,
            "dangerous-data-values-disable-validation" => &mut set.options.disable_validation,
            _ => {
                let known: Vec<&str> = LISTS.iter().map(|(known, _)| *known).chain(SWITCHES).collect();
                self.unknown_key(key, &known);
                return;
            }
        };
        match value.get_ref().as_bool() {
            Some(on) => *switch = on,
            None => self.wrong_type(name, value, "true or false"),
        }
    }

    /// A list of texts; a single text counts as a list of one.
    fn read_list(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Texts {
        let mut list = Vec::new();
        let items: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        for item in items {
            match item.get_ref().as_str() {
                Some(text) => list.push((text.to_owned(), item.span())),
                None => self.wrong_type(name, item, "a list of texts: [\"a\", \"b\"]"),
            }
        }
        list
    }

    fn unknown_key(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, known: &[&str]) {
        self.errors.push(ConfigError {
            range: key.span(),
            message: format!("unknown key `{}`", key.get_ref()),
            help: Some(format!("known here: {}", known.join(", "))),
        });
    }

    fn wrong_type(&mut self, name: &str, value: &Spanned<DeValue<'_>>, want: &str) {
        self.errors.push(ConfigError {
            range: value.span(),
            message: format!("`{name}` has to be {want}"),
            help: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn errors(text: &str) -> String {
        let lines = read(text).errors.into_iter().map(|error| {
            let at = text.get(error.range.clone()).unwrap_or("?").replace('\n', "⏎");
            let help = error.help.map(|help| format!(" ({help})")).unwrap_or_default();
            format!("«{at}» {}{help}\n", error.message)
        });
        lines.collect()
    }

    #[test]
    fn a_set_is_what_a_ytt_call_gets() {
        let text = "[sets.prod]\nfiles = [\"config/\", 'x.yml']\nvalues = [\"base.yml\", \"envs/*.yml\"]\n\
                    data-values = [\"a=b\"]\nstrict = true\n[sets.dev]\nfiles = \"config\"\n";
        let config = read(text);
        assert_eq!(config.errors, []);
        let names: Vec<&str> = config.sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["prod", "dev"]);
        let flags = config.sets[0].flags();
        assert_eq!(flags.files, ["config/", "x.yml"]);
        assert_eq!(flags.data_values_files, ["base.yml"]);
        assert_eq!(flags.data_values, ["a=b"]);
        assert!(flags.options.strict && !flags.options.disable_validation);
        let patterns: Vec<&str> = config.sets[0]
            .value_patterns()
            .map(|(text, range)| {
                assert_eq!(&read_slice(range), "\"envs/*.yml\"");
                text.as_str()
            })
            .collect();
        assert_eq!(patterns, ["envs/*.yml"]);

        fn read_slice(range: &Range<usize>) -> String {
            "[sets.prod]\nfiles = [\"config/\", 'x.yml']\nvalues = [\"base.yml\", \"envs/*.yml\"]\n"[range.clone()]
                .to_owned()
        }
    }

    #[test]
    fn mistakes_are_located() {
        let text = "title = 1\n[sets.a]\nfile = [\"x\"]\nfiles = [1, \"x\"]\nstrict = \"yes\"\n\
                    [sets]\nb = 3\n[sets.c]\nvalues = []\n";
        expect![[r#"
            «title» unknown key `title` (known here: sets)
            «file» unknown key `file` (known here: files, values, data-values, data-values-yaml, data-value-files, data-values-env, data-values-env-yaml, file-marks, ignore-unknown-comments, implicit-map-key-overrides, strict, dangerous-data-values-disable-validation)
            «1» `files` has to be a list of texts: ["a", "b"]
            «"yes"» `strict` has to be true or false
            «3» `b` has to be a table: write `[sets.NAME]`
            «c» the set `c` has no files (name what `ytt -f` would get: files = ["config/"])
        "#]].assert_eq(&errors(text));
    }

    #[test]
    fn half_typed_files_keep_their_sets() {
        let config = read("[sets.a]\nfiles = [\"config\"]\nvalu\n");
        assert_eq!(config.sets.len(), 1);
        assert_eq!(config.errors.len(), 1);
    }
}

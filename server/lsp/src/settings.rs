//! The user's settings, from the three ways in which clients send them.
//!
//! `initializationOptions` come first, `workspace/didChangeConfiguration` replaces them, and the answer to
//! `workspace/configuration` replaces both: each newer source is more current.

use gen_lsp_types::ConfigurationItem;
use lofting_check::rules;
use lofting_diagnostic::{Level, Levels};
use lofting_fetch::HostPattern;
use lofting_format::{CHOICES, Options as FormatOptions, Value as Chosen};
use lofting_ide::LensKeys;
use lofting_workspace::{OtherYamlFeatures, SchemaSetting, SettingName, Settings, Trust};
use serde_json::{Map, Value};
use std::path::PathBuf;

use crate::built_in;
use crate::editor_settings::{EditorSettings, ShownProblems};
use crate::fetching::FetchSettings;
use crate::trust;

/// The requested sections, in this order.
pub(crate) const SECTIONS: [&str; 3] = ["lofting", "yaml.schemas", "yaml.schemaStore.enable"];

/// The request for `workspace/configuration`.
pub(crate) fn items() -> Vec<ConfigurationItem> {
    SECTIONS.iter().map(|section| ConfigurationItem { scope_uri: None, section: Some((*section).to_owned()) }).collect()
}

/// Settings, and the mistakes in them in words for the user.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reading {
    /// The settings, with defaults where nothing valid was given.
    pub(crate) settings: Settings,
    /// `lofting.evaluation.requireSandbox`: code is evaluated only in a complete sandbox.
    pub(crate) require_sandbox: bool,
    /// What an editor shows.
    pub(crate) editor: EditorSettings,
    /// `lofting.fetch.allowedHosts`: hosts from which schemas may be fetched, and
    /// `lofting.fetch.cache`: the folder for copies of them.
    pub(crate) fetch: FetchSettings,
    /// One sentence per mistake.
    pub(crate) mistakes: Vec<String>,
}

/// What only the user may decide: whom to trust, what to fetch, where copies are kept, whether a sandbox is required. Many
/// clients mix settings of the repository with those of the user, so these are read from `initializationOptions`, unless
/// the client says there that all its settings are the user's.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Decisions {
    trust: Trust,
    fetch: FetchSettings,
    catalogue: Option<String>,
    require_sandbox: bool,
}

impl Reading {
    /// What these settings decide.
    pub(crate) fn decisions(&self) -> Decisions {
        Decisions {
            trust: self.settings.trust.clone(),
            fetch: self.fetch.clone(),
            catalogue: self.settings.catalogue.clone(),
            require_sandbox: self.require_sandbox,
        }
    }

    /// These settings, with the decisions of the user in their place. Settings that contradict them are ignored, and a
    /// mistake says so.
    pub(crate) fn decided(mut self, by: &Decisions) -> Reading {
        let here = self.decisions();
        let nothing = Decisions::default();
        let ignored = [
            ("trustedFolders", here.trust != by.trust && here.trust != nothing.trust),
            ("fetch.allowedHosts", here.fetch.hosts != by.fetch.hosts && !here.fetch.hosts.is_empty()),
            ("fetch.cache", here.fetch.cache != by.fetch.cache && here.fetch.cache.is_some()),
            ("fetch.catalogue", here.catalogue != by.catalogue && here.catalogue.is_some()),
        ];
        for (name, _) in ignored.iter().filter(|(_, ignored)| *ignored) {
            self.mistakes.push(format!(
                "The setting lofting.{name} is ignored here, because this editor may have taken it from the repository. Put \
                 it into initializationOptions of the server, or use the environment (see docs/security.md)."
            ));
        }
        // Asking for more safety does no harm.
        self.require_sandbox |= by.require_sandbox;
        self.settings.trust = by.trust.clone();
        self.settings.catalogue.clone_from(&by.catalogue);
        self.fetch = by.fetch.clone();
        self
    }
}

/// Reads an object with the members `lofting` and `yaml`, as clients send it in `didChangeConfiguration` and, by our
/// documentation, in `initializationOptions`. Members of `lofting` may also be at the top level.
pub(crate) fn from_object(object: &Value) -> Reading {
    let own = object.get("lofting").unwrap_or(object);
    let shared = |path: &[&str]| {
        let whole = format!("yaml.{}", path.join("."));
        let nested = || path.iter().try_fold(object.get("yaml")?, |value, key| value.get(key));
        object.get(whole).or_else(nested).unwrap_or(&Value::Null)
    };
    read(own, shared(&["schemas"]), shared(&["schemaStore", "enable"]))
}

/// Reads the answers for [`SECTIONS`].
pub(crate) fn from_answers(answers: &[Value]) -> Reading {
    let answer = |index: usize| answers.get(index).unwrap_or(&Value::Null);
    read(answer(0), answer(1), answer(2))
}

fn read(own: &Value, yaml_schemas: &Value, schema_store: &Value) -> Reading {
    let mut reading = Reading::default();
    let defaults = Settings::default();
    let mut reader = SettingsReader { own, mistakes: &mut reading.mistakes };
    reading.require_sandbox = reader.flag("evaluation.requireSandbox", false);
    reading.fetch = FetchSettings {
        hosts: reader.hosts("fetch.allowedHosts"),
        cache: reader.folder("fetch.cache"),
        offline: false,
    };
    let lenses = &mut reading.editor.lenses;
    lenses.sets = reader.flag("codeLens.sets", lenses.sets);
    let keys = [("off", LensKeys::Off), ("root", LensKeys::Root), ("all", LensKeys::All)];
    lenses.uses = reader.choice("codeLens.uses", &keys, lenses.uses);
    let tokens = &mut reading.editor.tokens;
    tokens.keys = reader.flag("semanticTokens.keys", tokens.keys);
    let problems = [("off", ShownProblems::Off), ("errors", ShownProblems::Errors), ("all", ShownProblems::All)];
    reading.editor.problems = reader.choice("workspaceProblems", &problems, ShownProblems::Off);
    for (name, choice) in reading.editor.hints.by_name() {
        *choice = reader.flag(&format!("inlayHints.{name}"), *choice);
    }
    reading.settings = Settings {
        validate_other_yaml: reader.choice("validate.otherYaml", UNLESS_ANOTHER_SERVER, defaults.validate_other_yaml),
        indent_on_type: reader.flag("typing.indent", defaults.indent_on_type),
        other_yaml_features: reader.choice(
            "otherYaml.features",
            &[("auto", OtherYamlFeatures::Auto), ("on", OtherYamlFeatures::On), ("off", OtherYamlFeatures::Off)],
            defaults.other_yaml_features,
        ),
        maximum_files: reader.number("files.maximum", defaults.maximum_files),
        maximum_visited: reader.number("files.visited", defaults.maximum_visited),
        ignore_unknown_comments: reader.flag("ignoreUnknownComments", defaults.ignore_unknown_comments),
        schemas: reader.schemas(yaml_schemas),
        kubernetes: reader.text("kubernetes"),
        mirrors: Vec::new(),
        catalogue: reader.text("fetch.catalogue"),
        built_in: reader.choice("builtInSchemas", UNLESS_ANOTHER_SERVER, true).then(built_in::catalogue).flatten(),
        by_file_name: *schema_store != Value::Bool(false),
        levels: reader.levels("rules"),
        format: reader.format(),
        trust: Trust { all: false, folders: reader.folders("trustedFolders") },
    };
    reading
}

/// What is there unless another server gives it: editors that know of one say `off` in place of `auto`.
const UNLESS_ANOTHER_SERVER: &[(&str, bool)] = &[("auto", true), ("on", true), ("off", false)];

struct SettingsReader<'a> {
    own: &'a Value,
    mistakes: &'a mut Vec<String>,
}

impl SettingsReader<'_> {
    /// The member with a dotted name; clients send both `{"a": {"b": 1}}` and `{"a.b": 1}`.
    fn member(&self, name: &str) -> Option<&Value> {
        let nested = name.split('.').try_fold(self.own, |value, part| value.get(part));
        nested.or_else(|| self.own.get(name)).filter(|value| !value.is_null())
    }

    fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.member(name).map(|value| value.as_bool().ok_or_else(|| value.to_string())) {
            None => default,
            Some(Ok(flag)) => flag,
            Some(Err(found)) => self.wrong(name, "true or false", &found, default),
        }
    }

    fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)], default: T) -> T {
        let Some(value) = self.member(name).cloned() else { return default };
        match choices.iter().find(|(word, _)| value.as_str() == Some(word)) {
            Some((_, chosen)) => *chosen,
            None => {
                let words: Vec<String> = choices.iter().map(|(word, _)| format!("\"{word}\"")).collect();
                self.wrong(name, &format!("one of {}", words.join(", ")), &value.to_string(), default)
            }
        }
    }

    fn number(&mut self, name: &str, default: usize) -> usize {
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        match self.member(name).map(|value| number(value).ok_or_else(|| value.to_string())) {
            None => default,
            Some(Ok(number)) => number,
            Some(Err(found)) => self.wrong(name, "an integer", &found, default),
        }
    }

    /// Rules by code, each with its level.
    fn levels(&mut self, name: &str) -> Levels {
        let mut levels = Levels::default();
        let chosen = match self.member(name).cloned() {
            None => return levels,
            Some(Value::Object(chosen)) => chosen,
            Some(other) => {
                return self.wrong(name, "an object that maps codes of rules to levels", &other.to_string(), levels);
            }
        };
        for (code, level) in chosen {
            if rules::registry().get(&code).is_none() {
                let meant = rules::registry().nearest(&code).map(|rule| format!("; did you mean {rule}?"));
                let meant = meant.unwrap_or_else(|| ".".to_owned());
                self.mistakes.push(format!("The setting lofting.rules names {code}, but there is no such rule{meant}"));
                continue;
            }
            match level.as_str().and_then(Level::named) {
                Some(level) => levels.choose(rules::registry().renamed(&code).as_deref().unwrap_or(&code), level),
                None => {
                    let names: Vec<String> = Level::ALL.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                    let name = format!("{name} of {code}");
                    self.wrong(&name, &format!("one of {}", names.join(", ")), &level.to_string(), ());
                }
            }
        }
        levels
    }

    /// Allowed hosts.
    fn hosts(&mut self, name: &str) -> Vec<HostPattern> {
        let expected = "a list of hosts, such as \"example.com\" or \"*.example.com\"";
        let list = match self.member(name).cloned() {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => return self.wrong(name, expected, &other.to_string(), Vec::new()),
        };
        let mut hosts = Vec::new();
        for item in list {
            match item.as_str().and_then(HostPattern::parse) {
                Some(host) => hosts.push(host),
                None => self.wrong(name, expected, &item.to_string(), ()),
            }
        }
        hosts
    }

    /// A string; None if the setting is empty.
    fn text(&mut self, name: &str) -> Option<String> {
        let value = self.member(name).filter(|value| value.as_str() != Some("")).cloned()?;
        let text = value.as_str().map(str::to_owned);
        text.or_else(|| self.wrong(name, "a text", &value.to_string(), None))
    }

    /// The absolute path of a folder; None if the setting is empty.
    fn folder(&mut self, name: &str) -> Option<PathBuf> {
        let value = self.member(name).filter(|value| value.as_str() != Some("")).cloned()?;
        let folder = value.as_str().and_then(trust::folder);
        folder.or_else(|| self.wrong(name, "the absolute path of a folder", &value.to_string(), None))
    }

    /// How files are formatted.
    fn format(&mut self) -> FormatOptions {
        let mut options = FormatOptions::default();
        for choice in &CHOICES {
            let name = format!("format.{}", choice.setting());
            let Some(value) = self.member(&name).cloned() else { continue };
            let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
            let written = match &value {
                Value::Bool(flag) => Chosen::Flag(*flag),
                Value::String(word) => Chosen::Word(word),
                other => number(other).map_or(Chosen::Other, Chosen::Number),
            };
            if !choice.choose(&mut options, written) {
                self.wrong(&name, &choice.takes.in_words(), &value.to_string(), ());
            }
        }
        options
    }

    /// Absolute paths of folders; `~/` is the user's home.
    fn folders(&mut self, name: &str) -> Vec<PathBuf> {
        let expected = "a list of absolute paths of folders";
        let list = match self.member(name).cloned() {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => return self.wrong(name, expected, &other.to_string(), Vec::new()),
        };
        let mut folders = Vec::new();
        for item in list {
            match item.as_str().and_then(trust::folder) {
                Some(folder) => folders.push(folder),
                None => self.wrong(name, expected, &item.to_string(), ()),
            }
        }
        folders
    }

    fn wrong<T>(&mut self, name: &str, expected: &str, found: &str, default: T) -> T {
        self.mistakes
            .push(format!("The setting lofting.{name} must be {expected}, but is {found}. The default is used."));
        default
    }

    fn schemas(&mut self, yaml: &Value) -> Vec<SchemaSetting> {
        let mut found = Vec::new();
        match self.member("schemas").cloned() {
            None => {}
            Some(Value::Object(own)) => self.schema_table(&own, SettingName::Lofting, &mut found),
            Some(other) => {
                self.wrong("schemas", "an object that maps schema files to file patterns", &other.to_string(), ())
            }
        }
        if let Value::Object(shared) = yaml {
            self.schema_table(shared, SettingName::Yaml, &mut found);
        }
        found
    }

    fn schema_table(&mut self, table: &Map<String, Value>, setting: SettingName, found: &mut Vec<SchemaSetting>) {
        // The other server's word for the kinds that documents say they are, which need no setting here.
        let is_kinds = |schema: &String| setting == SettingName::Yaml && schema.eq_ignore_ascii_case("kubernetes");
        for (schema, patterns) in table.iter().filter(|(schema, _)| !is_kinds(schema)) {
            let files = match patterns {
                Value::String(pattern) => vec![pattern.clone()],
                Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                other => {
                    // `yaml.schemas` belongs to another server, so its mistakes are not reported here.
                    if setting == SettingName::Lofting {
                        self.wrong(
                            &format!("schemas of \"{schema}\""),
                            "a file pattern or a list of them",
                            &other.to_string(),
                            (),
                        );
                    }
                    continue;
                }
            };
            found.push(SchemaSetting { schema: schema.clone(), files, setting });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_forms_of_dotted_names_are_read() {
        for own in [json!({"validate": {"otherYaml": "off"}}), json!({"validate.otherYaml": "off"})] {
            assert!(!from_object(&json!({ "lofting": own })).settings.validate_other_yaml);
            assert!(!from_object(&own).settings.validate_other_yaml, "initializationOptions may leave the section out");
            assert!(!from_answers(&[own]).settings.validate_other_yaml);
        }
    }

    #[test]
    fn a_sandbox_is_required_only_where_that_was_asked_for() {
        assert!(!from_object(&json!({})).require_sandbox);
        assert!(from_object(&json!({"lofting": {"evaluation": {"requireSandbox": true}}})).require_sandbox);
        assert!(from_answers(&[json!({"evaluation.requireSandbox": true})]).require_sandbox);
    }

    #[test]
    fn schemas_of_both_settings() {
        let reading = from_object(&json!({
            "lofting": {"schemas": {"schema.yml": ["a/*.yml", "b.yml"]}},
            "yaml": {"schemas": {"file:///s.yaml": "*-values.yaml", "https://x/y.json": 3, "kubernetes": "k8s/*"}},
        }));
        assert_eq!(reading.mistakes, Vec::<String>::new());
        let schemas: Vec<_> =
            reading.settings.schemas.iter().map(|s| (s.schema.as_str(), s.files.len(), s.setting.as_str())).collect();
        assert_eq!(schemas, [("schema.yml", 2, "lofting.schemas"), ("file:///s.yaml", 1, "yaml.schemas")]);
    }

    #[test]
    fn schemas_by_file_names_can_be_turned_off_in_the_words_of_the_other_server() {
        for (object, by_file_name) in [
            (json!({}), true),
            (json!({"yaml": {"schemaStore": {"enable": false}}}), false),
            (json!({"yaml.schemaStore.enable": false}), false),
            (json!({"yaml": {"schemaStore": {"enable": true}}}), true),
            (json!({"yaml": {"schemaStore": 7}}), true),
        ] {
            assert_eq!(from_object(&object).settings.by_file_name, by_file_name, "{object}");
        }
        assert!(!from_answers(&[Value::Null, Value::Null, json!(false)]).settings.by_file_name);
    }

    #[test]
    fn nonsense_is_reported_and_the_default_used() {
        let reading = from_answers(&[
            json!({"files": {"maximum": "many"}, "validate": {"otherYaml": 1}, "schemas": []}),
            Value::Null,
        ]);
        assert_eq!(Settings { built_in: None, ..reading.settings }, Settings::default());
        assert_eq!(reading.mistakes.len(), 3);
        assert!(
            reading.mistakes[1].contains("lofting.files.maximum must be an integer, but is \"many\""),
            "{:?}",
            reading.mistakes
        );
    }

    #[test]
    fn layout_of_files() {
        let reading = from_object(&json!({"lofting": {"format": {"blankLines": 1, "quotes": "double", "indent": 0}}}));
        assert_eq!((reading.settings.format.blank_lines, reading.settings.format.indent), (Some(1), None));
        assert_eq!(reading.settings.format.quotes, Some(lofting_format::Quotes::Double));
        let wrong = "The setting lofting.format.indent must be an integer from 1 to 8, but is 0. The default is used.";
        assert_eq!(reading.mistakes, [wrong]);
    }

    /// The settings of a user who chose nothing: the schemas that are part of the program are used.
    fn unchosen() -> Settings {
        Settings { built_in: from_object(&json!({})).settings.built_in, ..Settings::default() }
    }

    #[test]
    fn trusted_folders_are_absolute() {
        let reading = from_answers(&[json!({"trustedFolders": ["/work/a", "b", 3, "/work/c"]})]);
        assert_eq!(reading.settings.trust.folders, [PathBuf::from("/work/a"), PathBuf::from("/work/c")]);
        assert_eq!(reading.mistakes.len(), 2, "{:?}", reading.mistakes);
        let reading = from_answers(&[json!({"trustedFolders": "/work"})]);
        assert_eq!((reading.settings.trust, reading.mistakes.len()), (Trust::default(), 1));
        // Trust in everything is not a setting.
        assert_eq!(from_object(&json!({"trusted": true, "trust": {"all": true}})).settings, unchosen());
    }

    #[test]
    fn what_a_repository_may_have_set_decides_nothing() {
        let all = json!({
            "trustedFolders": ["/work/a"], "kubernetes": "k8s",
            "fetch": {"allowedHosts": ["*"], "cache": "/tmp/x", "catalogue": "https://x/y.json"},
            "evaluation": {"requireSandbox": false},
        });
        let own = from_object(&json!({"evaluation": {"requireSandbox": true}})).decisions();
        let reading = from_answers(std::slice::from_ref(&all)).decided(&own);
        assert_eq!(reading.decisions(), own);
        assert_eq!(reading.mistakes.len(), 4, "{:?}", reading.mistakes);
        // The rest is read, and what says the same as the user is not a mistake.
        assert_eq!(reading.settings.kubernetes.as_deref(), Some("k8s"));
        let own = from_object(&all).decisions();
        let reading = from_answers(&[all]).decided(&own);
        assert_eq!((reading.decisions(), reading.mistakes), (own, Vec::new()));
        assert!(
            from_answers(&[json!({"evaluation": {"requireSandbox": true}})])
                .decided(&Decisions::default())
                .require_sandbox
        );
    }

    #[test]
    fn hints_are_chosen_by_their_kind() {
        let mut reading =
            from_object(&json!({"lofting": {"inlayHints": {"types": false, "defaults": true, "aliases": 1}}}));
        let shown: Vec<_> = reading.editor.hints.by_name().map(|(name, shown)| (name, *shown)).collect();
        let want =
            [("finalValues", true), ("defaults", true), ("types", false), ("aliases", true), ("parameters", true)];
        assert_eq!(shown, want);
        assert_eq!(reading.mistakes.len(), 1, "{:?}", reading.mistakes);
    }

    #[test]
    fn choices() {
        let features = |value: Value| from_object(&json!({"otherYaml": {"features": value}}));
        assert_eq!(features(json!("on")).settings.other_yaml_features, OtherYamlFeatures::On);
        assert_eq!(features(json!("off")).settings.other_yaml_features, OtherYamlFeatures::Off);
        let wrong = features(json!(true));
        assert_eq!(wrong.settings, unchosen());
        assert!(wrong.mistakes[0].contains("must be one of \"auto\", \"on\", \"off\", but is true"), "{wrong:?}");
    }

    #[test]
    fn levels_of_rules() {
        let rules = json!({"ytt/max": "off", "ytt/min": "loud", "ytt/mxa": "off"});
        let reading = from_object(&json!({"lofting": {"rules": rules}}));
        assert_eq!(reading.settings.levels.of("ytt/max"), Some(Level::Off));
        assert_eq!(reading.mistakes.len(), 2, "{:?}", reading.mistakes);
        assert!(reading.mistakes.iter().any(|mistake| mistake.contains("ytt/mxa, but there is no such rule")));
        let wrong = from_object(&json!({"lofting": {"rules": ["ytt/max"]}}));
        assert!(wrong.settings.levels.is_empty() && wrong.mistakes.len() == 1, "{wrong:?}");
    }

    #[test]
    fn null_and_missing_mean_default() {
        for value in [Value::Null, json!({}), json!({"lofting": null, "yaml": null}), json!(7)] {
            assert_eq!(from_object(&value), Reading { settings: unchosen(), ..Reading::default() });
        }
        assert_eq!(from_answers(&[]).settings, unchosen());
    }
}

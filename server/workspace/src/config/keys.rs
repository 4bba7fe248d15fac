//! The keys of the tables.

use super::ListKey;
use lofting_format::CHOICES;
use std::sync::LazyLock;

/// A key of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigKey {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The flag of `ytt` that it corresponds to, in a set.
    pub flag: Option<&'static str>,
    /// What it is for, in a sentence or two.
    pub doc: &'static str,
    /// A value for it, in TOML.
    pub example: &'static str,
}

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// An array of strings.
    List(ListKey, Strings),
    /// Patterns of files.
    Patterns,
    /// A path, relative to the directory of `lofting.toml`.
    Path,
    /// A URL.
    Url,
    /// A path or URL with schemas of many kinds of documents.
    Bundle,
    /// `true` or `false`.
    Switch(Switch),
    /// A version of Kubernetes.
    Version,
    /// `true` or `false`, whether the built-in catalogue is used.
    BuiltIn,
    /// A revision of git.
    Revision,
    /// A formatting option.
    Layout(&'static lofting_format::Choice),
}

/// The meaning of the strings of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    /// Paths, relative to the directory of `lofting.toml`.
    Paths,
    /// `key=value`: the keys of a data value, with dots between them.
    Keys,
    /// `key=path`
    KeyAndPath,
    /// Something else.
    Other,
}

/// A switch of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// `ignore-unknown-comments`
    IgnoreUnknownComments,
    /// `implicit-map-key-overrides`
    ImplicitMapKeyOverrides,
    /// `strict`
    Strict,
    /// `dangerous-data-values-disable-validation`
    DisableValidation,
}

/// All keys of a set, in the order in which they are offered.
pub const SET_KEYS: [ConfigKey; 12] = [
    ConfigKey {
        name: "files",
        takes: Takes::List(ListKey::Files, Strings::Paths),
        flag: Some("-f"),
        doc: "Files and directories that ytt gets: schema, data values, templates and libraries, in this order.",
        example: "[\"config/\"]",
    },
    ConfigKey {
        name: "values",
        takes: Takes::List(ListKey::Values, Strings::Paths),
        flag: Some("--data-values-file"),
        doc: "Plain YAML files with data values. A pattern (`values/*.yml`) stands for one call of ytt for each file \
              that it matches; files without stars are given to every call.",
        example: "[\"values/*.yml\"]",
    },
    ConfigKey {
        name: "data-values",
        takes: Takes::List(ListKey::DataValues, Strings::Keys),
        flag: Some("--data-value"),
        doc: "Single data values, each `key=text`. The text is a string whatever it looks like.",
        example: "[\"app.name=web\"]",
    },
    ConfigKey {
        name: "data-values-yaml",
        takes: Takes::List(ListKey::DataValuesYaml, Strings::Keys),
        flag: Some("--data-value-yaml"),
        doc: "Single data values, each `key=YAML`.",
        example: "[\"app.replicas=3\"]",
    },
    ConfigKey {
        name: "data-value-files",
        takes: Takes::List(ListKey::DataValueFiles, Strings::KeyAndPath),
        flag: Some("--data-value-file"),
        doc: "Single data values, each `key=path`: the text of the file is the value.",
        example: "[\"tls.certificate=certificate.pem\"]",
    },
    ConfigKey {
        name: "data-values-env",
        takes: Takes::List(ListKey::DataValuesEnv, Strings::Other),
        flag: Some("--data-values-env"),
        doc: "Prefixes of environment variables: with `APP`, the variable `APP_host` is the data value `host`, a string.",
        example: "[\"APP\"]",
    },
    ConfigKey {
        name: "data-values-env-yaml",
        takes: Takes::List(ListKey::DataValuesEnvYaml, Strings::Other),
        flag: Some("--data-values-env-yaml"),
        doc: "Prefixes of environment variables whose texts are read as YAML.",
        example: "[\"APP\"]",
    },
    ConfigKey {
        name: "file-marks",
        takes: Takes::List(ListKey::FileMarks, Strings::Other),
        flag: Some("--file-mark"),
        doc: "What ytt takes files for, each `path:mark=value`, such as `static/**/*:type=data`.",
        example: "[\"static/**/*:type=data\"]",
    },
    ConfigKey {
        name: "ignore-unknown-comments",
        takes: Takes::Switch(Switch::IgnoreUnknownComments),
        flag: Some("--ignore-unknown-comments"),
        doc: "Accept ordinary `#` comments in templates.",
        example: "true",
    },
    ConfigKey {
        name: "implicit-map-key-overrides",
        takes: Takes::Switch(Switch::ImplicitMapKeyOverrides),
        flag: Some("--implicit-map-key-overrides"),
        doc: "Accept keys that are repeated in a map; the last one counts.",
        example: "true",
    },
    ConfigKey {
        name: "strict",
        takes: Takes::Switch(Switch::Strict),
        flag: Some("--strict"),
        doc: "Read YAML strictly: strings have to be quoted.",
        example: "true",
    },
    ConfigKey {
        name: "dangerous-data-values-disable-validation",
        takes: Takes::Switch(Switch::DisableValidation),
        flag: Some("--dangerous-data-values-disable-validation"),
        doc: "Leave out the validations of the schema (`@schema/validation`).",
        example: "true",
    },
];

/// All keys of an entry of `[[schemas]]`.
pub const SCHEMA_KEYS: [ConfigKey; 4] = [
    ConfigKey {
        name: "path",
        takes: Takes::Path,
        flag: None,
        doc: "The file of the schema: a JSON Schema, in JSON or YAML, or a file with a `#@data/values-schema` document.",
        example: "\"schemas/app.json\"",
    },
    ConfigKey {
        name: "url",
        takes: Takes::Url,
        flag: None,
        doc: "The URL of a JSON Schema, in place of `path`. It is read from the folder that `[schemas.mirror]` names for it.",
        example: "\"https://example.com/schemas/app.json\"",
    },
    ConfigKey {
        name: "files",
        takes: Takes::Patterns,
        flag: None,
        doc: "Patterns of the files that the schema governs. They match at any depth below the directory of \
              `lofting.toml`; with a slash at their begin from there.",
        example: "[\"apps/*.yml\"]",
    },
    ConfigKey {
        name: "kubernetes",
        takes: Takes::Bundle,
        flag: None,
        doc: "Schemas of Kubernetes' kinds, in place of `path`: a folder with a file for each (`deployment-apps-v1.json`, \
              `argoproj.io/application_v1alpha1.json`), a document with all definitions (`swagger.json`), or the URL of \
              one of these. Documents have the schema of their `apiVersion` and `kind`; `files` is not needed. Custom \
              resource definitions in the workspace come first.",
        example: "\"schemas/kubernetes\"",
    },
];

/// All keys of `[kubernetes]`.
pub const KUBERNETES_KEYS: [ConfigKey; 1] = [ConfigKey {
    name: "version",
    takes: Takes::Version,
    flag: None,
    doc: "The version of the cluster, such as \"1.34\". It selects the built-in schemas of Kubernetes' kinds, and says which \
          versions of an API are deprecated or gone. Without it the newest version counts that is built in.",
    example: "\"1.34\"",
}];

/// All keys of `[catalogue]`.
pub const CATALOGUE_KEYS: [ConfigKey; 1] = [ConfigKey {
    name: "built-in",
    takes: Takes::BuiltIn,
    flag: None,
    doc: "Whether the built-in schemas govern files and documents: by the names of files, by their \
          `apiVersion` and `kind`, and for URLs that are not fetched.",
    example: "false",
}];

/// All keys of `[deprecation]`.
pub const DEPRECATION_KEYS: [ConfigKey; 1] = [ConfigKey {
    name: "release",
    takes: Takes::Revision,
    flag: None,
    doc: "A release, as a tag or another revision of git. A key that its schema has as deprecated may be removed: `lofting diff`, \
          `lofting impact` and editors do not count that as a change that breaks values.",
    example: "\"v1.2\"",
}];

/// All keys of `[format]`.
pub fn format_keys() -> &'static [ConfigKey] {
    static KEYS: LazyLock<Vec<ConfigKey>> = LazyLock::new(|| {
        let keys = CHOICES.iter().map(|choice| ConfigKey {
            name: choice.name,
            takes: Takes::Layout(choice),
            flag: None,
            doc: choice.doc,
            example: choice.example,
        });
        keys.collect()
    });
    &KEYS
}

/// The key of this name.
pub fn key_named(keys: &'static [ConfigKey], name: &str) -> Option<&'static ConfigKey> {
    keys.iter().find(|key| key.name == name)
}

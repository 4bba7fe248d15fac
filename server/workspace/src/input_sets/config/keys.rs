//! The keys a set can have.

use super::ListKey;

/// A key of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetKey {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// The flag of `ytt` that it stands for.
    pub flag: &'static str,
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
    /// `true` or `false`.
    Switch(Switch),
}

/// What the strings of a key are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    /// Paths, relative to the directory of `lofting.toml`.
    Paths,
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

/// All keys, in the order in which they are offered.
pub const KEYS: [SetKey; 12] = [
    SetKey {
        name: "files",
        takes: Takes::List(ListKey::Files, Strings::Paths),
        flag: "-f",
        doc: "Files and directories that ytt gets: schema, data values, templates and libraries, in this order.",
        example: "[\"config/\"]",
    },
    SetKey {
        name: "values",
        takes: Takes::List(ListKey::Values, Strings::Paths),
        flag: "--data-values-file",
        doc: "Plain YAML files with data values. A pattern (`values/*.yml`) stands for one call of ytt for each file \
              that it matches; files without stars are given to every call.",
        example: "[\"values/*.yml\"]",
    },
    SetKey {
        name: "data-values",
        takes: Takes::List(ListKey::DataValues, Strings::Other),
        flag: "--data-value",
        doc: "Single data values, each `key=text`. The text is a string whatever it looks like.",
        example: "[\"app.name=web\"]",
    },
    SetKey {
        name: "data-values-yaml",
        takes: Takes::List(ListKey::DataValuesYaml, Strings::Other),
        flag: "--data-value-yaml",
        doc: "Single data values, each `key=YAML`.",
        example: "[\"app.replicas=3\"]",
    },
    SetKey {
        name: "data-value-files",
        takes: Takes::List(ListKey::DataValueFiles, Strings::KeyAndPath),
        flag: "--data-value-file",
        doc: "Single data values, each `key=path`: the text of the file is the value.",
        example: "[\"tls.certificate=certificate.pem\"]",
    },
    SetKey {
        name: "data-values-env",
        takes: Takes::List(ListKey::DataValuesEnv, Strings::Other),
        flag: "--data-values-env",
        doc: "Prefixes of environment variables: with `APP`, the variable `APP_host` is the data value `host`, a string.",
        example: "[\"APP\"]",
    },
    SetKey {
        name: "data-values-env-yaml",
        takes: Takes::List(ListKey::DataValuesEnvYaml, Strings::Other),
        flag: "--data-values-env-yaml",
        doc: "Prefixes of environment variables whose texts are read as YAML.",
        example: "[\"APP\"]",
    },
    SetKey {
        name: "file-marks",
        takes: Takes::List(ListKey::FileMarks, Strings::Other),
        flag: "--file-mark",
        doc: "What ytt takes files for, each `path:mark=value`, such as `static/**/*:type=data`.",
        example: "[\"static/**/*:type=data\"]",
    },
    SetKey {
        name: "ignore-unknown-comments",
        takes: Takes::Switch(Switch::IgnoreUnknownComments),
        flag: "--ignore-unknown-comments",
        doc: "Accept ordinary `#` comments in templates.",
        example: "true",
    },
    SetKey {
        name: "implicit-map-key-overrides",
        takes: Takes::Switch(Switch::ImplicitMapKeyOverrides),
        flag: "--implicit-map-key-overrides",
        doc: "Accept keys that are repeated in a map; the last one counts.",
        example: "true",
    },
    SetKey {
        name: "strict",
        takes: Takes::Switch(Switch::Strict),
        flag: "--strict",
        doc: "Read YAML strictly: strings have to be quoted.",
        example: "true",
    },
    SetKey {
        name: "dangerous-data-values-disable-validation",
        takes: Takes::Switch(Switch::DisableValidation),
        flag: "--dangerous-data-values-disable-validation",
        doc: "Leave out the validations of the schema (`@schema/validation`).",
        example: "true",
    },
];

/// The key of this name.
pub fn set_key(name: &str) -> Option<&'static SetKey> {
    KEYS.iter().find(|key| key.name == name)
}

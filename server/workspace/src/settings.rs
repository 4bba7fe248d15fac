//! Settings of the user that concern files and schemas.

use crate::disk::Trust;
use crate::disk::built_in::BuiltIn;
use crate::disk::mirror::Mirror;
use crate::disk::uri::decoded;
use lofting_diagnostic::Levels;
use lofting_format::Options as FormatOptions;
use std::path::PathBuf;

/// What the user chose. All fields have a default that needs no configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `lofting.schemas` and `yaml.schemas`: which schema governs which files.
    pub schemas: Vec<SchemaSetting>,
    /// `lofting.kubernetes`: a bundle of schemas for Kubernetes' kinds, after those that a `lofting.toml` names.
    pub kubernetes: Option<String>,
    /// `--schema-dir`: folders that stand for URLs of schemas.
    pub mirrors: Vec<Mirror>,
    /// `lofting.fetch.catalogue`: the URL of a catalogue that gives files a schema by their names.
    pub catalogue: Option<String>,
    /// `lofting.builtInSchemas`: the built-in schemas, if they are used.
    pub built_in: Option<BuiltIn>,
    /// `yaml.schemaStore.enable`: whether the built-in catalogue gives files schemas by their names. Kinds of resources and
    /// URLs that files name have them without it.
    pub by_file_name: bool,
    /// `lofting.validate.otherYaml`: check also YAML files without a schema, for what needs none. Editors that know of
    /// another server for them switch it off: two servers that report the same mistake in different words do not help.
    pub validate_other_yaml: bool,
    /// `lofting.typing.indent`: a line that Enter has made is indented, in editors that ask for it.
    pub indent_on_type: bool,
    /// `lofting.otherYaml.features`: whether those files get an outline, folding and selection ranges from us.
    pub other_yaml_features: OtherYamlFeatures,
    /// `lofting.files.maximum`: YAML files read by a scan; the rest is only known when opened.
    pub maximum_files: usize,
    /// `lofting.files.visited`: directory entries a scan looks at before it gives up.
    pub maximum_visited: usize,
    /// `lofting.ignoreUnknownComments`: ordinary comments in templates are accepted, for
    /// repositories that always run ytt with `--ignore-unknown-comments`.
    pub ignore_unknown_comments: bool,
    /// `lofting.rules`: how bad findings are, where no `lofting.toml` says it.
    pub levels: Levels,
    /// How files are laid out, where neither `lofting.toml` nor `.editorconfig` says it:
    /// `lofting.format.indent`,
    /// `lofting.format.sequences`,
    /// `lofting.format.quotes`,
    /// `lofting.format.blankLines`,
    /// `lofting.format.finalNewline`,
    /// `lofting.format.trimTrailingSpaces`,
    /// `lofting.format.lineEnding`.
    pub format: FormatOptions,
    /// `lofting.trustedFolders`, `--trust`, `LOFTING_TRUST` and the trust of an editor: folders whose text may name any
    /// file and read the environment.
    pub trust: Trust,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            schemas: Vec::new(),
            kubernetes: None,
            mirrors: Vec::new(),
            catalogue: None,
            built_in: None,
            by_file_name: true,
            validate_other_yaml: true,
            indent_on_type: true,
            other_yaml_features: OtherYamlFeatures::Auto,
            maximum_files: 20_000,
            maximum_visited: 200_000,
            ignore_unknown_comments: false,
            levels: Levels::default(),
            format: FormatOptions::default(),
            trust: Trust::default(),
        }
    }
}

/// Whether YAML that is not ytt's gets what only needs its syntax.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OtherYamlFeatures {
    /// If no other server gives it. Clients that can know replace it by one of the others; else it is like `Off`.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// One schema of the settings with the files it governs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaSetting {
    /// The schema file as the user wrote it: a path, relative to the workspace root if not absolute,
    /// or a `file:` address.
    pub schema: String,
    /// Patterns of the files it governs; relative patterns match at any depth of the workspace.
    pub files: Vec<String>,
    /// Name of the setting, for the reason shown to the user.
    pub setting: SettingName,
}

/// Where a [`SchemaSetting`] was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettingName {
    /// `lofting.schemas`
    Lofting,
    /// `yaml.schemas`, shared with yaml-language-server; entries that name no ytt schema are its own.
    Yaml,
}

impl SettingName {
    /// The name as the user writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            SettingName::Lofting => "lofting.schemas",
            SettingName::Yaml => "yaml.schemas",
        }
    }
}

impl SchemaSetting {
    /// The path of the schema file, if it is one of the file system.
    pub fn path(&self) -> Option<PathBuf> {
        local_path(&self.schema)
    }
}

/// A path from a path or `file:` address; `None` for addresses of the web.
pub(crate) fn local_path(text: &str) -> Option<PathBuf> {
    if let Some(rest) = text.strip_prefix("file://") {
        return Some(path_of_uri(rest));
    }
    if let Some(rest) = text.strip_prefix("file:") {
        return Some(path_of_uri(rest));
    }
    (!text.contains("://") && !text.is_empty()).then(|| PathBuf::from(text))
}

fn path_of_uri(text: &str) -> PathBuf {
    PathBuf::from(decoded(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_paths() {
        for (text, want) in [
            ("schema.yml", Some("schema.yml")),
            ("file:///w/my%20schema.yml", Some("/w/my schema.yml")),
            ("file:///w/100%", Some("/w/100%")),
            ("https://json.schemastore.org/x.json", None),
            ("", None),
        ] {
            assert_eq!(local_path(text), want.map(PathBuf::from), "{text}");
        }
    }
}

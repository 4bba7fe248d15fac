//! Rule 3: patterns of the `lofting.schemas` and `yaml.schemas` settings.

use crate::disk::glob::Glob;
use crate::settings::{SchemaSetting, Settings};
use std::path::Path;

/// The settings with their patterns compiled.
#[derive(Default)]
pub(crate) struct SettingGlobs {
    entries: Vec<(SchemaSetting, Vec<Glob>)>,
}

impl SettingGlobs {
    pub fn new(settings: &Settings) -> SettingGlobs {
        let entries = settings.schemas.iter().map(|setting| {
            // An invalid pattern matches nothing.
            let globs = setting.files.iter().filter_map(|pattern| Glob::new(pattern));
            (setting.clone(), globs.collect())
        });
        SettingGlobs { entries: entries.collect() }
    }

    /// Whether no setting names a schema.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The settings that apply to `path`, each with the matching pattern.
    pub fn matching<'a>(
        &'a self,
        root: &'a Path,
        path: &'a Path,
    ) -> impl Iterator<Item = (&'a SchemaSetting, &'a str)> {
        self.entries.iter().filter_map(move |(setting, globs)| {
            let glob = globs.iter().find(|glob| glob.matches(root, path))?;
            Some((setting, glob.pattern()))
        })
    }
}

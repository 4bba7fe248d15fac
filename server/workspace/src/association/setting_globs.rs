//! Rule 3: patterns of the `lofting.schemas` and `yaml.schemas` settings.

use crate::disk::glob::Glob;
use crate::disk::glob_lists::GlobLists;
use crate::settings::{SchemaSetting, Settings};
use std::path::Path;

/// The settings with their patterns compiled.
#[derive(Default)]
pub(crate) struct SettingGlobs {
    settings: Vec<SchemaSetting>,
    globs: GlobLists,
}

impl SettingGlobs {
    pub fn new(settings: &Settings) -> SettingGlobs {
        // An invalid pattern matches nothing.
        let globs = |setting: &SchemaSetting| setting.files.iter().filter_map(|pattern| Glob::new(pattern)).collect();
        let globs: Vec<Vec<Glob>> = settings.schemas.iter().map(globs).collect();
        let globs = GlobLists::new(globs.iter().map(|globs| globs.iter().collect()));
        SettingGlobs { settings: settings.schemas.clone(), globs }
    }

    /// Whether no setting names a schema.
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// The settings that apply to `path`, each with the matching pattern.
    pub fn matching(&self, root: &Path, path: &Path) -> impl Iterator<Item = (&SchemaSetting, &str)> {
        let matching = self.globs.matching(root, path).into_iter();
        matching.filter_map(|(setting, glob)| Some((self.settings.get(setting)?, glob.pattern())))
    }
}

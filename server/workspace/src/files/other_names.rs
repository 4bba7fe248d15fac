//! Files to which a `lofting.toml` gives a schema although their names do not say that they are YAML: `*.json`,
//! `settings.conf`, `Procfile`.

use crate::config::{self, Config};
use crate::disk::glob::{Glob, is_for_other_names, says_name_of};
use crate::files::scan::{FoundFile, is_ours};
use std::path::{Path, PathBuf};

/// The patterns with which configurations name such files.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherNames {
    /// The directory of each configuration, and its patterns.
    patterns: Vec<(PathBuf, Vec<Glob>)>,
}

impl OtherNames {
    /// Adds the patterns of a configuration.
    pub fn add(&mut self, configuration: &Path, content: &Config) {
        let globs = content.schemas.iter().flat_map(|entry| &entry.files).map(|(glob, _)| glob);
        let globs: Vec<Glob> = globs.filter(|glob| is_for_other_names(glob.pattern())).cloned().collect();
        if let Some(directory) = configuration.parent().filter(|_| !globs.is_empty()) {
            self.patterns.push((directory.to_owned(), globs));
        }
    }

    /// Adds what was found, if it is a configuration.
    pub fn add_found(&mut self, found: &FoundFile) {
        if config::is_configuration(&found.path)
            && let Ok(text) = found.reach.text(&found.path)
        {
            self.add(&found.path, &config::read(&text));
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether a file is one of them. A pattern that does not say how names end is one for YAML files.
    pub fn have(&self, path: &Path) -> bool {
        let names = |directory: &Path, glob: &Glob| says_name_of(glob.pattern(), path) && glob.matches(directory, path);
        let of = |(directory, globs): &(PathBuf, Vec<Glob>)| {
            path.starts_with(directory) && globs.iter().any(|glob| names(directory, glob))
        };
        !is_ours(path) && self.patterns.iter().any(of)
    }
}

//! Rule 3: patterns of the `lofting.schemas` and `yaml.schemas` settings.

use crate::settings::{SchemaSetting, Settings};
use globset::{GlobBuilder, GlobMatcher};
use std::path::Path;

/// The settings with their patterns compiled.
#[derive(Default)]
pub(crate) struct SettingGlobs {
    entries: Vec<(SchemaSetting, Vec<(String, GlobMatcher)>)>,
}

impl SettingGlobs {
    pub fn new(settings: &Settings) -> SettingGlobs {
        let entries = settings.schemas.iter().map(|setting| {
            let matchers = setting.files.iter().filter_map(|pattern| Some((pattern.clone(), matcher(pattern)?)));
            (setting.clone(), matchers.collect())
        });
        SettingGlobs { entries: entries.collect() }
    }

    /// The settings that govern `path`, with the pattern that matches.
    pub fn matching<'a>(
        &'a self,
        root: &'a Path,
        path: &'a Path,
    ) -> impl Iterator<Item = (&'a SchemaSetting, &'a str)> {
        let below = path.strip_prefix(root).unwrap_or(path);
        self.entries.iter().filter_map(move |(setting, matchers)| {
            let (pattern, _) =
                matchers.iter().find(|(_, matcher)| matcher.is_match(below) || matcher.is_match(path))?;
            Some((setting, pattern.as_str()))
        })
    }
}

/// As in other servers a relative pattern matches at any depth. A pattern that is no glob matches
/// nothing.
fn matcher(pattern: &str) -> Option<GlobMatcher> {
    let pattern = pattern.trim_start_matches("./");
    let anchored = match pattern.strip_prefix('/') {
        Some(_) => pattern.to_owned(),
        None if pattern.starts_with("**") => pattern.to_owned(),
        None => format!("**/{pattern}"),
    };
    let glob = GlobBuilder::new(&anchored).literal_separator(true).build().ok()?;
    Some(glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SettingName;

    #[test]
    fn patterns() {
        let root = Path::new("/w");
        for (pattern, path, want) in [
            ("values.yml", "/w/values.yml", true),
            ("values.yml", "/w/a/values.yml", true),
            ("envs/*.yml", "/w/a/envs/x.yml", true),
            ("envs/*.yml", "/w/a/envs/b/x.yml", false),
            ("envs/**/*.{yml,yaml}", "/w/envs/b/x.yaml", true),
            ("/w/x/*.yml", "/w/x/a.yml", true),
            ("./x.yml", "/w/x.yml", true),
            ("*", "/w/deep/any.yml", true),
            ("[", "/w/[", false),
        ] {
            let settings = Settings {
                schemas: vec![SchemaSetting {
                    schema: "s.yml".to_owned(),
                    files: vec![pattern.to_owned()],
                    setting: SettingName::Lofting,
                }],
                ..Settings::default()
            };
            let globs = SettingGlobs::new(&settings);
            assert_eq!(globs.matching(root, Path::new(path)).count() == 1, want, "{pattern} {path}");
        }
    }
}

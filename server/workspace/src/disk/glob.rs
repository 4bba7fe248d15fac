//! File patterns in settings and in `lofting.toml`.

use globset::{GlobBuilder, GlobMatcher};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A pattern. As in other servers, a relative one matches at any depth.
#[derive(Clone)]
pub struct Glob {
    written: Arc<str>,
    matcher: Arc<GlobMatcher>,
}

impl Glob {
    /// Compiles a pattern; None if it is invalid.
    pub fn new(written: &str) -> Option<Glob> {
        let pattern = written.trim_start_matches("./");
        let start = if pattern.starts_with('/') || pattern.starts_with("**") { "" } else { "**/" };
        // A folder stands for what is in it.
        let end = if pattern.ends_with('/') { "**" } else { "" };
        let anchored = format!("{start}{pattern}{end}");
        Some(Glob { written: written.into(), matcher: Arc::new(pattern_of(&anchored)?.compile_matcher()) })
    }

    /// The pattern as written.
    pub fn pattern(&self) -> &str {
        &self.written
    }

    /// Whether it matches a path, either absolute or relative to `root`.
    pub(crate) fn matches(&self, root: &Path, path: &Path) -> bool {
        let below = path.strip_prefix(root).unwrap_or(path);
        self.matcher.is_match(below) || self.matcher.is_match(path) || self.matcher.is_match(Path::new("/").join(below))
    }
}

/// Whether a pattern says how the names of its files end, and not that they are YAML: `*.json`, `settings.conf`, `Procfile`.
pub(crate) fn is_for_other_names(pattern: &str) -> bool {
    endings(pattern).any(|ending| !matches!(ending, "yml" | "yaml"))
}

/// Whether a pattern says how the name of this file ends. `config/*` does not, and neither does `**`.
pub(crate) fn says_name_of(pattern: &str, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = name.rsplit_once('.').map_or(name, |(_, ending)| ending);
    endings(pattern).any(|known| known == ending)
}

/// How the names end that a pattern matches, as far as it says so; a name without a dot as a whole.
fn endings(pattern: &str) -> impl Iterator<Item = &str> {
    let name = pattern.rsplit('/').next().unwrap_or_default();
    let fixed = name.rfind(['*', '?', ']']).map_or(Some(name), |last| name.get(last + 1..)).unwrap_or_default();
    let ending = fixed.rsplit_once('.').map_or(fixed, |(_, ending)| ending);
    ending.split([',', '{', '}']).filter(|ending| !ending.is_empty())
}

/// A pattern, compiled as all patterns are: `*` and `?` stop at a slash, and an alternative of `{,.*}` may be empty.
pub(crate) fn pattern_of(text: &str) -> Option<globset::Glob> {
    GlobBuilder::new(text).literal_separator(true).empty_alternates(true).build().ok()
}

/// A pattern in a catalogue, which matches at any depth.
pub(crate) fn pattern_of_catalogue(written: &str) -> Option<globset::Glob> {
    let anchored = match written.trim_start_matches('/') {
        pattern if pattern.starts_with("**") => pattern.to_owned(),
        pattern => format!("**/{pattern}"),
    };
    pattern_of(&anchored)
}

/// Patterns of a catalogue that does not change. Compiling one takes longer than reading a small file, so each is
/// compiled when the first path is compared with it, and kept.
#[derive(Default)]
pub(crate) struct KeptPatterns(Mutex<FxHashMap<Box<str>, Option<Arc<GlobMatcher>>>>);

impl KeptPatterns {
    /// Whether a pattern matches a path; an invalid one matches none.
    pub fn matches(&self, pattern: &str, path: &Path) -> bool {
        let known = self.0.lock().get(pattern).cloned();
        let matcher = known.unwrap_or_else(|| {
            let matcher = pattern_of_catalogue(pattern).map(|glob| Arc::new(glob.compile_matcher()));
            self.0.lock().insert(pattern.into(), matcher.clone());
            matcher
        });
        matcher.is_some_and(|matcher| matcher.is_match(path))
    }
}

impl fmt::Debug for KeptPatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.lock().keys()).finish()
    }
}

/// Whether a text contains a special character of patterns.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

impl PartialEq for Glob {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_patterns_match_at_any_depth() {
        for (pattern, path, want) in [
            ("values.yml", "/w/values.yml", true),
            ("values.yml", "/w/a/values.yml", true),
            ("envs/*.yml", "/w/a/envs/x.yml", true),
            ("envs/*.yml", "/w/a/envs/b/x.yml", false),
            ("envs/**/*.{yml,yaml}", "/w/envs/b/x.yaml", true),
            ("a{,.*}.yml", "/w/a.yml", true),
            ("/w/x/*.yml", "/w/x/a.yml", true),
            ("/x/*.yml", "/w/x/a.yml", true),
            ("/x/*.yml", "/w/y/x/a.yml", false),
            ("./x.yml", "/w/x.yml", true),
            ("*", "/w/deep/any.yml", true),
        ] {
            let glob = Glob::new(pattern).expect("a pattern");
            assert_eq!(glob.matches(Path::new("/w"), Path::new(path)), want, "{pattern} {path}");
        }
        assert_eq!(Glob::new("["), None);
    }

    #[test]
    fn patterns_say_how_names_end() {
        for (pattern, is_for_others, path, says) in [
            ("*.json", true, "/w/a.json", true),
            ("apps/*.{yml,json}", true, "/w/apps/a.json", true),
            ("apps/*.{yml,yaml}", false, "/w/apps/a.json", false),
            ("apps/*.yml", false, "/w/apps/a.yml", true),
            ("apps/*", false, "/w/apps/a.json", false),
            ("apps/**", false, "/w/apps/a.json", false),
            ("values.{yml,yaml}", false, "/w/values.json", false),
            ("{a,b}.json", true, "/w/b.json", true),
            ("Procfile", true, "/w/Procfile", true),
            ("app-[ab].conf", true, "/w/app-a.conf", true),
            ("values.yaml", false, "/w/values.yaml", true),
            ("*", false, "/w/Procfile", false),
        ] {
            assert_eq!(is_for_other_names(pattern), is_for_others, "{pattern}");
            assert_eq!(says_name_of(pattern, Path::new(path)), says, "{pattern} {path}");
        }
    }
}

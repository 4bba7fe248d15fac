//! `.editorconfig` (<https://spec.editorconfig.org>), as far as it affects formatting.
//!
//! It is read on demand, when a file is formatted, and only inside the workspace folder and its repository. Ranges
//! of numbers in patterns (`{1..3}`) are not supported. The maximum line length (`max_line_length`) is ignored: lines
//! are never broken.

use crate::disk::Reach;
use crate::disk::glob::pattern_of;
use globset::GlobMatcher;
use lofting_format::{LineEnding, Options};
use std::path::Path;

const FILE_NAME: &str = ".editorconfig";

/// How many bytes of one are read; real ones have a few hundred.
const MAX_SIZE: u64 = 64 * 1024;

/// Directories above a file that are looked at.
const MAX_DIRECTORIES: usize = 64;

/// The options of a file from those above it, the nearest first.
pub(super) fn options(reach: &Reach, path: &Path) -> Options {
    let mut found = Options::default();
    for directory in path.ancestors().skip(1).take(MAX_DIRECTORIES).take_while(|directory| reach.names(directory)) {
        let Ok(bytes) = reach.bytes_up_to(&directory.join(FILE_NAME), MAX_SIZE) else { continue };
        let Some(below) = path.strip_prefix(directory).ok() else { break };
        let (options, is_root) = read(&String::from_utf8_lossy(&bytes), below);
        found = found.or(options);
        if is_root {
            break;
        }
    }
    found
}

/// The options in a text for the file at a path below it, and whether it is the topmost (`root`). Later sections take
/// precedence.
fn read(text: &str, below: &Path) -> (Options, bool) {
    let (mut properties, mut is_root) = (Properties::default(), false);
    // `None` before the first section.
    let mut applies = None;
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(pattern) = line.strip_prefix('[') {
            let pattern = pattern.rfind(']').and_then(|end| pattern.get(..end));
            applies = Some(pattern.and_then(glob).is_some_and(|glob| glob.is_match(below)));
            continue;
        }
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim().to_lowercase(), value.trim().to_lowercase());
        match applies {
            None => is_root |= name == "root" && value == "true",
            Some(true) => properties.set(&name, &value),
            Some(false) => {}
        }
    }
    (properties.options(), is_root)
}

/// A pattern: one without a slash matches names at any depth, others from the directory of the file.
fn glob(written: &str) -> Option<GlobMatcher> {
    let anchored = written.strip_prefix('/').unwrap_or(written);
    let mut parts = anchored.split("**");
    let mut pattern = if written.contains('/') { String::new() } else { "**/".to_owned() };
    pattern.push_str(parts.next().unwrap_or_default());
    for part in parts {
        // Two stars mean any text in `.editorconfig`, but only directories in globs.
        let begins = pattern.is_empty() || pattern.ends_with('/');
        pattern.push_str(if !begins {
            "*"
        } else if part.starts_with('/') {
            "**"
        } else {
            "**/*"
        });
        pattern.push_str(part);
    }
    Some(pattern_of(&pattern)?.compile_matcher())
}

/// Properties as written.
#[derive(Default)]
struct Properties {
    indent_size: Option<usize>,
    /// `indent_size` is `tab`.
    indent_is_tab: bool,
    tab_width: Option<usize>,
    options: Options,
}

impl Properties {
    fn set(&mut self, name: &str, value: &str) {
        let flag = || value.parse::<bool>().ok();
        match name {
            "indent_size" => (self.indent_size, self.indent_is_tab) = (value.parse().ok(), value == "tab"),
            "tab_width" => self.tab_width = value.parse().ok(),
            "insert_final_newline" => self.options.final_newline = flag(),
            "trim_trailing_whitespace" => self.options.trim_trailing_spaces = flag(),
            "end_of_line" => {
                self.options.line_ending = match value {
                    "lf" => Some(LineEnding::Lf),
                    "crlf" => Some(LineEnding::CrLf),
                    _ => None,
                }
            }
            _ => {}
        }
    }

    fn options(self) -> Options {
        let size = if self.indent_is_tab { self.tab_width } else { self.indent_size };
        Options { indent: size.filter(|size| (1..=8).contains(size)), ..self.options }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_properties() {
        let text = "\u{feff}root = TRUE\n[*]\nindent_size = 4\nend_of_line = crlf\ntrim_trailing_whitespace=true\n\n; note\n\
                    [*.{yml,yaml}]\nIndent_Size = 2\ninsert_final_newline = false\n[/config/*.yml]\nend_of_line = lf\n\
                    [a/**.yml]\nindent_size = tab\ntab_width = 3\n[[\nindent_size = 8\n";
        let options = |path: &str| read(text, Path::new(path)).0;
        let yml = Options {
            indent: Some(2),
            line_ending: Some(LineEnding::CrLf),
            trim_trailing_spaces: Some(true),
            final_newline: Some(false),
            ..Options::default()
        };
        assert_eq!(options("x.yml"), yml);
        assert_eq!(options("deep/x.yaml"), yml);
        assert_eq!(options("config/x.yml"), Options { line_ending: Some(LineEnding::Lf), ..yml });
        assert_eq!(options("deep/config/x.yml"), yml);
        assert_eq!(options("a/b/c.yml"), Options { indent: Some(3), ..yml });
        assert_eq!(options("a/c.yml"), Options { indent: Some(3), ..yml });
        assert_eq!(options("x.txt").indent, Some(4));
        assert!(read(text, Path::new("x")).1);
    }

    #[test]
    fn anything_is_read() {
        for text in ["", "[", "[]", "=", "[*]\nindent_size = 99999999999999999999\nend_of_line = cr\n", "root = true"] {
            assert_eq!(read(text, Path::new("x.yml")).0, Options::default(), "{text}");
        }
    }
}

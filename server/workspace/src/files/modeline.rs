//! Modelines: comments at the top of a file that name its schema.
//!
//! `#! lofting: schema=PATH` is ours. `# yaml-language-server: $schema=PATH` (also with `#!`, and the
//! short form `# $schema: PATH`) belongs to another server, but counts when it names a ytt schema.

use std::ops::Range;

/// A modeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modeline {
    /// Which server's form it has.
    pub form: Form,
    /// The schema as written.
    pub schema: String,
    /// Where the schema's name stands, in bytes.
    pub range: Range<usize>,
}

/// The forms of modelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `lofting: schema=`
    Lofting,
    /// `yaml-language-server: $schema=` or `$schema:`
    YamlLanguageServer,
}

/// How many lines are searched: modelines are at the top, but a file may begin with a licence.
const MAX_LINES: usize = 100;

/// The first modeline among the comment lines at the top of `text`. A `lofting:` line takes precedence over one of
/// another server.
pub fn find(text: &str) -> Option<Modeline> {
    let mut other = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n').take(MAX_LINES) {
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        if !(trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("---") || trimmed.starts_with('%')) {
            break;
        }
        if let Some(modeline) = read_line(line, offset) {
            if modeline.form == Form::Lofting {
                return Some(modeline);
            }
            other.get_or_insert(modeline);
        }
        offset += line.len();
    }
    other
}

fn read_line(line: &str, offset: usize) -> Option<Modeline> {
    let at = line.find('#')?;
    let comment = line.get(at + 1..)?;
    let words = comment.strip_prefix('!').unwrap_or(comment).trim_start();
    let (form, rest) = if let Some(rest) = words.strip_prefix("lofting:") {
        (Form::Lofting, rest.trim_start().strip_prefix("schema=")?)
    } else if let Some(rest) = words.strip_prefix("yaml-language-server:") {
        (Form::YamlLanguageServer, rest.trim_start().strip_prefix("$schema=")?)
    } else {
        (Form::YamlLanguageServer, words.strip_prefix("$schema:")?)
    };
    let rest = rest.trim_start();
    let schema = rest.split_whitespace().next()?;
    let start = offset + (line.len() - rest.len());
    Some(Modeline { form, schema: schema.to_owned(), range: start..start + schema.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, want) in [
            ("#! lofting: schema=../schema.yml\na: 1\n", Some((Form::Lofting, "../schema.yml"))),
            ("# lofting: schema=s.yml  \r\na: 1\n", Some((Form::Lofting, "s.yml"))),
            ("---\n# yaml-language-server: $schema=s.yml\n", Some((Form::YamlLanguageServer, "s.yml"))),
            ("#! yaml-language-server:$schema=s.yml", Some((Form::YamlLanguageServer, "s.yml"))),
            ("# $schema: https://x/y.json\n", Some((Form::YamlLanguageServer, "https://x/y.json"))),
            ("# $schema: a\n#! lofting: schema=b\n", Some((Form::Lofting, "b"))),
            ("a: 1\n#! lofting: schema=b\n", None),
            ("#! lofting: schema=\n", None),
            ("#! lofting: ignore x\n", None),
        ] {
            let found = find(text);
            let got = found.as_ref().map(|line| (line.form, line.schema.as_str()));
            assert_eq!(got, want, "{text}");
            if let Some(line) = &found {
                assert_eq!(&text[line.range.clone()], line.schema);
            }
        }
    }
}

//! Modelines: comments at the top of a file that name its schema.
//!
//! `#! lofting: schema=PATH` is ours. `# yaml-language-server: $schema=PATH` (also with `#!`, with `$schema: PATH`, and the
//! short form `# $schema: PATH`) belongs to another server, but counts when it names a ytt schema.

use std::ops::Range;

/// A modeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modeline {
    /// Which server's form it has.
    pub form: Form,
    /// The schema as written.
    pub schema: String,
    /// The range of the schema's name, in bytes.
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

/// What a modeline names to give a file no schema.
pub const NONE: &str = "none";

/// The first modeline among the comment lines at the top of `text`. A `lofting:` line takes precedence over one of
/// another server.
pub fn find(text: &str) -> Option<Modeline> {
    let mut other = None;
    for (line, offset) in lines_at_top(text) {
        if let Some(modeline) = read_line(line, offset) {
            if modeline.form == Form::Lofting {
                return Some(modeline);
            }
            other.get_or_insert(modeline);
        }
    }
    other
}

/// The edit that makes `text` name a schema (a path or URL): the modeline that counts is replaced, or one is added at the
/// top. None if the name cannot be written in a modeline.
pub fn naming(text: &str, form: Form, schema: &str) -> Option<(Range<usize>, String)> {
    if schema.is_empty() || schema.contains(char::is_whitespace) {
        return None;
    }
    let line = match form {
        Form::Lofting => format!("#! lofting: schema={schema}"),
        Form::YamlLanguageServer => format!("# yaml-language-server: $schema={schema}"),
    };
    if let Some(known) = find(text) {
        if known.form == form {
            return Some((known.range, schema.to_owned()));
        }
        let start = text.get(..known.range.start)?.rfind('#')?;
        return Some((start..known.range.end, line));
    }
    // A byte order mark stays in front, and so does the line that names an interpreter.
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let interpreter = text.starts_with("#!/").then(|| text.find('\n')).flatten().map_or(0, |end| end + 1);
    let at = mark.max(interpreter);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    Some((at..at, format!("{line}{newline}")))
}

/// The lines with modelines.
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let named = lines_at_top(text).filter(|(line, offset)| read_line(line, *offset).is_some());
    // A byte order mark is not the modeline's.
    let comment = |line: &str| line.find('#').unwrap_or(0);
    named.map(|(line, offset)| offset + comment(line)..offset + line.len()).collect()
}

/// The lines that are searched, each with where it begins.
fn lines_at_top(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut offset = 0;
    let lines = text.split_inclusive('\n').take(MAX_LINES).map(move |line| {
        let start = offset;
        offset += line.len();
        (line, start)
    });
    lines.take_while(|(line, _)| {
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("---") || trimmed.starts_with('%')
    })
}

/// A comment at the top that was most likely meant to name a schema, and that no server reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The comment, in bytes.
    pub range: Range<usize>,
    /// What was meant; None if it names nothing.
    pub meant: Option<String>,
}

/// What the comments of the other server begin with.
const OTHER: &str = "yaml-language-server";

/// The first near miss among the comment lines at the top of `text`, if no line is a modeline.
pub fn near_miss(text: &str) -> Option<NearMiss> {
    if find(text).is_some() {
        return None;
    }
    lines_at_top(text).find_map(|(line, offset)| {
        let at = line.find('#')?;
        let comment = line.get(at..)?.trim_end();
        let words = comment.trim_start_matches(['#', '!']).trim_start();
        let rest = words.get(OTHER.len()..).filter(|_| words.to_ascii_lowercase().starts_with(OTHER))?;
        // `yaml-language-server-disable` is another comment.
        if rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_')) {
            return None;
        }
        let rest = rest.trim_start_matches([' ', '\t', ':', '=']);
        let key = rest.trim_start_matches('$');
        let is_schema = key.get(..SCHEMA.len()).is_some_and(|key| key.eq_ignore_ascii_case(SCHEMA));
        if !is_schema && !rest.is_empty() {
            return None;
        }
        let name = key.get(SCHEMA.len()..).unwrap_or_default();
        let name = name.trim_start_matches([' ', '\t', ':', '=']).split_whitespace().next();
        let meant = name.map(|name| format!("# {OTHER}: $schema={name}"));
        Some(NearMiss { range: offset + at..offset + at + comment.len(), meant })
    })
}

/// The word that names a schema.
const SCHEMA: &str = "schema";

fn read_line(line: &str, offset: usize) -> Option<Modeline> {
    let at = line.find('#')?;
    let comment = line.get(at + 1..)?;
    let words = comment.strip_prefix('!').unwrap_or(comment).trim_start();
    let after_other = || words.strip_prefix(OTHER)?.trim_start().strip_prefix(':');
    let (form, rest) = if let Some(rest) = words.strip_prefix("lofting:") {
        (Form::Lofting, rest.trim_start().strip_prefix("schema=")?)
    } else if let Some(rest) = after_other() {
        let rest = rest.trim_start().strip_prefix("$schema")?;
        // Blanks may only follow a colon.
        let named = rest.strip_prefix('=').filter(|rest| !rest.starts_with(char::is_whitespace));
        (Form::YamlLanguageServer, named.or_else(|| rest.strip_prefix(':'))?)
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
    fn the_one_that_counts_is_replaced() {
        use Form::{Lofting, YamlLanguageServer as Other};
        for (text, form, schema, want) in [
            ("a: 1\n", Lofting, "s.yml", "#! lofting: schema=s.yml\na: 1\n"),
            ("a: 1\r\n", Other, "s.json", "# yaml-language-server: $schema=s.json\r\na: 1\r\n"),
            ("\u{feff}a: 1\n", Lofting, "s.yml", "\u{feff}#! lofting: schema=s.yml\na: 1\n"),
            ("#!/usr/bin/env x\na: 1\n", Lofting, "s.yml", "#!/usr/bin/env x\n#! lofting: schema=s.yml\na: 1\n"),
            ("# x\n#! lofting: schema=a\n", Lofting, "b", "# x\n#! lofting: schema=b\n"),
            ("# $schema: a # why\n", Other, "b", "# $schema: b # why\n"),
            ("# $schema: a # why\n", Lofting, "b", "#! lofting: schema=b # why\n"),
            ("#! lofting: schema=a\n# $schema: b\n", Other, "c", "# yaml-language-server: $schema=c\n# $schema: b\n"),
        ] {
            let (range, new) = naming(text, form, schema).expect("an edit");
            let mut changed = text.to_owned();
            changed.replace_range(range, &new);
            assert_eq!(changed, want);
            assert_eq!(find(&changed).map(|found| found.schema), Some(schema.to_owned()));
        }
        assert_eq!(naming("", Form::Lofting, "two words"), None);
    }

    #[test]
    fn whole_lines() {
        let text = "\u{feff}# $schema: a\n# x\n#! lofting: schema=b\na: 1\n# $schema: c\n";
        let lines: Vec<&str> = lines(text).into_iter().map(|line| &text[line]).collect();
        assert_eq!(lines, ["# $schema: a\n", "#! lofting: schema=b\n"]);
    }

    #[test]
    fn what_nearly_names_a_schema() {
        let meant = "# yaml-language-server: $schema=s.json";
        for (text, want) in [
            ("# yaml-language-server: $schema = s.json\na: 1\n", Some(Some(meant))),
            ("# yaml-language-server: $schema= s.json\n", Some(Some(meant))),
            ("# yaml-language-server: schema=s.json\n", Some(Some(meant))),
            ("# yaml-language-server $schema=s.json\n", Some(Some(meant))),
            ("# x\n#YAML-Language-Server: $schema=s.json\n", Some(Some(meant))),
            ("# yaml-language-server: $Schema: s.json\n", Some(Some(meant))),
            ("# yaml-language-server:\n", Some(None)),
            ("# yaml-language-server: $schema=\n", Some(None)),
            ("# yaml-language-server: $schema=s.json\n", None),
            ("# yaml-language-server: schema=s.json\n# $schema: t.json\n", None),
            ("# yaml-language-server-disable\n", None),
            ("# yaml-language-server is what my editor uses\n", None),
            ("a: 1\n# yaml-language-server: schema=s.json\n", None),
        ] {
            let found = near_miss(text);
            assert_eq!(found.as_ref().map(|found| found.meant.as_deref()), want, "{text}");
            if let Some(found) = found {
                assert!(text[found.range.clone()].starts_with('#') && !text[found.range].ends_with('\n'), "{text}");
            }
        }
    }

    #[test]
    fn forms() {
        for (text, want) in [
            ("#! lofting: schema=../schema.yml\na: 1\n", Some((Form::Lofting, "../schema.yml"))),
            ("# lofting: schema=s.yml  \r\na: 1\n", Some((Form::Lofting, "s.yml"))),
            ("---\n# yaml-language-server: $schema=s.yml\n", Some((Form::YamlLanguageServer, "s.yml"))),
            ("#! yaml-language-server:$schema=s.yml", Some((Form::YamlLanguageServer, "s.yml"))),
            ("# yaml-language-server: $schema: s.yml\n", Some((Form::YamlLanguageServer, "s.yml"))),
            ("#  yaml-language-server : $schema=s.yml\n", Some((Form::YamlLanguageServer, "s.yml"))),
            ("# yaml-language-server: $schema = s.yml\n", None),
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

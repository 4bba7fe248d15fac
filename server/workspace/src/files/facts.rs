//! Facts about a file from its raw bytes, without parsing it.
//!
//! A workspace can contain thousands of YAML files of which only a few are relevant; only those that may be are parsed.
//! A fact may be true too often (the mark may be inside a block scalar), but never false by mistake.

use crate::files::claims::by_structure;
use crate::files::markers;
use lofting_annotation::{CommentKind, looks_like_annotation, read_comment};
use lofting_dialect::{Marks, Ownership};
use lofting_document::SCHEMA_HEADS;
use memchr::memmem;

/// Marks found in the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Facts {
    /// `#@` occurs: possibly a ytt template.
    pub ytt: bool,
    /// `#@data/values-schema` occurs, or a head of ytt's design proposals.
    pub schema: bool,
    /// `#@data/values` occurs.
    pub values: bool,
    /// `#@` occurs with something else after it, except an annotation of an overlay without code in its arguments: code
    /// may have to run before values are known.
    pub code: bool,
    /// `#@overlay/match` occurs with arguments: it may say what resources it changes.
    pub overlay: bool,
    /// Something that may be a modeline occurs.
    pub modeline: bool,
    /// Something that may be a comment for Lofting occurs, by which findings are suppressed.
    pub suppressions: bool,
    /// `# @` or the like occurs: possibly an annotation that ytt does not see.
    pub lookalike: bool,
    /// The mark of another schema language occurs: parts of the file may belong to it.
    pub parts: bool,
    /// The mark of a language with common keys occurs: parts of the file belong to it if their schema is known.
    pub known_parts: bool,
    /// `kind:` occurs as in such files, and no mark of them: the key with the version may be misspelt.
    pub unversioned: bool,
    /// The mark of a schema in such a language occurs.
    pub part_schema: bool,
    /// `with_data_values_schema` occurs, or a schema and `library/ref`: the file may add to a private library's schema.
    pub library_schema: bool,
    /// A marker of a template language occurs: the file may be YAML only after rendering.
    pub markers: bool,
    /// `$patch:` occurs at the beginning of a line or item: it is an instruction of a strategic merge patch.
    pub patch: bool,
    /// `../` and `patches` occur: a kustomization may have patches that lie elsewhere.
    pub patches_elsewhere: bool,
    /// `ENC[` occurs: values may be encrypted.
    pub encrypted: bool,
    /// Marks occur between which other programs put something.
    pub substituted: bool,
    /// `$ref` occurs: it may lead to places of this file and others.
    pub references: bool,
}

impl Facts {
    /// The marks in `bytes`.
    pub fn of(bytes: &[u8]) -> Facts {
        let mut facts = Facts::default();
        for at in Facts::marks_of_ytt(bytes) {
            facts.ytt = true;
            let Some(rest) = bytes.get(at + 2..).and_then(|rest| rest.strip_prefix(b"data/values")) else {
                facts.code |= !is_plain_overlay(bytes, at);
                facts.overlay |= bytes.get(at + 2..).is_some_and(|rest| rest.starts_with(b"overlay/match "));
                facts.schema |= bytes.get(at + 2..).is_some_and(is_proposed_head);
                continue;
            };
            if rest.starts_with(b"-schema") {
                facts.schema = true;
            } else {
                facts.values = true;
            }
            if facts.schema && facts.values && facts.code {
                break;
            }
        }
        facts.parts = may_hold(bytes, Ownership::All, |marks| marks.claim);
        facts.known_parts = may_hold(bytes, Ownership::WhereKnown, |marks| marks.claim);
        facts.unversioned = !facts.known_parts && says_kind(bytes) == (true, true);
        facts.part_schema = facts.parts && may_hold(bytes, Ownership::All, |marks| marks.schema)
            || facts.known_parts && may_hold(bytes, Ownership::WhereKnown, |marks| marks.schema);
        facts.suppressions = may_hold_suppressions(bytes);
        facts.modeline = may_hold_modeline(bytes);
        // ytt sees no annotation after a byte order mark.
        facts.lookalike = may_hold_lookalike(bytes) || bytes.starts_with("\u{feff}#@".as_bytes());
        facts.library_schema =
            may_add_to_library(bytes) || (facts.schema && memmem::find(bytes, b"library/ref").is_some());
        facts.references = may_refer(bytes);
        facts.markers = markers::occur(bytes);
        facts.patch = has_patch_instruction(bytes);
        facts.patches_elsewhere = leads_up(bytes) && memmem::find(bytes, b"patches").is_some();
        facts.encrypted = memmem::find(bytes, ENCRYPTED.as_bytes()).is_some();
        facts.substituted = may_be_substituted(bytes);
        facts
    }

    /// The offsets of `#@` where it may begin an annotation or code.
    pub fn marks_of_ytt(bytes: &[u8]) -> impl Iterator<Item = usize> {
        memmem::find_iter(bytes, b"#@").filter(|at| is_ytt(bytes, *at))
    }

    /// These marks without those of ytt.
    pub fn without_ytt(self) -> Facts {
        Facts { ytt: false, schema: false, values: false, code: false, overlay: false, library_schema: false, ..self }
    }

    /// Whether the file may say of which kinds something in it is.
    pub fn may_name_kinds(self) -> bool {
        self.known_parts || self.overlays()
    }

    /// Whether it is a template with overlays that may say of which kinds the resources are that they change.
    pub fn overlays(self) -> bool {
        self.overlay && self.only_template()
    }

    /// Whether it is at most a template of ytt: it has neither data values nor their schema.
    pub fn only_template(self) -> bool {
        self.ytt && !self.values && !self.schema
    }

    /// What of this matters to ytt, for which no other language exists.
    pub fn of_ytt(self) -> Facts {
        Facts { parts: false, known_parts: false, unversioned: false, part_schema: false, ..self }
    }

    /// The marks of a text that consists of several pieces.
    pub fn of_text(text: &lofting_text::Text) -> Facts {
        Facts::of(String::from(text).as_bytes())
    }

    /// Whether replacing `old` by `new` can change the marks of the file. Both are whole lines, so any mark that the
    /// edit creates or destroys is inside one of them.
    pub fn may_change(old: &str, new: &str) -> bool {
        let (old, new) = without_common_lines(old, new);
        let telling = |text: &str| {
            text.contains("#@")
                || may_hold_modeline(text.as_bytes())
                || may_hold_lookalike(text.as_bytes())
                || may_add_to_library(text.as_bytes())
                || may_refer(text.as_bytes())
                || markers::occur(text.as_bytes())
                || text.contains("patch")
                || leads_up(text.as_bytes())
                || [Ownership::All, Ownership::WhereKnown].into_iter().any(|ownership| {
                    may_hold(text.as_bytes(), ownership, |marks| marks.claim)
                        || may_hold(text.as_bytes(), ownership, |marks| marks.schema)
                })
        };
        // Files with these marks often have them on every line. They are there or not, whatever surrounds them, so the
        // file keeps its marks if the lines do.
        let of_values =
            |text: &str| (may_be_substituted(text.as_bytes()), text.contains(ENCRYPTED), says_kind(text.as_bytes()));
        telling(old) || telling(new) || of_values(old) != of_values(new)
    }
}

/// Two texts without the whole lines at their beginnings and ends that are the same.
fn without_common_lines<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let whole = |(line, other): &(&str, &str)| line == other && line.ends_with('\n');
    let pairs = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let start: usize = pairs.take_while(whole).map(|(line, _)| line.len()).sum();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let pairs = old.split_inclusive('\n').rev().zip(new.split_inclusive('\n').rev());
    let end: usize = pairs.take_while(|(line, other)| line == other).map(|(line, _)| line.len()).sum();
    let before = |text: &'t str| text.get(..text.len() - end).unwrap_or_default();
    (before(old), before(new))
}

/// Whether the key of a kind occurs, and whether one of the keys beside it does.
fn says_kind(bytes: &[u8]) -> (bool, bool) {
    let occurs = |key: &str| memmem::find(bytes, key.as_bytes()).is_some();
    (occurs("kind:"), occurs("metadata:") || occurs("spec:"))
}

/// The mark of an encrypted value.
const ENCRYPTED: &str = "ENC[";

/// Whether bytes may contain a text in which another program puts something ([`lofting_document::is_substituted`]).
fn may_be_substituted(bytes: &[u8]) -> bool {
    let is_mark = |rest: &[u8]| match rest.first() {
        Some(b'{' | b'(' | b'[') => true,
        Some(byte) if *byte == b'_' || byte.is_ascii_alphabetic() => !is_key(rest),
        _ => false,
    };
    memchr::memchr_iter(b'$', bytes).any(|at| bytes.get(at + 1..).is_some_and(is_mark))
        || ["{{", "{%", "<%", "((", "<<", "#{", "?{", ENCRYPTED, "\"@", "'@"]
            .iter()
            .any(|mark| memmem::find(bytes, mark.as_bytes()).is_some())
}

/// Whether the name after a dollar sign is that of a key, such as `$schema`, even in a modeline: nothing replaces it.
fn is_key(rest: &[u8]) -> bool {
    let is_part = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
    let rest = rest.get(end..).unwrap_or_default();
    let unquoted = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    match unquoted {
        [b'=', ..] | [b':'] => true,
        [b':', after, ..] => after.is_ascii_whitespace(),
        _ => false,
    }
}

/// Whether `#@` at an offset begins an annotation of an overlay that nothing has to run for.
fn is_plain_overlay(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    if !rest.starts_with(b"#@overlay/") {
        return false;
    }
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let line = rest.get(..end).and_then(|line| std::str::from_utf8(line).ok());
    match line.map(|line| read_comment(line, 0).kind) {
        Some(CommentKind::Annotation(annotation)) => annotation.arguments.is_literal(),
        _ => false,
    }
}

/// Whether the bytes begin with a head of ytt's design proposals.
fn is_proposed_head(bytes: &[u8]) -> bool {
    let is_head = |head: &str| {
        let rest = bytes.strip_prefix(head.as_bytes());
        rest.is_some_and(|rest| rest.first().is_none_or(|byte| byte.is_ascii_whitespace()))
    };
    SCHEMA_HEADS.into_iter().any(is_head)
}

/// Whether a mark of a language other than ytt occurs.
fn may_hold(bytes: &[u8], ownership: Ownership, which: fn(&Marks) -> &'static [&'static str]) -> bool {
    by_structure()
        .filter(|dialect| dialect.ownership() == ownership)
        .any(|dialect| which(&dialect.marks()).iter().any(|mark| memmem::find(bytes, mark.as_bytes()).is_some()))
}

/// Whether `#@` at an offset begins a comment that may be ytt's: code, or the name of an annotation. In `#@v1` or
/// `#@main`, after a pinned version, it does not.
fn is_ytt(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at + 2..).unwrap_or_default();
    let name = rest.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let is_numbered = || name.iter().any(u8::is_ascii_digit) || is_after_version(bytes, at);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    let is_known = |name: &[u8]| {
        KEYWORDS.iter().any(|known| known.as_bytes() == name)
            || SCHEMA_HEADS.iter().any(|known| known.as_bytes() == name)
    };
    name.is_empty() || !name.iter().all(is_word) || is_known(name) || !is_numbered()
}

/// Whether the text before a comment ends in a pinned version: `@` and what follows it.
fn is_after_version(bytes: &[u8], at: usize) -> bool {
    let line = bytes.get(..at).unwrap_or_default().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let word = line.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.iter().position(|byte| *byte == b'@').is_some_and(|at| at > 0)
}

/// Words with which ytt's code begins, even if the blank before it is missing.
const KEYWORDS: [&str; 8] = ["def", "if", "elif", "else", "for", "end", "load", "return"];

fn has_patch_instruction(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, b"$patch:").any(|at| {
        let line = bytes.get(..at).unwrap_or_default().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        line.iter().all(|byte| matches!(byte, b' ' | b'-'))
    })
}

fn leads_up(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"../").is_some()
}

fn may_hold_modeline(bytes: &[u8]) -> bool {
    may_hold_suppressions(bytes) || memmem::find(bytes, b"$schema").is_some()
}

fn may_hold_suppressions(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"lofting:").is_some()
}

fn may_refer(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"$ref").is_some() || memmem::find(bytes, b"$dynamicRef").is_some()
}

fn may_add_to_library(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"with_data_values_schema").is_some()
}

/// Whether a comment may look like an annotation. Of signs and blanks in a row, a comment begins with the first `#`.
fn may_hold_lookalike(bytes: &[u8]) -> bool {
    let is_before_name = |byte: &&u8| matches!(**byte, b'#' | b'@' | b' ' | b'\t');
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'/' | b'-' | b'_');
    let mut rest = bytes;
    while let Some(comment) = memchr::memchr(b'#', rest).and_then(|at| rest.get(at..)) {
        let signs = comment.iter().take_while(is_before_name).count();
        rest = comment.get(signs..).unwrap_or_default();
        let name = rest.iter().take_while(is_of_name).count();
        let begins = comment.get(..signs + name).and_then(|begins| std::str::from_utf8(begins).ok());
        if begins.is_some_and(|begins| looks_like_annotation(begins, 0).is_some()) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> String {
        let facts = Facts::of(text.as_bytes());
        [
            (facts.ytt, "ytt"),
            (facts.code, "code"),
            (facts.overlay, "overlay"),
            (facts.schema, "schema"),
            (facts.values, "values"),
            (facts.modeline, "modeline"),
            (facts.suppressions, "suppressions"),
            (facts.lookalike, "lookalike"),
            (facts.library_schema, "library-schema"),
            (facts.parts, "parts"),
            (facts.known_parts, "known-parts"),
            (facts.unversioned, "unversioned"),
            (facts.part_schema, "part-schema"),
            (facts.markers, "markers"),
            (facts.patch, "patch"),
            (facts.patches_elsewhere, "patches-elsewhere"),
            (facts.encrypted, "encrypted"),
        ]
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, name)| *name)
        .collect::<Vec<_>>()
        .join(" ")
    }

    /// An edit beside marks that many lines have does not read the whole file again; one that adds or removes them does.
    #[test]
    fn marks_of_values_are_read_again_where_they_change() {
        for (old, new, may) in [
            ("a: ${A}\n", "a: ${B}\n", false),
            ("a: ${A}\nb: 1\n", "a: ${A}\nb: 12\n", false),
            ("a: ENC[x]\n", "a: ENC[y]\n", false),
            ("a: ${A}\n", "a: ENC[y]\n", true),
            ("a: ${A}\n", "a: A\n", true),
            ("a: 1\n", "a: ${A}\n", true),
            ("kind: A\n", "kind: B\n", false),
            ("kin: A\n", "kind: A\n", true),
            ("#@ x\na: 1\n#@ y\n", "#@ x\na: 12\n#@ y\n", false),
            ("#@ x\na: 1\n#@ y\n", "#@ x\na: 1#@ y\n", true),
            ("#@ x\n#@ x\n", "#@ x\n", true),
        ] {
            assert_eq!(Facts::may_change(old, new), may, "{old} {new}");
        }
    }

    /// Pieces of lines, of which any mark can be made.
    const PIECES: [&str; 42] = [
        "#",
        "##",
        "# ",
        "@",
        "#@",
        "#! ",
        "@schema/",
        "schema/nullable",
        "@data/values",
        "data/values-schema",
        "overlay/match",
        " @overlay/remove",
        "library/ref",
        "match-child",
        "a: ",
        "a: 1 ",
        "- ",
        "  ",
        "\t",
        "$schema",
        "lofting:",
        "$ref",
        "with_data_values_schema",
        "{{",
        "}}",
        "{%",
        "<%",
        "((",
        "$patch:",
        "patches",
        "../",
        "ENC[",
        "${A}",
        "kind:",
        "metadata:",
        "spec:",
        "apiVersion: ",
        "openchoreo.dev/v1",
        "openAPIV3Schema:",
        "@v1",
        "@main",
        "é",
    ];

    /// An edit reads the lines that it changes, and keeps the marks of the file if these say that they are the same.
    #[test]
    fn marks_of_lines_are_those_of_the_text() {
        let lines: Vec<String> = PIECES
            .iter()
            .flat_map(|one| PIECES.iter().map(move |other| format!("{one}{other}\n")))
            .chain(["\n".to_owned(), "a: 1\n".to_owned()])
            .collect();
        let mut kept = 0;
        for (number, old) in lines.iter().enumerate() {
            // Lines that are nearly the same, and others all over the list.
            for new in (1..8).filter_map(|step| lines.get((number + step * step * 37) % lines.len())) {
                if Facts::may_change(old, new) {
                    continue;
                }
                kept += 1;
                for (above, below) in [("", ""), ("a: 1\n", "b: 2\n"), ("#@data/values\n---\n", "# @schema/x\n")] {
                    let of = |line: &str| Facts::of(format!("{above}{line}{below}").as_bytes());
                    assert_eq!(of(old), of(new), "{old:?} {new:?} between {above:?} and {below:?}");
                }
            }
        }
        assert!(kept > 500, "{kept}");
    }

    /// The mark is there wherever a comment looks like an annotation.
    #[test]
    fn a_comment_that_looks_like_an_annotation_is_marked() {
        let prefixes = ["#", "##", "# @", "#  @", "#@ ", "#@@", "##@", "# #@", "#\t@", "# ", "#@"];
        for entry in lofting_annotation::catalog::entries() {
            for prefix in prefixes {
                let comment = format!("{prefix}{}", entry.name);
                let looks = looks_like_annotation(&comment, 0).is_some();
                for text in [comment.clone(), format!("a: 1\n  {comment}\n"), format!("a: 1 {comment}\nb: 2\n")] {
                    assert_eq!(Facts::of(text.as_bytes()).lookalike, looks, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn marks_are_found_by_content() {
        assert_eq!(marks("a: 1\n# plain\n"), "");
        assert_eq!(marks("#@data/values-schema\n---\n"), "ytt schema");
        assert_eq!(marks("#@schema/match data_values=True\n---\n"), "ytt code schema");
        assert_eq!(marks("#@schema\n---\n"), "ytt code schema");
        assert_eq!(marks("#@schema/type any=True\n"), "ytt code");
        assert_eq!(marks("#@data/values\n---\n"), "ytt values");
        assert_eq!(marks("#@data/values\n---\n#@overlay/match missing_ok=True\na: 1\n"), "ytt overlay values");
        assert_eq!(marks("#@overlay/match by=matcher\n- 1\n"), "ytt code overlay");
        assert_eq!(marks("#@overlay/match by=\n- 1\n"), "ytt code overlay");
        assert_eq!(marks("#@ x = 1\n#@data/values\n---\n#@data/values-schema\n"), "ytt code schema values");
        assert_eq!(marks("a: #@ data.values.a\n"), "ytt code");
        assert_eq!(marks("#! lofting: schema=schema.yml\n"), "modeline suppressions");
        assert_eq!(marks("# yaml-language-server: $schema=x.yml\n"), "modeline");
        assert_eq!(marks("# @data/values-schema\n"), "lookalike");
        assert_eq!(marks("apiVersion: openchoreo.dev/v1alpha1\n"), "parts known-parts");
        assert_eq!(marks("apiVersion: openchoreo.dev/v1\nopenAPIV3Schema:\n"), "parts known-parts part-schema");
        for key in ["schema:", "\"schema\":", "'schema':", "schema :", "? schema\n:"] {
            let text = format!("apiVersion: openchoreo.dev/v1\nspec:\n  {key}\n");
            assert_eq!(marks(&text), "parts known-parts part-schema", "{key}");
        }
        let json = "{\"apiVersion\": \"openchoreo.dev\\/v1\", \"spec\": {\"schema\": {}}}";
        assert_eq!(marks(json), "parts known-parts part-schema");
        assert_eq!(marks("apiVersion: apps/v1\n"), "known-parts");
        assert_eq!(marks("apiVersion: apps/v1\nname: {{ .Values.name }}\n"), "known-parts markers");
        assert_eq!(marks("apiVersion: apps/v1\n  {{- if .Values.name }}\n"), "known-parts markers");
        assert_eq!(marks("apiVersion: apps/v1\nname: \"{{args.name}}\"\n"), "known-parts markers");
        assert_eq!(marks("- uses: a/b@c0ffee #@v1\n- uses: a/c@c0ffee #@1.2.3-rc.1\n"), "");
        assert_eq!(marks("- uses: a/b@c0ffee #@main\n- uses: a/c@v1 #@stable-release\n"), "");
        assert_eq!(marks("- uses: a/b@c0ffee #@ x\n"), "ytt code");
        assert_eq!(marks("- uses: a/b #@main\n"), "ytt code");
        assert_eq!(marks("a: 1 #@overlay/remove\n"), "ytt");
        assert_eq!(marks("a: #@x1()\n#@if x:\n"), "ytt code");
        assert_eq!(marks("a: ${{ github.sha }}\n"), "");
        assert_eq!(marks("- $patch: delete\n"), "patch");
        assert_eq!(marks("patches:\n- path: ../a.yaml\n"), "patches-elsewhere");
        assert_eq!(marks("patches:\n- path: a.yaml\n"), "");
        assert_eq!(marks("a: ENC[AES256_GCM,data:x]\n"), "encrypted");
        assert_eq!(marks("openAPIV3Schema:\n"), "");
        assert_eq!(marks("apiVersoin: v1\nkind: Pod\nmetadata:\n"), "unversioned");
        assert_eq!(marks("apiVersion: v1\nkind: Pod\nspec:\n"), "known-parts");
        assert_eq!(marks("kind: Pod\n"), "");
        assert_eq!(marks("l.with_data_values_schema(s)\n"), "library-schema");
        assert_eq!(marks("#@library/ref '@a'\n#@data/values-schema\n---\n"), "ytt code schema library-schema");
        assert_eq!(marks("#@library/ref '@a'\n#@data/values\n---\n"), "ytt code values");
    }
}

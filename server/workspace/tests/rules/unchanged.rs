//! No finding depends on how the text around it is written.

use crate::fixtures;
use crate::opened::{Opened, all_examples, framed};
use crate::rewritten::{Rewritten, last_of_many, may_have_others_before, ways};
use lofting_check::Diagnostic;
use lofting_fixture::File;
use lofting_workspace::FileKind;
use std::collections::BTreeSet;

/// Findings that a rewriting does change: the way, the code and the reason.
const DIFFERENT: &[(&str, &str, &str)] = &[
    ("document after", "schema/written-default", "it is reported of a document onto which nothing is merged"),
    // `kubernetes/` stands for all its rules.
    (
        "byte order mark",
        "kubernetes/",
        "ytt's reader, by which resources are read, takes it for a part of the first key",
    ),
];

/// What may not change in a finding, except for its place.
fn said(finding: &Diagnostic) -> String {
    let help = finding.help.as_deref().unwrap_or_default();
    let text = format!("{} {} {}\n{help}", finding.code(), finding.severity.as_str(), finding.message);
    text.replace("`items[0].", "`")
}

/// The findings that only one of two lists has, by their rules.
fn differences(old: &[Diagnostic], new: &[Diagnostic], way: &Rewritten) -> Vec<(&'static str, String)> {
    let mut new: Vec<&Diagnostic> = new.iter().collect();
    let mut wrong = Vec::new();
    for finding in old {
        let is_same = |other: &&Diagnostic| {
            said(finding) == said(other)
                && way.leads(finding.span.start as usize, other.span.start as usize)
                && way.leads(finding.span.end as usize, other.span.end as usize)
        };
        match new.iter().position(is_same) {
            Some(at) => drop(new.remove(at)),
            None => wrong.push((finding.rule.code, format!("- {:?} {}", finding.span.range(), said(finding)))),
        }
    }
    // What is inserted may be wrong.
    let new = new.into_iter().filter(|finding| !way.has(finding.span.start as usize));
    wrong.extend(new.map(|finding| (finding.rule.code, format!("+ {:?} {}", finding.span.range(), said(finding)))));
    wrong
}

/// What the rewritings of the files of a fixture change. Notes which entries of [`DIFFERENT`] this confirms.
fn changes(
    files: &[File],
    ways: impl Fn(&str, FileKind) -> Vec<Rewritten>,
    confirmed: &mut BTreeSet<(&'static str, &'static str)>,
) -> Vec<String> {
    let mut opened = Opened::new(files);
    let before: Vec<Vec<Diagnostic>> = (0..files.len()).map(|number| opened.findings(number)).collect();
    let mut changes = Vec::new();
    for (number, file) in files.iter().enumerate() {
        for way in ways(&file.text, opened.kind(number)) {
            let mut own = before[number].iter().map(|finding| finding.span);
            if own.any(|span| way.touches(span.start as usize, span.end as usize)) {
                continue;
            }
            let text = way.text(&file.text);
            opened.replace(number, &text);
            let unmoved = Rewritten::none();
            let mut wrong = Vec::new();
            for (other, before) in before.iter().enumerate() {
                let moved = if other == number { &way } else { &unmoved };
                wrong.extend(differences(before, &opened.findings(other), moved));
            }
            wrong.retain(|(code, _)| {
                let known = DIFFERENT.iter().find(|(known, of, _)| {
                    *known == way.way && (of == code || of.ends_with('/') && code.starts_with(*of))
                });
                confirmed.extend(known.map(|(way, code, _)| (*way, *code)));
                known.is_none()
            });
            let wrong: Vec<String> = wrong.into_iter().map(|(_, text)| text).collect();
            if !wrong.is_empty() {
                let last: Vec<&str> = text.lines().rev().take(40).collect();
                let shown: Vec<&str> = last.into_iter().rev().collect();
                let lines = [way.way, &wrong.join("\n"), &format!("#- {}", file.path), &shown.join("\n")];
                changes.push(lines.join("\n"));
            }
            opened.replace(number, &file.text);
        }
    }
    changes
}

#[test]
fn no_example_depends_on_what_is_written_around_it() {
    let (mut wrong, mut confirmed) = (Vec::new(), BTreeSet::new());
    for (code, files) in all_examples() {
        for files in framed(&files).into_iter().chain([files]) {
            wrong.extend(changes(&files, ways, &mut confirmed).into_iter().map(|text| format!("=== {code}: {text}")));
        }
    }
    for (name, files) in fixtures::files() {
        wrong.extend(changes(&files, ways, &mut confirmed).into_iter().map(|text| format!("=== {name}: {text}")));
    }
    assert!(wrong.is_empty(), "{}\n{} differ", wrong.join("\n"), wrong.len());
    let known: BTreeSet<(&str, &str)> = DIFFERENT.iter().map(|(way, code, _)| (*way, *code)).collect();
    assert_eq!(confirmed, known, "these differ no more");
}

/// Numbers of documents and of schemas are small numbers in some places. All examples are the last documents of texts
/// with as many documents as there are such numbers: of one text, as far as they do not hide each other.
#[test]
fn no_example_depends_on_how_many_documents_are_before_it() {
    let mut groups: Vec<Group> = Vec::new();
    for (number, (code, files)) in all_examples().enumerate() {
        for files in framed(&files).into_iter().chain([files]) {
            let Some(text) = as_documents(&files).map(|text| with_own_names(&text, number)) else { continue };
            let alone = Group { codes: vec![code], text };
            // What is found in a group already is covered.
            if alone.finds_all() && !groups.iter().any(|group| group.takes(&alone.text) && group.codes.contains(&code))
            {
                let fitting = groups.iter_mut().filter(|group| group.takes(&alone.text));
                let joined = fitting.map(|group| (group.with(&alone), group)).find(|(joined, _)| joined.finds_all());
                match joined {
                    Some((joined, group)) => *group = joined,
                    None => groups.push(alone),
                }
            }
        }
    }
    let covered: BTreeSet<&str> = groups.iter().flat_map(|group| group.codes.iter().copied()).collect();
    // The others are about documents that are merged in their order, or about the first document of a file.
    assert!(covered.len() > 120, "{} rules", covered.len());
    for group in groups {
        let files = [File { path: "app.yml".to_owned(), text: group.text }];
        let wrong = changes(&files, |text, _| vec![last_of_many(text)], &mut BTreeSet::new());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Examples in one file, with the codes of their rules.
struct Group {
    codes: Vec<&'static str>,
    text: String,
}

impl Group {
    /// Comments mean one thing in templates and another in other files.
    fn takes(&self, text: &str) -> bool {
        self.text.contains("#@") == text.contains("#@")
    }

    fn with(&self, other: &Group) -> Group {
        let codes = self.codes.iter().chain(&other.codes).copied().collect();
        Group { codes, text: format!("{}{}", self.text, other.text) }
    }

    fn finds_all(&self) -> bool {
        let opened = Opened::new(&[File { path: "app.yml".to_owned(), text: self.text.clone() }]);
        let found: BTreeSet<&str> = opened.findings(0).iter().map(|finding| finding.rule.code).collect();
        self.codes.iter().all(|code| found.contains(code))
    }
}

/// The files of an example as documents of one file; None if documents before them mean something else.
fn as_documents(files: &[File]) -> Option<String> {
    let opened = Opened::new(files);
    let may_follow = |number: usize| may_have_others_before(&files[number].text, opened.kind(number));
    let document = |file: &File| {
        let start = if file.text.starts_with("---") { "" } else { "---\n" };
        let end = if file.text.ends_with('\n') { "" } else { "\n" };
        format!("{start}{}{end}", file.text)
    };
    (0..files.len()).all(may_follow).then(|| files.iter().map(document).collect())
}

/// An example in which resources have names that no other example has.
fn with_own_names(text: &str, number: usize) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let mut new = text.to_owned();
    for (at, _) in text.match_indices("metadata:") {
        let Some((between, rest)) = text[at..].split_once("name: ") else { continue };
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        if between.matches('\n').count() > 1 || name.is_empty() {
            continue;
        }
        let mut renamed = String::new();
        let mut from = 0;
        for (start, _) in new.match_indices(name) {
            let end = start + name.len();
            if !new[..start].ends_with(is_part) && !new[end..].starts_with(is_part) {
                renamed.push_str(&new[from..end]);
                renamed.push_str(&format!("-{number}"));
                from = end;
            }
        }
        renamed.push_str(&new[from..]);
        new = renamed;
    }
    new
}

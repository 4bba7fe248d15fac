//! The documents agree with the tree: links lead somewhere, every crate is described.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{files_below, root, server_crates};

/// All Markdown pages of the repository; folders that hold what others wrote are left out.
fn pages() -> Vec<PathBuf> {
    let pages = files_below(&root(), ".md", &["conformance"]);
    assert!(pages.iter().any(|page| page.ends_with("README.md")));
    pages
}

/// The text between `](` and `)` on the page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_default();
        let folder = page.parent().unwrap_or(Path::new("."));
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || (file.is_empty() && !anchor.is_empty()) {
                continue;
            }
            if !folder.join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_crate_is_described() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).unwrap_or_default();
    for name in server_crates() {
        assert!(text.contains(&format!("| `{name}` |")), "docs/architecture.md does not describe `{name}`");
    }
}

/// Where a path of docs/architecture.md may lead: `workspace/files` means `server/workspace/src/files`.
fn meanings(path: &str) -> Vec<PathBuf> {
    let mut meant = vec![root().join(path), root().join("server").join(path)];
    if let Some((name, below)) = path.split_once('/') {
        meant.push(root().join("server").join(name).join("src").join(below));
    }
    meant
}

/// Paths have no capitals and hyphens: those are methods of the protocol, and codes of rules.
fn is_path(text: &str) -> bool {
    text.contains('/') && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_./".contains(c))
}

#[test]
fn paths_of_the_architecture_exist() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|quoted| is_path(quoted));
    let (mut paths, mut wrong) = (0, Vec::new());
    for path in quoted {
        paths += 1;
        if !meanings(path).iter().any(|meant| meant.exists() || meant.with_extension("rs").exists()) {
            wrong.push(path);
        }
    }
    assert!(paths > 50, "docs/architecture.md names {paths} paths");
    assert!(wrong.is_empty(), "docs/architecture.md names paths that do not exist: {wrong:?}");
}

/// The glossary is short enough to be read, and its words are unique.
#[test]
fn the_glossary_is_short() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let glossary = text.split("## Glossary").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a glossary");
    let rows: Vec<&str> = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    let words: Vec<&str> = rows.into_iter().skip(2).flat_map(|row| row.split(", ")).collect();
    assert!((20..=40).contains(&words.len()), "{} words: {words:?}", words.len());
    let unique: BTreeSet<&&str> = words.iter().collect();
    assert_eq!(unique.len(), words.len(), "{words:?}");
}

/// Names of tests in the sources: functions in Rust, texts in TypeScript and Lua.
fn is_a_test(name: &str, sources: &[String]) -> bool {
    let function = format!("fn {name}()");
    let text = format!("test(\"{name}\"");
    sources.iter().any(|source| {
        let marks = ["#[test]", "#[tokio::test"];
        let is_mark = |line: &str| marks.iter().any(|mark| line.trim_start().starts_with(mark));
        let is_marked = |at: usize| source[..at].lines().rev().take(4).any(is_mark);
        source.match_indices(&function).any(|(at, _)| is_marked(at)) || source.contains(&text)
    })
}

/// The sources that hold tests.
fn test_sources() -> Vec<String> {
    let mut sources = Vec::new();
    let mut folders = ["server", "tests", "xtask", "editors"].map(|folder| root().join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !["target", "node_modules", "dist"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") || name.ends_with(".ts") {
                sources.push(fs::read_to_string(path).unwrap_or_default());
            }
        }
    }
    sources
}

/// docs/security.md promises nothing that no test holds: the last column of its tables names tests.
#[test]
fn every_promise_names_its_tests() {
    let text = fs::read_to_string(root().join("docs/security.md")).expect("docs/security.md");
    let sources = test_sources();
    let (mut promises, mut wrong) = (0, Vec::new());
    let mut in_promises = false;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_promises = false;
        } else if line.trim_end().ends_with("| verified by |") {
            in_promises = true;
        } else if in_promises && !line.starts_with("| ---") {
            promises += 1;
            let column = line.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default();
            let names: Vec<&str> = column.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                wrong.push(format!("no test holds: {line}"));
            }
            for name in names.iter().filter(|name| !is_a_test(name, &sources)) {
                wrong.push(format!("there is no test `{name}`: {line}"));
            }
        }
    }
    assert!(promises > 10, "docs/security.md has {promises} promises");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page that comments cite for what ytt does, by numbers of its sections.
const YTT: &str = "docs/ytt.md";

/// How comments cited before there was a page. Taken apart, so that this file has none.
const OLD_NAMES: &[&str] = &[concat!("ytt ", "reference"), concat!("ytt-", "semantics")];

/// Old citations, if a number follows.
const OLD_WORDS: &[&str] = &[concat!("refer", "ence "), concat!("semant", "ics ")];

/// The numbers of the page's headings: `9`, `9.2`.
fn sections() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(YTT)).expect(YTT);
    let headings = text.lines().filter_map(|line| line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")));
    let numbers = headings.filter_map(|heading| heading.split(' ').next());
    numbers.map(|number| number.trim_end_matches('.').to_owned()).collect()
}

/// All Rust files of the repository.
fn rust_files() -> Vec<PathBuf> {
    let folders = ["server", "tests", "xtask", "editors"];
    folders.iter().flat_map(|folder| files_below(&root().join(folder), ".rs", &[])).collect()
}

/// The text with each comment of several lines on a line of its own, so that no citation goes over a line's end.
fn with_joined_comments(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        if let Some(comment) = line.trim_start().strip_prefix("//") {
            joined.push_str(comment.trim_start_matches(['/', '!']).trim());
            joined.push(' ');
        } else {
            joined.push('\n');
            joined.push_str(line);
            joined.push('\n');
        }
    }
    joined
}

/// The numbers with which a citation goes on: `9.2, 14.1`, `13.3 to 13.5`. None where only the page is named.
fn cited(after_name: &str) -> Vec<&str> {
    let mut numbers = Vec::new();
    let mut rest = after_name.strip_prefix(' ').unwrap_or_default();
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        if number.is_empty() {
            return numbers;
        }
        numbers.push(number);
        let after = &rest[end..];
        let Some(next) = [", ", " and ", " to "].iter().find_map(|gap| after.strip_prefix(gap)) else {
            return numbers;
        };
        rest = next;
    }
}

/// Comments say which rule of ytt they follow: the section is there, and no citation names another document.
#[test]
fn cited_sections_of_ytt_exist() {
    let sections = sections();
    assert!(sections.contains("9.2"), "{YTT} has sections with numbers");
    let (mut citations, mut wrong) = (0, Vec::new());
    for path in rust_files() {
        let text = with_joined_comments(&fs::read_to_string(&path).unwrap_or_default());
        let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        for (at, name) in text.match_indices(YTT) {
            for number in cited(&text[at + name.len()..]) {
                citations += 1;
                if !sections.contains(number) {
                    wrong.push(format!("{shown}: {YTT} has no section {number}"));
                }
            }
        }
        let named = OLD_NAMES.iter().flat_map(|name| text.match_indices(name));
        let numbered = OLD_WORDS
            .iter()
            .flat_map(|word| text.match_indices(word))
            .filter(|(at, word)| text[at + word.len()..].starts_with(|c: char| c.is_ascii_digit()));
        for (at, _) in named.chain(numbered) {
            let old: String = text[at..].chars().take(40).collect();
            wrong.push(format!("{shown}: cite {YTT} and the number of its section: {old}"));
        }
    }
    assert!(citations > 100, "{citations} citations of {YTT}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

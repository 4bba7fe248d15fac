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

/// Where the repository is on the web. The manual names files outside it in this way, because a book has no others.
const REPOSITORY: &str = "https://github.com/lofting-yaml/lofting/blob/main/";

/// The page without its blocks of code and what is in backquotes.
fn without_code(text: &str) -> String {
    let mut in_block = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        !in_block && !is_fence
    });
    lines.map(|line| line.split('`').step_by(2).collect::<Vec<_>>().join("``") + "\n").collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_block = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        in_block ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !in_block) else { continue };
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let again = (1..).map(|number| format!("{anchor}-{number}")).find(|name| !found.contains(name));
        found.insert(if found.contains(&anchor) { again.unwrap_or_default() } else { anchor });
    }
    found
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let manual = root().join("docs");
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_default();
        let folder = page.parent().unwrap_or(Path::new("."));
        for link in links(&without_code(&text)) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let (target, is_own) = match file.strip_prefix(REPOSITORY) {
                Some(path) => (root().join(path), false),
                None if link.contains("://") || link.is_empty() => continue,
                None if file.is_empty() => (page.clone(), true),
                None => (folder.join(file), true),
            };
            let fault = if !target.exists() {
                "there is nothing"
            } else if !anchor.is_empty() && !anchors(&fs::read_to_string(&target).unwrap_or_default()).contains(anchor)
            {
                "there is no such heading"
            } else if is_own && page.starts_with(&manual) && !is_below(&target, &manual) {
                "it leaves the manual: name the address of the repository"
            } else {
                continue;
            };
            broken.push(format!("{}: {link}: {fault}", page.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn is_below(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}

#[test]
fn headings_have_anchors() {
    let text = "# A `b/c`: d\n\n## … e f?\n\n```\n# no\n```\n\n## A\n\n### A\n";
    let expected = ["-e-f", "a", "a-1", "a-bc-d"];
    assert_eq!(Vec::from_iter(anchors(text)), expected);
    assert_eq!(links(&without_code("[a](b) `[c](d)`\n```\n[e](f)\n```\n")).collect::<Vec<_>>(), ["b"]);
}

/// A book has only what its list names.
#[test]
fn every_page_of_the_manual_is_in_its_list() {
    let manual = root().join("docs");
    let list = fs::read_to_string(manual.join("SUMMARY.md")).expect("docs/SUMMARY.md");
    let named: BTreeSet<&str> = links(&list).filter(|link| !link.is_empty()).collect();
    let mut missing = Vec::new();
    for page in files_below(&manual, ".md", &[]) {
        let path = page.strip_prefix(&manual).unwrap_or(&page).display().to_string().replace('\\', "/");
        if path != "SUMMARY.md" && !named.contains(path.as_str()) {
            missing.push(path);
        }
    }
    assert!(named.len() > 200, "{} pages", named.len());
    assert!(missing.is_empty(), "docs/SUMMARY.md does not name {missing:?}");
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

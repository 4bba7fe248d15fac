//! Every text that a user or a reader sees is plain English: messages, titles, help and manuals, comments, and the pages
//! of docs/. The table below grows with each phrase that readers stumble over.

use std::fs;
use std::path::Path;

use crate::sources::{files_below, root};

/// A phrase to avoid, what to write instead, and longer phrases in which it is right. All in lower case.
const AVOIDED: &[(&str, &str, &[&str])] = &[
    ("all else", "everything else", &[]),
    ("anybody", "anyone", &[]),
    ("are none", "are not", &["there are none", "are none of", "are none there", "are none yet"]),
    ("are others", "have changed", &["there are others"]),
    ("are said", "are reported, or the messages", &[]),
    ("are to be", "must be, or are", &[]),
    ("begun one", "an unfinished one", &[]),
    ("behind", "after", BEHIND_IN_PLACE),
    ("bring along", "contain", &[]),
    ("brings along", "contains", &[]),
    ("decide for one", "choose one", &[]),
    ("each two", "each pair of", &[]),
    ("everybody", "everyone", &[]),
    ("for who", "for users who, or on request", &[]),
    ("in few", "in a few", &[]),
    ("inside of", "inside", &[]),
    ("is another one", "differs, or has changed", &["there is another one"]),
    ("is begun", "is unfinished", &[]),
    ("is none", "is not one", &["there is none", "is none of", "is none there", "is none yet"]),
    ("is said", "is reported, or the message", &[]),
    ("is to be", "must be, or is", &[]),
    ("mend", "fix", &[]),
    ("mended", "fixed", &[]),
    ("mending", "fixing", &[]),
    ("mends", "fixes", &[]),
    ("merged to", "merged into", &[]),
    ("nobody", "nothing, or say who: no client, no user", &[]),
    ("of who", "of the user who", &[]),
    ("otherwise than", "differently from", &[]),
    ("outside of", "outside", &[]),
    ("somebody", "say who: a user, another process", &[]),
    ("stand", "be", &["stand for", "stand-in", "stand alone"]),
    ("standing", "being", &["standing for"]),
    ("stands", "is", &["stands for", "stands alone"]),
    ("stood", "was", &["stood for"]),
    ("such as had", "that had", &[]),
    ("such as has", "that has", &[]),
    ("such as have", "that have", &[]),
    ("take long", "take a long time", &[]),
    ("taken over", "applied", &[]),
    ("takes long", "takes a long time", &[]),
    ("to who", "to the user who", &[]),
    ("told", "reported, notified, sent", &["told apart"]),
    ("was begun", "was started", &[]),
    ("who asks", "say who: the user, a request", &[]),
    ("whoever", "say who: a user who, a request that", &[]),
    ("without an end", "without a limit", &[]),
];

/// The place, and what is left.
const BEHIND_IN_PLACE: &[&str] =
    &["left behind", "leave behind", "leaves behind", "functions behind", "ahead or behind"];

/// Words after "is no" that are not a noun: "is no longer read" is English, "is no schema" is "is not a schema".
const AFTER_NO: &[&str] =
    &["better", "different", "doubt", "larger", "less", "longer", "matter", "more", "need", "other", "way", "worse"];

/// A comment is read on its own: what it would refer to may be far above.
const REFERS_TO_NOTHING: &str = "the same";

/// Files that quote the phrases.
const QUOTES: &[&str] = &["tests/layout/english.rs", "server/fixture/src/wording.rs"];

/// A piece of prose.
#[derive(Debug, PartialEq)]
pub struct Prose {
    /// Its line, from 1.
    pub line: usize,
    /// In a single line, with everything between backticks taken out.
    pub text: String,
    is_comment: bool,
}

/// How a language writes comments and strings.
pub struct Language {
    pub ending: &'static str,
    comment: &'static str,
    quotes: &'static str,
}

pub const LANGUAGES: &[Language] = &[
    Language { ending: ".rs", comment: "//", quotes: "\"" },
    Language { ending: ".ts", comment: "//", quotes: "\"'`" },
    Language { ending: ".cjs", comment: "//", quotes: "\"'`" },
    Language { ending: ".mjs", comment: "//", quotes: "\"'`" },
    Language { ending: ".lua", comment: "--", quotes: "\"'" },
    Language { ending: ".py", comment: "#", quotes: "\"'" },
    Language { ending: ".toml", comment: "#", quotes: "\"" },
    Language { ending: "package.json", comment: "\0", quotes: "\"" },
];

/// Takes out what is between backticks, and joins lines.
fn without_code(text: &str) -> String {
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    outside.join("``").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comments and strings of a source; adjacent lines of comments are one.
fn prose(text: &str, language: &Language) -> Vec<Prose> {
    let mut found: Vec<Prose> = Vec::new();
    // The comment that the next line may continue: its line, its marker, its text.
    let mut comment: Option<(usize, usize, &str, String)> = None;
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        if rest.starts_with(language.comment) {
            let end = rest.find('\n').unwrap_or(rest.len());
            let marker = &rest[..rest.find(|c: char| !"/!-#".contains(c)).unwrap_or(end).min(end)];
            let content = &rest[marker.len()..end];
            match &mut comment {
                Some((_, last, before, all)) if *last + 1 == line && *before == marker => {
                    *last = line;
                    all.push('\n');
                    all.push_str(content);
                }
                _ => found.extend(comment.replace((line, line, marker, content.to_owned())).map(of_comment)),
            }
            at += end;
        } else if rest.starts_with("/*") && language.comment == "//" {
            let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
            let lines = rest[..end].trim_matches(['/', '*']).lines().map(|line| line.trim_start_matches([' ', '*']));
            let text = without_code(&lines.collect::<Vec<_>>().join("\n"));
            found.push(Prose { line, text, is_comment: true });
            line += rest[..end].matches('\n').count();
            at += end;
        } else if language.ending == ".rs" && first == 'r' && rest[1..].trim_start_matches('#').starts_with('"') {
            let marks = rest[1..].len() - rest[1..].trim_start_matches('#').len();
            let close = format!("\"{}", "#".repeat(marks));
            let content = &rest[marks + 2..];
            let end = content.find(&close).unwrap_or(content.len());
            found.push(Prose { line, text: without_code(&content[..end]), is_comment: false });
            line += content[..end].matches('\n').count();
            at += marks + 2 + end + close.len().min(content.len() - end);
        } else if language.quotes.contains(first) {
            let (mut end, mut escaped) = (rest.len(), false);
            for (index, c) in rest.char_indices().skip(1) {
                // A quote in a regular expression begins no string: in other languages one ends with its line.
                let is_over = c == '\n' && language.ending != ".rs" && first != '`';
                if is_over || !escaped && c == first {
                    end = index + usize::from(!is_over);
                    break;
                }
                escaped = !escaped && c == '\\';
            }
            let content = rest[1..end].trim_end_matches(first).replace("\\\n", " ").replace("\\n", " ");
            // In JavaScript the backtick is a quote; in all others it marks code.
            found.push(Prose { line, text: without_code(&content), is_comment: false });
            line += rest[..end].matches('\n').count();
            at += end;
        } else if first == '\'' && is_character(rest) {
            at += rest[1..].find('\'').map_or(1, |end| end + 2).max(if rest.starts_with("'\\'") { 4 } else { 3 });
        } else {
            line += usize::from(first == '\n');
            at += first.len_utf8();
        }
    }
    found.extend(comment.map(of_comment));
    found
}

fn of_comment((line, _, _, text): (usize, usize, &str, String)) -> Prose {
    Prose { line, text: without_code(&text), is_comment: true }
}

/// Whether a quote begins a character of Rust, not a lifetime.
fn is_character(rest: &str) -> bool {
    rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'')
}

/// The paragraphs of a page, without blocks of code.
fn paragraphs(text: &str) -> Vec<Prose> {
    let (mut found, mut in_code) = (Vec::<Prose>::new(), false);
    let mut open = String::new();
    let mut begin = 1;
    for (index, line) in text.lines().chain([""]).enumerate() {
        let fence = line.trim_start().starts_with("```");
        if fence || line.trim().is_empty() {
            if !in_code && !open.is_empty() {
                found.push(Prose { line: begin, text: without_code(&open), is_comment: false });
            }
            open.clear();
            in_code ^= fence;
        } else if !in_code {
            if open.is_empty() {
                begin = index + 1;
            }
            open.push_str(line);
            open.push('\n');
        }
    }
    found
}

/// Where `phrase` begins and ends with whole words.
fn is_at(text: &str, at: usize, length: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    !before.is_some_and(|c| is_word(c) || c == '-') && !after.is_some_and(|c| is_word(c) || c == '-')
}

/// The noun in "is no schema". "There is no schema" is fine.
fn negated_noun(text: &str) -> Option<&str> {
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &&str| word.starts_with(|c: char| c.is_alphabetic());
    words.windows(3).enumerate().find_map(|(at, window)| {
        let [verb, "no", noun] = window else { return None };
        let noun = noun.trim_matches(|c: char| !c.is_alphanumeric());
        let before = at
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .map_or("", |word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_found = matches!(*verb, "is" | "are" | "was" | "were")
            && !matches!(before, "there" | "where")
            && is_word(&noun)
            && !AFTER_NO.contains(&noun);
        is_found.then_some(noun)
    })
}

/// What is wrong with the English of a text.
fn faults(prose: &Prose) -> Vec<String> {
    let text = prose.text.to_lowercase();
    let mut faults = Vec::new();
    for (phrase, instead, right) in AVOIDED {
        // As many are right as are in a longer phrase.
        let times = text.match_indices(phrase).filter(|(at, _)| is_at(&text, *at, phrase.len())).count();
        let fine: usize = right.iter().map(|longer| text.matches(longer).count()).sum();
        if times > fine {
            faults.push(format!("`{phrase}`: write `{instead}`"));
        }
    }
    if let Some(noun) = negated_noun(&text) {
        faults.push(format!("`is no {noun}`: write `is not a {noun}`"));
    }
    if prose.is_comment && text.starts_with(REFERS_TO_NOTHING) && is_at(&text, 0, REFERS_TO_NOTHING.len()) {
        faults.push("it begins with `The same`: say what it is".to_owned());
    }
    faults
}

/// Whether the strings of a file are input of tests rather than texts for people.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        matches!(&*name, "tests" | "test" | "e2e" | "tests.rs" | "fixture.rs") || name.ends_with("_tests.rs")
    })
}

/// All prose of a file of the repository.
pub fn prose_of(path: &Path) -> Vec<Prose> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let name = path.to_string_lossy();
    if name.ends_with(".md") {
        return paragraphs(&text);
    }
    let Some(language) = LANGUAGES.iter().find(|language| name.ends_with(language.ending)) else { return Vec::new() };
    let below = path.strip_prefix(root()).unwrap_or(path);
    let tests = text.find("#[cfg(test)]\nmod tests {").map(|at| text[..at].matches('\n').count());
    let is_read = |found: &Prose| {
        found.is_comment || !is_test(below) && found.text.contains(' ') && tests.is_none_or(|first| found.line <= first)
    };
    prose(&text, language).into_iter().filter(is_read).collect()
}

#[test]
fn every_text_is_plain_english() {
    let endings = LANGUAGES.iter().map(|language| language.ending).chain([".md"]);
    let (mut read, mut wrong) = (0, Vec::new());
    for path in endings.flat_map(|ending| files_below(&root(), ending, &[])) {
        let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        if QUOTES.contains(&shown.replace('\\', "/").as_str()) {
            continue;
        }
        for found in prose_of(&path) {
            read += 1;
            wrong.extend(faults(&found).into_iter().map(|fault| {
                let start: String = found.text.chars().take(160).collect();
                format!("{shown}:{}: {fault}: {start}", found.line)
            }));
        }
    }
    assert!(read > 20_000, "only {read} texts were read");
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn prose_is_found_in_every_language() {
    let rust = "/// One `told`\n/// two.\nfn f<'a>() { say(\"three\\\n    four\", 'x', '\\''); } // five\nlet s = r#\"six \"7\" \"#;\n";
    let texts = |found: Vec<Prose>| found.into_iter().map(|prose| (prose.line, prose.text)).collect::<Vec<_>>();
    let mut found = texts(prose(rust, &LANGUAGES[0]));
    found.sort();
    let expected = [(1, "One `` two."), (3, "three four"), (4, "five"), (5, "six \"7\"")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    let lua = texts(prose("-- a\n-- b\nx = 'c d'\n", &LANGUAGES[4]));
    assert_eq!(lua, [(3, "c d".to_owned()), (1, "a b".to_owned())]);
    let page = texts(paragraphs("# Title\n\nOne\n`two`.\n\n```\nnobody\n```\n* three\n"));
    assert_eq!(page, [(1, "# Title".to_owned()), (3, "One ``.".to_owned()), (9, "* three".to_owned())]);
}

#[test]
fn phrases_are_found_as_words_with_their_exceptions() {
    let count = |text: &str, is_comment| faults(&Prose { line: 1, text: text.to_owned(), is_comment }).len();
    assert_eq!(count("Nothing is left behind, and lookbehind is a word.", true), 0);
    assert_eq!(count("It is behind the key, and nothing is left behind.", true), 1);
    assert_eq!(count("The same, sorted.", true), 1);
    assert_eq!(count("The sameness of files.", true), 0);
    assert_eq!(count("The same files are read.", false), 0);
    assert_eq!(count("It stands for a key, nobody is told, and understands.", false), 2);
    assert_eq!(count("It is no schema.", false), 1);
    assert_eq!(count("There is no schema, and it is no longer read.", false), 0);
}

#[test]
fn the_table_is_sorted() {
    assert!(AVOIDED.is_sorted_by_key(|(phrase, ..)| *phrase));
    let is_inside = |(phrase, _, right): &(&str, &str, &[&str])| right.iter().all(|longer| longer.contains(phrase));
    assert!(AVOIDED.iter().all(is_inside));
}

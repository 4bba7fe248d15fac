//! The house style that neither rustfmt nor clippy checks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::sources::{code_lines, root, server_crates, server_sources};

/// A file with more lines of code than this is two files. Tests, comments and blank lines do not count.
const LINES: usize = 500;

/// Files that may be longer, each with its reason. Empty is the aim.
const LONG: &[(&str, &str)] = &[];

/// File names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "manager", "helper", "helpers", "common", "misc"];

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for source in server_sources() {
        let lines = code_lines(&source.code);
        if lines > LINES && !LONG.iter().any(|(path, _)| *path == source.path) {
            long.push(format!("{}: {lines} lines of code; {LINES} are allowed", source.path));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn exceptions_are_still_needed() {
    let sources = server_sources();
    for (path, _) in LONG {
        let source = sources.iter().find(|source| source.path == *path);
        let lines = source.map_or(0, |source| code_lines(&source.code));
        assert!(lines > LINES, "{path} has {lines} lines: take it from the list");
    }
}

#[test]
fn files_have_telling_names() {
    for source in server_sources() {
        for part in source.path.split(['/', '\\']) {
            let name = part.trim_end_matches(".rs");
            assert!(!EMPTY_NAMES.contains(&name), "{}: name it after what it holds", source.path);
        }
    }
}

/// Files and folders with errors that are texts, how many, and why. The numbers may only get smaller.
const TEXT_ERRORS: &[(&str, usize, &str)] =
    &[("server/dialect/src/kubernetes/paths.rs", 2, "the end of the sentence of a finding")];

/// The types of errors that are texts, whatever their names.
const TEXTS: &[&str] = &["String", "std::string::String", "&'static str", "Cow<'static, str>", "Box<str>", "SmolStr"];

/// The errors of all results in a text, each with the line of its result.
fn errors_of_results(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("Result<") {
        let (mut depth, mut comma) = (0, None);
        let inner = &code[start + "Result".len()..];
        let end = inner.char_indices().find_map(|(at, c)| {
            match c {
                '<' | '(' | '[' => depth += 1,
                // An arrow closes nothing.
                '>' if inner[..at].ends_with('-') => {}
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 1 => comma = comma.or(Some(at)),
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        if let (Some(comma), Some(end)) = (comma, end) {
            let error = inner[comma + 1..end].trim().trim_end_matches(',').trim();
            found.push((code[..start].matches('\n').count() + 1, error));
        }
    }
    found
}

#[test]
fn errors_of_results_are_found() {
    let code = "fn a() -> Result<Vec<(u8, u8)>, String> {\ntype B = Result<\n    fn(u8) -> u8,\n    &'static str,\n>;\nfn c() -> Result<()> {";
    assert_eq!(errors_of_results(code), [(1, "String"), (2, "&'static str")]);
}

#[test]
fn errors_are_data() {
    let mut counted = vec![0; TEXT_ERRORS.len()];
    let mut wrong = Vec::new();
    let mut all = 0;
    for source in server_sources() {
        let path = source.path.replace('\\', "/");
        let known = TEXT_ERRORS.iter().position(|(place, ..)| path.starts_with(place));
        for (line, error) in errors_of_results(&source.code) {
            all += 1;
            match known {
                _ if !TEXTS.contains(&error) => {}
                Some(known) => counted[known] += 1,
                None => wrong.push(format!("{path}:{line}: make the error a type, not a text")),
            }
        }
    }
    assert!(all > 300, "{all} results with errors");
    for ((place, known, _), count) in TEXT_ERRORS.iter().zip(counted) {
        if count != *known {
            wrong.push(format!("{place}: {count} errors are texts, and {known} are listed; write the smaller number"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What an error says is in its `Display`; a function that passes it on needs it to be an `Error`.
#[test]
fn errors_with_words_are_errors() {
    let sources = server_sources();
    let code: Vec<&str> = sources.iter().map(|source| source.code.as_str()).collect();
    let has = |text: &str| code.iter().any(|code| code.contains(text));
    let names: BTreeSet<&str> = code.iter().flat_map(|code| errors_of_results(code)).map(|(_, error)| error).collect();
    let wrong: Vec<&str> = names
        .into_iter()
        .filter(|name| has(&format!("fmt::Display for {name} {{")) && !has(&format!("Error for {name} {{")))
        .collect();
    assert!(wrong.is_empty(), "write `impl std::error::Error` for {}", wrong.join(", "));
}

#[test]
fn a_choice_between_true_and_false_is_an_if() {
    let mut wrong = Vec::new();
    for source in server_sources() {
        for (number, line) in source.code.lines().map(str::trim).enumerate() {
            let arm = line.strip_prefix("true ").or_else(|| line.strip_prefix("false "));
            if arm.is_some_and(|rest| rest.starts_with("=>") || rest.starts_with("if ")) {
                wrong.push(format!("{}:{}", source.path, number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many types may share a name, each in a place of its own: a name that many share says nothing where it is read.
const NAMESAKES: usize = 5;

/// Names that only one type has: readers took others of the name for it.
const UNIQUE: &[&str] = &["Cause", "Memo", "Wanted"];

/// Names that mean the same wherever they are declared.
const SAME_EVERYWHERE: &[(&str, &str)] = &[
    ("Params", "the parameters of one request"),
    ("Arguments", "the arguments of one function or command"),
    ("State", "the state of one machine"),
    ("View", "what one floor shows to the next"),
];

#[test]
fn names_are_not_shared_by_many_types() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in server_sources() {
        // Associated types are indented.
        for line in source.code.lines().filter(|line| !line.starts_with(' ')) {
            let declared = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub(super) "));
            let declared = declared.or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
            let mut words = declared.split(|c: char| !c.is_alphanumeric() && c != '_');
            if let (Some("struct" | "enum" | "trait" | "type"), Some(name)) = (words.next(), words.next()) {
                places.entry(name.to_owned()).or_default().push(source.path.clone());
            }
        }
    }
    assert!(places.len() > 500, "{} types", places.len());
    let most = |name: &str| if UNIQUE.contains(&name) { 1 } else { NAMESAKES };
    let is_free = |name: &str| SAME_EVERYWHERE.iter().any(|(free, _)| *free == name);
    let shared: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > most(name) && !is_free(name))
        .map(|(name, places)| format!("`{name}`, declared in {}", places.join(", ")))
        .collect();
    assert!(shared.is_empty(), "too many types have one name:\n{}", shared.join("\n"));
}

#[test]
fn unsafe_code_is_forbidden_everywhere() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the root manifest");
    let manifest: toml::Table = manifest.parse().expect("the root manifest is TOML");
    assert_eq!(manifest["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    let mut folders: Vec<String> = server_crates().into_iter().map(|name| format!("server/{name}")).collect();
    folders.extend(["xtask".to_owned(), "tests".to_owned()]);
    for folder in folders {
        let manifest = fs::read_to_string(root().join(&folder).join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
        let inherits = manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(|flag| flag.as_bool());
        assert_eq!(inherits, Some(true), "{folder}/Cargo.toml needs `[lints] workspace = true`");
    }
}

#[test]
fn every_crate_says_what_it_is_for() {
    for name in server_crates() {
        let source = root().join("server").join(&name).join("src");
        let text = fs::read_to_string(source.join("lib.rs"))
            .or_else(|_| fs::read_to_string(source.join("main.rs")))
            .unwrap_or_default();
        assert!(text.starts_with("//!"), "server/{name}: the first lines say what the crate is for");
    }
}

/// A lock of the standard library is poisoned by a panic, and each use would have to handle that.
#[test]
fn locks_are_never_poisoned() {
    let poisoned = concat!("Poison", "Error");
    let wrong: Vec<String> = server_sources()
        .into_iter()
        .filter(|source| source.code.contains(poisoned))
        .map(|source| format!("{}: use the lock of `parking_lot`", source.path))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words that messages and manuals do not use, with those that they do.
const VOCABULARY: &[(&str, &str)] = &[
    (concat!("can", " not"), "cannot"),
    ("can't", "cannot"),
    ("dictionary", "map"),
    ("mapping", "map"),
    ("list item", "item"),
    ("text string", "string"),
];

/// Crates whose messages are those of running code.
const RUNNING: [&str; 2] = ["interpreter", "starlark"];

#[test]
fn messages_use_one_vocabulary() {
    let mut wrong = Vec::new();
    // In code that fails, Starlark and ytt have the word: tests compare it with theirs.
    for source in server_sources().into_iter().filter(|source| !RUNNING.contains(&&*source.crate_name)) {
        // Strings are between the odd and even quotes of a line; names in code are not messages.
        for (number, line) in source.code.lines().enumerate() {
            let strings = line.split('"').skip(1).step_by(2);
            for text in strings.filter(|text| text.contains(' ')) {
                wrong.extend(VOCABULARY.iter().filter(|(word, _)| text.contains(word)).map(|(word, instead)| {
                    format!("{}:{}: `{word}`: write `{instead}`: {text}", source.path, number + 1)
                }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Languages that share a folder: how many forms of one there are.
const FORMS: &[(&str, usize)] = &[("proposals", 2)];

/// A language is a folder of `dialect` and one entry in its list, or one for each of its forms.
#[test]
fn every_dialect_is_registered_once() {
    let folder = root().join("server/dialect/src");
    let list = fs::read_to_string(folder.join("lib.rs")).expect("the crate's first file");
    let list = list.split("pub static DIALECTS").nth(1).and_then(|rest| rest.split(';').next()).expect("the list");
    for entry in fs::read_dir(&folder).expect("the crate").flatten().filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let times = list.matches(&format!("&{name}::")).count();
        let forms = FORMS.iter().find(|(folder, _)| *folder == name).map_or(1, |(_, forms)| *forms);
        assert_eq!(times, forms, "{name} in DIALECTS");
    }
}

/// The code that a file may name, with underscores: of `check/src/rules/ytt_max.rs`, or of
/// `dialect/src/openchoreo/rules/ref_circular.rs`.
fn own_rule(path: &str) -> String {
    let own = match path.strip_prefix("server/dialect/src/") {
        Some(below) => below.split_once("/rules/").map(|(family, name)| format!("{family}_{name}")),
        None => path.strip_prefix("server/check/src/rules/").map(str::to_owned),
    };
    own.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// A rule is known by its static; its code is written once, where it is declared.
#[test]
fn codes_of_rules_stand_in_their_files_only() {
    let page = fs::read_to_string(root().join("docs/rules.md")).expect("the page of all rules");
    let codes: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| [`")?.split('`').next()).collect();
    assert!(codes.len() > 80, "{codes:?}");
    let mut wrong = Vec::new();
    for source in server_sources() {
        let own = own_rule(&source.path);
        for code in codes.iter().filter(|code| code.replace(['/', '-'], "_") != own) {
            if source.code.contains(&format!("\"{code}\"")) {
                wrong.push(format!("{}: names the rule \"{code}\" by its text", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

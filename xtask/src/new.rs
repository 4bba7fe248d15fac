//! `cargo xtask new-rule`, `new-action`, `new-dialect`: write the files that a new one begins with, and the line that registers it.
//!
//! What is written comes from samples that are compiled and tested with their crates, so that it cannot become
//! outdated.

use crate::shell;
use anyhow::{Context, anyhow, bail};
use std::fs;
use std::path::Path;

/// A file to be written, by its path below the root.
#[derive(Debug, PartialEq)]
struct Written {
    path: String,
    text: String,
    is_new: bool,
}

/// The text of a file of the repository.
type Read<'r> = &'r dyn Fn(&str) -> anyhow::Result<String>;

/// `cargo xtask new-rule FAMILY/NAME`
pub fn rule(arguments: &[String]) -> anyhow::Result<bool> {
    let [code] = arguments else {
        bail!("write the code of the rule: `cargo xtask new-rule ytt/some-name`");
    };
    write(
        new_rule(code, &read)?,
        "describe it, then `cargo xtask docs` and `cargo test -p lofting-workspace --test rules`",
    )
}

/// `cargo xtask new-action NAME`
pub fn action(arguments: &[String]) -> anyhow::Result<bool> {
    let [name] = arguments else {
        bail!("write the name of the action: `cargo xtask new-action name`");
    };
    write(new_action(name, &read)?, "`cargo test -p lofting-ide --lib code_actions`")
}

/// `cargo xtask new-dialect NAME`
pub fn dialect(arguments: &[String]) -> anyhow::Result<bool> {
    let [name] = arguments else {
        bail!("write the name of the language: `cargo xtask new-dialect name`");
    };
    write(new_dialect(name, &read)?, "`cargo test -p lofting-dialect`")
}

fn read(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(shell::root().join(path)).with_context(|| path.to_string())
}

fn write(files: Vec<Written>, next: &str) -> anyhow::Result<bool> {
    if let Some(file) = files.iter().find(|file| file.is_new && shell::root().join(&file.path).exists()) {
        bail!("{} exists", file.path);
    }
    for Written { path, text, .. } in files {
        let absolute = shell::root().join(&path);
        fs::create_dir_all(absolute.parent().unwrap_or(Path::new("."))).with_context(|| path.to_string())?;
        fs::write(&absolute, text).with_context(|| path.to_string())?;
        println!("wrote {path}");
    }
    println!("next: {next}");
    Ok(true)
}

const RULES: &str = "server/check/src/rules";
const RULE_LIST: &str = "server/check/src/rules.rs";
const FIXTURES: &str = "server/workspace/tests/rules/fixtures";

/// Families whose rules are in `check`.
const FAMILIES: [&str; 4] = ["lofting", "schema", "yaml", "ytt"];

fn new_rule(code: &str, read: Read<'_>) -> anyhow::Result<Vec<Written>> {
    let (family, name) = code.split_once('/').context("a code is a family and a name: `ytt/some-name`")?;
    if !FAMILIES.contains(&family) {
        let folder = format!("server/dialect/src/{family}/rules");
        bail!(
            "{RULES} has the rules that every language shares, and those of {}; rules of `{family}` belong to {folder}, \
             where its reader calls them",
            FAMILIES.join(", ")
        );
    }
    let name = module(name)?;
    let module = format!("{family}_{name}");
    let sample = read(&format!("{RULES}/sample.rs"))?.replace("ytt/sample", code);
    let (rule, fixture) = match family {
        "ytt" => (sample, format!("#- app.yml\n#@ x = 1\nchangeme: #@ x\n#^^^^^^^ {code}\nother: 1\n")),
        _ => (in_all_files(&sample)?, format!("#- app.yml\nchangeme: 80\n#^^^^^^^ {code}\nother: 1\n")),
    };
    Ok(vec![
        Written { path: format!("{RULES}/{module}.rs"), text: rule, is_new: true },
        Written {
            path: RULE_LIST.into(),
            text: listed(&read(RULE_LIST)?, "looking_rules! {\n", &module)?,
            is_new: false,
        },
        Written { path: format!("{FIXTURES}/{module}.yml"), text: fixture, is_new: true },
    ])
}

/// The sample, which is for templates of ytt, as a rule for all YAML.
fn in_all_files(sample: &str) -> anyhow::Result<String> {
    let mut text = sample.to_owned();
    for (from, to) in [
        ("    /// #@ x = 1\n    /// changeme: #@ x\n", "    /// changeme: 80\n"),
        ("Looks::in_templates", "Looks::everywhere"),
    ] {
        if !text.contains(from) {
            bail!("the sample no longer has `{}`", from.trim());
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

const ACTIONS: &str = "server/ide/src/code_actions/refactorings";
const ACTION_LIST: &str = "server/ide/src/code_actions/refactorings.rs";

fn new_action(name: &str, read: Read<'_>) -> anyhow::Result<Vec<Written>> {
    let module = module(name)?;
    let list = listed(&read(ACTION_LIST)?, "refactorings! {\n", &module)?;
    let text = read(&format!("{ACTIONS}/sample.rs"))?;
    Ok(vec![
        Written { path: format!("{ACTIONS}/{module}.rs"), text, is_new: true },
        Written { path: ACTION_LIST.into(), text: list, is_new: false },
    ])
}

const DIALECTS: &str = "server/dialect/src/lib.rs";

fn new_dialect(name: &str, read: Read<'_>) -> anyhow::Result<Vec<Written>> {
    let module = module(name)?;
    let kind: String = name.split('-').map(capitalised).collect();
    // Below `crate` what is outside it has another name.
    let sample = read("server/dialect/tests/toy/language.rs")?;
    let language = sample.replace("lofting_dialect::", "crate::").replace("Toy", &kind).replace("toy", name);
    let list = read(DIALECTS)?;
    let first = list.find("pub mod ").context("the list of modules is not where it was")?;
    let list = format!("{}pub mod {module};\n{}", &list[..first], &list[first..]);
    let start = list.find("pub static DIALECTS").context("the list of languages is not where it was")?;
    let end = start + list[start..].find("]);").context("the list of languages has no end")?;
    let list = format!("{}    &{module}::{kind},\n{}", &list[..end], &list[end..]);
    Ok(vec![
        Written { path: format!("server/dialect/src/{module}/mod.rs"), text: language, is_new: true },
        Written { path: DIALECTS.into(), text: list, is_new: false },
    ])
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The name of a module for a name with hyphens.
fn module(name: &str) -> anyhow::Result<String> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_letter) {
        Ok(name.replace('-', "_"))
    } else {
        Err(anyhow!("`{name}` is not a name: write small letters and hyphens"))
    }
}

/// A list with another line in its place among the others, which are sorted.
fn listed(text: &str, head: &str, entry: &str) -> anyhow::Result<String> {
    // The macro of that name is declared above its list.
    let start = text.rfind(head).with_context(|| format!("there is no `{}`", head.trim()))? + head.len();
    let end = start + text[start..].find("}\n").context("the list has no end")?;
    let mut lines: Vec<&str> = text[start..end].lines().map(|line| line.trim().trim_end_matches(',')).collect();
    if lines.contains(&entry) {
        bail!("`{entry}` is in the list");
    }
    let at = lines.partition_point(|line| *line < entry);
    lines.insert(at, entry);
    let lines: String = lines.iter().map(|line| format!("    {line},\n")).collect();
    Ok(format!("{}{lines}{}", &text[..start], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::{ACTION_LIST, FIXTURES, RULE_LIST, RULES, listed, new_action, new_dialect, new_rule, read};

    /// What is written is the sample, which its crate compiles and tests, under another name; it is registered once.
    #[test]
    fn a_rule_is_three_files() {
        let files = new_rule("ytt/an-idea", &read).expect("it can be written");
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let fixture = format!("{FIXTURES}/ytt_an_idea.yml");
        assert_eq!(paths, [&format!("{RULES}/ytt_an_idea.rs"), RULE_LIST, &fixture]);
        let sample = read(&format!("{RULES}/sample.rs")).expect("the sample");
        assert_eq!(files[0].text.replace("ytt/an-idea", "ytt/sample"), sample);
        assert!(files[0].text.contains("code: \"ytt/an-idea\""));
        let before = read(RULE_LIST).expect("the list");
        assert_eq!(files[1].text.lines().filter(|line| *line == "    ytt_an_idea,").count(), 1);
        assert_eq!(files[1].text.replace("    ytt_an_idea,\n", ""), before);
        assert!(files[2].text.contains("#^^^^^^^ ytt/an-idea\n"));
    }

    #[test]
    fn a_rule_about_all_yaml_has_no_ytt() {
        let files = new_rule("yaml/an-idea", &read).expect("it can be written");
        assert!(files[0].text.contains("Looks::everywhere") && !files[0].text.contains("#@"), "{}", files[0].text);
        assert_eq!(files[2].text, "#- app.yml\nchangeme: 80\n#^^^^^^^ yaml/an-idea\nother: 1\n");
    }

    #[test]
    fn an_action_is_two_files() {
        let files = new_action("an-idea", &read).expect("it can be written");
        assert_eq!(files[0].path, "server/ide/src/code_actions/refactorings/an_idea.rs");
        let before = read(ACTION_LIST).expect("the list");
        assert_eq!(files[1].text.replace("    an_idea,\n", ""), before);
        assert_ne!(files[1].text, before);
    }

    #[test]
    fn a_language_is_a_folder_and_its_entries() {
        let files = new_dialect("some-language", &read).expect("it can be written");
        assert_eq!(files[0].path, "server/dialect/src/some_language/mod.rs");
        assert!(files[0].text.contains("pub struct SomeLanguage;") && !files[0].text.contains("toy"));
        let before = read("server/dialect/src/lib.rs").expect("the list");
        let added =
            files[1].text.replace("pub mod some_language;\n", "").replace("    &some_language::SomeLanguage,\n", "");
        assert_eq!(added, before);
        assert_eq!(files[1].text.matches("some_language").count(), 2);
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        for code in ["idea", "ytt/An-Idea", "ytt/", "openchoreo/idea", "ytt/a_b", "ytt/../x"] {
            assert!(new_rule(code, &read).is_err(), "{code}");
        }
        assert!(listed("list! {\n    a,\n}\n", "list! {\n", "a").is_err());
        let longer = listed("list! {\n    a,\n    c,\n}\n", "list! {\n", "b").expect("it is not in the list");
        assert_eq!(longer, "list! {\n    a,\n    b,\n    c,\n}\n");
    }
}

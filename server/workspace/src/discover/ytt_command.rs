//! From the words of a command to the inputs of `ytt`.

use super::shell::Simple;
use super::{FoundCommand, UNKNOWN};
use crate::inputs::InputFlags;

/// Characters of a command shown to the user.
const SHOWN: usize = 80;

/// The inputs, if the command runs `ytt` to render something.
pub(super) fn read(simple: &Simple, first_line: usize) -> Option<FoundCommand> {
    let at = simple.words.iter().position(|word| is_ytt(word))?;
    let words = simple.words.get(at + 1..)?;
    if words.first().is_some_and(|word| matches!(word.as_str(), "fmt" | "version" | "completion" | "website" | "help"))
    {
        return None;
    }
    let mut found = FoundCommand {
        flags: InputFlags::default(),
        keys: Vec::new(),
        directory: simple.directory.clone(),
        line: first_line + simple.line + 1,
        command: shown(simple.words.get(at..)?),
        incomplete: false,
        more_values: false,
        inline: Vec::new(),
        beside: &[],
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, inline) = split(word);
        let list = match name {
            "-f" | "--file" => &mut found.flags.files,
            "--data-values-file" => &mut found.flags.data_values_files,
            "-v" | "--data-value" => &mut found.flags.data_values,
            "--data-value-yaml" => &mut found.flags.data_values_yaml,
            "--data-value-file" => &mut found.flags.data_value_files,
            "--data-values-env" => &mut found.flags.data_values_env,
            "--data-values-env-yaml" => &mut found.flags.data_values_env_yaml,
            "--file-mark" => &mut found.flags.file_marks,
            "--ignore-unknown-comments" => {
                found.flags.options.ignore_unknown_comments = inline != Some("false");
                continue;
            }
            "--implicit-map-key-overrides" => {
                found.flags.options.implicit_map_key_overrides = inline != Some("false");
                continue;
            }
            "-s" | "--strict" => {
                found.flags.options.strict = inline != Some("false");
                continue;
            }
            "--dangerous-data-values-disable-validation" => {
                found.flags.options.disable_validation = inline != Some("false");
                continue;
            }
            // Other flags do not concern inputs. If one has its value in the next word, that word is not a flag and is
            // skipped.
            _ => continue,
        };
        let value = match inline {
            Some(value) => Some(value.to_owned()),
            None => words.next().cloned(),
        };
        list.extend(value);
    }
    found.keys = keys(&found.flags);
    keep_known(&mut found);
    (!found.flags.files.is_empty()).then_some(found)
}

/// The keys that flags name. Those for libraries have a schema of their own.
fn keys(flags: &InputFlags) -> Vec<String> {
    let given = [&flags.data_values, &flags.data_values_yaml, &flags.data_value_files].into_iter().flatten();
    let keys = given.filter_map(|value| value.split_once('=')).map(|(key, _)| key);
    keys.filter(|key| !key.starts_with('@') && !key.contains(UNKNOWN)).map(str::to_owned).collect()
}

/// Removes what cannot be known: the standard input, values of variables.
fn keep_known(found: &mut FoundCommand) {
    let is_stdin = |value: &String| value == "-" || value.ends_with("=-");
    found.more_values = gives_more_values(&found.flags, is_stdin);
    found.flags.files.retain(|value| !is_stdin(value));
    found.flags.data_values_files.retain(|value| !is_stdin(value));
    // A value that is only a variable can be anything; one that contains a variable names a family of files.
    let is_free = |value: &str| {
        let mut parts = value.split(UNKNOWN);
        let known: usize = parts.by_ref().step_by(2).map(str::len).sum();
        value.contains(UNKNOWN) && (known == 0 || value.matches(UNKNOWN).count() > 2)
    };
    let before = found.flags.files.len();
    found.flags.files.retain(|value| !is_free(value));
    found.incomplete |= found.flags.files.len() < before;
    found.flags.data_values_files.retain(|value| !is_free(value));
    let flags = &mut found.flags;
    for list in [&mut flags.data_values, &mut flags.data_values_yaml] {
        // The variable's value is not known; the key still is, but nothing can be said about its value.
        list.retain(|value| !value.contains(UNKNOWN));
    }
    // The environment and files made by the run are not available.
    flags.data_value_files.clear();
    flags.data_values_env.clear();
    flags.data_values_env_yaml.clear();
    let marks = flags.file_marks.len();
    flags.file_marks.retain(|value| !value.contains(UNKNOWN));
    found.incomplete |= flags.file_marks.len() < marks;
    // Its inputs show where it runs.
    if found.directory.contains(UNKNOWN) {
        found.directory.clear();
    }
}

/// Whether flags provide values that are not files, or take the standard input.
fn gives_more_values(flags: &InputFlags, is_stdin: impl Fn(&String) -> bool) -> bool {
    let flagged = [
        &flags.data_values,
        &flags.data_values_yaml,
        &flags.data_value_files,
        &flags.data_values_env,
        &flags.data_values_env_yaml,
    ];
    flagged.iter().any(|values| !values.is_empty()) || flags.files.iter().chain(&flags.data_values_files).any(is_stdin)
}

/// Splits `-f=x`, `--file=x` and `-fx`.
fn split(word: &str) -> (&str, Option<&str>) {
    if let Some((name, value)) = word.split_once('=').filter(|(name, _)| name.starts_with('-')) {
        return (name, Some(value));
    }
    for short in ["-f", "-v"] {
        if let Some(value) = word.strip_prefix(short).filter(|value| !value.is_empty()) {
            return (word.get(..2).unwrap_or(word), Some(value));
        }
    }
    (word, None)
}

/// `ytt`, `./bin/ytt`, `$(YTT)`
fn is_ytt(word: &str) -> bool {
    let name = word.trim_matches(UNKNOWN);
    name.rsplit('/').next() == Some("ytt") || (name.len() + 2 <= word.len() && name.eq_ignore_ascii_case("ytt"))
}

fn shown(words: &[String]) -> String {
    let words = words.join(" ");
    // Every second part is the name of a variable.
    let parts = words.split(UNKNOWN).enumerate();
    let text: String =
        parts.map(|(index, part)| if index % 2 == 1 { format!("${part}") } else { part.to_owned() }).collect();
    if text.chars().count() <= SHOWN {
        return text;
    }
    let short: String = text.chars().take(SHOWN).collect();
    format!("{short}…")
}

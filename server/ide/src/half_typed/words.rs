//! What the text of a line is the beginning of.

use lofting_annotation::catalog;

/// Whether a message says that a string in code is not closed yet: it may end on the next line.
pub(super) fn is_open_string(message: &str) -> bool {
    message.starts_with("unexpected end of string")
}

/// Whether a line of code may become one that defines or loads the undefined name of a message.
pub(super) fn is_beginning_of_name(line: &str, message: &str) -> bool {
    let Some(begun) = line.trim_start().strip_prefix('#') else { return false };
    let Some(name) = message.strip_prefix("undefined: ") else { return false };
    let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let begun = begun.trim_start_matches('@').trim();
    name.starts_with(begun) || "load(".starts_with(begun) || begun.starts_with("load(")
}

/// Whether a line may become one that sets a name, or its kind, which a message says does not exist: a key without a
/// value, or the beginning of a word of the message.
pub(super) fn is_beginning_of_given_name(line: &str, message: &str) -> bool {
    let line = line.trim();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let typed = line.rsplit(|c| !is_part(c)).next().unwrap_or_default();
    let is_value = line.contains(": ") && !typed.is_empty();
    !is_value || message.split(|c| !is_part(c)).any(|word| word.starts_with(typed))
}

/// Keys whose values are compared with those of other labels.
pub(super) const LABELS: [&str; 4] = ["labels:", "matchLabels:", "selector:", "matchExpressions:"];

/// Whether a message names the key of a line, perhaps at the end of a path.
pub(super) fn names_key(message: &str, line: &str) -> bool {
    let key = line.trim_start().trim_start_matches("- ").split(':').next().unwrap_or_default();
    let is_key = |word: &str| word.rsplit('.').next() == Some(key);
    !key.is_empty() && message.split('`').skip(1).step_by(2).any(is_key)
}

/// Whether a line may become that of a key with this name.
pub(super) fn is_beginning_of_key(line: &str, name: &str) -> bool {
    let word = line.trim().trim_start_matches("- ").split(':').next().unwrap_or_default();
    let word = word.trim_start_matches(['"', '\'']);
    !word.is_empty() && name.starts_with(word)
}

/// Whether a line is the beginning of an annotation or of code, and nothing in itself.
pub(super) fn is_beginning_of_code(line: &str) -> bool {
    let Some((before, code)) = line.split_once('#') else { return false };
    if !(before.is_empty() || before.ends_with([' ', '\t'])) {
        return false;
    }
    match code.trim_end().strip_prefix('@') {
        // A comment that says something is finished.
        None => code.trim_end().is_empty(),
        Some(code) if !before.trim().is_empty() => code.is_empty(),
        Some(code) => {
            let is_name = !code.is_empty() && !code.starts_with(' ');
            let is_begun = |name: &str| name.len() > code.len() && name.starts_with(code);
            let word = code.trim_start();
            code.is_empty()
                || is_name && catalog::find(code).is_none() && catalog::entries().any(|entry| is_begun(entry.name))
                || !is_name && BLOCK_WORDS.iter().any(|keyword| *keyword != word && keyword.starts_with(word))
        }
    }
}

/// Words that begin or end blocks.
pub(super) const BLOCK_WORDS: [&str; 6] = ["def", "if", "for", "elif", "else", "end"];

/// Whether a line may become the end of a block of code.
pub(super) fn is_beginning_of_end(line: &str) -> bool {
    let line = line.trim();
    let code = line.strip_prefix("#@").map(str::trim_start);
    line == "#" || code.is_some_and(|code| "end".starts_with(code))
}

/// Whether a line may become code that opens a block.
pub(super) fn is_beginning_of_block(line: &str) -> bool {
    is_code(line) && !line.trim_end().ends_with(':')
}

/// Whether a line may become the `return` of a function, which returns nothing until then.
pub(super) fn is_beginning_of_return(line: &str) -> bool {
    let code = line.trim().trim_start_matches(['#', '@']).trim_start();
    is_code(line) && (code.starts_with("return") || "return".starts_with(code))
}

/// Whether a line is code, or the beginning of it.
pub(super) fn is_code(line: &str) -> bool {
    let line = line.trim();
    line == "#" || line == "#@" || line.starts_with("#@ ")
}

/// Whether a line of a schema says what type a value has.
pub(super) fn gives_type(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches("- ");
    ["type:", "$ref:", "items:", "properties:"].iter().any(|key| line.starts_with(key))
}

pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether the text after a key or on a line has no value yet: only anchors, tags and comments.
pub(super) fn is_unwritten(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.find(|word| !word.starts_with(['&', '!'])).is_none_or(|word| word.starts_with('#'))
}

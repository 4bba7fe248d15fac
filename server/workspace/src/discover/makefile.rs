//! Makefiles: recipes run in the directory of the file, each line in a separate shell.

use super::FoundCommand;
use super::script::in_text;
use super::shell::Dialect;
use super::variables::Variables;

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let mut variables = Variables::default();
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        // A line that ends in a backslash continues.
        let mut whole = line.to_owned();
        while whole.ends_with('\\') {
            let Some((_, next)) = lines.next() else { break };
            whole.push('\n');
            whole.push_str(next);
        }
        if let Some(recipe) = whole.strip_prefix('\t') {
            let recipe = recipe.trim_start_matches(['@', '-', '+', ' ']);
            found.extend(in_text(recipe, number, Dialect::Make, &mut variables));
        } else if let Some((name, value)) = assignment(&whole) {
            let value = expanded(value, &mut variables);
            variables.set(name, value);
        }
    }
    found
}

/// `NAME = value` with any of make's operators.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches("export ").trim();
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let plain = !name.is_empty() && name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric());
    plain.then_some((name, value.trim()))
}

/// A value with the variables it uses.
fn expanded(value: &str, variables: &mut Variables) -> String {
    let quoted = format!("\"{}\"", value.replace('"', "\\\""));
    let words = variables.while_frozen(|variables| super::shell::commands(&quoted, Dialect::Make, variables));
    words.into_iter().next().and_then(|simple| simple.words.into_iter().next()).unwrap_or_default()
}

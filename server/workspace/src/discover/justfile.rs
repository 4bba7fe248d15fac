//! justfiles: recipes are indented; variables are written `{{name}}`.

use super::FoundCommand;
use super::script::in_text;
use super::shell::Dialect;
use super::variables::Variables;

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let mut variables = Variables::default();
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let mut whole = line.to_owned();
        while whole.ends_with('\\') {
            let Some((_, next)) = lines.next() else { break };
            whole.push('\n');
            whole.push_str(next);
        }
        if whole.starts_with([' ', '\t']) {
            let recipe = whole.trim_start().trim_start_matches(['@', '-']);
            found.extend(in_text(recipe, number, Dialect::Braces, &mut variables));
        } else if let Some((name, value)) = whole.split_once(":=") {
            let value = value.trim();
            let literal = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
            match literal {
                Some(literal) => variables.set(name.trim(), literal.to_owned()),
                None => variables.forget(name.trim()),
            }
        }
    }
    found
}

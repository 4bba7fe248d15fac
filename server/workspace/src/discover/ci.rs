//! GitHub workflows and GitLab CI files: pieces of shell below `run`, `script` and the like.

use super::FoundCommand;
use super::script::in_text;
use super::shell::Dialect;
use super::variables::Variables;
use super::yaml::pieces;

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let tree = lofting_syntax::parse(text);
    let mut found = Vec::new();
    for piece in pieces(&tree) {
        if matches!(&*piece.key, "run" | "script" | "before_script" | "after_script") {
            // `${{ ... }}` of GitHub is an unknown value to the shell parser.
            let mut variables = Variables::default();
            found.extend(in_text(&piece.text, piece.first_line, Dialect::Shell, &mut variables));
        }
    }
    found
}

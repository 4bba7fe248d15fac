//! READMEs: code blocks of a shell, or of no language.

use super::FoundCommand;
use super::script::in_text;
use super::shell::Dialect;
use super::variables::Variables;

/// A code block that is being read.
struct FencedBlock {
    /// Its fence, which also ends it.
    fence: &'static str,
    /// It is a shell's.
    shell: bool,
    /// First line of its text, from 0.
    first: usize,
    text: String,
}

pub(super) fn commands(text: &str) -> Vec<FoundCommand> {
    let mut found = Vec::new();
    let mut open: Option<FencedBlock> = None;
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let fence = ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence));
        match (open.take(), fence) {
            (None, None) => {}
            (None, Some(fence)) => {
                open = Some(FencedBlock { fence, shell: is_shell(trimmed), first: number + 1, text: String::new() });
            }
            (Some(block), Some(fence)) if fence == block.fence => {
                if block.shell {
                    found.extend(in_text(&block.text, block.first, Dialect::Shell, &mut Variables::default()));
                }
            }
            (Some(mut block), _) => {
                // `$ ytt ...` as shown in a terminal.
                block.text.push_str(trimmed.strip_prefix("$ ").unwrap_or(line));
                block.text.push('\n');
                open = Some(block);
            }
        }
    }
    found
}

fn is_shell(fence: &str) -> bool {
    let language = fence.trim_start_matches(['`', '~']).trim().to_ascii_lowercase();
    let language = language.split([' ', ',', '{']).next().unwrap_or_default();
    matches!(language, "" | "sh" | "bash" | "shell" | "console" | "shell-session" | "zsh")
}

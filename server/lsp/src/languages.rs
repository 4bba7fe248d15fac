//! What a client says a document is.

/// Languages of inputs of ytt that are not YAML, as editors name them. Everything else that a client sends is YAML under
/// one of its many names (`yaml.docker-compose`, `dockercompose`, `github-actions-workflow`, `helm`, …): it was asked to send
/// it.
const OTHERS: &[&str] = &[
    "bazel",
    "bzl",
    "lofting-star",
    "lofting-toml",
    "plaintext",
    "python",
    "star",
    "starlark",
    "text",
    "toml",
    "txt",
    "ytt-text",
    "ytttext",
];

/// Whether documents of a language are YAML. If not, the name of the file says what they are.
pub(crate) fn is_yaml(language: &str) -> bool {
    !OTHERS.contains(&language)
}

#[cfg(test)]
mod tests {
    use super::is_yaml;

    /// The quoted names at the beginnings of the lines between two texts.
    fn names<'t>(text: &'t str, from: &str, to: &str) -> Vec<&'t str> {
        let rest = text.split_once(from).expect("the beginning").1;
        let table = rest.split_once(to).expect("the end").0;
        let quotes = ['\'', '"', ':', ']'];
        let name = |line: &'t str| line.trim_start_matches([' ', '[', '\'', '"']).split(quotes).next();
        table.lines().filter_map(name).filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn what_our_extensions_send_as_yaml_is_yaml() {
        let vscode = include_str!("../../../editors/vscode/src/languages.ts");
        let neovim = include_str!("../../../editors/neovim/lsp/lofting.lua");
        let vscode = names(vscode, "YAML_LANGUAGES: Record<string, string[]> = {", "\n};");
        let neovim = names(neovim, "local yaml_types = {", "\n}");
        for wanted in ["yaml", "dockercompose", "helm"] {
            assert!(vscode.contains(&wanted) && neovim.contains(&wanted), "{wanted}: {vscode:?} {neovim:?}");
        }
        for language in vscode.into_iter().chain(neovim) {
            assert!(is_yaml(language), "{language}");
        }
        for language in ["plaintext", "starlark", "ytt-text", "ytttext", "lofting-star", "lofting-toml", "toml"] {
            assert!(!is_yaml(language), "{language}");
        }
    }
}

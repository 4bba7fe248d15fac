//! What a client says a document is.

/// Languages of inputs of ytt that are not YAML, as editors name them. Everything else that a client sends is YAML under
/// one of its many names (`yaml.docker-compose`, `dockercompose`, `github-actions-workflow`, `helm`, …): it was told to send
/// it.
const OTHERS: &[&str] = &[
    "bazel",
    "bzl",
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

//! Markers of template languages in YAML: `{{` of Go, Helm and Jinja, `{%` and `{#` of Jinja.
//!
//! In quotes, in a block scalar and inside of a plain scalar they are text like any other, and the file is data: an alert
//! of Prometheus, a task of Ansible. Where YAML would begin a map instead, the file is YAML only after rendering.
//! GitHub's `${{ }}` is text, too.

use lofting_syntax::{Kind, Tree};
use memchr::memmem;

const MARKERS: [&str; 3] = ["{{", "{%", "{#"];

/// Whether bytes contain a marker anywhere.
pub(crate) fn occur(bytes: &[u8]) -> bool {
    MARKERS.iter().any(|marker| memmem::find_iter(bytes, marker).any(|at| !follows_dollar(bytes, at)))
}

fn follows_dollar(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'$')
}

/// The byte offset of the first marker that YAML does not read as text.
pub(crate) fn first_outside_of_texts(tree: &Tree) -> Option<usize> {
    let text = tree.text(0..tree.len());
    let mut found: Vec<usize> = MARKERS.iter().flat_map(|marker| memmem::find_iter(text.as_bytes(), marker)).collect();
    found.sort_unstable();
    found.into_iter().find(|at| {
        let kind = tree.token_at(*at).map(|token| token.kind());
        !follows_dollar(text.as_bytes(), *at)
            && match kind {
                Some(Kind::OpenBrace | Kind::ErrorText) => true,
                // A plain scalar of several lines ends before such a line for everybody who writes one.
                Some(Kind::Plain) => text
                    .get(..*at)
                    .is_some_and(|before| before.rsplit('\n').next().is_some_and(|line| line.trim_start().is_empty())),
                _ => false,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_text_where_yaml_reads_text() {
        for (text, want) in [
            ("a: \"{{ x }}\"\n", None),
            ("a: '{{ x }}'\nb: \"x {% y %}\"\n", None),
            ("a: |\n  {{ $labels.instance }} is down\n", None),
            ("a: >-\n  {% if a %}\n", None),
            ("a: b {{ x }}\n", None),
            ("a: /path/{{ x }}/y\n", None),
            ("# {{ x }}\na: 1\n", None),
            ("a: ${{ x }}\n", None),
            ("a: ${{ x }}-${{ y }}\nb:\n  - ${{ z }}\n", None),
            ("a: 1\n", None),
            ("{\"a\": {\"b\": 1}}\n", None),
            ("a: {{ x }}\n", Some(3)),
            ("a: {{- x }}\n", Some(3)),
            ("{{- if x }}\na: 1\n{{- end }}\n", Some(0)),
            ("a:\n  {{- toYaml . | nindent 2 }}\n", Some(5)),
            ("a:\n- {{ x }}\n", Some(5)),
            ("a: [1, {{ x }}]\n", Some(7)),
            ("{% if a %}\na: 1\n{% endif %}\n", Some(0)),
            ("{# note #}\na: 1\n", Some(0)),
            ("a: b\n{{- if x }}\nc: d\n{{- end }}\n", Some(5)),
            ("a:\n  b: c\n  {{- with .d }}\n  e: f\n  {{- end }}\n", Some(12)),
        ] {
            assert_eq!(first_outside_of_texts(&lofting_syntax::parse(text)), want, "{text}");
            assert!(want.is_none() || occur(text.as_bytes()), "{text}");
        }
    }
}

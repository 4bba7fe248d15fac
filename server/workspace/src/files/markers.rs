//! Markers of template languages in YAML: `{{` of Go, Helm and Jinja, `{%` and `{#` of Jinja, `<%` of ERB.
//!
//! In quotes, in a block scalar and inside a plain scalar they are text like any other, and the file is data: an alert
//! of Prometheus, a task of Ansible. Where YAML would begin a map instead, or ends a plain scalar before the marker
//! ends, the file is YAML only after rendering. GitHub's `${{ }}` is text, too.

use lofting_syntax::{Kind, Tree};
use memchr::memmem;
use std::ops::Range;

/// How markers begin and end.
const MARKERS: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>")];

/// The one that gives a text, which may be a part of another one.
const EXPRESSION: &str = "{{";

/// Whether bytes contain a marker anywhere.
pub(crate) fn occur(bytes: &[u8]) -> bool {
    MARKERS.iter().any(|(marker, _)| memmem::find_iter(bytes, marker).any(|at| !follows_dollar(bytes, at)))
}

fn follows_dollar(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'$')
}

/// The byte offset of the first marker that YAML does not read as text.
pub(crate) fn first_outside_of_texts(tree: &Tree) -> Option<usize> {
    let text = tree.text(0..tree.len());
    let places = |marker: &str| memmem::find_iter(text.as_bytes(), marker).collect::<Vec<usize>>();
    let ends = MARKERS.map(|(_, end)| places(end));
    let begins = MARKERS.iter().zip(&ends);
    let begins = begins.flat_map(|((begin, _), ends)| places(begin).into_iter().map(move |at| (at, *begin, ends)));
    let mut found: Vec<(usize, &str, &Vec<usize>)> = begins.collect();
    found.sort_unstable_by_key(|(at, ..)| *at);
    // In order, and of all readers: a text that is damaged inside a marker was written for another one.
    let errors: Vec<usize> = tree.errors().into_iter().map(|error| error.range.start).collect();
    let is_damaged = |range: Range<usize>| first_from(&errors, range.start).is_some_and(|error| error < range.end);
    let first = found.into_iter().find(|(at, begin, ends)| {
        let Some(token) = tree.token_at(*at).filter(|_| !follows_dollar(text.as_bytes(), *at)) else { return false };
        match token.kind() {
            Kind::OpenBrace | Kind::ErrorText => true,
            Kind::Plain => {
                let end = first_from(ends, *at).filter(|end| *end < token.range().end);
                // A plain scalar of several lines ends before such a line for everyone who writes one.
                // A statement gives no text, so that what is before it counts as well: `with:{% raw %}` is a key.
                let from = if *begin == EXPRESSION { *at } else { token.range().start };
                begins_line(&text, *at) || end.is_none_or(|end| is_damaged(from..end))
            }
            _ => false,
        }
    });
    first.map(|(at, ..)| at)
}

/// The first of these places, which are in order, that is not before `at`.
fn first_from(places: &[usize], at: usize) -> Option<usize> {
    places.get(places.partition_point(|place| *place < at)).copied()
}

fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '\r'])
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
            ("a: <%= x %>\nb: c/<%= x[0] %>\n", None),
            ("a: x {{ $labels.a }}/{{\n  $labels.b}}.\n", None),
            ("<% if x %>\na: 1\n<% end %>\n", Some(0)),
            ("a: <%= x ? 'y' : 'z' %>\n", Some(3)),
            ("a: b-{{ if eq .c \"d: e\" }}f{{ end }}\n", Some(5)),
            ("a: {{ x }}\n", Some(3)),
            ("a: {{- x }}\n", Some(3)),
            ("{{- if x }}\na: 1\n{{- end }}\n", Some(0)),
            ("a:\n  {{- toYaml . | nindent 2 }}\n", Some(5)),
            ("a:\n- {{ x }}\n", Some(5)),
            ("a: [1, {{ x }}]\n", Some(7)),
            ("{% if a %}\na: 1\n{% endif %}\n", Some(0)),
            ("{# note #}\na: 1\n", Some(0)),
            ("a:{% raw %}\n  b: c\n", Some(2)),
            ("a: b\nc {% if d %}\n", Some(7)),
            ("a: b {% if c %}d{% endif %}\n", None),
            ("a: b\nc {{ d }}\n", None),
            ("a: b\n{{- if x }}\nc: d\n{{- end }}\n", Some(5)),
            ("a:\n  b: c\n  {{- with .d }}\n  e: f\n  {{- end }}\n", Some(12)),
        ] {
            assert_eq!(first_outside_of_texts(&lofting_syntax::parse(text)), want, "{text}");
            assert!(want.is_none() || occur(text.as_bytes()), "{text}");
        }
    }
}

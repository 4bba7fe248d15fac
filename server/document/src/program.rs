//! The code of a file, from comments and text-templated strings, as input for the reader of code.

use crate::edited::changed_text;
use crate::{Document, DocumentSet, Node, NodeValue, Notes, Span};
use lofting_annotation::{CommentKind, read_comment};
use lofting_eval::Moved;
use lofting_eval::code::{Code, Piece, PieceKind, read_code, text_pieces};
use lofting_syntax::{Element, Kind, Tree};
use std::borrow::Cow;
use std::ops::Range;

/// The annotation below which strings may contain code (docs/ytt.md 7.4).
const TEMPLATED: &str = "yaml/text-templated-strings";

/// Reads the code of a YAML file. `written` are its documents as written; they tell which strings contain code.
pub fn code(tree: &Tree, written: &DocumentSet) -> Code {
    let comments = comments(tree);
    let strings = if comments.iter().any(|comment| comment.templates) { strings(tree, written) } else { Vec::new() };
    let mut pieces: Vec<Piece<'_>> = comments.iter().filter_map(Comment::piece).collect();
    pieces.extend(strings.iter().flat_map(|(text, start)| text_pieces(text, *start)));
    pieces.sort_by_key(|piece| piece.start);
    read_code(&pieces, tree.len())
}

/// The code after an edit of `range` in an earlier text, which had the code `earlier`. None if the edit may have changed
/// more than places.
pub fn code_after(earlier: &Code, before: &Tree, after: &Tree, range: Range<usize>) -> Option<Code> {
    let changed = changed_text(before, after, range)?;
    Some(earlier.moved(&Moved::by(&changed.old, changed.new.len())))
}

/// A comment that begins with `#@`.
struct Comment<'t> {
    /// The whole comment.
    range: Range<usize>,
    text: Cow<'t, str>,
    code: Range<usize>,
    kind: PieceKind,
    /// It is the annotation that enables code in strings.
    templates: bool,
    follows: bool,
    /// Its statement may be a block that is bound to the node below.
    may_be_bound: bool,
    node_end: usize,
}

impl Comment<'_> {
    fn piece(&self) -> Option<Piece<'_>> {
        let code = self.code.start - self.range.start..self.code.end - self.range.start;
        Some(Piece {
            text: self.text.get(code)?,
            start: self.code.start,
            kind: self.kind,
            follows: self.follows,
            node_end: self.node_end,
        })
    }
}

fn comments(tree: &Tree) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut end = 0;
    for token in tree.comments() {
        let range = token.range();
        let gap = tree.text(end..range.start);
        let own_line = gap.rsplit(['\n', '\r']).next().is_some_and(|line| line.trim().is_empty())
            && (end == 0 || gap.contains(['\n', '\r']));
        let follows = end > 0 && gap.trim().is_empty();
        end = range.end;
        let text = token.text();
        let (code, kind, templates) = match read_comment(&text, range.start).kind {
            CommentKind::Code { code } => (code, if own_line { PieceKind::Code } else { PieceKind::Value }, false),
            CommentKind::Annotation(annotation) => {
                let kind = match annotation.name.as_str() {
                    "template/code" => PieceKind::Code,
                    "template/value" => PieceKind::Value,
                    _ => PieceKind::Arguments,
                };
                (annotation.arguments_range, kind, annotation.name == TEMPLATED)
            }
            CommentKind::Ytt | CommentKind::Ordinary => continue,
        };
        // A statement may continue in the next comment, which then tells where the node is.
        let is_continued = follows && found.last().is_some_and(|last: &Comment<'_>| last.may_be_bound);
        let may_be_bound = is_continued || may_bind(&text);
        found.push(Comment { range, text, code, kind, templates, follows, may_be_bound, node_end: 0 });
    }
    // From last to first, so that all comments above one node share the search for it. Few are bound to one.
    let (mut next, mut next_start) = (tree.len(), tree.len());
    for comment in found.iter_mut().rev().filter(|comment| comment.may_be_bound) {
        if let Some(end) = node_between(tree, comment.range.end..next_start) {
            next = end;
        }
        comment.node_end = next;
        next_start = comment.range.start;
    }
    found
}

/// Whether code may contain the `/end` of `if/end`, with which a block is bound to the node below.
fn may_bind(code: &str) -> bool {
    code.match_indices('/').any(|(at, _)| code.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with("end")))
}

/// The end of the first node that begins in a range.
fn node_between(tree: &Tree, range: Range<usize>) -> Option<usize> {
    let text = tree.text(range.clone());
    let mut at = range.start;
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim_start();
        if !content.is_empty() && !content.starts_with('#') {
            let start = at + line.len() - content.len();
            let is_node = |kind: Kind| matches!(kind, Kind::MapEntry | Kind::SeqEntry | Kind::Document);
            let nodes = tree.path_at(start);
            let node = nodes.iter().find(|node| is_node(node.kind()) && node.range().start == start)?;
            // A comment after the node on its last line belongs to it.
            let end = node.content_end();
            let after = tree.text(end..tree.len().min(node.range().end.max(end)));
            return Some(end + after.find(['\n', '\r']).unwrap_or(after.len()));
        }
        at += line.len();
    }
    None
}

/// Strings that may contain code, as written, each with its offset.
fn strings<'t>(tree: &'t Tree, written: &DocumentSet) -> Vec<(Cow<'t, str>, usize)> {
    let mut templated = Vec::new();
    for Document { notes, value, span, .. } in &written.documents {
        if notes.has(TEMPLATED) { templated.push(span.range()) } else { templated_items(value, &mut templated) }
    }
    let mut found = Vec::new();
    for range in templated {
        let mut open = vec![tree.root()];
        while let Some(node) = open.pop() {
            for child in node.children_from(range.start) {
                let place = child.range();
                if place.start >= range.end {
                    break;
                }
                match child {
                    Element::Node(inner) => open.push(inner),
                    Element::Token(token) if is_text(token.kind()) && place.start >= range.start => {
                        let text = token.text();
                        if text.contains("(@") {
                            found.push((text, place.start));
                        }
                    }
                    Element::Token(_) => {}
                }
            }
        }
    }
    found
}

fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Plain | Kind::SingleQuoted | Kind::DoubleQuoted | Kind::BlockBody | Kind::ErrorText)
}

/// The outermost items whose strings may contain code. Lowering bounds the nesting of values, and so this recursion.
fn templated_items(node: &Node, found: &mut Vec<Range<usize>>) {
    let mut item = |notes: &Notes, span: Span, value: &Node| {
        if notes.has(TEMPLATED) {
            // The last value of a file can be half-typed, and then end where its lowering stopped.
            found.push(span.start as usize..span.range().end.max(value.span.range().end));
        } else {
            templated_items(value, found);
        }
    };
    match &node.value {
        NodeValue::Map(items) => items.iter().for_each(|entry| item(&entry.notes, entry.span, &entry.value)),
        // The span of an array item is that of its dash.
        NodeValue::Array(items) => items.iter().for_each(|entry| item(&entry.notes, entry.span, &entry.value)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileId, Options, lower};
    use lofting_syntax::resolve::Profile;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn pieces(text: &str) -> Vec<String> {
        let tree = lofting_syntax::parse(text);
        let written = lower(FileId(0), &tree, Profile::Ytt, Options::default());
        code(&tree, &written).pieces.into_iter().map(|(piece, _)| text[piece].to_owned()).collect()
    }

    #[test]
    fn comments_and_templated_strings_hold_code() {
        let text = "#@ load(\"@ytt:data\", \"data\")\n#! no\na: #@ data.values.a\n#@yaml/text-templated-strings\nb:\n  \
                    c: \"x (@= data.values.b @)\"\n  (@= k @): |\n    (@ if x: @)\n    (@ end @)\n  d: (@= data.values.\n\
                    e: (@= no @)\n#@overlay/match by=\"name\"\nf: 1\n";
        let found = pieces(text);
        let wanted = [
            "load(\"@ytt:data\", \"data\")",
            "data.values.a",
            "",
            " data.values.b ",
            " k ",
            " if x: ",
            " end ",
            " data.values.",
            "by=\"name\"",
        ];
        assert_eq!(found, wanted);
    }

    fn read(tree: &Tree) -> Code {
        code(tree, &lower(FileId(0), tree, Profile::Ytt, Options::default()))
    }

    const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ def f(x, y=\"z\"):\na: #@ x\nb: \"epsilon\" #@ y\n#@ end\n---\n\
                            k: #@ f(data.values.name, y=data.values[\"other\"])\n#@yaml/text-templated-strings\nt: x (@= \
                            data.values.t @) y\nplain: alpha\n#@ if/end data.values.on:\nbound:\n  inner: 'quoted'\nlist:\n#@ for i in \
                            data.values.list:\n- beta\n- two: #@ [j for j in i]\n#@ end\nflow: [a, {b: gamma}]\nlast: delta";

    #[test]
    fn the_code_after_an_edit_of_a_value() {
        let tree = lofting_syntax::parse(TEMPLATE);
        let earlier = read(&tree);
        for (value, again) in [
            ("alpha", true),
            ("quoted", true),
            ("beta", true),
            ("gamma", true),
            ("delta", true),
            ("epsilon", true),
            ("other", false),
        ] {
            let at = TEMPLATE.find(value).unwrap() + 1;
            for (range, new) in [(at..at, "more"), (at - 1..at, ""), (at..at, "é"), (at - 1..at, "xyz")] {
                let after = tree.edit(range.clone(), new);
                let moved = code_after(&earlier, &tree, &after, range);
                assert_eq!(moved.is_some(), again, "{value} {new}");
                assert!(moved.is_none_or(|moved| moved == read(&after)), "{value} {new}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_code_after_any_edit(
            at in 0..TEMPLATE.len(),
            len in 0..4_usize,
            new in select(vec!["", "x", "a b", "'", "#", ": ", "\n", "(@", "@)", "- ", "  ", "#@ y", "{", "\"", "é"]),
        ) {
            let tree = lofting_syntax::parse(TEMPLATE);
            let range = at..(at + len).min(TEMPLATE.len());
            let after = tree.edit(range.clone(), new);
            if let Some(moved) = code_after(&read(&tree), &tree, &after, range) {
                prop_assert_eq!(moved, read(&after));
            }
        }
    }

    #[test]
    fn a_node_bound_block_ends_with_its_node() {
        let text = "#@ load(\"@ytt:data\", \"data\")\nl:\n#@ for/end x in data.values.l:\n- a: #@ x.a\n  b: #@ x.b\nc: #@ x.c\n";
        let heads = [
            "for/end x in data.values.l:",
            "for/end x in (\n#@   data.values.l):",
            "for \\\n#@ /  end x in data.values.l:",
        ];
        for head in heads {
            let text = &text.replace(heads[0], head);
            let tree = lofting_syntax::parse(text);
            let written = lower(FileId(0), &tree, Profile::Ytt, Options::default());
            let code = code(&tree, &written);
            let certain = code.values.uses.iter().filter(|used| used.certain).map(|used| &text[used.range.clone()]);
            assert_eq!(certain.collect::<Vec<_>>(), ["l", "a", "b", "c"], "{text}");
            let conditional = code.values.uses.iter().filter(|used| used.conditional);
            let conditional = conditional.map(|used| &text[used.range.clone()]);
            assert_eq!(conditional.collect::<Vec<_>>(), ["a", "b"], "{text}");
        }
    }
}

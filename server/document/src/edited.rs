//! Documents after an edit that changed the text of one scalar: the rest is the same, only moved.

use crate::{ArrayItem, Attached, Document, DocumentSet, Issue, MapItem, Node, NodeValue, Note, Notes, Options, Span};
use lofting_eval::Moved;
use lofting_syntax::resolve::{Profile, Resolved, resolve_text};
use lofting_syntax::{Entry, Item, Kind, Tree};
use std::ops::Range;

/// The documents of a text in which an edit of `range` made `after` of `before`, where the text before had the documents
/// `earlier`. None if the edit may have changed more than one scalar, and places.
pub fn lowered_after(
    earlier: &DocumentSet,
    (before, after): (&Tree, &Tree),
    (profile, options): (Profile, Options),
    range: Range<usize>,
) -> Option<DocumentSet> {
    // Copies that aliases make have the places of what they repeat.
    if options.strict || options.substituted || after.root().has_names() {
        return None;
    }
    let changed = after.only_changed_token(before, range)?;
    // What libraries read in different ways has findings of its own, and so has code in strings.
    let is_simple = |text: &str| {
        !text.trim().is_empty() && !text.contains(['\n', '\r', '#', '@', '?', '\\', '\t']) && !text.starts_with(':')
    };
    if !is_simple(&before.text(changed.old.clone())) || !is_simple(&after.text(changed.new.clone())) {
        return None;
    }
    let touches = |span: Span| span.range().start < changed.old.end && changed.old.start < span.range().end;
    let moved = Moved::by(&changed.old, changed.new.len());
    let value = value_at(after, changed.kind, &changed.new, profile)?;
    let mut documents = copied(earlier);
    let document = documents.documents.iter_mut().find(|document| contains(document.span, &changed.old))?;
    *scalar_at(&mut document.value, &changed.old)? = value;
    for issue in &mut documents.issues {
        let is_around = contains(issue.span(), &changed.old);
        if touches(issue.span()) && !is_around {
            return None;
        }
        issue.spans_mut(&mut |span| move_span(span, &moved));
    }
    documents.documents.iter_mut().for_each(|document| move_document(document, &moved));
    move_notes(&mut documents.tail, &moved);
    Some(documents)
}

/// A copy, whose making ends where it is cancelled.
fn copied(documents: &DocumentSet) -> DocumentSet {
    let document = |document: &Document| Document {
        value: copied_node(&document.value),
        notes: document.notes.clone(),
        marker: document.marker,
        span: document.span,
        conditional: document.conditional,
    };
    DocumentSet {
        documents: documents.documents.iter().map(document).collect(),
        issues: documents.issues.clone(),
        tail: documents.tail.clone(),
        is_template: documents.is_template,
        templated_keys: documents.templated_keys,
        in_functions: documents.in_functions,
    }
}

/// Lowering bounds the nesting of values, and so this recursion.
fn copied_node(node: &Node) -> Node {
    lofting_memo::step();
    let value = match &node.value {
        NodeValue::Map(items) => {
            let item = |item: &MapItem| MapItem {
                key: item.key.clone(),
                key_span: item.key_span,
                span: item.span,
                value: copied_node(&item.value),
                notes: item.notes.clone(),
                merged: item.merged,
                conditional: item.conditional,
            };
            NodeValue::Map(items.iter().map(item).collect())
        }
        NodeValue::Array(items) => {
            let item = |item: &ArrayItem| ArrayItem {
                span: item.span,
                value: copied_node(&item.value),
                notes: item.notes.clone(),
                conditional: item.conditional,
            };
            NodeValue::Array(items.iter().map(item).collect())
        }
        other => other.clone(),
    };
    Node { value, replaced: node.replaced.clone(), ..*node }
}

fn contains(span: Span, inner: &Range<usize>) -> bool {
    span.range().start <= inner.start && inner.end <= span.range().end
}

/// The value of a scalar without properties, whose text is a token.
fn value_at(tree: &Tree, kind: Kind, place: &Range<usize>, profile: Profile) -> Option<NodeValue> {
    let parent = tree.path_at(place.start).last().copied().filter(|parent| !parent.has_errors())?;
    let entry = Entry::cast(parent).map(|entry| entry.value());
    let value =
        entry.or_else(|| Item::cast(parent).map(|item| item.value())).filter(|value| value.range() == *place)?;
    if value.tag().is_some() || value.anchor().is_some() {
        return None;
    }
    let text = value.scalar()?.value_in(profile);
    Some(match resolve_text(profile, kind == Kind::Plain, &text, None).ok()? {
        Resolved::String => NodeValue::String(text.as_ref().into()),
        Resolved::Null => NodeValue::Null,
        Resolved::Bool(value) => NodeValue::Bool(value),
        Resolved::Int(value) => NodeValue::int(value),
        Resolved::Float(value) => NodeValue::Float(value),
    })
}

/// The scalar at a place.
fn scalar_at<'n>(node: &'n mut Node, place: &Range<usize>) -> Option<&'n mut NodeValue> {
    let mut here = node;
    loop {
        if !contains(here.span, place) {
            return None;
        }
        match here.value {
            NodeValue::Map(_) | NodeValue::Array(_) => {}
            NodeValue::Unknown => return None,
            _ => return (here.span.range() == *place).then_some(&mut here.value),
        }
        here = match &mut here.value {
            NodeValue::Map(items) => items.values_mut().find(|value| contains(value.span, place))?,
            NodeValue::Array(items) => {
                items.iter_mut().map(|item| &mut item.value).find(|value| contains(value.span, place))?
            }
            _ => return None,
        };
    }
}

fn move_span(span: &mut Span, moved: &Moved) {
    let mut range = span.range();
    moved.range(&mut range);
    *span = Span::new(span.file, range);
}

fn move_document(document: &mut Document, moved: &Moved) {
    move_span(&mut document.span, moved);
    document.marker.iter_mut().for_each(|marker| move_span(marker, moved));
    move_notes(&mut document.notes, moved);
    move_node(&mut document.value, moved);
}

/// Lowering bounds the nesting of values, and so this recursion.
fn move_node(node: &mut Node, moved: &Moved) {
    // All that is in it is before the edit.
    if node.span.range().end < moved.from() {
        return;
    }
    move_span(&mut node.span, moved);
    match &mut node.value {
        NodeValue::Map(items) => {
            for (span, key_span, value) in items.places_mut() {
                move_span(span, moved);
                move_span(key_span, moved);
                move_node(value, moved);
            }
            items.notes_mut().for_each(|notes| move_notes(notes, moved));
        }
        NodeValue::Array(items) => {
            for item in items {
                move_span(&mut item.span, moved);
                move_notes(&mut item.notes, moved);
                move_node(&mut item.value, moved);
            }
        }
        _ => {}
    }
}

fn move_notes(notes: &mut Notes, moved: &Moved) {
    if **notes == Attached::default() {
        return;
    }
    let Attached { annotations, code, computed } = &mut **notes;
    for Note { span, name_span, arguments, .. } in annotations {
        move_span(span, moved);
        move_span(name_span, moved);
        moved.arguments(arguments);
    }
    code.iter_mut().chain(computed).for_each(|span| move_span(span, moved));
}

impl Issue {
    /// All its places.
    fn spans_mut(&mut self, each: &mut dyn FnMut(&mut Span)) {
        match self {
            Issue::DuplicateKey { span, first, .. } | Issue::RepeatedKey { span, first, .. } => {
                each(span);
                each(first);
            }
            Issue::CodeAndValue { span, value } => {
                each(span);
                each(value);
            }
            Issue::ByteOrderMark { span, comment } => {
                each(span);
                comment.iter_mut().for_each(each);
            }
            Issue::CodeWithoutSpace { span, unclosed } => {
                each(span);
                unclosed.iter_mut().for_each(each);
            }
            Issue::CodeAfterSlashEnd { span, opening } => {
                each(span);
                each(opening);
            }
            Issue::OrdinaryComment { span }
            | Issue::Tag { span, .. }
            | Issue::Strict { span, .. }
            | Issue::UnknownAlias { span, .. }
            | Issue::MergeValue { span }
            | Issue::AliasLimit { span }
            | Issue::Refused { span, .. }
            | Issue::CollectionKey { span }
            | Issue::NoKey { span }
            | Issue::BlankTab { span }
            | Issue::Arguments { span, .. }
            | Issue::Code { span, .. }
            | Issue::AliasCycle { span, .. }
            | Issue::DepthLimit { span }
            | Issue::Directive { span, .. }
            | Issue::UnclosedBlock { span }
            | Issue::HalfOpenBlock { span, .. }
            | Issue::UnexpectedEnd { span } => each(span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileId, lower};
    use lofting_syntax::parse;
    use proptest::prelude::*;
    use proptest::sample::select;

    const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\n#@data/values\n---\n#@schema/validation min_len=1, one_of=[\"a\", \
                            {1: (2, None)}], *more\na: alpha\nb: \"beta\" #@ y\n#@ def f(x):\nc: #@ x\n#@ end\nlist:\n#@ for \
                            i in data.values.list:\n#@overlay/match by=\"name\", expects=\"0+\"\n- name: gamma\n  n: 12\n- 'delta'\n\
                            #@ end\nflow: [1, {k: epsilon, e: }, zeta]\nkind: !!str 5\na: again\n---\n#! no\n# ordinary\nlast:\n  deep:\n\
                            \x20   deeper: http://x:80/y\n    on: true\n#@ if/end True:\nend: null\n#@ # tail\n";

    fn read(tree: &Tree) -> DocumentSet {
        lower(FileId(0), tree, Profile::Ytt, Options::default())
    }

    fn after(tree: &Tree, earlier: &DocumentSet, edit: Range<usize>, new: &str) -> (Option<DocumentSet>, DocumentSet) {
        let after = tree.edit(edit.clone(), new);
        let known = lowered_after(earlier, (tree, &after), (Profile::Ytt, Options::default()), edit);
        (known, read(&after))
    }

    #[test]
    fn the_documents_after_an_edit_of_a_scalar() {
        let tree = parse(TEMPLATE);
        let earlier = read(&tree);
        for word in ["alpha", "gamma", "12", "delta", "epsilon", "zeta", "again", "http://x", "true", "null"] {
            let at = TEMPLATE.find(word).unwrap() + 1;
            for (edit, new) in [(at..at, "xy"), (at - 1..at, ""), (at..at, "é"), (at - 1..at, "5"), (at..at, ":z")] {
                let (known, fresh) = after(&tree, &earlier, edit, new);
                assert_eq!(known.as_ref(), Some(&fresh), "{word} {new}");
            }
        }
        // Code gives its value, a tag its type, and a key more than its own text.
        for word in ["beta", "5\n", "deeper", "ordinary", "min_len"] {
            let at = TEMPLATE.find(word).unwrap();
            assert_eq!(after(&tree, &earlier, at..at, "x").0, None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn the_documents_after_any_edit(
            at in 0..TEMPLATE.len(),
            len in 0..4_usize,
            new in select(vec![
                "", "x", "a b", "'", "#", ": ", ":", "\n", "(@", "- ", "  ", "#@ y", "{", "\"", "é", "1", "~", "?", "\\/", "\t", ",",
                "&a ", "*a", "!t ", "=", "<<", "%", "`", "|", ">",
            ]),
        ) {
            let tree = parse(TEMPLATE);
            let (known, fresh) = after(&tree, &read(&tree), at..(at + len).min(TEMPLATE.len()), new);
            if let Some(known) = known {
                prop_assert_eq!(known, fresh);
            }
        }
    }
}

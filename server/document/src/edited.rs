//! Documents after an edit that changed the text of one scalar: the rest is the same, only moved.

use crate::{ArrayItem, Attached, Document, DocumentSet, Issue, MapItem, Node, NodeValue, Note, Notes, Options, Span};
use lofting_eval::Moved;
use lofting_syntax::resolve::{Profile, Resolved, resolve_text};
use lofting_syntax::{ChangedToken, Entry, Item, Kind, Tree};
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
    let changed = changed_text(before, after, range)?;
    // What libraries read in different ways has findings of its own.
    let is_simple = |text: &str| !text.contains(['?', '\\', '\t']) && !text.starts_with(':');
    let touches = |span: Span| span.range().start < changed.old.end && changed.old.start < span.range().end;
    let is_about = |issue: &Issue| touches(issue.span()) && !contains(issue.span(), &changed.old);
    if !is_simple(&before.text(changed.old.clone()))
        || !is_simple(&after.text(changed.new.clone()))
        || earlier.issues.iter().any(is_about)
    {
        return None;
    }
    let value = value_at(after, changed.kind, &changed.new, profile)?;
    let moved = Moved::by(&changed.old, changed.new.len());
    let mut documents = DocumentSet {
        documents: earlier.documents.iter().map(|document| moved_document(document, &moved)).collect(),
        issues: earlier.issues.clone(),
        tail: moved_notes(&earlier.tail, &moved),
        ..*earlier
    };
    documents.issues.iter_mut().for_each(|issue| issue.spans_mut(&mut |span| *span = moved_span(*span, &moved)));
    let document = documents.documents.iter_mut().find(|document| contains(document.span, &changed.new))?;
    *scalar_at(&mut document.value, &changed.new)? = value;
    Some(documents)
}

/// The token that an edit of `range` changed, if it is a text that says nothing of the comments around it: whether one is
/// alone on its line, and whether it follows another one, depends on the text between them; and code in strings, and in
/// keys, begins with `(@`.
pub(crate) fn changed_text(before: &Tree, after: &Tree, range: Range<usize>) -> Option<ChangedToken> {
    let changed = after.only_changed_token(before, range)?;
    let keeps_comments = |text: &str| !text.trim().is_empty() && !text.contains(['\n', '\r', '#', '@']);
    let is_text = matches!(changed.kind, Kind::Plain | Kind::SingleQuoted | Kind::DoubleQuoted);
    let keeps = keeps_comments(&before.text(changed.old.clone())) && keeps_comments(&after.text(changed.new.clone()));
    (is_text && keeps).then_some(changed)
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

fn moved_span(span: Span, moved: &Moved) -> Span {
    let mut range = span.range();
    moved.range(&mut range);
    Span::new(span.file, range)
}

fn moved_document(document: &Document, moved: &Moved) -> Document {
    Document {
        span: moved_span(document.span, moved),
        marker: document.marker.map(|marker| moved_span(marker, moved)),
        notes: moved_notes(&document.notes, moved),
        value: moved_node(&document.value, moved),
        conditional: document.conditional,
    }
}

/// Lowering bounds the nesting of values, and so this recursion. It ends where it is cancelled.
fn moved_node(node: &Node, moved: &Moved) -> Node {
    lofting_memo::step();
    let value = match &node.value {
        NodeValue::Map(items) => {
            let item = |item: &MapItem| MapItem {
                key: item.key.clone(),
                key_span: moved_span(item.key_span, moved),
                span: moved_span(item.span, moved),
                value: moved_node(&item.value, moved),
                notes: moved_notes(&item.notes, moved),
                merged: item.merged,
                conditional: item.conditional,
            };
            NodeValue::Map(items.iter().map(item).collect())
        }
        NodeValue::Array(items) => {
            let item = |item: &ArrayItem| ArrayItem {
                span: moved_span(item.span, moved),
                value: moved_node(&item.value, moved),
                notes: moved_notes(&item.notes, moved),
                conditional: item.conditional,
            };
            NodeValue::Array(items.iter().map(item).collect())
        }
        other => other.clone(),
    };
    Node { value, span: moved_span(node.span, moved), replaced: node.replaced.clone(), ..*node }
}

fn moved_notes(notes: &Notes, moved: &Moved) -> Notes {
    let mut notes = notes.clone();
    if *notes == Attached::default() {
        return notes;
    }
    let Attached { annotations, code, computed } = &mut *notes;
    for Note { span, name_span, arguments, .. } in annotations {
        *span = moved_span(*span, moved);
        *name_span = moved_span(*name_span, moved);
        moved.arguments(arguments);
    }
    code.iter_mut().chain(computed).for_each(|span| *span = moved_span(*span, moved));
    notes
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
            | Issue::MergeValue { span, .. }
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

//! Collects the errors of a tree, and adds those that take more than one entry to find.

use crate::error::{ErrorCode, SyntaxError};
use crate::green::{Child, GreenNode, flag};
use crate::kind::Kind;
use crate::parse::valid_tag;
use crate::source::SEPARATORS;
use crate::tree::{Element, Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;

pub(crate) fn collect(tree: &Tree) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    let flags = tree.green.flags;
    if flags & flag::ERROR != 0 {
        stored(tree, &mut errors);
    }
    if flags & (flag::NAME | flag::HANDLE) != 0 {
        of_names(tree.root(), &mut errors);
    }
    if let Some(range) = tree.source.forbidden() {
        errors.push(ErrorCode::ControlCharacter.error(range, ""));
    }
    errors.sort_by_key(|error| (error.range.start, error.range.end, error.code));
    errors
}

/// The first NEL, LS or PS that cuts off text which cannot be a line of its own, for readers to whom it ends the line. In
/// quotes, between brackets and before the end of a line it does no harm, and where the line has an error anyway, that is
/// enough.
pub(crate) fn separator(tree: &Tree, errors: &[SyntaxError]) -> Option<SyntaxError> {
    let range = tree.source.separators().find(|range| {
        let line = tree.line_start(range.start);
        cuts_off(tree, range) && !errors.iter().any(|error| tree.line_start(error.range.start) == line)
    })?;
    Some(ErrorCode::LineSeparator.error(range, ""))
}

fn cuts_off(tree: &Tree, separator: &Range<usize>) -> bool {
    let Some(token) = tree.token_at(separator.start) else { return false };
    let rest = tree.text(separator.end..token.range().end);
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let line = line.split(SEPARATORS).next().unwrap_or_default();
    let text = line.trim_start_matches(' ');
    if text.is_empty() {
        return false;
    }
    match token.kind() {
        Kind::Comment => !text.starts_with('#'),
        Kind::Plain | Kind::BlockBody => {
            let path = tree.path_at(separator.start);
            let entry = path.iter().rev().find(|node| node.kind() != Kind::Group);
            // The lines of a value are deeper than its key or dash.
            entry.is_some_and(|entry| {
                let start = entry.range().start;
                matches!(entry.kind(), Kind::MapEntry | Kind::SeqEntry)
                    && !path.iter().any(|node| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq))
                    && line.len() - text.len() <= start - tree.line_start(start)
            })
        }
        _ => false,
    }
}

/// Whether there are errors that yaml.v2 reports, too.
pub(crate) fn is_faulty(tree: &Tree) -> bool {
    collect(tree).iter().any(|error| !accepted_by_go(tree, error))
}

/// The first quote or bracket that is not closed, with its place.
pub(crate) fn first_unclosed(tree: &Tree) -> Option<(ErrorCode, usize)> {
    if tree.green.flags & flag::ERROR == 0 {
        return None;
    }
    let mut open = vec![(0usize, &tree.green)];
    let mut first: Option<(ErrorCode, usize)> = None;
    while let Some((offset, green)) = open.pop() {
        for error in green.errors() {
            let at = offset + error.start as usize;
            let is_unclosed = matches!(error.code, ErrorCode::UnclosedQuote | ErrorCode::UnclosedFlow);
            if is_unclosed && first.is_none_or(|(_, first)| at < first) {
                first = Some((error.code, at));
            }
        }
        let mut at = offset;
        for child in green.children() {
            let before = first.is_none_or(|(_, first)| at < first);
            if let Child::Node(GreenNode::Shared(node)) = child
                && node.flags & flag::ERROR != 0
                && before
            {
                open.push((at, node));
            }
            at += child.len();
        }
    }
    first
}

/// Whether yaml.v2 reads the text all the same: `\'` in double quotes, a comment without a blank before it, a
/// colon between brackets that no white space follows, which is part of the text before it, a hyphen alone between
/// brackets, the colon of a key that is an alias, commas, square brackets and exclamation marks in tags, and the header
/// of a block scalar at the column of its key or dash.
pub(crate) fn accepted_by_go(tree: &Tree, error: &SyntaxError) -> bool {
    let at = error.range.start;
    let kind = || tree.token_at(at).map(|token| token.kind());
    match error.code {
        ErrorCode::InvalidEscape => tree.text(error.range.clone()) == "\\'",
        ErrorCode::AliasColon => true,
        ErrorCode::InvalidTag => is_tag_of_go(&tree.text(error.range.clone())),
        ErrorCode::BadIndentation => kind() == Some(Kind::BlockHeader),
        ErrorCode::CommentSpace => kind() == Some(Kind::Comment),
        ErrorCode::UnexpectedText => {
            kind() == Some(Kind::Plain)
                && matches!(tree.text(at..at + 2).as_bytes(), [b'-', b',' | b'[' | b']' | b'{' | b'}'])
        }
        ErrorCode::NestedMapping => {
            let mut before = at.checked_sub(1).and_then(|before| tree.token_at(before));
            if let Some(blanks) = before.filter(|token| token.kind() == Kind::Whitespace) {
                before = blanks.range().start.checked_sub(1).and_then(|before| tree.token_at(before));
            }
            before.is_some_and(|token| token.kind() == Kind::Plain)
                && kind() == Some(Kind::ErrorText)
                && matches!(tree.text(at..at + 2).as_bytes(), [b':', b',' | b']' | b'}'])
        }
        _ => false,
    }
}

/// A tag with characters that YAML 1.2 wants to be escaped.
fn is_tag_of_go(tag: &str) -> bool {
    let Some(rest) = tag.strip_prefix('!').filter(|rest| !rest.starts_with('<')) else { return false };
    let (handle, suffix) = rest.split_once('!').unwrap_or(("", rest));
    let marks = if rest.contains('!') { "!" } else { "" };
    valid_tag(&format!("!{handle}{marks}{}", suffix.replace([',', '[', ']', '!'], "_")))
}

/// Errors that the parser stored in nodes.
fn stored(tree: &Tree, errors: &mut Vec<SyntaxError>) {
    let mut open = vec![(0usize, &tree.green)];
    // For each end, the start of the innermost unclosed collection: closing that one closes the outer ones as well.
    let mut ends = Vec::new();
    let mut unclosed: FxHashMap<usize, usize> = FxHashMap::default();
    while let Some((offset, green)) = open.pop() {
        for error in green.errors() {
            let start = offset + error.start as usize;
            let range = characters(tree, start..start + error.len as usize);
            if error.code == ErrorCode::UnclosedFlow {
                let innermost = unclosed.entry(offset + green.len()).or_insert(range.start);
                *innermost = range.start.max(*innermost);
            }
            errors.push(error.code.error(range.clone(), &tree.text(range)));
            ends.push(offset + green.len());
        }
        let mut at = offset;
        for child in green.children() {
            if let Child::Node(GreenNode::Shared(node)) = child
                && node.flags & flag::ERROR != 0
            {
                open.push((at, node));
            }
            at += child.len();
        }
    }
    let mut ends = ends.into_iter();
    errors.retain(|error| {
        let end = ends.next().unwrap_or_default();
        error.code != ErrorCode::UnclosedFlow || unclosed.get(&end) == Some(&error.range.start)
    });
}

/// The range of whole characters: the parser marks single bytes.
fn characters(tree: &Tree, range: Range<usize>) -> Range<usize> {
    let start = tree.source.floor(range.start);
    let mut end = range.end.min(tree.len());
    while tree.source.floor(end) < end {
        end += 1;
    }
    start..end
}

/// Looks at the names of the documents in the root of the tree, or in a group in it. Groups have few levels.
fn of_names(node: Node<'_>, errors: &mut Vec<SyntaxError>) {
    for part in node.parts().filter_map(Element::node) {
        let flags = part.green.flags();
        let is_plain = flags & flag::HANDLE == 0;
        if flags & (flag::NAME | flag::HANDLE) == 0 || is_plain && part.has_settled_names() {
            continue;
        }
        let before = errors.len();
        match part.kind() {
            Kind::Group => of_names(part, errors),
            // Most documents have an anchor for each alias.
            _ if is_plain && part.names().are_known() => {}
            _ => names(part, errors),
        }
        if is_plain && errors.len() == before {
            part.settle_names();
        }
    }
}

/// Reports aliases without an anchor above them (anchors count within one document), and tag handles without a `%TAG`
/// line.
fn names(document: Node<'_>, errors: &mut Vec<SyntaxError>) {
    // Anchors, with their `&`, and handles that are declared so far.
    let (mut anchors, mut handles): (FxHashSet<Cow<'_, str>>, FxHashSet<String>) = Default::default();
    let mut open = vec![document.children()];
    while let Some(children) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        match child {
            Element::Node(node) => {
                if node.green.flags() & (flag::NAME | flag::HANDLE) != 0 {
                    open.push(node.children());
                }
            }
            Element::Token(token) => {
                let text = token.text();
                match token.kind() {
                    Kind::Anchor => {
                        anchors.insert(text);
                    }
                    Kind::Alias if text.len() > 1 && !anchors.contains(text.replacen('*', "&", 1).as_str()) => {
                        errors.push(ErrorCode::UnknownAlias.error(token.range(), &text));
                    }
                    Kind::Directive => {
                        let mut words = text.split_ascii_whitespace();
                        if words.next() == Some("%TAG") {
                            handles.extend(words.next().map(str::to_owned));
                        }
                    }
                    Kind::Tag => {
                        if let Some(handle) = named_handle(&text)
                            && !handles.contains(handle)
                        {
                            errors.push(ErrorCode::UnknownTagHandle.error(token.range(), &text));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// `!e!` of `!e!tag`; None for `!tag`, `!!tag` and `!<uri>`.
pub fn named_handle(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix('!')?;
    let end = rest.find('!')?;
    (end > 0 && !rest.starts_with('<')).then(|| &tag[..end + 2])
}

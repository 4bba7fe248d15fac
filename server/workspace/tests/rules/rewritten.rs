//! Ways to write a text differently that mean the same. Each is a list of insertions, so that it is known where
//! everything goes.

use lofting_syntax::{Tree, Value, ValueKind, parse};
use lofting_workspace::FileKind;

/// A text with insertions.
pub struct Rewritten {
    pub way: &'static str,
    /// Offsets in the old text with what is inserted there, in order.
    insertions: Vec<(usize, String)>,
}

impl Rewritten {
    fn new(way: &'static str, insertions: impl IntoIterator<Item = (usize, String)>) -> Rewritten {
        Rewritten { way, insertions: insertions.into_iter().collect() }
    }

    /// A text that stays as it is.
    pub fn none() -> Rewritten {
        Rewritten::new("nothing", [])
    }

    pub fn text(&self, old: &str) -> String {
        let (mut new, mut from) = (String::new(), 0);
        for (at, what) in &self.insertions {
            new.push_str(&old[from..*at]);
            new.push_str(what);
            from = *at;
        }
        new + &old[from..]
    }

    /// Whether `new` is where `old` has gone. The text at an insertion may be before or after it.
    pub fn leads(&self, old: usize, new: usize) -> bool {
        let by = |counts: &dyn Fn(usize) -> bool| {
            let before = self.insertions.iter().filter(|(at, _)| counts(*at));
            old + before.map(|(_, what)| what.len()).sum::<usize>()
        };
        new == by(&|at| at < old) || new == by(&|at| at <= old)
    }

    /// Whether a place in the new text is inserted.
    pub fn has(&self, new: usize) -> bool {
        let mut by = 0;
        self.insertions.iter().any(|(at, what)| {
            let start = at + by;
            by += what.len();
            start <= new && new < start + what.len()
        })
    }

    /// Whether the rewriting could change the very text that a finding is about.
    pub fn touches(&self, start: usize, end: usize) -> bool {
        self.insertions.iter().any(|(at, _)| match self.way {
            "anchor" => start <= *at && *at <= end,
            "comment" | "blank line" => start < *at && *at <= end,
            _ => false,
        })
    }
}

/// A place in a text where an entry or an item begins.
struct Place {
    /// Where its line begins, if it is the first on it.
    line: Option<usize>,
    indent: usize,
    /// Where a value without quotes begins that may get an anchor.
    value: Option<usize>,
}

fn places(text: &str, tree: &Tree) -> Vec<Place> {
    let mut places = Vec::new();
    let mut open: Vec<Value<'_>> = tree.documents().filter_map(|document| document.root()).collect();
    while let Some(value) = open.pop() {
        let map = value.map().into_iter().flat_map(|map| map.entries().collect::<Vec<_>>());
        let seq = value.seq().into_iter().flat_map(|seq| seq.items().collect::<Vec<_>>());
        let entries = map.map(|entry| (entry.range().start, entry.value()));
        for (start, value) in entries.chain(seq.map(|item| (item.range().start, item.value()))) {
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let indent = &text[line..start];
            let is_first = indent.bytes().all(|byte| byte == b' ');
            let range = value.content_range();
            let is_bare = value.anchor().is_none() && value.tag().is_none() && value.kind() == ValueKind::Plain;
            let is_one_line = text[start..range.end.max(start)].lines().count() == 1;
            places.push(Place {
                line: is_first.then_some(line),
                indent: indent.len(),
                value: (is_bare && is_one_line).then_some(range.start),
            });
            open.push(value);
        }
    }
    places
}

/// All ways to rewrite a text of this kind.
pub fn ways(text: &str, kind: FileKind) -> Vec<Rewritten> {
    let tree = parse(text);
    let mut ways = Vec::new();
    for place in places(text, &tree) {
        if let Some(line) = place.line {
            ways.push(Rewritten::new("comment", [(line, format!("{}#! A note.\n", " ".repeat(place.indent)))]));
            ways.push(Rewritten::new("blank line", [(line, "\n".to_owned())]));
        }
        if let Some(value) = place.value {
            ways.push(Rewritten::new("anchor", [(value, "&anchor ".to_owned())]));
        }
    }
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    ways.push(Rewritten::new("comment", [(text.len(), format!("{end}#! A note.\n"))]));
    ways.push(Rewritten::new("blank line", [(text.len(), format!("{end}\n"))]));
    if !text.contains('\r') {
        let ends = text.match_indices('\n').map(|(at, _)| (at, "\r".to_owned()));
        ways.push(Rewritten::new("CRLF", ends));
    }
    if kind == FileKind::Parts || kind == FileKind::Other {
        ways.push(Rewritten::new("byte order mark", [(0, "\u{feff}".to_owned())]));
    }
    ways.extend(documents(text, end, kind));
    if kind == FileKind::Parts {
        ways.extend(list(text, &tree));
    }
    ways
}

/// Whether documents before those of a text change nothing about them.
pub fn may_have_others_before(text: &str, kind: FileKind) -> bool {
    // Documents of the same head are merged in their order, so that a first one would be what others are merged onto.
    let is_merged = matches!(kind, FileKind::Schema | FileKind::DataValues | FileKind::PlainValues);
    // What a comment above the first document says may be about the file, and a JSON Schema is a first document.
    let is_head = text.contains("schema=") || kind == FileKind::Parts && !text.contains("apiVersion:");
    !is_merged && !is_head && kind != FileKind::Configuration && !text.starts_with(['\u{feff}', '%'])
}

/// A document before or after the others that says nothing about them.
fn documents(text: &str, end: &str, kind: FileKind) -> Vec<Rewritten> {
    let head = |begin: &str| text.lines().find(|line| line.starts_with(begin)).unwrap_or(begin).to_owned();
    let document = match kind {
        FileKind::Schema => format!("{}\n---\n{{}}\n", head("#@data/values-schema").max(head("#@schema/"))),
        FileKind::DataValues => "#@data/values\n---\n{}\n".to_owned(),
        FileKind::Configuration => return Vec::new(),
        FileKind::PlainValues => "---\n{}\n".to_owned(),
        _ => "---\nlofting: 1\n".to_owned(),
    };
    let mut ways = vec![Rewritten::new("document after", [(text.len(), format!("{end}{document}"))])];
    if may_have_others_before(text, kind) {
        let is_marked = text.lines().find(|line| !line.starts_with('#')) == Some("---");
        let start = if is_marked { "" } else { "---\n" };
        ways.push(Rewritten::new("document before", [(0, format!("{document}{start}"))]));
    }
    ways
}

/// A text as the last of as many documents as there are numbers for parts.
pub fn last_of_many(text: &str) -> Rewritten {
    let start = if text.starts_with("---") { "" } else { "---\n" };
    let own = text.lines().filter(|line| line.starts_with("---")).count();
    let many = "---\n".repeat(usize::from(u16::MAX) - own.max(1));
    Rewritten::new("many documents before", [(0, many + start)])
}

/// The only document as an item of a `List`.
fn list(text: &str, tree: &Tree) -> Option<Rewritten> {
    let is_resource = text.starts_with("apiVersion:") && text.contains("\nkind:");
    if !is_resource || tree.documents().count() != 1 {
        return None;
    }
    let head = (0, "apiVersion: v1\nkind: List\nitems:\n- ".to_owned());
    let lines = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len());
    let lines = lines.filter(|at| !text[*at..].starts_with('\n')).map(|at| (at, "  ".to_owned()));
    Some(Rewritten::new("in a List", std::iter::once(head).chain(lines)))
}

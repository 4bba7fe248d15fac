//! Converts the syntax tree to documents as data.

mod blocks;
mod collections;
mod comments;
mod copies;
mod entry;
mod heads;
mod lines;
mod refused;
mod tabs;
mod values;

use crate::code::{BlockKind, CodeReader, Statement, first_word};
use crate::ownership::{Owner, OwnerKind, Owners, owners};
use crate::{ArrayItem, Document, DocumentSet, FileId, Issue, MapItem, Node, Notes, Span};
use blocks::{Edge, blame};
use copies::Copies;
pub use entry::lower_entry;
pub use heads::{is_template, lower_heads};
use lines::Lines;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Tree, Value};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// Options of a ytt call that change how files are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `--implicit-map-key-overrides`: a repeated key replaces the earlier one.
    pub implicit_map_key_overrides: bool,
    /// `--ignore-unknown-comments`: ordinary comments are fine in templates.
    pub ignore_unknown_comments: bool,
    /// `--strict`: unquoted text that readers may take for something other than text is refused.
    pub strict: bool,
    /// Keep what only running the template can decide: bodies of functions, text with `(@ @)`, repeated keys. For
    /// compiling the file as a template instead of reading values.
    pub for_evaluation: bool,
    /// No comment is an annotation or code, whatever it looks like: what ytt reads without a template, such as the
    /// text that `yaml.decode` gets and files marked as plain.
    pub plain: bool,
    /// Texts in which other programs put something are unknown ([`crate::is_substituted`]).
    pub substituted: bool,
    /// `<<` means what YAML's merge keys mean, even in ytt's profile: it takes a list of maps as well, and a key that
    /// is written out replaces one that is merged in, whichever comes first. A byte order mark is not a part of the text.
    pub merges_lists: bool,
}

/// Values nested more deeply are unknown. The limit is far beyond what people write, and it bounds the recursion of
/// everything that walks the result.
const DEPTH_LIMIT: usize = lofting_eval::MAX_NESTING;
// What the parser reads is not lost here.
const _: () = assert!(lofting_syntax::MAX_NESTING <= DEPTH_LIMIT);

/// How many nodes the aliases of a file may add. ytt itself rejects excessive aliasing; real files stay thousands of
/// times below this.
pub const ALIAS_BUDGET: usize = 250_000;

/// Reads the documents of a file. Never fails: what cannot be read is unknown, and what is certainly wrong beyond
/// syntax becomes an issue.
pub fn lower(file: FileId, tree: &Tree, profile: Profile, options: Options) -> DocumentSet {
    let mut lower = Lower::new(file, tree, profile, options);
    let mut documents = lower.documents();
    // Now it is known which copy is the last on its line.
    if let Some(copies) = lower.copies.known() {
        lower = Lower { copies, ..Lower::new(file, tree, profile, options) };
        documents = lower.documents();
    }
    if profile.is_of_ytt() {
        lower.issues.extend(refused::around_documents(file, tree));
        lower.issues.extend(refused_by_go(file, tree));
    }
    lower.finish(documents)
}

/// What yaml.v2 refuses in documents, and newer libraries read: tabs ([`Issue::BlankTab`]), and everything else
/// ([`Issue::Refused`]). Costs what is unusual in the text, not its length.
pub fn refused_by_go(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut found = tabs::leading_tabs(file, tree);
    found.extend(refused::in_documents(file, tree));
    found
}

/// Reads single documents of one file in which no comment is an annotation, each at the cost of its own text. What
/// aliases may add is counted for all of them together.
pub struct DocumentReader<'t> {
    file: FileId,
    tree: &'t Tree,
    profile: Profile,
    options: Options,
    /// How many copies the aliases of each document made, by its offset: each document counts once.
    copies: FxHashMap<usize, usize>,
    /// How many more copies there may be.
    budget: usize,
    lines: Rc<Lines>,
}

impl<'t> DocumentReader<'t> {
    /// Reads documents of `tree` as a file of this profile.
    pub fn new(file: FileId, tree: &'t Tree, profile: Profile, options: Options) -> Self {
        let copies = FxHashMap::default();
        DocumentReader { file, tree, profile, options, copies, budget: ALIAS_BUDGET, lines: Rc::default() }
    }

    /// How many copies the aliases of a document made, if it was read.
    pub fn copies(&self, document: &lofting_syntax::Document<'t>) -> usize {
        self.copies.get(&document.node().range().start).copied().unwrap_or_default()
    }

    /// Counts the copies of a document that need not be read, because what it says is known. False if these are more
    /// than there may be, so that it has to be read.
    pub fn counts(&mut self, document: &lofting_syntax::Document<'t>, copies: usize) -> bool {
        let before = self.copies(document);
        let Some(left) = (self.budget + before).checked_sub(copies) else { return false };
        self.budget = left;
        self.copies.insert(document.node().range().start, copies);
        true
    }

    /// One document, and its issues.
    pub fn read(&mut self, document: &lofting_syntax::Document<'t>) -> DocumentSet {
        self.counts(document, 0);
        let mut lower = Lower::with_owners(self.file, self.tree, self.profile, self.options, Owners::default());
        lower.budget = self.budget;
        lower.lines = Rc::clone(&self.lines);
        let documents = lower.document(document).into_iter().collect();
        self.counts(document, self.budget - lower.budget);
        lower.issues.sort_by_key(|issue| issue.span().start);
        DocumentSet { documents, issues: lower.issues, ..DocumentSet::default() }
    }
}

struct Lower<'t> {
    file: FileId,
    tree: &'t Tree,
    profile: Profile,
    options: Options,
    owners: Owners,
    /// Comments before this one have been given to their owners.
    cursor: usize,
    is_template: bool,
    /// Some key contains code, so its item is not in the documents.
    templated_keys: bool,
    /// Something is in the body of a function, and so not in the documents.
    in_functions: bool,
    issues: Vec<Issue>,
    /// The value of each anchor, as of this point in the document.
    anchors: FxHashMap<String, Value<'t>>,
    /// Prefixes of the handles that the document declares with `%TAG`.
    handles: FxHashMap<String, String>,
    /// The value of each alias, by the offset of the alias. An alias inside an anchored value keeps the meaning it had
    /// where it was written, even when that value is copied later.
    aliases: FxHashMap<usize, Value<'t>>,
    /// Copies of items that have comments on their line.
    copies: Copies,
    /// What the aliases that are merged in are called.
    merged_aliases: Vec<(Span, String)>,
    /// Offsets of the anchored values that are currently being read.
    open_anchors: Vec<usize>,
    /// The items of the maps that are being read, those of an inner map after those of the outer one.
    items: Vec<MapItem>,
    /// The items of the arrays that are being read.
    array_items: Vec<ArrayItem>,
    budget: usize,
    budget_reported: bool,
    /// How many values and keys were beyond a limit of nesting.
    too_deep: usize,
    reader: CodeReader,
    /// Open blocks, each with its first line.
    blocks: Vec<(BlockKind, Span)>,
    /// All lines that begin or end a block, in order.
    edges: Vec<(Edge, Span)>,
    /// Comments that look like a misspelt line of code which would begin or end a block.
    almost: Vec<Almost>,
    /// An `if/end` or the like that waits for its node.
    node_bound: Option<(BlockKind, Span)>,
    /// A colon between brackets may belong to the text before it.
    text_ends_in_colons: bool,
    /// Where lines begin in the whole text.
    lines: Rc<Lines>,
    /// Where the document begins after a byte order mark, which is a part of its first text for ytt.
    marked: Option<usize>,
}

/// What a value inherits from the nodes around it.
#[derive(Clone, Copy)]
struct Context {
    depth: usize,
    /// Strings may contain `(@ @)` templates.
    templated: bool,
    /// Code above decides whether there is such a value.
    conditional: bool,
    /// The value is a copy made by an alias: only comments on its own line can belong to it (docs/ytt.md 4.4).
    copy: bool,
    /// How many keys the value is in.
    keys: u8,
    /// The value is that of no item: its keys are not compared.
    unused: bool,
}

impl Context {
    fn deeper(self) -> Self {
        Context { depth: self.depth + 1, ..self }
    }

    fn below(self, placement: &Placement) -> Self {
        let conditional = self.conditional || placement.conditional || placement.in_function;
        Context { conditional, ..self }
    }
}

/// A comment that is not code, but would be if it began with the right marker.
struct Almost {
    span: Span,
    /// It would end a block; otherwise it would begin one.
    ends: bool,
    /// Another finding reports this comment already.
    reported: bool,
}

impl Almost {
    /// Reads a comment as if it were a line of code.
    fn of(text: &str, span: Span, reported: bool) -> Option<Almost> {
        let code = text.trim_start_matches(|c: char| !c.is_alphabetic());
        let letters = || code.chars().filter(|c| c.is_alphabetic());
        let ends = match first_word(code) {
            Statement::End | Statement::BoundBranch => true,
            Statement::Open(_) | Statement::NodeBound(_) => false,
            _ if letters().take(4).eq("end".chars()) => true,
            _ => return None,
        };
        Some(Almost { span, ends, reported })
    }
}

/// What the surrounding code says about an item.
struct Placement {
    conditional: bool,
    /// It is part of a function's body, not of the document.
    in_function: bool,
}

impl<'t> Lower<'t> {
    fn new(file: FileId, tree: &'t Tree, profile: Profile, options: Options) -> Self {
        let owners = if means_comments(profile, options) { owners(tree) } else { Owners::default() };
        let mut lower = Lower::with_owners(file, tree, profile, options, owners);
        lower.survey();
        lower
    }

    /// With these owners of comments, which are not looked at yet.
    fn with_owners(file: FileId, tree: &'t Tree, profile: Profile, options: Options, owners: Owners) -> Self {
        Lower {
            file,
            tree,
            profile,
            options,
            owners,
            cursor: 0,
            is_template: false,
            templated_keys: false,
            in_functions: false,
            issues: Vec::new(),
            anchors: FxHashMap::default(),
            handles: FxHashMap::default(),
            aliases: FxHashMap::default(),
            copies: Copies::default(),
            merged_aliases: Vec::new(),
            open_anchors: Vec::new(),
            items: Vec::new(),
            array_items: Vec::new(),
            budget: ALIAS_BUDGET,
            budget_reported: false,
            too_deep: 0,
            reader: CodeReader::default(),
            blocks: Vec::new(),
            edges: Vec::new(),
            almost: Vec::new(),
            node_bound: None,
            text_ends_in_colons: profile.library().colons_need_space() && tree.root().is_unusual(),
            lines: Rc::default(),
            marked: None,
        }
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// Looks at all comments once: is this a template, and which comments are wrong?
    fn survey(&mut self) {
        if !means_comments(self.profile, self.options) {
            return;
        }
        let bom = has_byte_order_mark(self.tree);
        let mut ordinary = Vec::new();
        let mut lost = None;
        for comment in self.owners.comments() {
            if bom && comment.range.start == 3 {
                let is_annotation = self.tree.text(comment.range.clone()).starts_with("#@");
                lost = is_annotation.then(|| self.span(comment.range.clone()));
                continue;
            }
            let text = self.tree.text(comment.range.clone());
            // The second character decides, so that arguments are read only where they are needed.
            match text.as_bytes().get(1) {
                Some(b'@') => self.is_template = true,
                Some(b'!') => {}
                _ => ordinary.push(self.span(comment.range.clone())),
            }
        }
        if self.is_template && !self.options.ignore_unknown_comments {
            for span in ordinary {
                self.almost.extend(Almost::of(&self.tree.text(span.range()), span, true));
                self.issues.push(Issue::OrdinaryComment { span });
            }
        }
        if bom {
            self.issues.push(Issue::ByteOrderMark { span: self.span(0..3), comment: lost });
        }
    }

    fn documents(&mut self) -> Vec<Document> {
        self.tree.documents().filter_map(|document| self.document(&document)).collect()
    }

    /// One document; none if it is part of a function's body.
    fn document(&mut self, document: &lofting_syntax::Document<'t>) -> Option<Document> {
        self.directives(document);
        self.anchors.clear();
        self.aliases.clear();
        let marker = document.start_marker().map(|token| token.range());
        let (mut notes, mut placement) = (Notes::default(), Placement { conditional: false, in_function: false });
        if let Some(marker) = &marker {
            notes = self.notes(Owner { kind: OwnerKind::Document, offset: marker.start });
            placement = self.placement(0);
        }
        self.marked = document
            .root()
            .map(|root| root.start())
            .filter(|_| self.profile == Profile::Ytt && !self.options.merges_lists)
            .filter(|start| follows_byte_order_mark(self.tree, *start));
        let conditional = placement.conditional || placement.in_function;
        let context =
            Context { depth: 0, templated: is_templated(&notes), conditional, copy: false, keys: 0, unused: false };
        let empty = marker.as_ref().map_or(document.range().start, |marker| marker.end);
        let value = match document.root() {
            Some(root) => self.item_value(root, &notes, context),
            None => Node::missing(self.span(empty..empty)),
        };
        self.check_merged_aliases();
        let value = self.computed(value, &notes);
        // These annotations tell ytt what a file is, wherever they are (docs/ytt.md 2), so they count even inside
        // a function: while its head is being typed, everything below seems to be in it.
        let says_what_it_is = notes.has("data/values") || crate::SCHEMA_HEADS.into_iter().any(|head| notes.has(head));
        if placement.in_function && !self.options.for_evaluation && !says_what_it_is {
            self.in_functions = true;
            return None;
        }
        Some(Document {
            span: self.span(document.range()),
            marker: marker.map(|range| self.span(range)),
            notes,
            value,
            conditional,
        })
    }

    /// ytt reads with yaml.v2, which knows YAML 1.1 and no directives except `%YAML` and `%TAG`.
    fn directives(&mut self, document: &lofting_syntax::Document<'_>) {
        self.handles.clear();
        for directive in document.directives() {
            let text = directive.text();
            let mut words = text.split_ascii_whitespace();
            if let (Some("%TAG"), Some(handle), Some(prefix)) = (words.next(), words.next(), words.next()) {
                self.handles.insert(handle.to_owned(), prefix.to_owned());
            }
        }
        if !matches!(self.profile, Profile::Ytt) {
            return;
        }
        for directive in document.directives() {
            let text = directive.text();
            let mut words = text.split_ascii_whitespace();
            let issue = match (words.next(), words.next()) {
                (Some("%YAML"), Some("1.1")) | (Some("%TAG"), _) => continue,
                (name, _) => Issue::Directive { span: self.span(directive.range()), version: name == Some("%YAML") },
            };
            self.issues.push(issue);
        }
    }

    fn uneven_blocks(&mut self) {
        let edges = std::mem::take(&mut self.edges);
        let text = OnceCell::new();
        let blamed = blame(&edges, |span| {
            let text = text.get_or_init(|| self.tree.text(0..self.tree.len()).into_owned());
            let before = text.get(..span.range().start).unwrap_or_default();
            before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
        });
        // The `end` of a branch without a head is not reported besides it.
        let is_lone = |issue: &Issue| match issue {
            Issue::UnexpectedEnd { span } => Some(span.start),
            _ => None,
        };
        let mut lone: Vec<u32> = self.issues.iter().filter_map(is_lone).collect();
        lone.sort_unstable();
        for (index, (edge, span)) in edges.into_iter().enumerate() {
            let unclosed = blamed.unclosed.binary_search(&index).is_ok();
            match edge {
                Edge::Head | Edge::Def if unclosed => {
                    let end = self.almost.iter().position(|line| line.ends && line.span.start > span.start);
                    match end.map(|end| self.almost.remove(end)) {
                        Some(Almost { reported: true, .. }) => {}
                        Some(end) => self.issues.push(Issue::CodeWithoutSpace { span: end.span, unclosed: Some(span) }),
                        None => self.issues.push(Issue::UnclosedBlock { span }),
                    }
                }
                Edge::HalfHead => self.issues.push(Issue::HalfOpenBlock { span, closed: !unclosed }),
                Edge::End if blamed.unexpected.binary_search(&index).is_ok() => {
                    let head = self.almost.iter().rposition(|line| !line.ends && line.span.start < span.start);
                    match head.map(|head| self.almost.remove(head)) {
                        Some(Almost { reported: true, .. }) => {}
                        Some(head) => self.issues.push(Issue::CodeWithoutSpace { span: head.span, unclosed: None }),
                        None if lone.first().is_some_and(|branch| *branch < span.start) => drop(lone.remove(0)),
                        None => self.issues.push(Issue::UnexpectedEnd { span }),
                    }
                }
                _ => {}
            }
        }
    }

    fn finish(mut self, mut documents: Vec<Document>) -> DocumentSet {
        // Code after the last node belongs to ytt's invisible end document.
        let tail =
            if self.is_template { self.notes_of(self.cursor..self.owners.comments().len()) } else { Notes::default() };
        self.interrupt();
        self.uneven_blocks();
        // A file that starts with comments followed by `---` has an invisible first document, which is dropped
        // (docs/ytt.md 4.5).
        if documents
            .first()
            .is_some_and(|first| first.marker.is_none() && first.value.missing && first.notes.computed.is_none())
        {
            documents.remove(0);
        }
        self.issues.sort_by_key(|issue| issue.span().start);
        let (is_template, templated_keys, in_functions) = (self.is_template, self.templated_keys, self.in_functions);
        DocumentSet { documents, is_template, templated_keys, in_functions, issues: self.issues, tail }
    }
}

/// A byte order mark, which makes the comment directly after it disappear.
fn has_byte_order_mark(tree: &Tree) -> bool {
    tree.len() >= 3 && tree.text(0..3) == "\u{feff}"
}

/// Whether a byte order mark ends at this place.
fn follows_byte_order_mark(tree: &Tree, at: usize) -> bool {
    at.checked_sub(3).is_some_and(|start| tree.text(start..at) == "\u{feff}")
}

/// Whether comments may be annotations and code.
fn means_comments(profile: Profile, options: Options) -> bool {
    matches!(profile, Profile::Ytt) && !options.plain
}

fn is_templated(notes: &Notes) -> bool {
    notes.has("yaml/text-templated-strings")
}

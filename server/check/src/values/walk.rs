//! The walk along a value and its schema.

mod alternatives;
mod asked;
mod choice;
mod clauses;
mod coded;
mod collections;
mod dedented;
mod discriminator;
mod filled;
mod indexed;
mod judged;
mod known;
mod merged;
mod met;
mod misspelt;
mod once;
mod open;
mod read_otherwise;
mod reason;
mod remembered;
mod score;
mod seen;
mod strange;
mod together;
mod wrong;

use self::asked::Owns;
pub(super) use self::clauses::equal_items;
use self::coded::Coded;
use self::collections::EntryGroup;
pub(super) use self::filled::filled_count;
use self::indexed::{Indexes, WrittenKeys};
pub(crate) use self::merged::MergedEntries;
use self::reason::Because;
use self::remembered::Leave;
use self::score::Scores;
use super::code::Assertions;
use super::left::{Existing, Left, effective};
use super::{Base, Finding, Findings, Layers, Root, Style, ValuesCheck, bounds};
use crate::at::At;
use crate::memo::{CheckMemo, MetPlaces};
use crate::path::{PathId, Paths, ROOT, Step};
use crate::suggest::Comparisons;
use crate::view::{Count, Entry, Kind, Operation, Overlay, Scalar, View};
use crate::{meant, rules};
use lofting_diagnostic::{Diagnostic, Rule, Stage};
use lofting_document::{FileId, Key, Span};
use lofting_schema::semantics::{NewKeys, Numbers, OtherKinds};
use lofting_schema::{ArrayShape, Kinds, MapShape, Schema, SchemaId, SchemaNode, Shape};
use rustc_hash::FxHashSet;

pub(super) struct Walk<'c, 'a, V> {
    check: &'c ValuesCheck<'a>,
    schema: &'a Schema,
    stack: Vec<Task<'a, V>>,
    memo: Option<(FileId, &'c mut CheckMemo)>,
    /// Code rules, if they are called.
    coded: Option<Coded<'c, 'a>>,
    /// Entries of which only merging tells what their annotations do.
    entries: Option<&'c dyn MergedEntries>,
    /// The number of findings up to the last one of such an entry.
    merged: usize,
    paths: Paths,
    found: Findings,
    suggestions: Comparisons,
    /// Scores of alternatives, computed so far.
    scores: Scores,
    /// It has been reported that not all alternatives were compared.
    cut_reported: bool,
    /// Values that were compared with a node because of a clause.
    reported: FxHashSet<(ToldOf, SchemaId)>,
    /// Keys that are missing in maps. Several nodes may require one.
    missing: FxHashSet<(ToldOf, Key)>,
    /// Keys that were reported as indented too little.
    dedented: FxHashSet<Span>,
    /// The keys of the map that was last asked about.
    written: Option<(ToldOf, WrittenKeys)>,
    /// Maps that many clauses are about.
    indexes: Indexes<V>,
    /// What nodes say about maps whatever their conditions are.
    owns: Owns<'a>,
    /// The root is a single value instead of a document.
    is_value: bool,
    /// The path at which the walk begins.
    root: PathId,
    /// The value has its defaults already.
    is_filled: bool,
    /// Where the document meets others, if that is asked for.
    met: Option<MetPlaces>,
}

/// A value to visit, with its node and what it is merged into.
#[derive(Clone, Copy)]
struct Visit<'a, V> {
    value: V,
    id: SchemaId,
    left: Left<'a>,
    /// The inherited rule for missing matches.
    inherited: Count,
    /// How many map levels are above.
    level: usize,
    /// It is below a value of any type.
    within_any: bool,
    /// It is inside a value that is taken as it is, not merged entry by entry.
    within_whole: bool,
    /// How many clauses led from one node to another for this value.
    nesting: u8,
    /// The node that these clauses began at, if there are any.
    base: SchemaId,
    /// The node belongs to a clause beside one that declares keys, which alone says what is read.
    only_judges: bool,
    /// The condition that led to the node, if clauses did.
    because: Option<Because<'a>>,
    place: Place,
}

/// A value at a place: its key or dash, where it is written, and which copy of it that is. What is found in a copy is
/// remembered for itself, and so must not be left out because it is found in another one.
type ToldOf = (Span, Span, u64);

impl<'a, V: View> Visit<'a, V> {
    /// This visit, of another value at another place.
    fn with<W>(&self, value: W, place: Place) -> Visit<'a, W> {
        let Visit { id, left, inherited, level, within_any, within_whole, nesting, base, only_judges, because, .. } =
            *self;
        Visit {
            value,
            id,
            left,
            inherited,
            level,
            within_any,
            within_whole,
            nesting,
            base,
            only_judges,
            because,
            place,
        }
    }

    /// The node that clauses of this value began at.
    fn base(&self) -> SchemaId {
        if self.nesting == 0 { self.id } else { self.base }
    }

    fn told_of(&self) -> ToldOf {
        (self.place.name, self.value.span(), self.value.copy())
    }
}

enum Task<'a, V> {
    Visit(Visit<'a, V>),
    /// A part of a collection.
    EntryGroup(EntryGroup<'a, V>),
    /// Everything below a collection has been visited.
    Leave(Leave),
}

/// Where a value is, for findings about it.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The key, dash or marker.
    pub name: Span,
    /// The path of the collection that contains the value.
    pub parent: PathId,
    /// The value's own path, if it was needed already.
    pub path: Option<PathId>,
}

/// The last step of a value's path, which becomes part of a path only when needed.
#[derive(Clone, Copy)]
enum Last<'k> {
    Key(&'k Key),
    Index(usize),
}

impl Last<'_> {
    fn step(&self) -> Step {
        match self {
            Last::Key(key) => Step::Key((*key).clone()),
            Last::Index(index) => Step::Index(*index),
        }
    }
}

impl<'c, 'a, V: View> Walk<'c, 'a, V> {
    pub fn new(check: &'c ValuesCheck<'a>) -> Self {
        Walk {
            check,
            memo: None,
            coded: None,
            entries: None,
            merged: 0,
            schema: check.schema,
            stack: Vec::new(),
            paths: Paths::default(),
            found: Findings::default(),
            suggestions: Comparisons::default(),
            scores: Scores::default(),
            cut_reported: false,
            reported: FxHashSet::default(),
            missing: FxHashSet::default(),
            dedented: FxHashSet::default(),
            written: None,
            indexes: Indexes::new(false),
            owns: Owns::default(),
            is_value: false,
            root: ROOT,
            is_filled: false,
            met: None,
        }
    }

    /// Uses what `memo` remembers of the previous check.
    pub fn with_memo(self, file: FileId, memo: &'c mut CheckMemo) -> Self {
        Walk { memo: Some((file, memo)), indexes: Indexes::new(true), ..self }
    }

    /// Calls code rules as well. Only for a document that alone is merged into the defaults.
    pub fn asking(self, assertions: &'c dyn Assertions) -> Self {
        Walk { coded: Some(Coded::new(assertions)), ..self }
    }

    /// Lets single entries be merged.
    pub fn merging(self, entries: Option<&'c dyn MergedEntries>) -> Self {
        Walk { entries, ..self }
    }

    /// Prefixes paths with the path from the document's root to the checked part.
    pub fn below(mut self, above: &[Step]) -> Self {
        self.root = above.iter().fold(ROOT, |path, step| self.paths.below(path, step.clone()));
        self
    }

    pub fn run(self, root: Root<V>, id: SchemaId) -> Findings {
        self.run_met(root, id).0
    }

    /// Like [`Walk::run`]; with the places where the document meets others.
    pub fn run_met(self, root: Root<V>, id: SchemaId) -> (Findings, MetPlaces) {
        lofting_schema::within_a_document(|| self.run_below(root, id))
    }

    fn run_below(mut self, root: Root<V>, id: SchemaId) -> (Findings, MetPlaces) {
        self.is_value = root.is_value;
        let left = match self.check.layers {
            Layers::Alone => Left::Fresh,
            Layers::Over { below: Base::Merged(node), .. } => Left::Value(node),
            Layers::Over { below: Base::Defaults | Base::Unknown, .. } => Left::Default(id),
        };
        let place = Place { name: root.name, parent: self.root, path: Some(self.root) };
        let visit = Visit {
            value: root.value,
            id,
            left,
            inherited: self.new_keys(),
            level: 0,
            within_any: false,
            within_whole: false,
            nesting: 0,
            base: id,
            only_judges: false,
            because: None,
            place,
        };
        self.stack.extend(self.operation(visit, root.overlay).map(Task::Visit));
        self.finish();
        self.ask();
        once::keep(&mut self.found.findings);
        meant::join(&mut self.found.findings, &misspelt::OnWalk(self.schema.semantics().profile));
        (self.found, self.met.unwrap_or_default())
    }

    /// Visits everything that waits.
    fn finish(&mut self) {
        while let Some(task) = self.stack.pop() {
            lofting_memo::step();
            let waiting = self.stack.len();
            match task {
                Task::Visit(visit) => self.visit(visit),
                Task::EntryGroup(part) => self.part(part),
                Task::Leave(leave) => self.leave(leave),
            }
            // What comes first in the text is visited first, as findings are limited. What is below a collection
            // comes before its end.
            let added = self.stack.get_mut(waiting..).unwrap_or_default();
            added.split_mut(|task| matches!(task, Task::Leave(_))).for_each(<[_]>::reverse);
        }
    }

    /// The language's rule for keys without a match.
    fn new_keys(&self) -> Count {
        match self.schema.semantics().data_values.new_keys {
            NewKeys::Annotated => Count::Inherit,
            NewKeys::Free => Count::MissingOk,
        }
    }

    /// Applies a matched node's own overlay annotations; None if its value never reaches the type check.
    fn operation(&self, mut visit: Visit<'a, V>, overlay: Overlay) -> Option<Visit<'a, V>> {
        if matches!(self.check.style(), Some(Style::Flag { depth }) if visit.level >= depth) {
            visit.left = Left::Fresh;
        }
        if !self.merges() || matches!(visit.left, Left::Fresh) {
            return Some(visit);
        }
        visit.inherited = effective(overlay.child_defaults, visit.inherited);
        match overlay.operation {
            Operation::Merge => {}
            Operation::Replace { .. } | Operation::Add => visit.left = Left::Fresh,
            Operation::Remove | Operation::Assert | Operation::Computed => return None,
        }
        Some(visit)
    }

    /// Whether overlay annotations have a meaning here.
    fn merges(&self) -> bool {
        self.check.style() == Some(Style::Annotated)
    }

    /// Whether the left side is known, not only its type.
    fn certain(&self) -> bool {
        self.check.is_certain()
    }

    fn visit(&mut self, mut visit: Visit<'a, V>) {
        let kind = visit.value.kind();
        self.meets(&visit, kind);
        if !visit.within_whole && self.is_taken_whole(&visit, kind) {
            visit.within_whole = true;
            self.repeated(visit.value);
        }
        let node = self.schema.node(visit.id);
        if kind == Kind::Unknown {
            return;
        }
        let said = match kind {
            Kind::Null if self.check.takes_null(node) => Said::Nothing,
            _ if !node.known => Said::Nothing,
            _ if node.says_nothing() => Said::Anything,
            _ if visit.value.is_raw() || !takes(node, self.schema, visit.value, kind) => {
                return self.mismatch(&visit, kind);
            }
            Kind::Map => node.map.as_deref().map_or(Said::Nothing, Said::Keys),
            Kind::Array => node.array.as_deref().map_or(Said::Nothing, Said::Items),
            _ => Said::Nothing,
        };
        if matches!(said, Said::Keys(_) | Said::Items(_)) && self.collides(&visit, kind) {
            return;
        }
        // Its own rules come first: only findings below it are remembered.
        self.rules(&visit, kind);
        self.judged(&visit);
        if !node.clauses.is_empty() {
            self.clauses(&visit, kind);
        }
        if let Said::Keys(shape) = said {
            self.required(&visit, shape);
            self.counts(&visit, shape);
        }
        match said {
            Said::Anything => self.open(&visit, kind),
            Said::Keys(shape) if !self.recalls(&visit) => self.map(&visit, shape),
            Said::Items(shape) if !self.recalls(&visit) => self.array(&visit, shape),
            _ => {}
        }
    }

    /// Whether a map or array fails to merge with something else (docs/ytt.md 14.1), whatever the type.
    fn collides(&mut self, visit: &Visit<'a, V>, kind: Kind) -> bool {
        if self.kind_stage(visit, kind) == Stage::Overlay {
            self.mismatch(visit, kind);
            return true;
        }
        false
    }

    /// The stage at which a value of a wrong kind fails.
    fn kind_stage(&self, visit: &Visit<'a, V>, kind: Kind) -> Stage {
        let merged = matches!(
            (self.check.style(), kind),
            (Some(Style::Annotated), Kind::Map | Kind::Array) | (Some(_), Kind::Map)
        );
        let takes_place = self.schema.semantics().data_values.other_kinds == OtherKinds::Replace;
        if takes_place && self.schema.node(visit.id).kinds.is_several() {
            return Stage::Type;
        }
        match visit.left.existing(self.schema, self.certain()) {
            // If the existing value is wrong itself, that has been reported; further failures only follow from it.
            Existing::Kind(existing) if merged && existing != kind && self.accepts(visit.id, existing) => {
                Stage::Overlay
            }
            _ => Stage::Type,
        }
    }

    fn accepts(&self, id: SchemaId, kind: Kind) -> bool {
        accepts(self.schema, id, kind)
    }

    /// Visits an item's value: scalars at once, because most values are scalars; collections later.
    fn child(&mut self, visit: Visit<'a, V>, overlay: Overlay, last: Last<'_>) {
        let Some(mut visit) = self.operation(visit, overlay) else { return };
        let kind = visit.value.kind();
        if kind.is_collection() {
            visit.place = self.settle(visit.place, last);
            self.stack.push(Task::Visit(visit));
            return;
        }
        self.meets_scalar(&visit, kind, last);
        let node = self.schema.node(visit.id);
        if kind == Kind::Unknown {
            return;
        }
        let fits = (kind == Kind::Null && self.check.takes_null(node)) || takes(node, self.schema, visit.value, kind);
        let is_called = self.coded.is_some() && node.has_code() || node.judged.is_some();
        if fits && node.constraints.is_empty() && node.clauses.is_empty() && !is_called {
            return;
        }
        let (noted, sites) = (self.paths.noted(), self.sites());
        visit.place = self.settle(visit.place, last);
        if fits {
            self.rules(&visit, kind);
            self.judged(&visit);
            if !node.clauses.is_empty() {
                self.clauses(&visit, kind);
            }
        } else {
            self.mismatch(&visit, kind);
        }
        self.forget_paths(noted, sites);
    }

    /// The number of code sites so far.
    fn sites(&self) -> usize {
        self.coded.as_ref().map_or(0, Coded::len)
    }

    /// Forgets paths added since, unless a code site found since needs its path later. In a large file they would be
    /// one per value.
    fn forget_paths(&mut self, noted: usize, sites: usize) {
        if self.sites() == sites {
            self.paths.forget(noted);
        }
    }

    /// The stage at which a key without a match fails; None if that is allowed.
    fn unmatched(&self, entry: &Entry<V>, inherited: Count) -> Option<Stage> {
        let count = effective(entry.overlay.count, inherited);
        match (entry.overlay.operation, count) {
            (_, Count::When) => None,
            (_, Count::Inherit | Count::Exact) => Some(Stage::Overlay),
            (Operation::Merge | Operation::Replace { or_add: true }, Count::MissingOk | Count::Other) => {
                Some(Stage::Type)
            }
            // These operations need no match.
            (_, Count::MissingOk | Count::Other) => None,
        }
    }

    /// Checks the bounds of a node for a value of a fitting kind.
    fn rules(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        let node = self.schema.node(visit.id);
        // Below `any`, only the document as a whole has rules.
        if !self.check.checks.rules || visit.within_any {
            return;
        }
        self.site(visit, kind);
        if node.constraints.is_empty() {
            return;
        }
        self.found.needs_merging |= self.merges() && self.is_replaced_inside(visit);
        if matches!(visit.left, Left::Value(_)) && kind.is_collection() && matches!(node.shape(), Shape::Any) {
            // A value merged below `any` can only be checked as a whole.
            return self.whole(visit);
        }
        let given = bounds::BoundedValue {
            value: visit.value,
            left: visit.left,
            check: self.check,
            id: visit.id,
            conditional: false,
            is_partial: kind.is_collection().then(|| self.scorer().is_partial(visit.value)),
        };
        let broken = given.broken();
        let meant = if broken.is_empty() { None } else { self.read_otherwise(visit.value, &[visit.id]) };
        // What a node takes only because it says nothing of types is not meant, unless its list has it.
        let named = |kinds: &Kinds| rules::ytt_type_mismatch::wanted_kinds(self.schema, visit.id).has(*kinds);
        let kinds = meant.map(|(kinds, _)| kinds);
        let named = kinds.filter(named);
        for broken in broken {
            let meant = if broken.choices() > 0 { kinds } else { named };
            let suggest = self.suggestions.allow(broken.choices());
            let lack = broken.too_few().and_then(|few| self.lack_of_few(visit, kind, few)).map(Box::new);
            self.report(broken.rule(), visit.place, |at| match meant {
                Some(kinds) => rules::ytt_type_mismatch::read_as(broken.finding(at, suggest), at, kinds, visit.value),
                None => Diagnostic { lack, ..broken.finding(at, suggest) },
            });
        }
        if let Some(pattern) = given.given_up() {
            self.report(&rules::lofting_pattern_limit::RULE, visit.place, |at| {
                rules::lofting_pattern_limit::finding(at, pattern)
            });
        }
    }

    /// Whether an entry of a map may have no effect, so that what the map has in the end does not follow from its keys; or
    /// whether the map is of any type, where only merging tells what annotations inside it do.
    fn is_replaced_inside(&self, visit: &Visit<'a, V>) -> bool {
        if visit.value.kind() != Kind::Map || matches!(visit.left, Left::Fresh) {
            return false;
        }
        let is_any = matches!(self.schema.node(visit.id).shape(), Shape::Any);
        is_any && visit.value.may_have_overlays()
            || visit.value.entries().any(|entry| {
                let is_certain = matches!(entry.overlay.count, Count::Inherit | Count::Exact | Count::MissingOk);
                entry.overlay.operation != Operation::Merge || !is_certain
            })
    }

    /// The path of a place, created now if it has none.
    fn path(&mut self, place: Place, last: Option<Last<'_>>) -> PathId {
        match (place.path, last) {
            (Some(path), _) => path,
            (None, Some(last)) => self.paths.below(place.parent, last.step()),
            (None, None) => place.parent,
        }
    }

    fn settle(&mut self, place: Place, last: Last<'_>) -> Place {
        Place { path: Some(self.path(place, Some(last))), ..place }
    }

    /// Adds a finding of a rule, which is made if there is room for it.
    fn report(&mut self, rule: &'static Rule, place: Place, finding: impl FnOnce(&At<'_>) -> Diagnostic) {
        if !self.found.has_room(rule, place.name.file, self.check.limit) {
            self.found.more += 1;
            return;
        }
        let path = place.path.unwrap_or(place.parent);
        let whole = self.is_value;
        let at = At {
            name: place.name,
            path,
            paths: &self.paths,
            source: self.check.source,
            whole,
            semantics: self.schema.semantics(),
        };
        let mut diagnostic = finding(&at).family(self.schema.semantics().family);
        diagnostic.path = Some(at.path());
        let steps = self.paths.steps(path).into_iter().cloned().collect();
        debug_assert_eq!(diagnostic.rule.code, rule.code);
        self.found.add(Finding::new(diagnostic, steps), self.check.limit);
    }
}

/// What a node says about the parts of a value.
enum Said<'a> {
    Nothing,
    /// They may be anything.
    Anything,
    Keys(&'a MapShape),
    Items(&'a ArrayShape),
}

/// Whether a node accepts a value of this kind, not counting null by `nullable`.
fn takes<V: View>(node: &SchemaNode, schema: &Schema, value: V, kind: Kind) -> bool {
    node.kinds.has(kind.kinds())
        || (kind == Kind::Float
            && node.kinds.has(Kinds::INT)
            && schema.semantics().numbers == Numbers::Value
            && matches!(value.scalar(), Some(Scalar::Float(number)) if number.fract() == 0.0))
}

fn accepts(schema: &Schema, id: SchemaId, kind: Kind) -> bool {
    let node = schema.node(id);
    (node.nullable && kind == Kind::Null) || node.kinds.has(kind.kinds())
}

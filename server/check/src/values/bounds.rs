//! The rules given as bounds: `min=`, `max_len=`, `one_of=` ... (docs/ytt.md 13.2, 13.3, 13.5).

use super::left::{Existing, Left};
use super::walk::{equal_items, filled_count};
use super::{Layers, Style, ValuesCheck};
use crate::at::At;
use crate::decimal::Decimal;
use crate::rules;
use crate::rules::ytt_one_not_null::Set;
use crate::view::{Kind, View, to_node};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::compare::{Compared, order};
use lofting_schema::semantics::{Empty, LengthUnit, Misapplied, Null, UnreadPatterns};
use lofting_schema::{Constraint, ConstraintKind, Kinds, MapShape, Pattern, SchemaId, Semantics, Shape, format};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// A value whose type fits, with what it is merged into.
pub(super) struct BoundedValue<'c, 'a, V> {
    pub value: V,
    pub left: Left<'a>,
    pub check: &'c ValuesCheck<'a>,
    pub id: SchemaId,
    /// Check the bounds that apply only under the node's condition, instead of the others.
    pub conditional: bool,
    /// See [`View::is_partial`]; None if it was not asked.
    pub is_partial: Option<bool>,
}

/// What the bounds of a value look at, read once for all of them.
struct ReadOnce {
    kind: Kind,
    whole: OnceCell<Option<Node>>,
}

/// A bound that does not hold.
pub(super) struct Broken<'a, V> {
    value: V,
    /// The bound in the schema.
    bound: &'a Constraint,
    what: What<'a>,
}

enum What<'a> {
    NotNull,
    Min(&'a Node, Compared),
    Max(&'a Node, Compared),
    MinLength(i128, Option<u64>),
    MaxLength(i128, Option<u64>),
    ExclusiveMin(&'a Node, Compared),
    ExclusiveMax(&'a Node, Compared),
    MultipleOf(f64),
    Pattern(&'a Pattern),
    /// The name of the format, and whether it is only worth a hint.
    Format(&'a str, bool),
    /// The indices of the equal items.
    UniqueItems(usize, usize),
    StartsWith(&'a str),
    EndsWith(&'a str),
    OneOf(&'a [Node]),
    OneNotNull(Option<&'a [Key]>, Set),
}

/// The length of a value.
enum Length {
    Known(u64),
    /// At least this long; other documents may add more.
    AtLeast(u64),
    /// ytt fails with "value of type int has no len", so the bound is broken.
    HasNone,
    Unknown,
}

impl<'c, 'a, V: View> BoundedValue<'c, 'a, V> {
    /// A value that is merged into nothing.
    pub fn alone(value: V, check: &'c ValuesCheck<'a>, id: SchemaId) -> Self {
        BoundedValue { value, left: Left::Fresh, check, id, conditional: false, is_partial: None }
    }

    /// The bounds that are certainly broken, in ytt's order.
    pub fn broken(&self) -> Vec<Broken<'a, V>> {
        let schema = self.check.schema;
        let constraints =
            || schema.node(self.id).constraints.iter().filter(|constraint| constraint.conditional == self.conditional);
        let read = ReadOnce { kind: self.value.kind(), whole: OnceCell::new() };
        if read.kind == Kind::Null && self.semantics().null == Null::Absent {
            // Null skips all rules unless `not_null` is among them, which then is the only one checked.
            let not_null = constraints().find(|constraint| matches!(constraint.kind, ConstraintKind::NotNull));
            return not_null.map(|bound| self.found(bound, What::NotNull)).into_iter().collect();
        }
        let mut broken: Vec<(u8, Broken<'a, V>)> = constraints()
            .filter_map(|bound| self.check_one(bound, &read).map(|(rank, what)| (rank, self.found(bound, what))))
            .collect();
        broken.sort_by_key(|(rank, _)| *rank);
        broken.into_iter().map(|(_, broken)| broken).collect()
    }

    /// A pattern of the schema that takes too long for the value.
    pub fn given_up(&self) -> Option<&'a Pattern> {
        let read = ReadOnce { kind: self.value.kind(), whole: OnceCell::new() };
        let patterns = self.check.schema.node(self.id).constraints.iter().filter_map(|bound| match &bound.kind {
            ConstraintKind::Pattern(pattern) if read.kind == Kind::String => Some(pattern),
            _ => None,
        });
        patterns.into_iter().find(|pattern| match self.whole(&read).map(|node| &node.value) {
            Some(NodeValue::String(text)) => pattern.gives_up_on(text),
            _ => false,
        })
    }

    fn found(&self, bound: &'a Constraint, what: What<'a>) -> Broken<'a, V> {
        Broken { value: self.value, bound, what }
    }

    /// What is wrong with one bound, and its place in ytt's fixed order.
    fn check_one(&self, constraint: &'a Constraint, read: &ReadOnce) -> Option<(u8, What<'a>)> {
        if constraint.on != Kinds::ANY && !constraint.on.has(read.kind.kinds()) {
            return None;
        }
        match &constraint.kind {
            ConstraintKind::MinLength(least) => match self.length(read) {
                Length::Known(length) if i128::from(length) < *least => {
                    Some((0, What::MinLength(*least, Some(length))))
                }
                Length::HasNone => Some((0, What::MinLength(*least, None))),
                _ => None,
            },
            ConstraintKind::MaxLength(most) => match self.length(read) {
                Length::Known(length) | Length::AtLeast(length) if i128::from(length) > *most => {
                    Some((1, What::MaxLength(*most, Some(length))))
                }
                Length::HasNone => Some((1, What::MaxLength(*most, None))),
                _ => None,
            },
            ConstraintKind::Min(least) => {
                let compared = order(self.whole(read)?, least);
                (compared == Compared::Order(Ordering::Less) || self.fails(compared))
                    .then_some((2, What::Min(least, compared)))
            }
            ConstraintKind::Max(most) => {
                let compared = order(self.whole(read)?, most);
                (compared == Compared::Order(Ordering::Greater) || self.fails(compared))
                    .then_some((3, What::Max(most, compared)))
            }
            ConstraintKind::OneNotNull(keys) => {
                let keys = keys.as_deref();
                Some((4, What::OneNotNull(keys, self.one_not_null(keys)?)))
            }
            ConstraintKind::OneOf(allowed) => {
                let is_allowed = self.may_be_among(allowed, read) && allowed.has(self.whole(read)?)?;
                (!is_allowed).then_some((5, What::OneOf(allowed)))
            }
            ConstraintKind::ExclusiveMin(least) => {
                let compared = order(self.whole(read)?, least);
                let broken = matches!(compared, Compared::Order(Ordering::Less | Ordering::Equal));
                (broken || self.fails(compared)).then_some((2, What::ExclusiveMin(least, compared)))
            }
            ConstraintKind::ExclusiveMax(most) => {
                let compared = order(self.whole(read)?, most);
                let broken = matches!(compared, Compared::Order(Ordering::Greater | Ordering::Equal));
                (broken || self.fails(compared)).then_some((3, What::ExclusiveMax(most, compared)))
            }
            ConstraintKind::MultipleOf(factor) => {
                let number = Decimal::of(&self.whole(read)?.value)?;
                let factor_as = Decimal::of(&NodeValue::Float(*factor))?;
                (!number.is_multiple_of(factor_as)).then_some((4, What::MultipleOf(*factor)))
            }
            ConstraintKind::Pattern(pattern) => match &self.whole(read)?.value {
                NodeValue::String(text) => match pattern.is_in(text) {
                    Some(false) => Some((4, What::Pattern(pattern))),
                    None if self.semantics().unread_patterns == UnreadPatterns::Refuse && !pattern.is_valid() => {
                        Some((4, What::Pattern(pattern)))
                    }
                    _ => None,
                },
                _ => None,
            },
            ConstraintKind::UniqueItems => {
                let whole = read.kind == Kind::Array && self.is_whole();
                let (first, second) = equal_items(self.value).filter(|_| whole)?;
                Some((4, What::UniqueItems(first, second)))
            }
            ConstraintKind::StartsWith(start) => match &self.whole(read)?.value {
                NodeValue::String(text) if !text.starts_with(start.as_str()) => Some((4, What::StartsWith(start))),
                _ => None,
            },
            ConstraintKind::EndsWith(end) => match &self.whole(read)?.value {
                NodeValue::String(text) if !text.ends_with(end.as_str()) => Some((4, What::EndsWith(end))),
                _ => None,
            },
            ConstraintKind::Format(name) | ConstraintKind::FormatHint(name) => {
                let language = self.semantics().formats;
                let fits = match &self.whole(read)?.value {
                    NodeValue::String(text) => format::fits(language, name, text),
                    NodeValue::Int(number) => format::fits_integer(language, name, number.get()),
                    _ => None,
                };
                let is_hint = matches!(constraint.kind, ConstraintKind::FormatHint(_));
                (fits == Some(false)).then_some((4, What::Format(name, is_hint)))
            }
            ConstraintKind::NotNull => None,
        }
    }

    fn semantics(&self) -> &'static Semantics {
        self.check.schema.semantics()
    }

    /// Whether the value is merged into nothing.
    fn is_alone(&self) -> bool {
        matches!(self.check.layers, Layers::Alone)
    }

    /// Whether the value is final, because nothing is merged with it.
    fn is_whole(&self) -> bool {
        self.is_alone() || matches!(self.left, Left::Fresh)
    }

    /// Whether a value breaks a bound because nothing can be said of their order.
    fn fails(&self, compared: Compared) -> bool {
        match compared {
            Compared::Unordered => self.semantics().misapplied == Misapplied::Broken,
            Compared::NotANumber => true,
            Compared::Order(_) | Compared::Unknown => false,
        }
    }

    /// Whether a long array may be one of these values: those of another length need not be compared with it.
    fn may_be_among(&self, allowed: &[Node], read: &ReadOnce) -> bool {
        if read.kind != Kind::Array || !self.is_alone() || self.is_partial() {
            return true;
        }
        let count = self.value.count();
        allowed.iter().any(|allowed| match &allowed.value {
            NodeValue::Array(items) => items.len() == count,
            NodeValue::Null => count == 0,
            NodeValue::Unknown => true,
            _ => false,
        })
    }

    /// The value as one node that bounds compare; for collections only if nothing is merged with them.
    fn whole<'r>(&self, read: &'r ReadOnce) -> Option<&'r Node> {
        if read.kind.is_collection() && !self.is_alone() {
            return None;
        }
        let is_nothing = read.kind.is_collection() && self.semantics().empty == Empty::Null && self.value.count() == 0;
        let node = || {
            if is_nothing && !self.is_partial() {
                return Some(Node::new(NodeValue::Null, self.value.span()));
            }
            to_node(self.value)
        };
        read.whole.get_or_init(node).as_ref()
    }

    fn is_partial(&self) -> bool {
        self.is_partial.unwrap_or_else(|| self.value.is_partial())
    }

    fn length(&self, read: &ReadOnce) -> Length {
        match read.kind {
            Kind::String => match self.whole(read).map(|node| &node.value) {
                Some(NodeValue::String(text)) => Length::Known(match self.semantics().length {
                    LengthUnit::Bytes => lofting_eval::bytes::length(text),
                    LengthUnit::Characters => text.chars().count(),
                } as u64),
                _ => Length::Unknown,
            },
            _ if self.is_partial() => Length::Unknown,
            Kind::Map => match self.check.schema.node(self.id).shape() {
                Shape::Map(shape) if self.is_alone() && self.is_filled_by_server() => {
                    Length::Known(filled_count(self.check.schema, shape, self.value) as u64)
                }
                _ if self.is_alone() => Length::Known(self.value.count() as u64),
                // The number of undeclared keys is known only for the merged values.
                Shape::Map(shape) if !self.is_filled(shape) => Length::AtLeast(self.value.count() as u64),
                // Missing keys get defaults, so a map of the schema always has all of them.
                Shape::Map(shape) => Length::Known(shape.keys.len() as u64),
                _ => Length::Unknown,
            },
            Kind::Array => {
                let given = self.value.count() as u64;
                if self.is_whole() || self.check.style() == Some(Style::Plain) {
                    return Length::Known(given);
                }
                if self.value.items().any(|item| item.overlay.matches) {
                    return Length::Unknown;
                }
                // Items are appended to the existing ones (docs/ytt.md 11.2).
                let before = match self.left {
                    Left::Value(node) => known_length(node),
                    Left::Default(id) => match &self.check.schema.node(id).default {
                        Some(default) => known_length(&default.value),
                        None => Some(0),
                    },
                    _ => None,
                };
                match (before, self.check.is_certain()) {
                    (Some(before), true) => Length::Known(before + given),
                    _ => Length::AtLeast(given),
                }
            }
            Kind::Unknown | Kind::Null => Length::Unknown,
            Kind::Bool | Kind::Int | Kind::Float => match self.semantics().misapplied {
                Misapplied::Broken => Length::HasNone,
                Misapplied::Ignored => Length::Unknown,
            },
        }
    }

    /// Whether nulls are dropped and defaults filled in before values are compared.
    fn is_filled_by_server(&self) -> bool {
        self.check.fills_defaults() && self.semantics().filled.is_before_comparing()
    }

    /// Whether a map has exactly the declared keys once defaults are added.
    fn is_filled(&self, shape: &MapShape) -> bool {
        let schema = self.check.schema;
        shape.free.is_empty() && !shape.keys.iter().any(|key| schema.node(key.schema).left_out)
    }

    /// Which of the keys are set; None if exactly one is, or if that is not known.
    fn one_not_null(&self, keys: Option<&[Key]>) -> Option<Set> {
        if self.value.kind() != Kind::Map {
            return Some(Set::NotAMap);
        }
        if self.is_partial() {
            return None;
        }
        let schema = self.check.schema;
        let shape = match schema.node(self.id).shape() {
            Shape::Map(shape) => Some(shape),
            _ => None,
        };
        let mut set = Vec::new();
        let mut seen = FxHashSet::default();
        let wanted: Option<FxHashSet<&Key>> = keys.map(|keys| keys.iter().collect());
        let is_wanted = |key: &Key| wanted.as_ref().is_none_or(|wanted| wanted.contains(key));
        for entry in self.value.entries() {
            if is_wanted(&entry.key) {
                match entry.value.kind() {
                    Kind::Unknown => return None,
                    Kind::Null => {}
                    _ => set.push(entry.key.clone()),
                }
            }
            seen.insert(entry.key);
        }
        if !self.is_alone() {
            let certain = self.check.is_certain();
            let shape = shape?;
            let children = self.left.children(schema, certain);
            for declared in &shape.keys {
                if seen.contains(&declared.key) || !is_wanted(&declared.key) {
                    continue;
                }
                // A key that is not given keeps its existing value; in a new map it gets its default.
                let left = match children.get(&declared.key, Some(declared.schema)) {
                    Some(Left::Fresh) | None => Left::Default(declared.schema),
                    Some(left) => left,
                };
                match left.existing(schema, certain || self.is_whole()) {
                    Existing::Nothing => {}
                    Existing::Kind(_) => set.push(declared.key.clone()),
                    Existing::Uncertain => return None,
                }
            }
            // A merge keeps the order of existing keys.
            if !self.is_whole() {
                set.sort_by_key(|key| shape.by_key.get(key).copied());
            }
        }
        match set.len() {
            0 => Some(Set::None),
            1 => None,
            _ => Some(Set::Many(set)),
        }
    }
}

fn known_length(node: &Node) -> Option<u64> {
    match &node.value {
        _ if node.partial => None,
        lofting_document::NodeValue::Array(items) => Some(items.len() as u64),
        lofting_document::NodeValue::Null => Some(0),
        _ => None,
    }
}

impl<V: View> Broken<'_, V> {
    /// Among how many values the finding may suggest a similar one.
    pub fn choices(&self) -> usize {
        match self.what {
            What::OneOf(allowed) => allowed.len(),
            _ => 0,
        }
    }

    /// How many more parts the value would need.
    pub fn too_few(&self) -> Option<usize> {
        match self.what {
            What::MinLength(least, Some(length)) => usize::try_from(least - i128::from(length)).ok(),
            _ => None,
        }
    }

    /// Whether it is an error; otherwise it is only worth a hint.
    pub fn is_wrong(&self) -> bool {
        !matches!(self.what, What::Format(_, true))
    }

    /// The rule that is broken.
    pub fn rule(&self) -> &'static Rule {
        match &self.what {
            What::NotNull => &rules::ytt_not_null::RULE,
            What::Min(..) | What::ExclusiveMin(..) => &rules::ytt_min::RULE,
            What::Max(..) | What::ExclusiveMax(..) => &rules::ytt_max::RULE,
            What::MinLength(..) => &rules::ytt_min_len::RULE,
            What::MaxLength(..) => &rules::ytt_max_len::RULE,
            What::MultipleOf(_) => &rules::schema_multiple_of::RULE,
            What::Format(..) => &rules::schema_format::RULE,
            What::Pattern(_) => &rules::schema_pattern::RULE,
            What::UniqueItems(..) => &rules::schema_unique_items::RULE,
            What::StartsWith(_) | What::EndsWith(_) => &rules::schema_affix::RULE,
            What::OneOf(_) => &rules::ytt_one_of::RULE,
            What::OneNotNull(..) => &rules::ytt_one_not_null::RULE,
        }
    }

    /// The finding, worded by its rule.
    pub fn finding(&self, at: &At<'_>, suggest: bool) -> Diagnostic {
        let value = self.value;
        let mut finding = match &self.what {
            What::NotNull => rules::ytt_not_null::finding(at, value),
            What::Min(least, compared) => rules::ytt_min::finding(at, value, least, *compared, false),
            What::Max(most, compared) => rules::ytt_max::finding(at, value, most, *compared, false),
            What::MinLength(least, length) => rules::ytt_min_len::finding(at, value, *least, *length),
            What::MaxLength(most, length) => rules::ytt_max_len::finding(at, value, *most, *length),
            What::ExclusiveMin(least, compared) => rules::ytt_min::finding(at, value, least, *compared, true),
            What::ExclusiveMax(most, compared) => rules::ytt_max::finding(at, value, most, *compared, true),
            What::MultipleOf(factor) => rules::schema_multiple_of::finding(at, value, *factor),
            What::Format(name, hint) => rules::schema_format::finding(at, value, name, *hint),
            What::Pattern(pattern) => rules::schema_pattern::finding(at, value, pattern),
            What::UniqueItems(first, second) => rules::schema_unique_items::finding(at, value, *first, *second),
            What::StartsWith(start) => rules::schema_affix::finding(at, value, start, rules::schema_affix::End::Start),
            What::EndsWith(end) => rules::schema_affix::finding(at, value, end, rules::schema_affix::End::End),
            What::OneOf(allowed) => rules::ytt_one_of::finding(at, value, allowed, suggest),
            What::OneNotNull(keys, set) => rules::ytt_one_not_null::finding(at, value, *keys, set),
        };
        if let Some(message) = &self.bound.message {
            finding.message = format!("{}: {message}", at.subject());
        }
        finding.related(self.bound.span, at.words().bound)
    }
}

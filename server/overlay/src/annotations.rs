//! Reading the overlay annotations of a node: one operation, one match, defaults for the children.

use crate::functions::Function;
use crate::problem::{Problem, ProblemKind};
use lofting_document::{Document, FileId, Key, Node, NodeValue, Note, Notes, OwnerKind, Span, from_expression};
use lofting_eval::{Expr, ExprKind};

/// What is done with the matched nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operation {
    Merge,
    Remove,
    Replace { via: Option<Function>, or_add: bool },
    Insert { before: bool, after: bool, via: Option<Function> },
    Append,
    Assert { via: Option<Function> },
}

/// How many nodes have to match.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Count {
    Exactly(i128),
    AtLeast(i128),
    AnyOf(Vec<Count>),
    /// `missing_ok=True`
    ZeroOrOne,
    Function(Function),
    /// Given by code whose result is not known.
    Unknown,
    /// Not a valid number of matches. Reported only when the number is needed: a node that is not matched does not need
    /// it.
    Wrong {
        /// The error in ytt's words.
        message: String,
        /// The argument.
        argument: Span,
    },
}

/// How nodes are matched.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum By {
    /// By equal values under this key.
    MapKey(Key),
    All,
    Index(i128),
    Subset(Node),
    And(Vec<By>),
    Or(Vec<By>),
    Not(Box<By>),
    Function(Function),
    Unknown,
}

impl By {
    /// Whether a function has to be called to decide.
    pub(crate) fn calls(&self) -> bool {
        match self {
            By::Function(_) => true,
            By::And(parts) | By::Or(parts) => parts.iter().any(By::calls),
            By::Not(part) => part.calls(),
            By::MapKey(_) | By::All | By::Index(_) | By::Subset(_) | By::Unknown => false,
        }
    }
}

/// An expected number of matches, and where it was stated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expectation {
    pub count: Count,
    /// `when=`: if it does not hold, the node is skipped silently.
    pub quiet: bool,
}

/// The keywords that state how many nodes have to match. Each is inherited separately; there must not be two of them on
/// a node that is matched (docs/ytt.md 14.5).
const COUNTS: [&str; 3] = ["expects", "missing_ok", "when"];

/// What the keywords of [`COUNTS`] state, in the same order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Expectations {
    counts: [Option<Count>; 3],
    /// It was not written by the user but is implied, so anything that is written takes precedence.
    implied: bool,
}

impl Expectations {
    /// The expectations where new keys need no annotation.
    pub fn new_keys() -> Self {
        Expectations { counts: [None, Some(Count::ZeroOrOne), None], implied: true }
    }

    /// These expectations; what they leave open is inherited.
    fn or(self, inherited: &Expectations) -> Expectations {
        if inherited.implied && self.said().next().is_some() {
            return self;
        }
        let mut counts = self.counts;
        for (count, above) in counts.iter_mut().zip(&inherited.counts) {
            if count.is_none() {
                count.clone_from(above);
            }
        }
        Expectations { counts, implied: inherited.implied }
    }

    fn said(&self) -> impl Iterator<Item = (&'static str, &Count)> {
        COUNTS.iter().zip(&self.counts).filter_map(|(name, count)| Some((*name, count.as_ref()?)))
    }
}

/// The `@overlay/match` of a node, combined with inherited `@overlay/match-child-defaults`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Match {
    /// An annotation says it.
    pub explicit: bool,
    pub by: Option<By>,
    pub expectation: Option<Expectation>,
}

/// All overlay annotations of a node.
#[derive(Debug)]
pub(crate) struct Plan {
    pub operation: Operation,
    pub matching: Match,
    pub child_defaults: Expectations,
}

/// Whether annotations in the document pass values to functions, match map items by something other than their key, or
/// silently skip some. Then only the merge can tell which value ends where.
pub fn asks_functions(document: &Document) -> bool {
    let chooses = |note: &Note| ["by", "via", "when"].iter().any(|name| keyword(note, name).is_some());
    let counts = |note: &Note| keyword(note, "expects").is_some_and(is_maybe_function);
    let asks = |note: &Note| note.arguments.starred || chooses(note) || counts(note);
    any_annotation(document, |note| note.name.starts_with("overlay/") && asks(note))
}

/// Whether an annotation of the document, or of anything in it, is one of these.
pub fn any_annotation(document: &Document, is_one: impl Fn(&Note) -> bool) -> bool {
    let notes = |notes: &Notes| notes.annotations.iter().any(&is_one);
    let mut values = vec![&document.value];
    let mut found = notes(&document.notes);
    while let (false, Some(value)) = (found, values.pop()) {
        match &value.value {
            NodeValue::Map(items) => {
                found = items.iter().any(|item| notes(&item.notes));
                values.extend(items.iter().map(|item| &item.value));
            }
            NodeValue::Array(items) => {
                found = items.iter().any(|item| notes(&item.notes));
                values.extend(items.iter().map(|item| &item.value));
            }
            _ => {}
        }
    }
    found
}

/// Reads the annotations in `notes`. `inherited` are defaults from above; problems are reported at `node`. Annotations
/// that an operation does not use are not read: `append` matches nothing, and only a merge has children that inherit
/// defaults.
pub(crate) fn plan(
    place: OwnerKind,
    notes: &Notes,
    inherited: &Expectations,
    node: Span,
    problems: &mut Vec<Problem>,
) -> Plan {
    let before = problems.len();
    let mut reader = AnnotationReader { place, node, problems };
    let operation = reader.operation(notes);
    let matching = match (notes.get("overlay/match"), &operation) {
        (_, Operation::Append) => Match::default(),
        (None, _) if place == OwnerKind::ArrayItem => Match::default(),
        (None, _) => Match { expectation: reader.the_one(inherited.clone(), None), ..Match::default() },
        // An annotation that is half-typed may still say anything.
        (Some(note), _) if !note.arguments.errors.is_empty() => Match {
            explicit: true,
            by: Some(By::Unknown),
            expectation: Some(Expectation { count: Count::Unknown, quiet: true }),
        },
        (Some(note), _) => reader.matching(note, inherited),
    };
    let child_defaults = match (notes.get("overlay/match-child-defaults"), &operation) {
        (Some(note), Operation::Merge | Operation::Assert { .. }) => reader.expectations(note, &[]).or(inherited),
        _ => inherited.clone(),
    };
    if problems.len() == before {
        return Plan { operation, matching, child_defaults };
    }
    // ytt does not get to matching, and what it would do there is not known.
    let expectation = Some(Expectation { count: Count::Unknown, quiet: true });
    let by = matching.by.map(|_| By::Unknown).or_else(|| (place != OwnerKind::MapItem).then_some(By::Unknown));
    Plan { operation: Operation::Merge, matching: Match { explicit: true, by, expectation }, child_defaults }
}

struct AnnotationReader<'p> {
    place: OwnerKind,
    node: Span,
    problems: &'p mut Vec<Problem>,
}

impl AnnotationReader<'_> {
    fn problem(&mut self, kind: ProblemKind, annotation: Span) {
        self.problems.push(Problem::new(kind, self.node, Some(annotation)));
    }

    fn argument(&mut self, message: String, annotation: Span) {
        self.problem(ProblemKind::Argument { message }, annotation);
    }

    fn operation(&mut self, notes: &Notes) -> Operation {
        const NAMES: [&str; 6] = ["merge", "remove", "replace", "insert", "append", "assert"];
        let mut found: Option<(&str, &Note)> = None;
        for name in NAMES {
            let Some(note) = notes.get(&format!("overlay/{name}")) else { continue };
            if found.is_some() {
                self.problem(ProblemKind::SeveralOperations, note.span);
            } else {
                found = Some((name, note));
            }
        }
        let Some((name, note)) = found else { return Operation::Merge };
        if self.place == OwnerKind::MapItem && matches!(name, "insert" | "append") {
            let kind = ProblemKind::OperationPlace { annotation: format!("overlay/{name}"), place: self.place.name() };
            self.problem(kind, note.span);
            return Operation::Merge;
        }
        let known: &[&str] = match name {
            "replace" => &["via", "or_add"],
            "insert" => &["before", "after", "via"],
            "assert" => &["via"],
            _ => &[],
        };
        // The other operations accept any keyword and read none.
        for given in note.arguments.keywords.iter().filter(|given| !known.is_empty() && !known.contains(&&*given.name))
        {
            let message = format!("Unknown 'overlay/{name}' annotation keyword argument '{}'", given.name);
            self.argument(message, Span::new(note.span.file, given.name_range.clone()));
        }
        if name == "insert" && note.arguments.keywords.is_empty() && !note.arguments.starred {
            let message =
                "Expected 'overlay/insert' annotation to have at least one keyword argument (before=..., after=...)";
            self.argument(message.to_owned(), note.span);
        }
        let via = keyword(note, "via").and_then(|value| self.function(value, note, name));
        match name {
            "remove" => Operation::Remove,
            "replace" => Operation::Replace { via, or_add: self.flag(note, name, "or_add") },
            "insert" => Operation::Insert {
                before: self.flag(note, name, "before"),
                after: self.flag(note, name, "after"),
                via,
            },
            "append" => Operation::Append,
            "assert" => Operation::Assert { via },
            _ => Operation::Merge,
        }
    }

    fn function(&mut self, value: &Expr, note: &Note, name: &str) -> Option<Function> {
        match &value.kind {
            ExprKind::Lambda { .. } | ExprKind::Code | ExprKind::Callable(_) => {
                Some(function_in(note.span.file, value))
            }
            ExprKind::Missing => None,
            _ => {
                let message = format!(
                    "Expected 'overlay/{name}' annotation keyword argument 'via' to be function, but was {}",
                    value.type_name().unwrap_or("something else")
                );
                self.argument(message, span_in(note.span.file, value));
                None
            }
        }
    }

    fn flag(&mut self, note: &Note, name: &str, key: &str) -> bool {
        match keyword(note, key).map(|value| (&value.kind, value)) {
            Some((ExprKind::Bool(value), _)) => *value,
            None | Some((ExprKind::Code | ExprKind::Missing, _)) => false,
            Some((_, value)) => {
                let message = format!("Expected 'overlay/{name}' annotation keyword argument '{key}' to be a boolean");
                self.argument(message, span_in(note.span.file, value));
                false
            }
        }
    }

    fn matching(&mut self, note: &Note, inherited: &Expectations) -> Match {
        let own = self.expectations(note, &["by"]);
        let expectation = self.the_one(own.or(inherited), Some(note));
        let by = keyword(note, "by").map(|value| self.by(value, note));
        if self.place == OwnerKind::ArrayItem && note.arguments.keywords.is_empty() && !note.arguments.starred {
            let message =
                "Expected 'overlay/match' annotation to have at least one keyword argument (by=..., expects=...)";
            self.argument(message.to_owned(), note.span);
        } else if self.place == OwnerKind::ArrayItem && by.is_none() && !note.arguments.starred {
            self.problem(ProblemKind::MissingBy, note.span);
        }
        Match { explicit: true, by, expectation }
    }

    /// The expected number of matches that the keywords of `note` state. Besides those keywords only `others` are
    /// allowed.
    fn expectations(&mut self, note: &Note, others: &[&str]) -> Expectations {
        let file = note.span.file;
        let mut said = Expectations::default();
        for given in &note.arguments.keywords {
            let key = given.name.as_str();
            let Some(at) = COUNTS.iter().position(|name| *name == key) else {
                if !others.contains(&key) {
                    let span = Span::new(file, given.name_range.clone());
                    self.argument(format!("Unknown '{}' annotation keyword argument '{key}'", note.name), span);
                }
                continue;
            };
            let count = if key == "missing_ok" {
                self.missing_ok(&given.value, file)
            } else {
                self.count(&given.value, key, file)
            };
            if let Some(slot) = said.counts.get_mut(at) {
                *slot = Some(count);
            }
        }
        said
    }

    /// The single expectation among those stated. Reports a problem if there are two, at those that `note` states.
    fn the_one(&mut self, said: Expectations, note: Option<&Note>) -> Option<Expectation> {
        let names: Vec<&str> = said.said().map(|(name, _)| name).collect();
        if names.len() > 1 {
            // ytt reports the first of these pairs that is present.
            let pair = [["missing_ok", "expects"], ["missing_ok", "when"], ["when", "expects"]];
            let pair = pair.iter().find(|pair| pair.iter().all(|name| names.contains(name)));
            let message = format!(
                "Expected only one of keyword arguments ({}) specified",
                pair.into_iter().flatten().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
            );
            let own = note.and_then(|note| {
                let given = note.arguments.keywords.iter().rfind(|given| names.contains(&given.name.as_str()))?;
                Some(Span::new(note.span.file, given.name_range.clone()))
            });
            self.problems.push(Problem::new(ProblemKind::Argument { message }, self.node, own));
            return Some(Expectation { count: Count::Unknown, quiet: false });
        }
        said.said().next().map(|(name, count)| Expectation { count: count.clone(), quiet: name == "when" })
    }

    fn missing_ok(&self, value: &Expr, file: FileId) -> Count {
        match &value.kind {
            ExprKind::Bool(true) => Count::ZeroOrOne,
            ExprKind::Bool(false) => Count::Exactly(1),
            ExprKind::Code | ExprKind::Missing => Count::Unknown,
            _ => wrong("Expected keyword argument 'missing_ok' to be a boolean".to_owned(), file, value),
        }
    }

    fn count(&self, value: &Expr, key: &str, file: FileId) -> Count {
        match &value.kind {
            ExprKind::Int(number) => Count::Exactly(*number),
            ExprKind::String(text) => match text.strip_suffix('+').and_then(|number| number.parse::<i64>().ok()) {
                Some(number) => Count::AtLeast(number.into()),
                None => wrong(format!("Expected '{text}' to be in format 'i+' where i is an integer"), file, value),
            },
            ExprKind::List(items) => Count::AnyOf(items.iter().map(|item| self.count(item, key, file)).collect()),
            ExprKind::Lambda { .. } | ExprKind::Callable(_) => Count::Function(function_in(file, value)),
            ExprKind::Code | ExprKind::Missing => Count::Unknown,
            _ => {
                let message = format!(
                    "Expected 'overlay/match' annotation keyword argument '{key}' to be either int, string, function \
                     or a list of these, but was {}",
                    value.type_name().unwrap_or("something else")
                );
                wrong(message, file, value)
            }
        }
    }

    fn by(&mut self, value: &Expr, note: &Note) -> By {
        let file = note.span.file;
        match &value.kind {
            ExprKind::String(key) => By::MapKey(Key::from(key.as_str())),
            ExprKind::Lambda { .. } | ExprKind::Code | ExprKind::Callable(_) => By::Function(function_in(file, value)),
            ExprKind::Missing => By::Unknown,
            _ => {
                let message = format!(
                    "Expected 'overlay/match' annotation keyword argument 'by' to be either string (for map key) or function, but was {}",
                    value.type_name().unwrap_or("something else")
                );
                self.argument(message, span_in(file, value));
                By::Unknown
            }
        }
    }
}

fn wrong(message: String, file: FileId, value: &Expr) -> Count {
    Count::Wrong { message, argument: span_in(file, value) }
}

/// Whether a number of matches is given by a function, or may be; also inside a list.
fn is_maybe_function(count: &Expr) -> bool {
    let is_number = |expr: &Expr| matches!(expr.kind, ExprKind::Int(_) | ExprKind::String(_));
    match &count.kind {
        ExprKind::List(items) => !items.iter().all(is_number),
        _ => !is_number(count),
    }
}

fn keyword<'n>(note: &'n Note, name: &str) -> Option<&'n Expr> {
    note.arguments.keywords.iter().find(|keyword| keyword.name == name).map(|keyword| &keyword.value)
}

fn span_in(file: FileId, expr: &Expr) -> Span {
    Span::new(file, expr.range.clone())
}

fn function_in(file: FileId, expr: &Expr) -> Function {
    let callable = match &expr.kind {
        ExprKind::Callable(callable) => Some(callable.clone()),
        _ => None,
    };
    Function { span: span_in(file, expr), callable }
}

/// What a value has to contain to be matched by an expression for `by=`, as far as it is written out: the arguments of
/// `overlay.subset`, also in `overlay.and_op`.
pub fn required_parts(by: &str, file: FileId) -> Vec<Node> {
    let mut found = Vec::new();
    let mut todo: Vec<By> = ready_made(by, file).into_iter().collect();
    while let Some(by) = todo.pop() {
        match by {
            By::Subset(part) => found.push(part),
            By::And(parts) => todo.extend(parts),
            _ => {}
        }
    }
    found
}

/// The ready-made matchers of `@ytt:overlay`, recognised by their text, because most overlays need nothing else and so
/// no evaluation.
pub(crate) fn ready_made(text: &str, file: FileId) -> Option<By> {
    let call = text.trim().strip_prefix("overlay.")?;
    if call == "all" {
        return Some(By::All);
    }
    let (name, rest) = call.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let arguments = lofting_eval::read_arguments(inside);
    if !arguments.errors.is_empty() || !arguments.keywords.is_empty() || arguments.starred {
        return None;
    }
    let nested = || -> Option<Vec<By>> {
        arguments.positional.iter().map(|expr| ready_made(inside.get(expr.range.clone())?, file)).collect()
    };
    match (name, arguments.positional.as_slice()) {
        ("index", [Expr { kind: ExprKind::Int(index), .. }]) => Some(By::Index(*index)),
        ("map_key", [Expr { kind: ExprKind::String(key), .. }]) => Some(By::MapKey(Key::from(key.as_str()))),
        ("subset", [value]) if value.is_literal() => Some(By::Subset(from_expression(file, value))),
        ("and_op", _) => Some(By::And(nested()?)),
        ("or_op", _) => Some(By::Or(nested()?)),
        ("not_op", [_]) => Some(By::Not(Box::new(nested()?.pop()?))),
        _ => None,
    }
}

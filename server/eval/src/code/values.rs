//! Finds the data values that code reads, so that unknown keys can be reported and renamed: `data.values.a.b`, also
//! through names, loops and parameters.
//!
//! Nothing is run. A value is followed through attributes, indexes, names bound to it, loops over it and parameters it
//! is passed to; where it can no longer be followed, an [`Escape`] is noted.

use super::{Binding, BindingKind, Code, FunctionId, Operator, Term, TermId, TermKind};
use std::collections::HashMap;
use std::ops::Range;

mod copied;
mod outside;
mod unfollowed;
mod whole;

use outside::assigned;
pub use outside::{Handed, Outside, Pass, PassedValue};

/// Names a path of [`ValuePaths`]; the first is `data.values` itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(pub u32);

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueStep {
    /// To the value of a key.
    Key(String),
    /// To some item of an array. For a map, the result is unknown.
    Item,
}

/// What an expression evaluates to, as far as the text tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing is known.
    #[default]
    Unknown,
    /// The module `@ytt:NAME`.
    Module(String),
    /// A member of a module.
    Member(String, String),
    /// A data value, or something made of it.
    Values(PathId, Form),
    /// A function of this file.
    Function(FunctionId),
    /// A function of another file: an index into the loads, and one into the names of that load.
    Loaded(usize, usize),
}

/// The form in which code holds a data value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is: maps are structs (docs/ytt.md 16.1).
    Plain,
    /// Maps as dicts: `struct.decode(value)`.
    Dict,
    /// Pairs of index and item: `enumerate(value)`.
    Numbered,
}

/// How a key is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// `value.key`
    Attribute,
    /// `value["key"]`
    Index,
    /// `getattr(value, "key")`
    Argument,
    /// The key may be missing: `hasattr(value, "key")`, `"key" in value`, `getattr(value, "key", None)`.
    Test,
}

/// A place that names the key of a data value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The path that ends with the key.
    pub path: PathId,
    /// The bytes of the key: the name, or the text between the quotes.
    pub range: Range<usize>,
    /// How it is named.
    pub kind: UseKind,
    /// No name on the way can mean something else, so the path is certain.
    pub certain: bool,
    /// The code may never be evaluated.
    pub conditional: bool,
}

/// A place where a data value can no longer be followed: it is written to the output, passed to a function of another
/// file, put into a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escape {
    /// The value.
    pub path: PathId,
    /// The expression.
    pub range: Range<usize>,
}

/// All that a file's code says about data values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValuePaths {
    /// Each path as its parent and its last step; parents come before their children.
    pub paths: Vec<(Option<PathId>, ValueStep)>,
    /// Places that name keys, in the order of the text.
    pub uses: Vec<Use>,
    /// Places where values can no longer be followed.
    pub escapes: Vec<Escape>,
    /// Values passed to functions of other files.
    pub passes: Vec<Pass>,
    /// Values that code uses as a whole: in a condition, a comparison, an argument. Sorted.
    whole: Vec<PathId>,
    /// Values of which code may read any part. Sorted.
    unfollowed: Vec<PathId>,
    meanings: Vec<(Meaning, bool)>,
    /// The meaning of each binding, by index.
    bound: Vec<Meaning>,
    children: HashMap<(PathId, ValueStep), PathId>,
}

impl ValuePaths {
    /// What an expression evaluates to, and whether that is certain.
    pub fn meaning(&self, id: TermId) -> (&Meaning, bool) {
        static UNKNOWN: Meaning = Meaning::Unknown;
        self.meanings.get(id.0 as usize).map_or((&UNKNOWN, false), |(meaning, certain)| (meaning, *certain))
    }

    /// What the binding with this index gives its name.
    pub fn bound(&self, index: usize) -> &Meaning {
        static UNKNOWN: Meaning = Meaning::Unknown;
        self.bound.get(index).unwrap_or(&UNKNOWN)
    }

    /// Whether code uses a value as a whole somewhere, and not only its parts: it may be testing whether the value is
    /// there.
    pub fn is_whole(&self, path: PathId) -> bool {
        self.whole.binary_search(&path).is_ok()
    }

    /// Whether code may read any part of a value, also one that it does not name: the value escapes, is compared, or is
    /// held by a name that may stand for another one as well.
    pub fn is_unfollowed(&self, path: PathId) -> bool {
        self.unfollowed.binary_search(&path).is_ok()
    }

    /// The path without its last step.
    pub fn parent(&self, path: PathId) -> Option<PathId> {
        self.paths.get(path.0 as usize)?.0
    }

    /// The path one step below, if code goes there.
    pub fn child(&self, path: PathId, step: &ValueStep) -> Option<PathId> {
        self.children.get(&(path, step.clone())).copied()
    }

    /// The use whose key contains an offset or ends there.
    pub fn use_at(&self, offset: usize) -> Option<&Use> {
        self.uses.iter().find(|used| used.range.start <= offset && offset <= used.range.end)
    }

    /// The steps from `data.values` to the end of a path.
    pub fn steps(&self, path: PathId) -> Vec<ValueStep> {
        let mut steps = Vec::new();
        let mut here = self.paths.get(path.0 as usize);
        while let Some((Some(parent), step)) = here {
            steps.push(step.clone());
            here = self.paths.get(parent.0 as usize);
        }
        steps.reverse();
        steps
    }

    fn step(&mut self, from: PathId, step: ValueStep) -> PathId {
        let next = PathId(u32::try_from(self.paths.len()).unwrap_or(u32::MAX));
        let paths = &mut self.paths;
        *self.children.entry((from, step)).or_insert_with_key(|(parent, step)| {
            paths.push((Some(*parent), step.clone()));
            next
        })
    }
}

/// A name can be bound below the place that uses it, and parameters are bound by calls, so the code is analysed until
/// nothing changes, but at most this often.
const ROUNDS: usize = 10;

/// Follows data values through code.
pub(super) fn follow(code: &Code, outside: &Outside) -> ValuePaths {
    let mut paths = ValuePaths { paths: vec![(None, ValueStep::Item)], ..ValuePaths::default() };
    if !code.loads.iter().any(|load| load.module.starts_with("@ytt:")) && code.functions.is_empty() {
        return ValuePaths::default();
    }
    paths.meanings = vec![(Meaning::Unknown, false); code.terms.len()];
    let mut follower = Follower {
        code,
        outside,
        paths,
        passes: Vec::new(),
        parameters: HashMap::new(),
        results: HashMap::new(),
        consumed: Vec::new(),
    };
    let settled = (0..ROUNDS).any(|_| !follower.round());
    follower.finish(settled)
}

/// How many further bindings of a name are considered.
const OTHERS: usize = 32;

struct Follower<'c> {
    code: &'c Code,
    outside: &'c Outside,
    paths: ValuePaths,
    passes: Vec<Pass>,
    /// What calls pass to parameters, as found in the last round.
    parameters: HashMap<(FunctionId, usize), (Meaning, bool)>,
    /// What functions returned in the last round.
    results: HashMap<FunctionId, (Meaning, bool)>,
    consumed: Vec<bool>,
}

impl Follower<'_> {
    /// Analyses all expressions once. Returns whether anything changed.
    fn round(&mut self) -> bool {
        self.paths.uses.clear();
        self.passes.clear();
        self.consumed = vec![false; self.code.terms.len()];
        let mut given = self.given_outside();
        let mut changed = false;
        for (index, term) in self.code.terms.iter().enumerate() {
            lofting_memo::step();
            let meaning = self.meaning_of(term, &mut given);
            if let Some(known) = self.paths.meanings.get_mut(index)
                && *known != meaning
            {
                *known = meaning;
                changed = true;
            }
        }
        // A function that is used other than by calling it may get arguments from elsewhere.
        for id in self.functions_used_otherwise() {
            for ((function, _), (_, certain)) in &mut given {
                *certain &= *function != id;
            }
        }
        let results = self.results();
        changed |= given != self.parameters || results != self.results;
        self.parameters = given;
        self.results = results;
        changed
    }

    /// What functions return, for those that always return the same meaning.
    fn results(&self) -> HashMap<FunctionId, (Meaning, bool)> {
        let mut found = HashMap::new();
        for (index, function) in self.code.functions.iter().enumerate() {
            let all: Vec<(Meaning, bool)> = function.returns.iter().map(|value| self.known(*value)).collect();
            let Some((meaning, certain)) = all.iter().find(|(meaning, _)| *meaning != Meaning::Unknown) else {
                continue;
            };
            let only = all.iter().all(|(other, _)| other == meaning);
            found.insert(FunctionId(u32::try_from(index).unwrap_or(u32::MAX)), (meaning.clone(), *certain && only));
        }
        found
    }

    fn finish(mut self, settled: bool) -> ValuePaths {
        for used in &mut self.paths.uses {
            used.certain &= settled;
        }
        for binding in &self.code.bindings {
            let (meaning, _) = self.bound(binding);
            self.paths.bound.push(meaning);
            if let BindingKind::Value(term) | BindingKind::Item(term) | BindingKind::ItemPart(term, _) = binding.kind {
                self.consume(term);
            }
        }
        for end in &self.code.ends {
            self.consume(*end);
        }
        for ((term, (meaning, _)), consumed) in self.code.terms.iter().zip(&self.paths.meanings).zip(&self.consumed) {
            if let (Meaning::Values(path, _), false) = (meaning, consumed) {
                self.paths.escapes.push(Escape { path: *path, range: term.range.clone() });
            }
        }
        self.paths.whole = self.whole();
        self.paths.unfollowed = self.unfollowed(settled);
        self.paths.passes = self.passes;
        self.paths.uses.sort_by_key(|used| used.range.start);
        self.paths
    }

    fn functions_used_otherwise(&self) -> Vec<FunctionId> {
        let terms = self.paths.meanings.iter().zip(&self.consumed);
        terms
            .filter_map(|((meaning, _), consumed)| match meaning {
                Meaning::Function(id) if !consumed => Some(*id),
                _ => None,
            })
            .collect()
    }

    fn known(&self, id: TermId) -> (Meaning, bool) {
        self.paths.meanings.get(id.0 as usize).cloned().unwrap_or_default()
    }

    fn consume(&mut self, id: TermId) {
        if let Some(consumed) = self.consumed.get_mut(id.0 as usize) {
            *consumed = true;
        }
    }

    fn string(&self, id: TermId) -> Option<(String, Range<usize>)> {
        match &self.code.term(id)?.kind {
            TermKind::String { value, content } => Some((value.clone(), content.clone())),
            _ => None,
        }
    }

    fn meaning_of(
        &mut self,
        term: &Term,
        given: &mut HashMap<(FunctionId, usize), (Meaning, bool)>,
    ) -> (Meaning, bool) {
        match &term.kind {
            TermKind::Name(name) => self.name(term, name),
            TermKind::Attribute { of, name, name_range } => self.attribute(term, *of, name, name_range),
            TermKind::Index { of, key, slice, closed } => self.index(term, *of, *key, *slice, *closed),
            TermKind::Call { .. } => self.call(term, given),
            TermKind::Operation { operands, operators } => self.operation(term, operands, operators),
            TermKind::Choice { then, otherwise } => {
                let (first, second) = (self.known(*then), self.known(*otherwise));
                let same = first == second;
                let joined = if first.0 == Meaning::Unknown { second } else { first };
                self.pass_on(&[*then, *otherwise], &joined.0);
                (joined.0, joined.1 && same)
            }
            _ => (Meaning::Unknown, false),
        }
    }

    /// Operands that give the whole its meaning are noted together with the whole.
    fn pass_on(&mut self, operands: &[TermId], whole: &Meaning) {
        for operand in operands {
            if self.known(*operand).0 == *whole {
                self.consume(*operand);
            }
        }
    }

    fn name(&mut self, term: &Term, name: &str) -> (Meaning, bool) {
        let code = self.code;
        let found = code.lookup(term.scope, name);
        let binding = |index: &u32| code.bindings.get(*index as usize);
        if let [only] = found {
            return binding(only).map(|binding| self.bound(binding)).unwrap_or_default();
        }
        let above = found.partition_point(|index| binding(index).is_some_and(|b| b.range.start <= term.range.start));
        let Some(nearest) = found.get(above.saturating_sub(1)).and_then(binding) else {
            return (Meaning::Unknown, false);
        };
        let (meaning, certain) = self.bound(nearest);
        // Inside a loop, its variable is bound by the loop, whatever the name meant before.
        let in_loop =
            nearest.until.is_some_and(|end| nearest.range.start <= term.range.start && term.range.start <= end);
        if meaning != Meaning::Unknown || in_loop {
            return (meaning, certain && in_loop);
        }
        // The name may be one of its other bindings as well.
        let others = found.iter().take(OTHERS).filter_map(binding);
        let known = others.map(|binding| self.bound(binding).0).find(|meaning| *meaning != Meaning::Unknown);
        (known.unwrap_or_default(), false)
    }

    fn bound(&mut self, binding: &Binding) -> (Meaning, bool) {
        match binding.kind {
            BindingKind::Value(term) => self.known(term),
            BindingKind::Item(term) => match self.known(term) {
                (Meaning::Values(path, form @ (Form::Plain | Form::Dict)), certain) => self.below(path, form, certain),
                _ => (Meaning::Unknown, false),
            },
            BindingKind::ItemPart(term, 1) => match self.known(term) {
                (Meaning::Values(path, Form::Numbered), certain) => self.below(path, Form::Plain, certain),
                _ => (Meaning::Unknown, false),
            },
            BindingKind::Function(id) => (Meaning::Function(id), true),
            BindingKind::Parameter { function: Some(function), index } => {
                self.parameters.get(&(function, index)).cloned().unwrap_or_default()
            }
            BindingKind::Loaded(index, number) => {
                let load = self.code.loads.get(index);
                let name = load.and_then(|load| load.names.get(number));
                match (load.and_then(|load| load.module.strip_prefix("@ytt:")), name) {
                    (Some(module), Some(name)) if module == name.name => (Meaning::Module(module.to_owned()), true),
                    (None, Some(_)) if self.outside.functions.contains_key(&(index, number)) => {
                        (Meaning::Loaded(index, number), true)
                    }
                    _ => (Meaning::Unknown, false),
                }
            }
            BindingKind::ItemPart(..) | BindingKind::Parameter { .. } | BindingKind::Other => (Meaning::Unknown, false),
        }
    }

    fn below(&mut self, path: PathId, form: Form, certain: bool) -> (Meaning, bool) {
        (Meaning::Values(self.paths.step(path, ValueStep::Item), form), certain)
    }

    fn attribute(&mut self, term: &Term, of: TermId, name: &str, name_range: &Range<usize>) -> (Meaning, bool) {
        let (meaning, certain) = self.known(of);
        self.consume(of);
        if name.is_empty() {
            return (Meaning::Unknown, false);
        }
        match meaning {
            Meaning::Module(module) if module == "data" && name == "values" => {
                (Meaning::Values(PathId(0), Form::Plain), certain)
            }
            Meaning::Module(module) => (Meaning::Member(module, name.to_owned()), certain),
            Meaning::Values(path, Form::Plain) => {
                let key = (name.to_owned(), name_range.clone());
                self.key(term, path, Form::Plain, key, UseKind::Attribute, certain)
            }
            _ => (Meaning::Unknown, false),
        }
    }

    fn key(
        &mut self,
        term: &Term,
        path: PathId,
        form: Form,
        (key, range): (String, Range<usize>),
        kind: UseKind,
        certain: bool,
    ) -> (Meaning, bool) {
        let path = self.paths.step(path, ValueStep::Key(key));
        self.paths.uses.push(Use { path, range, kind, certain, conditional: term.conditional });
        (Meaning::Values(path, form), certain)
    }

    fn index(&mut self, term: &Term, of: TermId, key: Option<TermId>, slice: bool, closed: bool) -> (Meaning, bool) {
        let (meaning, certain) = self.known(of);
        let Meaning::Values(path, form @ (Form::Plain | Form::Dict)) = meaning else {
            return (Meaning::Unknown, false);
        };
        self.consume(of);
        if slice {
            return (Meaning::Values(path, form), certain);
        }
        let Some(key) = key else { return (Meaning::Unknown, false) };
        match self.string(key) {
            Some(key) => self.key(term, path, form, key, UseKind::Index, certain && closed),
            None => {
                let item = self.paths.step(path, ValueStep::Item);
                (Meaning::Values(item, form), certain && closed)
            }
        }
    }

    fn call(&mut self, term: &Term, given: &mut HashMap<(FunctionId, usize), (Meaning, bool)>) -> (Meaning, bool) {
        let TermKind::Call { function, arguments, .. } = &term.kind else { return (Meaning::Unknown, false) };
        let positional: Vec<TermId> = arguments
            .iter()
            .take_while(|argument| argument.name.is_none() && !argument.starred)
            .map(|argument| argument.value)
            .collect();
        let first = positional.first().copied();
        let first_meaning = first.map(|first| self.known(first)).unwrap_or_default();
        if let Some(builtin) = self.builtin(*function) {
            let Meaning::Values(path, form) = first_meaning.0 else { return (Meaning::Unknown, false) };
            let certain = first_meaning.1;
            let key = positional.get(1).and_then(|key| self.string(*key));
            let result = match (builtin.as_str(), key) {
                ("getattr", Some(key)) => {
                    let default = arguments.len() > 2;
                    let kind = if default { UseKind::Test } else { UseKind::Argument };
                    let (meaning, certain) = self.key(term, path, form, key, kind, certain);
                    (meaning, certain && !default)
                }
                ("hasattr", Some(key)) => {
                    self.key(term, path, form, key, UseKind::Test, certain);
                    (Meaning::Unknown, false)
                }
                ("list" | "sorted" | "reversed" | "tuple", _) => (Meaning::Values(path, form), certain),
                ("enumerate", _) => (Meaning::Values(path, Form::Numbered), certain),
                ("len" | "type" | "bool" | "any" | "all", _) => (Meaning::Unknown, false),
                _ => return (Meaning::Unknown, false),
            };
            first.into_iter().for_each(|first| self.consume(first));
            return result;
        }
        match self.known(*function).0 {
            Meaning::Member(module, member) if module == "struct" && (member == "decode" || member == "encode") => {
                let Meaning::Values(path, _) = first_meaning.0 else { return (Meaning::Unknown, false) };
                first.into_iter().for_each(|first| self.consume(first));
                let form = if member == "decode" { Form::Dict } else { Form::Plain };
                (Meaning::Values(path, form), first_meaning.1)
            }
            Meaning::Function(id) => {
                self.consume(*function);
                self.give(id, arguments, given);
                self.results.get(&id).cloned().unwrap_or_default()
            }
            Meaning::Loaded(load, name) => {
                self.consume(*function);
                self.pass(load, name, arguments);
                (Meaning::Unknown, false)
            }
            _ => self.method(term, *function, &positional),
        }
    }

    /// `dict.get("key")`
    fn method(&mut self, term: &Term, function: TermId, positional: &[TermId]) -> (Meaning, bool) {
        let Some(TermKind::Attribute { of, name, .. }) = self.code.term(function).map(|term| &term.kind) else {
            return (Meaning::Unknown, false);
        };
        match (self.known(*of), name.as_str(), positional.first().and_then(|key| self.string(*key))) {
            ((Meaning::Values(path, Form::Dict), certain), "get", Some(key)) => {
                let (meaning, _) = self.key(term, path, Form::Dict, key, UseKind::Test, certain);
                (meaning, false)
            }
            _ => (Meaning::Unknown, false),
        }
    }

    /// Notes what a call passes to the parameters of a function of this file.
    fn give(
        &mut self,
        id: FunctionId,
        arguments: &[super::CallArgument],
        given: &mut HashMap<(FunctionId, usize), (Meaning, bool)>,
    ) {
        let Some(function) = self.code.functions.get(id.0 as usize) else { return };
        let mut met = vec![false; function.parameters.len()];
        for (index, value) in assigned(&function.parameters, arguments) {
            if let Some(met) = met.get_mut(index) {
                *met = true;
            }
            self.consume(value);
            let value = self.known(value);
            join(given, (id, index), value);
        }
        for (index, _) in met.iter().enumerate().filter(|(_, met)| !**met) {
            join(given, (id, index), (Meaning::Unknown, false));
        }
    }

    /// The name of a built-in function, unless the file binds the name itself.
    fn builtin(&self, function: TermId) -> Option<String> {
        let term = self.code.term(function)?;
        match &term.kind {
            TermKind::Name(name) if self.code.lookup(term.scope, name).is_empty() => Some(name.clone()),
            _ => None,
        }
    }

    fn operation(&mut self, term: &Term, operands: &[TermId], operators: &[Operator]) -> (Meaning, bool) {
        for (index, operator) in operators.iter().enumerate() {
            let (Some(left), Some(right)) = (operands.get(index), operands.get(index + 1)) else { continue };
            if matches!(operator, Operator::Comparison | Operator::In) {
                self.consume(*left);
                self.consume(*right);
            }
            if *operator != Operator::In {
                continue;
            }
            if let (Some(key), (Meaning::Values(path, form), certain)) = (self.string(*left), self.known(*right)) {
                self.key(term, path, form, key, UseKind::Test, certain);
            }
        }
        if operators.is_empty() {
            // `not value`, `-value`
            operands.iter().for_each(|operand| self.consume(*operand));
            return (Meaning::Unknown, false);
        }
        // `value or default`
        let only = |wanted: Operator| operators.iter().all(|operator| *operator == wanted);
        let whole = if only(Operator::Or) {
            operands.iter().map(|operand| self.known(*operand).0).find(|meaning| *meaning != Meaning::Unknown)
        } else if only(Operator::And) {
            let (last, tests) = operands.split_last().unzip();
            tests.into_iter().flatten().for_each(|test: &TermId| self.consume(*test));
            last.map(|last: &TermId| self.known(*last).0)
        } else {
            None
        };
        let whole = whole.unwrap_or_default();
        self.pass_on(operands, &whole);
        (whole, false)
    }
}

/// Merges what several calls pass to a parameter.
fn join(
    given: &mut HashMap<(FunctionId, usize), (Meaning, bool)>,
    parameter: (FunctionId, usize),
    value: (Meaning, bool),
) {
    match given.get_mut(&parameter) {
        None => {
            given.insert(parameter, value);
        }
        Some(known) if *known == value => {}
        Some(known) => {
            known.1 = false;
            if known.0 == Meaning::Unknown {
                known.0 = value.0;
            }
        }
    }
}

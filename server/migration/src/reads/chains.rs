//! Chains of steps in code: `data.values.service["port"]`, `getattr(values, "port")`.

use lofting_eval::code::{CallArgument, Code, Form, Meaning, PathId, TermId, TermKind, Use, ValueStep};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A value and the steps from it that code names.
pub(super) struct Chain {
    /// The whole expression.
    pub range: Range<usize>,
    /// The path of what is in front, and where that ends.
    pub front: PathId,
    pub front_end: usize,
    /// The path of the whole.
    pub path: PathId,
    /// The front is a dict, whose keys cannot follow a dot.
    pub is_dict: bool,
    /// Nothing else can be meant.
    pub is_certain: bool,
    pub segments: Vec<Segment>,
}

/// A step of a chain.
pub(super) struct Segment {
    pub how: How,
    /// The key; empty for items.
    pub name: String,
    /// The bytes of the key.
    pub key: Range<usize>,
    /// Where the expression with this step ends.
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// `.key`
    Attribute,
    /// `["key"]`
    Index,
    /// `getattr(value, "key")`, `value.get("key")`
    Argument,
    /// `[0]`
    Item,
}

impl Chain {
    /// The path of the whole, as steps.
    pub fn steps(&self, code: &Code) -> Vec<ValueStep> {
        code.values.steps(self.path)
    }
}

/// The chains of a text.
pub(super) struct Chains<'c> {
    code: &'c Code,
    /// By where they begin.
    uses: HashMap<usize, &'c Use>,
    /// What another step follows.
    inner: HashSet<TermId>,
}

impl<'c> Chains<'c> {
    pub fn of(code: &'c Code) -> Chains<'c> {
        let uses = code.values.uses.iter().map(|used| (used.range.start, used)).collect();
        let mut chains = Chains { code, uses, inner: HashSet::new() };
        chains.inner = chains.ids().filter_map(|id| chains.segment(id)).map(|(of, ..)| of).collect();
        chains
    }

    fn ids(&self) -> impl Iterator<Item = TermId> + use<'c> {
        (0..u32::try_from(self.code.terms.len()).unwrap_or(u32::MAX)).map(TermId)
    }

    /// Whether another step follows an expression.
    pub fn is_inner(&self, term: TermId) -> bool {
        self.inner.contains(&term)
    }

    /// All chains that no further step follows.
    pub fn outermost(&self) -> Vec<Chain> {
        self.ids().filter(|id| !self.is_inner(*id)).filter_map(|id| self.chain(id)).collect()
    }

    fn chain(&self, whole: TermId) -> Option<Chain> {
        let mut segments = Vec::new();
        let mut is_certain = true;
        let mut here = whole;
        while let Some((of, segment, certain)) = self.segment(here) {
            segments.push(segment);
            is_certain &= certain;
            here = of;
        }
        if segments.is_empty() {
            return None;
        }
        segments.reverse();
        let (path, _) = self.held(whole)?;
        let (front, form) = self.held(here)?;
        Some(Chain {
            range: self.code.term(whole)?.range.clone(),
            front,
            front_end: self.code.term(here)?.range.end,
            path,
            is_dict: form == Form::Dict,
            is_certain,
            segments,
        })
    }

    fn held(&self, term: TermId) -> Option<(PathId, Form)> {
        match self.code.values.meaning(term).0 {
            Meaning::Values(path, form) => Some((*path, *form)),
            _ => None,
        }
    }

    /// The step that an expression takes: from what, how, and whether that is certain.
    fn segment(&self, id: TermId) -> Option<(TermId, Segment, bool)> {
        let term = self.code.term(id)?;
        let (path, _) = self.held(id)?;
        let end = term.range.end;
        let named = |of: TermId, how: How, key: &Range<usize>| {
            let used = self.uses.get(&key.start).filter(|used| used.path == path && used.range == *key)?;
            let Some(ValueStep::Key(name)) = self.code.values.paths.get(path.0 as usize).map(|(_, step)| step) else {
                return None;
            };
            self.held(of)?;
            Some((of, Segment { how, name: name.clone(), key: key.clone(), end }, used.certain))
        };
        let string = |id: TermId| match &self.code.term(id)?.kind {
            TermKind::String { content, .. } => Some(content.clone()),
            _ => None,
        };
        match &term.kind {
            TermKind::Attribute { of, name_range, .. } => named(*of, How::Attribute, name_range),
            TermKind::Index { of, key: Some(key), slice: false, .. } => match string(*key) {
                Some(key) => named(*of, How::Index, &key),
                None => {
                    let (above, _) = self.held(*of)?;
                    let is_item = self.code.values.paths.get(path.0 as usize) == Some(&(Some(above), ValueStep::Item));
                    let (_, certain) = self.code.values.meaning(id);
                    let segment = Segment { how: How::Item, name: String::new(), key: end..end, end };
                    is_item.then_some((*of, segment, certain))
                }
            },
            TermKind::Call { function, arguments, .. } => {
                let plain: Vec<TermId> = arguments.iter().take_while(is_positional).map(|given| given.value).collect();
                match (&self.code.term(*function)?.kind, plain.as_slice()) {
                    (TermKind::Attribute { of, .. }, [key, ..]) => named(*of, How::Argument, &string(*key)?),
                    (TermKind::Name(_), [of, key, ..]) => named(*of, How::Argument, &string(*key)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_positional(argument: &&CallArgument) -> bool {
    argument.name.is_none() && !argument.starred
}

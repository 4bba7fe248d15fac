//! Paths of values, `service.ports[0].port`.

use lofting_document::Key;
use std::fmt::Write as _;

/// One step down into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the value of a map item.
    Key(Key),
    /// To an array item, counted from 0.
    Index(usize),
}

impl From<&lofting_schema::Step> for Step {
    fn from(step: &lofting_schema::Step) -> Step {
        match step {
            lofting_schema::Step::Key(key) => Step::Key(key.clone()),
            lofting_schema::Step::Index(index) => Step::Index(*index),
            // Paths to existing parts always have an index.
            lofting_schema::Step::Item => Step::Index(0),
        }
    }
}

/// The path of a part of a document, as messages show it.
pub fn shown_steps(at: &[lofting_schema::Step]) -> String {
    let steps: Vec<Step> = at.iter().map(Step::from).collect();
    display(&steps)
}

/// The path of the document's own value.
pub(crate) const ROOT: PathId = PathId(0);

/// A path in a [`Paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathId(u32);

/// Paths that share their beginnings: a walk adds one step per collection, and a path is written out only for a
/// finding.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    links: Vec<(PathId, Step)>,
}

impl Paths {
    /// The path one step below `parent`.
    pub fn below(&mut self, parent: PathId, step: Step) -> PathId {
        self.links.push((parent, step));
        PathId(u32::try_from(self.links.len()).unwrap_or(0))
    }

    /// How many steps have been added.
    pub fn noted(&self) -> usize {
        self.links.len()
    }

    /// Forgets the steps that were added last.
    pub fn forget(&mut self, noted: usize) {
        self.links.truncate(noted);
    }

    /// The steps from the root.
    pub fn steps(&self, path: PathId) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut at = path;
        while let Some((parent, step)) = (at.0 as usize).checked_sub(1).and_then(|index| self.links.get(index)) {
            steps.push(step);
            at = *parent;
        }
        steps.reverse();
        steps
    }

    /// How many steps there are from the root.
    pub fn depth(&self, path: PathId) -> u32 {
        let (mut depth, mut at) = (0, path);
        while let Some((parent, _)) = (at.0 as usize).checked_sub(1).and_then(|index| self.links.get(index)) {
            (depth, at) = (depth + 1, *parent);
        }
        depth
    }

    /// The last step, none for the root.
    pub fn last(&self, path: PathId) -> Option<&Step> {
        (path.0 as usize).checked_sub(1).and_then(|index| self.links.get(index)).map(|(_, step)| step)
    }

    /// The path one step up.
    pub fn parent(&self, path: PathId) -> PathId {
        (path.0 as usize).checked_sub(1).and_then(|index| self.links.get(index)).map_or(ROOT, |(parent, _)| *parent)
    }

    /// As ytt writes it (docs/ytt.md 13.7).
    pub fn display(&self, path: PathId) -> String {
        display(self.steps(path))
    }

    /// What a message calls the value: `` `port` ``, `` item 2 of `ports` ``, `the document`.
    pub fn name(&self, path: PathId) -> String {
        match self.last(path) {
            None => "the document".to_string(),
            Some(Step::Key(key)) => format!("`{key}`"),
            Some(Step::Index(index)) => {
                let parent = self.parent(path);
                match self.last(parent) {
                    Some(Step::Key(key)) => format!("item {} of `{key}`", index + 1),
                    Some(Step::Index(_)) => format!("item {} of `{}`", index + 1, self.display(parent)),
                    None => format!("item {}", index + 1),
                }
            }
        }
    }
}

/// Writes steps as ytt does (docs/ytt.md 13.7): keys joined by dots, `[i]` for items.
pub(crate) fn display<'s>(steps: impl IntoIterator<Item = &'s Step>) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                let _ = write!(text, "{key}");
            }
            Step::Index(index) => {
                let _ = write!(text, "[{index}]");
            }
        }
    }
    if text.is_empty() {
        text.push_str("(document)");
    }
    text
}

//! Paths of values, `service.ports[0].port`.

pub use lofting_schema::Step;
use std::fmt::Write as _;

/// The path of a part of a document, as messages show it.
pub fn shown_steps(at: &[Step]) -> String {
    display(at)
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
            Some(Step::Item | Step::Nowhere) => format!("an item of `{}`", self.display(self.parent(path))),
            Some(Step::Index(index)) => {
                let parent = self.parent(path);
                match self.last(parent) {
                    Some(Step::Key(key)) => format!("item {} of `{key}`", index + 1),
                    Some(_) => format!("item {} of `{}`", index + 1, self.display(parent)),
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
            Step::Item | Step::Nowhere => text.push_str("[]"),
        }
    }
    if text.is_empty() {
        text.push_str("(document)");
    }
    text
}

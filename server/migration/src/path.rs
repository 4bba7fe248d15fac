//! Paths to values, as `lofting diff` writes them.

use std::fmt;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To every item of an array.
    Items,
    /// To the value of every key of a map.
    AnyKey,
}

impl Step {
    /// Whether it leads to several values, so that nothing goes from one of them to another.
    pub(crate) fn is_many(&self) -> bool {
        matches!(self, Step::Items | Step::AnyKey)
    }
}

/// A path from the root of a document: `service.ports[].name`, `teams.*.name`; a dot within a name is written `\.`, and a
/// name that is an asterisk `\*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Reads a path; None if it is empty or a name in it is.
    pub fn read(written: &str) -> Option<Path> {
        let mut steps = Vec::new();
        let mut name = String::new();
        let mut chars = written.chars();
        // What is between two dots is a name, and then any number of `[]`.
        let mut is_named = false;
        let mut is_escaped = false;
        let step = |name: &mut String, is_escaped: &mut bool| {
            let is_any = name == "*" && !std::mem::take(is_escaped);
            let name = std::mem::take(name);
            if is_any { Step::AnyKey } else { Step::Key(name) }
        };
        loop {
            match chars.next() {
                Some('\\') => {
                    name.push(chars.next()?);
                    is_escaped = true;
                }
                Some('[') => {
                    if chars.next() != Some(']') {
                        return None;
                    }
                    if !name.is_empty() {
                        steps.push(step(&mut name, &mut is_escaped));
                    }
                    steps.push(Step::Items);
                    is_named = true;
                }
                Some('.') | None if name.is_empty() && !is_named => return None,
                Some('.') => {
                    if !name.is_empty() {
                        steps.push(step(&mut name, &mut is_escaped));
                    }
                    is_named = false;
                }
                None => {
                    if !name.is_empty() {
                        steps.push(step(&mut name, &mut is_escaped));
                    }
                    return Some(Path(steps));
                }
                Some(_) if is_named => return None,
                Some(c) => name.push(c),
            }
        }
    }

    /// The key that it leads to, and the path to the map with this key; None if it leads to items, or to any key.
    pub fn last(&self) -> Option<(&[Step], &str)> {
        match self.0.split_last()? {
            (Step::Key(name), parent) => Some((parent, name)),
            (Step::Items | Step::AnyKey, _) => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Items => f.write_str("[]")?,
                _ if index > 0 => f.write_str(".")?,
                _ => {}
            }
            match step {
                Step::Items => {}
                Step::AnyKey => f.write_str("*")?,
                Step::Key(name) => {
                    for c in name.chars() {
                        if matches!(c, '.' | '\\' | '[') || name == "*" {
                            f.write_str("\\")?;
                        }
                        write!(f, "{c}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

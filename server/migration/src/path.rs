//! Paths to values, as `lofting diff` writes them.

use std::fmt;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To every item of an array.
    Items,
}

/// A path from the root of a document: `service.ports[].name`, a dot within a name written `\.`.
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
        loop {
            match chars.next() {
                Some('\\') => name.push(chars.next()?),
                Some('[') => {
                    if chars.next() != Some(']') {
                        return None;
                    }
                    if !name.is_empty() {
                        steps.push(Step::Key(std::mem::take(&mut name)));
                    }
                    steps.push(Step::Items);
                    is_named = true;
                }
                Some('.') | None if name.is_empty() && !is_named => return None,
                Some('.') => {
                    if !name.is_empty() {
                        steps.push(Step::Key(std::mem::take(&mut name)));
                    }
                    is_named = false;
                }
                None => {
                    if !name.is_empty() {
                        steps.push(Step::Key(name));
                    }
                    return Some(Path(steps));
                }
                Some(_) if is_named => return None,
                Some(c) => name.push(c),
            }
        }
    }

    /// The key that it leads to, and the path to the map with this key; None if it leads to items.
    pub fn last(&self) -> Option<(&[Step], &str)> {
        match self.0.split_last()? {
            (Step::Key(name), parent) => Some((parent, name)),
            (Step::Items, _) => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Items => f.write_str("[]")?,
                Step::Key(name) => {
                    if index > 0 {
                        f.write_str(".")?;
                    }
                    for c in name.chars() {
                        if matches!(c, '.' | '\\' | '[') {
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

//! The paths of values, from a variable down.
//!
//! The API server's estimator appends to paths in place as long as there is room, so that two paths with the same
//! beginning may end with what was appended last. Its estimates depend on this, so paths are kept as it keeps them.

use std::sync::Arc;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A variable or a field.
    Named(Arc<str>),
    /// The items of an array.
    Items,
    /// The indexes of an array.
    Indexes,
    /// The values of a map.
    Values,
    /// The keys of a map.
    Keys,
}

/// A path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Path {
    room: usize,
    length: usize,
}

impl Path {
    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// All paths.
#[derive(Debug)]
pub(super) struct Paths {
    /// Steps, with room for more up to the next power of two.
    rooms: Vec<Vec<Step>>,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { rooms: vec![Vec::new()] }
    }
}

impl Paths {
    /// The path of a variable.
    pub fn start(&mut self, name: &str) -> Path {
        self.of(vec![Step::Named(name.into())])
    }

    /// The path with these steps.
    pub fn of(&mut self, steps: Vec<Step>) -> Path {
        let length = steps.len();
        self.rooms.push(steps);
        Path { room: self.rooms.len() - 1, length }
    }

    /// A path with one more step.
    pub fn append(&mut self, to: Path, step: Step) -> Path {
        let has_room = to.length > 0 && !to.length.is_power_of_two();
        match self.rooms.get_mut(to.room).filter(|_| has_room) {
            Some(steps) => {
                match steps.get_mut(to.length) {
                    Some(last) => *last = step,
                    None => steps.push(step),
                }
                Path { room: to.room, length: to.length + 1 }
            }
            None => {
                let mut steps = self.steps(to).to_vec();
                steps.push(step);
                self.of(steps)
            }
        }
    }

    /// Its steps, the variable first.
    pub fn steps(&self, path: Path) -> &[Step] {
        self.rooms.get(path.room).and_then(|steps| steps.get(..path.length)).unwrap_or_default()
    }
}

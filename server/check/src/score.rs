//! How well values fit nodes of a schema, as numbers that can be remembered.

/// How well a value fits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Score {
    /// Nothing is wrong.
    pub fits: bool,
    /// The value is of a kind that the node takes.
    pub kind: bool,
    /// Where only some values are allowed, one of them is of the kind of this one.
    pub alike: bool,
    /// How many keys have a value, other than true and false, of which this node allows only some; more for the only one.
    pub picked: usize,
    /// How many keys of the value are declared by the node and have a fitting value.
    pub right_keys: usize,
    /// How many keys of the value are declared by the node.
    pub known: usize,
    /// How many names of the value are slips for keys that the node requires.
    pub slips: usize,
    /// The number of mistakes, negated.
    pub right: isize,
    /// Something was unknown, so `fits` may be wrong.
    pub unsure: bool,
}

/// The combined result for the entries or items of a collection, or of a part of one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub wrong: usize,
    pub picked: usize,
    pub right_keys: usize,
    pub known: usize,
    pub unsure: bool,
    /// A value is not written yet.
    pub open: bool,
    /// Which of the required keys are present, one bit for each.
    pub present: u64,
}

/// How well a value fits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// Something is wrong.
    No,
    /// Only values that are not written yet are wrong. They say nothing about which alternative is meant.
    Open,
    /// Nothing is wrong.
    Yes,
}

impl From<bool> for Fit {
    fn from(fits: bool) -> Fit {
        if fits { Fit::Yes } else { Fit::No }
    }
}

impl Score {
    /// Nothing is wrong but values that are not written yet.
    pub fn is_open(&self) -> bool {
        self.fit() == Fit::Open
    }

    pub fn fit(&self) -> Fit {
        match (self.fits, self.kind && self.right == 0) {
            (true, _) => Fit::Yes,
            (false, true) => Fit::Open,
            (false, false) => Fit::No,
        }
    }

    /// How well a value with this score fits inside a collection; `is_missing`: it is not written yet.
    pub fn inside(&self, is_missing: bool) -> Fit {
        match self.fit() {
            Fit::No if is_missing => Fit::Open,
            fit => fit,
        }
    }
}

impl Tally {
    pub fn note(&mut self, fit: Fit) {
        self.wrong += usize::from(fit == Fit::No);
        self.open |= fit == Fit::Open;
    }

    pub fn add(&mut self, other: Tally) {
        self.wrong += other.wrong;
        self.picked += other.picked;
        self.right_keys += other.right_keys;
        self.known += other.known;
        self.unsure |= other.unsure;
        self.open |= other.open;
        self.present |= other.present;
    }
}

/// What is remembered about a collection that did not change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scored {
    Whole(Score),
    Part(Tally),
    /// How many items of a part fit.
    Fitting(u64),
    /// Whether the names of all keys of a part fit.
    Names(bool),
    /// The names of the keys of a part have no findings.
    QuietNames,
}

//! Estimated sizes, and costs that follow from them. The arithmetic is that of the API server's estimator: nothing
//! becomes larger than the largest number.

/// A size between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub least: u64,
    pub most: u64,
}

/// Going through a character of a string.
pub(super) const CHARACTER: f64 = 0.1;

/// A part of a regular expression is expected to have four characters.
pub(super) const EXPRESSION: f64 = 0.25;

impl Extent {
    /// Nothing is known.
    pub const ANY: Extent = Extent { least: 0, most: u64::MAX };

    /// Less than any, for the start of a union.
    pub const NONE: Extent = Extent { least: u64::MAX, most: 0 };

    /// Exactly this.
    pub fn exactly(size: u64) -> Extent {
        Extent { least: size, most: size }
    }

    pub fn plus(self, other: Extent) -> Extent {
        Extent { least: self.least.saturating_add(other.least), most: self.most.saturating_add(other.most) }
    }

    pub fn times(self, other: Extent) -> Extent {
        Extent { least: self.least.saturating_mul(other.least), most: self.most.saturating_mul(other.most) }
    }

    /// Either of both.
    pub fn or(self, other: Extent) -> Extent {
        Extent { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// What it costs at most to look at each part.
    pub fn cost(self, each: f64) -> u64 {
        cost(self.most, each)
    }
}

/// A multiple, rounded up.
#[expect(clippy::cast_precision_loss, reason = "the server's estimator does so, too")]
pub(super) fn cost(size: u64, each: f64) -> u64 {
    let most = 2f64.powi(64);
    let cost = (size as f64 * each).ceil();
    if cost >= most { u64::MAX } else { whole(cost) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from zero up to the largest one")]
fn whole(number: f64) -> u64 {
    number as u64
}

/// How often something shorter is found in something longer.
#[expect(clippy::cast_precision_loss, reason = "the server's estimator does so, too")]
pub(super) fn quotient(of: u64, by: u64) -> u64 {
    whole((of as f64 / by as f64).ceil())
}

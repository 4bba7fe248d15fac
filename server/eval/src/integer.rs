//! Integers of values and keys, here and in documents.

use std::fmt;

/// An integer; wider than ytt's 64 bits, so that a value out of range can be reported as it is written. It is kept in two
/// halves, because an `i128` asks for an alignment that makes everything around it larger.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Integer {
    high: i64,
    low: u64,
}

impl Integer {
    /// For patterns.
    pub const ZERO: Integer = Integer { high: 0, low: 0 };

    /// The number.
    pub const fn get(self) -> i128 {
        (self.high as i128) << 64 | self.low as i128
    }
}

impl<N: Into<i128>> From<N> for Integer {
    fn from(number: N) -> Integer {
        let number = number.into();
        Integer { high: (number >> 64) as i64, low: number as u64 }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;

    #[test]
    fn an_integer_is_the_number_that_it_was_made_of() {
        let half = i128::from(u64::MAX);
        let numbers = [i128::MIN, -half - 1, -half, -1, 0, 1, half, half + 1, i128::MAX];
        for one in numbers {
            let first = Integer::from(one);
            assert_eq!((first.get(), format!("{first} {first:?}")), (one, format!("{one} {one:?}")));
            for other in numbers {
                assert_eq!(first.cmp(&other.into()), one.cmp(&other), "{one} and {other}");
            }
        }
        assert_eq!(Integer::ZERO.get(), 0);
    }
}

//! Numbers as they are written: exact, unlike binary fractions.

use lofting_document::NodeValue;

/// A number without its sign: digits times a power of ten.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// The exact value of a number; None for other values and for infinity and NaN.
    pub fn of(value: &NodeValue) -> Option<Decimal> {
        match value {
            NodeValue::Int(number) => Some(Decimal { digits: number.get().unsigned_abs(), exponent: 0 }),
            NodeValue::Float(number) if number.is_finite() => {
                // The shortest text that reads back as the same number: at most seventeen digits.
                let text = format!("{:e}", number.abs());
                let (digits, exponent) = text.split_once('e')?;
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                let exponent = exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?;
                Some(Decimal { digits: format!("{whole}{fraction}").parse().ok()?, exponent })
            }
            _ => None,
        }
    }

    /// Whether it is a multiple of `factor`. Only zero is a multiple of zero.
    pub fn is_multiple_of(self, factor: Decimal) -> bool {
        if self.digits == 0 || factor.digits == 0 {
            return self.digits == 0;
        }
        match self.exponent - factor.exponent {
            0 => self.digits.is_multiple_of(factor.digits),
            above @ 1.. => {
                // Multiplies by a power of ten, keeping only the remainder.
                let rest = |a: u128, b: u128| a.checked_mul(b).map(|product| product % factor.digits);
                let (mut power, mut base, mut left) = (1, 10 % factor.digits, above);
                while left > 0 {
                    if left % 2 == 1 {
                        power = rest(power, base).unwrap_or(1);
                    }
                    base = rest(base, base).unwrap_or(1);
                    left /= 2;
                }
                rest(self.digits % factor.digits, power) == Some(0)
            }
            below => {
                let power = 10u128.checked_pow(below.unsigned_abs());
                let factor = power.and_then(|power| factor.digits.checked_mul(power));
                factor.is_some_and(|factor| self.digits.is_multiple_of(factor))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_exact() {
        use NodeValue::Float;
        for (number, factor, want) in [
            (NodeValue::int(10), 2.0, true),
            (NodeValue::int(7), 2.0, false),
            (Float(0.0075), 0.0001, true),
            (Float(0.00751), 0.0001, false),
            (Float(4.5), 1.5, true),
            (NodeValue::int(35), 1.5, false),
            (NodeValue::int(12_391_239_123_i64), 1e-8, true),
            (Float(1e308), 0.123_456_789, false),
            (Float(1e308), 0.5, true),
            (NodeValue::int(0), 0.01, true),
            (Float(19.99), 0.01, true),
            (NodeValue::int(-6), 3.0, true),
            (Float(1e-300), 1e300, false),
            (NodeValue::int(i128::MAX), 1e-300, true),
        ] {
            let factor_as = Decimal::of(&Float(factor)).unwrap();
            assert_eq!(Decimal::of(&number).unwrap().is_multiple_of(factor_as), want, "{number:?} {factor}");
        }
    }
}

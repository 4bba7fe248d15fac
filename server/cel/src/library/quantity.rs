//! Quantities with units: `1.5Gi`, `200m`, `1e3`

use super::{Call, Row};
use crate::cost::{Failure, first_text, one};
use crate::value::Value;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["quantity(string) -> quantity"], price: first_text, run: read },
    Row { signatures: &["isQuantity(string) -> bool"], price: first_text, run: is_quantity },
    Row { signatures: &["(quantity).sign() -> int"], price: one, run: sign },
    Row { signatures: &["(quantity).isInteger() -> bool"], price: one, run: is_integer },
    Row { signatures: &["(quantity).asInteger() -> int"], price: one, run: as_integer },
    Row { signatures: &["(quantity).asApproximateFloat() -> double"], price: one, run: as_float },
    Row {
        signatures: &["(quantity).isLessThan(quantity) -> bool"],
        price: one,
        run: |call| Ok(Value::Bool(two(call)?.is_lt())),
    },
    Row {
        signatures: &["(quantity).isGreaterThan(quantity) -> bool"],
        price: one,
        run: |call| Ok(Value::Bool(two(call)?.is_gt())),
    },
    Row {
        signatures: &["(quantity).compareTo(quantity) -> int"],
        price: one,
        run: |call| Ok(Value::Int(two(call)? as i64)),
    },
    Row {
        signatures: &["(quantity).add(quantity) -> quantity", "(quantity).add(int) -> quantity"],
        price: one,
        run: |call| sum(call, false),
    },
    Row {
        signatures: &["(quantity).sub(quantity) -> quantity", "(quantity).sub(int) -> quantity"],
        price: one,
        run: |call| sum(call, true),
    },
];

/// A quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// In billionths.
    amount: Amount,
    /// A number and how many zeros follow it, as long as it is small. Only these can be integers.
    small: Option<(i64, i32)>,
}

/// A whole number of any size, in digits of a billion, the lowest first, without zeros at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Amount {
    is_negative: bool,
    digits: Vec<u32>,
}

const BASE: u64 = 1_000_000_000;

impl Amount {
    /// From decimal digits.
    fn new(decimal: &str, is_negative: bool) -> Option<Amount> {
        let mut digits = Vec::with_capacity(decimal.len() / 9 + 1);
        let mut end = decimal.len();
        while end > 0 {
            let start = end.saturating_sub(9);
            digits.push(decimal.get(start..end)?.parse().ok()?);
            end = start;
        }
        Some(Amount { is_negative, digits }.trimmed())
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self.is_negative &= !self.digits.is_empty();
        self
    }

    fn times(&self, factor: u64) -> Amount {
        let mut carry: u128 = 0;
        let mut digits = Vec::with_capacity(self.digits.len() + 3);
        for digit in &self.digits {
            carry += u128::from(*digit) * u128::from(factor);
            digits.push(u32::try_from(carry % u128::from(BASE)).unwrap_or(0));
            carry /= u128::from(BASE);
        }
        while carry > 0 {
            digits.push(u32::try_from(carry % u128::from(BASE)).unwrap_or(0));
            carry /= u128::from(BASE);
        }
        Amount { is_negative: self.is_negative, digits }.trimmed()
    }

    fn cmp_size(&self, other: &Amount) -> Ordering {
        let by_digits = || self.digits.iter().rev().cmp(other.digits.iter().rev());
        self.digits.len().cmp(&other.digits.len()).then_with(by_digits)
    }

    fn compare(&self, other: &Amount) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_size(other),
            (true, true) => other.cmp_size(self),
        }
    }

    fn plus(&self, other: &Amount) -> Amount {
        let (large, small) = if self.cmp_size(other).is_lt() { (other, self) } else { (self, other) };
        let is_sum = large.is_negative == small.is_negative;
        let mut carry: i64 = 0;
        let mut digits = Vec::with_capacity(large.digits.len() + 1);
        for (number, digit) in large.digits.iter().enumerate() {
            let own = i64::from(small.digits.get(number).copied().unwrap_or(0));
            carry += i64::from(*digit) + if is_sum { own } else { -own };
            let base = 1_000_000_000;
            digits.push(u32::try_from(carry.rem_euclid(base)).unwrap_or(0));
            carry = carry.div_euclid(base);
        }
        digits.extend(u32::try_from(carry).ok().filter(|carry| *carry > 0));
        Amount { is_negative: large.is_negative, digits }.trimmed()
    }

    fn minus(&self, other: &Amount) -> Amount {
        self.plus(&Amount { is_negative: !other.is_negative, digits: other.digits.clone() })
    }

    fn to_float(&self) -> f64 {
        let size = self.digits.iter().rev().fold(String::new(), |text, digit| format!("{text}{digit:09}"));
        let size: f64 = format!("0{size}e-9").parse().unwrap_or(f64::INFINITY);
        if self.is_negative { -size } else { size }
    }
}

/// The unit: a power of ten or of two.
enum Unit {
    Ten(i32),
    Two(u32),
}

fn unit(suffix: &str) -> Option<Unit> {
    Some(match suffix {
        "n" => Unit::Ten(-9),
        "u" => Unit::Ten(-6),
        "m" => Unit::Ten(-3),
        "" => Unit::Ten(0),
        "k" => Unit::Ten(3),
        "M" => Unit::Ten(6),
        "G" => Unit::Ten(9),
        "T" => Unit::Ten(12),
        "P" => Unit::Ten(15),
        "E" => Unit::Ten(18),
        "Ki" => Unit::Two(10),
        "Mi" => Unit::Two(20),
        "Gi" => Unit::Two(30),
        "Ti" => Unit::Two(40),
        "Pi" => Unit::Two(50),
        "Ei" => Unit::Two(60),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E'])?;
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            // No quantity in use is larger.
            Unit::Ten(exponent.parse().ok().filter(|exponent: &i32| is_number && exponent.abs() <= 1000)?)
        }
    })
}

/// Longer texts are not quantities.
const LONGEST: usize = 1000;

impl Quantity {
    /// Reads a quantity.
    pub fn parse(text: &str) -> Option<Quantity> {
        if text.len() > LONGEST {
            return None;
        }
        let (is_negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (whole, rest) = rest.split_at(end);
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
            None => ("", rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        let unit = unit(suffix)?;
        let small = small(whole, fraction, &unit, is_negative);
        let (shift, factor) = match unit {
            Unit::Ten(power) => (power, 1),
            Unit::Two(power) => (0, 1u64 << power),
        };
        // So many digits of the number are whole billionths.
        let mut digits = format!("{whole}{fraction}");
        let kept = i64::try_from(whole.len()).ok()? + i64::from(shift) + 9;
        let mut is_rounded = false;
        let billionths = if factor == 1 {
            let kept = usize::try_from(kept).unwrap_or(0);
            if digits.len() > kept {
                is_rounded = digits.get(kept..)?.bytes().any(|byte| byte != b'0');
                digits.truncate(kept);
            } else {
                digits.extend(std::iter::repeat_n('0', kept - digits.len()));
            }
            // A number below the smallest billionth has lost its leading zeros, too.
            Amount::new(&digits, is_negative)?
        } else {
            // The fraction is exact here: the factor comes after it.
            let places = fraction.len();
            let scaled = Amount::new(&digits, is_negative)?.times(factor).times(BASE);
            divided(&scaled, places, &mut is_rounded)?
        };
        let one = Amount { is_negative, digits: vec![1] };
        let amount = if is_rounded { billionths.plus(&one) } else { billionths };
        let most = Amount::new("9223372036854775807000000000", is_negative)?;
        let amount = if factor > 1 && amount.cmp_size(&most).is_gt() { most } else { amount };
        Some(Quantity { amount, small })
    }

    /// Which of two quantities is larger.
    pub fn compare(&self, other: &Quantity) -> Ordering {
        self.amount.compare(&other.amount)
    }

    /// Which side of zero it is on.
    pub fn order(&self) -> Ordering {
        match (self.amount.digits.is_empty(), self.amount.is_negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        self.amount.digits.first().is_none_or(|billionths| *billionths == 0)
    }

    /// It as a floating-point number.
    pub fn approximate(&self) -> f64 {
        self.amount.to_float()
    }

    fn whole(value: i64) -> Quantity {
        let decimal = format!("{}000000000", value.unsigned_abs());
        Quantity { amount: Amount::new(&decimal, value < 0).unwrap_or_default(), small: Some((value, 0)) }
    }

    fn to_integer(&self) -> Option<i64> {
        let (value, zeros) = self.small?;
        value.checked_mul(10i64.checked_pow(u32::try_from(zeros).ok()?)?)
    }
}

/// A number without its last decimal digits.
fn divided(amount: &Amount, places: usize, is_rounded: &mut bool) -> Option<Amount> {
    let decimal = amount.digits.iter().rev().fold(String::new(), |text, digit| format!("{text}{digit:09}"));
    let (kept, dropped) = decimal.split_at(decimal.len().saturating_sub(places));
    *is_rounded = dropped.bytes().any(|byte| byte != b'0');
    Amount::new(kept, amount.is_negative)
}

/// The number and the zeros after it, if the API server keeps it that way.
fn small(whole: &str, fraction: &str, unit: &Unit, is_negative: bool) -> Option<(i64, i32)> {
    let digits = i32::try_from(whole.len() + fraction.len()).ok()?;
    let (precision, zeros, factor) = match unit {
        Unit::Ten(power) => (18 - digits, *power, 1i64),
        Unit::Two(power) if fraction.is_empty() => {
            let own = i32::try_from(power * 3 / 10).ok()?;
            (15 - digits - own - 1, 0, 1i64.checked_shl(*power)?)
        }
        Unit::Two(_) => return None,
    };
    let zeros = zeros - i32::try_from(fraction.len()).ok()?;
    if precision < 0 || zeros < -9 {
        return None;
    }
    let value: i64 = format!("0{whole}{fraction}").parse().ok()?;
    let value = value.checked_mul(factor)?;
    Some((if is_negative { -value } else { value }, zeros))
}

/// The sum of two small numbers with the same number of zeros.
fn small_sum(left: Option<(i64, i32)>, right: Option<(i64, i32)>, is_difference: bool) -> Option<(i64, i32)> {
    let (left, right) = (left?, right?);
    if right.0 == 0 {
        return Some(left);
    }
    let zeros = if left.0 == 0 { right.1 } else { left.1.min(right.1) };
    let scaled = |(value, own): (i64, i32)| {
        if value == 0 { Some(0) } else { value.checked_mul(10i64.checked_pow(u32::try_from(own - zeros).ok()?)?) }
    };
    let (left, right) = (scaled(left)?, scaled(right)?);
    let sum = if is_difference { left.checked_sub(right)? } else { left.checked_add(right)? };
    Some((sum, zeros))
}

fn read(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    let quantity = Quantity::parse(text)
        .ok_or_else(|| format!("`{}` is not a quantity", text.chars().take(100).collect::<String>()))?;
    Ok(Value::Quantity(Arc::new(quantity)))
}

fn is_quantity(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(Quantity::parse(text).is_some()))
}

fn own<'c>(call: &'c Call<'_>) -> Result<&'c Quantity, Failure> {
    match call.arguments.first() {
        Some(Value::Quantity(quantity)) => Ok(quantity),
        _ => Err(call.refused()),
    }
}

fn sign(call: &mut Call<'_>) -> Result<Value, Failure> {
    let amount = &own(call)?.amount;
    Ok(Value::Int(if amount.digits.is_empty() {
        0
    } else if amount.is_negative {
        -1
    } else {
        1
    }))
}

fn is_integer(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Bool(own(call)?.to_integer().is_some()))
}

fn as_integer(call: &mut Call<'_>) -> Result<Value, Failure> {
    let integer = own(call)?.to_integer();
    integer.map(Value::Int).ok_or_else(|| "the quantity is not an integer, or too large".into())
}

fn as_float(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Double(own(call)?.approximate()))
}

fn two(call: &Call<'_>) -> Result<Ordering, Failure> {
    let [Value::Quantity(left), Value::Quantity(right)] = call.arguments else { return Err(call.refused()) };
    Ok(left.compare(right))
}

fn sum(call: &Call<'_>, is_difference: bool) -> Result<Value, Failure> {
    let left = own(call)?;
    let right = match call.arguments {
        [_, Value::Quantity(right)] => (**right).clone(),
        [_, Value::Int(right)] => Quantity::whole(*right),
        _ => return Err(call.refused()),
    };
    let amount = if is_difference { left.amount.minus(&right.amount) } else { left.amount.plus(&right.amount) };
    let small = small_sum(left.small, right.small, is_difference);
    Ok(Value::Quantity(Arc::new(Quantity { amount, small })))
}

#[cfg(test)]
mod tests {
    use super::Quantity;
    use std::cmp::Ordering;

    #[test]
    fn quantities_are_compared_exactly() {
        for (left, right, expected) in [
            ("1Ki", "1024", Ordering::Equal),
            ("1.5Gi", "1536Mi", Ordering::Equal),
            ("0.1Ki", "102.4", Ordering::Equal),
            ("200m", "0.2", Ordering::Equal),
            ("1e3", "1k", Ordering::Equal),
            ("-1", "1", Ordering::Less),
            ("0.0000000001", "1n", Ordering::Equal),
            ("99999999999999999999999999G", "1E", Ordering::Greater),
            ("-2", "-1", Ordering::Less),
            (".5", "500m", Ordering::Equal),
            ("0", "-0", Ordering::Equal),
            ("9999999Ei", "9223372036854775807", Ordering::Equal),
        ] {
            let read = |text| Quantity::parse(text).expect(text);
            assert_eq!(read(left).compare(&read(right)), expected, "{left} {right}");
        }
        for wrong in ["", "-", "x", "1x", "1 ", "1.2.3", "1ki", "1e", "1e1.5", ".", "1Mo", "0x1"] {
            assert_eq!(Quantity::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_small_whole_numbers_are_integers() {
        let integer = |text| Quantity::parse(text).and_then(|quantity| quantity.to_integer());
        assert_eq!(
            ["50k", "1Gi", "-3", "1.0", "1500m", "9999999999999999999999G"].map(integer),
            [Some(50_000), Some(1 << 30), Some(-3), None, None, None]
        );
        assert_eq!(Quantity::parse("50.703k").map(|quantity| quantity.amount.to_float()), Some(50703.0));
    }
}

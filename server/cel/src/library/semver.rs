//! Versions: `1.2.3-rc.1+build`

use super::{Call, Row};
use crate::cost::{Failure, first_text, one};
use crate::value::Value;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["semver(string) -> semver", "semver(string, bool) -> semver"], price: first_text, run: read },
    Row {
        signatures: &["isSemver(string) -> bool", "isSemver(string, bool) -> bool"],
        price: first_text,
        run: is_semver,
    },
    Row {
        signatures: &["(semver).isLessThan(semver) -> bool"],
        price: one,
        run: |call| Ok(Value::Bool(two(call)?.is_lt())),
    },
    Row {
        signatures: &["(semver).isGreaterThan(semver) -> bool"],
        price: one,
        run: |call| Ok(Value::Bool(two(call)?.is_gt())),
    },
    Row {
        signatures: &["(semver).compareTo(semver) -> int"],
        price: one,
        run: |call| Ok(Value::Int(two(call)? as i64)),
    },
    Row { signatures: &["(semver).major() -> int"], price: one, run: |call| part(call, |version| version.major) },
    Row { signatures: &["(semver).minor() -> int"], price: one, run: |call| part(call, |version| version.minor) },
    Row { signatures: &["(semver).patch() -> int"], price: one, run: |call| part(call, |version| version.patch) },
];

/// A version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Semver {
    major: u64,
    minor: u64,
    patch: u64,
    pre: Vec<Identifier>,
    written: String,
}

/// A part of what marks a version before the final one. Numbers come before words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Word(String),
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_number)
}

impl Semver {
    /// Reads a version.
    pub fn parse(text: &str) -> Option<Semver> {
        let mut parts = text.splitn(3, '.');
        let (major, minor, rest) = (number(parts.next()?)?, number(parts.next()?)?, parts.next()?);
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, pre) = rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
        if !build.iter().flat_map(|build| build.split('.')).all(is_identifier) {
            return None;
        }
        let pre = pre.iter().flat_map(|pre| pre.split('.')).map(|part| {
            if !is_identifier(part) {
                None
            } else if part.bytes().all(|byte| byte.is_ascii_digit()) {
                number(part).map(Identifier::Number)
            } else {
                Some(Identifier::Word(part.to_owned()))
            }
        });
        Some(Semver { major, minor, patch: number(patch)?, pre: pre.collect::<Option<_>>()?, written: text.to_owned() })
    }

    /// Reads a version that may begin with `v`, have leading zeros, and leave out the last numbers.
    fn parse_leniently(text: &str) -> Option<Semver> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(str::to_owned).collect();
        for part in &mut parts {
            if part.len() > 1 {
                let digits = part.trim_start_matches('0');
                let zero = if digits.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
                *part = format!("{zero}{digits}");
            }
        }
        if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
            return None;
        }
        parts.resize(3, "0".to_owned());
        Semver::parse(&parts.join("."))
    }

    /// As it was read.
    pub fn as_written(&self) -> &str {
        &self.written
    }

    /// Which of two versions is newer.
    pub fn compare(&self, other: &Semver) -> Ordering {
        let numbers = |version: &Semver| [version.major, version.minor, version.patch];
        numbers(self).cmp(&numbers(other)).then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            _ => self.pre.cmp(&other.pre),
        })
    }
}

fn parse(call: &Call<'_>) -> Result<Option<Semver>, Failure> {
    match call.arguments {
        [Value::Text(text)] | [Value::Text(text), Value::Bool(false)] => Ok(Semver::parse(text)),
        [Value::Text(text), Value::Bool(true)] => Ok(Semver::parse_leniently(text)),
        _ => Err(call.refused()),
    }
}

fn read(call: &mut Call<'_>) -> Result<Value, Failure> {
    let version = parse(call)?.ok_or("this is not a version with three numbers")?;
    Ok(Value::Semver(Arc::new(version)))
}

fn is_semver(call: &mut Call<'_>) -> Result<Value, Failure> {
    Ok(Value::Bool(parse(call)?.is_some()))
}

fn two(call: &Call<'_>) -> Result<Ordering, Failure> {
    let [Value::Semver(left), Value::Semver(right)] = call.arguments else { return Err(call.refused()) };
    Ok(left.compare(right))
}

fn part(call: &Call<'_>, part: fn(&Semver) -> u64) -> Result<Value, Failure> {
    let [Value::Semver(version)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Int(i64::try_from(part(version)).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::Semver;

    #[test]
    fn versions_are_ordered() {
        let order =
            ["1.0.0-1", "1.0.0-2", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0", "1.0.1", "1.10.0", "2.0.0+x"];
        for pair in order.windows(2) {
            let [left, right] = pair else { continue };
            let (left, right) = (Semver::parse(left).expect("a version"), Semver::parse(right).expect("a version"));
            assert!(left.compare(&right).is_lt(), "{left:?} {right:?}");
        }
        for wrong in
            ["", "1", "1.2", "01.2.3", "1.2.3-", "1.2.3-a..b", "1.2.3-01", "1.2.3+", "v1.2.3", " 1.2.3", "1.2.3.4"]
        {
            assert_eq!(Semver::parse(wrong), None, "{wrong}");
        }
        for (text, expected) in [("v1", "1.0.0"), ("01.2", "1.2.0"), ("v1.2.03-rc", "1.2.3-rc"), ("0.00.0", "0.0.0")] {
            assert_eq!(Semver::parse_leniently(text).expect(text).as_written(), expected);
        }
        assert_eq!(Semver::parse_leniently("1.2-rc"), None);
    }
}

//! Dates and times of RFC 3339, and durations of ISO 8601 and of Go.

/// `2026-06-01T12:00:00Z`
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_at_checked(10)
        .is_some_and(|(date, rest)| is_date(date) && rest.strip_prefix(['T', 't']).is_some_and(is_time))
}

/// `2026-06-01`
pub(super) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (number(parts.next(), 4), number(parts.next(), 2), number(parts.next(), 2), parts.next())
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A date-time that may have a blank in the middle, and a leap second in any minute.
pub(super) fn is_lenient_date_time(text: &str) -> bool {
    text.split_at_checked(10)
        .is_some_and(|(date, rest)| is_date(date) && rest.strip_prefix(['T', 't', ' ']).is_some_and(is_lenient_time))
}

/// `12:00:00.5+01:00`, with an offset. A leap second is allowed as the last second of a day in UTC.
pub(super) fn is_time(text: &str) -> bool {
    seconds_of(text).is_some_and(|(second, minute_in_utc)| second < 60 || minute_in_utc == 23 * 60 + 59)
}

/// A time that may have a leap second in any minute.
pub(super) fn is_lenient_time(text: &str) -> bool {
    seconds_of(text).is_some()
}

/// The second of a time, up to 60, and the minute of the day in UTC; None if it is not a valid time.
fn seconds_of(text: &str) -> Option<(i32, i32)> {
    let (clock, after) = text.split_at_checked(8)?;
    let (hours, minutes, seconds) = clock_of(clock)?;
    let after = match after.strip_prefix('.') {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if rest.len() == fraction.len() {
                return None;
            }
            rest
        }
        None => after,
    };
    let offset = match after {
        "Z" | "z" => Some(0),
        _ => {
            let sign = if after.starts_with('-') { -1 } else { 1 };
            let offset = after.strip_prefix(['+', '-']).and_then(|text| text.split_once(':'));
            let offset = offset.and_then(|(hours, minutes)| Some((number(Some(hours), 2)?, number(Some(minutes), 2)?)));
            offset
                .filter(|(hours, minutes)| *hours < 24 && *minutes < 60)
                .map(|(hours, minutes)| sign * (hours * 60 + minutes))
        }
    };
    let in_utc = (hours * 60 + minutes - offset?).rem_euclid(24 * 60);
    (hours < 24 && minutes < 60 && seconds <= 60).then_some((seconds, in_utc))
}

fn clock_of(text: &str) -> Option<(i32, i32, i32)> {
    let mut parts = text.split(':');
    let clock = (number(parts.next(), 2)?, number(parts.next(), 2)?, number(parts.next(), 2)?);
    parts.next().is_none().then_some(clock)
}

/// A number with exactly this many digits.
fn number(text: Option<&str>, digits: usize) -> Option<i32> {
    text.filter(|text| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// `P1DT2H`, `P3W`
pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (date, time) = match rest.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (rest, None),
    };
    if time.is_none() && units(date, "W") == Some(1) {
        return true;
    }
    match (units(date, "YMD"), time.map(|time| units(time, "HMS"))) {
        (Some(count), None) => count > 0,
        (Some(_), Some(Some(count))) => count > 0,
        _ => false,
    }
}

/// The number of amounts in a text; their units have to be consecutive in this order.
fn units(text: &str, order: &str) -> Option<usize> {
    let mut rest = text;
    let mut last: Option<usize> = None;
    let mut count = 0;
    while !rest.is_empty() {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let unit = after.chars().next().filter(|_| after.len() < rest.len())?;
        let place = order.find(unit)?;
        if last.is_some_and(|last| place != last + 1) {
            return None;
        }
        (last, count) = (Some(place), count + 1);
        rest = after.get(1..)?;
    }
    Some(count)
}

/// A duration as Go's `time.ParseDuration` reads it: only 0 may have no unit.
pub(super) fn is_go_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut parts = 0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let is_number = number.bytes().any(|byte| byte.is_ascii_digit()) && number.matches('.').count() <= 1;
        let unit = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"].into_iter().find(|unit| {
            let next = after.strip_prefix(unit);
            next.is_some_and(|next| next.is_empty() || next.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        });
        let Some(unit) = unit.filter(|_| is_number) else { return false };
        rest = after.get(unit.len()..).unwrap_or_default();
        parts += 1;
    }
    parts > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_standards() {
        for (text, want) in [("2020-02-29", true), ("2021-02-29", false), ("2020-1-01", false), ("১২৩৪-01-01", false)]
        {
            assert_eq!(is_date(text), want, "{text}");
        }
        for (text, want) in [
            ("23:59:60Z", true),
            ("22:59:60Z", false),
            ("01:29:60+01:30", true),
            ("12:00:00", false),
            ("12:00:00.Z", false),
            ("24:00:00Z", false),
        ] {
            assert_eq!(is_time(text), want, "{text}");
        }
        for (text, want) in
            [("P4DT12H30M5S", true), ("P2W", true), ("PT", false), ("P1Y2D", false), ("P1D2H", false), ("P1YT", false)]
        {
            assert_eq!(is_duration(text), want, "{text}");
        }
    }
}

//! Points in time and lengths of time, as Go reads and writes them.

use std::fmt;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The first and the last second of the years 1 to 9999.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Its nanoseconds.
    pub nanoseconds: i64,
}

/// A point in time, and the time zone it was written in.
#[derive(Debug, Clone, Copy)]
pub struct Timestamp {
    /// Seconds since 1970.
    seconds: i64,
    /// Nanoseconds of the second.
    nanoseconds: u32,
    /// How many seconds local time is ahead of UTC.
    offset: i32,
}

/// Date and time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// The day of the year, from 0.
    pub day_of_year: i64,
    /// The day of the week, from Sunday, 0.
    pub day_of_week: i64,
    /// The hour.
    pub hour: i64,
    /// The minute.
    pub minute: i64,
    /// The second.
    pub second: i64,
}

const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

impl Span {
    /// Reads `1h30m`, `-1.5s`, `0`.
    pub fn parse(text: &str) -> Option<Span> {
        let (negative, mut rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if rest == "0" {
            return Some(Span { nanoseconds: 0 });
        }
        if rest.is_empty() {
            return None;
        }
        let mut total: i128 = 0;
        while !rest.is_empty() {
            let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|end| *end > 0)?;
            let (number, behind) = rest.split_at(number);
            let unit = behind.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(behind.len());
            let (unit, behind) = behind.split_at(unit);
            let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
                return None;
            }
            let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
            total = total.checked_add(whole.checked_mul(*unit)?)?.checked_add(part(fraction, *unit))?;
            if total > i128::from(i64::MAX) + 1 {
                return None;
            }
            rest = behind;
        }
        i64::try_from(if negative { -total } else { total }).ok().map(|nanoseconds| Span { nanoseconds })
    }

    /// Its seconds with a fraction.
    pub fn to_seconds(self) -> String {
        let (sign, all) = (if self.nanoseconds < 0 { "-" } else { "" }, self.nanoseconds.unsigned_abs());
        let fraction = format!("{:09}", all % 1_000_000_000);
        match fraction.trim_end_matches('0') {
            "" => format!("{sign}{}s", all / 1_000_000_000),
            fraction => format!("{sign}{}.{fraction}s", all / 1_000_000_000),
        }
    }

    /// The sum, if it is in range.
    pub fn plus(self, other: Span) -> Option<Span> {
        self.nanoseconds.checked_add(other.nanoseconds).map(|nanoseconds| Span { nanoseconds })
    }

    /// The difference, if it is in range.
    pub fn minus(self, other: Span) -> Option<Span> {
        self.nanoseconds.checked_sub(other.nanoseconds).map(|nanoseconds| Span { nanoseconds })
    }
}

/// The part of a unit that these digits after the decimal point are.
fn part(fraction: &str, unit: i128) -> i128 {
    let digits = fraction.get(..fraction.len().min(18)).unwrap_or_default();
    let value: i128 = digits.parse().unwrap_or(0);
    let scale = u32::try_from(digits.len()).map_or(1, |digits| 10i128.pow(digits));
    value * unit / scale
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The days of a month, from 1.
pub fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to a date. A year begins in March here, so that the leap day is its last.
pub fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

/// The date this many days after 1 January 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// Seconds since 1970, as the date and time of day they are in UTC.
pub fn civil(seconds: i64) -> Civil {
    let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, day) = date_of(days);
    Civil {
        year,
        month,
        day,
        day_of_year: days - days_since_1970(year, 1, 1),
        day_of_week: (days + 4).rem_euclid(7),
        hour: rest / 3600,
        minute: rest / 60 % 60,
        second: rest % 60,
    }
}

/// The number that `count` digits at the start of a text are, and the rest.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    let number = if number.bytes().all(|byte| byte.is_ascii_digit()) { number.parse().ok()? } else { return None };
    Some((number, rest))
}

impl Timestamp {
    /// A number of seconds after 1 January 1970, if the time is in one of the years 1 to 9999.
    pub fn new(seconds: i64, nanoseconds: u32) -> Option<Timestamp> {
        (FIRST..=LAST).contains(&seconds).then_some(Timestamp { seconds, nanoseconds, offset: 0 })
    }

    /// Reads a date: `2020-01-02`.
    pub fn parse_date(text: &str) -> Option<Timestamp> {
        Timestamp::parse(&format!("{text}T00:00:00Z")).filter(|_| text.len() == 10)
    }

    /// Reads a date and time of RFC 3339.
    pub fn parse(text: &str) -> Option<Timestamp> {
        let (year, rest) = digits(text, 4)?;
        let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
        let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
        let (hour, rest) = digits(rest.strip_prefix('T')?, 2)?;
        let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
        let (second, mut rest) = digits(rest.strip_prefix(':')?, 2)?;
        if !(1..=12).contains(&month)
            || day < 1
            || day > days_of(year, month)
            || hour > 23
            || minute > 59
            || second > 59
        {
            return None;
        }
        let mut nanoseconds = 0;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
            let (fraction, behind) = fraction.split_at(end);
            if fraction.is_empty() {
                return None;
            }
            let nine: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
            nanoseconds = nine.parse().ok()?;
            rest = behind;
        }
        let offset = if rest == "Z" { 0 } else { offset(rest).filter(|_| rest.starts_with(['+', '-']))? };
        let local = days_since_1970(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
        let timestamp = Timestamp::new(local - i64::from(offset), nanoseconds)?;
        Some(Timestamp { offset, ..timestamp })
    }

    /// Seconds since 1970 and nanoseconds: what two of them are compared by.
    pub fn instant(&self) -> (i64, u32) {
        (self.seconds, self.nanoseconds)
    }

    /// Whether it is the first moment of the year 1.
    pub fn is_zero(&self) -> bool {
        self.instant() == (FIRST, 0)
    }

    /// The time after a span, if it is in range.
    pub fn plus(self, span: Span) -> Option<Timestamp> {
        let all =
            i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds) + i128::from(span.nanoseconds);
        let seconds = i64::try_from(all.div_euclid(1_000_000_000)).ok()?;
        let nanoseconds = u32::try_from(all.rem_euclid(1_000_000_000)).ok()?;
        Some(Timestamp { offset: self.offset, ..Timestamp::new(seconds, nanoseconds)? })
    }

    /// The span since another time, if it is in range.
    pub fn since(self, other: Timestamp) -> Option<Span> {
        let seconds = i128::from(self.seconds) - i128::from(other.seconds);
        let all = seconds * 1_000_000_000 + i128::from(self.nanoseconds) - i128::from(other.nanoseconds);
        i64::try_from(all).ok().map(|nanoseconds| Span { nanoseconds })
    }

    /// Its date and time of day where local time is this many seconds ahead.
    pub fn civil(&self, offset: i32) -> Civil {
        civil(self.seconds + i64::from(offset))
    }
}

/// Reads how far local time is ahead: `+02:00`, `-02:30`, `02:00`.
fn offset(text: &str) -> Option<i32> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (hours, rest) = digits(rest, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    if !rest.is_empty() || hours > 24 || minutes > 59 {
        return None;
    }
    i32::try_from(sign * (hours * 3600 + minutes * 60)).ok()
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second, .. } = self.civil(self.offset);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let fraction = format!("{:09}", self.nanoseconds);
        match fraction.trim_end_matches('0') {
            "" => {}
            fraction => write!(f, ".{fraction}")?,
        }
        match self.offset {
            0 => f.write_str("Z"),
            offset => {
                let (sign, all) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
                write!(f, "{sign}{:02}:{:02}", all / 3600, all / 60 % 60)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Span, Timestamp, civil, offset};

    #[test]
    fn spans_are_read_and_written() {
        for (text, expected) in [
            ("1h45m47s", "6347s"),
            ("-1.5s", "-1.5s"),
            (".5ms", "0.0005s"),
            ("0", "0s"),
            ("1us1ns", "0.000001001s"),
            ("+2m", "120s"),
        ] {
            assert_eq!(Span::parse(text).map(Span::to_seconds).as_deref(), Some(expected), "{text}");
        }
        for wrong in [
            "",
            "1",
            "-",
            "s",
            "1x",
            "1.2.3s",
            ".s",
            "320000000000s",
            "1 s",
            "99999999999999999999999999999999999999999h",
        ] {
            assert_eq!(Span::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times_are_read_and_written() {
        for text in [
            "2009-02-13T23:31:30Z",
            "9999-12-31T23:59:59.999999999Z",
            "0001-01-01T00:00:00Z",
            "2000-02-29T12:00:00.5+05:30",
        ] {
            assert_eq!(Timestamp::parse(text).map(|time| time.to_string()).as_deref(), Some(text));
        }
        for wrong in [
            "2009-02-29T00:00:00Z",
            "2009-13-01T00:00:00Z",
            "2009-01-01T24:00:00Z",
            "0000-01-01T00:00:00Z",
            "10000-01-01T00:00:00Z",
            "2009-01-01",
            "2009-01-01T00:00:00",
            "2009-01-01T00:00:00.Z",
            "äöü",
        ] {
            assert!(Timestamp::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn dates_follow_the_calendar() {
        let of = |text: &str| Timestamp::parse(text).expect("a time").civil(0);
        let day = of("2009-02-13T23:31:30Z");
        assert_eq!((day.day_of_year, day.day_of_week, day.hour, day.minute, day.second), (43, 5, 23, 31, 30));
        assert_eq!(of("2000-12-31T00:00:00Z").day_of_year, 365);
        assert_eq!(civil(0).day_of_week, 4);
        let first = Timestamp::parse("0001-01-01T00:00:00Z").expect("a time");
        assert!(first.is_zero() && first.plus(Span { nanoseconds: -1 }).is_none());
        assert_eq!(
            [offset("+02:00"), offset("-02:30"), offset("2:00"), offset("x")],
            [Some(7200), Some(-9000), None, None]
        );
    }
}

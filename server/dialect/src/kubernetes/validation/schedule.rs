//! Schedules of `CronJob`, as the library of the server reads them.

use lofting_cel::time;
use std::fmt;

struct Part {
    name: &'static str,
    least: u32,
    most: u32,
    words: &'static [&'static str],
}

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: &[&str] = &["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const PARTS: [Part; 5] = [
    Part { name: "minute", least: 0, most: 59, words: &[] },
    Part { name: "hour", least: 0, most: 23, words: &[] },
    Part { name: "day of the month", least: 1, most: 31, words: &[] },
    Part { name: "month", least: 1, most: 12, words: MONTHS },
    Part { name: "day of the week", least: 0, most: 6, words: DAYS },
];

const NAMED: [&str; 7] = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Why a schedule cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable<'s> {
    /// It names a time zone.
    Zone,
    /// What follows `@every` is not a duration.
    Period(&'s str),
    /// No schedule has this name.
    Name(&'s str),
    /// It has another number of parts.
    Count(usize),
    /// A part is wrong.
    Part(&'s str, usize),
}

impl fmt::Display for Unreadable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Zone => write!(f, "a schedule cannot have a time zone: it belongs into `timeZone`"),
            Unreadable::Period(period) => write!(f, "`{period}` is not a duration such as `1h30m`"),
            Unreadable::Name(name) => {
                let known = NAMED.map(|name| format!("`{name}`")).join(", ");
                write!(
                    f,
                    "`{name}` is not a schedule: it should be one of {known}, `@every` and a duration, or five parts"
                )
            }
            Unreadable::Count(count) => write!(
                f,
                "a schedule has five parts (minute, hour, day of the month, month, day of the week), but this has {count}"
            ),
            Unreadable::Part(text, number) => {
                let Some(Part { name, least, most, .. }) = PARTS.get(*number) else { return Ok(()) };
                write!(
                    f,
                    "`{text}` cannot be the {name}: it should be made of numbers from {least} to {most}, such as `{least}`, \
                     `{least}-{most}` or `*/2`"
                )
            }
        }
    }
}

impl std::error::Error for Unreadable<'_> {}

/// Whether a schedule can be read.
pub(super) fn check(schedule: &str) -> Result<(), Unreadable<'_>> {
    if schedule.contains("TZ") {
        return Err(Unreadable::Zone);
    }
    if let Some(period) = schedule.strip_prefix("@every ") {
        let is_duration = time::Span::parse(period).is_some();
        return if is_duration { Ok(()) } else { Err(Unreadable::Period(period)) };
    }
    if schedule.starts_with('@') {
        return if NAMED.contains(&schedule) { Ok(()) } else { Err(Unreadable::Name(schedule)) };
    }
    let written: Vec<&str> = schedule.split_whitespace().collect();
    if written.len() != PARTS.len() {
        return Err(Unreadable::Count(written.len()));
    }
    let is_wrong =
        |(text, part): (&&str, &Part)| !text.split(',').filter(|one| !one.is_empty()).all(|one| part.reads(one));
    match written.iter().zip(&PARTS).position(is_wrong) {
        Some(number) => Err(Unreadable::Part(written.get(number).copied().unwrap_or_default(), number)),
        None => Ok(()),
    }
}

impl Part {
    /// Whether one of the ranges of a part can be read: `5`, `1-5`, `*/2`, `mon-fri`.
    fn reads(&self, text: &str) -> bool {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(step)),
            None => (text, None),
        };
        let has_step = step.is_none_or(|step| step.parse::<u32>().is_ok_and(|step| step > 0));
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (first, Some(last)),
            None => (range, None),
        };
        if matches!(first, "*" | "?") {
            return has_step && last.is_none_or(|last| !last.contains('-'));
        }
        let bounds = self.number(first).zip(last.map_or_else(|| self.number(first), |last| self.number(last)));
        let fits = bounds.is_some_and(|(first, last)| self.least <= first && first <= last && last <= self.most);
        fits && has_step
    }

    fn number(&self, text: &str) -> Option<u32> {
        let word = text.to_lowercase();
        let place = self.words.iter().position(|known| *known == word);
        place.and_then(|place| u32::try_from(place).ok()).map(|place| place + self.least).or_else(|| text.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn schedules_are_read_as_by_the_server() {
        for right in [
            "* * * * *",
            "*/5 0-6 1,15 JAN-mar mon-FRI",
            "0 0 ? * 0",
            "5/15 * * * *",
            " 0  0 * * * ",
            "@daily",
            "@every 1h30m",
            "0 0 31 2 *",
            "1,,2 * * * *",
        ] {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for wrong in [
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 7",
            "5-1 * * * *",
            "*/0 * * * *",
            "-1 * * * *",
            "a * * * *",
            "1-2-3 * * * *",
            "*/2/3 * * * *",
            "@sometimes",
            "@every day",
            "TZ=UTC * * * * *",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}

//! The time that packages carry: that of the commit, so that two builds are equal.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::shell;

/// Seconds since 1970: `SOURCE_DATE_EPOCH`, else the time of the commit.
pub fn of_source() -> u64 {
    let named = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let committed = || {
        let said = shell::quiet(&mut shell::program("git", &["log", "-1", "--format=%ct"], ".")).ok()?;
        said.trim().parse().ok()
    };
    // ZIP archives have no earlier year than 1980.
    named.or_else(committed).unwrap_or(0).max(315_532_800)
}

/// The day in UTC, such as `2026-11-26`.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Moment::of(now).iso().chars().take(10).collect()
}

/// A moment in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    /// 0 is Sunday.
    weekday: u8,
}

const DAY: u64 = 24 * 60 * 60;
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[allow(clippy::cast_possible_truncation, reason = "each part is within its bound")]
impl Moment {
    pub fn of(seconds: u64) -> Moment {
        let days = seconds / DAY;
        let rest = seconds % DAY;
        // Years are counted from March, so that a leap day is the last one.
        let z = days + 719_468;
        let (era, of_era) = (z / 146_097, z % 146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        Moment {
            year: year as u16,
            month: month as u8,
            day: day as u8,
            hour: (rest / 3600) as u8,
            minute: (rest / 60 % 60) as u8,
            second: (rest % 60) as u8,
            weekday: ((days + 4) % 7) as u8,
        }
    }

    /// `2026-11-26T01:41:23Z`
    pub fn iso(&self) -> String {
        let Moment { year, month, day, hour, minute, second, .. } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// `Thu, 26 Nov 2026 01:41:23 +0000`, as in mails and Debian's changelogs.
    pub fn mail(&self) -> String {
        let Moment { year, day, hour, minute, second, .. } = self;
        let weekday = WEEKDAYS[usize::from(self.weekday)];
        let month = MONTHS[usize::from(self.month) - 1];
        format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn moments() {
        for (seconds, iso, mail) in [
            (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 +0000"),
            (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_795_657_283, "2026-11-26T01:41:23Z", "Thu, 26 Nov 2026 01:41:23 +0000"),
            (4_102_444_799, "2099-12-31T23:59:59Z", "Thu, 31 Dec 2099 23:59:59 +0000"),
        ] {
            let moment = Moment::of(seconds);
            assert_eq!((moment.iso().as_str(), moment.mail().as_str()), (iso, mail));
        }
    }
}

//! The parts of points in time and of lengths of time.

use super::{Call, Row};
use crate::cost::{Failure, one};
use crate::time::{Civil, Timestamp};
use crate::value::Value;
use crate::zone;

macro_rules! part {
    ($name:literal, $run:expr) => {
        Row {
            signatures: &[
                concat!("(timestamp).", $name, "() -> int"),
                concat!("(timestamp).", $name, "(string) -> int"),
            ],
            price: one,
            run: $run,
        }
    };
    ($name:literal, $run:expr, $of_duration:expr) => {
        Row {
            signatures: &[
                concat!("(timestamp).", $name, "() -> int"),
                concat!("(timestamp).", $name, "(string) -> int"),
                concat!("(duration).", $name, "() -> int"),
            ],
            price: one,
            run: |call| match call.arguments {
                [Value::Duration(span)] => Ok(Value::Int($of_duration(span.nanoseconds))),
                _ => $run(call),
            },
        }
    };
}

pub(super) const ROWS: &[Row] = &[
    part!("getFullYear", |call| local(call, |day| day.year)),
    part!("getMonth", |call| local(call, |day| day.month - 1)),
    part!("getDate", |call| local(call, |day| day.day)),
    part!("getDayOfMonth", |call| local(call, |day| day.day - 1)),
    part!("getDayOfWeek", |call| local(call, |day| day.day_of_week)),
    part!("getDayOfYear", |call| local(call, |day| day.day_of_year)),
    part!("getHours", (|call: &mut Call<'_>| local(call, |day| day.hour)), |all: i64| all / 3_600_000_000_000),
    part!("getMinutes", (|call: &mut Call<'_>| local(call, |day| day.minute)), |all: i64| all / 60_000_000_000),
    part!("getSeconds", (|call: &mut Call<'_>| local(call, |day| day.second)), |all: i64| all / 1_000_000_000),
    part!("getMilliseconds", milliseconds, |all: i64| all / 1_000_000 % 1000),
];

fn local(call: &Call<'_>, part: fn(&Civil) -> i64) -> Result<Value, Failure> {
    let (time, zone) = match call.arguments {
        [Value::Timestamp(time)] => (time, None),
        [Value::Timestamp(time), Value::Text(zone)] => (time, Some(zone)),
        _ => return Err(call.refused()),
    };
    let offset = zone.map_or(Ok(0), |zone| ahead(zone, time))?;
    Ok(Value::Int(part(&time.civil(offset))))
}

/// How many seconds local time in a zone is ahead of UTC.
fn ahead(zone: &str, time: &Timestamp) -> Result<i32, Failure> {
    let known = match zone.split_once(':') {
        Some((hours, minutes)) => fixed(hours, minutes),
        None if zone.is_empty() => Some(0),
        // That of the server.
        None if zone == "Local" => {
            return Err(Failure::Unknown("the time zone of the server is not known here".into()));
        }
        None => zone::ahead(zone, time),
    };
    known.ok_or_else(|| format!("there is no time zone `{}`", zone.chars().take(100).collect::<String>()).into())
}

/// The seconds of hours and minutes, the sign of which is that of the hours.
fn fixed(hours: &str, minutes: &str) -> Option<i32> {
    let (own, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let minutes = if hours.starts_with('-') { minutes.checked_neg()? } else { minutes };
    own.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)
}

fn milliseconds(call: &mut Call<'_>) -> Result<Value, Failure> {
    // An unknown time zone is an error here, too.
    local(call, |_| 0)?;
    let Some(Value::Timestamp(time)) = call.arguments.first() else { return Err(call.refused()) };
    Ok(Value::Int(i64::from(time.instant().1 / 1_000_000)))
}

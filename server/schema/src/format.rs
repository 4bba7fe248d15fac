//! Named formats of text: which texts are of one.
//!
//! The names are those that ytt's design proposals and JSON Schema share, with the readings of the proposals where both
//! leave it open.

use email_address::{EmailAddress, Options};
use iri_string::types::UriStr;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The formats there are.
pub const NAMES: [&str; 12] =
    ["date-time", "time", "date", "email", "hostname", "ip", "ipv4", "ipv6", "uri", "port", "percent", "duration"];

/// Whether a text is of a format; none: there is no such format.
pub fn fits(name: &str, text: &str) -> Option<bool> {
    Some(match name {
        "date-time" => is_date_time(text),
        "time" => is_time(text),
        "date" => is_date(text),
        "email" => EmailAddress::parse_with_options(text, Options::default().without_display_text()).is_ok(),
        "hostname" => is_hostname(text),
        "ip" => is_ipv4(text) || is_ipv6(text),
        "ipv4" => is_ipv4(text),
        "ipv6" => is_ipv6(text),
        "uri" => UriStr::new(text).is_ok(),
        "port" => is_digits(text) && text.parse().is_ok_and(is_port),
        "percent" => text.strip_suffix('%').is_some_and(is_digits),
        "duration" => is_duration(text),
        _ => return None,
    })
}

/// The same for an integer, of which only a port is told; none: the format says nothing about integers.
pub fn fits_integer(name: &str, number: i128) -> Option<bool> {
    (name == "port").then(|| is_port(number))
}

/// What a text of a format is, in words.
pub fn words(name: &str) -> Option<&'static str> {
    Some(match name {
        "date-time" => "a date and time with offset, like 2018-11-13T20:20:39+00:00",
        "time" => "a time with offset, like 20:20:39Z",
        "date" => "a date, like 2018-11-13",
        "email" => "an e-mail address",
        "hostname" => "a host name",
        "ip" => "an IPv4 or IPv6 address",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" => "a URI with its scheme",
        "port" => "a port, 0 to 65535",
        "percent" => "a percentage, like 10%",
        "duration" => "a duration, like 1h30m",
        _ => return None,
    })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_port(number: i128) -> bool {
    (0..=65535).contains(&number)
}

fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// RFC 1123: labels of letters, digits and inner hyphens.
fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

/// RFC 3339, section 5.6.
fn is_date_time(text: &str) -> bool {
    let parts = text.split_once(['T', 't', ' ']);
    parts.is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// A number of exactly so many digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    text.parse().ok().filter(|_| text.len() == digits && is_digits(text))
}

fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let mut read = || Some((number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?));
    let Some((year, month, day)) = read() else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let Some(at) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, offset) = text.split_at(at);
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, rest)| (clock, Some(rest)));
    let mut parts = clock.splitn(3, ':');
    let mut read = || Some((number(parts.next()?, 2)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?));
    let Some((hour, minute, second)) = read() else { return false };
    // A minute may have a leap second.
    let clock = hour < 24 && minute < 60 && second <= 60;
    clock && fraction.is_none_or(is_digits) && is_offset(offset)
}

fn is_offset(text: &str) -> bool {
    let Some((hour, minute)) = text.get(1..).and_then(|rest| rest.split_once(':')) else {
        return text.eq_ignore_ascii_case("z");
    };
    number(hour, 2).is_some_and(|hour| hour < 24) && number(minute, 2).is_some_and(|minute| minute < 60)
}

/// As Go's `time.ParseDuration` reads it, of which a number without unit may only be 0.
fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut parts = 0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let is_number = number.bytes().any(|byte| byte.is_ascii_digit()) && number.matches('.').count() <= 1;
        let unit = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"].into_iter().find(|unit| {
            let next = behind.strip_prefix(unit);
            next.is_some_and(|next| next.is_empty() || next.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        });
        let Some(unit) = unit.filter(|_| is_number) else { return false };
        rest = behind.get(unit.len()..).unwrap_or_default();
        parts += 1;
    }
    parts > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (name, yes, no) in [
            ("date-time", &["2018-11-13T20:20:39+00:00", "2018-11-13t20:20:39.5z"][..], &["2018-11-13T20:20:39"][..]),
            ("time", &["20:20:39Z", "23:59:60+01:30"], &["20:20Z", "24:00:00Z", "20:20:39"]),
            ("date", &["2018-11-13", "2020-02-29"], &["2019-02-29", "2018-13-01", "18-11-13"]),
            ("email", &["a@b.example"], &["a", "A <a@b.example>", "a b@c"]),
            ("hostname", &["a.b-c.example", "1a"], &["a_b", "-a", "a.", "*.a"]),
            ("ipv4", &["10.0.0.1"], &["10.0.0.01", "10.0.0", "::1"]),
            ("ipv6", &["::1", "::ffff:1.2.3.4"], &["fe80::1%eth0", "[::1]", "1.2.3.4"]),
            ("ip", &["::1", "10.0.0.1"], &["x"]),
            ("uri", &["https://x", "mailto:a@b"], &["/x", "x y:z"]),
            ("port", &["0", "65535"], &["65536", "-1", "http"]),
            ("percent", &["10%"], &["10", "-1%", "1.5%", "%"]),
            ("duration", &["10h", "1h30m", "1.5s", "-5m", "0", "1m30ms"], &["10", "1d", "h", "1h 2m"]),
        ] {
            for text in yes {
                assert_eq!(fits(name, text), Some(true), "{name}: {text}");
            }
            for text in no.iter().chain(&[""]) {
                assert_eq!(fits(name, text), Some(false), "{name}: {text}");
            }
            assert!(NAMES.contains(&name) && words(name).is_some());
        }
        assert_eq!(fits("isbn", "x"), None);
        assert_eq!(fits_integer("port", 70000), Some(false));
        assert_eq!(fits_integer("date", 1), None);
    }
}

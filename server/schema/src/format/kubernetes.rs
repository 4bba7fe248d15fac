//! The formats of Kubernetes' API servers, which follow Go libraries: an email address may have a display name, a
//! duration may be `1 week`, and ISBN and card numbers are checked by their check digit.

use super::times;
use email_address::{EmailAddress, Options};
use regex::Regex;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

/// How a format is checked.
enum Reading {
    /// By a regular expression, compiled on first use.
    Matching(LazyLock<Option<Regex>>),
    /// By a function.
    Being(fn(&str) -> bool),
}

const fn matching(compile: fn() -> Option<Regex>) -> Reading {
    Reading::Matching(LazyLock::new(compile))
}

/// The formats, by their names without hyphens.
static FORMATS: [(&str, Reading); 26] = [
    ("bsonobjectid", matching(|| Regex::new("^[0-9a-fA-F]{24}$").ok())),
    ("byte", matching(|| Regex::new("^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$").ok())),
    ("cidr", Reading::Being(is_network)),
    ("creditcard", Reading::Being(is_card)),
    ("date", Reading::Being(times::is_date)),
    ("datetime", Reading::Being(is_date_time)),
    ("duration", Reading::Being(|text| times::is_go_duration(text) || is_spelled_duration(text))),
    ("email", Reading::Being(|text| EmailAddress::parse_with_options(text, Options::default()).is_ok())),
    ("hexcolor", matching(|| Regex::new("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$").ok())),
    ("hostname", Reading::Being(is_host_name)),
    ("ipv4", Reading::Being(|text| text.contains('.') && text.parse::<IpAddr>().is_ok())),
    ("ipv6", Reading::Being(|text| text.parse::<Ipv6Addr>().is_ok())),
    ("isbn", Reading::Being(|text| is_isbn_10(text) || is_isbn_13(text))),
    ("isbn10", Reading::Being(is_isbn_10)),
    ("isbn13", Reading::Being(is_isbn_13)),
    ("k8slongname", Reading::Being(|text| text.len() <= 253 && text.split('.').all(is_part_of_name))),
    ("k8sshortname", Reading::Being(|text| text.len() <= 63 && is_part_of_name(text))),
    ("mac", Reading::Being(is_hardware_address)),
    ("password", Reading::Being(|_| true)),
    ("rgbcolor", Reading::Being(is_color)),
    ("ssn", matching(|| Regex::new("^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$").ok())),
    ("uri", Reading::Being(is_uri)),
    ("uuid", Reading::Being(|text| is_uuid(text, None))),
    ("uuid3", Reading::Being(|text| is_uuid(text, Some('3')))),
    ("uuid4", Reading::Being(|text| is_uuid(text, Some('4')))),
    ("uuid5", Reading::Being(|text| is_uuid(text, Some('5')))),
];

/// Whether a text has a format; None if the format is not known.
pub(super) fn fits(name: &str, text: &str) -> Option<bool> {
    let name = name.replace('-', "");
    let (_, reading) = FORMATS.iter().find(|(known, _)| *known == name)?;
    match reading {
        Reading::Matching(pattern) => pattern.as_ref().map(|pattern| pattern.is_match(text)),
        Reading::Being(holds) => Some(holds(text)),
    }
}

/// Whether a text consists of small letters, digits and hyphens, and has no hyphen at an end.
fn is_part_of_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(is_allowed) && !text.starts_with('-') && !text.ends_with('-')
}

/// `10.0.0.0/8`
fn is_network(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let longest = match address.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    super::is_digits(length) && length.parse::<u32>().is_ok_and(|length| length <= longest)
}

/// A date and a time with offset. Leap seconds are not allowed.
fn is_date_time(text: &str) -> bool {
    static TIME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[-+][0-9]{2}:[0-9]{2})$").ok());
    let text = text.to_ascii_lowercase();
    let Some((date, time)) = text.split_once('t') else { return false };
    let Some(parts) = TIME.as_ref().and_then(|pattern| pattern.captures(time)) else { return false };
    let at_most = |part: usize, most: &str| parts.get(part).is_some_and(|part| part.as_str() <= most);
    times::is_date(date) && at_most(1, "23") && at_most(2, "59") && at_most(3, "59")
}

/// Units of durations: abbreviations that must match exactly, and a word that may continue, as in `seconds`.
const UNITS: [(&[&str], &str); 8] = [
    (&["ns"], "nano"),
    (&["us", "µs"], "micro"),
    (&["ms"], "milli"),
    (&["s"], "sec"),
    (&["m"], "min"),
    (&["h", "hr"], "hour"),
    (&["d"], "day"),
    (&["w", "wk"], "week"),
];

/// `2 days 3 hours`. At least one of several units has to be known.
fn is_spelled_duration(text: &str) -> bool {
    let mut rest = text.trim_start();
    let mut known = false;
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if unit.len() == rest.len() {
            return false;
        }
        let unit = unit.trim_start();
        let after = unit.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == 'µ');
        let name = unit.get(..unit.len() - after.len()).unwrap_or_default().to_lowercase();
        if name.is_empty() {
            return false;
        }
        known |= UNITS.iter().any(|(short, long)| short.contains(&name.as_str()) || name.starts_with(long));
        rest = after.trim_start();
    }
    known
}

/// A single label has at most one hyphen; the last of several labels has at least two letters. Letters and symbols of
/// any script are allowed.
fn is_host_name(text: &str) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[a-zA-Z0-9\p{S}\p{L}]$").ok());
    let is_letter = |c: char| LETTER.as_ref().is_some_and(|letter| letter.is_match(c.encode_utf8(&mut [0; 4])));
    let labels: Vec<&str> = text.split('.').collect();
    if text.len() > 255 || labels.iter().any(|label| label.len() > 63 || !label.starts_with(is_letter)) {
        return false;
    }
    let is_label = |label: &str| label.ends_with(is_letter) && label.chars().all(|c| c == '-' || is_letter(c));
    match labels.split_last() {
        Some((only, [])) => {
            let rest = only.chars().skip(1).collect::<String>();
            rest.strip_prefix('-').unwrap_or(&rest).chars().all(is_letter)
        }
        Some((last, others)) => {
            others.iter().all(|label| is_label(label))
                && is_label(last)
                && !last.contains("--")
                && last.chars().filter(|c| *c != '-').count() > 1
        }
        None => false,
    }
}

/// The digits of a number that may contain blanks and hyphens; None if it contains anything else.
fn digits(text: &str) -> Option<Vec<u32>> {
    let own = text.chars().filter(|c| !c.is_ascii_whitespace() && *c != '-');
    own.map(|c| c.to_digit(10)).collect()
}

fn is_isbn_10(text: &str) -> bool {
    // The check digit may be ten, written as X.
    let (text, ten) = match text.strip_suffix('X') {
        Some(text) => (text, Some(10)),
        None => (text, None),
    };
    let Some(mut digits) = digits(text) else { return false };
    digits.extend(ten);
    let weighted = digits.iter().zip(1..).map(|(digit, place)| digit * place);
    digits.len() == 10 && weighted.sum::<u32>().is_multiple_of(11)
}

fn is_isbn_13(text: &str) -> bool {
    let Some(digits) = digits(text) else { return false };
    let weighted = digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight);
    digits.len() == 13 && weighted.sum::<u32>().is_multiple_of(10)
}

fn is_card(text: &str) -> bool {
    static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let first_digits = [
            "4[0-9]{12}([0-9]{3})?",
            "5[1-5][0-9]{14}",
            "(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}",
            "6(011|5[0-9]{2})[0-9]{12}",
            "3[47][0-9]{13}",
            "3(0[0-5]|[68][0-9])[0-9]{11}",
            "(2131|1800|35[0-9]{3})[0-9]{11}",
            "6[27][0-9]{14}",
        ];
        Regex::new(&format!("^({})$", first_digits.join("|"))).ok()
    });
    let number: String = text.chars().filter(char::is_ascii_digit).collect();
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let digits = number.chars().rev().filter_map(|c| c.to_digit(10)).enumerate();
    let sum: u32 = digits.map(|(place, digit)| if place % 2 == 1 { doubled(digit) } else { digit }).sum();
    sum.is_multiple_of(10) && NUMBERS.as_ref().is_some_and(|numbers| numbers.is_match(&number))
}

/// Six, eight or twenty bytes, in pairs of digits or in groups of four between dots.
fn is_hardware_address(text: &str) -> bool {
    let (sign, length) = match text.chars().find(|c| !c.is_ascii_hexdigit()) {
        Some(sign @ (':' | '-')) => (sign, 2),
        Some('.') => ('.', 4),
        _ => return false,
    };
    let mut groups = text.split(sign);
    let count = text.split(sign).count() * length / 2;
    [6, 8, 20].contains(&count)
        && groups.all(|group| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// `rgb(0, 127, 255)`
fn is_color(text: &str) -> bool {
    let parts = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let Some(parts) = parts else { return false };
    let is_part = |part: &str| {
        let part = part.trim_matches(|c: char| c.is_ascii_whitespace());
        super::is_digits(part) && part.parse::<u8>().is_ok() && (part == "0" || !part.starts_with('0'))
    };
    parts.split(',').count() == 3 && parts.split(',').all(is_part)
}

/// A URI that a request can be sent to: an absolute path, or anything with a scheme.
fn is_uri(text: &str) -> bool {
    if text.chars().any(|c| c.is_ascii_control()) {
        return false;
    }
    let is_in_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let after = text.split_once(':').filter(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_in_scheme)
    });
    let Some((_, after)) = after else { return text == "*" || text.starts_with('/') && escapes_are_whole(text) };
    let Some(authority) = after.strip_prefix("//") else {
        return !after.starts_with('/') || escapes_are_whole(after);
    };
    let path = authority.find(['/', '?']).unwrap_or(authority.len());
    let (authority, path) = authority.split_at(path);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let port = host.rsplit(']').next().unwrap_or_default().split_once(':').map_or("", |(_, port)| port);
    let is_refused = |c: char| matches!(c, ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}');
    !host.contains(is_refused)
        && host.starts_with('[') == host.contains(']')
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && escapes_are_whole(path)
}

/// Whether each `%` before the query is followed by two digits.
fn escapes_are_whole(text: &str) -> bool {
    let path = text.split('?').next().unwrap_or_default();
    path.split('%').skip(1).all(|rest| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2)
}

/// A UUID, with or without hyphens, of the given version.
fn is_uuid(text: &str, version: Option<char>) -> bool {
    static UUID: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?([0-9a-f])[0-9a-f]{3}-?([0-9a-f])[0-9a-f]{3}-?[0-9a-f]{12}$").ok()
    });
    let Some(parts) = UUID.as_ref().and_then(|pattern| pattern.captures(text)) else { return false };
    let digit = |part: usize| parts.get(part).and_then(|part| part.as_str().chars().next()).unwrap_or_default();
    let variant = digit(2).to_ascii_lowercase();
    version.is_none_or(|version| digit(1) == version && (version == '3' || matches!(variant, '8' | '9' | 'a' | 'b')))
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn formats_are_read_as_an_api_server_does() {
        for (name, yes, no) in [
            ("bsonobjectid", &["507f1f77bcf86cd799439011"][..], &["507f", ""][..]),
            ("byte", &["aGVsbG8=", "YQ==", "YWJj", ""], &["a", "a_b=", "="]),
            ("cidr", &["10.0.0.0/8", "::/0"], &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "x/8"]),
            ("creditcard", &["4111 1111 1111 1111", "371449635398431"], &["4111111111111112", "1", ""]),
            ("date", &["2020-02-29"], &["2021-02-29", "2020-2-9"]),
            (
                "date-time",
                &["2020-01-02T03:04:05Z", "2020-01-02t03:04:05.5+01:00"],
                &["yesterday", "2020-01-02T03:04:60Z"],
            ),
            ("datetime", &["2020-01-02T03:04:05Z"], &["2020-01-02 03:04:05Z", "2020-01-02T24:00:00Z"]),
            ("duration", &["10h", "1 week", "2 days 3 hours", "1.5s", "3 Min"], &["10", "soon", "1 year", ""]),
            ("email", &["x@y.org", "A B <a@b.org>"], &["nope", "a b@c"]),
            ("hexcolor", &["#fff", "00ff00"], &["#ff", "red"]),
            (
                "hostname",
                &["a", "a-b", "a.example", "1.example.org", "bücher.example"],
                &["a_b", "-a", "a.b", "*.a", ""],
            ),
            ("ipv4", &["1.2.3.4", "::ffff:1.2.3.4"], &["1.2.3", "01.2.3.4", "::1"]),
            ("ipv6", &["::1", "::ffff:1.2.3.4"], &["1.2.3.4", "[::1]"]),
            ("isbn", &["0-306-40615-2", "978-0-306-40615-7", "080442957X"], &["0306406153", "9780306406158", "x"]),
            ("isbn10", &["0306406152"], &["9780306406157"]),
            ("isbn13", &["9780306406157"], &["0306406152"]),
            ("k8s-long-name", &["a", "a.b-c.1"], &["A.b", "a..b", ".", "-a.b", ""]),
            ("k8s-short-name", &["a", "1-a"], &["A", "a.b", "a-", ""]),
            ("mac", &["00:00:5e:00:53:01", "00-00-5E-00-53-01", "0000.5e00.5301"], &["00:00:5e", "0000.5e00", ""]),
            ("password", &["", "x"], &[]),
            ("rgbcolor", &["rgb(0, 127, 255)"], &["rgb(0, 0, 256)", "rgb(00,0,0)", "red"]),
            ("ssn", &["123-45-6789", "123 45 6789"], &["123456789", "123-45-678"]),
            (
                "uri",
                &["https://x/y?z", "mailto:a@b", "/path", "urn:x", "urn:a%2"],
                &["x", "file:/a%2", "http://a b", "http://a:b", "/a%2", ""],
            ),
            ("uuid", &["123E4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"], &["123e4567", ""]),
            ("uuid3", &["6fa459ea-ee8a-3ca4-894e-db77e160355e"], &["6fa459ea-ee8a-4ca4-894e-db77e160355e"]),
            ("uuid4", &["f47ac10b-58cc-4372-a567-0e02b2c3d479"], &["f47ac10b-58cc-4372-c567-0e02b2c3d479"]),
            ("uuid5", &["886313e1-3b8a-5372-9b90-0c9aee199e5d"], &["886313e1-3b8a-4372-9b90-0c9aee199e5d"]),
        ] {
            for text in yes {
                assert_eq!(fits(name, text), Some(true), "{name}: {text}");
            }
            for text in no {
                assert_eq!(fits(name, text), Some(false), "{name}: {text}");
            }
        }
        assert_eq!(fits("int32", "x"), None);
    }
}

//! Named formats of strings.
//!
//! JSON Schema and ytt's design proposals share most names and meanings. Where the proposals differ from the standards
//! of JSON Schema, the difference is in one place: [`of_proposals`].

mod hosts;
mod kubernetes;
mod times;

use crate::semantics::Formats;
use crate::{Pattern, PatternDialect};
use email_address::{EmailAddress, Options};
use iri_string::template::UriTemplateStr;
use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr, UriStr};
use std::net::{Ipv4Addr, Ipv6Addr};

/// The formats of ytt's design proposals.
pub const PROPOSED: [&str; 12] =
    ["date-time", "time", "date", "email", "hostname", "ip", "ipv4", "ipv6", "uri", "port", "percent", "duration"];

/// Longer texts (in bytes) are not read as patterns, which may take a long time.
const LONGEST: usize = 10_000;

/// Whether a text has a format, as a language defines it; None if the language does not know or not check the format.
pub fn fits(language: Formats, name: &str, text: &str) -> Option<bool> {
    match language {
        Formats::Shown => None,
        Formats::Checked => of_json_schema(name, text),
        Formats::Proposed => of_proposals(name, text),
        // The server decodes what is in its own kinds, and that skips the ends of lines.
        Formats::Kubernetes if name == "byte" => kubernetes::fits(name, &text.replace(['\r', '\n'], "")),
        Formats::Kubernetes | Formats::CustomResources => kubernetes::fits(name, text),
    }
}

fn of_json_schema(name: &str, text: &str) -> Option<bool> {
    Some(match name {
        "date-time" => times::is_date_time(text),
        "date" => times::is_date(text),
        "time" => times::is_time(text),
        "duration" => times::is_duration(text),
        "email" => hosts::is_email(text) && text.is_ascii(),
        "idn-email" => hosts::is_email(text),
        "hostname" => hosts::is_registered_host_name(text),
        "idn-hostname" => hosts::is_international_host_name(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "uri" => UriStr::new(text).is_ok() && has_valid_port(text),
        "uri-reference" => UriReferenceStr::new(text).is_ok(),
        "iri" => IriStr::new(text).is_ok() && has_valid_port(text),
        "iri-reference" => IriReferenceStr::new(text).is_ok(),
        "uri-template" => UriTemplateStr::new(text).is_ok(),
        "uuid" => is_uuid(text),
        "regex" if text.len() > LONGEST => return None,
        "regex" => Pattern::new(text, PatternDialect::Ecma).is_valid(),
        "json-pointer" => is_pointer(text),
        "relative-json-pointer" => is_relative_pointer(text),
        _ => return None,
    })
}

/// Differences of the proposals: Go durations, a blank between date and time, a leap second in any minute, and every
/// text that could be an email address or a host name.
fn of_proposals(name: &str, text: &str) -> Option<bool> {
    Some(match name {
        "date-time" => times::is_lenient_date_time(text),
        "time" => times::is_lenient_time(text),
        "duration" => times::is_go_duration(text),
        "email" => EmailAddress::parse_with_options(text, Options::default().without_display_text()).is_ok(),
        "hostname" => hosts::is_host_name(text),
        "ip" => text.parse::<std::net::IpAddr>().is_ok(),
        "port" => is_digits(text) && text.parse().is_ok_and(is_port),
        "percent" => text.strip_suffix('%').is_some_and(is_digits),
        "date" | "ipv4" | "ipv6" | "uri" => return of_json_schema(name, text),
        _ => return None,
    })
}

/// Like [`fits`], for an integer; None for formats that do not apply to integers.
pub fn fits_integer(language: Formats, name: &str, number: i128) -> Option<bool> {
    match (language, name) {
        (Formats::Proposed, "port") => Some(is_port(number)),
        (Formats::Kubernetes, "int32") => Some(i32::try_from(number).is_ok()),
        (Formats::Kubernetes, "int64") => Some(i64::try_from(number).is_ok()),
        _ => None,
    }
}

/// What a value of a format is, in words.
pub fn words(language: Formats, name: &str) -> Option<&'static str> {
    match (language, name) {
        (Formats::Proposed, name) => of_proposal(name),
        (Formats::Kubernetes, "int32") => Some("an integer from -2147483648 to 2147483647"),
        (Formats::Kubernetes, "int64") => Some("an integer from -9223372036854775808 to 9223372036854775807"),
        _ => None,
    }
}

fn of_proposal(name: &str) -> Option<&'static str> {
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

/// Whether the port, if there is one, is a number.
fn has_valid_port(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return true };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let port = host.rsplit(']').next().unwrap_or_default().split_once(':');
    port.is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_pointer(text: &str) -> bool {
    let is_step = |step: &str| step.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    text.is_empty() || text.strip_prefix('/').is_some_and(|steps| steps.split('/').all(is_step))
}

fn is_relative_pointer(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    digits > 0 && (digits == 1 || !text.starts_with('0')) && (rest == "#" || is_pointer(rest))
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
                assert_eq!(fits(Formats::Proposed, name, text), Some(true), "{name}: {text}");
            }
            for text in no.iter().chain(&[""]) {
                assert_eq!(fits(Formats::Proposed, name, text), Some(false), "{name}: {text}");
            }
            assert!(PROPOSED.contains(&name) && words(Formats::Proposed, name).is_some());
        }
        assert_eq!(fits(Formats::Proposed, "isbn", "x"), None);
        assert_eq!(fits_integer(Formats::Proposed, "port", 70000), Some(false));
        assert_eq!(fits_integer(Formats::Proposed, "date", 1), None);
    }

    #[test]
    fn formats_of_json_schema() {
        for (name, yes, no) in [
            // A leap second is one in UTC.
            ("date-time", &["1990-12-31T15:59:60-08:00"][..], &["1990-12-31T15:59:60+08:00", "1990-12-31"][..]),
            ("date", &["2020-02-29"], &["2021-02-29"]),
            ("time", &["08:59:60+09:00"], &["08:59:60-09:00", "10:00:00"]),
            ("duration", &["P1Y2M3DT4H5M6S", "P1W", "P1D", "PT0S"], &["1h", "P", "PT", "P1S", "P1Y2W"]),
            ("email", &["a@b.example", "a@[127.0.0.1]", "a@[IPv6:::1]"], &["a", "ä@b.example", "a@[127.0.0]", "a@-b"]),
            ("idn-email", &["ä@b.example"], &["a"]),
            ("hostname", &["a.b-c", "ab--cd.r3---sn-x", "xn--4gbwdl.xn--wgbh1c"], &["ä", "a_b", "xn--X", "-a"]),
            ("idn-hostname", &["ä.example", "実例.example", "l·l"], &["", "a_b", "〮실례", "·l", "\u{375}a", "-a"]),
            ("ipv4", &["10.0.0.1"], &["::1", "10.0.0.01"]),
            ("ipv6", &["::1"], &["10.0.0.1"]),
            ("uri", &["https://x:80/y"], &["/x", "https://x:y/z", "https://ä"]),
            ("uri-reference", &["/x", "https://x"], &["\\x"]),
            ("iri", &["https://ä"], &["/x", "https://ä:y"]),
            ("iri-reference", &["/ä"], &["\\x"]),
            ("uri-template", &["/{x}"], &["/{x"]),
            (
                "uuid",
                &["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
                &["2eb8aa08-aa98-11ea-b4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"],
            ),
            ("regex", &["^a(?=b)"], &["^(a", "\\Z"]),
            ("json-pointer", &["", "/a/~0~1"], &["a", "/~2"]),
            ("relative-json-pointer", &["0", "1/a", "0#"], &["/a", "01", "-1"]),
        ] {
            for text in yes {
                assert_eq!(fits(Formats::Checked, name, text), Some(true), "{name}: {text}");
            }
            for text in no {
                assert_eq!(fits(Formats::Checked, name, text), Some(false), "{name}: {text}");
            }
            // Where formats are documentation, and where they have other names.
            assert_eq!(fits(Formats::Shown, name, "x"), None);
        }
        assert_eq!(fits(Formats::Checked, "int32", "x"), None);
        assert_eq!(fits(Formats::Checked, "ipv4", &"x".repeat(LONGEST + 1)), Some(false));
        assert_eq!(fits(Formats::Checked, "regex", &"x".repeat(LONGEST + 1)), None);
    }

    #[test]
    fn integers_of_the_api_server_have_bounds() {
        for (name, most) in [("int32", i128::from(i32::MAX)), ("int64", i128::from(i64::MAX))] {
            let fits = |number| fits_integer(Formats::Kubernetes, name, number);
            let numbers = [most, -most - 1, most + 1, -most - 2];
            assert_eq!(numbers.map(fits), [Some(true), Some(true), Some(false), Some(false)], "{name}");
            assert!(words(Formats::Kubernetes, name).is_some_and(|words| words.contains(&most.to_string())));
            assert_eq!(fits_integer(Formats::Checked, name, most + 1), None);
        }
    }

    #[test]
    fn ends_of_lines_are_ignored_in_bytes_that_the_server_decodes() {
        for text in ["YQ==\n", "YWJj\r\nYWJj", "Y\nQ=\n="] {
            assert_eq!(fits(Formats::Kubernetes, "byte", text), Some(true), "{text}");
            assert_eq!(fits(Formats::CustomResources, "byte", text), Some(false), "{text}");
        }
        for text in ["YQ== ", "YQ\n", "Y Q=="] {
            assert_eq!(fits(Formats::Kubernetes, "byte", text), Some(false), "{text}");
        }
    }
}

//! The formats of strings that JSON Schema names.

mod times;

use email_address::{EmailAddress, Options};
use iri_string::template::UriTemplateStr;
use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr, UriStr};
use lofting_schema::{Pattern, PatternDialect};
use std::net::{Ipv4Addr, Ipv6Addr};

/// Texts longer than this are of every format: nothing is looked at for long.
const LONGEST: usize = 10_000;

/// Whether a text is of a format; none for formats that are not known.
pub(crate) fn fits(format: &str, text: &str) -> Option<bool> {
    if text.len() > LONGEST {
        return None;
    }
    Some(match format {
        "date-time" => times::is_date_time(text),
        "date" => times::is_date(text),
        "time" => times::is_time(text),
        "duration" => times::is_duration(text),
        "email" => is_email(text) && text.is_ascii(),
        "idn-email" => is_email(text),
        "hostname" => is_host_name(text),
        "idn-hostname" => is_international_host_name(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "uri" => UriStr::new(text).is_ok() && has_valid_port(text),
        "uri-reference" => UriReferenceStr::new(text).is_ok(),
        "iri" => IriStr::new(text).is_ok() && has_valid_port(text),
        "iri-reference" => IriReferenceStr::new(text).is_ok(),
        "uri-template" => UriTemplateStr::new(text).is_ok(),
        "uuid" => is_uuid(text),
        "regex" => Pattern::new(text, PatternDialect::Ecma).is_valid(),
        "json-pointer" => is_pointer(text),
        "relative-json-pointer" => is_relative_pointer(text),
        _ => return None,
    })
}

fn is_email(text: &str) -> bool {
    let options = Options::default().without_display_text().with_domain_literal();
    let Ok(address) = EmailAddress::parse_with_options(text, options) else { return false };
    match address.domain().strip_prefix('[').and_then(|literal| literal.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(literal) => literal.parse::<Ipv6Addr>().is_ok(),
            None => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_international_host_name(address.domain()),
    }
}

/// RFC 1123 with the names of RFC 5890 that stand for others.
fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            && (label.get(2..4) != Some("--") || is_encoded(label))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

/// A label in Punycode that decodes to a valid one.
fn is_encoded(label: &str) -> bool {
    label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--")) && {
        let (decoded, result) = idna::domain_to_unicode(label);
        result.is_ok() && !decoded.is_ascii() && has_permitted_letters(&decoded)
    }
}

fn is_international_host_name(text: &str) -> bool {
    let uts46 = idna::uts46::Uts46::new();
    let (deny, hyphens) = (idna::AsciiDenyList::STD3, idna::uts46::Hyphens::Check);
    let (decoded, result) = uts46.to_unicode(text.as_bytes(), deny, hyphens);
    if text.is_empty() || result.is_err() || !has_permitted_letters(&decoded) || !has_permitted_letters(text) {
        return false;
    }
    let ascii = uts46.to_ascii(text.as_bytes(), deny, hyphens, idna::uts46::DnsLength::Verify);
    // Letters that are written as others have no place in a name that is looked up.
    ascii.is_ok_and(|ascii| is_host_name(&ascii))
}

/// The rules of RFC 5892 about letters that may stand beside certain others only.
fn has_permitted_letters(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_script =
        |c: char, ranges: &[(u32, u32)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(c)));
    let greek = [(0x370, 0x3FF), (0x1F00, 0x1FFF)];
    let hebrew = [(0x590, 0x5FF)];
    let japanese =
        [(0x3041, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x3005, 0x3007)];
    let arabic = letters.iter().any(|c| ('\u{660}'..='\u{669}').contains(c));
    let extended = letters.iter().any(|c| ('\u{6F0}'..='\u{6F9}').contains(c));
    let is_permitted = |(at, c): (usize, &char)| {
        let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied();
        let behind = letters.get(at + 1).copied();
        match c {
            '\u{B7}' => before == Some('l') && behind == Some('l'),
            '\u{375}' => behind.is_some_and(|c| is_script(c, &greek)),
            '\u{5F3}' | '\u{5F4}' => before.is_some_and(|c| is_script(c, &hebrew)),
            '\u{30FB}' => letters.iter().any(|c| is_script(*c, &japanese)),
            // Hangul tone marks, and letters that RFC 5892 takes out.
            '\u{302E}' | '\u{302F}' | '\u{640}' | '\u{7FA}' | '\u{3031}'..='\u{3035}' | '\u{303B}' => false,
            _ => true,
        }
    };
    !(arabic && extended) && letters.iter().enumerate().all(is_permitted)
}

/// Whether a port is a number.
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

//! Email addresses and host names, plain and international.

use email_address::{EmailAddress, Options};
use std::net::{Ipv4Addr, Ipv6Addr};

/// An email address, with letters of any language.
pub(super) fn is_email(text: &str) -> bool {
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

/// RFC 1123: labels of letters, digits and inner hyphens.
pub(super) fn is_host_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// A host name with the encoded labels of RFC 5890: a label with their prefix has to be a valid one.
pub(super) fn is_registered_host_name(text: &str) -> bool {
    let says_encoded = |label: &str| label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--"));
    is_host_name(text) && text.split('.').all(|label| !says_encoded(label) || is_encoded(label))
}

/// Whether the label is Punycode that decodes to a valid label.
fn is_encoded(label: &str) -> bool {
    let (decoded, result) = idna::domain_to_unicode(label);
    result.is_ok() && !decoded.is_ascii() && has_permitted_letters(&decoded)
}

/// A host name with letters of any language.
pub(super) fn is_international_host_name(text: &str) -> bool {
    let uts46 = idna::uts46::Uts46::new();
    let (deny, hyphens) = (idna::AsciiDenyList::STD3, idna::uts46::Hyphens::Check);
    let (decoded, result) = uts46.to_unicode(text.as_bytes(), deny, hyphens);
    if text.is_empty() || result.is_err() || !has_permitted_letters(&decoded) || !has_permitted_letters(text) {
        return false;
    }
    let ascii = uts46.to_ascii(text.as_bytes(), deny, hyphens, idna::uts46::DnsLength::Verify);
    // Names with letters that are normalised to other letters cannot be looked up.
    ascii.is_ok_and(|ascii| is_registered_host_name(&ascii))
}

/// The rules of RFC 5892 for letters that are allowed only beside certain others.
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
        let after = letters.get(at + 1).copied();
        match c {
            '\u{B7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => after.is_some_and(|c| is_script(c, &greek)),
            '\u{5F3}' | '\u{5F4}' => before.is_some_and(|c| is_script(c, &hebrew)),
            '\u{30FB}' => letters.iter().any(|c| is_script(*c, &japanese)),
            // Hangul tone marks, and letters that RFC 5892 excludes.
            '\u{302E}' | '\u{302F}' | '\u{640}' | '\u{7FA}' | '\u{3031}'..='\u{3035}' | '\u{303B}' => false,
            _ => true,
        }
    };
    !(arabic && extended) && letters.iter().enumerate().all(is_permitted)
}

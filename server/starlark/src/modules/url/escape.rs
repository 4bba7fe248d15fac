//! Percent-encoding as Go's `net/url` has it: which bytes stay as they are depends on the part of the URL.

/// The parts of a URL, by Go's `encoding`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UrlPart {
    Path,
    PathSegment,
    Host,
    /// What follows `%25` in an address of IPv6.
    Zone,
    User,
    Query,
    Fragment,
}

/// Why a text is not a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UrlFault {
    Control,
    NoScheme,
    ColonInSegment,
    NoBracket,
    Port(Vec<u8>),
    UserInfo,
    Escape(Vec<u8>),
    Host(u8),
}

impl UrlPart {
    /// Go's `shouldEscape`.
    fn escapes(self, byte: u8) -> bool {
        if byte.is_ascii_alphanumeric() || self.is_host() && b"!$&'()*+,;=:[]<>\"".contains(&byte) {
            return false;
        }
        match byte {
            b'-' | b'_' | b'.' | b'~' => false,
            b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' => match self {
                UrlPart::Path => byte == b'?',
                UrlPart::PathSegment => b"/;,?".contains(&byte),
                UrlPart::User => b"@/?:".contains(&byte),
                UrlPart::Fragment => false,
                UrlPart::Query | UrlPart::Host | UrlPart::Zone => true,
            },
            b'!' | b'(' | b')' | b'*' => self != UrlPart::Fragment,
            _ => true,
        }
    }

    fn is_host(self) -> bool {
        matches!(self, UrlPart::Host | UrlPart::Zone)
    }

    /// Whether this part may have the byte as an escape. In hosts, escapes are for what is not ASCII, and `%25` begins
    /// a zone; a zone may escape what it could have as it is, and spaces, which Windows has there.
    fn takes_escape(self, byte: u8) -> bool {
        match self {
            UrlPart::Host => byte >= 0x80 || byte == b'%',
            UrlPart::Zone => byte == b'%' || byte == b' ' || !UrlPart::Host.escapes(byte),
            _ => true,
        }
    }
}

/// Percent-encodes what this part cannot have as it is.
pub(super) fn escape(text: &[u8], part: UrlPart) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value & 15)).copied().unwrap_or(b'0');
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        if byte == b' ' && part == UrlPart::Query {
            out.push(b'+');
        } else if part.escapes(byte) {
            out.extend([b'%', digit(byte >> 4), digit(byte)]);
        } else {
            out.push(byte);
        }
    }
    out
}

/// Replaces percent-encodings by the bytes that they are, whether or not these are a character.
pub(super) fn unescape(text: &[u8], part: UrlPart) -> Result<Vec<u8>, UrlFault> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        match byte {
            b'%' => {
                let Some(value) = escaped(tail).filter(|value| part.takes_escape(*value)) else {
                    return Err(UrlFault::Escape(rest.iter().take(3).copied().collect()));
                };
                out.push(value);
                rest = tail.get(2..).unwrap_or_default();
                continue;
            }
            b'+' if part == UrlPart::Query => out.push(b' '),
            _ if part.is_host() && byte < 0x80 && part.escapes(byte) => return Err(UrlFault::Host(byte)),
            _ => out.push(byte),
        }
        rest = tail;
    }
    Ok(out)
}

/// The byte that two hexadecimal digits stand for.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// A path or fragment as the text of the URL has it: as it was written if that is a valid encoding (Go's `RawPath`),
/// otherwise an encoding of what it means.
pub(super) fn canonical(text: &[u8], part: UrlPart) -> Result<Vec<u8>, UrlFault> {
    let meant = unescape(text, part)?;
    let valid = text.iter().all(|byte| b"!$&'()*+,;=:@[]%".contains(byte) || !part.escapes(*byte));
    Ok(if valid { text.to_vec() } else { escape(&meant, part) })
}

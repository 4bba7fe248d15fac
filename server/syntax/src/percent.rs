//! URI escapes, as they occur in tags.

/// The bytes of a text after decoding `%20` and the like. A `%` that is not followed by two hexadecimal digits stands
/// for itself.
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        match hex_pair(after).filter(|_| *byte == b'%') {
            Some(decoded) => {
                bytes.push(decoded);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    bytes
}

fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let high = char::from(*bytes.first()?).to_digit(16)?;
    let low = char::from(*bytes.get(1)?).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

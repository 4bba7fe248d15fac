//! URIs of schemas: resolving references, and reading fragments.

use iri_string::types::{IriAbsoluteStr, IriReferenceStr};

/// Resolves a reference: the absolute URI without fragment, and the fragment, still encoded. A text that is not a URI
/// is used as it is, because it names a schema as well as any other.
pub(super) fn join(base: &str, reference: &str) -> (String, String) {
    let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let uri = match (path, IriReferenceStr::new(path), IriAbsoluteStr::new(base)) {
        ("", ..) => base.to_owned(),
        (_, Ok(path), Ok(base)) => path.resolve_against(base).to_string(),
        _ => path.to_owned(),
    };
    (uri, fragment.to_owned())
}

/// Text with `%41` and the like decoded. Invalid escapes, and those that would not give valid text, stay as they are.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match hex.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The steps of a JSON pointer, decoded.
pub(super) fn pointer(fragment: &str) -> Option<Vec<String>> {
    let decoded = decoded(fragment);
    let steps = match decoded.as_str() {
        "" => return Some(Vec::new()),
        text => text.strip_prefix('/')?,
    };
    Some(steps.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_joined_with_their_base() {
        for (base, reference, uri, fragment) in [
            ("http://a/b/c.json", "d.json#/x", "http://a/b/d.json", "/x"),
            ("http://a/b/c.json", "#x", "http://a/b/c.json", "x"),
            ("http://a/b/c.json", "/d", "http://a/d", ""),
            ("http://a/b/", "c/", "http://a/b/c/", ""),
            ("urn:uuid:1", "#/a", "urn:uuid:1", "/a"),
            ("file:///w/a.yaml", "./b c.yaml", "./b c.yaml", ""),
            ("file:///w/a.yaml", "../b.yaml", "file:///b.yaml", ""),
        ] {
            assert_eq!(join(base, reference), (uri.to_owned(), fragment.to_owned()), "{base} {reference}");
        }
    }

    #[test]
    fn pointers_are_decoded_in_both_ways() {
        assert_eq!(pointer("/a~1b/c~0d/%25/e%22").unwrap(), ["a/b", "c~d", "%", "e\""]);
        assert_eq!(pointer("").unwrap(), Vec::<String>::new());
        assert_eq!(pointer("anchor"), None);
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}

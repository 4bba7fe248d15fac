//! Writing XML.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::terminal;

/// Writes into memory, so that nothing can fail.
pub(crate) type Xml = Writer<Vec<u8>>;

/// A document whose root `write` writes.
pub(crate) fn document(write: impl FnOnce(&mut Xml) -> std::io::Result<()>) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let written =
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None))).and_then(|()| write(&mut xml));
    debug_assert!(written.is_ok(), "{written:?}");
    String::from_utf8_lossy(&xml.into_inner()).into_owned() + "\n"
}

/// The value of an attribute: characters that XML does not allow are escaped as for a terminal, and it is one line.
pub(crate) fn value(text: &str) -> Cow<'_, str> {
    terminal::line(text)
}

/// The text of an element.
pub(crate) fn text(text: &str) -> BytesText<'static> {
    BytesText::new(&terminal::lines(text)).into_owned()
}

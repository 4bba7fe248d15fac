//! Cuts the client's bytes into messages, and resynchronises after anything that is not a message.
//!
//! JSON has no line breaks inside strings, so `Content-Length: 12\r\n` never occurs in a message. Wherever it does,
//! a message begins; so a wrong length costs one message and not the connection.

use std::ops::Range;

use bytes::{Buf, BytesMut};

/// The maximum length of a header block (bytes). Real ones have fewer than 100.
const HEADER: usize = 8 << 10;

/// The maximum length of a message (bytes). A document of the largest supported size, with every character escaped,
/// fits.
const BODY: usize = 512 << 20;

/// Bytes that are reserved for a message before they arrive.
const AHEAD: usize = 1 << 20;

/// After messages longer than this (bytes) the buffer is freed.
const LARGE: usize = 1 << 20;

/// The header that every message has, in lower case.
const LENGTH: &[u8] = b"content-length:";

/// What the bytes contain.
#[derive(Debug, PartialEq)]
pub enum Frame {
    /// The content of a message.
    Body(BytesMut),
    /// Something that is not a message, and why. It was skipped.
    Broken(&'static str),
}

/// Bytes that arrived but were not cut yet.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: BytesMut,
    state: State,
}

#[derive(Debug, Default)]
enum State {
    /// A header block is expected.
    #[default]
    Header,
    /// Everything up to the next header was already reported as broken.
    Lost,
    /// A body is expected.
    Body {
        /// Its bytes.
        length: usize,
        /// Why it cannot be read; it is skipped regularly.
        refused: Option<&'static str>,
        /// Bytes that were already searched for the beginning of another message.
        searched: usize,
    },
}

impl Frames {
    /// The buffer to which arriving bytes are appended.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// The next message among the bytes that arrived; `None` when more of them are needed.
    pub fn next(&mut self) -> Option<Frame> {
        loop {
            match self.state {
                State::Header => {
                    if let Some(broken) = self.header()? {
                        return Some(broken);
                    }
                }
                State::Lost => self.find_header()?,
                State::Body { length, refused, searched } => return self.body(length, refused, searched),
            }
        }
    }

    /// Reads a header block. `None` if it is not complete.
    fn header(&mut self) -> Option<Option<Frame>> {
        let breaks = self.buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.buffer.advance(breaks);
        let Some(end) = end_of_block(&self.buffer) else {
            return (self.buffer.len() > HEADER).then(|| Some(self.lost("the header of a message is too long", 1)));
        };
        let block = &self.buffer[..end];
        Some(match read_block(block) {
            Ok(block) => {
                self.buffer.advance(end);
                let refused = block.foreign_charset.then_some("the Content-Type names a charset other than UTF-8");
                self.state = State::Body { length: block.length, refused, searched: 0 };
                None
            }
            // A message may begin after the garbage, in what looks like the same block.
            Err(Unreadable::Garbage) => Some(self.lost("what arrived is not a header of a message", 1)),
            Err(Unreadable::Length(why)) => Some(self.lost(why, end)),
        })
    }

    /// Skips `count` bytes and whatever comes before the next header.
    fn lost(&mut self, why: &'static str, count: usize) -> Frame {
        self.buffer.advance(count);
        self.state = State::Lost;
        Frame::Broken(why)
    }

    /// Skips to the next `Content-Length`. `None` if it has not arrived.
    fn find_header(&mut self) -> Option<()> {
        match find_ignoring_case(&self.buffer, LENGTH) {
            Some(at) => {
                self.buffer.advance(at);
                self.state = State::Header;
                Some(())
            }
            None => {
                // Its first half may already be here.
                let rest = self.buffer.len().min(LENGTH.len() - 1);
                self.buffer.advance(self.buffer.len() - rest);
                None
            }
        }
    }

    fn body(&mut self, length: usize, refused: Option<&'static str>, searched: usize) -> Option<Frame> {
        let here = &self.buffer[..self.buffer.len().min(length)];
        let whole = find_header_line(here, searched);
        // No message ends with half a header either.
        let end = whole.or_else(|| half_header(here).filter(|_| here.len() == length)).unwrap_or(length);
        if self.buffer.len() < end {
            // The bytes so far may end within a header line.
            let searched = self.buffer.len().saturating_sub(LINE);
            self.state = State::Body { length, refused, searched };
            // A length is only announced: what it takes is reserved as the text arrives.
            self.buffer.reserve((end - self.buffer.len()).min(AHEAD));
            return None;
        }
        self.state = State::Header;
        let body = self.buffer.split_to(end);
        if end > LARGE && self.buffer.len() <= end {
            // The following bytes would be read into the large buffer of this message, which would be kept forever.
            self.buffer = BytesMut::from(&self.buffer[..]);
        }
        Some(match refused {
            Some(why) => Frame::Broken(why),
            None => Frame::Body(body),
        })
    }
}

/// A valid header block.
struct Block {
    length: usize,
    foreign_charset: bool,
}

enum Unreadable {
    /// There are lines that are not headers.
    Garbage,
    /// The length is missing or invalid.
    Length(&'static str),
}

fn read_block(block: &[u8]) -> Result<Block, Unreadable> {
    let (mut length, mut foreign_charset) = (None, false);
    for line in block.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return Err(Unreadable::Garbage) };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_') {
            return Err(Unreadable::Garbage);
        }
        if name.eq_ignore_ascii_case(b"content-length") {
            let this = read_length(value)?;
            if length.replace(this).is_some_and(|other| other != this) {
                return Err(Unreadable::Length("two headers Content-Length contradict each other"));
            }
        } else if name.eq_ignore_ascii_case(b"content-type") {
            foreign_charset |= is_foreign(value);
        } else if find_ignoring_case(line, LENGTH).is_some() {
            return Err(Unreadable::Garbage);
        }
    }
    let length = length.ok_or(Unreadable::Length("a message has no header Content-Length"))?;
    Ok(Block { length, foreign_charset })
}

fn read_length(value: &[u8]) -> Result<usize, Unreadable> {
    let number = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match number.map(str::parse) {
        Some(Ok(length)) if length <= BODY => Ok(length),
        Some(_) => Err(Unreadable::Length("the Content-Length of a message is too large")),
        None => Err(Unreadable::Length("the Content-Length of a message is not a number")),
    }
}

/// Whether a media type names a charset other than UTF-8, which is the default.
fn is_foreign(media_type: &[u8]) -> bool {
    let text = String::from_utf8_lossy(media_type).to_ascii_lowercase();
    let charset = text.split(';').skip(1).find_map(|part| part.trim().strip_prefix("charset="));
    charset.is_some_and(|name| !matches!(name.trim().trim_matches('"'), "utf-8" | "utf8"))
}

/// The end of a header block: after its empty line.
fn end_of_block(bytes: &[u8]) -> Option<usize> {
    let window = &bytes[..bytes.len().min(HEADER)];
    let mut line = 0;
    for (at, _) in window.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        if window[line..at].trim_ascii().is_empty() {
            return Some(at + 1);
        }
        line = at + 1;
    }
    None
}

fn find_ignoring_case(bytes: &[u8], lower: &[u8]) -> Option<usize> {
    bytes.windows(lower.len()).position(|window| window.eq_ignore_ascii_case(lower))
}

/// The longest number in a header line that is looked for: whether a message begins there must not depend on how much of it
/// has arrived.
const DIGITS: usize = 20;

/// The longest such line: name, space, number, line break.
const LINE: usize = LENGTH.len() + DIGITS + 4;

/// The first complete line `Content-Length: 12` at or after `from`; text may precede it on its line.
fn find_header_line(bytes: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    while let Some(colon) = bytes.get(from..).and_then(|rest| memchr::memmem::find(rest, b"-Length: ")) {
        let name: Range<usize> = (from + colon).saturating_sub(b"Content".len())..from + colon;
        let rest = &bytes[from + colon + b"-Length: ".len()..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let ends = rest[digits..].starts_with(b"\r\n") || rest[digits..].starts_with(b"\n");
        if (1..=DIGITS).contains(&digits) && ends && bytes[name.clone()] == *b"Content" {
            return Some(name.start);
        }
        from += colon + 1;
    }
    None
}

/// Where the first half of a header line begins that may continue after these bytes.
fn half_header(bytes: &[u8]) -> Option<usize> {
    let begins = |at: &usize| {
        let tail = &bytes[*at..];
        let name = b"Content-Length: ";
        match tail.strip_prefix(name) {
            Some(rest) => {
                let digits = rest.strip_suffix(b"\r").unwrap_or(rest);
                digits.len() <= DIGITS && digits.iter().all(u8::is_ascii_digit)
            }
            None => name.starts_with(tail),
        }
    };
    (bytes.len().saturating_sub(LINE)..bytes.len()).find(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames in `bytes`, which arrive in pieces of `size` bytes.
    fn cut(bytes: &[u8], size: usize) -> Vec<String> {
        let (mut frames, mut found) = (Frames::default(), Vec::new());
        for piece in bytes.chunks(size) {
            frames.buffer().extend_from_slice(piece);
            while let Some(frame) = frames.next() {
                found.push(match frame {
                    Frame::Body(body) => String::from_utf8_lossy(&body).into_owned(),
                    Frame::Broken(_) => "!".to_owned(),
                });
            }
        }
        found
    }

    const NEXT: &str = "Content-Length: 5\r\n\r\nagain";

    #[test]
    fn whatever_comes_before_the_next_message_is_found() {
        for (text, want) in [
            ("Content-Length: 2\r\n\r\nok", &["ok"][..]),
            ("content-length:2\r\n\r\nok", &["ok"]),
            ("CONTENT-LENGTH:   2  \n\nok", &["ok"]),
            ("\r\n\r\nContent-Length: 2\r\n\r\nok", &["ok"]),
            ("Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nok", &["ok"]),
            ("Content-Type: application/vscode-jsonrpc; charset=\"UTF8\"\r\nContent-Length: 2\r\n\r\nok", &["ok"]),
            ("Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2\r\n\r\nok", &["ok"]),
            ("X-One: 1\r\nX-Two: 2\r\nX-Three:\r\nContent-Length: 2\r\n\r\nok", &["ok"]),
            ("Content-Length: 2\r\nContent-Length: 2\r\n\r\nok", &["ok"]),
            ("Content-Length: 0\r\n\r\n", &[""]),
            ("Content-Type: x; charset=utf-16\r\nContent-Length: 2\r\n\r\nno", &["!"]),
            ("Content-Length: 2\r\nContent-Length: 3\r\n\r\nno", &["!"]),
            ("Content-Length: two\r\n\r\nno", &["!"]),
            ("Content-Length: -2\r\n\r\nno", &["!"]),
            ("Content-Length:\r\n\r\nno", &["!"]),
            ("Content-Length: 99999999999999999999999\r\n\r\nno", &["!"]),
            ("Content-Length: 99999999999\r\n\r\nno", &["!"]),
            ("Content-Type: x\r\n\r\nno", &["!"]),
            ("nothing of sense\r\n\r\nno", &["!"]),
            ("no line break at all, ", &["!"]),
            ("\u{0}\u{1}\r\n: x\r\n\r\n", &["!"]),
            // The length is too small, so that the rest is garbage; and too large, so that it reaches into the next.
            ("Content-Length: 2\r\n\r\nokno", &["ok", "!"]),
            ("Content-Length: 9\r\n\r\nok", &["ok"]),
            ("Content-Length: 500\r\n\r\nok", &["ok"]),
        ] {
            let mut want = want.to_vec();
            want.push("again");
            let bytes = format!("{text}{NEXT}");
            for size in [1, 2, 3, 7, 1000] {
                assert_eq!(cut(bytes.as_bytes(), size), want, "{bytes:?} in pieces of {size}");
            }
        }
    }

    /// A header with a number that no message has.
    #[test]
    fn the_size_of_pieces_does_not_decide_where_a_message_begins() {
        let long = format!("Content-Length: {}5\r\n\r\n", "0".repeat(60));
        for text in [format!("Content-Length: 500\r\n\r\nok{long}"), format!("Content-Length: 90\r\n\r\n{long}"), long]
        {
            let bytes = format!("{text}{NEXT}");
            let whole = cut(bytes.as_bytes(), bytes.len());
            assert_eq!(whole.last().map(String::as_str), Some("again"), "{bytes:?}");
            for size in 1..80 {
                assert_eq!(cut(bytes.as_bytes(), size), whole, "{bytes:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn a_large_message_leaves_no_room_after() {
        let mut frames = Frames::default();
        frames.buffer().extend_from_slice(format!("Content-Length: {}\r\n\r\n", 4 * LARGE).as_bytes());
        assert_eq!(frames.next(), None);
        for _ in 0..4 {
            frames.buffer().extend_from_slice(&vec![b'x'; LARGE]);
        }
        frames.buffer().extend_from_slice(&NEXT.as_bytes()[..10]);
        let Some(Frame::Body(body)) = frames.next() else { panic!("a message") };
        assert_eq!(body.len(), 4 * LARGE);
        drop(body);
        frames.buffer().extend_from_slice(&NEXT.as_bytes()[10..]);
        frames.buffer().reserve(HEADER);
        assert!(frames.buffer().capacity() < LARGE, "{}", frames.buffer().capacity());
        assert_eq!(frames.next(), Some(Frame::Body(BytesMut::from("again"))));
    }

    #[test]
    fn a_stream_without_sense_takes_no_room() {
        let mut frames = Frames::default();
        let mut broken = 0;
        for _ in 0..10_000 {
            frames.buffer().extend_from_slice(&[b'x'; 1000]);
            while frames.next().is_some() {
                broken += 1;
            }
            assert!(frames.buffer().len() <= HEADER + 1000);
        }
        assert_eq!(broken, 1, "one answer for one stretch of garbage");
        frames.buffer().extend_from_slice(NEXT.as_bytes());
        assert_eq!(frames.next(), Some(Frame::Body(BytesMut::from("again"))));
    }
}

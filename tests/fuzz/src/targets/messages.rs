//! Any bytes, arriving in any pieces, are cut into the same messages; invalid ones are refused, and the next message is
//! found.

#[path = "../../../../server/lsp/src/transport/frames.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod frames;
#[path = "../../../../server/lsp/src/transport/message.rs"]
mod message;

use frames::{Frame, Frames};
use message::{Message, decode};

use crate::measured::Target;

const LAST: &str = r#"{"jsonrpc":"2.0","id":"the last one","method":"x"}"#;

pub const TARGET: Target = Target::Bytes(run);

fn run(data: &[u8]) {
    decode(data);
    let last = format!("Content-Length: {}\r\n\r\n{LAST}", LAST.len());
    // Bytes that end inside a header would join it with the last message.
    let bytes = [data, b"\r\n\r\n\r\n", last.as_bytes()].concat();
    let whole = cut(&bytes, bytes.len());
    assert_eq!(whole.last(), Some(&decode(LAST.as_bytes())));
    for size in [1, 7, 64] {
        assert_eq!(cut(&bytes, size), whole);
    }
}

fn cut(bytes: &[u8], size: usize) -> Vec<Message> {
    let (mut frames, mut found) = (Frames::default(), Vec::new());
    for piece in bytes.chunks(size) {
        frames.buffer().extend_from_slice(piece);
        while let Some(frame) = frames.next() {
            if let Frame::Body(body) = frame {
                found.push(decode(&body));
            }
        }
    }
    found
}

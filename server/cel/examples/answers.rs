//! Reads questions about expressions as JSON on standard input, and writes the answers to standard output.

use std::io::{self, Write, stdin, stdout};

fn main() -> io::Result<()> {
    let questions = serde_json::from_reader(stdin())?;
    writeln!(stdout(), "{}", lofting_cel::debug::answers(&questions))
}

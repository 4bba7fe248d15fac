//! Standard output for messages of bytes.

use std::io::{Result, Stdout, Write};

#[cfg(not(unix))]
use crate::elsewhere::write;

/// Standard output that is written at once: Rust's own looks for line breaks, and writes what follows the last one in a
/// second call of the system.
#[derive(Debug)]
pub struct Output(Stdout);

impl Default for Output {
    fn default() -> Self {
        Output(std::io::stdout())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        write(&self.0, bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

#[cfg(unix)]
fn write(output: &Stdout, bytes: &[u8]) -> Result<usize> {
    Ok(rustix::io::write(output, bytes)?)
}

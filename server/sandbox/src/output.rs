//! Standard output for messages of bytes.

use std::io::{Result, Write};

/// Standard output that is written at once: Rust's own looks for line breaks, and writes what follows the last one in a
/// second call of the system.
#[derive(Debug)]
pub struct Output(std::io::Stdout);

impl Default for Output {
    fn default() -> Self {
        Output(std::io::stdout())
    }
}

impl Write for Output {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        Ok(rustix::io::write(&self.0, bytes)?)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

//! What a server that a test started says on stderr.

use std::fs::File;
use std::io::{Read, Seek};
use std::process::Stdio;
use std::thread;

/// The stderr of a server. It is shown like that of the test; when it is dropped, which has to happen after the server has
/// ended, the test fails if anything in the server panicked. Nothing else would tell: a server survives its panics, and an
/// answer that is missing looks like one without findings.
pub struct ServerErrors(File);

impl ServerErrors {
    /// Nothing was said yet.
    #[expect(clippy::new_without_default, reason = "it makes a file")]
    pub fn new() -> ServerErrors {
        ServerErrors(tempfile::tempfile().expect("a file for stderr"))
    }

    /// For [`std::process::Command::stderr`].
    pub fn stdio(&self) -> Stdio {
        self.0.try_clone().expect("a second handle").into()
    }

    fn text(&mut self) -> String {
        let mut bytes = Vec::new();
        self.0.rewind().and_then(|()| self.0.read_to_end(&mut bytes)).expect("stderr is a file");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for ServerErrors {
    fn drop(&mut self) {
        let text = self.text();
        eprint!("{text}");
        assert!(thread::panicking() || !text.contains("panicked"), "the server panicked: {text}");
    }
}

#[cfg(test)]
mod tests {
    use super::ServerErrors;
    use std::process::{Command, Stdio};

    fn server_that_says(text: &str) {
        let errors = ServerErrors::new();
        let mut cat = Command::new("sh");
        cat.args(["-c", "printf %s \"$1\" >&2", "sh", text]).stdin(Stdio::null()).stderr(errors.stdio());
        assert!(cat.status().expect("sh runs").success());
    }

    #[test]
    fn words_are_harmless() {
        server_that_says("ERROR the client has gone");
    }

    #[test]
    #[should_panic(expected = "the server panicked: ")]
    fn a_panic_fails_the_test() {
        server_that_says("ERROR panicked at server/lsp/src/pool.rs:1:1");
    }
}

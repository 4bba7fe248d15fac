//! Lofting in a browser: a [`Session`] gets files from its page or extension and answers questions about them.
//!
//! Questions and answers are JSON: [`Question`] and the structures of `answer` are the whole surface. Lines and characters
//! are counted from 0, characters in units of UTF-16, as JavaScript does. Nothing is fetched, and no code of a template runs,
//! because there are no processes: what only code can tell is left out, and [`Question::Findings`] says so.
//!
//! ```
//! let mut session = lofting_wasm::Session::default();
//! session.answer(r#"{"ask": "open", "file": "s.json", "text": "{\"properties\": {\"port\": {\"type\": \"integer\"}}}"}"#);
//! let text = "# yaml-language-server: $schema=s.json\\nport: \\\"80\\\"\\n";
//! session.answer(&format!(r#"{{"ask": "open", "file": "app.yml", "text": "{text}"}}"#));
//! let found = session.answer(r#"{"ask": "findings", "file": "app.yml"}"#);
//! assert!(found.contains("json-schema/type-mismatch"), "{found}");
//! ```
#![forbid(unsafe_code)]

mod answer;
#[cfg(target_family = "wasm")]
mod exports;
mod one_file;
mod question;
mod session;
#[cfg(test)]
mod tests;

pub use answer::{
    Action, Choices, Completion, FileRange, Finding, Findings, Hover, NewFile, Outline, Position, Range, Related,
    Replacement, Status,
};
pub use question::{GivenFile, Question};
pub use session::Session;

//! What type a scalar has. Filled in below.

use crate::scalar::Scalar;

/// Whose rules decide the type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// ytt: YAML 1.1 as its fork of go-yaml reads it.
    Ytt,
    /// YAML 1.2 core schema.
    Core12,
    /// JSON: `null`, `true`, `false` and JSON numbers; the rest is text.
    Json,
}

/// The typed value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolved {
    /// Null.
    Null,
    /// Truth value.
    Bool(bool),
    /// Integer.
    Int(i128),
    /// Floating point number.
    Float(f64),
    /// The text itself.
    String,
}

/// A tag that cannot apply to the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    /// The tag as written.
    pub tag: String,
    /// In plain words.
    pub message: String,
}

/// Type of an unquoted, untagged scalar.
pub fn resolve_plain(_profile: Profile, _text: &str) -> Resolved {
    Resolved::String
}

/// Type of a scalar with its tag, if it has one.
pub fn resolve(_profile: Profile, _scalar: &Scalar<'_>, _tag: Option<&str>) -> Result<Resolved, TagError> {
    Ok(Resolved::String)
}

/// Whether a string must be quoted: written plain it would be read as another type or not as
/// this text.
pub fn needs_quotes(_profile: Profile, _text: &str) -> bool {
    true
}

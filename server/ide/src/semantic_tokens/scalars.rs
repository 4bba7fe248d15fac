//! Plain scalars that are not what they look like: the grammars of editors know YAML 1.2, where `yes` and
//! `0o17` have other values in YAML 1.1.

use crate::token_kinds::SemanticKind;
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Scalar, Value, ValueKind};

/// Longer texts are not numbers or words with a meaning.
const LONGEST: usize = 40;

/// The kind of a scalar, if a grammar shows it as another one.
pub(super) fn surprising(profile: Profile, value: Value<'_>, scalar: &Scalar<'_>) -> Option<SemanticKind> {
    if profile == Profile::Core12 || value.kind() != ValueKind::Plain || value.tag().is_some() {
        return None;
    }
    let range = scalar.range();
    let text = scalar.value();
    let begins = |byte: &u8| byte.is_ascii_digit() || b"yYnNoO+-.".contains(byte);
    if range.len() > LONGEST || !text.as_bytes().first().is_some_and(begins) {
        return None;
    }
    let here = kind(resolve(profile, scalar, None).ok()?);
    let shown = kind(resolve(Profile::Core12, scalar, None).ok()?);
    (here != shown).then_some(here)
}

fn kind(value: Resolved) -> SemanticKind {
    match value {
        Resolved::Null | Resolved::Bool(_) => SemanticKind::Keyword,
        Resolved::Int(_) | Resolved::Float(_) => SemanticKind::Number,
        Resolved::String => SemanticKind::String,
    }
}

//! Renames a document: in itself, and wherever others refer to it.

use super::{Refusal, Renameable, Renamed};
use crate::named::Named;

/// What is renamed; an error says why that is not possible.
pub(super) fn prepare(named: Named) -> Result<Renameable, Refusal> {
    match named.refuses(&named.name) {
        Some(reason) if named.declared.is_empty() => Err(Refusal(reason)),
        _ => Ok(Renameable { range: named.origin, name: named.name }),
    }
}

/// The edits that rename it.
pub(super) fn rename(named: &Named, name: &str) -> Result<Renamed, Refusal> {
    if name == named.name {
        return Ok(Renamed::default());
    }
    match named.refuses(name) {
        Some(reason) => Err(Refusal(reason)),
        None => {
            let edits = named.places(true).into_iter().map(|span| (span, name.to_owned())).collect();
            Ok(Renamed { edits, outside: Vec::new() })
        }
    }
}

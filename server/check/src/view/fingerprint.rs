//! Fingerprints of values as they are written.

use super::{DEPTH, Kind, Scalar, View};
use crate::memo::CheckMemo;
use lofting_document::{Fingerprint, FingerprintHasher, Key};
use std::hash::Hash;

/// The fingerprint of a value; None if a part of it is unknown. `memo` knows those of unchanged collections.
pub(crate) fn fingerprint<V: View>(view: V, memo: &mut CheckMemo) -> Option<Fingerprint> {
    below(view, memo, 0)
}

fn below<V: View>(view: V, memo: &mut CheckMemo, depth: usize) -> Option<Fingerprint> {
    if depth > DEPTH {
        return None;
    }
    let shared = view.shared().map(|(green, _)| green);
    if let Some(known) = shared.and_then(|green| memo.fingerprint(green)) {
        return Some(known);
    }
    let mut hash = FingerprintHasher::default();
    match view.scalar() {
        Some(scalar) => hash_scalar(&scalar, &mut hash),
        None => hash_collection(view, memo, depth, &mut hash)?,
    }
    let made = hash.fingerprint();
    if let Some(green) = shared {
        memo.set_fingerprint(green, made);
    }
    Some(made)
}

fn hash_scalar(scalar: &Scalar, hash: &mut FingerprintHasher) {
    std::mem::discriminant(scalar).hash(hash);
    match scalar {
        Scalar::Null => {}
        Scalar::Bool(value) => value.hash(hash),
        Scalar::Int(value) => value.hash(hash),
        Scalar::Float(value) => value.to_bits().hash(hash),
        Scalar::String(text) => text.hash(hash),
    }
}

fn hash_collection<V: View>(view: V, memo: &mut CheckMemo, depth: usize, hash: &mut FingerprintHasher) -> Option<()> {
    let kind = view.kind();
    kind.hash(hash);
    match kind {
        Kind::Map => {
            for entry in view.all_entries()? {
                Key::hash(&entry.key, hash);
                below(entry.value, memo, depth + 1)?.hash(hash);
            }
        }
        Kind::Array => {
            for item in view.all_items()? {
                below(item.value, memo, depth + 1)?.hash(hash);
            }
        }
        // Broken text, code.
        _ => return None,
    }
    Some(())
}

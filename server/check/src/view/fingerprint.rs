//! Fingerprints of values as they are written.

use super::{DEPTH, Kind, Piece, Scalar, View};
use crate::memo::CheckMemo;
use lofting_document::{Fingerprint, FingerprintHasher, ItemPrints};
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

/// Hashes the items of a collection.
fn hash_collection<V: View>(view: V, memo: &mut CheckMemo, depth: usize, hash: &mut FingerprintHasher) -> Option<()> {
    view.kind().hash(hash);
    items(view, memo, depth)?.hash(hash);
    Some(())
}

/// The fingerprints of the items of a collection, or of a part of one. `memo` knows those of unchanged parts.
fn items<V: View>(view: V, memo: &mut CheckMemo, depth: usize) -> Option<ItemPrints> {
    let mut prints = ItemPrints::default();
    match view.kind() {
        Kind::Map => {
            for piece in view.all_entry_pieces()? {
                match piece {
                    Piece::One(entry) => prints.push(Some(&entry.key), below(entry.value, memo, depth + 1)?),
                    Piece::Part(part, _) => prints.append(of_part(part, memo, depth)?),
                }
            }
        }
        Kind::Array => {
            for piece in view.all_item_pieces()? {
                match piece {
                    Piece::One(item) => prints.push(None, below(item.value, memo, depth + 1)?),
                    Piece::Part(part, _) => prints.append(of_part(part, memo, depth)?),
                }
            }
        }
        // Broken text, code.
        _ => return None,
    }
    Some(prints)
}

fn of_part<V: View>(part: V, memo: &mut CheckMemo, depth: usize) -> Option<ItemPrints> {
    let shared = part.shared().map(|(green, _)| green);
    if let Some(known) = shared.and_then(|green| memo.item_prints(green)) {
        return Some(known);
    }
    let made = items(part, memo, depth)?;
    if let Some(green) = shared {
        memo.set_item_prints(green, made);
    }
    Some(made)
}

//! Fingerprints of values: equal values have equal fingerprints, wherever they are written.

use crate::{Key, Node, NodeValue};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A value's hash of 128 bits. Collisions within a workspace are not to be expected.
pub type Fingerprint = u128;

/// Computes fingerprints of the values of one tree; each collection is hashed once, even if several of its ancestors
/// are requested.
#[derive(Debug, Default)]
pub struct Fingerprints<'n> {
    /// Keyed by address, which stays valid because the nodes are borrowed.
    collections: FxHashMap<*const Node, Fingerprint>,
    borrowed: std::marker::PhantomData<&'n Node>,
}

impl<'n> Fingerprints<'n> {
    /// The fingerprint of a value. Types, keys, order and scalars count; places and annotations do not.
    pub fn of(&mut self, node: &'n Node) -> Fingerprint {
        let collection = matches!(node.value, NodeValue::Map(_) | NodeValue::Array(_));
        if let Some(known) = collection.then(|| self.collections.get(&std::ptr::from_ref(node))).flatten() {
            return *known;
        }
        let mut hash = FingerprintHasher::default();
        std::mem::discriminant(&node.value).hash(&mut hash);
        node.raw.hash(&mut hash);
        match &node.value {
            NodeValue::Null | NodeValue::Unknown => {}
            NodeValue::Bool(value) => value.hash(&mut hash),
            NodeValue::Int(value) => value.hash(&mut hash),
            NodeValue::Float(value) => value.to_bits().hash(&mut hash),
            NodeValue::String(text) => text.hash(&mut hash),
            NodeValue::Map(items) => {
                for item in items {
                    Key::hash(&item.key, &mut hash);
                    self.of(&item.value).hash(&mut hash);
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    self.of(&item.value).hash(&mut hash);
                }
            }
        }
        let fingerprint = hash.fingerprint();
        if collection {
            self.collections.insert(std::ptr::from_ref(node), fingerprint);
        }
        fingerprint
    }
}

/// Hashes data into a fingerprint, with two hashes of 64 bits: one resists chosen input, the other is fast.
#[derive(Default)]
pub struct FingerprintHasher(DefaultHasher, FxHasher);

impl FingerprintHasher {
    /// The fingerprint of everything that was written.
    pub fn fingerprint(&self) -> Fingerprint {
        u128::from(self.0.finish()) << 64 | u128::from(self.1.finish())
    }
}

impl Hasher for FingerprintHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
        self.1.write(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprints;
    use crate::{FileId, Options, lower};
    use lofting_syntax::resolve::Profile;

    fn of(text: &str) -> u128 {
        let set = lower(FileId(0), &lofting_syntax::parse(text), Profile::Ytt, Options::default());
        Fingerprints::default().of(&set.documents.last().expect("a document").value)
    }

    #[test]
    fn what_is_equal_wherever_it_is_written() {
        assert_eq!(of("a: [1, x]\n"), of("#! why\na:\n- 1\n- \"x\"\n"));
    }

    #[test]
    fn what_differs() {
        let texts = [
            "a: 1\n",
            "a: '1'\n",
            "a: 1.0\n",
            "a: true\n",
            "a:\n",
            "b: 1\n",
            "[a, 1]\n",
            "a: [1]\n",
            "a: {}\n",
            "a: []\n",
        ];
        for (index, text) in texts.iter().enumerate() {
            for other in texts.iter().skip(index + 1) {
                assert_ne!(of(text), of(other), "{text} {other}");
            }
        }
        assert_ne!(of("a: 1\nb: 2\n"), of("b: 2\na: 1\n"));
        assert_ne!(of("- [1]\n- 2\n"), of("- [1, 2]\n"));
    }
}

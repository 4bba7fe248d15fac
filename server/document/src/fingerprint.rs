//! Fingerprints of values: equal values have equal fingerprints, wherever they are written.

use crate::{Key, Node, NodeValue, Span};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::OnceLock;

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
        self.with(node, &|_| None)
    }

    /// The fingerprint of a value in which some items stand for several; `instead` knows these by the spans of their
    /// values.
    pub fn with(&mut self, node: &'n Node, instead: &dyn Fn(Span) -> Option<ItemPrints>) -> Fingerprint {
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
            NodeValue::Map(_) | NodeValue::Array(_) => self.items(node, instead).hash(&mut hash),
        }
        let fingerprint = hash.fingerprint();
        if collection {
            self.collections.insert(std::ptr::from_ref(node), fingerprint);
        }
        fingerprint
    }

    /// The fingerprints of the items of a collection, as in [`Fingerprints::with`].
    pub fn items(&mut self, node: &'n Node, instead: &dyn Fn(Span) -> Option<ItemPrints>) -> ItemPrints {
        let mut prints = ItemPrints::default();
        let mut add = |key: Option<&Key>, value: &'n Node| match instead(value.span) {
            Some(several) => prints.append(several),
            None => prints.push(key, self.with(value, instead)),
        };
        match &node.value {
            NodeValue::Map(items) => items.iter().for_each(|item| add(Some(&item.key), &item.value)),
            NodeValue::Array(items) => items.iter().for_each(|item| add(None, &item.value)),
            _ => {}
        }
        prints
    }
}

/// The fingerprints of items in their order, as polynomials of secret numbers: those of a long collection follow from
/// those of its parts, however it is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemPrints {
    sums: [u64; 2],
    /// The secret numbers to the power of how many items there are.
    powers: [u64; 2],
    count: usize,
}

/// A prime.
const MODULUS: u64 = (1 << 61) - 1;

static SECRET: OnceLock<[u64; 2]> = OnceLock::new();

impl Default for ItemPrints {
    fn default() -> Self {
        Self { sums: [0; 2], powers: [1; 2], count: 0 }
    }
}

impl ItemPrints {
    /// Adds an item.
    pub fn push(&mut self, key: Option<&Key>, value: Fingerprint) {
        let item = match key {
            None => value,
            Some(key) => {
                let mut hash = FingerprintHasher::default();
                Key::hash(key, &mut hash);
                value.hash(&mut hash);
                hash.fingerprint()
            }
        };
        let (first, second) = ((item >> 64) as u64, item as u64);
        let sums = [first % MODULUS, (first ^ second.rotate_left(32)) % MODULUS];
        let powers = *SECRET.get_or_init(|| {
            let state = RandomState::new();
            [1, 2].map(|which| state.hash_one(which) % (MODULUS - 2) + 2)
        });
        self.append(ItemPrints { sums, powers, count: 1 });
    }

    /// Adds the items of another one.
    pub fn append(&mut self, other: ItemPrints) {
        for ((sum, power), other) in self.sums.iter_mut().zip(other.powers).zip(other.sums) {
            *sum = (times(*sum, power) + other) % MODULUS;
        }
        for (own, power) in self.powers.iter_mut().zip(other.powers) {
            *own = times(*own, power);
        }
        self.count += other.count;
    }
}

/// The product of two numbers below the modulus.
fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(MODULUS)) as u64
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
    use super::{Fingerprints, ItemPrints};
    use crate::{FileId, Key, Options, lower};
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
    fn parts_give_what_the_whole_gives() {
        let of = |numbers: std::ops::Range<u128>| {
            let (mut prints, one) = (ItemPrints::default(), Key::int(1));
            numbers.for_each(|number| prints.push((number % 2 == 0).then_some(&one), number << 64 | 7));
            prints
        };
        for at in 0..=20 {
            let mut joined = of(0..at);
            joined.append(of(at..20));
            assert_eq!(joined, of(0..20), "{at}");
            assert_ne!(joined, of(0..19));
        }
        let mut turned = of(10..20);
        turned.append(of(0..10));
        assert_ne!(turned, of(0..20));
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

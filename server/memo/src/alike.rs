//! Compares two states of a tree whose parts are shared.

use std::sync::Arc;

/// A part of a tree whose states share what did not change.
pub trait Shared {
    /// How much is in it that is compared; what has nothing is left out.
    fn size(&self) -> usize;

    /// The parts that it consists of, in their order; None if it is compared itself.
    fn inside(&self) -> Option<Vec<&Arc<Self>>>;
}

/// Whether two states of a tree consist of parts that are the `same`, wherever these are. What both states share is not
/// looked into, even if it is in another group now.
pub fn are_alike<'p, P: Shared + 'p>(
    one: impl DoubleEndedIterator<Item = &'p Arc<P>>,
    other: impl DoubleEndedIterator<Item = &'p Arc<P>>,
    same: impl Fn(&P, &P) -> bool,
) -> bool {
    let (mut one, mut other): (Vec<_>, Vec<_>) = (one.rev().collect(), other.rev().collect());
    loop {
        crate::step();
        for open in [&mut one, &mut other] {
            while open.pop_if(|part| part.size() == 0).is_some() {}
        }
        let (first, second) = match (one.pop(), other.pop()) {
            (Some(first), Some(second)) => (first, second),
            (left, right) => return left.is_none() && right.is_none(),
        };
        if Arc::ptr_eq(first, second) {
            continue;
        }
        // The larger one is opened, so that both get to a part that they share.
        match (first.inside(), second.inside()) {
            (None, None) if same(first, second) => {}
            (None, None) => return false,
            (Some(inside), None) => {
                other.push(second);
                one.extend(inside.into_iter().rev());
            }
            (None, Some(inside)) => {
                one.push(first);
                other.extend(inside.into_iter().rev());
            }
            (Some(own), Some(theirs)) => {
                let (size, others) = (first.size(), second.size());
                if size >= others {
                    one.extend(own.into_iter().rev())
                } else {
                    one.push(first)
                }
                if others >= size { other.extend(theirs.into_iter().rev()) } else { other.push(second) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shared, are_alike};
    use std::cell::Cell;
    use std::sync::Arc;

    enum Part {
        Leaf(u8),
        Group(Vec<Arc<Part>>),
    }

    impl Shared for Part {
        fn size(&self) -> usize {
            match self {
                Part::Leaf(number) => usize::from(*number > 0),
                Part::Group(parts) => parts.iter().map(|part| part.size()).sum(),
            }
        }

        fn inside(&self) -> Option<Vec<&Arc<Part>>> {
            match self {
                Part::Leaf(_) => None,
                Part::Group(parts) => Some(parts.iter().collect()),
            }
        }
    }

    fn leaves(numbers: &[u8]) -> Vec<Arc<Part>> {
        numbers.iter().map(|number| Arc::new(Part::Leaf(*number))).collect()
    }

    fn group(parts: &[Arc<Part>]) -> Arc<Part> {
        Arc::new(Part::Group(parts.to_vec()))
    }

    fn compared(one: &[Arc<Part>], other: &[Arc<Part>]) -> (bool, usize) {
        let looks = Cell::new(0);
        let same = |one: &Part, other: &Part| {
            looks.set(looks.get() + 1);
            matches!((one, other), (Part::Leaf(one), Part::Leaf(other)) if one == other)
        };
        (are_alike(one.iter(), other.iter(), same), looks.get())
    }

    #[test]
    fn groups_do_not_matter() {
        let own = leaves(&[1, 2, 3, 4, 5, 6, 7]);
        let flat = own.clone();
        let grouped = [group(&own[..3]), group(&[group(&own[3..5]), own[5].clone()]), own[6].clone()];
        assert_eq!(compared(&flat, &grouped), (true, 0), "all is shared");
        let mut changed = own.clone();
        changed[4] = leaves(&[5]).remove(0);
        let regrouped = [group(&changed[..1]), group(&changed[1..6]), changed[6].clone()];
        assert_eq!(compared(&grouped, &regrouped), (true, 1), "one is compared");
        changed[4] = leaves(&[9]).remove(0);
        assert!(!compared(&grouped, &[group(&changed)]).0);
        // What has nothing to compare may be anywhere.
        let more = [leaves(&[0]).remove(0), group(&own), group(&leaves(&[0, 0]))];
        assert_eq!(compared(&more, &grouped), (true, 0));
        assert!(!compared(&grouped, &[group(&own[..6])]).0, "the last is missing");
        assert!(!compared(&[], &grouped).0);
    }
}

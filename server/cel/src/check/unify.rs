//! Which types fit which, and what types that are not known yet turn out to be.

use crate::types::{Signature, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known about open types.
#[derive(Debug, Default)]
pub(super) struct Types {
    found: Vec<Option<Type>>,
    /// What was found before, so that a failed attempt leaves no traces.
    changes: Vec<(usize, Option<Type>)>,
}

impl Types {
    /// A type that is not known yet.
    pub(super) fn open(&mut self) -> Type {
        self.found.push(None);
        Type::Open(self.found.len() - 1)
    }

    /// The types of a signature, with open types for those that may be any.
    pub(super) fn instance(&mut self, signature: &Signature) -> (Vec<Type>, Type) {
        let mut known: FxHashMap<char, Type> = FxHashMap::default();
        let mut instance = |of: &Type| {
            of.replace(&mut |part| match part {
                Type::Named(name) => Some(known.entry(*name).or_insert_with(|| self.open()).clone()),
                _ => None,
            })
        };
        let parameters = signature.parameters.iter().map(&mut instance).collect();
        (parameters, instance(&signature.result))
    }

    /// A type with what is known about its open parts.
    pub(super) fn resolved(&self, of: &Type) -> Type {
        of.replace(&mut |part| match part {
            Type::Open(id) => self.found.get(*id)?.as_ref().map(|found| self.resolved(found)),
            _ => None,
        })
    }

    /// A type in which what is not known is dynamic.
    pub(super) fn settled(&self, of: &Type) -> Type {
        self.resolved(of).replace(&mut |part| match part {
            Type::Open(_) | Type::Named(_) => Some(Type::Dyn),
            _ => None,
        })
    }

    /// Whether a value of one type is allowed where another is expected. Open types are set by this.
    pub(super) fn assign(&mut self, own: &Type, expected: &Type) -> bool {
        self.assign_all(std::slice::from_ref(own), std::slice::from_ref(expected))
    }

    /// Does so for several types at once.
    pub(super) fn assign_all(&mut self, own: &[Type], expected: &[Type]) -> bool {
        let fits =
            own.len() == expected.len() && own.iter().zip(expected).all(|(own, expected)| self.fits(own, expected));
        if !fits {
            while let Some((id, before)) = self.changes.pop() {
                if let Some(place) = self.found.get_mut(id) {
                    *place = before;
                }
            }
        }
        self.changes.clear();
        fits
    }

    fn set(&mut self, id: usize, found: Type) {
        if let Some(place) = self.found.get_mut(id) {
            self.changes.push((id, place.replace(found)));
        }
    }

    fn known(&self, id: usize) -> Option<Type> {
        self.found.get(id).cloned().flatten()
    }

    fn fits(&mut self, left: &Type, right: &Type) -> bool {
        if let Type::Open(id) = right {
            let (fits, is_known) = self.substitutes(left, *id);
            if fits || is_known {
                return fits;
            }
        }
        if let Type::Open(id) = left {
            return self.substitutes(right, *id).0;
        }
        match (left, right) {
            (Type::Dyn, _) | (_, Type::Dyn) => true,
            (Type::Null, other) | (other, Type::Null) => other.is_nullable(),
            (Type::Wrapper(own), Type::Wrapper(other)) => own == other,
            (Type::Wrapper(own), other) | (other, Type::Wrapper(own)) => **own == *other,
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(own), Type::List(other)) => self.fits(own, other),
            (Type::Map(own), Type::Map(other)) => self.fits(&own.0, &other.0) && self.fits(&own.1, &other.1),
            (Type::Opaque(own, parts), Type::Opaque(other, others)) => {
                own == other
                    && parts.len() == others.len()
                    && parts.iter().zip(others.iter()).all(|(own, other)| self.fits(own, other))
            }
            (own, other) => own == other,
        }
    }

    /// Whether an open type may be this one, and whether something was known about it.
    fn substitutes(&mut self, of: &Type, id: usize) -> (bool, bool) {
        if *of == Type::Open(id) {
            return (true, true);
        }
        let Some(known) = self.known(id) else {
            let fits = !self.occurs(id, of);
            if fits {
                self.set(id, of.clone());
            }
            return (fits, false);
        };
        if known == *of {
            return (true, true);
        }
        if !self.fits(of, &known) {
            return (false, true);
        }
        let general = more_general(of.clone(), known);
        if !self.occurs(id, &general) {
            self.set(id, general);
        }
        (true, true)
    }

    fn occurs(&self, id: usize, within: &Type) -> bool {
        match within {
            Type::Open(own) if *own == id => true,
            Type::Open(own) => self.known(*own).is_some_and(|found| self.occurs(id, &found)),
            Type::Map(parts) => self.occurs(id, &parts.0) || self.occurs(id, &parts.1),
            other => other.parameters().iter().any(|part| self.occurs(id, part)),
        }
    }
}

/// The one of two types that fit each other that says less.
pub(super) fn more_general(first: Type, second: Type) -> Type {
    if is_general(&first, &second) { first } else { second }
}

/// Whether the first type says the same or less.
fn is_general(first: &Type, second: &Type) -> bool {
    match (first, second) {
        (Type::Dyn | Type::Open(_), _) => true,
        (_, Type::Dyn | Type::Open(_)) => false,
        (Type::List(own), Type::List(other)) => is_general(own, other),
        (Type::Map(own), Type::Map(other)) => is_general(&own.0, &other.0) && is_general(&own.1, &other.1),
        (Type::Opaque(own, parts), Type::Opaque(other, others)) => {
            own == other
                && parts.len() == others.len()
                && parts.iter().zip(others.iter()).all(|(own, other)| is_general(own, other))
        }
        // Null fits what may be null, which says less.
        (Type::Null, other) => *other == Type::Null,
        (own, Type::Null) => own.is_nullable(),
        (Type::Wrapper(own), other) => own == &Arc::new(other.clone()) || first == second,
        (Type::Type(_), Type::Type(_)) => true,
        (own, other) => own == other,
    }
}

//! What the recorder refuses, and what it takes for covered.

use crate::recorder::{Reads, Recorded, only, read, stands_for};
use crate::{Budget, Inputs, Memo, Stamp, Weigh};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An answer with a version and a meaning.
#[derive(Clone, Copy)]
struct Versioned {
    version: Stamp,
    meaning: Stamp,
}

impl Weigh for Versioned {
    fn weight(&self) -> usize {
        0
    }

    fn version(&self) -> Option<Stamp> {
        Some(self.version)
    }

    fn meaning(&self) -> Option<Stamp> {
        Some(self.meaning)
    }
}

struct Plain;

impl Weigh for Plain {
    fn weight(&self) -> usize {
        0
    }
}

/// The complaint about an answer with these inputs that is made by reading so; none if it is stored.
fn said(inputs: &Inputs, reads: impl Fn()) -> String {
    let memo = Memo::new(&Budget::default());
    let made = catch_unwind(AssertUnwindSafe(|| {
        memo.get((), inputs, || {
            reads();
            Plain
        })
    }));
    made.err().and_then(|said| said.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn inputs(stamps: &[Stamp]) -> Inputs {
    Inputs::new(Stamp::next(), stamps.iter().copied())
}

fn text(version: Stamp) {
    read("the text of", version, || "a.yml".to_owned());
}

#[test]
fn what_inputs_lack_is_named() {
    let (one, two) = (Stamp::next(), Stamp::next());
    assert_eq!(said(&inputs(&[one, two]), || [one, two].into_iter().for_each(text)), "");
    let said = said(&inputs(&[one]), || [one, two].into_iter().for_each(text));
    assert!(said.ends_with("::Plain` whose inputs do not cover:\n* the text of a.yml"), "{said}");
}

#[test]
fn parts_of_a_state_are_covered_by_their_stamps() {
    let (settings, other) = (Stamp::next(), Stamp::next());
    let part = Recorded::new("the settings", 3);
    let look = || assert_eq!(*part, 3);
    assert_eq!(said(&inputs(&[settings]).part("the settings", settings), look), "");
    assert!(said(&inputs(&[other]).part("the settings", settings), look).ends_with("\n* the settings of the state"));
    assert_eq!(said(&inputs(&[other]), || assert_eq!(*part.unrecorded(), 3)), "");
}

#[test]
fn answers_count_as_their_inputs_or_by_what_they_carry() {
    let (schema, below) = (Memo::new(&Budget::default()), Stamp::next());
    let made = Versioned { version: Stamp::next(), meaning: Stamp::next() };
    let ask = || drop(schema.get((), &inputs(&[below]), || made));
    // Whether it is made now or was made before.
    for _ in 0..2 {
        for covering in [below, made.version, made.meaning] {
            assert_eq!(said(&inputs(&[covering]), ask), "");
        }
        assert!(said(&inputs(&[Stamp::next()]), ask).ends_with("::Versioned`"));
    }
    // The version changes with what it was made from, the meaning need not.
    assert_eq!(said(&inputs(&[made.version]), || text(below)), "");
    assert!(said(&inputs(&[made.meaning]), || text(below)).ends_with("a.yml"));
}

#[test]
fn what_is_shared_by_a_state_is_read_by_everyone_who_uses_it() {
    let below = Stamp::next();
    let ((), shared) = Reads::of(|| text(below));
    let use_it = || shared.again();
    assert_eq!(said(&inputs(&[below]), use_it), "");
    assert!(said(&inputs(&[Stamp::next()]), use_it).ends_with("a.yml"));
}

#[test]
fn work_may_say_what_it_needs() {
    let (needed, looked_at) = (Stamp::next(), Stamp::next());
    let look = || only("schemas", || [needed], || text(looked_at));
    assert_eq!(said(&inputs(&[needed]), look), "");
    assert!(said(&inputs(&[looked_at]), look).contains("* what it needs of schemas"));
    let whole = Stamp::next();
    stands_for(whole, [needed]);
    assert_eq!(said(&inputs(&[whole]), look), "");
}

#[test]
fn the_number_of_a_state_covers_all() {
    let state = Stamp::next();
    assert_eq!(said(&Inputs::new(state, [state]), || text(Stamp::next())), "");
}

#[test]
fn nothing_is_recorded_after_a_panic() {
    let below = Stamp::next();
    let outer = || {
        let _ = said(&inputs(&[]), || text(below));
    };
    assert_eq!(said(&inputs(&[]), outer), "", "the answer that was refused is not read");
}

//! Long streams are looked at by two threads when nothing is known of them.

use super::Collect;
use super::documents::Documents;
use lofting_check::{Bound, CheckMemo};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Node, halves};
use std::ops::Range;

impl<'s> Collect<'s> {
    /// Looks at the halves of a long stream on a thread each, if nothing is known of its keys, or if it has its first
    /// schemas, and remembers which documents have nothing to report. What then goes through all of them reads only the
    /// others.
    pub(super) fn look_ahead(&self, profile: Profile) {
        let file = self.file;
        if file.facts.ytt || !file.memo().has_no_parts() {
            return;
        }
        let Some([first, second]) = halves(file.tree()) else { return };
        let governing = self.governing();
        let [here, beside] = {
            let memo = file.memo();
            if !memo.knows_no_keys() && !governing.has_schemas() {
                return;
            }
            [memo.beside(), memo.beside()]
        };
        let look = |parts: &[Node<'s>], numbers: Range<usize>, mut memo: CheckMemo| {
            let mut collect = Collect { found: Vec::new(), bound: Bound::default(), ..*self };
            let mut documents = Documents::new(file);
            documents.passed(numbers.start);
            lofting_schema::within_a_document(|| {
                for part in parts {
                    collect.keys_of_part(*part, profile, &mut documents, &mut memo);
                }
                collect.governed_among(parts, numbers, &governing, &mut documents, &mut memo);
            });
            memo
        };
        let before = first.iter().map(Node::count).sum();
        let (beside, here) = lofting_memo::side_by_side(
            lofting_eval::STACK,
            || look(&second, before..usize::MAX, beside),
            || look(&first, 0..before, here),
        );
        let mut memo = file.memo();
        governing.begin(&mut memo);
        memo.absorb(here);
        memo.absorb(beside.unwrap_or_default());
    }
}

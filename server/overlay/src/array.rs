//! Items of arrays (docs/ytt.md 14.2, 14.3).

use crate::annotations::{Expectations, Operation, plan};
use crate::engine::Overlay;
use crate::members::Members;
use crate::sequence::Laid;
use lofting_document::{ArrayItem, OwnerKind};

impl Overlay<'_> {
    /// Lays the items `right` over those of the array `left`.
    pub(crate) fn array(
        &mut self,
        left: &mut Vec<ArrayItem>,
        right: &[ArrayItem],
        inherited: &Expectations,
        level: usize,
    ) {
        // Built on the first search: items that are only added need no search.
        let mut members: Option<Members<ArrayItem>> = None;
        for item in right {
            lofting_memo::step();
            let plan = plan(OwnerKind::ArrayItem, &item.notes, inherited, item.span, &mut self.problems);
            if plan.operation == Operation::Append || (!plan.matching.explicit && plan.operation == Operation::Merge) {
                match &mut members {
                    Some(members) => members.push(item.clone()),
                    None => left.push(item.clone()),
                }
                continue;
            }
            let laid = Laid { member: item, plan: &plan, place: item.span, level: level + 1 };
            let members = members.get_or_insert_with(|| Members::new(std::mem::take(left)));
            if !plan.matching.explicit {
                // It matches nothing and no number of matches is checked (docs/ytt.md 14.3).
                self.unmatched(members, &laid);
            } else if let Some(by) = &plan.matching.by {
                self.sequence(members, &laid, by);
            }
        }
        if let Some(members) = members {
            *left = members.into_vec();
        }
    }
}

//! What a state knows about findings.

use crate::association::state::AssociationState;
use crate::findings::branch::BranchFindings;
use crate::findings::calls::MOST_CALLS;
use crate::findings::memos::CheckMemos;
use crate::findings::rendered::RenderFindings;
use crate::findings::shared::CheckShared;
use crate::floors::built_on;
use lofting_memo::Budget;
use std::sync::Arc;

/// Files and their schemas, with what their findings need.
#[derive(Clone)]
pub(crate) struct CheckState {
    pub below: AssociationState,
    /// How many calls of a set are checked for one file.
    pub most_calls: usize,
    /// The findings of rendering during a pause.
    pub rendered: Arc<RenderFindings>,
    /// What the current branch breaks in schemas.
    pub branch: Arc<BranchFindings>,
    /// What is remembered across states.
    pub check_memos: Arc<CheckMemos>,
    /// What files have in common, computed once. Not shared with any other state.
    pub check_shared: Arc<CheckShared>,
}

built_on!(CheckState, AssociationState);

impl CheckState {
    pub fn new(below: AssociationState, budget: &Budget) -> CheckState {
        CheckState {
            below,
            most_calls: MOST_CALLS,
            rendered: Arc::default(),
            branch: Arc::default(),
            check_memos: Arc::new(CheckMemos::new(budget)),
            check_shared: Arc::default(),
        }
    }
}

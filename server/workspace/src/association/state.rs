//! What a state knows about schemas.

use crate::association::memos::AssociationMemos;
use crate::association::search::PendingSchemas;
use crate::association::setting_globs::SettingGlobs;
use crate::association::shared::AssociationShared;
use crate::evaluation::state::EvaluatedState;
use crate::floors::built_on;
use lofting_memo::recorder::Recorded;
use lofting_memo::{Budget, Inputs, Stamp};
use std::sync::Arc;

/// Files, their code, and what decides about their schemas.
#[derive(Clone)]
pub(crate) struct AssociationState {
    pub below: EvaluatedState,
    pub setting_globs: Arc<SettingGlobs>,
    /// Schemas that jobs are searching for.
    pub pending_schemas: Recorded<Arc<PendingSchemas>>,
    /// What is remembered across states.
    pub memos: Arc<AssociationMemos>,
    /// What files have in common, computed once. Not shared with any other state.
    pub shared: Arc<AssociationShared>,
}

built_on!(AssociationState, EvaluatedState);

/// The name of a part, for the recorder.
const PENDING: &str = "the schemas that are searched for";

impl AssociationState {
    pub fn new(below: EvaluatedState, budget: &Budget) -> AssociationState {
        AssociationState {
            setting_globs: Arc::new(SettingGlobs::new(&below.settings)),
            pending_schemas: Recorded::new(PENDING, Arc::default()),
            memos: Arc::new(AssociationMemos::new(budget)),
            shared: Arc::default(),
            below,
        }
    }

    /// The inputs of an answer that these stamps identify.
    pub fn inputs(&self, stamps: impl IntoIterator<Item = Stamp>) -> Inputs {
        let inputs = self.below.inputs(stamps);
        inputs.part(PENDING, self.pending_schemas.unrecorded().stamp).part(PENDING, self.structure)
    }
}

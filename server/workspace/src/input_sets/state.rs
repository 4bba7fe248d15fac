//! What a state knows about input sets.

use crate::files::sources::Sources;
use crate::files::table::Kept;
use crate::floors::built_on;
use crate::input_sets::inline::InlineFiles;
use crate::input_sets::sets::Sets;
use lofting_document::FileId;
use lofting_memo::recorder::Recorded;
use lofting_memo::{Inputs, Stamp};
use std::sync::Arc;

/// Files, and which of them are given to `ytt` together.
#[derive(Clone)]
pub(crate) struct SetsState {
    pub below: Sources,
    pub sets: Recorded<Arc<Sets>>,
    /// Files whose text is inside another file.
    pub inline: Recorded<Arc<InlineFiles>>,
}

built_on!(SetsState, Sources);

/// The name of a part, for the recorder.
const SETS: &str = "the input sets";

impl SetsState {
    pub fn new(below: Sources) -> SetsState {
        let (sets, inline) = (Recorded::new(SETS, Arc::default()), Recorded::new(SETS, Arc::default()));
        SetsState { below, sets, inline }
    }

    /// The inputs of an answer that these stamps identify.
    pub fn inputs(&self, stamps: impl IntoIterator<Item = Stamp>) -> Inputs {
        let inputs = self.below.inputs(stamps);
        inputs.part(SETS, self.sets.unrecorded().stamp).part(SETS, self.structure)
    }

    /// The sets that a `lofting.toml` defines, as indices: none while they are still those of an older text.
    pub fn sets_described_by(&self, config: FileId) -> &[usize] {
        self.file(config).map_or(&[], |file| self.sets.described_by(file))
    }

    /// Whether there may be schema or values that code produces. Files inside another file are not counted.
    pub fn has_coded_files(&self) -> bool {
        self.index.count(Kept::Coded) > 0 || !self.inline.is_empty()
    }
}

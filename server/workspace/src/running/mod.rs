//! Running the code that files need, for callers that may wait for it.

mod evaluate;
mod render_findings;
mod with_code;

pub(crate) use render_findings::render_findings;
pub(crate) use with_code::with_code;

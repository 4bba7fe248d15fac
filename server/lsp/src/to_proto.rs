//! Converts our types to those of the protocol.

pub(crate) mod completion;
pub(crate) mod diagnostic;
pub(crate) mod markup;
pub(crate) mod workspace_edit;

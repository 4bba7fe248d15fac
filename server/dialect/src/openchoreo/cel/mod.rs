//! What OpenChoreo adds to CEL: the variables and functions of its platform, and the types of parameters, as far as they
//! are known. The language itself is in `lofting_cel`.

pub mod declared;
pub mod functions;
pub mod types;
pub mod variables;

pub use lofting_cel::{Expression, Member, NodeKind, parse};

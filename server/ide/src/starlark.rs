//! What features know about ytt's code, in templates, in annotations and in separate files. Features for all languages
//! use this module; none of them knows Starlark.
//!
//! [`view`] says what is at a position and what a name means, [`kind`] what an expression is made of, [`name`] where a
//! name is used, [`language`] what is built into the language. The other modules are the features' parts for code.

mod blocks;
mod call_hierarchy;
mod completion;
mod definition;
mod hover;
mod kind;
mod language;
mod links;
mod name;
mod parameters;
pub(crate) mod rename;
mod semantic_tokens;
mod signature_help;
mod validation;
mod view;

pub(crate) use blocks::{blocks, loads};
pub use call_hierarchy::{Caller, Calls, incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub(crate) use completion::{items as completion, names_after};
pub(crate) use definition::definitions;
pub(crate) use hover::hover;
pub(crate) use links::{Links, callers, code_near};
pub(crate) use name::{CodeName, Role};
pub(crate) use parameters::parameter_names;
pub(crate) use semantic_tokens::code_tokens;
pub(crate) use signature_help::signature_help;
pub(crate) use view::CodeView;

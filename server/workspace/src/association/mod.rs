//! Which schema governs a file or a part of one, and why.

pub(crate) mod associate;
pub(crate) mod bundles;
pub(crate) mod catalogue;
pub(crate) mod configurations;
pub(crate) mod fetched;
pub(crate) mod following;
pub(crate) mod governed;
pub(crate) mod kind;
pub(crate) mod linked;
pub(crate) mod links;
pub(crate) mod load;
pub(crate) mod mirrors;
pub(crate) mod named_schemas;
pub(crate) mod names;
pub(crate) mod naming;
pub(crate) mod nearest;
pub(crate) mod parts;
pub(crate) mod pointers;
pub(crate) mod reads;
pub(crate) mod reason;
pub(crate) mod referents;
pub(crate) mod schema_state;
pub(crate) mod search;
pub(crate) mod setting_globs;
pub(crate) mod symbols;
pub(crate) mod wishes;

//! Files: those on disk and in editors, and what each says by itself.

pub(crate) mod arrivals;
pub(crate) mod disk;
pub(crate) mod disk_look;
pub(crate) mod editing;
pub(crate) mod facts;
pub(crate) mod file;
pub(crate) mod glob;
pub(crate) mod markers;
pub mod modeline;
pub(crate) mod path;
pub(crate) mod scan;
pub(crate) mod table;
pub mod uri;
pub(crate) mod walk;

//! The exit codes of a worker that ends itself.

/// Its server seemed to be gone.
pub const LEFT_ALONE: i32 = 3;
/// A request took too long, and the server did not end it.
pub const TOOK_TOO_LONG: i32 = 4;

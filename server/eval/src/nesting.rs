//! How deeply values may nest, and what stack that takes.
//!
//! Values are trees that are cloned, compared, walked and dropped by recursion. What makes a value from input (text, code,
//! an answer of a worker) bounds its depth, so that no input can exhaust a stack.

/// How deep collections may nest in a value. Deeper ones are reported and not evaluated.
pub const MAX_NESTING: usize = 2_000;

/// The bytes of stack for every thread that handles values: room for [`MAX_NESTING`] levels of the deepest walk, in
/// builds without optimisation as well. Systems reserve the addresses only; memory is used as far as a walk goes down.
pub const STACK: usize = 128 << 20;

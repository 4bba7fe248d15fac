//! Schemas in these tests are written in a small language of their own ([`small`]), because this crate knows none.

mod defaults;
mod edits;
mod exports;
mod navigate;
mod places;
mod recorded;
mod small;
mod values;

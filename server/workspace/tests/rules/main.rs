//! All rules in the pipeline that the editor and the command line use.
//!
//! These tests are above the crates that rules are in: only here is a fixture checked as a file of a user is. What a
//! rule finds must not depend on how the text around its finding is written: [`unchanged`] rewrites every example of the
//! manual in ways that mean the same, and compares the findings.

mod code;
mod data_values;
mod examples;
mod fixture;
mod fixtures;
mod opened;
mod plain_yaml;
mod rewritten;
mod schemas;
mod unchanged;
mod unused;
mod unused_keys;
mod values;
mod written;

//! Drives the built binary from outside: the language server over its pipes, and the command line.
#![forbid(unsafe_code)]

mod client;

mod about_itself;
mod all_yaml;
mod bad_input;
// It is a script for a shell.
#[cfg(unix)]
mod bazel;
mod bombs;
mod branch;
mod capabilities;
mod catalogue;
mod checkouts;
mod code;
mod code_actions;
mod command_line;
mod completion;
mod configuration;
mod crowds;
mod diff;
mod disk;
mod docs;
mod documents;
mod examples;
mod failing_code;
mod features;
mod features_page;
mod fetching;
mod final_values;
mod fix;
mod floods;
mod formatting;
#[cfg(unix)]
mod full_disk;
mod given_by_templates;
mod half_typed;
mod held_back;
// Pipes and links are made as on Unix.
#[cfg(unix)]
mod hostile;
mod impact;
mod impact_rendered;
mod json_schemas;
mod kept_results;
mod language;
mod lifecycle;
mod mcp;
mod migrate;
mod nesting;
mod newcomer;
mod noise;
mod nothing_lost;
mod one_process;
mod ordering;
mod parts;
mod programs;
mod pull;
mod push;
mod ranges;
mod reading;
mod render;
mod render_like_ytt;
mod rendered_findings;
mod rendered_output;
mod report_formats;
mod settings;
mod shown;
mod slow_files;
mod stopped;
mod sync;
mod templates;
mod transport;
mod unread_schemas;
mod watching;
mod worker;
mod workspace_problems;
#[cfg(unix)]
mod writing;

/// A schema with one key of each kind that tests need.
pub const SCHEMA: &str = "\
#@data/values-schema
---
#@schema/desc \"Name of the service\"
name: web
port: 8080
#@schema/validation one_of=[\"debug\", \"info\"]
level: info
db:
  host: localhost
  pool: 5
";

/// Values with one mistake: the port is a string.
pub const VALUES: &str = "\
#@data/values
---
name: shop
port: \"80\"
";

/// The values without the mistake.
pub const GOOD_VALUES: &str = "\
#@data/values
---
name: shop
port: 80
";

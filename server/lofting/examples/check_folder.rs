//! Embeds the engine: prints the findings of all YAML files in a folder, and what would fix them.
//!
//! `cargo run -p lofting --example check_folder -- examples/webshop`

#![allow(clippy::print_stdout)]

use std::path::Path;

use lofting::{Problem, Workspace};

fn main() -> Result<(), Problem> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut workspace = Workspace::open(Path::new(&folder));
    for file in workspace.files() {
        let snapshot = workspace.snapshot(&file)?;
        for finding in snapshot.findings() {
            let start = finding.range.start;
            println!("{file}:{}:{}: {}: {}", start.line, start.column, finding.code, finding.message);
            for fix in &finding.fixes {
                println!("    {}: {}", fix.certainty.as_str(), fix.title);
            }
        }
    }
    Ok(())
}

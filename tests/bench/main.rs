//! Measures the real server over the protocol, as an editor meets it.
//!
//! `cargo xtask bench [--lines N,N] [--pairs N] [--form NAME] [--rules] [--json]`: for each size a workspace with a schema
//! and one values file is written; then the time from a keystroke to its diagnostics is taken at the start, in the middle and at
//! the end of the file, each key alternately breaking and fixing a value, so that the diagnostics must differ.
//! With `--page` all tables of docs/performance.md are made: all forms at four sizes, commands and renderings.
//! With `--commands` only those of them are made that are about commands.
//! With `--render` whole processes that render are measured instead; see `render`. With `--growth` it is measured how
//! each cost grows with the input; see `growth`.
//! With `--typing-hours N --examples DIR [--keys-a-second N]` nothing is measured but memory; see `typing`.
//! `--form NAME` gives the values in another form, such as `annotated`: as a document `#@data/values`; `workload` lists all.
//! With `--rules` every key of the schema has a validation that is code: about one for each line of values.
#![allow(clippy::print_stdout, reason = "a measurement is read in a terminal")]

mod calls;
mod client;
mod growth;
mod measure;
mod page;
mod process;
mod render;
mod table;
mod typing;
mod workload;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use measure::{Figures, Options};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let server = PathBuf::from(value("--server").context("--server PATH is needed")?);
    if arguments.iter().any(|argument| argument == "--growth") {
        let allowed = match value("--allowed") {
            Some(text) => text.parse().map_err(|_| anyhow!("`{text}` is not a power"))?,
            None => growth::ALLOWED,
        };
        return growth::run(&server, value("--only").as_deref(), value("--form").as_deref(), allowed);
    }
    if arguments.iter().any(|argument| argument == "--render") {
        return render::run(&server, value("--beside").map(PathBuf::from).as_deref());
    }
    if arguments.iter().any(|argument| argument == "--commands") {
        calls::run(&server);
        return Ok(());
    }
    if let Some(hours) = value("--typing-hours") {
        let hours = hours.parse().map_err(|_| anyhow!("`{hours}` is not a number of hours"))?;
        let examples = PathBuf::from(value("--examples").context("--examples DIR is needed")?);
        let number = |keys: String| keys.parse().map_err(|_| anyhow!("`{keys}` is not a number of keys"));
        let keys_a_second = value("--keys-a-second").map(number).transpose()?;
        return typing::run(&server, &examples, hours, keys_a_second);
    }
    let sizes = value("--lines").unwrap_or_else(|| "1000,10000,100000".to_owned());
    let sizes: Vec<usize> = sizes
        .split(',')
        .map(|size| size.parse().map_err(|_| anyhow!("`{size}` is not a number of lines")))
        .collect::<Result<_, _>>()?;
    let pairs = match value("--pairs") {
        Some(text) => text.parse().map_err(|_| anyhow!("`{text}` is not a number"))?,
        None => 30,
    };
    if arguments.iter().any(|argument| argument == "--page") {
        return page::run(&server, pairs);
    }
    let rules = arguments.iter().any(|argument| argument == "--rules");
    let form = match value("--form") {
        Some(name) => workload::Form::named(&name).with_context(|| {
            let known = workload::FORMS.map(|(_, name, _)| name).join(", ");
            format!("`{name}` is not a form of values; there are: {known}")
        })?,
        None => workload::Form::Plain,
    };
    let mut all = Vec::new();
    for lines in sizes {
        eprintln!("measuring {lines} lines …");
        all.push(measure::measure(&Options { server: server.clone(), lines, pairs, rules, form })?);
    }
    if arguments.iter().any(|argument| argument == "--json") {
        let all: Vec<serde_json::Value> = all.iter().map(Figures::json).collect();
        println!("{}", serde_json::Value::Array(all));
    } else {
        print!("{}", table(&all));
    }
    Ok(())
}

/// The figures as a table.
fn table(all: &[Figures]) -> String {
    let mut text = table::head("milliseconds (p50 / p95 / p99)", all.iter().map(|figures| figures.lines));
    let rows: Vec<_> = all.iter().map(Figures::rows).collect();
    for (row, (label, _)) in rows.first().into_iter().flatten().enumerate() {
        let cells = rows.iter().filter_map(|rows| Some(rows.get(row)?.1.clone()));
        text += &table::line(label, cells);
    }
    text
}

//! The figures of docs/performance.md, all made by one program in one run: every form of values at every size.

use std::path::Path;

use crate::measure::{Figures, Options, measure, shown, spread};
use crate::workload::{FORMS, Form};
use crate::{calls, render};

/// Lines of the values files.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// What of the figures makes a table: its heading, and the samples whose spread is a cell.
type Table = (&'static str, fn(&Figures) -> Vec<f64>);

const TABLES: [Table; 4] = [
    ("A key, until its diagnostics have arrived", |figures| figures.keys()),
    ("A key that makes a value which was not there before, until its diagnostics have arrived", |figures| {
        figures.unseen.clone()
    }),
    ("Completion right after a key", |figures| figures.completion.clone()),
    ("Hover right after a key", |figures| figures.hover.clone()),
];

/// A form of values, and its figures at each size; `None` where it could not be measured.
struct Row {
    name: &'static str,
    figures: [Option<Figures>; SIZES.len()],
}

/// Measures everything and prints the page's tables in Markdown.
pub fn run(server: &Path, pairs: usize) -> anyhow::Result<()> {
    let forms = FORMS.iter().map(|&(name, _, form)| (name, form, false));
    let rows: Vec<Row> = std::iter::once(("plain values, a rule that is code for each line", Form::Plain, true))
        .chain(forms)
        .map(|(name, form, rules)| {
            let figures = SIZES.map(|lines| {
                eprintln!("measuring {name}, {lines} lines …");
                let options = Options { server: server.to_owned(), lines, pairs, rules, form };
                measure(&options).inspect_err(|why| eprintln!("   not measured: {why:#}")).ok()
            });
            Row { name, figures }
        })
        .collect();
    for (heading, samples) in &TABLES {
        println!("### {heading}\n\n{}", spreads(&rows, *samples));
    }
    println!("### A file is opened\n\n{}", opened(&rows));
    println!("### Held keys\n\n{}", bursts(&rows));
    println!("### Commands\n");
    calls::run(server)?;
    println!("\n### Rendering\n");
    render::run(server, None)
}

/// A table of percentiles. The last row has the worst of each column, percentile by percentile.
fn spreads(rows: &[Row], samples: fn(&Figures) -> Vec<f64>) -> String {
    let has_samples = |row: &&Row| row.figures.iter().flatten().any(|figures| !samples(figures).is_empty());
    let mut table = head("milliseconds, p50 / p95 / p99");
    for row in rows.iter().filter(has_samples) {
        table += &line(row.name, row, |figures| spread(&samples(figures)));
    }
    table += "| **worst form** |";
    for column in 0..SIZES.len() {
        let of_all: Vec<_> = rows.iter().filter_map(|row| row.figures[column].as_ref()).map(samples).collect();
        table += &format!(" {} |", crate::measure::worst(&of_all));
    }
    table + "\n"
}

fn opened(rows: &[Row]) -> String {
    let mut table = head("milliseconds until the diagnostics; memory then, MiB");
    for row in rows {
        table += &line(row.name, row, |figures| {
            let memory = figures.memory_open.map_or_else(String::new, |memory| format!("; {memory:.0}"));
            format!("{}{memory}", shown(figures.open))
        });
    }
    table
}

fn bursts(rows: &[Row]) -> String {
    let mut table = head("milliseconds from the last of 200 keys to the final diagnostics; memory then, MiB");
    for row in rows {
        table += &line(row.name, row, |figures| {
            let memory = figures.memory_end.map_or_else(String::new, |memory| format!("; {memory:.0}"));
            format!("{}{memory}", shown(figures.burst))
        });
    }
    table
}

fn head(what: &str) -> String {
    let sizes: String = SIZES.iter().map(|size| format!(" {size} lines |")).collect();
    format!("| {what} |{sizes}\n| --- |{}\n", " ---: |".repeat(SIZES.len()))
}

fn line(name: &str, row: &Row, cell: impl Fn(&Figures) -> String) -> String {
    let cells = row.figures.iter().map(|figures| figures.as_ref().map_or_else(|| "–".to_owned(), &cell));
    let cells: String = cells.map(|cell| format!(" {cell} |")).collect();
    format!("| {name} |{cells}\n")
}

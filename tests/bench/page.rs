//! The figures of docs/performance.md, all made by one program in one run: every form of values at every size.

use std::path::Path;

use crate::measure::{Figures, Options, measure, shown, spread, worst};
use crate::table::{SIZES, head, line};
use crate::workload::{FORMS, Form};
use crate::{calls, render};

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
    let opened = times(&rows, "milliseconds until the diagnostics; memory then, MiB", |figures| {
        (figures.open, figures.memory_open)
    });
    println!("### A file is opened\n\n{opened}");
    let held = "milliseconds from the last of 200 keys to the final diagnostics; memory then, MiB";
    println!("### Held keys\n\n{}", times(&rows, held, |figures| (figures.burst, figures.memory_end)));
    println!("### Commands\n");
    calls::run(server);
    println!("\n### Rendering\n");
    render::run(server, None)
}

/// A table of percentiles. The last row has the worst of each column, percentile by percentile.
fn spreads(rows: &[Row], samples: fn(&Figures) -> Vec<f64>) -> String {
    let has_samples = |row: &&Row| row.figures.iter().flatten().any(|figures| !samples(figures).is_empty());
    let mut table = head("milliseconds, p50 / p95 / p99", SIZES.into_iter());
    for row in rows.iter().filter(has_samples) {
        table += &line(row.name, row.cells(|figures| spread(&samples(figures))));
    }
    let of_all =
        |column: usize| rows.iter().filter_map(|row| row.figures[column].as_ref()).map(samples).collect::<Vec<_>>();
    table + &line("**worst form**", (0..SIZES.len()).map(|column| worst(&of_all(column))))
}

/// A table of single times, each with the memory after it.
fn times(rows: &[Row], what: &str, figure: fn(&Figures) -> (f64, Option<f64>)) -> String {
    let cell = |figures: &Figures| match figure(figures) {
        (time, Some(memory)) => format!("{}; {memory:.0}", shown(time)),
        (time, None) => shown(time),
    };
    let rows: String = rows.iter().map(|row| line(row.name, row.cells(cell))).collect();
    head(what, SIZES.into_iter()) + &rows
}

impl Row {
    fn cells(&self, cell: impl Fn(&Figures) -> String) -> impl Iterator<Item = String> {
        self.figures.iter().map(move |figures| figures.as_ref().map_or_else(|| "–".to_owned(), &cell))
    }
}

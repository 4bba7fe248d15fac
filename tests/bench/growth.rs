//! How each cost grows: for each shape of input and each form of question three sizes and the exponent between them.
//!
//! `cargo xtask bench --growth [--only TEXT] [--form TEXT] [--allowed POWER]`: shapes and forms whose names contain the
//! text; the power of the size with which costs may grow, 1.15 unless it is given. Processes
//! are measured by the processor time they took, answers of a running server by the clock. What looks worse than linear is
//! measured again, and the least time of each size counts: a busy machine must not look like a slow program.

mod command;
mod session;

use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use lofting_tests::shapes::{self, Shape};

/// Between one size and the next.
const FACTOR: usize = 4;

/// Costs may grow with this power of the size: logarithms and caches need some of it.
pub const ALLOWED: f64 = 1.15;

/// A form that takes longer than this is not asked with the next size.
const PATIENCE: Duration = Duration::from_secs(6);

/// How often what looks worse than linear is measured again.
const AGAIN: usize = 2;

/// Times of one form, from the smallest size to the largest that was tried.
#[derive(Clone)]
struct Series {
    shape: &'static str,
    /// The power of the size with which ytt's own work grows.
    power: u32,
    form: &'static str,
    /// What costs nothing to tell from noise.
    floor: f64,
    /// Sizes and milliseconds.
    points: Vec<(usize, f64)>,
    /// Why the next size was not measured.
    stopped: Option<String>,
}

impl Series {
    fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.1)
    }

    /// The exponent at the larger sizes; `None` where the cost is too small to have one.
    fn exponent(&self) -> Option<f64> {
        let [.., before, last] = self.points.as_slice() else { return None };
        let least = self.floor / 8.0;
        if last.1 < self.floor {
            return None;
        }
        Some((last.1 / before.1.max(least)).ln() / (last.0 as f64 / before.0 as f64).ln())
    }

    fn too_steep(&self, allowed: f64) -> bool {
        self.stopped.is_some() || self.exponent().is_some_and(|exponent| exponent > allowed + f64::from(self.power - 1))
    }

    fn text(&self) -> String {
        let exponent = self.exponent().map_or_else(|| "–".to_owned(), |exponent| format!("{exponent:.2}"));
        let times: Vec<String> = self.points.iter().map(|(n, time)| format!("{n}: {time:.1}")).collect();
        let stopped = self.stopped.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        format!("| {exponent} | {} | {} | {}{stopped} |", self.shape, self.form, times.join(", "))
    }
}

/// Measures and prints; fails when something grows faster than it may.
pub fn run(server: &Path, only: Option<&str>, form: Option<&str>, allowed: f64) -> anyhow::Result<()> {
    let mut all = Vec::new();
    let mut shapes_measured = 0;
    for shape in shapes::all() {
        if only.is_some_and(|text| !shape.name.contains(text)) {
            continue;
        }
        shapes_measured += 1;
        let mut measured = measure(server, &shape, &|name| form.is_none_or(|text| name.contains(text)))?;
        for _ in 0..AGAIN {
            let steep: Vec<&str> =
                measured.iter().filter(|series| series.too_steep(allowed)).map(|series| series.form).collect();
            if steep.is_empty() {
                break;
            }
            for again in measure(server, &shape, &|name| steep.contains(&name))? {
                if let Some(first) = measured.iter_mut().find(|series| series.form == again.form) {
                    *first = best(first.clone(), again);
                }
            }
        }
        for series in &measured {
            eprintln!("{}", series.text());
        }
        all.extend(measured);
    }
    all.sort_by(|a, b| {
        let key = |series: &Series| series.stopped.as_ref().map_or(series.exponent().unwrap_or(0.0), |_| f64::MAX);
        key(b).total_cmp(&key(a))
    });
    println!("| exponent | n of | asked with | n: milliseconds |\n| ---: | --- | --- | --- |");
    for series in &all {
        println!("{}", series.text());
    }
    let steep = all.iter().filter(|series| series.too_steep(allowed)).count();
    eprintln!("{shapes_measured} shapes, {} series, {steep} steeper than {allowed}", all.len());
    if steep == 0 { Ok(()) } else { Err(anyhow!("{steep} costs grow faster than the input")) }
}

/// The lesser of both at each size.
fn best(first: Series, second: Series) -> Series {
    let (longer, shorter) = if second.points.len() > first.points.len() { (second, first) } else { (first, second) };
    let mut series = longer;
    for (point, other) in series.points.iter_mut().zip(&shorter.points) {
        point.1 = point.1.min(other.1);
    }
    series
}

/// The forms that are wanted. Whatever is asked of an open file needs it opened.
fn measure(server: &Path, shape: &Shape, wanted: &dyn Fn(&str) -> bool) -> anyhow::Result<Vec<Series>> {
    let mut all: Vec<Series> = Vec::new();
    for size in [shape.most / FACTOR / FACTOR, shape.most / FACTOR, shape.most] {
        let case = (shape.make)(size);
        let directory = tempfile::tempdir()?;
        let directory = directory.path();
        let stopped = |name: &'static str, all: &mut Vec<Series>| {
            let series = all.iter_mut().find(|series| series.form == name)?;
            let slow = series.stopped.is_some() || series.last() > PATIENCE.as_secs_f64() * 1000.0;
            if slow && series.stopped.is_none() {
                series.stopped = Some(format!("{size} not tried"));
            }
            Some(slow)
        };
        for command in command::forms(&case, directory)? {
            if !wanted(command.name) || stopped(command.name, &mut all) == Some(true) {
                continue;
            }
            let outcome = command.run(server);
            note(&mut all, shape, command.name, command::FLOOR, size, outcome);
        }
        if session::FORMS.iter().any(|name| wanted(name)) && stopped(session::OPEN, &mut all) != Some(true) {
            match session::Session::open(server, &case, &directory.join("editor")) {
                Err(message) => {
                    note(&mut all, shape, session::OPEN, session::FLOOR, size, Err(message));
                }
                Ok((mut session, took)) => {
                    note(&mut all, shape, session::OPEN, session::FLOOR, size, Ok(took));
                    for &name in session::FORMS.iter().filter(|name| **name != session::OPEN && wanted(name)) {
                        if stopped(name, &mut all) == Some(true) {
                            continue;
                        }
                        let outcome = session.ask(name);
                        let failed = outcome.is_err();
                        note(&mut all, shape, name, session::FLOOR, size, outcome);
                        if failed {
                            break;
                        }
                    }
                }
            }
        }
    }
    Ok(all)
}

fn note(
    all: &mut Vec<Series>,
    shape: &Shape,
    form: &'static str,
    floor: f64,
    size: usize,
    outcome: anyhow::Result<Duration>,
) {
    let at = all.iter().position(|series| series.form == form).unwrap_or_else(|| {
        all.push(Series { shape: shape.name, power: shape.power, form, floor, points: Vec::new(), stopped: None });
        all.len() - 1
    });
    match outcome {
        Ok(took) => all[at].points.push((size, took.as_secs_f64() * 1000.0)),
        Err(message) => all[at].stopped = Some(format!("{size}: {message:#}")),
    }
}

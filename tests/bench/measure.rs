//! Takes the figures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::workload::{self, Form, Values};

/// Characters of the burst and the time between two of them: a fast typist on key repeat.
const BURST: usize = 200;
const BURST_EVERY: Duration = Duration::from_millis(10);

/// Starts of the server for the start-up time.
const STARTS: usize = 10;

/// What to measure.
pub struct Options {
    /// The server's program.
    pub server: PathBuf,
    /// Length of the values file.
    pub lines: usize,
    /// Break/fix pairs at each of the three places.
    pub pairs: usize,
    /// Whether the schema has rules that are code.
    pub rules: bool,
    /// How the values are given.
    pub form: Form,
}

/// The figures of one size; times in milliseconds, memory in MiB.
pub struct Figures {
    /// Length of the values file.
    pub lines: usize,
    startup: Vec<f64>,
    /// From opening to the first diagnostics of the schema.
    pub open: f64,
    key: [Vec<f64>; 3],
    /// Keys each of which makes a value that was not there before.
    pub unseen: Vec<f64>,
    /// Completions right after a key.
    pub completion: Vec<f64>,
    /// Hovers right after a key.
    pub hover: Vec<f64>,
    /// From the last key of a burst to its diagnostics.
    pub burst: f64,
    burst_published: usize,
    /// Once the file is open.
    pub memory_open: Option<f64>,
    /// After the burst.
    pub memory_end: Option<f64>,
}

const PLACES: [&str; 3] = ["start", "middle", "end"];

impl Figures {
    /// Keys at all places.
    pub fn keys(&self) -> Vec<f64> {
        self.key.iter().flatten().copied().collect()
    }

    /// Label and text of each row of the table.
    pub fn rows(&self) -> Vec<(String, String)> {
        let mut rows = vec![
            ("start → `initialize` answered".to_owned(), spread(&self.startup)),
            ("file opened → diagnostics".to_owned(), shown(self.open)),
        ];
        for (place, samples) in PLACES.iter().zip(&self.key) {
            rows.push((format!("key at the {place} → diagnostics"), spread(samples)));
        }
        rows.push(("**key anywhere → diagnostics**".to_owned(), spread(&self.keys())));
        rows.push(("key to a value not seen before → diagnostics".to_owned(), spread(&self.unseen)));
        rows.push(("completion right after a key".to_owned(), spread(&self.completion)));
        rows.push(("hover right after a key".to_owned(), spread(&self.hover)));
        rows.push((format!("burst of {BURST} keys: last key → final diagnostics"), shown(self.burst)));
        rows.push(("burst: diagnostics published".to_owned(), self.burst_published.to_string()));
        rows.push(("memory with the file open, MiB".to_owned(), self.memory_open.map_or_else(dash, shown)));
        rows.push(("memory after the burst, MiB".to_owned(), self.memory_end.map_or_else(dash, shown)));
        rows
    }

    /// The rows as JSON for programs: percentiles by row.
    pub fn json(&self) -> Value {
        let pair = |samples: &[f64]| {
            let [p50, p95, p99] = PERCENTS.map(|percent| percentile(samples, percent));
            json!({"p50": p50, "p95": p95, "p99": p99})
        };
        json!({
            "lines": self.lines, "startup": pair(&self.startup), "open": self.open, "key": pair(&self.keys()), "unseen": pair(&self.unseen),
            "completion": pair(&self.completion), "hover": pair(&self.hover), "burst": self.burst,
            "memory_open": self.memory_open, "memory_end": self.memory_end,
        })
    }
}

/// Runs everything for one size.
pub fn measure(options: &Options) -> anyhow::Result<Figures> {
    let values = workload::values(options.lines, options.form);
    let root = std::env::temp_dir().join(format!("lofting-bench-{}-{}", std::process::id(), options.lines));
    let outcome = write_workspace(options, &root, &values).and_then(|()| in_workspace(options, &values, &root));
    // Whatever happened, nothing is left behind.
    let _ = std::fs::remove_dir_all(&root);
    outcome
}

fn write_workspace(options: &Options, root: &std::path::Path, values: &Values) -> anyhow::Result<()> {
    let schema = workload::schema(options.lines, options.form, options.rules);
    std::fs::create_dir_all(root)
        .and_then(|()| std::fs::write(root.join("schema.yml"), schema))
        .and_then(|()| std::fs::write(root.join("values.yml"), &values.text))
        .with_context(|| root.display().to_string())
}

fn in_workspace(options: &Options, values: &Values, root: &std::path::Path) -> anyhow::Result<Figures> {
    let mut startup = Vec::new();
    for _ in 0..STARTS {
        let (client, took) = Client::start(&options.server, root)?;
        startup.push(milliseconds(took));
        client.stop()?;
    }
    let (client, _) = Client::start(&options.server, root)?;
    let mut document = Document { client, uri: uri(&root.join("values.yml")), version: 1 };
    let open = document.open(&values.text)?;
    let memory_open = document.client.memory();
    let mut key = [Vec::new(), Vec::new(), Vec::new()];
    for (samples, line) in key.iter_mut().zip(values.enabled_lines) {
        // The first pair warms caches which an editor would have warm too.
        for pair in 0..=options.pairs {
            let broken = document.key(line, values.enabled_column, 0, "x")?;
            let fixed = document.key(line, values.enabled_column, 1, "")?;
            if pair > 0 {
                samples.extend([broken, fixed]);
            }
        }
    }
    let unseen = document.unseen(values, options.pairs)?;
    let (mut completion, mut hover) = (Vec::new(), Vec::new());
    if let Some(line) = values.image_line {
        for _ in 0..options.pairs {
            completion.push(document.completion(line)?);
            hover.push(document.hover(values)?);
        }
    }
    let (burst, burst_published) = document.burst(values)?;
    let memory_end = document.client.memory();
    document.client.stop()?;
    let lines = values.text.lines().count();
    Ok(Figures {
        lines,
        startup,
        open,
        key,
        unseen,
        completion,
        hover,
        burst,
        burst_published,
        memory_open,
        memory_end,
    })
}

/// The open values file.
struct Document {
    client: Client,
    uri: String,
    version: i64,
}

impl Document {
    /// Opens the file; milliseconds until diagnostics that need the schema.
    fn open(&mut self, text: &str) -> anyhow::Result<f64> {
        let sent = self.client.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": self.uri, "languageId": "yaml", "version": self.version, "text": text}}),
        )?;
        loop {
            let arrived = self.client.diagnostics(&self.uri, self.version)?;
            if count(&arrived.message) > 0 {
                return Ok(milliseconds(arrived.at - sent));
            }
        }
    }

    /// Replaces `removed` bytes by `text`; milliseconds until the diagnostics of that version.
    fn key(&mut self, line: u32, column: u32, removed: u32, text: &str) -> anyhow::Result<f64> {
        let sent = self.edit(line, column, removed, text)?;
        let arrived = self.client.diagnostics(&self.uri, self.version)?;
        let expected = if text.is_empty() { 1 } else { 2 };
        let found = count(&arrived.message);
        if found != expected {
            bail!("{found} diagnostics where {expected} were expected: {}", arrived.message);
        }
        Ok(milliseconds(arrived.at - sent))
    }

    /// Types a word on, letter by letter, so that no key leads back to what was there before; it is taken back.
    fn unseen(&mut self, values: &Values, keys: usize) -> anyhow::Result<Vec<f64>> {
        let (line, column) = (values.enabled_lines[1], values.enabled_column);
        let keys = u32::try_from(keys).unwrap_or(0);
        let samples = (0..keys).map(|number| self.key(line, column + number, 0, "x")).collect::<Result<_, _>>()?;
        self.key(line, column, keys, "")?;
        Ok(samples)
    }

    fn edit(&mut self, line: u32, column: u32, removed: u32, text: &str) -> anyhow::Result<Instant> {
        self.version += 1;
        let range = json!({
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + removed},
        });
        self.client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": range, "text": text}],
            }),
        )
    }

    /// A new line with one letter below `image:`, then completion there; the line is taken back.
    fn completion(&mut self, line: u32) -> anyhow::Result<f64> {
        let end = u32::try_from("  image:".len()).unwrap_or(0);
        self.edit(line, end, 0, "\n    p")?;
        let sent = Instant::now();
        let answer = self.ask("textDocument/completion", line + 1, 5)?;
        let took = milliseconds(answer.0 - sent);
        let text = answer.1.to_string();
        self.version += 1;
        self.client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": {
                    "start": {"line": line, "character": end}, "end": {"line": line + 1, "character": 5},
                }, "text": ""}],
            }),
        )?;
        if text.contains("\"label\"") { Ok(took) } else { Err(anyhow!("no completion: {text}")) }
    }

    /// One key, then hover on `image` at once.
    fn hover(&mut self, values: &Values) -> anyhow::Result<f64> {
        let line = values.enabled_lines[1];
        self.edit(line, values.enabled_column, 0, "x")?;
        let sent = Instant::now();
        let answer = self.ask("textDocument/hover", line, 4)?;
        let took = milliseconds(answer.0 - sent);
        self.edit(line, values.enabled_column, 1, "")?;
        let text = answer.1.to_string();
        if text.contains("started at all") { Ok(took) } else { Err(anyhow!("no hover: {text}")) }
    }

    fn ask(&mut self, method: &str, line: u32, column: u32) -> anyhow::Result<(Instant, Value)> {
        let answer = self.client.request(
            method,
            json!({"textDocument": {"uri": self.uri}, "position": {"line": line, "character": column}}),
        )?;
        Ok((answer.at, answer.message))
    }

    /// Holds a key down; milliseconds from the last one to its diagnostics, and how many were published.
    fn burst(&mut self, values: &Values) -> anyhow::Result<(f64, usize)> {
        let (line, column) = (values.enabled_lines[1], values.enabled_column);
        self.client.forget_diagnostics();
        let mut next = Instant::now();
        let mut last = next;
        for number in 0..BURST {
            last = self.edit(line, column + u32::try_from(number).unwrap_or(0), 0, "x")?;
            next += BURST_EVERY;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        let arrived = self.client.diagnostics(&self.uri, self.version)?;
        // It may already have arrived before the sleep after the last key.
        let took = milliseconds(arrived.at.saturating_duration_since(last));
        Ok((took, 1 + self.client.forget_diagnostics()))
    }
}

fn count(message: &Value) -> usize {
    message["params"]["diagnostics"].as_array().map_or(0, Vec::len)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Of samples that have a spread, these percentiles are printed.
const PERCENTS: [usize; 3] = [50, 95, 99];

/// By nearest rank.
fn percentile(samples: &[f64], percent: usize) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

/// The printed percentiles of samples.
pub fn spread(samples: &[f64]) -> String {
    if samples.is_empty() {
        return dash();
    }
    PERCENTS.map(|percent| shown(percentile(samples, percent))).join(" / ")
}

/// The largest of each percentile over several series of samples.
pub fn worst(all: &[Vec<f64>]) -> String {
    let most = |percent| all.iter().map(|samples| percentile(samples, percent)).fold(f64::NAN, f64::max);
    PERCENTS.map(|percent| shown(most(percent))).join(" / ")
}

/// Milliseconds or MiB with as many digits as mean something.
pub fn shown(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

fn dash() -> String {
    "–".to_owned()
}

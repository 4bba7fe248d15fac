//! What `lofting check` prints and writes of its report, and what it leaves out.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use lofting_disk::{Access, Folder, Named, resolve};
use lofting_workspace::{CheckReport, MAX_FILE_SIZE, read_text};
use serde_json::Value;

use super::{Arguments, coloured};
use crate::report::{Findings, Format, fingerprints, statistics};
use crate::terminal;

/// `FORMAT=FILE` of `--output`.
pub(super) fn named(written: &str) -> anyhow::Result<(Format, PathBuf)> {
    let (format, file) =
        written.split_once('=').context("a format and a file are expected, such as `sarif=report.sarif`")?;
    if file.is_empty() {
        bail!("the name of the file is missing");
    }
    Ok((Format::from_str(format, false).map_err(anyhow::Error::msg)?, PathBuf::from(file)))
}

/// Prints the report, and writes it to the files that were named.
pub(super) fn write(arguments: &Arguments, report: &CheckReport, is_complete: bool) -> anyhow::Result<()> {
    let mut findings = Findings::of(report, arguments.max_findings, is_complete, arguments.quiet);
    findings.encoding = arguments.position_encoding.into();
    for (format, file) in &arguments.output {
        let text = format.render(&findings, false);
        write_file(file, &text).with_context(|| terminal::line(&file.to_string_lossy()).into_owned())?;
    }
    let is_silent = |format: Format| !format.says_what_is_hidden();
    if findings.hidden > 0 && !arguments.quiet && arguments.formats().any(is_silent) {
        terminal::say(&format!("lofting: {} not shown (--max-findings)", findings_are(findings.hidden)));
    }
    let printed = match arguments.format {
        _ if arguments.statistics => terminal::print(&statistics(&findings)),
        format if format.is_for_people() => terminal::print(&format.render(&findings, coloured(arguments.color))),
        format => terminal::print_data(&format.render(&findings, false)),
    };
    Ok(printed?)
}

fn findings_are(count: usize) -> String {
    if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") }
}

fn write_file(file: &Path, text: &str) -> Result<(), lofting_disk::Refusal> {
    let here = std::env::current_dir()?;
    let path = resolve(&lofting_workspace::normalise(&here, file), Named::Itself)?;
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(lofting_disk::Refusal::Directory);
    };
    Folder::named(above, Named::Itself, true)?.write(Path::new(name), text.as_bytes(), Access::Quick)
}

/// Removes the findings that an earlier report has, and says how many. Each of its findings stands for one.
pub(super) fn without_known(report: &mut CheckReport, baseline: &Path) -> anyhow::Result<()> {
    let shown = terminal::line(&baseline.to_string_lossy()).into_owned();
    let text = read_text(baseline).with_context(|| shown.clone())?;
    let no_report = || format!("{shown}: it is not a report of `lofting check --format json`");
    let earlier: Option<Value> = serde_json::from_str(&text).ok();
    let earlier = earlier.with_context(no_report)?;
    let known = earlier["diagnostics"].as_array().with_context(no_report)?;
    let known: HashMap<&str, &Value> =
        known.iter().filter_map(|finding| Some((finding["fingerprint"].as_str()?, &finding["file"]))).collect();
    let of_all = fingerprints(report, report.diagnostics());
    let found: HashSet<&str> =
        of_all.iter().map(String::as_str).filter(|fingerprint| known.contains_key(fingerprint)).collect();
    let mut is_new = of_all.iter().map(|fingerprint| !found.contains(fingerprint.as_str()));
    for file in &mut report.files {
        file.diagnostics = file.diagnostics.iter().filter(|_| is_new.next().unwrap_or(true)).cloned().collect();
    }
    // Of files that were not checked, nothing is known.
    let checked: HashSet<&str> = report.files.iter().map(|file| file.shown.as_str()).collect();
    let is_gone = |(fingerprint, file): &(&&str, &&Value)| {
        !found.contains(**fingerprint) && file.as_str().is_some_and(|file| checked.contains(file))
    };
    let gone = known.iter().filter(is_gone).count();
    let said = [(found.len(), "known and not reported"), (gone, "no longer there")];
    for (count, what) in said.into_iter().filter(|(count, _)| *count > 0) {
        let findings = findings_are(count);
        report.messages.push(format!("{shown}: {findings} {what}"));
    }
    Ok(())
}

/// Replaces the path `-` by the name of the file whose text is on standard input; returns both.
pub(in crate::cli) fn standard_input(
    name: Option<&str>,
    paths: &mut Vec<String>,
) -> anyhow::Result<Option<(String, String)>> {
    let is_piped = paths.iter().any(|path| path == "-");
    let name = match (name, is_piped) {
        (None, false) => return Ok(None),
        (None, true) => "stdin.yml",
        (Some(name), _) => name,
    };
    if paths.iter().any(|path| path != "-") {
        bail!("together with standard input no other files can be named");
    }
    let mut bytes = Vec::new();
    let limit = MAX_FILE_SIZE + 1;
    std::io::stdin().lock().take(limit).read_to_end(&mut bytes).context("standard input")?;
    if bytes.len() as u64 == limit {
        bail!("standard input: the text is larger than 50 MB");
    }
    let text = String::from_utf8(bytes).ok().context("standard input: the text is not UTF-8")?;
    *paths = vec![name.to_owned()];
    Ok(Some((name.to_owned(), text)))
}

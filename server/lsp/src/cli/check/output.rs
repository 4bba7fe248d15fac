//! What `lofting check` prints and writes of its report, and what it leaves out.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lofting_disk::{Access, Folder, Named, resolve};
use lofting_workspace::{CheckReport, MAX_FILE_SIZE, read_text};
use serde_json::Value;

use super::{Arguments, coloured};
use crate::report::{Findings, Format, fingerprints, statistics};
use crate::terminal;

/// `FORMAT=FILE` of `--output`.
pub(super) fn named(written: &str) -> Result<(Format, PathBuf), String> {
    let (format, file) =
        written.split_once('=').ok_or("a format and a file are expected, such as `sarif=report.sarif`")?;
    if file.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    Ok((Format::from_str(format, false)?, PathBuf::from(file)))
}

/// Prints the report, and writes it to the files that were named.
pub(super) fn write(arguments: &Arguments, report: &CheckReport, is_complete: bool) -> Result<(), String> {
    let mut findings = Findings::of(report, arguments.max_findings, is_complete, arguments.quiet);
    findings.encoding = arguments.position_encoding.into();
    for (format, file) in &arguments.output {
        let text = format.render(&findings, false);
        write_file(file, &text).map_err(|why| format!("{}: {why}", terminal::line(&file.to_string_lossy())))?;
    }
    let printed = match arguments.format {
        _ if arguments.statistics => terminal::print(&statistics(&findings)),
        format if format.is_for_people() => terminal::print(&format.render(&findings, coloured(arguments.color))),
        format => terminal::print_data(&format.render(&findings, false)),
    };
    printed.map_err(|error| error.to_string())
}

fn write_file(file: &Path, text: &str) -> Result<(), lofting_disk::Refusal> {
    let here = std::env::current_dir()?;
    let path = resolve(&lofting_workspace::normalise(&here, file), Named::Itself)?;
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(lofting_disk::Refusal::Directory);
    };
    Folder::named(above, Named::Itself, true)?.write(Path::new(name), text.as_bytes(), Access::Quick)
}

/// Removes the findings that an earlier report has. Each of its findings stands for one.
pub(super) fn without_known(report: &mut CheckReport, baseline: &Path) -> Result<(), String> {
    let shown = terminal::line(&baseline.to_string_lossy()).into_owned();
    let text = read_text(baseline).map_err(|error| format!("{shown}: {error}"))?;
    let no_report = || format!("{shown}: it is not a report of `lofting check --format json`");
    let earlier: Value = serde_json::from_str(&text).map_err(|_| no_report())?;
    let known = earlier["diagnostics"].as_array().ok_or_else(no_report)?;
    let known: HashSet<&str> = known.iter().filter_map(|finding| finding["fingerprint"].as_str()).collect();
    let of_all = fingerprints(report, report.diagnostics());
    let mut is_new = of_all.iter().map(|fingerprint| !known.contains(fingerprint.as_str()));
    for file in &mut report.files {
        file.diagnostics = file.diagnostics.iter().filter(|_| is_new.next().unwrap_or(true)).cloned().collect();
    }
    Ok(())
}

/// Replaces the path `-` by the name of the file whose text is on standard input; returns both.
pub(in crate::cli) fn standard_input(
    name: Option<&str>,
    paths: &mut Vec<String>,
) -> Result<Option<(String, String)>, String> {
    let is_piped = paths.iter().any(|path| path == "-");
    let name = match (name, is_piped) {
        (None, false) => return Ok(None),
        (None, true) => "stdin.yml",
        (Some(name), _) => name,
    };
    if paths.iter().any(|path| path != "-") {
        return Err("together with standard input no other files can be named".to_owned());
    }
    let mut bytes = Vec::new();
    let limit = MAX_FILE_SIZE + 1;
    std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(|error| format!("standard input: {error}"))?;
    if bytes.len() as u64 == limit {
        return Err("standard input: the text is larger than 50 MB".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "standard input: the text is not UTF-8".to_owned())?;
    *paths = vec![name.to_owned()];
    Ok(Some((name.to_owned(), text)))
}

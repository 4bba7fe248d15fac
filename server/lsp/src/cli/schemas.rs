//! `lofting schemas`: what the built-in catalogue holds, newer copies of it, and schemas that are chosen from it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand};
use lofting_catalogue::{Catalogue, CatalogueEntry};
use lofting_disk::{Access, Folder, Named};
use lofting_workspace::config::{FILE_NAME, with_schema};
use lofting_workspace::{BuiltIn, Fetch, Reach, Wish, normalise, read_bytes, read_text};
use serde_json::json;

use crate::built_in;
use crate::fetching::FetchArguments;
use crate::rewrite::{Links, rewrite};
use crate::terminal;

// Arguments of `lofting schemas`.
#[derive(Args)]
#[command(after_help = super::examples::SCHEMAS)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the built-in schemas: their names, addresses, dates, licences and files.
    List {
        /// Only those whose name or address contains this, or that files of this name have.
        #[arg(value_name = "TEXT")]
        like: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Print a built-in schema.
    Show {
        /// A name or address from the list, or a kind of Kubernetes: `apps/v1/Deployment`.
        name: String,
        /// The version of Kubernetes, such as 1.34; the newest one if it is not given.
        #[arg(long, value_name = "VERSION")]
        kubernetes: Option<String>,
    },
    /// Fetch newer copies of built-in schemas, from hosts that the user allows (`--allow-host`).
    Update {
        /// Names or addresses from the list; all if none is given.
        names: Vec<String>,
        #[command(flatten)]
        fetch: FetchArguments,
    },
    /// Write into `lofting.toml` that a file has this schema.
    Add {
        /// A name or address from the list, a path or a URL.
        schema: String,
        /// The file.
        file: PathBuf,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.command {
        Command::List { like, json } => list(like.as_deref(), *json),
        Command::Show { name, kubernetes } => show(name, kubernetes.as_deref()),
        Command::Update { names, fetch } => update(names, fetch),
        Command::Add { schema, file } => add(schema, file),
    };
    match done {
        Ok(text) => terminal::print_data(&text).map_or_else(super::could_not_run, |()| ExitCode::SUCCESS),
        Err(why) => super::could_not_run(why),
    }
}

/// The catalogue and the folder of newer copies, or why there is none.
fn catalogue() -> anyhow::Result<BuiltIn> {
    built_in::chosen()?;
    built_in::catalogue().context(NONE)
}

/// What to say where the program has no catalogue.
const NONE: &str = "this program was built without a catalogue, or it is switched off (LOFTING_CATALOGUE=off). The packages have \
                    one; to build it with one, run `cargo xtask catalogue` before";

fn list(like: Option<&str>, json: bool) -> anyhow::Result<String> {
    let built_in = catalogue()?;
    let catalogue = built_in.catalogue();
    let like_lower = like.map(str::to_lowercase);
    let of_file = like.map(|like| built_in.entries_for(like)).unwrap_or_default();
    let is_like = |entry: &&CatalogueEntry| match &like_lower {
        Some(lower) => {
            let is_named = [&entry.name, &entry.url].iter().any(|text| text.to_lowercase().contains(lower));
            is_named || of_file.iter().any(|(candidate, _)| candidate == entry)
        }
        None => true,
    };
    let entries: Vec<&CatalogueEntry> = catalogue.entries().iter().filter(is_like).collect();
    if json {
        let schemas = entries.iter().map(|entry| {
            let origin = catalogue.origin(&entry.url);
            json!({
                "name": entry.name, "url": entry.url, "files": entry.patterns, "description": entry.description,
                "is_built_in": origin.is_some(), "package": origin.map(|origin| &origin.package),
                "date": origin.map(|origin| &origin.date), "licence": origin.map(|origin| &origin.licence),
            })
        });
        let versions: Vec<String> = catalogue.versions().iter().map(ToString::to_string).collect();
        let report = json!({"version": 1, "schemas": schemas.collect::<Vec<_>>(), "kubernetes": versions});
        return Ok(format!("{report}\n"));
    }
    let mut text = String::new();
    for entry in &entries {
        let origin = match catalogue.origin(&entry.url) {
            Some(origin) => format!("{} ({}, {})", origin.date, origin.package, origin.licence),
            None => "not built in".to_owned(),
        };
        let _ = writeln!(text, "{}\n    {}\n    {origin}\n    {}", entry.name, entry.url, entry.patterns.join(" "));
    }
    let built_in = entries.iter().filter(|entry| catalogue.origin(&entry.url).is_some()).count();
    let _ = writeln!(text, "{} schemas, {built_in} of them built in", entries.len());
    if like.is_none() {
        text += &versions(catalogue);
    }
    Ok(text)
}

/// A line about the versions of Kubernetes.
fn versions(catalogue: &Catalogue) -> String {
    let Some(newest) = catalogue.versions().first() else { return String::new() };
    let all: Vec<String> = catalogue.versions().iter().map(ToString::to_string).collect();
    let origin = newest
        .origin(catalogue)
        .map_or_else(String::new, |origin| format!(" ({} of {}, {})", origin.package, origin.date, origin.licence));
    format!("{} kinds of Kubernetes, in versions {}{origin}\n", catalogue.kinds(newest.number).len(), all.join(", "))
}

/// The entry that a user names: by its name, its address, the last part of that, or the name of a file.
fn named<'b>(built_in: &'b BuiltIn, name: &str) -> Option<&'b CatalogueEntry> {
    let lower = name.to_lowercase();
    let last = |url: &str| url.rsplit('/').next().unwrap_or_default().trim_end_matches(".json").to_lowercase();
    let mut by_name = built_in
        .catalogue()
        .entries()
        .iter()
        .filter(|entry| entry.name.to_lowercase() == lower || entry.url == name || last(&entry.url) == lower);
    by_name.next().or_else(|| built_in.entries_for(name).first().map(|(entry, _)| *entry))
}

/// How a user is helped on who named something that is not there.
fn unknown(name: &str) -> anyhow::Error {
    anyhow!("there is no built-in schema {name:?}: `lofting schemas list` shows them")
}

fn show(name: &str, version: Option<&str>) -> anyhow::Result<String> {
    let built_in = catalogue()?;
    let catalogue = built_in.catalogue();
    if let Some((group_version, kind)) = name.rsplit_once('/').filter(|_| !name.contains("://")) {
        let is_asked = |known: &&lofting_catalogue::Version| version.is_none_or(|asked| known.to_string() == asked);
        let Some(version) = catalogue.versions().iter().find(is_asked) else {
            let all: Vec<String> = catalogue.versions().iter().map(ToString::to_string).collect();
            bail!("only these versions of Kubernetes are built in: {}", all.join(", "));
        };
        if let Some(text) = catalogue.kind(version.number, group_version, kind) {
            return Ok(text);
        }
    }
    let entry = named(&built_in, name);
    let url = entry.map_or(name, |entry| entry.url.as_str());
    match (catalogue.document(url), entry) {
        (Some((text, _)), _) => Ok(text + "\n"),
        (None, Some(_)) => bail!("the text of `{url}` is not built in"),
        (None, None) => Err(unknown(name)),
    }
}

/// What to say where the user has no folder for copies.
const NO_HOME: &str = "there is no place for copies: this user has no home directory";

fn update(names: &[String], fetch: &FetchArguments) -> anyhow::Result<String> {
    let built_in = catalogue()?;
    let catalogue = built_in.catalogue();
    let folder = built_in::folder().context(NO_HOME)?;
    let fetcher = fetch.fetcher(None)?.context(NO_HOME)?;
    let mut entries: Vec<&CatalogueEntry> = Vec::new();
    for name in names {
        entries.push(named(&built_in, name).ok_or_else(|| unknown(name))?);
    }
    if names.is_empty() {
        entries.extend(catalogue.entries().iter().filter(|entry| catalogue.origin(&entry.url).is_some()));
    }
    let (mut copied, mut failed) = (0, 0);
    let mut why_not: Vec<String> = Vec::new();
    for entry in entries {
        let Some(name) = built_in.name_of(&entry.url) else {
            failed += 1;
            why_not.push(format!("{}: its text is not built in; what is not is fetched when it is needed", entry.name));
            continue;
        };
        match fetcher.fetch(&Wish { url: entry.url.clone(), is_chosen: false }) {
            Ok(document) if document.outdated.is_none() => {
                copy(&document.path, &folder, &name)?;
                copied += 1;
            }
            Ok(document) => {
                failed += 1;
                why_not.push(format!("{}: {}", entry.name, document.outdated.unwrap_or_default()));
            }
            Err(problem) => {
                failed += 1;
                let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
                let why = if problem.is_refusal {
                    format!("{}{help}", problem.why)
                } else {
                    format!("{}: {}", entry.url, problem.why)
                };
                if !why_not.contains(&why) {
                    why_not.push(why);
                }
            }
        }
    }
    for why in why_not.iter().take(SENTENCES) {
        terminal::say(&format!("lofting: {}", terminal::lines(why)));
    }
    if copied == 0 {
        bail!("no schema was fetched, {failed} could not be");
    }
    Ok(format!("{copied} schemas were fetched into {}, {failed} could not be\n", folder.display()))
}

/// How many reasons are given.
const SENTENCES: usize = 10;

/// Copies a fetched document to its place in the folder of newer copies, if it may be a schema.
fn copy(from: &Path, folder: &Path, name: &Path) -> anyhow::Result<()> {
    let bytes = read_bytes(from)?;
    if !matches!(serde_json::from_slice(&bytes), Ok(serde_json::Value::Object(_))) {
        bail!("what was fetched for {} is not a schema", name.display());
    }
    let copies = Folder::named(folder, Named::ByUser, true)?;
    copies.write(name, &bytes, Access::Quick).with_context(|| name.display().to_string())?;
    // The folder itself says how new its content is.
    Ok(copies.write(Path::new("updated"), b"", Access::Quick)?)
}

fn add(schema: &str, file: &Path) -> anyhow::Result<String> {
    let here = std::env::current_dir().context("no current directory")?;
    let path = normalise(&here, file);
    if !Reach::of_user().is_file(&path) {
        bail!("{}: there is no such file", file.display());
    }
    let document = schema.split('#').next().unwrap_or_default();
    let is_file = Reach::of_user().is_file(&normalise(&here, Path::new(document)));
    let built_in = built_in::catalogue();
    let entry = built_in.as_ref().filter(|_| !is_file).and_then(|built_in| named(built_in, schema));
    let schema = match entry {
        Some(entry) => entry.url.clone(),
        None if is_file || schema.contains("://") => schema.to_owned(),
        None => bail!("{schema}: there is no such file, and no built-in schema has this name"),
    };
    let config = here.join(FILE_NAME);
    let is_new = !Reach::of_user().is_file(&config);
    let before = if is_new { String::new() } else { read_text(&config)? };
    let after = with_schema(&before, &here, &path, &schema)
        .with_context(|| format!("{FILE_NAME} cannot say this as it is written: edit it by hand"))?;
    if is_new {
        let folder = Folder::named(&here, Named::ByUser, false)?;
        folder.write(Path::new(FILE_NAME), after.as_bytes(), Access::Durable)?;
    } else {
        rewrite(&config, Links::Followed, &before, &after)?
    }
    Ok(format!("{FILE_NAME}: {} has the schema {schema}\n", file.display()))
}

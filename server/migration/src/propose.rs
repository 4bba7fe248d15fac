//! A plan to begin with, which its user has to review.

use crate::data::Data;
use crate::path::{Path, Step};
use lofting_document::{FileId, Options, lower};
use lofting_syntax::resolve::Profile;
use std::fmt::Write;

/// Something that a plan may say.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposal {
    /// A key was probably renamed.
    Moved {
        /// Its path before.
        from: String,
        /// Its path now.
        to: String,
        /// How certain that is, in percent.
        certainty: u8,
    },
    /// The default of a key is now in several places.
    Split {
        /// Its path before.
        from: String,
        /// What was between the parts.
        between: &'static str,
        /// The places, each with whether the part is an integer there.
        to: Vec<(String, bool)>,
    },
    /// A key is gone.
    Removed {
        /// Its path, once the keys around it have moved.
        path: String,
        /// Its path before.
        was: String,
    },
    /// A key is gone or has moved below some of the keys that `*` stands for, and is still there below others.
    Partly {
        /// Its path.
        path: String,
    },
    /// A map is gone, and the keys in it have moved or are gone.
    Emptied {
        /// Its path.
        path: String,
    },
    /// Values may no longer be chosen.
    Values {
        /// The path.
        path: String,
        /// The values, each on one line.
        gone: Vec<String>,
    },
}

/// Writes a plan for a schema. `defaults`: the text of its earlier version and how it is read, if the values in it are
/// defaults.
pub fn proposed(schema: &str, proposals: &[Proposal], defaults: Option<(&str, Profile)>) -> String {
    let mut out = format!("schema = {}\n", quoted(schema));
    for proposal in proposals {
        out.push('\n');
        let _ = match proposal {
            Proposal::Moved { from, to, certainty } => {
                let note = format!("# This is certain to {certainty} %.");
                writeln!(out, "{note}\n[[move]]\nkey = {}\nto = {}", quoted(from), quoted(to))
            }
            Proposal::Split { from, between, to } => {
                let place = |(path, integer): &(String, bool)| {
                    let path = quoted(path);
                    if *integer { format!("{{key = {path}, integer = true}}") } else { path }
                };
                let to: Vec<String> = to.iter().map(place).collect();
                let note = "# The defaults say so.";
                let (key, between) = (quoted(from), quoted(between));
                writeln!(out, "{note}\n[[move]]\nkey = {key}\nsplit = {between}\nto = [{}]", to.join(", "))
            }
            Proposal::Removed { path, was } => {
                let default =
                    defaults.and_then(|(text, profile)| default_at(text, profile, was)).and_then(|data| in_toml(&data));
                let _ = writeln!(out, "[[move]]\nkey = {}\nremove = true", quoted(path));
                match default {
                    Some(default) => writeln!(out, "default = {default}"),
                    None => writeln!(out, "# discard = true"),
                }
            }
            Proposal::Partly { path } => {
                let note = "# The key is still there below some of these keys: write a move for each of the others.";
                writeln!(out, "{note}\n# [[move]]\n# key = {}", quoted(path))
            }
            Proposal::Emptied { path } => {
                writeln!(out, "[[move]]\nkey = {}\nremove = true\ndefault = {{}}", quoted(path))
            }
            Proposal::Values { path, gone } => {
                let _ = writeln!(out, "# [[move]]\n# key = {}\n# values = [", quoted(path));
                gone.iter().for_each(|value| {
                    let from = literal(value).and_then(|data| in_toml(&data)).unwrap_or_else(|| quoted(value));
                    let _ = writeln!(out, "#   {{from = {from}, to = \"\"}},");
                });
                writeln!(out, "# ]")
            }
        };
    }
    out
}

/// What people put between the parts of a text.
const BETWEEN: [&str; 6] = [":", "/", "@", ",", "-", " "];

/// The split of a key, if its default was what the defaults of some of the new keys are when they are put together. Each of
/// them has to be the only one with its default.
pub fn split(old: &str, new: &str, profile: Profile, path: &str, added: &[String]) -> Option<Proposal> {
    let Some(Data::String(text)) = default_at(old, profile, path) else { return None };
    let below = match default_at(new, profile, path) {
        Some(Data::Map(entries)) => entries,
        _ => Vec::new(),
    };
    let below = below.into_iter().filter_map(|(name, data)| {
        let mut inner = Path::read(path)?;
        inner.0.push(Step::Key(name));
        Some((inner.to_string(), data))
    });
    let added = added.iter().filter_map(|path| Some((path.clone(), default_at(new, profile, path)?)));
    let mut places: Vec<(String, Data)> = below.chain(added).collect();
    places.sort_by(|one, other| one.0.cmp(&other.0));
    places.dedup_by(|one, other| one.0 == other.0);
    let place = |part: &str| {
        let is_it = |data: &Data| match data {
            Data::String(text) => text == part,
            Data::Int(number) => number.to_string() == part,
            _ => false,
        };
        let mut all = places.iter().filter(|(_, data)| !part.is_empty() && is_it(data));
        let (path, data) = all.next()?;
        all.next().is_none().then(|| (path.clone(), matches!(data, Data::Int(_))))
    };
    BETWEEN.iter().find_map(|between| {
        let to: Vec<(String, bool)> = text.split(between).map(place).collect::<Option<_>>()?;
        (to.len() > 1).then(|| Proposal::Split { from: path.to_owned(), between, to })
    })
}

/// A string of TOML on one line.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// A value on one line; None if it cannot be written.
fn in_toml(data: &Data) -> Option<String> {
    match data {
        Data::Bool(value) => Some(value.to_string()),
        Data::Int(value) => i64::try_from(*value).ok().map(|value| value.to_string()),
        Data::Float(bits) => {
            Some(f64::from_bits(*bits)).filter(|number| number.is_finite()).map(|it| format!("{it:?}"))
        }
        Data::String(text) => Some(quoted(text)),
        Data::Array(items) => {
            let items: Vec<String> = items.iter().map(in_toml).collect::<Option<_>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        Data::Map(entries) => {
            let entry = |(key, value): &(String, Data)| Some(format!("{} = {}", quoted(key), in_toml(value)?));
            let entries: Vec<String> = entries.iter().map(entry).collect::<Option<_>>()?;
            Some(format!("{{{}}}", entries.join(", ")))
        }
        Data::Null | Data::Code(_) => None,
    }
}

/// The value that a text of one line stands for.
fn literal(text: &str) -> Option<Data> {
    let tree = lofting_syntax::parse(text);
    let lowered = lower(FileId(0), &tree, Profile::Core12, Options::default());
    lowered.documents.first().map(|document| Data::of(&document.value, text))
}

/// The value at a path in the documents of a text.
fn default_at(text: &str, profile: Profile, path: &str) -> Option<Data> {
    let path = Path::read(path)?;
    let tree = lofting_syntax::parse(text);
    let lowered = lower(FileId(0), &tree, profile, Options::default());
    let mut documents = lowered.documents.iter().filter(|document| !document.value.missing);
    documents.find_map(|document| {
        let mut data = Data::of(&document.value, text);
        for step in &path.0 {
            data = match (data, step) {
                (Data::Map(entries), Step::Key(name)) => entries.into_iter().find(|(key, _)| key == name)?.1,
                _ => return None,
            };
        }
        Some(data)
    })
}

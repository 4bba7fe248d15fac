//! `@ytt:data`, `@ytt:version`, `@ytt:module`, `@ytt:template`

use lofting_eval::LibraryFiles;
use lofting_interpreter::{Value, bytes};

use super::{Args, names_of};
use crate::failure::{Result, fail, unsupported};
use crate::loader::no_file;
use crate::object::{ObjectKind, object};
use crate::run::Run;

/// The version of ytt whose behaviour is followed.
const YTT_VERSION: semver::Version = semver::Version::new(0, 48, 0);

pub(super) fn invoke(args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    match args.name {
        "data.read" => {
            args.exactly(1)?;
            let path = args.text(0)?;
            let resolved = match args.home().file(path) {
                Ok(resolved) => resolved,
                Err(why) => return fail(format!("data.read: {}", no_file(path, &why))),
            };
            match run.host.files.read(&resolved) {
                Some(content) => Ok(Value::text(bytes::text(&content))),
                None => fail(format!(
                    "data.read: Expected to find file '{path}' (hint: only files included via -f flag are available)"
                )),
            }
        }
        "data.list" => {
            if args.positional.len() > 1 {
                return fail("data.list: expected exactly zero or one argument");
            }
            let path = if args.positional.is_empty() { "" } else { args.text(0)? };
            let directory = match args.home().folder(path) {
                Ok(directory) => directory,
                Err(why) => return fail(format!("data.list: {why}")),
            };
            let Some(files) = run.host.files.list(&directory) else {
                return unsupported("data.list: it is not known here which files ytt gets");
            };
            if files.is_empty() && !path.is_empty() {
                return fail(format!("data.list: Expected to find directory '{path}'"));
            }
            // The listed paths are relative to the directory; a path from the root gives paths that begin with a slash.
            let root = if path.starts_with('/') { "/" } else { "" };
            let relative = |file: &String| {
                let below = file.strip_prefix(directory.as_str()).unwrap_or(file).trim_start_matches('/');
                format!("{root}{below}")
            };
            Ok(Value::list(files.iter().map(relative).map(Value::from).collect()))
        }
        "version.require_at_least" => {
            args.exactly(1)?;
            let text = args.text(0)?;
            match semver::Version::parse(text) {
                Ok(wanted) if wanted <= YTT_VERSION => Ok(Value::None),
                // No such ytt exists.
                Ok(wanted) if wanted.major > YTT_VERSION.major => fail(format!(
                    "version.require_at_least: ytt version {YTT_VERSION} does not meet the minimum required version \
                     {wanted}"
                )),
                // The user may have a newer ytt than the one followed here.
                Ok(wanted) => unsupported(format!(
                    "ytt {wanted} or newer is required; the behaviour of {YTT_VERSION} is known here"
                )),
                Err(error) => fail(format!("version.require_at_least: {error}")),
            }
        }
        "module.make" => {
            args.exactly(1)?;
            let name = args.text(0)?;
            let values = args.named.iter().map(|(_, value)| value.clone()).collect();
            Ok(object(ObjectKind::Bag(name.into(), names_of(&args.named).into()), values))
        }
        "template.replace" => {
            args.exactly(1)?;
            let replacement = object(ObjectKind::Replace, vec![args.first().clone()]);
            // It replaces the node that is open, also where it is a statement and not the value of a node.
            run.host.replaces(&replacement);
            Ok(replacement)
        }
        _ => fail(format!("unknown function {}", args.name)),
    }
}

//! ytt's input flags, with ytt's names (`ytt --help`).

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use crate::evaluation::EvaluationArguments;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use lofting_workspace::inputs::{AllowedLinks, InputContext, InputFlags, InputOptions};

// The inputs of a `ytt` call.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "ytt's input flags, which name one set of inputs instead of the workspace")]
pub(crate) struct InputArguments {
    /// File, directory, pipe, NAME=FILE or `-` for stdin; may be repeated.
    #[arg(short = 'f', long = "file", value_name = "[NAME=]PATH")]
    pub(crate) files: Vec<String>,
    /// Plain YAML file with data values; may be repeated.
    #[arg(long, value_name = "[LIB:][NAME=]PATH")]
    pub(crate) data_values_file: Vec<String>,
    /// Data value as a string; may be repeated.
    #[arg(short = 'v', long, value_name = "[LIB:]KEY=VALUE")]
    pub(crate) data_value: Vec<String>,
    /// Data value as YAML; may be repeated.
    #[arg(long, value_name = "[LIB:]KEY=YAML")]
    pub(crate) data_value_yaml: Vec<String>,
    /// Data value from a file, as a string; may be repeated.
    #[arg(hide_short_help = true, long, value_name = "[LIB:]KEY=[NAME=]PATH")]
    pub(crate) data_value_file: Vec<String>,
    /// Data values from environment variables with a prefix, as strings; may be repeated.
    #[arg(hide_short_help = true, long, value_name = "PREFIX")]
    pub(crate) data_values_env: Vec<String>,
    /// Data values from environment variables with a prefix, as YAML; may be repeated.
    #[arg(hide_short_help = true, long, value_name = "PREFIX")]
    pub(crate) data_values_env_yaml: Vec<String>,
    /// Change the kind or the path of a file, such as `config.txt:type=yaml-template`; may be repeated.
    #[arg(hide_short_help = true, long, value_name = "PATH:MARK=VALUE")]
    pub(crate) file_mark: Vec<String>,
    /// Accept ordinary comments in templates.
    #[arg(hide_short_help = true, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub(crate) ignore_unknown_comments: bool,
    /// Let the last of several equal keys in a template take effect.
    #[arg(hide_short_help = true, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub(crate) implicit_map_key_overrides: bool,
    /// Strict mode of ytt: unquoted text that could be read in two ways is an error.
    /// Without other input flags, `check` fails if something that was asked for cannot be checked.
    #[arg(hide_short_help = true, short = 's', long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub(crate) strict: bool,
    /// Do not run the validations of the schema.
    #[arg(hide_short_help = true, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub(crate) dangerous_data_values_disable_validation: bool,
    /// Follow symbolic links that lead to this path or below it; may be repeated, or have several with commas.
    #[arg(hide_short_help = true, long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) allow_symlink_destination: Vec<String>,
    /// Follow all symbolic links.
    #[arg(hide_short_help = true, long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub(crate) dangerous_allow_all_symlink_destinations: bool,
    /// Accepted for compatibility with ytt, where it prints internals.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set, hide = true)]
    pub(crate) debug: bool,
    /// Flags of ytt that are refused with a reason.
    #[command(flatten)]
    pub(crate) refused: RefusedArguments,
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArguments,
}

// Flags of ytt for which there is another way here.
#[derive(Args, Debug, Default)]
pub(crate) struct RefusedArguments {
    #[arg(long, value_name = "JSON", hide = true)]
    bulk_in: Option<String>,
    #[arg(long, hide = true)]
    bulk_out: bool,
    #[arg(long, value_name = "DIR", hide = true)]
    output_directory: Option<String>,
    #[arg(long, hide = true)]
    data_values_inspect: bool,
    #[arg(long, hide = true)]
    data_values_schema_inspect: bool,
}

impl InputArguments {
    /// Refuses the flags that are not supported, with the reason.
    pub(crate) fn refused(&self) -> anyhow::Result<()> {
        let RefusedArguments { bulk_in, bulk_out, output_directory, data_values_inspect, data_values_schema_inspect } =
            &self.refused;
        let reasons = [
            (bulk_in.is_some(), "--bulk-in is not supported: pass the files with -f, or one of them as `-f -`"),
            (*bulk_out, "--bulk-out is not supported: --output-files writes files, -o json prints documents"),
            (output_directory.is_some(), "--output-directory is the old name of --dangerous-emptied-output-directory"),
            (*data_values_inspect, "--data-values-inspect: `lofting values` prints the final data values"),
            (
                *data_values_schema_inspect,
                "--data-values-schema-inspect: `lofting schema --to openapi-v3` prints the schema",
            ),
        ];
        match reasons.into_iter().find(|(given, _)| *given) {
            Some((_, reason)) => bail!(reason),
            None => Ok(()),
        }
    }

    /// The flags in the form that the workspace uses.
    pub(crate) fn to_flags(&self) -> InputFlags {
        InputFlags {
            files: self.files.clone(),
            data_values_files: self.data_values_file.clone(),
            data_values: self.data_value.clone(),
            data_values_yaml: self.data_value_yaml.clone(),
            data_value_files: self.data_value_file.clone(),
            data_values_env: self.data_values_env.clone(),
            data_values_env_yaml: self.data_values_env_yaml.clone(),
            file_marks: self.file_mark.clone(),
            allowed_links: AllowedLinks {
                all: self.dangerous_allow_all_symlink_destinations,
                destinations: self.allow_symlink_destination.clone(),
            },
            options: InputOptions {
                ignore_unknown_comments: self.ignore_unknown_comments,
                implicit_map_key_overrides: self.implicit_map_key_overrides,
                strict: self.strict,
                disable_validation: self.dangerous_data_values_disable_validation,
            },
        }
    }
}

/// What the flags can refer to: this process's directory, its environment, the standard input if a flag is `-`, and pipes.
pub(crate) fn context(flags: &InputFlags, base: PathBuf) -> anyhow::Result<InputContext> {
    let of_files = flags.files.iter().chain(&flags.data_value_files);
    let of_values = flags.data_values_files.iter().map(|given| match given.split_once(':') {
        Some((library, path)) if library.starts_with('@') => path,
        _ => given.as_str(),
    });
    let mut streams = BTreeMap::new();
    // Keys and names are before the path.
    let path_of = |given| str::rsplit(given, '=').next().unwrap_or(given);
    for path in of_files.map(String::as_str).chain(of_values).map(path_of) {
        let text = match path {
            "-" if streams.contains_key(path) => {
                bail!("the standard input can be read only once, and two flags are `-`")
            }
            "-" => read_stdin()?,
            _ if streams.contains_key(path) => continue,
            _ => match lofting_workspace::read_pipe(&base.join(path)) {
                Some(text) => text.with_context(|| path.to_owned())?,
                None => continue,
            },
        };
        streams.insert(path.to_owned(), text);
    }
    // Names and values that are not UTF-8 cannot be data values.
    let text = |value: std::ffi::OsString| value.into_string().ok();
    let environment = std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
    Ok(InputContext { base, environment, streams })
}

/// The text on stdin, within the size of a file.
pub(crate) fn read_stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    // One byte more than allowed, to notice that there is more.
    std::io::stdin().take(lofting_workspace::MAX_FILE_SIZE + 1).read_to_end(&mut bytes).context("stdin")?;
    if bytes.len() as u64 > lofting_workspace::MAX_FILE_SIZE {
        bail!("stdin: more than {} MB", lofting_workspace::MAX_FILE_SIZE >> 20);
    }
    String::from_utf8(bytes)
        .map_err(|error| anyhow!("stdin: not UTF-8 text: byte {} cannot be decoded", error.utf8_error().valid_up_to()))
}

//! `--file-mark 'PATH:KEY=VALUE'` (reference 3.2).

use super::{InputError, InputFile, Role};

/// Applies the marks in their order. Paths are matched against the names the files had before any
/// mark.
pub(super) fn apply(marks: &[String], files: &mut Vec<InputFile>, errors: &mut Vec<InputError>) {
    if marks.is_empty() {
        return;
    }
    let mut marked: Vec<(String, InputFile, bool)> =
        files.drain(..).map(|file| (file.name.clone(), file, false)).collect();
    for mark in marks {
        if let Err(message) = apply_one(mark, &mut marked) {
            errors.push(InputError { flag: "--file-mark", value: mark.clone(), message });
        }
    }
    files.extend(marked.into_iter().filter(|(_, _, excluded)| !excluded).map(|(_, file, _)| file));
}

fn apply_one(mark: &str, files: &mut [(String, InputFile, bool)]) -> Result<(), String> {
    let (pattern, setting) = mark.split_once(':').ok_or("expected PATH:KEY=VALUE, but there is no ':'")?;
    let (key, value) = setting.split_once('=').ok_or("expected PATH:KEY=VALUE, but there is no '='")?;
    let action = Action::read(key, value)?;
    let pattern = Pattern::new(pattern)?;
    let mut matched = false;
    for (original, file, excluded) in files {
        if !pattern.matches(original) {
            continue;
        }
        matched = true;
        match &action {
            Action::Rename(name) => file.rename(name),
            Action::Exclude => *excluded = true,
            Action::Role(role) => file.role = *role,
            Action::None => {}
        }
    }
    if matched { Ok(()) } else { Err(format!("no input file matches the path '{}'", pattern.source)) }
}

/// What a mark does to what we read. What it does to ytt's output is none of our concern.
enum Action {
    Rename(String),
    Exclude,
    Role(Role),
    None,
}

impl Action {
    fn read(key: &str, value: &str) -> Result<Action, String> {
        match (key, value) {
            ("path", "") => Err("the new path is empty".to_owned()),
            ("path", name) => Ok(Action::Rename(name.to_owned())),
            ("exclude", "true") => Ok(Action::Exclude),
            ("type", kind) => Ok(Action::Role(match kind {
                "yaml-template" => Role::YamlTemplate,
                "yaml-plain" => Role::YamlPlain,
                "text-template" => Role::TextTemplate,
                "starlark" => Role::Library,
                "text-plain" | "data" => Role::Data,
                _ => {
                    return Err(format!(
                        "unknown type '{kind}' (known: yaml-template, yaml-plain, text-template, \
                         text-plain, starlark, data)"
                    ));
                }
            })),
            ("for-output" | "exclusive-for-output", "true") => Ok(Action::None),
            ("exclude" | "for-output" | "exclusive-for-output", _) => {
                Err(format!("'{key}' can only be 'true', not '{value}'"))
            }
            _ => Err(format!("unknown key '{key}' (known: path, exclude, type, for-output, exclusive-for-output)")),
        }
    }
}

/// `**/*` matches any depth, `*` within one level.
struct Pattern {
    source: String,
    matcher: globset::GlobMatcher,
}

impl Pattern {
    fn new(source: &str) -> Result<Pattern, String> {
        let mut glob = String::with_capacity(source.len());
        for letter in source.chars() {
            // ytt knows only stars; whatever else a glob would read specially stands for itself.
            if matches!(letter, '?' | '[' | ']' | '{' | '}' | '\\') {
                glob.push('\\');
            }
            glob.push(letter);
        }
        let matcher = globset::GlobBuilder::new(&glob)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|error| error.to_string())?
            .compile_matcher();
        Ok(Pattern { source: source.to_owned(), matcher })
    }

    fn matches(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}

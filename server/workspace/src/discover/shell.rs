//! A shell parser that is just good enough to find the words of a `ytt` command: quotes, continuation lines,
//! separators, comments, variables, `cd`. Anything else makes a word unknown, never wrong.

use super::UNKNOWN;
use super::variables::Variables;

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, quotes removed; unknown parts between [`UNKNOWN`] marks.
    pub words: Vec<String>,
    /// Line in the text, from 0.
    pub line: usize,
    /// The directory it runs in, relative to where the text is run.
    pub directory: String,
}

/// How variables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `$x`, `${x}`; `$(...)` is a command.
    Shell,
    /// `$(x)`, `${x}`, `$x` with one letter; `$$x` is the shell's.
    Make,
    /// Like the shell, and `{{x}}` or `{{.x}}`.
    Braces,
}

/// The simple commands of a text, in order; those inside `$(...)` come after the one around them.
pub(super) fn commands(text: &str, dialect: Dialect, variables: &mut Variables) -> Vec<Simple> {
    let mut found = Vec::new();
    let mut pending = vec![(text.to_owned(), 0)];
    // Inner texts are parsed separately; people nest them once or twice.
    let mut budget = text.len().saturating_mul(8);
    while let Some((text, line)) = pending.pop() {
        let Some(left) = budget.checked_sub(text.len()) else { break };
        budget = left;
        let mut reader = ShellReader::new(&text, line, dialect, variables);
        reader.run();
        let ShellReader { commands, inner, .. } = reader;
        found.extend(commands);
        pending.extend(inner.into_iter().rev());
    }
    found
}

struct ShellReader<'t, 'v> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: usize,
    dialect: Dialect,
    variables: &'v mut Variables,
    commands: Vec<Simple>,
    /// Texts of `$(...)` and the like with their lines.
    inner: Vec<(String, usize)>,
    words: Vec<String>,
    word: Option<String>,
    start: usize,
    directory: String,
    /// How many bytes variables may still add: a few letters can stand for a long value, again and again.
    bytes_left: usize,
}

/// How many times longer variables may make a text, apart from a small constant.
const GROWTH: usize = 8;
const LITTLE: usize = 64 * 1024;

/// Longer names of directories belong to none.
const MAX_DIRECTORY: usize = 4096;

impl<'t, 'v> ShellReader<'t, 'v> {
    fn new(text: &'t str, line: usize, dialect: Dialect, variables: &'v mut Variables) -> Self {
        ShellReader {
            rest: text.chars().peekable(),
            line,
            dialect,
            variables,
            commands: Vec::new(),
            inner: Vec::new(),
            words: Vec::new(),
            word: None,
            start: line,
            directory: String::new(),
            bytes_left: text.len().saturating_mul(GROWTH).saturating_add(LITTLE),
        }
    }

    fn run(&mut self) {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => match self.rest.next() {
                    Some('\n') => self.line += 1,
                    Some('\r') => {
                        self.rest.next_if_eq(&'\n');
                        self.line += 1;
                    }
                    Some(next) => self.push(next),
                    None => {}
                },
                '\n' => {
                    self.end_command();
                    self.line += 1;
                    self.start = self.line;
                }
                ' ' | '\t' | '\r' => self.end_word(),
                '#' if self.word.is_none() => while self.rest.next_if(|next| *next != '\n').is_some() {},
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '$' => self.dollar(),
                '{' if self.dialect == Dialect::Braces && self.rest.peek() == Some(&'{') => self.braces(),
                '`' => {
                    let line = self.line;
                    let text = self.until('`');
                    self.inner.push((text, line));
                    self.push_unknown("command");
                }
                '<' | '>' if self.rest.peek() == Some(&'(') => {
                    self.rest.next();
                    let line = self.line;
                    let text = self.balanced();
                    self.inner.push((text, line));
                    self.push_unknown("process");
                }
                '>' | '<' => self.redirection(),
                '|' | ';' | '&' | '(' | ')' => {
                    self.end_command();
                    self.start = self.line;
                }
                letter => self.push(letter),
            }
        }
        self.end_command();
    }

    fn push(&mut self, letter: char) {
        if self.words.is_empty() && self.word.is_none() {
            self.start = self.line;
        }
        // The mark of unknown parts cannot be written.
        if letter != UNKNOWN {
            self.word.get_or_insert_default().push(letter);
        }
    }

    fn push_str(&mut self, text: &str) {
        self.word.get_or_insert_default().push_str(text);
    }

    fn push_variable(&mut self, name: &str) {
        let value = self.variables.expand(name);
        match self.bytes_left.checked_sub(value.len()) {
            Some(left) => {
                self.bytes_left = left;
                self.push_str(&value);
            }
            None => self.push_unknown("value"),
        }
    }

    fn push_unknown(&mut self, name: &str) {
        self.push_str(&format!("{UNKNOWN}{name}{UNKNOWN}"));
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_command(&mut self) {
        self.end_word();
        let words = std::mem::take(&mut self.words);
        let Some(first) = words.first() else { return };
        if words.len() == 1 || matches!(first.as_str(), "export" | "local" | "readonly" | "declare") {
            for word in &words {
                if let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_name(name)) {
                    self.variables.set(name, value.to_owned());
                }
            }
        }
        if first == "for"
            && let Some(name) = words.get(1)
        {
            self.variables.forget(name);
        }
        if matches!(first.as_str(), "cd" | "pushd") {
            let target = words.get(1).map_or("", String::as_str);
            self.directory = join(&self.directory, target);
            if self.directory.len() > MAX_DIRECTORY {
                self.directory = format!("{UNKNOWN}directory{UNKNOWN}");
            }
            return;
        }
        self.commands.push(Simple { words, line: self.start, directory: self.directory.clone() });
    }

    fn single_quoted(&mut self) {
        self.push_str("");
        for letter in self.rest.by_ref() {
            match letter {
                '\'' => return,
                '\n' => self.line += 1,
                _ => {}
            }
            self.word.get_or_insert_default().push(letter);
        }
    }

    fn double_quoted(&mut self) {
        self.push_str("");
        while let Some(letter) = self.rest.next() {
            match letter {
                '"' => return,
                '\\' => match self.rest.next() {
                    Some('\n') => self.line += 1,
                    Some(next) if matches!(next, '"' | '\\' | '$' | '`') => self.push(next),
                    Some(next) => {
                        self.push('\\');
                        self.push(next);
                    }
                    None => {}
                },
                '$' => self.dollar(),
                '{' if self.dialect == Dialect::Braces && self.rest.peek() == Some(&'{') => self.braces(),
                '`' => {
                    let line = self.line;
                    let text = self.until('`');
                    self.inner.push((text, line));
                    self.push_unknown("command");
                }
                letter => {
                    if letter == '\n' {
                        self.line += 1;
                    }
                    self.push(letter);
                }
            }
        }
    }

    /// After a `$`.
    fn dollar(&mut self) {
        match self.rest.peek().copied() {
            Some('$') if self.dialect == Dialect::Make => {
                // `$$x` is the shell's `$x`.
                self.rest.next();
                if self.rest.peek() == Some(&'(') {
                    self.rest.next();
                    let line = self.line;
                    let text = self.balanced();
                    self.inner.push((text, line));
                    self.push_unknown("command");
                } else {
                    let name = self.name();
                    self.push_unknown(&name);
                }
            }
            Some('{') => {
                self.rest.next();
                if self.rest.peek() == Some(&'{') {
                    // `${{ ... }}` of GitHub.
                    self.rest.next();
                    self.until('}');
                    self.rest.next_if_eq(&'}');
                    self.push_unknown("expression");
                    return;
                }
                let text = self.until('}');
                self.parameter(&text);
            }
            Some('(') => {
                self.rest.next();
                let line = self.line;
                let text = self.balanced();
                if self.dialect == Dialect::Make && is_name(&text) {
                    self.push_variable(&text);
                } else {
                    self.inner.push((text, line));
                    self.push_unknown("command");
                }
            }
            Some(letter) if letter == '_' || letter.is_ascii_alphabetic() => {
                let name = self.name();
                self.push_variable(&name);
            }
            // `$1`, `$@`, `$?`
            Some(letter) if letter.is_ascii_digit() || "@*?#!-".contains(letter) => {
                self.rest.next();
                self.push_unknown(&letter.to_string());
            }
            _ => self.push('$'),
        }
    }

    /// `${name}`, `${name:-default}`
    fn parameter(&mut self, text: &str) {
        let end = text.find(|letter: char| !is_name_letter(letter)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let value = self.variables.expand(name);
        let default = rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-'));
        match default {
            _ if rest.is_empty() => self.push_variable(name),
            Some(default) if value.contains(UNKNOWN) && !default.contains('$') => {
                let default = default.to_owned();
                self.push_str(&default);
            }
            _ => self.push_unknown(name),
        }
    }

    /// `{{name}}`, `{{.name}}`
    fn braces(&mut self) {
        self.rest.next();
        let text = self.until('}');
        self.rest.next_if_eq(&'}');
        let name = text.trim().trim_start_matches('.').trim();
        if is_name(name) {
            self.push_variable(name);
        } else {
            self.push_unknown("expression");
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(letter) = self.rest.next_if(|letter| is_name_letter(*letter)) {
            name.push(letter);
        }
        name
    }

    fn until(&mut self, end: char) -> String {
        let mut text = String::new();
        for letter in self.rest.by_ref() {
            if letter == end {
                break;
            }
            if letter == '\n' {
                self.line += 1;
            }
            text.push(letter);
        }
        text
    }

    /// Up to the parenthesis that closes one already open.
    fn balanced(&mut self) -> String {
        let mut text = String::new();
        let mut depth = 1_usize;
        for letter in self.rest.by_ref() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                '\n' => self.line += 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            text.push(letter);
        }
        text
    }

    /// `> file`, `2>&1`: the target is not a word of the command.
    fn redirection(&mut self) {
        if self.word.as_deref().is_some_and(|word| word.chars().all(|letter| letter.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        while self.rest.next_if(|letter| matches!(letter, '>' | '<' | '&' | ' ')).is_some() {}
        let stops = |letter: &char| letter.is_whitespace() || "|;&()<>".contains(*letter);
        while self.rest.next_if(|letter| !stops(letter)).is_some() {}
    }
}

fn is_name_letter(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_letter) && !text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A directory below another one; absolute and unknown ones stay as they are.
pub(super) fn join(directory: &str, target: &str) -> String {
    if target.is_empty() {
        return directory.to_owned();
    }
    if directory.is_empty() || target.starts_with('/') || target.starts_with(UNKNOWN) {
        target.to_owned()
    } else {
        format!("{directory}/{target}")
    }
}

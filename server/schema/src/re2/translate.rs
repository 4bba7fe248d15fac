//! Go's syntax, rewritten in that of the `regex` crate.

use super::{Mistake, PatternError, failure, properties};

/// The classes of `[[:name:]]`.
const CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// The pattern in the syntax of the `regex` crate.
pub(super) fn translate(pattern: &str) -> Result<String, PatternError> {
    let mut translator = Translator {
        rest: pattern,
        out: String::with_capacity(pattern.len() + 16),
        groups: 0,
        atom: false,
        names: Vec::new(),
    };
    translator.run(pattern)?;
    Ok(translator.out)
}

struct Translator<'p> {
    rest: &'p str,
    out: String,
    groups: usize,
    /// There is something before that can be repeated.
    atom: bool,
    /// The names of groups.
    names: Vec<&'p str>,
}

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = "\\t\\n\\f\\r\\x20";

impl<'p> Translator<'p> {
    fn bump(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = self.rest.get(next.len_utf8()..).unwrap_or("");
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn run(&mut self, pattern: &str) -> Result<(), PatternError> {
        let mut repeat_start: Option<&'p str> = None;
        loop {
            let before = self.rest;
            let Some(next) = self.bump() else { break };
            match next {
                '*' | '+' | '?' => {
                    self.repeat(before, 1, &mut repeat_start)?;
                    continue;
                }
                '{' => {
                    if let Some(len) = counted(before)? {
                        self.repeat(before, len, &mut repeat_start)?;
                        continue;
                    }
                    self.out.push_str("\\{");
                    self.atom = true;
                }
                '}' => {
                    self.out.push_str("\\}");
                    self.atom = true;
                }
                ']' => {
                    self.out.push_str("\\]");
                    self.atom = true;
                }
                '(' => self.group(before)?,
                ')' => {
                    self.groups =
                        self.groups.checked_sub(1).ok_or_else(|| failure(Mistake::UnexpectedParenthesis, pattern))?;
                    self.out.push(')');
                    self.atom = true;
                }
                '|' => {
                    self.out.push('|');
                    self.atom = false;
                }
                '^' | '$' => {
                    self.out.push(next);
                    self.atom = true;
                }
                '[' => {
                    self.class(before)?;
                    self.atom = true;
                }
                '\\' => {
                    self.escape(before)?;
                    self.atom = true;
                }
                other => {
                    self.out.push(other);
                    self.atom = true;
                }
            }
            repeat_start = None;
        }
        if self.groups > 0 { Err(failure(Mistake::MissingParenthesis, pattern)) } else { Ok(()) }
    }

    /// A repetition operator of `len` bytes at `before`; its first byte has been consumed.
    fn repeat(&mut self, before: &'p str, len: usize, repeat_start: &mut Option<&'p str>) -> Result<(), PatternError> {
        self.rest = before.get(len..).unwrap_or("");
        self.eat("?");
        let operator = before.get(..before.len() - self.rest.len()).unwrap_or("");
        if let Some(start) = *repeat_start {
            let both = start.get(..start.len() - self.rest.len()).unwrap_or(operator);
            return Err(failure(Mistake::NestedRepetition, both));
        }
        if !self.atom {
            return Err(failure(Mistake::NothingToRepeat, operator));
        }
        *repeat_start = Some(before);
        self.out.push_str(operator);
        Ok(())
    }

    fn group(&mut self, before: &str) -> Result<(), PatternError> {
        self.groups += 1;
        self.atom = false;
        self.out.push('(');
        if !self.eat("?") {
            return Ok(());
        }
        let unsupported = || {
            let end = if before.starts_with("(?<=") || before.starts_with("(?<!") { 4 } else { 3 };
            failure(Mistake::Perl, before.get(..end).unwrap_or(before))
        };
        let is_behind = ["<=", "<!"].iter().any(|behind| self.rest.starts_with(behind));
        if self.eat("P<") || (!is_behind && self.eat("<")) {
            let Some((name, rest)) = self.rest.split_once('>') else {
                return Err(failure(Mistake::NamedCapture, before));
            };
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Err(failure(Mistake::NamedCapture, before.get(..before.len() - rest.len()).unwrap_or(before)));
            }
            self.rest = rest;
            // In Go, names of groups may begin with a digit, and several groups may have one. Only replacements refer to
            // names, so ours may differ.
            if !self.names.contains(&name) {
                self.names.push(name);
                let before = if name.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
                self.out.push_str(&format!("?P<{before}{name}>"));
            }
            return Ok(());
        }
        let end = self.rest.find([')', ':']).ok_or_else(|| failure(Mistake::MissingParenthesis, before))?;
        let flags = self.rest.get(..end).unwrap_or("");
        let closes = self.rest.get(end..).is_some_and(|rest| rest.starts_with(')'));
        if !flags.chars().all(|flag| "imsU-".contains(flag)) || flags.matches('-').count() > 1 || flags.ends_with('-') {
            return Err(unsupported());
        }
        self.rest = self.rest.get(end + 1..).unwrap_or("");
        if closes {
            self.groups -= 1;
        }
        if flags.is_empty() && closes {
            self.out.pop();
            return Ok(());
        }
        self.out.push('?');
        self.out.push_str(flags);
        self.out.push(if closes { ')' } else { ':' });
        Ok(())
    }

    fn escape(&mut self, before: &str) -> Result<(), PatternError> {
        if self.eat("Q") {
            let (literal, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
            self.out.push_str(&regex::escape(literal));
            self.rest = rest;
            return Ok(());
        }
        let Some(next) = self.bump() else {
            return Err(failure(Mistake::TrailingBackslash, ""));
        };
        match next {
            'd' => self.out.push_str(&format!("[{DIGIT}]")),
            'D' => self.out.push_str(&format!("[^{DIGIT}]")),
            'w' => self.out.push_str(&format!("[{WORD}]")),
            'W' => self.out.push_str(&format!("[^{WORD}]")),
            's' => self.out.push_str(&format!("[{SPACE}]")),
            'S' => self.out.push_str(&format!("[^{SPACE}]")),
            'b' => self.out.push_str("(?-u:\\b)"),
            'B' => self.out.push_str("(?-u:\\B)"),
            'A' | 'z' => {
                self.out.push('\\');
                self.out.push(next);
            }
            other => self.character(other, before)?,
        }
        Ok(())
    }

    /// An escape that stands for one character, in a class or outside; `next` has been consumed.
    fn character(&mut self, next: char, before: &str) -> Result<(), PatternError> {
        match next {
            'a' | 'f' | 't' | 'n' | 'r' | 'v' => {
                self.out.push('\\');
                self.out.push(next);
            }
            'x' => {
                let digits = if self.eat("{") {
                    let Some((digits, rest)) = self.rest.split_once('}') else { return Err(invalid_escape(before, 2)) };
                    self.rest = rest;
                    digits
                } else {
                    let Some((digits, rest)) = self.rest.split_at_checked(2) else {
                        return Err(invalid_escape(before, 2));
                    };
                    self.rest = rest;
                    digits
                };
                let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                match u32::from_str_radix(digits, 16).ok().filter(|_| valid).and_then(char::from_u32) {
                    Some(character) => self.out.push_str(&format!("\\x{{{:x}}}", character as u32)),
                    None => return Err(invalid_escape(before, 2)),
                }
            }
            'p' | 'P' => {
                let name = if self.eat("{") {
                    let Some((name, rest)) = self.rest.split_once('}') else {
                        return Err(failure(Mistake::ClassRange, before));
                    };
                    self.rest = rest;
                    name
                } else {
                    let here = self.rest;
                    self.bump();
                    here.get(..here.len() - self.rest.len()).unwrap_or("")
                };
                let bare = name.strip_prefix('^');
                let negated = (next == 'P') != bare.is_some();
                let Some(set) = properties::set(bare.unwrap_or(name), negated) else {
                    let whole = before.get(..before.len() - self.rest.len()).unwrap_or(before);
                    return Err(failure(Mistake::ClassRange, whole));
                };
                self.out.push_str(&set);
            }
            '0'..='7' => {
                // A single digit other than 0 would be a back reference, which RE2 does not have.
                let more = self.rest.bytes().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                if next != '0' && more == 0 {
                    return Err(invalid_escape(before, 2));
                }
                let digits = before.get(1..2 + more).unwrap_or("0");
                let value = u32::from_str_radix(digits, 8).unwrap_or(0);
                self.rest = self.rest.get(more..).unwrap_or("");
                self.out.push_str(&format!("\\x{{{value:x}}}"));
            }
            // Blanks and control characters as well.
            other if other.is_ascii() && !other.is_ascii_alphanumeric() => {
                self.out.push_str(&regex::escape(&other.to_string()))
            }
            other if !other.is_ascii() => return Err(invalid_escape(before, 1 + other.len_utf8())),
            _ => return Err(invalid_escape(before, 2)),
        }
        Ok(())
    }

    /// A class; its bracket has been consumed. A hyphen stands for itself wherever Go begins to read a character.
    fn class(&mut self, before: &str) -> Result<(), PatternError> {
        self.out.push('[');
        if self.eat("^") {
            self.out.push('^');
        }
        let mut first = true;
        while first || !self.eat("]") {
            first = false;
            let here = self.rest;
            let named = here.strip_prefix("[:").and_then(|rest| rest.split_once(":]"));
            if let Some((name, rest)) = named {
                if !CLASSES.contains(&name.trim_start_matches('^')) {
                    return Err(failure(Mistake::ClassRange, &format!("[:{name}:]")));
                }
                self.out.push_str(&format!("[:{name}:]"));
                self.rest = rest;
                continue;
            }
            let escaped = here.strip_prefix('\\').and_then(|rest| rest.chars().next());
            if let Some(letter @ ('d' | 'w' | 's' | 'D' | 'W' | 'S' | 'p' | 'P')) = escaped {
                self.rest = here.get(2..).unwrap_or("");
                match letter {
                    'd' => self.out.push_str(DIGIT),
                    'w' => self.out.push_str(WORD),
                    's' => self.out.push_str(SPACE),
                    'D' => self.out.push_str(&format!("[^{DIGIT}]")),
                    'W' => self.out.push_str(&format!("[^{WORD}]")),
                    'S' => self.out.push_str(&format!("[^{SPACE}]")),
                    _ => self.character(letter, here)?,
                }
                continue;
            }
            self.class_character(before)?;
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.bump();
                self.out.push('-');
                self.class_character(before)?;
            }
        }
        self.out.push(']');
        Ok(())
    }

    /// A character of the class that begins at `before`, or the end of a range in it.
    fn class_character(&mut self, before: &str) -> Result<(), PatternError> {
        let here = self.rest;
        match self.bump() {
            None => return Err(failure(Mistake::MissingBracket, before)),
            Some('\\') => match self.bump() {
                None => return Err(failure(Mistake::TrailingBackslash, "")),
                Some('p' | 'P') => return Err(invalid_escape(here, 2)),
                Some(other) => self.character(other, here)?,
            },
            Some(other) => {
                // What has a meaning in the classes of the `regex` crate.
                if matches!(other, '&' | '~' | '[' | ']' | '^' | '-') {
                    self.out.push('\\');
                }
                self.out.push(other);
            }
        }
        Ok(())
    }
}

fn invalid_escape(before: &str, len: usize) -> PatternError {
    failure(Mistake::Escape, before.get(..len).unwrap_or(before))
}

/// The length of `{n}`, `{n,}` or `{n,m}` at the start of `text`; None if the brace is a plain character.
fn counted(text: &str) -> Result<Option<usize>, PatternError> {
    let Some(end) = text.find('}') else { return Ok(None) };
    let inner = text.get(1..end).unwrap_or("");
    let (low, high) = inner.split_once(',').map_or((inner, None), |(low, high)| (low, Some(high)));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(low) || high.is_some_and(|high| !high.is_empty() && !digits(high)) {
        return Ok(None);
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(u32::MAX);
    let high_number = high.filter(|high| !high.is_empty()).map(number);
    if number(low) > 1000 || high_number.is_some_and(|high| high > 1000 || high < number(low)) {
        return Err(failure(Mistake::RepeatCount, text.get(..end + 1).unwrap_or(text)));
    }
    Ok(Some(end + 1))
}

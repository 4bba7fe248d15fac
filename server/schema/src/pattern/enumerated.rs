//! Patterns that are lists of words: `^(get|put)$`.

use super::Pattern;

/// Longer lists are not taken apart.
const WORDS: usize = 200;

/// Nor are longer patterns (in bytes).
const LONGEST: usize = 10_000;

/// Groups may contain groups.
const NESTING: usize = 8;

impl Pattern {
    /// The texts that match, if the pattern is nothing but a list of them: letters, groups and alternatives between `^` and
    /// `$`.
    pub fn words(&self) -> Option<Vec<String>> {
        let mut reader = Reader { rest: Some(self.source.as_str()).filter(|source| source.len() <= LONGEST)? };
        let mut words = Vec::new();
        loop {
            reader.rest = reader.rest.strip_prefix('^')?;
            words.extend(reader.sequence(0)?);
            reader.rest = reader.rest.strip_prefix('$')?;
            match reader.rest.strip_prefix('|') {
                Some(rest) => reader.rest = rest,
                None => break,
            }
        }
        (reader.rest.is_empty() && words.len() <= WORDS && words.iter().all(|word| !word.is_empty())).then_some(words)
    }
}

struct Reader<'s> {
    rest: &'s str,
}

impl Reader<'_> {
    /// Alternatives up to the end of a group.
    fn alternatives(&mut self, depth: usize) -> Option<Vec<String>> {
        let mut words = self.sequence(depth)?;
        while let Some(rest) = self.rest.strip_prefix('|') {
            self.rest = rest;
            words.extend(self.sequence(depth)?);
            if words.len() > WORDS {
                return None;
            }
        }
        Some(words)
    }

    /// Letters and groups one after the other.
    fn sequence(&mut self, depth: usize) -> Option<Vec<String>> {
        let mut words = vec![String::new()];
        while let Some(c) = self.rest.chars().next() {
            let next = match c {
                '|' | ')' | '$' => break,
                '(' if depth < NESTING => {
                    let inside = self.rest.get(1..)?;
                    self.rest = inside.strip_prefix("?:").unwrap_or(inside);
                    let words = self.alternatives(depth + 1)?;
                    self.rest = self.rest.strip_prefix(')')?;
                    words
                }
                '\\' => {
                    let escaped = self.rest.chars().nth(1).filter(char::is_ascii_punctuation)?;
                    self.rest = self.rest.get(2..)?;
                    vec![escaped.to_string()]
                }
                '^' | '.' | '[' | ']' | '{' | '}' | '*' | '+' | '?' | '(' => return None,
                c => {
                    self.rest = self.rest.get(c.len_utf8()..)?;
                    vec![c.to_string()]
                }
            };
            // What is repeated is not a word.
            if self.rest.starts_with(['*', '+', '?', '{']) || words.len() * next.len() > WORDS {
                return None;
            }
            match next.as_slice() {
                [next] => words.iter_mut().for_each(|word| word.push_str(next)),
                _ => {
                    words = words.iter().flat_map(|word| next.iter().map(move |next| format!("{word}{next}"))).collect()
                }
            }
        }
        Some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatternDialect;

    #[test]
    fn words_of_a_pattern() {
        for (source, words) in [
            ("^(get|put)$", Some("get put")),
            ("^A@1$", Some("A@1")),
            (r"^a\.b(?:c|d(e|f))$", Some("a.bc a.bde a.bdf")),
            ("^a$|^b$", Some("a b")),
            ("^a|b$", None),
            ("get|put", None),
            ("^(get|put)", None),
            ("^(a|b)+$", None),
            ("^a?$", None),
            ("^x-", None),
            ("^a.b$", None),
            (r"^\d$", None),
            ("^(?i)a$", None),
            ("^(?=a)a$", None),
            ("^(a|)$", None),
            ("^(a$", None),
            ("^a)$", None),
            ("^$", None),
        ] {
            let found = Pattern::new(source, PatternDialect::Ecma).words();
            assert_eq!(found.map(|words| words.join(" ")).as_deref(), words, "{source}");
        }
    }
    /// A pattern of one long word is read once, not once for each of its letters.
    #[test]
    fn long_patterns_are_not_taken_apart() {
        let word = |letters: usize| Pattern::new(format!("^{}$", "a".repeat(letters)), PatternDialect::Ecma).words();
        assert_eq!(word(9_000).map(|words| words.len()), Some(1));
        assert_eq!(word(LONGEST), None);
    }
}

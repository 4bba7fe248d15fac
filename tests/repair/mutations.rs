//! Mistakes as people and programs make them.

/// A sequence of numbers that is the same in each run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }

    /// One of several.
    pub fn of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }
}

/// A text with a mistake.
pub struct Mutation {
    pub text: String,
}

/// A kind of mistakes.
pub struct Kind {
    pub name: &'static str,
    pub make: fn(&str, &mut Dice) -> Option<Mutation>,
}

/// All of them.
pub const KINDS: [Kind; 8] = [
    Kind { name: "a letter is missing in a key", make: |text, dice| of_key(text, dice, missing_letter) },
    Kind { name: "a letter too many in a key", make: |text, dice| of_key(text, dice, another_letter) },
    Kind { name: "two letters swapped in a key", make: |text, dice| of_key(text, dice, swapped_letters) },
    Kind { name: "a slip in a word", make: slip_in_value },
    Kind { name: "a value of a different type", make: other_type },
    Kind { name: "another indentation", make: other_indentation },
    Kind { name: "a line is missing", make: missing_line },
    Kind { name: "a line twice", make: repeated_line },
];

/// A line with a key: its number, the range of the key in the line, and the value.
struct KeyLine<'t> {
    number: usize,
    line: &'t str,
    key: std::ops::Range<usize>,
    value: &'t str,
}

fn key_lines(text: &str) -> Vec<KeyLine<'_>> {
    text.lines().enumerate().filter_map(|(number, line)| key_line(number, line)).collect()
}

fn key_line(number: usize, line: &str) -> Option<KeyLine<'_>> {
    let start = line.len() - line.trim_start_matches([' ', '-']).len();
    let (key, rest) = line[start..].split_once(':')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if key.is_empty() || !key.chars().all(is_word) || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let value = rest.split(" #").next().unwrap_or_default().trim();
    Some(KeyLine { number, line, key: start..start + key.len(), value })
}

fn with_line(text: &str, number: usize, new: &[String]) -> Mutation {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.splice(number..=number, new.iter().cloned());
    Mutation { text: lines.join("\n") + "\n" }
}

fn of_key(text: &str, dice: &mut Dice, change: fn(&str, &mut Dice) -> Option<String>) -> Option<Mutation> {
    let lines = key_lines(text);
    if lines.is_empty() {
        return None;
    }
    let found = dice.of(&lines);
    let key = change(&found.line[found.key.clone()], dice)?;
    let line = format!("{}{key}{}", &found.line[..found.key.start], &found.line[found.key.end..]);
    Some(with_line(text, found.number, &[line]))
}

fn missing_letter(word: &str, dice: &mut Dice) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 {
        return None;
    }
    letters.remove(dice.below(letters.len()));
    Some(letters.into_iter().collect()).filter(|new| new != word)
}

fn another_letter(word: &str, dice: &mut Dice) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let letter = char::from(b'a' + u8::try_from(dice.below(26)).unwrap_or(0));
    letters.insert(dice.below(letters.len() + 1), letter);
    Some(letters.into_iter().collect())
}

fn swapped_letters(word: &str, dice: &mut Dice) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let at = dice.below(letters.len().checked_sub(1)?);
    if at + 1 >= letters.len() {
        return None;
    }
    letters.swap(at, at + 1);
    Some(letters.into_iter().collect()).filter(|new| new != word)
}

/// A slip in a value that is a word: where it is one of several, it is none of them.
fn slip_in_value(text: &str, dice: &mut Dice) -> Option<Mutation> {
    let lines = key_lines(text);
    let is_word = |value: &str| value.len() >= 3 && value.chars().all(|c| c.is_ascii_alphabetic());
    let words: Vec<&KeyLine<'_>> = lines.iter().filter(|line| is_word(line.value)).collect();
    if words.is_empty() {
        return None;
    }
    let found = dice.of(&words);
    let change = dice.of(&[missing_letter, another_letter, swapped_letters]);
    let value = change(found.value, dice)?;
    let at = found.line.rfind(found.value)?;
    let line = format!("{}{value}{}", &found.line[..at], &found.line[at + found.value.len()..]);
    Some(with_line(text, found.number, &[line]))
}

/// Quotes where there should be none, and none where there should be.
fn other_type(text: &str, dice: &mut Dice) -> Option<Mutation> {
    let lines = key_lines(text);
    let is_plain = |value: &str| value.parse::<f64>().is_ok() || matches!(value, "true" | "false");
    let quoted = |value: &str| value.len() > 2 && value.starts_with('"') && value.ends_with('"');
    let of_type = |value: &str| is_plain(value) || (quoted(value) && is_plain(value.trim_matches('"')));
    let found: Vec<&KeyLine<'_>> = lines.iter().filter(|line| of_type(line.value)).collect();
    if found.is_empty() {
        return None;
    }
    let found = dice.of(&found);
    let value =
        if quoted(found.value) { found.value.trim_matches('"').to_owned() } else { format!("\"{}\"", found.value) };
    let at = found.line.rfind(found.value)?;
    let line = format!("{}{value}{}", &found.line[..at], &found.line[at + found.value.len()..]);
    Some(with_line(text, found.number, &[line]))
}

/// A line one or two columns farther to the right or to the left.
fn other_indentation(text: &str, dice: &mut Dice) -> Option<Mutation> {
    let lines = key_lines(text);
    if lines.is_empty() {
        return None;
    }
    let found = dice.of(&lines);
    let columns = 1 + dice.below(2);
    let blanks = found.line.len() - found.line.trim_start().len();
    let line = match dice.below(2) {
        0 => format!("{}{}", " ".repeat(columns), found.line),
        _ if blanks >= columns => found.line[columns..].to_owned(),
        _ => return None,
    };
    Some(with_line(text, found.number, &[line]))
}

fn missing_line(text: &str, dice: &mut Dice) -> Option<Mutation> {
    let lines = key_lines(text);
    if lines.is_empty() {
        return None;
    }
    let found = dice.of(&lines);
    Some(with_line(text, found.number, &[]))
}

fn repeated_line(text: &str, dice: &mut Dice) -> Option<Mutation> {
    let lines: Vec<KeyLine<'_>> = key_lines(text).into_iter().filter(|line| !line.value.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let found = dice.of(&lines);
    Some(with_line(text, found.number, &[found.line.to_owned(), found.line.to_owned()]))
}

//! Translates ECMA 262 expressions into the syntax of the Rust libraries, in which the same text can mean something
//! else.

use std::iter::Peekable;
use std::str::Chars;

/// White space of ECMA 262, for use in a class.
const BLANK: &str = r"\t\n\x0B\f\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// A class of no character.
const NOTHING: &str = r"[^\s\S]";

/// An engine of Rust. They write the edge of a word, which ECMA 262 knows only for ASCII, in different ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// `regex`
    Linear,
    /// `fancy_regex`
    Backtracking,
}

impl Engine {
    /// The edge of a word, or any other place.
    fn edge(self, is_edge: bool) -> &'static str {
        match (self, is_edge) {
            (Engine::Linear, true) => r"(?-u:\b)",
            (Engine::Linear, false) => r"(?-u:\B)",
            (Engine::Backtracking, true) => "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))",
            (Engine::Backtracking, false) => "(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))",
        }
    }
}

/// An expression with the same meaning in Rust.
pub(super) fn translated(source: &str, engine: Engine) -> String {
    let mut out = String::with_capacity(source.len() + 8);
    let mut rest = source.chars().peekable();
    let mut in_class = false;
    let mut class_is_empty = false;
    let mut in_count = false;
    // Whether a hyphen that comes next in a class can be that of a range: it is between two characters.
    let mut range = RangePart::None;
    while let Some(c) = rest.next() {
        let was_empty = std::mem::replace(&mut class_is_empty, false);
        let before = range;
        if in_class {
            range = before.after(c, rest.peek().copied());
        }
        match c {
            '\\' => match rest.next() {
                None => out.push_str(r"\\"),
                // Texts have no halves of pairs, but a range can lead up to them, or begin after them.
                Some('u') if in_class && half(&mut rest) => {
                    let is_range = rest.peek() == Some(&'-') && is_character(rest.clone().skip(1));
                    if before == RangePart::Hyphen {
                        out.push_str(r"\x{D7FF}");
                    } else if is_range && !ends_in_half(&mut rest) {
                        out.push_str(r"\x{E000}");
                    } else {
                        out.push_str(NOTHING);
                        range = RangePart::Set;
                    }
                }
                Some(edge @ ('b' | 'B')) if !in_class => out.push_str(engine.edge(edge == 'b')),
                Some(escaped) => escape(escaped, &mut rest, in_class, &mut out),
            },
            // `[]` is an empty class, `[^]` one of all characters.
            ']' if in_class && was_empty => {
                let negated = out.ends_with('^');
                out.truncate(out.len() - if negated { 2 } else { 1 });
                out.push_str(if negated { r"[\s\S]" } else { NOTHING });
                in_class = false;
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '[' if in_class => out.push_str(r"\["),
            // Doubled, they are class operations in Rust.
            '&' | '~' if in_class => {
                out.push('\\');
                out.push(c);
            }
            '-' if in_class => {
                let is_inner = matches!(before, RangePart::First | RangePart::Set) && rest.peek() != Some(&']');
                let is_range = before == RangePart::First && is_character(rest.clone());
                if is_inner {
                    range = RangePart::Hyphen;
                }
                out.push_str(if is_range { "-" } else { r"\-" });
            }
            '[' => {
                in_class = true;
                range = RangePart::None;
                class_is_empty = true;
                out.push('[');
                if rest.peek() == Some(&'^') {
                    rest.next();
                    out.push('^');
                }
            }
            '.' if !in_class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            // A brace that is not part of a count stands for itself.
            '{' if !in_class => {
                in_count = is_count(rest.clone());
                out.push_str(if in_count { "{" } else { r"\{" });
            }
            '}' if !in_class => {
                out.push_str(if std::mem::take(&mut in_count) { "}" } else { r"\}" });
            }
            _ => out.push(c),
        }
    }
    out
}

/// What was read last in a class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RangePart {
    /// Nothing that a range can begin with: the end of a range, or nothing at all.
    None,
    /// A set of characters. A hyphen after it stands for itself, and so does what follows the hyphen.
    Set,
    /// A character.
    First,
    /// The hyphen of a range.
    Hyphen,
}

impl RangePart {
    /// The state after a further character, or an escape.
    fn after(self, c: char, next: Option<char>) -> RangePart {
        match (self, c) {
            (RangePart::Hyphen, _) => RangePart::None,
            (_, '\\') if next.is_some_and(is_set) => RangePart::Set,
            _ => RangePart::First,
        }
    }
}

/// Whether an escaped letter stands for a set of characters.
fn is_set(escaped: char) -> bool {
    matches!(escaped, 'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
}

/// Whether a text begins with a character that can end a range.
fn is_character(mut rest: impl Iterator<Item = char>) -> bool {
    match rest.next() {
        None | Some(']') => false,
        Some('\\') => !rest.next().is_some_and(is_set),
        Some(_) => true,
    }
}

/// Whether nothing in it has a meaning in other languages only.
pub(super) fn is_of_ecma(source: &str) -> bool {
    !has_foreign_escape(source) && !repeats_nothing(source) && !has_foreign_group(source)
}

/// Whether it repeats what cannot be repeated: nothing, another repetition, or a place, as `^*` does; or less often than at
/// least, as `a{3,1}` does. Rust is less strict.
fn repeats_nothing(source: &str) -> bool {
    let mut rest = source.chars().peekable();
    let (mut in_class, mut is_something) = (false, false);
    while let Some(c) = rest.next() {
        if in_class {
            match c {
                '\\' => _ = rest.next(),
                ']' => (in_class, is_something) = (false, true),
                _ => {}
            }
            continue;
        }
        let is_count = c == '{' && is_count(rest.clone());
        if is_count || matches!(c, '*' | '+' | '?') {
            if !is_something || (is_count && is_out_of_order(rest.clone())) {
                return true;
            }
            if is_count {
                rest.by_ref().find(|c| *c == '}');
            }
            // One that is lazy.
            rest.next_if_eq(&'?');
            is_something = false;
            continue;
        }
        is_something = match c {
            '\\' => !rest.next().is_some_and(|escaped| matches!(escaped, 'b' | 'B')),
            '(' => {
                if rest.next_if_eq(&'?').is_some() {
                    rest.by_ref().find(|c| matches!(c, ':' | '=' | '!' | '>'));
                }
                false
            }
            '[' => {
                in_class = true;
                false
            }
            '^' | '$' | '|' => false,
            _ => true,
        };
    }
    false
}

/// Whether a letter is escaped that has no meaning in ECMA 262, such as `\Z` from other languages.
fn has_foreign_escape(source: &str) -> bool {
    let mut rest = source.chars();
    while let Some(c) = rest.next() {
        let escaped = if c == '\\' { rest.next() } else { None };
        if escaped.is_some_and(|escaped| escaped.is_ascii_alphabetic() && !"bBcdDfknpPrsStuvwWx".contains(escaped)) {
            return true;
        }
    }
    false
}

/// What editors read at the beginning of an expression besides what ECMA 262 has: letters of either case match.
const ANY_CASE: &str = "(?i)";

/// Whether a group begins as only other languages have it: `(?P<name>`, `(?>`, `(?i)` in the middle, `(?#`.
fn has_foreign_group(source: &str) -> bool {
    let mut rest = source.strip_prefix(ANY_CASE).unwrap_or(source).chars();
    let mut in_class = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' => _ = rest.next(),
            ']' => in_class = false,
            '[' => in_class = true,
            '(' if !in_class && rest.as_str().starts_with('?') => {
                let begin = rest.as_str().trim_start_matches('?');
                // Since 2025, some letters before a colon are flags for the group.
                let after = begin.trim_start_matches(['i', 'm', 's', '-']);
                let is_name =
                    |name: &str| name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '\\'));
                let is_named =
                    begin.strip_prefix('<').is_some_and(|name| name.starts_with(['=', '!']) || is_name(name));
                if !after.starts_with(':') && !begin.starts_with(['=', '!']) && !is_named {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether the text after a brace is a count: `3}`, `3,}`, `3,5}`.
fn is_count(rest: impl Iterator<Item = char>) -> bool {
    let (mut digits, mut commas) = (0usize, 0);
    for c in rest {
        match c {
            '0'..='9' => digits += 1,
            ',' if digits > 0 && commas == 0 => commas += 1,
            '}' => return digits > 0,
            _ => return false,
        }
    }
    false
}

/// Whether the text after the brace of a count has a higher number first.
fn is_out_of_order(rest: impl Iterator<Item = char>) -> bool {
    let count: String = rest.take_while(|c| *c != '}').collect();
    let Some((least, most)) = count.split_once(',').filter(|(_, most)| !most.is_empty()) else { return false };
    let (least, most) = (least.trim_start_matches('0'), most.trim_start_matches('0'));
    (least.len(), least) > (most.len(), most)
}

fn escape(escaped: char, rest: &mut Peekable<Chars<'_>>, in_class: bool, out: &mut String) {
    let class = |inside: &str, negated: bool, out: &mut String| match (in_class, negated) {
        (true, false) => out.push_str(inside),
        (true, true) => out.extend(["[^", inside, "]"]),
        (false, false) => out.extend(["[", inside, "]"]),
        (false, true) => out.extend(["[^", inside, "]"]),
    };
    match escaped {
        'd' | 'D' => class("0-9", escaped == 'D', out),
        'w' | 'W' => class("A-Za-z0-9_", escaped == 'W', out),
        's' | 'S' => class(BLANK, escaped == 'S', out),
        'b' if in_class => out.push_str(r"\x08"),
        '0' => out.push_str(r"\x00"),
        'v' => out.push_str(r"\x0B"),
        'c' => match rest.next_if(char::is_ascii_alphabetic) {
            Some(letter) => out.push_str(&format!(r"\x{:02X}", letter as u32 % 32)),
            None => out.push_str(r"\\c"),
        },
        'u' if rest.peek() != Some(&'{') => unit(rest, out),
        // Escapes with the same meaning in both, or that have to stay as they are.
        'n' | 'r' | 't' | 'f' | 'x' | 'u' | 'p' | 'P' | 'k' | '1'..='9' => {
            out.push('\\');
            out.push(escaped);
            // Braces that belong to the escape.
            if matches!(escaped, 'u' | 'p' | 'P') && rest.peek() == Some(&'{') {
                for c in rest.by_ref() {
                    out.push(c);
                    if c == '}' {
                        break;
                    }
                }
            }
        }
        // Escaped, the angles are edges of words in Rust.
        c if c.is_ascii_alphanumeric() || matches!(c, '<' | '>') => out.push(c),
        c if c.is_ascii() => {
            out.push('\\');
            out.push(c);
        }
        c => out.push(c),
    }
}

/// `\u` with four digits; a surrogate pair is one character.
fn unit(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    let Some(first) = four(rest) else { return out.push('u') };
    if let Some(second) = second_half(first, rest) {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return out.push_str(&format!(r"\x{{{code:X}}}"));
    }
    match char::from_u32(first) {
        Some(_) => out.push_str(&format!(r"\x{{{first:X}}}")),
        None => out.push_str(NOTHING),
    }
}

/// Four digits of a code.
fn four(from: &mut Peekable<Chars<'_>>) -> Option<u32> {
    let mut ahead = from.clone();
    let mut code = 0;
    for _ in 0..4 {
        code = code * 16 + ahead.next()?.to_digit(16)?;
    }
    *from = ahead;
    Some(code)
}

/// Passes the escape of the other half of a surrogate pair.
fn second_half(first: u32, rest: &mut Peekable<Chars<'_>>) -> Option<u32> {
    let mut ahead = rest.clone();
    let is_escape = (0xD800..0xDC00).contains(&first) && ahead.next() == Some('\\') && ahead.next() == Some('u');
    let second = if is_escape { four(&mut ahead) } else { None };
    let second = second.filter(|second| (0xDC00..0xE000).contains(second))?;
    *rest = ahead;
    Some(second)
}

/// Passes the digits of `\u` if they are half of a pair whose other half is not there.
fn half(rest: &mut Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    let is_half = four(&mut ahead)
        .is_some_and(|first| (0xD800..0xE000).contains(&first) && second_half(first, &mut ahead.clone()).is_none());
    if is_half {
        *rest = ahead;
    }
    is_half
}

/// Passes a hyphen and half of a pair after it.
fn ends_in_half(rest: &mut Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    let is_half =
        ahead.next() == Some('-') && ahead.next() == Some('\\') && ahead.next() == Some('u') && half(&mut ahead);
    if is_half {
        *rest = ahead;
    }
    is_half
}

#[cfg(test)]
mod tests {
    use crate::{Pattern, PatternDialect};

    #[test]
    fn expressions_mean_what_they_mean_to_ecma() {
        for (source, yes, no) in [
            (r"^\d+$", "12", "٣"),
            (r"^\w+$", "a_1", "é"),
            (r"^[\w.-]+$", "a.b-c", "a b"),
            (r"^[^\s]+$", "ab", "a\u{feff}b"),
            (r"^[a[]+$", "a[", "b"),
            (r"^[a&&b]+$", "&ab", "c"),
            (r"^[\d-x]+$", "1-x", "y"),
            // A hyphen beside a set, or after a range, stands for itself.
            (r"^[\w-./:]+$", "a-b./:", "a,"),
            (r"^[\w-]+$", "a-b", "a."),
            (r"^[+-\d]+$", "+-1", ","),
            (r"^[a-c-e]+$", "b-e", "d"),
            (r"^[\s-\d]+$", "- 1", "a"),
            (r"^[\w--/]+$", "a-/", "."),
            (r"^[+--]+$", "+,-", "."),
            (r"^[\.-\/]+$", "./", "-"),
            (r"^[%--]+$", "%&-", "."),
            (r"^[^\w-.]+$", "/", "-"),
            (r"^\<\w+\>$", "<a>", "a"),
            (r"^{{.*}}$", "{{ a }}", "a"),
            (r"^a{2}$", "aa", "a{2}"),
            (r"^(?!.*\bfoo\b).*$", "a foobar", "a foo b"),
            (r"(?=a)\Bab", "xab", "éab a"),
            (r"a(?<=\ba)\B", "ab", "a"),
            (r"^[\b]$", "\u{8}", "b"),
            (r"^a{,2}$", "a{,2}", "aa"),
            (r"^\\{2}\w$", r"\\a", r"\a"),
            (r"^\{\\{1,3}}$", r"{\\}", "{}"),
            (r"^(?!b)", "a", "b"),
            (r"^(?=.*a).*$", "ba", "b"),
            (r"^(a)\1$", "aa", "ab"),
            (r"^\/\-\_$", "/-_", "x"),
            (r"^[^]$", "\n", ""),
            (r"a[]|b", "b", "a"),
            ("^\u{1f432}*$", "🐲🐲", "🐲x"),
            (r"^\uD83D\uDC32$", "🐲", "x"),
            // Half of a pair is in no text.
            (r"^[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDBFF-\uDC00\uDFFF\t]+$", "é\t", "a\u{1}"),
            (r"^[\u0020-\uDBFF]+$", "\u{d7ff}", "\u{e000}"),
            (r"^[\uDC00-\uFFFF]+$", "\u{e000}", "\u{d7ff}"),
            (r"^[^\uD800]+$", "a", ""),
            (r"^[\uD800-]+$", "-", "a"),
            (r"^[\uD83D\uDC00-\uD83D\uDCFF]+$", "🐲", "x"),
            (r"^(\uD800|a)$", "a", "b"),
            (r"^\p{Letter}+$", "é", "1"),
            (r"^\cA$", "\u{1}", "A"),
        ] {
            let pattern = Pattern::new(source, PatternDialect::Ecma);
            assert_eq!(pattern.is_in(yes), Some(true), "{source} {yes}");
            assert_eq!(pattern.is_in(no), Some(false), "{source} {no}");
        }
    }

    /// Whether a text matches is known as far as a text is short enough for what is repeated.
    #[test]
    fn counts_may_be_high() {
        use PatternDialect::{Ecma, Re2};
        // The lengths of the texts that match, and up to which length this is known.
        for (source, dialect, lengths, known) in [
            (r"^.{1,1600}$", Ecma, 1..=1600, usize::MAX),
            (r"^[^/]{1,1000}$", Re2, 1..=1000, usize::MAX),
            (r"^\S{2,8192}$", Ecma, 2..=8192, usize::MAX),
            (r"^.{0,262144}$", Ecma, 0..=262_144, 262_144),
            (r"^(\p{L}|\p{N}){1,1000}$", Re2, 1..=1000, usize::MAX),
            (r"^\p{L}{1,1000}$", Re2, 1..=1000, usize::MAX),
            (r"^(\p{L}{1,100}){1,10}$", Re2, 1..=1000, usize::MAX),
            (r"^(?!b)(?=.)\S{1,5000}$", Ecma, 1..=5000, 5000),
            (r"^\p{L}{900}$", Re2, 900..=900, usize::MAX),
            (r"(^.{1,1020}a$)|(^.{1,1018}aa$)|(^.{1,1020}aaa$)", Ecma, 2..=1023, usize::MAX),
        ] {
            let pattern = Pattern::new(source, dialect);
            assert!(pattern.is_valid(), "{source}");
            let (low, high) = (*lengths.start(), *lengths.end());
            for length in [1, 2, 3, high / 2, high, high + 1, 2 * high, 400_000].map(|length| length.max(low)) {
                let found = pattern.is_in(&"a".repeat(length));
                assert!(found.is_none_or(|found| found == lengths.contains(&length)), "{source} {length}");
                assert!(found.is_some() || length > known, "{source} {length}");
                assert_eq!(found.is_none(), pattern.gives_up_on(&"a".repeat(length)), "{source} {length}");
            }
        }
    }

    #[test]
    fn what_is_valid_does_not_depend_on_its_size() {
        for (source, dialect, valid) in [
            (r"^\p{L}{3000}$", PatternDialect::Ecma, true),
            (r"^\p{L}{900}$", PatternDialect::Re2, true),
            (r"^\p{L}{1001}$", PatternDialect::Re2, false),
            (r"^(\p{L}{100}){11}$", PatternDialect::Re2, false),
            (r"^((a{10}){10,}b){10}$", PatternDialect::Re2, true),
            (r"^((a{10}){10,}b){11}$", PatternDialect::Re2, false),
            (r"^(a{0,1000}){0,1}(a{0}){1000}(a{0,1000}){0}(a{500})*$", PatternDialect::Re2, true),
            (r"^\p{XDigit}{1,9000}$", PatternDialect::Ecma, false),
            (r"^(?=a)[z-a]{1,9000}$", PatternDialect::Ecma, false),
            (r"^*a", PatternDialect::Ecma, false),
            (r"a$+", PatternDialect::Ecma, false),
            (r"\b{2}", PatternDialect::Ecma, false),
            (r"^[$*\b+]*$", PatternDialect::Ecma, true),
            (r"^{a}\$*", PatternDialect::Ecma, true),
            (r"a+*", PatternDialect::Ecma, false),
            (r"(|{2})", PatternDialect::Ecma, false),
            (r"(?<n>+)", PatternDialect::Ecma, false),
            (r"(?<n>a)+?(?:b*?){2,}?[+](?!c)", PatternDialect::Ecma, true),
            (r"(?P<n>a)", PatternDialect::Ecma, false),
            (r"(?P<n>a)", PatternDialect::Re2, true),
            (r"a(?>b)", PatternDialect::Ecma, false),
            (r"a(?i)b", PatternDialect::Ecma, false),
            (r"(?#a)", PatternDialect::Ecma, false),
            (r"(?i)^a(?:b)(?i:c)(?-m:d)(?=e)(?<=f)(?<!g)$", PatternDialect::Ecma, true),
            (r"[(?>]\(?>", PatternDialect::Ecma, true),
        ] {
            assert_eq!(Pattern::new(source, dialect).is_valid(), valid, "{source}");
        }
    }

    #[test]
    fn what_takes_too_long_is_not_known() {
        let pattern = Pattern::new(r"^(?=(a+)+$)(a|aa)+\1b$", PatternDialect::Ecma);
        assert_eq!(pattern.is_in(&"a".repeat(2000)), None);
        // What cannot be read says nothing about any text, whatever Rust would make of it.
        for source in ["(", r"\Aabc\z", "^a++$", "a{2,1}", "(?P<n>b)", "(?>b)", "b(?i)"] {
            for text in ["", "abc", "Aabcz", "aa"] {
                assert_eq!(Pattern::new(source, PatternDialect::Ecma).is_in(text), None, "{source}");
            }
        }
        assert_eq!(Pattern::new("(?i)^a$", PatternDialect::Ecma).is_in("A"), Some(true));
    }
}

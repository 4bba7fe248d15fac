//! Tokens of ytt's Starlark, with byte ranges; white space is dropped, comments and line ends are kept.

use std::ops::Range;

/// What a [`Token`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword ([`is_keyword`] tells them apart).
    Name,
    /// An integer in any base, without sign.
    Int,
    /// A number with a fraction or an exponent, without sign.
    Float,
    /// A string literal, prefix and quotes included; `closed` is false when the closing quote is missing.
    String {
        /// The closing quote is there.
        closed: bool,
    },
    /// An operator or bracket, as written.
    Punct(&'static str),
    /// One line end (LF, CRLF or CR) outside strings.
    Newline,
    /// `#` up to the line end.
    Comment,
    /// Characters that Starlark has no use for.
    Unknown,
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its range in bytes, moved by the base given to [`lex`].
    pub range: Range<usize>,
}

/// The operators and brackets that begin with a byte, longest first, so that the first match wins.
fn punctuation_from(first: u8) -> &'static [&'static str] {
    match first {
        b'/' => &["//=", "//", "/=", "/"],
        b'>' => &[">>=", ">>", ">=", ">"],
        b'<' => &["<<=", "<<", "<=", "<"],
        b'*' => &["**", "*=", "*"],
        b'=' => &["==", "="],
        b'!' => &["!=", "!"],
        b'+' => &["+=", "+"],
        b'-' => &["-=", "->", "-"],
        b'%' => &["%=", "%"],
        b'&' => &["&=", "&"],
        b'|' => &["|=", "|"],
        b'^' => &["^=", "^"],
        b'(' => &["("],
        b')' => &[")"],
        b'[' => &["["],
        b']' => &["]"],
        b'{' => &["{"],
        b'}' => &["}"],
        b',' => &[","],
        b':' => &[":"],
        b';' => &[";"],
        b'.' => &["."],
        b'~' => &["~"],
        b'@' => &["@"],
        b'$' => &["$"],
        b'?' => &["?"],
        b'`' => &["`"],
        _ => &[],
    }
}

/// The keywords of ytt's dialect.
const KEYWORDS: [&str; 15] = [
    "and", "break", "continue", "def", "elif", "else", "end", "for", "if", "in", "lambda", "load", "not", "or",
    "return",
];

/// Words that ytt reserves: they have no meaning and cannot be names.
const RESERVED: [&str; 17] = [
    "as", "class", "del", "except", "finally", "from", "global", "import", "is", "nonlocal", "pass", "raise", "try",
    "while", "with", "yield", "end",
];

/// The modules that ytt itself has, `@ytt:NAME`, each of which loads as one name that is its own (docs/ytt.md 17).
pub const MODULES: [&str; 18] = [
    "assert", "base64", "data", "ip", "json", "library", "math", "md5", "module", "overlay", "regexp", "sha256",
    "struct", "template", "toml", "url", "version", "yaml",
];

/// Whether a word is a keyword (`if`, `lambda`, `end`, `while`, ...). `None`, `True` and `False` are names.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || word == "while" || word == "pass"
}

/// Whether a word cannot be used as a name: a keyword or a reserved word (`class`, `pass`, ...).
pub fn is_reserved(word: &str) -> bool {
    is_keyword(word) || RESERVED.contains(&word)
}

/// Whether a key of a map can be written after a dot: `data.values.key`.
pub fn is_field_name(key: &str) -> bool {
    !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && key.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !is_reserved(key)
}

/// Splits `text` into tokens. Ranges are moved by `base` bytes. Never fails; linear time.
pub fn lex(text: &str, base: usize) -> Vec<Token> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0 };
    let mut tokens = Vec::new();
    while let Some((kind, range)) = lexer.next() {
        tokens.push(Token { kind, range: range.start + base..range.end + base });
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Option<(TokenKind, Range<usize>)> {
        self.skip_blank();
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let kind = match first {
            b'\n' => {
                self.at += 1;
                TokenKind::Newline
            }
            b'\r' => {
                self.at += if self.peek(1) == b'\n' { 2 } else { 1 };
                TokenKind::Newline
            }
            b'#' => {
                self.skip_while(|byte| byte != b'\n' && byte != b'\r');
                TokenKind::Comment
            }
            b'"' | b'\'' => self.string(0),
            b'r' | b'b' if matches!(self.peek(1), b'"' | b'\'') => self.string(1),
            b'r' if self.peek(1) == b'b' && matches!(self.peek(2), b'"' | b'\'') => self.string(2),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ if is_name_start(first) => self.name(),
            _ => self.punctuation(),
        };
        Some((kind, start..self.at))
    }

    fn skip_blank(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                // A backslash before a line end joins the lines.
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'\\' if self.peek(1) == b'\r' => self.at += if self.peek(2) == b'\n' { 3 } else { 2 },
                _ => return,
            }
        }
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&byte| test(byte)) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> TokenKind {
        self.skip_while(|byte| is_name_start(byte) || byte.is_ascii_digit());
        TokenKind::Name
    }

    fn number(&mut self) -> TokenKind {
        if self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X' | b'o' | b'O' | b'b' | b'B') {
            self.at += 2;
            self.skip_while(|byte| byte.is_ascii_alphanumeric());
            return TokenKind::Int;
        }
        let mut kind = TokenKind::Int;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.peek(0) == b'.' {
            kind = TokenKind::Float;
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                kind = TokenKind::Float;
                self.at += 1 + sign;
                self.skip_while(|byte| byte.is_ascii_digit());
            }
        }
        kind
    }

    fn string(&mut self, prefix: usize) -> TokenKind {
        self.at += prefix;
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\\' && self.at + 1 < self.bytes.len() {
                // Even in raw strings, a quote after a backslash does not close the string.
                let line_end = matches!(self.peek(1), b'\n' | b'\r');
                if line_end && !triple {
                    self.at += if self.peek(1) == b'\r' && self.peek(2) == b'\n' { 3 } else { 2 };
                } else {
                    self.at += 2;
                }
            } else if byte == quote && (!triple || (self.peek(1) == quote && self.peek(2) == quote)) {
                self.at += if triple { 3 } else { 1 };
                return TokenKind::String { closed: true };
            } else if !triple && matches!(byte, b'\n' | b'\r') {
                break;
            } else {
                self.at += 1;
            }
        }
        // The escape may end in the middle of a multi-byte character.
        self.at = self.at.min(self.bytes.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        TokenKind::String { closed: false }
    }

    fn punctuation(&mut self) -> TokenKind {
        let rest = self.text.get(self.at..).unwrap_or("");
        let known = punctuation_from(self.peek(0));
        if let Some(punct) = known.iter().find(|punct| rest.starts_with(**punct)) {
            self.at += punct.len();
            return TokenKind::Punct(punct);
        }
        let step = rest.chars().next().map_or(1, char::len_utf8);
        self.at += step;
        TokenKind::Unknown
    }
}

/// Names may hold letters of any script.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

//! The formatting options, their names and defaults.

/// The style of a file. `None` means: as most of the file has it, or the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// By how many columns a nested map is indented, from 1; else as most of the file has it, or 2.
    pub indent: Option<usize>,
    /// Where the items of a sequence are placed below their key; else as most of the file has it, or in its column.
    pub sequences: Option<Sequences>,
    /// Which quotes quoted scalars get; else they keep theirs.
    pub quotes: Option<Quotes>,
    /// How many consecutive blank lines are kept; else 2.
    pub blank_lines: Option<usize>,
    /// Whether the last line gets a line break; else it does.
    pub final_newline: Option<bool>,
    /// Whether trailing white space is removed; else it is.
    pub trim_trailing_spaces: Option<bool>,
    /// The line endings; else they are kept.
    pub line_ending: Option<LineEnding>,
}

/// Where the items of a sequence are placed below their key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequences {
    /// Deeper than the key.
    Indented,
    /// In the column of the key.
    Column,
}

/// The quotes of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// `'text'`
    Single,
    /// `"text"`
    Double,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnding {
    /// The characters.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf => "\n",
            LineEnding::CrLf => "\r\n",
        }
    }
}

/// One thing that can be chosen, as configuration names it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its name in words joined by hyphens.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it is for, in a sentence or two.
    pub doc: &'static str,
    /// Something it takes, in TOML.
    pub example: &'static str,
}

/// The values of a choice, and how they are applied.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// An integer up to this one, from the other.
    Number {
        /// The least.
        from: usize,
        /// The most.
        to: usize,
        /// Chooses a number between them.
        choose: fn(&mut Options, usize),
    },
    /// Yes or no.
    Flag(fn(&mut Options, bool)),
    /// One of these words.
    Word(&'static [Word]),
}

/// A word as the value of a choice.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word.
    pub word: &'static str,
    choose: fn(&mut Options),
}

impl Takes {
    /// Describes the possible values for people: `one of "single", "double"`.
    pub fn in_words(self) -> String {
        match self {
            Takes::Number { from, to, .. } => format!("an integer from {from} to {to}"),
            Takes::Flag(_) => "true or false".to_owned(),
            Takes::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.word)).collect();
                format!("one of {}", quoted.join(", "))
            }
        }
    }
}

/// What was written for a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// An integer.
    Number(usize),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Word(&'v str),
    /// Something else.
    Other,
}

/// All choices, in the order in which they are offered.
pub static CHOICES: [Choice; 7] = [
    Choice {
        name: "indent",
        takes: Takes::Number { from: 1, to: 8, choose: |options, columns| options.indent = Some(columns) },
        doc: "By how many columns a nested map is indented. Default: as most of the file has it, or else 2.",
        example: "2",
    },
    Choice {
        name: "sequences",
        takes: Takes::Word(&[
            Word { word: "indented", choose: |options| options.sequences = Some(Sequences::Indented) },
            Word { word: "column", choose: |options| options.sequences = Some(Sequences::Column) },
        ]),
        doc: "Where the items of an array are placed below their key: `indented`, or in the same `column`. Default: as \
              most of the file does it, or else in the same column.",
        example: "\"indented\"",
    },
    Choice {
        name: "quotes",
        takes: Takes::Word(&[
            Word { word: "single", choose: |options| options.quotes = Some(Quotes::Single) },
            Word { word: "double", choose: |options| options.quotes = Some(Quotes::Double) },
        ]),
        doc: "Which quotes quoted strings get, if both mean the same. Default: they keep theirs.",
        example: "\"double\"",
    },
    Choice {
        name: "blank-lines",
        takes: Takes::Number { from: 0, to: 100, choose: |options, lines| options.blank_lines = Some(lines) },
        doc: "How many consecutive blank lines are kept. Default: 2.",
        example: "1",
    },
    Choice {
        name: "final-newline",
        takes: Takes::Flag(|options, chosen| options.final_newline = Some(chosen)),
        doc: "Whether the last line gets a line break. Default: true.",
        example: "true",
    },
    Choice {
        name: "trim-trailing-spaces",
        takes: Takes::Flag(|options, chosen| options.trim_trailing_spaces = Some(chosen)),
        doc: "Whether trailing white space without a meaning is removed. Default: true.",
        example: "true",
    },
    Choice {
        name: "line-ending",
        takes: Takes::Word(&[
            Word { word: "lf", choose: |options| options.line_ending = Some(LineEnding::Lf) },
            Word { word: "crlf", choose: |options| options.line_ending = Some(LineEnding::CrLf) },
        ]),
        doc: "The line endings. Default: they are kept.",
        example: "\"lf\"",
    },
];

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Choice {}

impl Choice {
    /// The choice of this name.
    pub fn named(name: &str) -> Option<&'static Choice> {
        CHOICES.iter().find(|choice| choice.name == name)
    }

    /// Its name as settings of editors are named: `blankLines`.
    pub fn setting(&self) -> String {
        let mut words = self.name.split('-');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |mut name, word| {
            let mut letters = word.chars();
            name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
            name + letters.as_str()
        })
    }

    /// Sets it to what was written. Whether that is something it takes.
    #[must_use]
    pub fn choose(&self, options: &mut Options, value: Value<'_>) -> bool {
        match (self.takes, value) {
            (Takes::Number { from, to, choose }, Value::Number(number)) if (from..=to).contains(&number) => {
                choose(options, number);
            }
            (Takes::Flag(choose), Value::Flag(flag)) => choose(options, flag),
            (Takes::Word(words), Value::Word(written)) => match words.iter().find(|word| word.word == written) {
                Some(word) => (word.choose)(options),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

impl Options {
    /// What is chosen here, and where nothing is, what is chosen there.
    #[must_use]
    pub fn or(self, other: Options) -> Options {
        Options {
            indent: self.indent.or(other.indent),
            sequences: self.sequences.or(other.sequences),
            quotes: self.quotes.or(other.quotes),
            blank_lines: self.blank_lines.or(other.blank_lines),
            final_newline: self.final_newline.or(other.final_newline),
            trim_trailing_spaces: self.trim_trailing_spaces.or(other.trim_trailing_spaces),
            line_ending: self.line_ending.or(other.line_ending),
        }
    }

    pub(crate) fn most_blank_lines(&self) -> usize {
        self.blank_lines.unwrap_or(2)
    }

    pub(crate) fn ends_with_newline(&self) -> bool {
        self.final_newline.unwrap_or(true)
    }

    pub(crate) fn trims(&self) -> bool {
        self.trim_trailing_spaces.unwrap_or(true)
    }
}

//! The syntax errors, in plain words.

use std::ops::Range;

/// A syntax error, with its place and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The kind of error.
    pub code: ErrorCode,
    /// The bytes that are wrong.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $message:literal $help:literal;)*) => {
        /// The kind of a [`SyntaxError`]. `{}` in a message stands for the faulty text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ErrorCode { $($(#[$doc])* $variant,)* }

        impl ErrorCode {
            /// Every code, in the order of this list.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// Stable name, as in `tab-indentation`.
            pub fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $name,)* }
            }

            /// Stable name with its family, as findings show it: `yaml/tab-indentation`.
            pub fn code(self) -> &'static str {
                match self { $(ErrorCode::$variant => concat!("yaml/", $name),)* }
            }

            pub(crate) fn message(self) -> &'static str {
                match self { $(ErrorCode::$variant => $message,)* }
            }

            pub(crate) fn help(self) -> &'static str {
                match self { $(ErrorCode::$variant => $help,)* }
            }
        }
    };
}

error_codes! {
    /// A line at a mapping's column that has no `: `.
    MissingColon "missing-colon" "no colon after the key `{}`" "write a colon and a space after the key: `key: value`";
    /// Another space of Unicode after the colon of a key or after a dash.
    MissingSpace "missing-space" "YAML does not take this for a space, so that no key or item begins here" "write an ordinary space: web pages and word processors put others in its place, such as the no-break space (U+00A0)";
    /// `a: b: c`
    NestedMapping "nested-mapping" "a second `key: value` on the same line" "put the text in quotes, or move the inner map to its own, deeper line";
    /// A line deeper than its siblings, or between two levels.
    BadIndentation "bad-indentation" "this line is not at the same depth as its neighbours" "move it to the column of the lines it belongs to";
    /// A tab where spaces are needed.
    TabIndentation "tab-indentation" "a tab is used as indentation" "use spaces; YAML does not allow tabs in front of a key or an item";
    /// A quote that is opened and not closed.
    UnclosedQuote "unclosed-quote" "the quoted text is not closed" "write the same quote at the end of the text";
    /// `[` or `{` that is not closed.
    UnclosedFlow "unclosed-flow" "this bracket is not closed" "write the matching closing bracket, and indent the lines between them";
    /// A closing bracket without an open one.
    StrayBracket "stray-bracket" "this closing bracket has no partner" "remove it, or put the text in quotes";
    /// No comma between two entries of a flow collection.
    MissingComma "missing-comma" "no comma before this entry" "separate the entries by commas";
    /// A comma with nothing before it.
    ExtraComma "extra-comma" "there is nothing before this comma" "remove the comma";
    /// Text after a value that is already complete.
    UnexpectedText "unexpected-text" "this text cannot follow here" "put the whole value in quotes, or move this text to a line of its own";
    /// An item among the keys of a mapping.
    UnexpectedItem "unexpected-item" "an item cannot be among the keys of a map" "indent the item below a key, or remove the `-`";
    /// A key among the items of a list.
    UnexpectedKey "unexpected-key" "this cannot be among the items of an array" "begin the line with `- `, or indent it below an item";
    /// Content after the root value of a document.
    UnexpectedContent "unexpected-content" "the document already has its value" "begin a new document with `---`, or remove this text";
    /// `key: - item`
    InlineSequence "inline-sequence" "an array cannot begin on the line of its key" "move the `- ` to the next line";
    /// Anchor or tag where a key should follow.
    MissingKey "missing-key" "no key follows here" "write a key and a colon after it";
    /// A key that goes over several lines.
    MultilineKey "multiline-key" "a key must be on one line" "write the key on one line, or use `? ` for a long key";
    /// `&` or `*` without a name.
    EmptyName "empty-name" "no name after `{}`" "write a name directly after it, or put the text in quotes";
    /// An alias without anchor.
    UnknownAlias "unknown-alias" "there is no anchor `{}` above" "add `&name` to the value that is meant";
    /// `*name: value`
    AliasColon "alias-colon" "the colon is read as the end of the name `{}`" "write a space before the colon: `*name : value`";
    /// Two anchors or two tags for one value.
    RepeatedProperty "repeated-property" "a value can have only one anchor and one tag" "remove one of them";
    /// An alias with an anchor or a tag of its own.
    AliasProperty "alias-property" "an alias cannot have an anchor or a tag" "remove the anchor or the tag";
    /// Characters a tag cannot have.
    InvalidTag "invalid-tag" "`{}` is not a tag" "write `!!str`, `!name` or `!<uri>`, or put the text in quotes";
    /// A tag handle without %TAG directive.
    UnknownTagHandle "unknown-tag-handle" "the handle of the tag `{}` is not declared" "declare it with a `%TAG` line above `---`";
    /// `\x` with an unknown letter in double quotes.
    InvalidEscape "invalid-escape" "`{}` has no meaning in double quotes" "write `\\\\` for a backslash, or use single quotes";
    /// Text after `|` or `>`.
    BlockScalarHeader "block-scalar-header" "this cannot follow `|` or `>`" "only `+` or `-` and a digit from 1 to 9 can follow; the text begins on the next line";
    /// A leading blank line deeper than the text of a block scalar.
    BlockScalarIndentation "block-scalar-indentation" "this blank line is deeper than the text below it" "remove the spaces of the blank line";
    /// A plain scalar that begins with `@`, `` ` `` or `%`.
    ReservedCharacter "reserved-character" "a value cannot begin with this character" "put the value in quotes";
    /// `#` directly after a value.
    CommentSpace "comment-space" "a comment needs a space before `#`" "write a space before the `#`";
    /// A faulty or misplaced directive.
    InvalidDirective "invalid-directive" "this directive is not valid here" "directives go above `---`, like `%YAML 1.2` or `%TAG ! prefix`";
    /// A directive without `---` below it.
    MissingDocumentStart "missing-document-start" "no `---` follows the directive" "write a line `---` below the directives";
    /// A mapping or list on the line of `---`.
    DocumentStartLine "document-start-line" "a map or array cannot begin on the line of `---`" "move it to the next line";
    /// A line of a merge conflict.
    ConflictMarker "conflict-marker" "this line was left by a merge conflict" "keep one of the two versions and remove this line";
    /// A character that YAML does not allow.
    ControlCharacter "control-character" "this invisible control character is not allowed in YAML" "remove it; in double quotes it can be written as `\\x07`, `\\e` or `\\0`";
    /// A line break of YAML 1.1 before text that cannot begin a line there.
    LineSeparator "line-separator" "this invisible character ends the line, and the text after it cannot be a line of its own" "remove it; in double quotes it can be written as `\\N`, `\\L` or `\\P`";
    /// Collections that are nested deeper than the parser reads.
    TooDeep "too-deep" "nested too deeply; what is inside is not read" "the limit is 2,000 levels";
}

impl ErrorCode {
    pub(crate) fn error(self, range: Range<usize>, text: &str) -> SyntaxError {
        let mut message = self.message().to_owned();
        if message.contains("{}") {
            let shown: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
            message = message.replace("{}", &shown);
        }
        SyntaxError { code: self, range, message, help: Some(self.help().to_owned()) }
    }
}

/// What a token or node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Byte order mark.
    Bom,
    /// Spaces and tabs.
    Whitespace,
    /// One line break: LF, CRLF or CR.
    Newline,
    /// `#` to the end of the line, without the line break.
    Comment,
    /// `---`
    DocStart,
    /// `...`
    DocEnd,
    /// `%YAML 1.2`, without the line break.
    Directive,
    /// `-` of a block sequence.
    Dash,
    /// `?` of an explicit key.
    Question,
    /// `:` between key and value.
    Colon,
    /// `,` in a flow collection.
    Comma,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `&name`
    Anchor,
    /// `*name`
    Alias,
    /// `!tag`
    Tag,
    /// Unquoted scalar, perhaps of several lines.
    Plain,
    /// `'text'`
    SingleQuoted,
    /// `"text"`
    DoubleQuoted,
    /// `|` or `>` with its indicators.
    BlockHeader,
    /// Lines of a block scalar.
    BlockBody,
    /// Text that is not allowed at its place.
    ErrorText,

    /// The whole text: documents and the text between them.
    Stream,
    /// One document with its markers and directives.
    Document,
    /// Block mapping.
    BlockMap,
    /// Block sequence.
    BlockSeq,
    /// `{...}`, or the single pair of `[key: value]` (then without braces).
    FlowMap,
    /// `[...]`
    FlowSeq,
    /// Key, colon and value tokens of one entry of a mapping.
    MapEntry,
    /// Dash and value tokens of one item of a sequence.
    SeqEntry,
    /// Something that could be read but is not allowed at its place.
    Error,
    /// Some of the children of a long collection. Never seen through [`crate::Node`].
    Group,
}

/// Every kind of token, by its number.
pub(crate) const TOKENS: [Kind; 24] = [
    Kind::Bom,
    Kind::Whitespace,
    Kind::Newline,
    Kind::Comment,
    Kind::DocStart,
    Kind::DocEnd,
    Kind::Directive,
    Kind::Dash,
    Kind::Question,
    Kind::Colon,
    Kind::Comma,
    Kind::OpenBrace,
    Kind::CloseBrace,
    Kind::OpenBracket,
    Kind::CloseBracket,
    Kind::Anchor,
    Kind::Alias,
    Kind::Tag,
    Kind::Plain,
    Kind::SingleQuoted,
    Kind::DoubleQuoted,
    Kind::BlockHeader,
    Kind::BlockBody,
    Kind::ErrorText,
];

impl Kind {
    /// White space, line breaks, comments and the byte order mark.
    pub fn is_trivia(self) -> bool {
        matches!(self, Kind::Bom | Kind::Whitespace | Kind::Newline | Kind::Comment)
    }

    /// `&anchor` or `!tag`.
    pub fn is_property(self) -> bool {
        matches!(self, Kind::Anchor | Kind::Tag)
    }

    /// A collection of either style.
    pub fn is_collection(self) -> bool {
        matches!(self, Kind::BlockMap | Kind::BlockSeq | Kind::FlowMap | Kind::FlowSeq)
    }

    /// Name in tree dumps.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bom => "BOM",
            Kind::Whitespace => "WHITESPACE",
            Kind::Newline => "NEWLINE",
            Kind::Comment => "COMMENT",
            Kind::DocStart => "DOC_START",
            Kind::DocEnd => "DOC_END",
            Kind::Directive => "DIRECTIVE",
            Kind::Dash => "DASH",
            Kind::Question => "QUESTION",
            Kind::Colon => "COLON",
            Kind::Comma => "COMMA",
            Kind::OpenBrace => "OPEN_BRACE",
            Kind::CloseBrace => "CLOSE_BRACE",
            Kind::OpenBracket => "OPEN_BRACKET",
            Kind::CloseBracket => "CLOSE_BRACKET",
            Kind::Anchor => "ANCHOR",
            Kind::Alias => "ALIAS",
            Kind::Tag => "TAG",
            Kind::Plain => "PLAIN",
            Kind::SingleQuoted => "SINGLE_QUOTED",
            Kind::DoubleQuoted => "DOUBLE_QUOTED",
            Kind::BlockHeader => "BLOCK_HEADER",
            Kind::BlockBody => "BLOCK_BODY",
            Kind::ErrorText => "ERROR_TEXT",
            Kind::Stream => "STREAM",
            Kind::Document => "DOCUMENT",
            Kind::BlockMap => "BLOCK_MAP",
            Kind::BlockSeq => "BLOCK_SEQ",
            Kind::FlowMap => "FLOW_MAP",
            Kind::FlowSeq => "FLOW_SEQ",
            Kind::MapEntry => "MAP_ENTRY",
            Kind::SeqEntry => "SEQ_ENTRY",
            Kind::Error => "ERROR",
            Kind::Group => "GROUP",
        }
    }
}

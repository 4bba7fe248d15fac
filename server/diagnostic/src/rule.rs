//! The static part of a rule, declared once next to its check.

use std::fmt;

/// A rule: its name, its defaults and its page in the manual.
///
/// Declared with [`rule!`](crate::rule), always as a `static`: two findings are of the same rule if they refer to the
/// same static.
#[derive(Debug)]
pub struct Rule {
    /// The stable code, `ytt/type-mismatch`; the file is named alike.
    pub code: &'static str,
    /// The stage of its findings, unless the place determines another.
    pub stage: Stage,
    /// The severity of its findings.
    pub severity: Severity,
    /// When a finding may be wrong because a neighbouring text is unfinished.
    pub certainty: Certainty,
    /// An option of ytt that permits what the rule forbids.
    pub allowance: Option<Allowance>,
    /// What its findings are about.
    pub subject: Subject,
    /// It applies to values of all schema languages: its findings carry the name of the language that governs the
    /// value.
    pub shared: bool,
    /// Which other line causes its findings while that line is being typed.
    pub cause: Cause,
    /// What it says better than schemas, whose findings about the same it replaces.
    pub instead_of: &'static [Said],
    /// Not reported unless a level is configured for the rule.
    pub silent: bool,
    /// The version of the program that had it first.
    pub since: &'static str,
    /// How firmly users may rely on it.
    pub status: Status,
    /// Codes that it had in earlier versions, without the family of a language where it is shared. They stay valid in
    /// suppressions, in `lofting.toml` and in settings.
    pub former: &'static [&'static str],
    /// The lines of its page in the manual, each as written after `///`: `# Title`, then `## What`, `## Why`,
    /// `## Example`, `## How to fix`. A heading may end with ` in ytt` or ` in JSON Schema`: see [`Readers`].
    pub docs: &'static [&'static str],
}

/// A finding of a schema about what the rule of a language is about as well. It is replaced only where both are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// That of the shared rule with this name, about the same value or the item that it is in.
    Value(&'static str),
    /// That keys are missing which the other one misses, too.
    Lack,
    /// That an expression does not hold which reads just these keys of a value that the other one is in.
    Expression(&'static [&'static str]),
}

/// How firmly users may rely on a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// It stays, and what it finds changes only to become more exact.
    #[default]
    Stable,
    /// What it finds may change in any version.
    Preview,
    /// A later version will not have it; the text says what to use instead.
    Deprecated(&'static str),
}

/// When findings of a rule may be wrong although the rule is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Certainty {
    /// They are true whatever is being typed elsewhere.
    #[default]
    Certain,
    /// They may be caused only by a schema that is being typed, or that is partly unknown.
    NeedsWholeSchema,
    /// They may be caused only by unknown values of other files that these are merged onto.
    NeedsAllValues,
    /// After a syntax error they may be its consequence: the beginning of what they miss was not seen.
    NeedsTextBefore,
    /// Before a syntax error they may be its consequence: the end of what they miss was not seen.
    NeedsTextBehind,
    /// Near any syntax error they may be its consequence.
    NeedsWholeText,
}

/// An option of ytt, as written on a command line or in `lofting.toml`, that permits what a rule forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// `--ignore-unknown-comments`
    IgnoreUnknownComments,
    /// `--implicit-map-key-overrides`
    ImplicitMapKeyOverrides,
}

/// The subject of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    /// A value, or something around it.
    #[default]
    Value,
    /// A key's name or presence, whatever its value.
    Key,
}

/// Which other line causes a finding while the user is typing there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// No other line.
    #[default]
    OwnLine,
    /// Below the key, where its value begins.
    ValueBelow,
    /// Below, in what becomes the end of the block.
    EndOfBlock,
    /// Above, in what becomes the beginning of the block.
    BeginningOfBlock,
    /// In the annotations or directives above a document, or its `---`.
    DocumentHead,
    /// Above, in what becomes the `---` between two documents.
    DocumentStart,
    /// Above, at a dash without its item.
    LoneDash,
    /// Above, in a word that becomes the key of the entries in its own column.
    LoneKey,
    /// Above, in code that defines or loads the name, or below, in code that ends the string.
    NameAbove,
    /// On the line that defines the name, or says what has it: what is written there is the beginning of it.
    NameGiven,
    /// On the line of a schema that gives a type.
    TypeGiven,
    /// Below, in what becomes another key of the map that has the finding's key.
    MapBeside,
    /// Below, deeper than the line of the finding: in the value that is still written.
    Inside,
    /// In an annotation among the comments next to it, which determines the type, or in the node that has this type.
    AnnotationBeside,
    /// In another annotation of the node that the finding's annotation belongs to, or in the node itself.
    Beside,
    /// On another line of the same statement in code.
    CodeBeside,
    /// On another line of the same text: what is written in it continues there.
    SameText,
    /// Below, in its table of `lofting.toml`, or in the header of another one.
    Table,
    /// In the only annotation of the file, which turns all ordinary comments into mistakes.
    FirstAnnotation,
    /// At a related position: ytt reports the node, and the annotation is above it.
    RelatedPlace,
    /// At a related position or deeper below it, at a key that the message names, or among the labels that it is about: what
    /// is compared is still written there.
    Compared,
    /// At a related position, or above, in what becomes the `return` of a function.
    RelatedPlaceOrReturn,
    /// On any line: what is typed there may become the use of a name.
    AnyLine,
}

/// A section of a rule's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The text after `## `, without the readers.
    pub heading: &'static str,
    /// Whom it is for.
    pub readers: Readers,
    /// The Markdown below the heading, without blank lines around it.
    pub text: String,
}

/// Whom a section is for. Users of other languages do not know the words of ytt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Everyone.
    All,
    /// Readers who use ytt or its design proposals.
    Ytt,
    /// Readers who use any other language, all of which have the keywords of JSON Schema.
    Others,
}

impl Readers {
    /// Splits a heading such as `Example in ytt`.
    fn of_heading(heading: &'static str) -> (&'static str, Readers) {
        let named = [Readers::Ytt, Readers::Others].into_iter().find_map(|readers| {
            let bare = heading.strip_suffix(readers.name()?)?.strip_suffix(" in ")?;
            Some((bare, readers))
        });
        named.unwrap_or((heading, Readers::All))
    }

    /// What headings call the language.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Readers::All => None,
            Readers::Ytt => Some("ytt"),
            Readers::Others => Some("JSON Schema"),
        }
    }

    /// Whether they use the schema language with this name.
    pub fn contain(self, family: &str) -> bool {
        let is_ytt = matches!(family, "ytt" | "proposals");
        match self {
            Readers::All => true,
            Readers::Ytt => is_ytt,
            Readers::Others => !is_ytt,
        }
    }
}

impl Rule {
    /// The defaults that [`rule!`](crate::rule) uses for missing fields.
    pub const DEFAULT: Rule = Rule {
        code: "",
        stage: Stage::Lint,
        severity: Severity::Error,
        certainty: Certainty::Certain,
        allowance: None,
        subject: Subject::Value,
        shared: false,
        cause: Cause::OwnLine,
        instead_of: &[],
        silent: false,
        since: "0.1.0",
        status: Status::Stable,
        former: &[],
        docs: &[],
    };

    /// The first part of the code, which names the owner of the rule: `ytt` in `ytt/type-mismatch`.
    pub fn family(&self) -> &'static str {
        self.code.split_once('/').map_or("", |(family, _)| family)
    }

    /// The part of the code after the slash: `type-mismatch`.
    pub fn name(&self) -> &'static str {
        self.code.split_once('/').map_or(self.code, |(_, name)| name)
    }

    /// One line for lists.
    pub fn title(&self) -> &'static str {
        self.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
    }

    /// The level it has where none is configured.
    pub fn level(&self) -> &'static str {
        if self.silent { "off" } else { self.severity.as_str() }
    }

    /// The sections of its page, in the order written.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for line in self.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let (heading, readers) = Readers::of_heading(heading.trim());
                sections.push(Section { heading, readers, text: String::new() });
            } else if let Some(section) = sections.last_mut() {
                section.text.push_str(line);
                section.text.push('\n');
            }
        }
        for section in &mut sections {
            section.text = section.text.trim().to_owned();
        }
        sections
    }

    /// The text of the first section with this heading; empty if there is none.
    pub fn section(&self, heading: &str) -> String {
        self.sections().into_iter().find(|section| section.heading == heading).map_or(String::new(), |found| found.text)
    }

    fn lines(&self) -> impl Iterator<Item = &'static str> {
        self.docs.iter().map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

/// Rules are equal if they are the same static.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Rule {}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

/// Declares a rule; its doc comment is its page in the manual.
///
/// ```
/// lofting_diagnostic::rule! {
///     /// # A key that the schema does not know
///     ///
///     /// ## What
///     /// …
///     pub static RULE: Rule = Rule {
///         code: "ytt/undeclared-key",
///         stage: lofting_diagnostic::Stage::Type,
///         severity: lofting_diagnostic::Severity::Error,
///     };
/// }
/// assert_eq!(RULE.title(), "A key that the schema does not know");
/// ```
#[macro_export]
macro_rules! rule {
    (
        $(#[doc = $doc:literal])+
        $visibility:vis static $name:ident: Rule = Rule { $($field:ident: $value:expr),* $(,)? };
    ) => {
        $(#[doc = $doc])+
        $visibility static $name: $crate::Rule = $crate::Rule {
            docs: &[$($doc),+],
            $($field: $value,)*
            ..$crate::Rule::DEFAULT
        };
    };
}

/// How severe a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// ytt refuses the input, or what is written cannot be meant.
    Error,
    /// It works, but most likely not as meant.
    Warning,
    /// Information.
    Info,
    /// A small remark, shown unobtrusively.
    Hint,
}

impl Severity {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// The step at which ytt would have stopped (docs/ytt.md 2). We report all at once; the stage shows which of them ytt
/// would report first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The text is not YAML.
    Parse,
    /// Comments, annotation arguments or code.
    Template,
    /// The schema is not valid.
    Schema,
    /// Documents cannot be merged.
    Overlay,
    /// Values do not fit the schema.
    Type,
    /// Values break validation rules.
    Validation,
    /// Beyond what ytt checks; never an error.
    Lint,
}

impl Stage {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Template => "template",
            Stage::Schema => "schema",
            Stage::Overlay => "overlay",
            Stage::Type => "type",
            Stage::Validation => "validation",
            Stage::Lint => "lint",
        }
    }
}

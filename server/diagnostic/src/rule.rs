//! What is fixed about a rule, declared once beside its check.

use std::fmt;

/// A rule: its name, its defaults and its page in the manual.
///
/// Declared with [`rule!`](crate::rule), always as a `static`: two findings are of the same rule if they refer to the
/// same static.
#[derive(Debug)]
pub struct Rule {
    /// The stable code, `ytt/type-mismatch`; the file is named alike.
    pub code: &'static str,
    /// The stage its findings have unless the place says otherwise.
    pub stage: Stage,
    /// How bad its findings are.
    pub severity: Severity,
    /// When a finding may be wrong because a neighbouring text is unfinished.
    pub certainty: Certainty,
    /// An option of ytt that permits what the rule forbids.
    pub allowance: Option<Allowance>,
    /// What its findings are about.
    pub subject: Subject,
    /// It holds for values of all schema languages: its findings carry the name of the language that governs the value.
    pub shared: bool,
    /// Which other line causes its findings while that line is being typed.
    pub cause: Cause,
    /// Nothing is told of it unless somebody chose a level for it.
    pub silent: bool,
    /// The lines of its page in the manual, each as it stands behind `///`: `# Title`, then `## What`, `## Why`,
    /// `## Example`, `## How to mend`.
    pub docs: &'static [&'static str],
}

/// When findings of a rule may be wrong although the rule is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Certainty {
    /// They hold whatever is being typed elsewhere.
    #[default]
    Certain,
    /// They may only come from a schema that is being typed, or of which a part is not known.
    NeedsWholeSchema,
    /// They may only come from values of other files that lie under these and are not known.
    NeedsAllValues,
    /// Behind a syntax error they may be its consequence: the beginning of what they miss was not seen.
    NeedsTextBefore,
    /// Before a syntax error they may be its consequence: the end of what they miss was not seen.
    NeedsTextBehind,
    /// Beside any syntax error they may be its consequence.
    NeedsWholeText,
}

/// An option of ytt, as it stands on a command line or in `lofting.toml`, that permits what a rule forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// `--ignore-unknown-comments`
    IgnoreUnknownComments,
    /// `--implicit-map-key-overrides`
    ImplicitMapKeyOverrides,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    /// A value, or something around it.
    #[default]
    Value,
    /// A key's name or presence, whatever its value.
    Key,
}

/// Where somebody may be typing what makes a finding that stands on another line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// Nowhere else.
    #[default]
    OwnLine,
    /// Below the key, where its value begins.
    ValueBelow,
    /// Below, in what becomes the end of the block.
    EndOfBlock,
    /// Above, in what becomes the beginning of the block.
    BeginningOfBlock,
    /// In the annotations above a document, or its `---`.
    DocumentHead,
    /// Above, in what becomes the `---` between two documents.
    DocumentStart,
    /// Above, at a dash without its item.
    LoneDash,
    /// Above, in code that gives or loads the name, or below, in code that ends the string.
    NameAbove,
    /// On the line that gives the name, or says what has it: what is written there is the beginning of it.
    NameGiven,
    /// In an annotation among the comments beside it, which decides about the type.
    AnnotationBeside,
    /// In another annotation of the node that the finding's annotation belongs to, or in the node itself.
    Beside,
    /// In the only annotation of the file, which makes mistakes of all ordinary comments.
    FirstAnnotation,
    /// At a related place: ytt blames the node, and the annotation stands above it.
    RelatedPlace,
    /// At a related place, or above, in what becomes the `return` of a function.
    RelatedPlaceOrReturn,
}

/// A section of a rule's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Without the `## `.
    pub heading: &'static str,
    /// The Markdown below the heading, without blank lines around it.
    pub text: String,
}

impl Rule {
    /// What [`rule!`](crate::rule) fills in where a declaration says nothing.
    pub const DEFAULT: Rule = Rule {
        code: "",
        stage: Stage::Lint,
        severity: Severity::Error,
        certainty: Certainty::Certain,
        allowance: None,
        subject: Subject::Value,
        shared: false,
        cause: Cause::OwnLine,
        silent: false,
        docs: &[],
    };

    /// The part of the code that says whose rule it is: `ytt` of `ytt/type-mismatch`.
    pub fn family(&self) -> &'static str {
        self.code.split_once('/').map_or("", |(family, _)| family)
    }

    /// The other part: `type-mismatch`.
    pub fn name(&self) -> &'static str {
        self.code.split_once('/').map_or(self.code, |(_, name)| name)
    }

    /// One line for lists.
    pub fn title(&self) -> &'static str {
        self.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
    }

    /// The level it has where nobody chose one.
    pub fn level(&self) -> &'static str {
        if self.silent { "off" } else { self.severity.as_str() }
    }

    /// The sections of its page, in the order written.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for line in self.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                sections.push(Section { heading: heading.trim(), text: String::new() });
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

    /// The text of a section; empty if there is none.
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

/// Declares a rule; its documentation comment is its page in the manual.
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

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// ytt refuses the input, or it cannot mean what is written.
    Error,
    /// It works, but most likely not as meant.
    Warning,
    /// Good to know.
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

/// The step at which ytt would have stopped (docs/ytt.md 2). Ours are all reported at once; the
/// stage says which of them ytt would show first.
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
    /// Beyond what ytt looks at; never an error.
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

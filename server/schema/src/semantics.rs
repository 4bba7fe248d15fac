//! What schema languages disagree about when values are compared with a schema, as data: the walk over values and the
//! messages read it and know no language.

use lofting_document::Key;
use lofting_syntax::resolve::Profile;

/// How one language compares values with its schemas.
#[derive(Debug, PartialEq)]
pub struct Semantics {
    /// The language in front of the codes of findings: `ytt` of `ytt/type-mismatch`.
    pub family: &'static str,
    /// How plain scalars are read: decides what has to be quoted in a proposed text.
    pub profile: Profile,
    /// What the length of a string counts.
    pub length: LengthUnit,
    /// What a bound says about a value of a kind it does not speak about, as a length of an integer.
    pub misapplied: Misapplied,
    /// Whether bounds look at null.
    pub null: Null,
    /// Whether `2.0` is an integer.
    pub numbers: Numbers,
    /// Whether keys keep their YAML type.
    pub keys: Keys,
    /// Whether texts are compared with the formats that schemas name.
    pub formats: Formats,
    /// What a pattern says that is no regular expression.
    pub unread_patterns: UnreadPatterns,
    /// Which keys that have to be there may be left out.
    pub required: Required,
    /// What a default takes the place of.
    pub filled: Filled,
    /// What a default has to fit.
    pub defaults: Defaults,
    /// How documents with data values are laid over its defaults, and its rules called.
    pub data_values: DataValues,
    /// The language's words.
    pub words: Words,
}

impl Semantics {
    /// As JSON Schema in its newer drafts: a value is the JSON that a document stands for. What it does not say is that of
    /// a language without functions.
    pub const JSON: Semantics = Semantics {
        family: "json-schema",
        profile: Profile::Core12,
        length: LengthUnit::Characters,
        misapplied: Misapplied::Ignored,
        null: Null::Value,
        numbers: Numbers::Value,
        keys: Keys::Text,
        formats: Formats::Checked,
        unread_patterns: UnreadPatterns::Permit,
        required: Required::AsWritten,
        filled: Filled::Missing,
        defaults: Defaults::Types,
        data_values: DataValues::YTT,
        words: Words {
            notation: Notation::Json,
            document: "",
            declared: "declared here",
            bound: "the rule is here",
            undeclared: "is not declared in the schema",
            bytes: "",
        },
    };

    /// As a Kubernetes API server: defaults are filled in before anything is compared, and formats are its own.
    pub const KUBERNETES: Semantics = Semantics {
        family: "kubernetes",
        // Kubernetes and ytt read YAML with the same library.
        profile: Profile::Ytt,
        formats: Formats::Kubernetes,
        required: Required::AfterDefaults,
        filled: Filled::MissingAndNull,
        ..Semantics::JSON
    };
}

/// What languages for data values of ytt disagree about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataValues {
    /// Whether a document may bring keys that are not there yet.
    pub new_keys: NewKeys,
    /// What a map or array does to a value of another kind.
    pub other_kinds: OtherKinds,
    /// How rules that are code are called.
    pub calls: Calls,
}

impl DataValues {
    /// As ytt does.
    pub const YTT: DataValues =
        DataValues { new_keys: NewKeys::Annotated, other_kinds: OtherKinds::Refused, calls: Calls::OnlyTrue };
}

/// A key in a document with data values that has no match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewKeys {
    /// It needs an overlay annotation.
    Annotated,
    /// It goes through to the check of types.
    Free,
}

/// A map or array that is laid over a value of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKinds {
    /// Cannot be merged.
    Refused,
    /// Takes its place where the type allows several kinds.
    Replace,
}

/// How functions of rules are called, and what their results mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// With maps as fragments; only `True` is success.
    OnlyTrue,
    /// With typed maps as structs; `None`, and pairs that begin with something true, are success as well.
    Results,
}

/// The unit of a string's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthUnit {
    /// Bytes of its UTF-8 form.
    Bytes,
    /// Unicode code points.
    Characters,
}

/// A bound meets a kind of value it does not speak about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misapplied {
    /// It is broken.
    Broken,
    /// It says nothing.
    Ignored,
}

/// How bounds take null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// As no value: they skip it.
    Absent,
    /// As a value like others.
    Value,
}

/// What makes a number an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// How it is written: `2.0` is none.
    Written,
    /// Its value: `2.0` is one.
    Value,
}

/// What keys of maps are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// As they are written: `1` and `"1"` are different keys.
    Written,
    /// Text, as in JSON: `1:` is the key `"1"`.
    Text,
}

impl Keys {
    /// A key of a document as schemas name it.
    pub fn named(self, key: Key) -> Key {
        match (self, key) {
            (Keys::Written, key) | (Keys::Text, key @ Key::String(_)) => key,
            (Keys::Text, other) => Key::String(other.to_string().into()),
        }
    }
}

/// What the formats of strings are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// They are shown: the language leaves them to others.
    Shown,
    /// Texts are compared with those of JSON Schema.
    Checked,
    /// Texts, and ports that are integers, are compared with those of ytt's design proposals.
    Proposed,
    /// Texts are compared with those that API servers of Kubernetes know; all others are shown.
    Kubernetes,
}

/// What a pattern says that is no regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadPatterns {
    /// Nothing.
    Permit,
    /// No text matches it.
    Refuse,
}

/// When a key that has to be there is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// When neither the document nor a default gives it.
    AfterDefaults,
    /// When the document does not give it.
    AsWritten,
    /// Never: who reads the values knows by itself which it needs.
    Never,
}

/// What defaults take the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled {
    /// Keys that are missing.
    Missing,
    /// Keys that are missing, and null where it is not permitted.
    MissingAndNull,
}

/// What defaults and examples of a schema have to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defaults {
    /// The type beside them.
    Types,
    /// All that the schema says about the value, with nothing filled in, or the schema is refused. Examples may be anything.
    Whole,
    /// The same, but the schema is accepted, and each value that leaves the default to be filled in is refused.
    WholeWhenFilled,
}

/// Words and phrases of a language in messages. All else that messages say is the same for all languages.
#[derive(Debug, PartialEq)]
pub struct Words {
    /// How values are spelled in bounds.
    pub notation: Notation,
    /// What the path of a document's own value is called.
    pub document: &'static str,
    /// At the place of a type.
    pub declared: &'static str,
    /// At the place of a bound.
    pub bound: &'static str,
    /// Behind a key that the schema does not know; the name of what holds it may follow.
    pub undeclared: &'static str,
    /// Why a length in bytes is not the number of characters one sees.
    pub bytes: &'static str,
}

/// A way to spell values on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `None`, `True`, `["a"]`
    Starlark,
    /// `null`, `true`, `["a"]`
    Json,
}

//! The differences between schema languages in comparing values with schemas, as data. Checks and messages read this
//! data and know no language.

use lofting_document::Key;
use lofting_syntax::resolve::Profile;

/// How a language compares values with its schemas.
#[derive(Debug, PartialEq)]
pub struct Semantics {
    /// The language in front of the codes of findings: `ytt` of `ytt/type-mismatch`.
    pub family: &'static str,
    /// How plain scalars are read; decides what has to be quoted in proposed texts.
    pub profile: Profile,
    /// The unit of the length of a string.
    pub length: LengthUnit,
    /// What a bound means for a value of a kind it does not apply to, such as a length for an integer.
    pub misapplied: Misapplied,
    /// Whether bounds apply to null.
    pub null: Null,
    /// What null means, or nothing at all, where a part of a document is governed by a schema of another one.
    pub null_part: NullPart,
    /// What limits and allowed values see of an empty map or array.
    pub empty: Empty,
    /// Whether `2.0` is an integer.
    pub numbers: Numbers,
    /// Whether keys keep their YAML type.
    pub keys: Keys,
    /// Which formats of strings are checked.
    pub formats: Formats,
    /// What a pattern means that is not a valid regular expression.
    pub unread_patterns: UnreadPatterns,
    /// What becomes of keys that a schema allows and does not declare.
    pub unread: UnreadKeys,
    /// Which required keys may be left out.
    pub required: Required,
    /// What a default replaces.
    pub filled: Filled,
    /// What a default has to fit.
    pub defaults: Defaults,
    /// What examples have to fit.
    pub examples: Examples,
    /// Whether other programs replace parts of texts before the language reads them.
    pub substitution: Substitution,
    /// How data values documents are merged into the defaults, and how rules are called.
    pub data_values: DataValues,
    /// The language's words.
    pub words: Words,
}

impl Semantics {
    /// JSON Schema in its newer drafts: a value is the JSON that a document stands for. The base of languages that have
    /// no functions.
    pub const JSON: Semantics = Semantics {
        family: "json-schema",
        profile: Profile::Core12,
        length: LengthUnit::Characters,
        misapplied: Misapplied::Ignored,
        null: Null::Value,
        null_part: NullPart::Value,
        empty: Empty::Value,
        numbers: Numbers::Value,
        keys: Keys::Text,
        formats: Formats::Checked,
        unread_patterns: UnreadPatterns::Permit,
        unread: UnreadKeys::RefusedByStrict,
        required: Required::AsWritten,
        filled: Filled::Missing,
        defaults: Defaults::Types,
        examples: Examples::Types,
        substitution: Substitution::Possible,
        data_values: DataValues::YTT,
        words: Words {
            notation: Notation::Json,
            number: "number",
            document: "",
            declared: "declared here",
            bound: "the rule is here",
            undeclared: "is not declared in the schema",
            bytes: "",
        },
    };

    /// A Kubernetes API server: defaults are added before anything is compared, and it has its own formats.
    pub const KUBERNETES: Semantics = Semantics {
        family: "kubernetes",
        profile: Profile::Yaml11,
        formats: Formats::Kubernetes,
        required: Required::AfterDefaults,
        filled: Filled::MissingAndNull,
        ..Semantics::JSON
    };
}

/// Whether other programs replace parts of texts (`${NAME}`, `{{ name }}`) before a language reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Substitution {
    /// No text is replaced: each means what is written.
    Never,
    /// What such texts stand for is not known.
    Possible,
}

/// What null means, or nothing at all, where a part of a document is governed by a schema of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullPart {
    /// It is a value, and a part that is not written has none.
    Value,
    /// It is a map without keys.
    EmptyMap,
}

/// Differences between languages for ytt's data values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataValues {
    /// Whether a document may add keys.
    pub new_keys: NewKeys,
    /// What happens when a map or array is merged with a value of a different kind.
    pub other_kinds: OtherKinds,
    /// How rules that are code are called.
    pub calls: Calls,
}

impl DataValues {
    /// ytt's own behaviour.
    pub const YTT: DataValues =
        DataValues { new_keys: NewKeys::Annotated, other_kinds: OtherKinds::Refused, calls: Calls::OnlyTrue };
}

/// What happens to a key in a data values document that the schema does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewKeys {
    /// It needs an overlay annotation.
    Annotated,
    /// It is passed on to the type check.
    Free,
}

/// What happens when a map or array is merged with a value of a different kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKinds {
    /// It is an error.
    Refused,
    /// It replaces the value if the type allows several kinds.
    Replace,
}

/// How functions of rules are called, and which results are success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Maps are passed as fragments; only `True` is success.
    OnlyTrue,
    /// Typed maps are passed as structs; `None`, and pairs that begin with a true value, are success as well.
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

/// What a bound means for a kind of value it does not apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misapplied {
    /// The value breaks it.
    Broken,
    /// It does not apply.
    Ignored,
}

/// How bounds treat null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Null {
    /// Bounds skip null.
    Absent,
    /// Null is a value like any other.
    Value,
}

/// What limits and allowed values see of an empty map or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// A value like any other.
    Value,
    /// Null: such values are compared after they were written as YAML, and nothing is written of an empty one.
    Null,
}

/// Which numbers are integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Depends on the spelling: `2.0` is not an integer.
    Written,
    /// Depends on the value: `2.0` is an integer.
    Value,
}

/// How keys of maps are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// As they are written: `1` and `"1"` are different keys.
    Written,
    /// As text, as in JSON: `1:` is the key `"1"`.
    Text,
}

impl Keys {
    /// A key of a document in the form in which schemas name it.
    pub fn named(self, key: Key) -> Key {
        match (self, key) {
            (Keys::Written, key) | (Keys::Text, key @ Key::String(_)) => key,
            (Keys::Text, other) => Key::String(other.to_string().into()),
        }
    }
}

/// What becomes of keys that a schema allows and does not declare, and that nothing reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadKeys {
    /// Strict readers refuse them, others drop them.
    RefusedByStrict,
    /// No reader minds them.
    Ignored,
}

/// Which formats of strings are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formats {
    /// Formats are documentation only.
    Shown,
    /// The formats of JSON Schema are checked.
    Checked,
    /// The formats of ytt's design proposals are checked, for strings, and for ports that are integers.
    Proposed,
    /// The formats that Kubernetes API servers know are checked, and the sizes of integers in their own resources;
    /// others are documentation only.
    Kubernetes,
    /// The formats that Kubernetes API servers check in custom resources, where integers have any size.
    CustomResources,
}

/// What a pattern means that is not a valid regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadPatterns {
    /// It is ignored.
    Permit,
    /// No string matches it.
    Refuse,
}

/// When a required key counts as missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// If neither the document nor a default gives it.
    AfterDefaults,
    /// If the document does not give it.
    AsWritten,
    /// Never: the program that reads the values decides which keys it needs.
    Never,
}

/// What defaults replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled {
    /// Keys that are missing.
    Missing,
    /// Missing keys, and null where null is not allowed. Such a null without a default is dropped, unless its key is
    /// required.
    MissingAndNull,
    /// Missing keys, and null where null is not allowed. Such a null without a default stays, and does not fit.
    MissingAndNullWithDefault,
}

impl Filled {
    /// Whether defaults are filled in before values are compared with anything else, also in place of null.
    pub fn is_before_comparing(self) -> bool {
        self != Filled::Missing
    }
}

/// What the defaults and examples of a schema have to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defaults {
    /// The type declared beside them.
    Types,
    /// All rules of the schema for the value, with no defaults added; otherwise the schema is refused. Examples may be
    /// anything.
    Whole,
    /// All rules of the schema. The schema is accepted nevertheless, but every document that relies on the default is
    /// refused.
    WholeWhenFilled,
}

/// What the examples of a schema have to fit, in languages that refuse examples of another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examples {
    /// The type declared beside them.
    Types,
    /// All rules of the schema; only another type is refused.
    Rules,
}

/// A language's own words in messages. The rest of each message is the same for all languages.
#[derive(Debug, PartialEq)]
pub struct Words {
    /// How values are spelled in bounds.
    pub notation: Notation,
    /// The type of numbers that may have a fraction.
    pub number: &'static str,
    /// What messages call the document as a whole.
    pub document: &'static str,
    /// The label for the place where a type is declared.
    pub declared: &'static str,
    /// The label for the place where a bound is declared.
    pub bound: &'static str,
    /// The message about an undeclared key; the name of the map may follow.
    pub undeclared: &'static str,
    /// The explanation why a length in bytes is not the number of visible characters.
    pub bytes: &'static str,
}

/// How values are written on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `None`, `True`, `["a"]`
    Starlark,
    /// `null`, `true`, `["a"]`
    Json,
}

//! A change of a schema as data.

use lofting_document::{Key, Span};
use std::fmt;

/// One step of a path to a place that a schema describes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// To the value of a declared key.
    Key(Key),
    /// To the value of any other key.
    AnyKey,
    /// To the items of an array.
    Items,
}

/// A path from the root of a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Path(pub Vec<PathStep>);

impl Path {
    /// Whether two keys are in the same map.
    pub(crate) fn is_beside(&self, other: &Path) -> bool {
        self.0.split_last().map(|(_, map)| map) == other.0.split_last().map(|(_, map)| map)
    }
}

impl fmt::Display for Path {
    /// Names joined by dots, a dot within a name written `\.`; `*` for any key, `[]` for items.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                PathStep::Items => f.write_str("[]")?,
                _ if index > 0 => f.write_str(".")?,
                _ => {}
            }
            match step {
                PathStep::Key(Key::String(name)) if &**name == "*" => f.write_str("\\*")?,
                PathStep::Key(key) => f.write_str(&key.to_string().replace('\\', "\\\\").replace('.', "\\."))?,
                PathStep::AnyKey => f.write_str("*")?,
                PathStep::Items => {}
            }
        }
        Ok(())
    }
}

/// What a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A key is gone.
    Removed,
    /// A key has another name or place, and the schema says so.
    RenamedTo,
    /// A key is new, and documents need it.
    AddedRequired,
    /// A key is new.
    AddedOptional,
    /// A known key is needed now.
    BecameRequired,
    /// A key may be left out now.
    BecameOptional,
    /// Fewer values are accepted.
    Narrowed,
    /// More values are accepted.
    Widened,
    /// Values of a different type are accepted.
    TypeChanged,
    /// Null is accepted now.
    Nullable,
    /// Null is no longer accepted.
    NotNullable,
    /// The default has changed.
    DefaultChanged,
    /// A default was added.
    DefaultAdded,
    /// The default was removed.
    DefaultRemoved,
    /// A further value may be chosen.
    EnumValueAdded,
    /// A value may no longer be chosen.
    EnumValueRemoved,
    /// It should no longer be used.
    Deprecated,
    /// Its description has changed.
    DocumentationChanged,
    /// Resources belong to namespaces now, or no longer do.
    ScopeChanged,
    /// A custom resource has another group, kind or plural.
    NameChanged,
    /// A custom resource has a further version.
    VersionAdded,
    /// A version of a custom resource is gone.
    VersionRemoved,
}

impl Kind {
    /// All kinds, each with its name and what it means. The table in the manual is made of this one.
    pub const ALL: [(Kind, &'static str, &'static str); 22] = [
        (Kind::Removed, "removed", "A key is gone. Of several keys below each other, only the outermost is named."),
        (Kind::RenamedTo, "renamed-to", "A key has another name or place, and the schema says so in a text."),
        (Kind::AddedRequired, "added-required", "A key is new, and values without it are refused."),
        (Kind::AddedOptional, "added-optional", "A key is new."),
        (Kind::BecameRequired, "became-required", "A key that could be left out is required."),
        (Kind::BecameOptional, "became-optional", "A key that was required may be left out."),
        (Kind::Narrowed, "narrowed", "Fewer values are accepted, because of the keyword that is named."),
        (Kind::Widened, "widened", "More values are accepted, because of the keyword that is named."),
        (Kind::TypeChanged, "type-changed", "A different type is expected, and neither contains the other."),
        (Kind::Nullable, "nullable", "Null is accepted now."),
        (Kind::NotNullable, "not-nullable", "Null is no longer accepted."),
        (Kind::DefaultChanged, "default-changed", "Values that leave out the key get a different default."),
        (Kind::DefaultAdded, "default-added", "Values that leave out the key get a default now."),
        (Kind::DefaultRemoved, "default-removed", "Values that leave out the key no longer get a default."),
        (Kind::EnumValueAdded, "enum-value-added", "The list of allowed values has further ones."),
        (Kind::EnumValueRemoved, "enum-value-removed", "The list of allowed values lost some."),
        (Kind::Deprecated, "deprecated", "It still works and should no longer be used."),
        (
            Kind::DocumentationChanged,
            "documentation-changed",
            "Its description has changed; reported with `--documentation` only.",
        ),
        (Kind::ScopeChanged, "scope-changed", "Resources are in a namespace now, or no longer are."),
        (Kind::NameChanged, "name-changed", "A custom resource has another group, kind or plural."),
        (Kind::VersionAdded, "version-added", "A custom resource has a further version, or one is served now."),
        (Kind::VersionRemoved, "version-removed", "A version of a custom resource is gone, or no longer served."),
    ];

    /// Its name in the output of the command.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, _)| name)
    }

    /// The kind of the same change in the opposite direction, if there is one kind for it.
    #[must_use]
    pub fn reversed(self) -> Option<Kind> {
        Some(match self {
            Kind::Removed => Kind::AddedOptional,
            Kind::AddedRequired | Kind::AddedOptional => Kind::Removed,
            Kind::BecameRequired => Kind::BecameOptional,
            Kind::BecameOptional => Kind::BecameRequired,
            Kind::Narrowed => Kind::Widened,
            Kind::Widened => Kind::Narrowed,
            Kind::TypeChanged
            | Kind::DefaultChanged
            | Kind::DocumentationChanged
            | Kind::ScopeChanged
            | Kind::NameChanged => self,
            Kind::Nullable => Kind::NotNullable,
            Kind::NotNullable => Kind::Nullable,
            Kind::DefaultAdded => Kind::DefaultRemoved,
            Kind::DefaultRemoved => Kind::DefaultAdded,
            Kind::EnumValueAdded => Kind::EnumValueRemoved,
            Kind::EnumValueRemoved => Kind::EnumValueAdded,
            Kind::VersionAdded => Kind::VersionRemoved,
            Kind::VersionRemoved => Kind::VersionAdded,
            Kind::RenamedTo | Kind::Deprecated => return None,
        })
    }
}

/// Whom a change breaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Breaks {
    /// Values that the old schema accepts may be refused by the new one.
    pub values: bool,
    /// What reads the values may find less than before, or something else.
    pub templates: bool,
}

impl Breaks {
    /// Nothing.
    pub const NOTHING: Breaks = Breaks { values: false, templates: false };
    /// Values only.
    pub const VALUES: Breaks = Breaks { values: true, templates: false };
    /// Only what reads values.
    pub const TEMPLATES: Breaks = Breaks { values: false, templates: true };
    /// Values, and what reads them.
    pub const BOTH: Breaks = Breaks { values: true, templates: true };

    /// Values if a condition holds, or else nothing.
    pub fn values_if(condition: bool) -> Breaks {
        Breaks { values: condition, templates: false }
    }

    /// What either of the two breaks.
    #[must_use]
    pub fn or(self, other: Breaks) -> Breaks {
        Breaks { values: self.values || other.values, templates: self.templates || other.templates }
    }
}

/// How grave a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It breaks nothing.
    Info,
    /// It breaks templates, or something behaves differently.
    Warning,
    /// It breaks values.
    Error,
}

impl Severity {
    /// Its name in the output of the command.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The new name or place that a removed key probably has.
#[derive(Debug, Clone, PartialEq)]
pub struct Renamed {
    /// The new key's path.
    pub to: Path,
    /// How certain that is, in percent; 100 if the schema says so.
    pub certainty: u8,
}

/// A key of the old schema that the new one does not have there, and what has probably become of it.
#[derive(Debug, Clone, PartialEq)]
pub struct OldKey {
    /// Its path in the old schema.
    pub was: Path,
    /// Its path once all keys that are earlier in the list are in their new places.
    pub path: Path,
    /// What has become of it.
    pub fate: Fate,
    /// The path has a `*`, and below some of the keys that it may stand for the key is still there.
    pub is_elsewhere: bool,
}

/// See [`OldKey`].
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It has another name or is in another place.
    Moved(Renamed),
    /// It is gone.
    Gone,
    /// It is gone, and everything in it is elsewhere or gone.
    Emptied,
}

/// Which of several schemas in a file is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// OpenAPI: the method and path of an operation, `POST /pets`.
    pub operation: Option<String>,
    /// OpenAPI: the media type of the request body.
    pub media_type: Option<String>,
    /// OpenAPI: the name of a schema, in documents without request bodies. OpenChoreo: what the values are for, such as
    /// `parameters`.
    pub component: Option<String>,
    /// The version of a custom resource.
    pub version: Option<String>,
    /// The kind of a custom resource, or the kind and name of a document of OpenChoreo, if the file has several.
    pub resource: Option<String>,
}

/// A difference between two schemas.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Which schema of the files.
    pub part: Part,
    /// The place that the schemas describe.
    pub path: Path,
    /// What changed.
    pub kind: Kind,
    /// Whom it breaks.
    pub breaks: Breaks,
    /// For narrowed and widened: the keyword of JSON Schema for what changed, or that of the language. For changes of a
    /// custom resource: the key that says so.
    pub keyword: Option<&'static str>,
    /// For narrowed and widened: the keyword of the old schema, if it differs.
    pub old_keyword: Option<&'static str>,
    /// What the old schema said, on one line.
    pub from: Option<String>,
    /// What the new schema says, on one line.
    pub to: Option<String>,
    /// Values of an enumeration that were added or removed, each on one line.
    pub values: Vec<String>,
    /// For removed keys: the name or place that they probably have now.
    pub renamed: Option<Renamed>,
    /// For removed keys: keys below that are probably elsewhere than the key, or than where it is now.
    pub moved: Vec<OldKey>,
    /// A value that the old schema accepts at this place and the new one refuses, on one line.
    pub witness: Option<String>,
    /// For removed keys: the old schema says that the key should no longer be used.
    pub was_deprecated: bool,
    /// For removed keys: the release that had the key as deprecated, so that it may go.
    pub retired: Option<String>,
    /// A rule has another in its place, which may also accept what the old one refused: of two patterns, neither has to be
    /// the narrower one.
    pub replaces: bool,
    /// The rule is about values of other types than those that are accepted, so that it refuses nothing.
    pub is_misapplied: bool,
    /// Whom it breaks could not be decided, so the worst is assumed.
    pub assumed: bool,
    /// The place in the old schema.
    pub old: Option<Span>,
    /// The place in the new schema.
    pub new: Option<Span>,
}

impl Change {
    /// A change at a place that breaks nothing.
    pub fn new(kind: Kind) -> Self {
        Change {
            part: Part::default(),
            path: Path::default(),
            kind,
            breaks: Breaks::NOTHING,
            keyword: None,
            old_keyword: None,
            from: None,
            to: None,
            values: Vec::new(),
            renamed: None,
            moved: Vec::new(),
            witness: None,
            was_deprecated: false,
            retired: None,
            replaces: false,
            is_misapplied: false,
            assumed: false,
            old: None,
            new: None,
        }
    }

    /// This change with those whom it breaks.
    #[must_use]
    pub fn breaking(self, breaks: Breaks) -> Self {
        Change { breaks, ..self }
    }

    /// This change as one to a rule that cannot be compared with the old one.
    #[must_use]
    pub fn replacing(self) -> Self {
        Change { replaces: true, ..self }
    }

    /// This change because of a keyword.
    #[must_use]
    pub fn by(self, keyword: &'static str) -> Self {
        Change { keyword: Some(keyword), ..self }
    }

    /// This change with what the old and the new schema say.
    #[must_use]
    pub fn saying(self, from: Option<String>, to: Option<String>) -> Self {
        Change { from, to, ..self }
    }

    /// This change with its places.
    #[must_use]
    pub fn at(self, old: Option<Span>, new: Option<Span>) -> Self {
        Change { old, new, ..self }
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        let is_notable = matches!(self.kind, Kind::DefaultChanged | Kind::Deprecated);
        match self.breaks {
            Breaks { values: true, .. } => Severity::Error,
            Breaks { templates: true, .. } => Severity::Warning,
            Breaks::NOTHING if is_notable => Severity::Warning,
            Breaks::NOTHING => Severity::Info,
        }
    }
}

//! Which schema governs a file, and which of the six rules decided that.

use crate::association::naming::NamedBy;
use crate::association::no_data::NoData;
use crate::association::schema_state::SchemaState;
use crate::association::shared::SchemaFiles;
use crate::disk::OUT_OF_REACH;
use crate::inputs::NameKind;
use lofting_document::FileId;
use lofting_schema::Schema;
use std::fmt;
use std::sync::Arc;

/// The schema of a file with the reason.
#[derive(Debug, Clone)]
pub struct Association {
    /// The schema that hover, completion and definition use: the first one that applies.
    pub schema: Option<SchemaRef>,
    /// Further schemas that govern the file, because it belongs to several input sets.
    pub others: Vec<SchemaRef>,
    /// Why.
    pub reason: Reason,
}

impl Association {
    pub(crate) fn none(reason: Reason) -> Association {
        Association { schema: None, others: Vec::new(), reason }
    }

    /// All schemas that govern the file.
    pub fn schemas(&self) -> impl Iterator<Item = &SchemaRef> {
        self.schema.iter().chain(&self.others)
    }
}

/// A schema as it governs a file.
#[derive(Debug, Clone)]
pub struct SchemaRef {
    /// The schema.
    pub schema: Arc<Schema>,
    /// The input set, if it has a name: findings say in which set they hold.
    pub set: Option<Arc<str>>,
    /// The file reaches the schema as plain values (`--data-values-file`).
    pub plain: bool,
    /// Not all files of the schema are known, so a key may be declared in another one.
    pub incomplete: bool,
    /// The schema with its files and findings.
    pub state: Arc<SchemaState>,
    /// The files of the schema.
    pub(crate) source: SchemaFiles,
}

impl SchemaRef {
    /// Whether a file takes part in the schema.
    pub fn contains(&self, file: FileId) -> bool {
        self.source.contains(file)
    }
}

/// Why a file has its schema, or has none. `Display` is a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The file holds the schema itself.
    IsSchema,
    /// Rule 1: a comment at the top names it.
    Modeline {
        /// The schema as written.
        schema: String,
    },
    /// Rule 1, but what the comment names cannot be used.
    ModelineBroken {
        /// The schema as written.
        schema: String,
        /// What is wrong.
        problem: ModelineProblem,
    },
    /// Rule 2: the sets of a `lofting.toml` that it belongs to.
    Sets {
        /// Their names.
        names: Vec<String>,
        /// The `lofting.toml`, as shown to the user.
        config: String,
        /// The id of that file.
        file: FileId,
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
    },
    /// The inputs of a `ytt` command found in the workspace.
    Command {
        /// The command, shortened.
        command: String,
        /// The place of the command: file and line.
        place: String,
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
    },
    /// The flags of the command line.
    Flags {
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
    },
    /// Rule 3: `[[schemas]]` of a `lofting.toml`, or a setting. For a JSON Schema, also the file itself.
    Named {
        /// What names it.
        by: NamedBy,
        /// The schema as written.
        schema: String,
        /// Why it cannot be used, if that is so.
        problem: Option<String>,
    },
    /// Rule 5: it belongs to a private library.
    Library {
        /// The library's name.
        library: String,
        /// The schema files, as shown to the user; empty if the library has no schema.
        schema: Arc<[String]>,
    },
    /// Rule 5: its documents are meant for a private library.
    Addressed {
        /// The library's directory as shown to the user, or its reference in a set.
        library: String,
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
    },
    /// Rule 6: the nearest directory with a schema.
    Nearest {
        /// The directory, as shown to the user.
        directory: String,
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
        /// Why the file counts as values.
        because: Because,
    },
    /// The nearest directory has several schemas that do not belong together.
    Several {
        /// The directory, as shown to the user.
        directory: String,
        /// The schema files, as shown to the user.
        schema: Arc<[String]>,
    },
    /// It counts as values, but has no schema.
    NoSchema {
        /// Why the file counts as values.
        because: Because,
    },
    /// Its data values are for a library (`#@library/ref`), which has its own schema.
    OtherLibrary,
    /// A `ytt` call gets it as a template, and it holds no data values.
    Input,
    /// A template: ytt checks its output, not the schema.
    Template,
    /// ytt never looks for values in a file with this name.
    Name(NameKind),
    /// It is not data.
    NoData(NoData),
    /// A Kubernetes manifest: `apiVersion` and `kind` at the top.
    Manifest,
    /// It contains schemas that are parts of documents, or values that such schemas govern.
    Parts,
    /// Values of a Helm chart: a `Chart.yaml` is beside it.
    HelmChart,
    /// Plain YAML, with no sign that it contains values.
    NotValues,
    /// `lofting.toml`.
    Configuration,
}

/// Why a file counts as values (rules 4 and 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Because {
    /// It has a `#@data/values` document.
    Annotated,
    /// Its name has "values" in it, or it lies below `values/`, `envs/` or `env/`.
    Place,
}

/// Why a modeline cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelineProblem {
    /// There is no such file.
    NotFound,
    /// It is a directory without a schema document in it.
    Directory,
    /// The file has no `#@data/values-schema` document.
    NoSchemaDocument,
    /// It is a URL.
    Web,
    /// It lies outside the workspace folder and its repository.
    OutOfReach,
    /// It is still being searched for.
    Awaited,
}

impl fmt::Display for ModelineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelineProblem::NotFound => "there is no such file",
            ModelineProblem::Directory => "that is a directory without a `#@data/values-schema` document",
            ModelineProblem::NoSchemaDocument => "that file has no `#@data/values-schema` document",
            ModelineProblem::Web => "ytt schemas are not fetched",
            ModelineProblem::OutOfReach => OUT_OF_REACH,
            ModelineProblem::Awaited => "it is still being searched for",
        })
    }
}

impl std::error::Error for ModelineProblem {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::IsSchema => f.write_str("This file contains the schema itself (`#@data/values-schema`)."),
            Reason::Modeline { schema } => {
                write!(f, "A comment at the top of the file names the schema `{schema}`.")
            }
            Reason::ModelineBroken { schema, problem } => {
                write!(f, "A comment at the top of the file names the schema `{schema}`, but {problem}.")
            }
            Reason::Sets { names, config, schema, .. } => {
                write!(f, "It belongs to the input {} of {config}, ", Named("set", names))?;
                made_of(f, schema)
            }
            Reason::Command { command, place, schema } => {
                write!(f, "It is an input of `{command}` ({place}), ")?;
                made_of(f, schema)
            }
            Reason::Flags { schema } => {
                f.write_str("It is an input of the command line, ")?;
                made_of(f, schema)
            }
            Reason::Named { by, schema, problem } => {
                f.write_str(&by.words(schema))?;
                problem.iter().try_for_each(|problem| write!(f, " It cannot be read: {problem}."))
            }
            Reason::Library { library, schema } => {
                write!(f, "It belongs to the private library `{library}`, ")?;
                made_of(f, schema)
            }
            Reason::Addressed { library, schema } => {
                write!(f, "It is for the private library `{library}` (`#@library/ref`, `@library:`), ")?;
                made_of(f, schema)
            }
            Reason::Nearest { directory, schema, because } => {
                write!(f, "{because}, and the nearest schema going up is in `{directory}`: {}.", List(schema))
            }
            Reason::NoSchema { because } => write!(
                f,
                "{because}, but neither its directory nor one above it has a document annotated \
                 `#@data/values-schema` (looked in each of them and in its `config/`, `schema/` and `ytt/`)."
            ),
            Reason::Several { directory, schema } => write!(
                f,
                "The nearest schemas are in `{directory}`, but they do not fit together ({}): say in lofting.toml \
                 which files belong together.",
                List(schema)
            ),
            Reason::Input => f.write_str(
                "It is given to ytt as an input, but has no data values: it is a template, or ytt passes it on unchanged.",
            ),
            Reason::OtherLibrary => {
                f.write_str("It is for a library (`#@library/ref`, `@library:`), which has its own schema.")
            }
            Reason::NoData(why) => why.fmt(f),
            Reason::Template => {
                f.write_str("It is a ytt template: no schema governs it as a whole. What it renders has to fit those of its resources.")
            }
            Reason::Name(NameKind::YamlLibrary) => {
                f.write_str("It is a library file (`*.lib.yml`): ytt never looks into it for schema or data values.")
            }
            Reason::Name(_) => {
                f.write_str("ytt looks for schema and data values only in files named `*.yml` or `*.yaml`.")
            }
            Reason::Manifest => {
                f.write_str(
                    "It is a resource (`apiVersion` and `kind` at the top) of a kind that no schema is known for: \
                     Kubernetes has none, nor has a definition or bundle of the workspace. Add its \
                     CustomResourceDefinition, or name a bundle with its schema in `lofting.toml`: `[[schemas]]` with \
                     `kubernetes`.",
                )
            }
            Reason::Parts => f.write_str(
                "No schema governs it as a whole: it contains schemas, or values that schemas in other documents govern.",
            ),
            Reason::HelmChart => {
                f.write_str("It holds the values of a Helm chart (a `Chart.yaml` is beside it), which has no `values.schema.json`.")
            }
            Reason::NotValues => f.write_str(
                "Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does \
                 it say that it holds data values for ytt.",
            ),
            Reason::Configuration => f.write_str("It is Lofting's configuration."),
        }
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Because::Annotated => "It is annotated `#@data/values`",
            Because::Place => "Its name or directory says that it contains values",
        })
    }
}

fn made_of(f: &mut fmt::Formatter<'_>, schema: &[String]) -> fmt::Result {
    if schema.is_empty() {
        f.write_str("which has no schema.")
    } else {
        write!(f, "whose schema is in {}.", List(schema))
    }
}

/// `a`, `b` and 3 more
struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = 3;
        for (index, name) in self.0.iter().take(shown).enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "`{name}`")?;
        }
        match self.0.len().saturating_sub(shown) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// set `a`; sets `a`, `b`
struct Named<'a>(&'a str, &'a [String]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.1.len() == 1 { "" } else { "s" };
        write!(f, "{}{plural} {}", self.0, List(self.1))
    }
}

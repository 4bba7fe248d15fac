//! Every annotation of ytt and of its design proposals, as a table.

mod data;
mod overlay;
mod proposals;
mod schema;

/// What an annotation is for and how it is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The full name, such as `schema/nullable`.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Details in Markdown; may be empty.
    pub doc: &'static str,
    /// The kinds of node that it may belong to.
    pub places: Places,
    /// The documents in which it has a meaning.
    pub area: Area,
    /// Its arguments in order.
    pub parameters: &'static [Parameter],
    /// What completion inserts after `#@`, with LSP placeholders.
    pub snippet: &'static str,
    /// What completion inserts in editors that support no placeholders.
    pub plain: &'static str,
    /// Whether ytt does anything with it.
    pub status: Status,
}

/// Where ytt's manual is.
macro_rules! manual {
    ($page:literal) => {
        Some(concat!("https://carvel.dev/ytt/docs/latest/", $page, "/"))
    };
}

impl Entry {
    /// The page of ytt's manual about the annotation; proposals have none.
    pub fn manual(&self) -> Option<&'static str> {
        let is_shipped = [data::ENTRIES, schema::ENTRIES, overlay::ENTRIES].into_iter().flatten();
        is_shipped.into_iter().find(|entry| std::ptr::eq(*entry, self))?;
        match self.name.split_once('/')?.0 {
            "schema" | "assert" => manual!("lang-ref-ytt-schema"),
            "overlay" => manual!("lang-ref-ytt-overlay"),
            "library" => manual!("lang-ref-ytt-library"),
            "data" => manual!("how-to-use-data-values"),
            _ => manual!("lang-ref-annotation"),
        }
    }
}

/// The kinds of node that an annotation may belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Documents (`---`).
    pub document: bool,
    /// Map items.
    pub map_item: bool,
    /// Array items.
    pub array_item: bool,
}

impl Places {
    const ANY: Self = Self { document: true, map_item: true, array_item: true };
    const DOCUMENT: Self = Self { document: true, map_item: false, array_item: false };
    const MAP_ITEM: Self = Self { document: false, map_item: true, array_item: false };
    const ITEMS: Self = Self { document: false, map_item: true, array_item: true };
    const NOT_ARRAY_ITEM: Self = Self { document: true, map_item: true, array_item: false };
    const NOT_MAP_ITEM: Self = Self { document: true, map_item: false, array_item: true };
}

/// The documents in which an annotation has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Schema documents.
    Schema,
    /// Data values documents.
    Values,
    /// Documents that are laid over others: data values, later schema documents, overlays.
    Overlay,
    /// Any template.
    Any,
}

/// One argument of an annotation.
#[derive(Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The keyword; for a positional argument, a word that documentation calls it by.
    pub name: &'static str,
    /// How it is passed.
    pub passing: Passing,
    /// The types it accepts, in Starlark's words.
    pub types: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
    /// What completion inserts for the value, with placeholders numbered from 1.
    pub value_snippet: &'static str,
    /// The possible values as they are written, if they can be listed.
    pub choices: &'static [&'static str],
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Exactly one positional argument.
    Positional,
    /// Any number of positional arguments.
    Repeated,
    /// `name=value`
    Keyword,
}

/// Whether ytt does anything with an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It works.
    Shipped,
    /// It was proposed and never built: ytt accepts and ignores it silently.
    Ignored {
        /// What to write today, if there is something.
        instead: Option<&'static str>,
        /// What follows from its being ignored; may be empty.
        effect: &'static str,
    },
}

/// Which annotations exist in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// ytt's.
    Shipped,
    /// ytt's design proposals: schema documents in one of their two forms, which share their annotations.
    Proposed,
}

/// Names of ytt that the proposals replace by others.
const RENAMED: [&str; 3] = ["data/values-schema", "schema/desc", "schema/validation"];

impl Vocabulary {
    /// The annotations of this vocabulary. A name comes before longer names that begin with it.
    pub fn entries(self) -> impl Iterator<Item = &'static Entry> {
        let shipped = [data::ENTRIES, schema::ENTRIES, overlay::ENTRIES].into_iter().flatten();
        let changed =
            move |name: &str| self == Vocabulary::Proposed && proposals::CHANGED.iter().any(|entry| entry.name == name);
        let renamed = move |name: &str| self == Vocabulary::Proposed && RENAMED.contains(&name);
        let own = [proposals::ENTRIES, proposals::CHANGED].into_iter().flatten();
        let own = own.filter(move |_| self == Vocabulary::Proposed);
        own.chain(shipped.filter(move |entry| !changed(entry.name) && !renamed(entry.name)))
    }

    /// The annotation with exactly this name (case-sensitive), even if only the other vocabulary has it.
    pub fn find(self, name: &str) -> Option<&'static Entry> {
        self.entries().chain(entries()).find(|entry| entry.name == name)
    }
}

/// The annotations above `---` that make a document a schema of a proposal.
pub fn proposed_heads() -> impl Iterator<Item = &'static Entry> {
    proposals::ENTRIES.iter().filter(|entry| entry.places == Places::DOCUMENT)
}

impl Entry {
    /// The keyword argument with that name.
    pub fn keyword(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.passing == Passing::Keyword && parameter.name == name)
    }

    /// The parameter that takes the positional argument at `index`, counted from 0.
    pub fn positional(&self, index: usize) -> Option<&'static Parameter> {
        let mut positional = self.parameters.iter().filter(|parameter| parameter.passing != Passing::Keyword);
        match positional.clone().nth(index) {
            Some(parameter) => Some(parameter),
            None => positional.rfind(|parameter| parameter.passing == Passing::Repeated),
        }
    }

    /// True if ytt does something with it.
    pub fn is_shipped(&self) -> bool {
        self.status == Status::Shipped
    }
}

/// All of ytt's own annotations, the working ones first.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    [data::ENTRIES, schema::ENTRIES, overlay::ENTRIES, proposals::ENTRIES].into_iter().flatten()
}

/// ytt's own annotation with exactly this name (case-sensitive).
pub fn find(name: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.name == name)
}

const fn positional(name: &'static str, types: &'static str, doc: &'static str, value: &'static str) -> Parameter {
    Parameter { name, passing: Passing::Positional, types, doc, value_snippet: value, choices: &[] }
}

const fn repeated(name: &'static str, types: &'static str, doc: &'static str, value: &'static str) -> Parameter {
    Parameter { name, passing: Passing::Repeated, types, doc, value_snippet: value, choices: &[] }
}

const fn keyword(name: &'static str, types: &'static str, doc: &'static str, value: &'static str) -> Parameter {
    Parameter { name, passing: Passing::Keyword, types, doc, value_snippet: value, choices: &[] }
}

/// The parameter, limited to these values.
const fn choice(parameter: Parameter, choices: &'static [&'static str]) -> Parameter {
    Parameter { choices, ..parameter }
}

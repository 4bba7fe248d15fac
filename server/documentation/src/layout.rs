//! Layouts: templates that turn what a schema says into a page.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lofting::Documentation;
use lofting_text::{Breaks, visible};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context, escape_formatter};
use sha2::{Digest, Sha256};

use crate::{anchor, markdown};

/// A layout of this program.
#[derive(Debug)]
pub struct Layout {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it looks like, in a few words.
    pub about: &'static str,
    /// The ending of files that it makes.
    pub extension: &'static str,
    template: &'static str,
}

/// All layouts: a new one is a file and a line here.
pub const LAYOUTS: &[Layout] = &[
    Layout {
        name: "table",
        about: "Markdown, one table with a line for each value",
        extension: "md",
        template: include_str!("layouts/table.md.j2"),
    },
    Layout {
        name: "sections",
        about: "Markdown, a section for each value with everything about it",
        extension: "md",
        template: include_str!("layouts/sections.md.j2"),
    },
    Layout {
        name: "html",
        about: "one HTML file with a tree and a search, which loads nothing",
        extension: "html",
        template: include_str!("layouts/page.html.j2"),
    },
];

const STYLE: &str = include_str!("layouts/page.css");
const SCRIPT: &str = include_str!("layouts/page.js");

/// How much a template may do: about a thousand steps for each of the most values that there can be.
const FUEL: u64 = 50_000_000;

/// A template that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutError {
    /// Its name.
    template: String,
    /// The line, from 1.
    line: Option<usize>,
    /// What sort of mistake it is.
    kind: minijinja::ErrorKind,
    /// More about it, in words.
    detail: Option<String>,
}

impl LayoutError {
    fn of(template: &str, error: &minijinja::Error) -> LayoutError {
        let detail = error.detail().map(str::to_owned);
        LayoutError { template: template.to_owned(), line: error.line(), kind: error.kind(), detail }
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.template)?;
        self.line.iter().try_for_each(|line| write!(f, ":{line}"))?;
        write!(f, ": {}", self.kind)?;
        self.detail.iter().try_for_each(|detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for LayoutError {}

impl Layout {
    /// The page. `heading` replaces the title of the schema.
    ///
    /// # Errors
    ///
    /// None is known: the layouts of this program can be used for everything.
    pub fn page(&self, documentation: &Documentation, heading: Option<&str>) -> Result<String, LayoutError> {
        page(self.name, self.template, self.extension == "html", documentation, heading)
    }

    /// The page by a template of the user's own, in the language of Jinja. In HTML, texts are escaped.
    ///
    /// # Errors
    ///
    /// The template cannot be parsed, or fails.
    pub fn page_by(
        name: &str,
        template: &str,
        documentation: &Documentation,
        heading: Option<&str>,
    ) -> Result<String, LayoutError> {
        let name_of_page = name.strip_suffix(".j2").or(name.strip_suffix(".jinja")).unwrap_or(name);
        let is_html = [".html", ".htm", ".xhtml"].iter().any(|end| name_of_page.to_ascii_lowercase().ends_with(end));
        page(name, template, is_html, documentation, heading)
    }
}

fn page(
    name: &str,
    template: &str,
    is_html: bool,
    documentation: &Documentation,
    heading: Option<&str>,
) -> Result<String, LayoutError> {
    let heading = heading.or(documentation.title.as_deref()).unwrap_or("Values");
    rendered(name, template, is_html, heading, Value::from(Serde(documentation)))
}

/// What a template makes of data.
pub(crate) fn rendered(
    name: &str,
    template: &str,
    is_html: bool,
    heading: &str,
    data: Value,
) -> Result<String, LayoutError> {
    let refused = |error: &minijinja::Error| LayoutError::of(name, error);
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(move |_| if is_html { AutoEscape::Html } else { AutoEscape::None });
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_formatter(|out, state, value| match value.as_str().filter(|_| !value.is_safe()) {
        // No text may hide or turn round what is beside it.
        Some(text) => escape_formatter(out, state, &Value::from(visible(text, Breaks::Kept).into_owned())),
        None => escape_formatter(out, state, value),
    });
    environment.set_fuel(Some(FUEL));
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| refused(&error))?);
    environment.add_filter("anchor", |path: &str| anchor::id(path));
    environment.add_filter("fragment", |path: &str| anchor::fragment(path));
    environment.add_filter("html", |text: &str| Value::from_safe_string(markdown::to_html(text)));
    environment.add_filter("defused", |text: &str| markdown::defused(text));
    environment.add_filter("cell", |text: &str| markdown::cell(text));
    environment.add_filter("literal", |text: &str| markdown::literal(text));
    environment.add_filter("code", |text: &str| markdown::code(text));
    environment.add_filter("block", |text: &str| markdown::block(text));
    environment.add_template(name, template).map_err(|error| refused(&error))?;
    let template = environment.get_template(name).map_err(|error| refused(&error))?;
    let context = context! {
        heading,
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        style_hash => hash(STYLE),
        script_hash => hash(SCRIPT),
        ..data
    };
    template.render(context).map_err(|error| refused(&error))
}

/// What a policy of a page calls an element with this text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

//! Output formats for findings outside editors.
//!
//! A check never formats: it returns diagnostics. Each format is one file here and one line in [`Format`].

mod checkstyle;
mod findings;
mod github;
mod gitlab;
mod json;
mod junit;
mod rdjson;
mod sarif;
mod statistics;
pub(crate) mod text;
pub(crate) mod xml;

pub(crate) use findings::{Findings, fingerprints};
pub(crate) use json::Report as JsonReport;
pub(crate) use sarif::SCHEMA as SARIF;
pub(crate) use statistics::statistics;

use clap::ValueEnum;

/// A form in which findings are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Source excerpts, for people.
    Text,
    /// One JSON object, for programs.
    Json,
    /// One JSON object for each finding, each on its line.
    JsonLines,
    /// Annotations of GitHub Actions.
    Github,
    /// Code Quality of GitLab.
    Gitlab,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML: one suite for each file.
    Junit,
    /// Checkstyle XML.
    Checkstyle,
    /// Reviewdog's diagnostic format.
    Rdjson,
}

impl Format {
    /// Whether a report in this format says how many findings it leaves out.
    pub(crate) fn says_what_is_hidden(self) -> bool {
        matches!(self, Format::Text | Format::Json)
    }

    /// The report in this format, with its last line break. Only text for people has colours.
    pub(crate) fn render(self, findings: &Findings<'_>, colour: bool) -> String {
        match self {
            Format::Text => text::render_findings(findings, colour),
            Format::Json => json::render(findings),
            Format::JsonLines => json::render_lines(findings),
            Format::Github => github::render(findings),
            Format::Gitlab => gitlab::render(findings),
            Format::Sarif => sarif::render(findings),
            Format::Junit => junit::render(findings),
            Format::Checkstyle => checkstyle::render(findings),
            Format::Rdjson => rdjson::render(findings),
        }
    }

    /// Whether people read it. What programs read is written byte for byte.
    pub(crate) fn is_for_people(self) -> bool {
        self == Format::Text
    }
}

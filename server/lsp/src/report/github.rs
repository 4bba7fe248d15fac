//! `--format github`: commands of GitHub Actions, which the runner shows beside the changed lines.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>

use std::fmt::Write;

use lofting_check::Severity;

use super::findings::Findings;
use crate::terminal;

/// One command for each finding.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let mut out = String::new();
    for finding in &findings.shown {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "notice",
        };
        let (start, end) = findings.ends(finding.marked());
        let file = property(&findings.name_here(finding.marked()));
        let _ = write!(out, "::{command} file={file},line={},endLine={}", start.line, end.line);
        // Columns are only allowed within one line.
        if start.line == end.line {
            let _ = write!(out, ",col={},endColumn={}", start.column, end.column);
        }
        let _ = writeln!(out, ",title={}::{}", property(&finding.code()), data(&finding.message_with_help()));
    }
    out
}

/// Text after the command: only line breaks end it.
fn data(text: &str) -> String {
    terminal::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a comma or a colon would end as well.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn text_of_users_cannot_begin_a_command() {
        assert_eq!(data("a\n::error::x\r50%"), "a%0A::error::x\\r50%25");
        assert_eq!(property("a,line=1::x\n.yml"), "a%2Cline=1%3A%3Ax%0A.yml");
    }
}

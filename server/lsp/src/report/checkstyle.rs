//! `--format checkstyle`: XML as Checkstyle writes it.

use lofting_check::{Diagnostic, Severity};

use super::findings::Findings;
use super::xml::{document, value};

/// All files with their findings; files without any are not named.
pub(super) fn render(findings: &Findings<'_>) -> String {
    document(|xml| {
        let root = xml.create_element("checkstyle").with_attribute(("version", "8.0"));
        root.write_inner_content(|xml| {
            let same_file = |a: &&Diagnostic, b: &&Diagnostic| a.marked().file == b.marked().file;
            for group in findings.shown.chunk_by(same_file) {
                let Some(first) = group.first() else { continue };
                let name = findings.name(first.marked());
                xml.create_element("file").with_attribute(("name", &*value(name))).write_inner_content(|xml| {
                    for finding in group {
                        let (start, _) = findings.ends(finding.marked());
                        let severity = match finding.severity {
                            Severity::Error => "error",
                            Severity::Warning => "warning",
                            Severity::Info | Severity::Hint => "info",
                        };
                        xml.create_element("error")
                            .with_attribute(("line", start.line.to_string().as_str()))
                            .with_attribute(("column", start.column.to_string().as_str()))
                            .with_attribute(("severity", severity))
                            .with_attribute(("message", &*value(&finding.message)))
                            .with_attribute(("source", format!("lofting.{}", finding.code()).as_str()))
                            .write_empty()?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })
}

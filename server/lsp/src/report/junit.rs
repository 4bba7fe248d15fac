//! `--format junit`: one suite for each file, one failed case for each error.
//!
//! A warning is not a failure: its case passes, with the warning as its output. A file without findings is a case that
//! passes.

use lofting_check::{Diagnostic, Severity};
use lofting_workspace::CheckedFile;

use super::findings::Findings;
use super::xml::{Xml, document, text, value};

/// The suites of all files.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let report = findings.report;
    let suites: Vec<Vec<&Diagnostic>> = {
        let mut rest = findings.shown.as_slice();
        let mut next = |file: &CheckedFile| {
            let (own, others) = rest.split_at(file.diagnostics.len().min(rest.len()));
            rest = others;
            own.to_vec()
        };
        report.files.iter().map(&mut next).collect()
    };
    let tests: usize = suites.iter().map(|suite| suite.len().max(1)).sum();
    let failures: usize = suites.iter().flatten().filter(|finding| is_failure(finding)).count();
    document(|xml| {
        let root = xml
            .create_element("testsuites")
            .with_attribute(("name", "lofting"))
            .with_attribute(("tests", tests.to_string().as_str()))
            .with_attribute(("failures", failures.to_string().as_str()))
            .with_attribute(("errors", "0"));
        root.write_inner_content(|xml| {
            report.files.iter().zip(&suites).try_for_each(|(file, own)| suite(findings, file, own, xml))
        })?;
        Ok(())
    })
}

fn is_failure(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

fn suite(findings: &Findings<'_>, file: &CheckedFile, own: &[&Diagnostic], xml: &mut Xml) -> std::io::Result<()> {
    let failures = own.iter().filter(|finding| is_failure(finding)).count();
    let element = xml
        .create_element("testsuite")
        .with_attribute(("name", &*value(&file.shown)))
        .with_attribute(("tests", own.len().max(1).to_string().as_str()))
        .with_attribute(("failures", failures.to_string().as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("skipped", "0"));
    element.write_inner_content(|xml| {
        if own.is_empty() {
            let case = xml.create_element("testcase").with_attribute(("name", "lofting check"));
            case.with_attribute(("classname", &*value(&file.shown))).write_empty()?;
        }
        own.iter().try_for_each(|finding| case(findings, finding, xml))
    })?;
    Ok(())
}

fn case(findings: &Findings<'_>, finding: &Diagnostic, xml: &mut Xml) -> std::io::Result<()> {
    let name = findings.name(finding.marked());
    let (start, _) = findings.ends(finding.marked());
    let (severity, message) = (finding.severity.as_str(), finding.message_with_help());
    let whole = format!("{name}:{}:{}: {severity}: {message}", start.line, start.column);
    let element = xml
        .create_element("testcase")
        .with_attribute(("name", &*finding.code()))
        .with_attribute(("classname", &*value(name)));
    element.write_inner_content(|xml| {
        if is_failure(finding) {
            xml.create_element("failure")
                .with_attribute(("message", &*value(&finding.message)))
                .with_attribute(("type", "error"))
                .write_text_content(text(&whole))
        } else {
            xml.create_element("system-out").write_text_content(text(&whole))
        }?;
        Ok(())
    })?;
    Ok(())
}

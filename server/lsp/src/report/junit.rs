//! `--format junit`: one suite for each file, one failed case for each error.
//!
//! A warning is not a failure: its case passes, with the warning as its output. A file without findings is a case that
//! passes. Errors that are hidden are one more failed case of their file.

use lofting_check::{Diagnostic, Severity};
use lofting_workspace::CheckedFile;

use super::findings::Findings;
use super::text::counted;
use super::xml::{Xml, document, text, value};

/// The suites of all files.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let report = findings.report;
    let suites: Vec<Suite<'_>> = {
        let mut rest = findings.shown.as_slice();
        let mut next = |file: &CheckedFile| {
            // Both are in the same order.
            let is_own = |shown: &&Diagnostic, all: &mut std::slice::Iter<'_, Diagnostic>| {
                all.any(|finding| std::ptr::eq(finding, *shown))
            };
            let mut all = file.diagnostics.iter();
            let count = rest.iter().take_while(|shown| is_own(shown, &mut all)).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            let errors = file.diagnostics.iter().filter(|finding| is_failure(finding)).count();
            let hidden_errors = errors - own.iter().filter(|finding| is_failure(finding)).count();
            Suite { own: own.to_vec(), hidden_errors }
        };
        report.files.iter().map(&mut next).collect()
    };
    let tests: usize = suites.iter().map(Suite::tests).sum();
    let failures: usize = suites.iter().map(Suite::failures).sum();
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

/// The findings of a file that are shown, and how many errors are not.
struct Suite<'r> {
    own: Vec<&'r Diagnostic>,
    hidden_errors: usize,
}

impl Suite<'_> {
    fn tests(&self) -> usize {
        (self.own.len() + usize::from(self.hidden_errors > 0)).max(1)
    }

    fn failures(&self) -> usize {
        self.own.iter().filter(|finding| is_failure(finding)).count() + usize::from(self.hidden_errors > 0)
    }
}

fn is_failure(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

fn suite(findings: &Findings<'_>, file: &CheckedFile, of_file: &Suite<'_>, xml: &mut Xml) -> std::io::Result<()> {
    let Suite { own, hidden_errors } = of_file;
    let element = xml
        .create_element("testsuite")
        .with_attribute(("name", &*value(&file.shown)))
        .with_attribute(("tests", of_file.tests().to_string().as_str()))
        .with_attribute(("failures", of_file.failures().to_string().as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("skipped", "0"));
    element.write_inner_content(|xml| {
        if own.is_empty() && *hidden_errors == 0 {
            let case = xml.create_element("testcase").with_attribute(("name", "lofting check"));
            case.with_attribute(("classname", &*value(&file.shown))).write_empty()?;
        }
        own.iter().try_for_each(|finding| case(findings, finding, xml))?;
        if *hidden_errors > 0 {
            let message = format!("{} not shown (--max-findings)", counted(*hidden_errors, "error"));
            let case = xml.create_element("testcase").with_attribute(("name", "lofting check"));
            case.with_attribute(("classname", &*value(&file.shown))).write_inner_content(|xml| {
                let failure = xml.create_element("failure").with_attribute(("message", message.as_str()));
                failure.with_attribute(("type", "error")).write_text_content(text(&message))?;
                Ok(())
            })?;
        }
        Ok(())
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

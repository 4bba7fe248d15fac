//! Fixtures with marks: every finding must be marked, and every mark must have its finding.

use crate::opened::Opened;
use lofting_check::Diagnostic;
use lofting_fixture::{Mark, Phrase, marks, with_marks, wording_faults};

/// A fixture in the pipeline that the editor uses.
struct Fixture {
    opened: Opened,
    marks: Vec<Vec<Mark>>,
}

impl Fixture {
    fn new(text: &str) -> Fixture {
        let mut files = lofting_fixture::files(text);
        let mut all = Vec::new();
        for file in &mut files {
            let (text, marks) = marks(&file.text);
            file.text = text;
            all.push(marks);
        }
        Fixture { opened: Opened::scanned(&files), marks: all }
    }

    /// The findings of each file. Their wording is checked.
    fn findings(&self) -> Vec<Vec<Diagnostic>> {
        let found: Vec<Vec<Diagnostic>> =
            (0..self.opened.files.len()).map(|number| self.opened.findings(number)).collect();
        let faults: Vec<String> = found.iter().flatten().flat_map(wording_faults_of).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        found
    }

    fn text(&self, number: usize) -> &str {
        &self.opened.files[number].1.text
    }

    /// A file with marks for its findings.
    fn marked(&self, number: usize, marks: &[Mark]) -> String {
        format!("#- {}\n{}", self.opened.files[number].1.path, with_marks(self.text(number), marks))
    }

    fn mark(&self, number: usize, finding: &Diagnostic) -> Mark {
        let text = self.text(number);
        let start = finding.span.start as usize;
        let line = text[..start].matches('\n').count();
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[start..finding.span.end as usize];
        let end = start + rest.find('\n').unwrap_or(rest.len());
        let start = start - first;
        Mark { line, start, end: (end - first).max(start), name: finding.code().to_string() }
    }
}

/// Checks that the findings of a fixture are the marked ones, and returns them.
#[track_caller]
pub fn check(text: &str) -> Vec<Diagnostic> {
    let Compared { found, wanted_text, found_text } = compare(text);
    if wanted_text != found_text {
        let messages: Vec<String> =
            found.iter().map(|f| format!("{} {}: {}", f.code(), f.stage.as_str(), f.message)).collect();
        panic!("wanted:\n{wanted_text}\nfound:\n{found_text}\n{}", messages.join("\n"));
    }
    found
}

/// The findings of a fixture, with its text as it is marked and as it would be marked for them.
pub struct Compared {
    pub found: Vec<Diagnostic>,
    pub wanted_text: String,
    pub found_text: String,
}

pub fn compare(text: &str) -> Compared {
    let fixture = Fixture::new(text);
    let found = fixture.findings();
    let (mut wanted_text, mut found_text) = (String::new(), String::new());
    for (number, found) in found.iter().enumerate() {
        let here: Vec<Mark> = found.iter().map(|finding| fixture.mark(number, finding)).collect();
        wanted_text.push_str(&fixture.marked(number, &fixture.marks[number]));
        found_text.push_str(&fixture.marked(number, &here));
    }
    Compared { found: found.into_iter().flatten().collect(), wanted_text, found_text }
}

/// The messages of a marked fixture, with their help and the titles of their fixes.
#[track_caller]
pub fn messages(text: &str) -> String {
    let mut out = String::new();
    for finding in check(text) {
        out.push_str(&format!("{}: {}\n", finding.stage.as_str(), finding.message));
        if let Some(help) = finding.help {
            out.push_str(&format!("  help: {help}\n"));
        }
        for fix in finding.fixes {
            let edits: Vec<String> = fix.edits.into_iter().map(|(_, text)| format!("{text:?}")).collect();
            out.push_str(&format!("  fix: {}: {}\n", fix.title, edits.join(", ")));
        }
    }
    out
}

/// The codes of all findings, each with the text that it is about.
pub fn named(text: &str) -> Vec<(String, String)> {
    let fixture = Fixture::new(text);
    let found = fixture.findings().into_iter().enumerate();
    let named = |number, finding: Diagnostic| {
        (finding.code().into_owned(), fixture.text(number)[finding.span.range()].to_owned())
    };
    found.flat_map(|(number, found)| found.into_iter().map(move |finding| named(number, finding))).collect()
}

/// Rules whose messages end with words of the user or of ytt.
const QUOTING: &[&str] = &["schema/removed-value", "ytt/deprecated-value", "ytt/validation"];

/// What is wrong with the wording of a finding.
fn wording_faults_of(finding: &Diagnostic) -> Vec<String> {
    let code = finding.code();
    let message = (!QUOTING.contains(&finding.rule.code)).then_some(&finding.message);
    let labels = finding.related.iter().map(|related| &related.message);
    let sentences = message.into_iter().chain(&finding.help).chain(labels);
    let titles = finding.fixes.iter().map(|fix| &fix.title);
    let parts = sentences.map(|text| (Phrase::Sentence, text)).chain(titles.map(|text| (Phrase::Title, text)));
    parts.flat_map(|(part, text)| wording_faults(&code, part, text)).collect()
}

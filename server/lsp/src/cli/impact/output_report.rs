//! What input sets render differently, for people and for programs.

use std::fmt::Write;

use lofting_markdown::code_block;
use schemars::JsonSchema;
use serde::Serialize;

use super::Impact;
use super::causes::CausedBy;
use super::rendered::{OutputChange, OutputGroup, Patch, Rendered, What};
use super::report::{FindingAnswer, PlaceAnswer, counted};
use crate::cli::diff::{as_code as code, plain};
use crate::terminal::{line, lines};

/// How many causes or sets of a group are named to people.
const NAMED: usize = 20;

/// What input sets render differently.
#[derive(Serialize, JsonSchema)]
pub(super) struct RenderedAnswer {
    /// What happened, with its causes.
    changes: Vec<OutputAnswer>,
    /// Counts.
    summary: RenderedSummary,
}

/// What happened to the output of some input sets.
#[derive(Serialize, JsonSchema)]
struct OutputAnswer {
    /// `other` output, it `fails` now, it `renders` now and did not before, the set is `new` or `gone`, or it is `unknown`
    /// what is rendered now.
    kind: &'static str,
    /// The input sets.
    sets: Vec<String>,
    /// What changed in the files of the sets.
    causes: Vec<PlaceAnswer>,
    /// Why they fail.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FindingAnswer>,
    /// Why it is not known what they render.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The difference of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<DiffAnswer>,
}

/// A difference.
#[derive(Serialize, JsonSchema)]
struct DiffAnswer {
    /// A unified diff, with the paths inside ytt. Its lines have at most 500 characters.
    text: String,
    /// How many of its lines are left out at the end.
    left_out: usize,
    /// Lines of the output that are new.
    added: usize,
    /// Lines of the output that are gone.
    removed: usize,
}

/// How many input sets there are of each kind of change.
#[derive(Serialize, JsonSchema)]
struct RenderedSummary {
    other: usize,
    fails: usize,
    renders: usize,
    new: usize,
    gone: usize,
    unknown: usize,
}

/// The answer to programs.
pub(super) fn answer_of(impact: &Impact, rendered: &Rendered) -> RenderedAnswer {
    let answer = |group: &OutputGroup, change: &OutputChange| OutputAnswer {
        kind: change.what.name(),
        sets: change.sets.clone(),
        causes: group.causes.iter().map(PlaceAnswer::of).collect(),
        errors: change.what.errors().iter().map(|finding| impact.finding_answer(finding)).collect(),
        reason: match change.what {
            What::Unknown(why) => Some(why),
            _ => None,
        },
        diff: match &change.what {
            What::Other(patch) => Some(DiffAnswer {
                text: patch.shown.clone(),
                left_out: patch.cut,
                added: patch.added,
                removed: patch.removed,
            }),
            _ => None,
        },
    };
    let changes = rendered.groups.iter().flat_map(|group| group.changes.iter().map(|change| answer(group, change)));
    let count = |name: &str| rendered.count(|what| what.name() == name);
    RenderedAnswer {
        changes: changes.collect(),
        summary: RenderedSummary {
            other: count("other"),
            fails: count("fails"),
            renders: count("renders"),
            new: count("new"),
            gone: count("gone"),
            unknown: count("unknown"),
        },
    }
}

impl What {
    fn name(&self) -> &'static str {
        match self {
            What::Other(_) => "other",
            What::Fails(_) => "fails",
            What::Renders => "renders",
            What::New => "new",
            What::Gone => "gone",
            What::Unknown(_) => "unknown",
        }
    }

    /// In words that follow the number of sets.
    fn words(&self, count: usize) -> String {
        let verb = Verb::of(self).of_count(count);
        match self {
            What::Other(patch) => {
                format!("{verb} ({} added, {} removed)", counted(patch.added, "line"), patch.removed)
            }
            What::Unknown(why) => format!("{verb}: {why}"),
            _ => verb.to_owned(),
        }
    }
}

/// What sets do, for one of them and for several.
struct Verb(&'static str, &'static str);

impl Verb {
    fn of(what: &What) -> Verb {
        match what {
            What::Other(_) => Verb("renders something else", "render something else"),
            What::Fails(_) => Verb("fails", "fail"),
            What::Renders => Verb("renders and did not before", "render and did not before"),
            What::New => Verb("is new", "are new"),
            What::Gone => Verb("is gone", "are gone"),
            What::Unknown(_) => Verb("cannot be rendered", "cannot be rendered"),
        }
    }

    fn of_count(self, count: usize) -> &'static str {
        if count == 1 { self.0 } else { self.1 }
    }
}

impl Patch {
    fn left_out(&self) -> Option<String> {
        (self.cut > 0).then(|| format!("({} of the difference not shown)", counted(self.cut, "more line")))
    }
}

impl Rendered {
    /// A sentence.
    pub fn summary(&self) -> String {
        let mut kinds: Vec<&What> = Vec::new();
        for change in self.changes() {
            if !kinds.iter().any(|known| known.name() == change.what.name()) {
                kinds.push(&change.what);
            }
        }
        let parts = kinds.into_iter().map(|kind| {
            let count = self.count(|what| what.name() == kind.name());
            format!("{count} {}", Verb::of(kind).of_count(count))
        });
        let parts: Vec<String> = parts.collect();
        match parts.as_slice() {
            [] => "All input sets render the same.".to_owned(),
            parts => format!("Of the input sets, {}.", parts.join(", ")),
        }
    }
}

/// The first of a list, and how many more there are.
fn first<T>(all: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    let mut named: Vec<String> = all.iter().take(NAMED).map(name).collect();
    let more = all.len().saturating_sub(NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named
}

impl Impact {
    /// What input sets render differently, as lines for people.
    pub fn outputs_text(&self) -> String {
        let mut out = String::new();
        for group in self.rendered.iter().flat_map(|rendered| &rendered.groups) {
            for cause in first(&group.causes, |cause| self.cause_on_a_line(cause)) {
                let _ = writeln!(out, "{cause}");
            }
            if group.causes.is_empty() {
                let _ = writeln!(out, "{}", self.cause(&CausedBy::Unknown).1);
            }
            for change in &group.changes {
                let (count, sets) = (change.sets.len(), first(&change.sets, |set| line(set).into_owned()).join(", "));
                let _ = writeln!(out, "  {} {}: {sets}", counted(count, "input set"), line(&change.what.words(count)));
                for finding in change.what.errors() {
                    let _ = writeln!(out, "    {}", self.finding(finding));
                }
                let What::Other(patch) = &change.what else { continue };
                let shown = lines(&patch.shown);
                for shown in shown.lines().map(str::to_owned).chain(patch.left_out()) {
                    let _ = writeln!(out, "    {shown}");
                }
            }
            out.push('\n');
        }
        out
    }

    fn cause_on_a_line(&self, cause: &CausedBy) -> String {
        let (place, words) = self.cause(cause);
        place.map(|place| format!("{}: ", line(&place))).unwrap_or_default() + &line(&words)
    }

    /// What input sets render differently, for a comment on a pull request.
    pub fn outputs_lists(&self) -> String {
        let mut out = String::new();
        for group in self.rendered.iter().flat_map(|rendered| &rendered.groups) {
            out += "### Rendered output\n\n";
            for cause in first(&group.causes, |cause| self.cause_in_a_list(cause)) {
                let _ = writeln!(out, "- {cause}");
            }
            if !group.causes.is_empty() {
                out.push('\n');
            }
            for change in &group.changes {
                let (count, sets) = (change.sets.len(), first(&change.sets, |set| code(&line(set))).join(", "));
                let words = plain(&line(&change.what.words(count)));
                let _ = writeln!(out, "{} {words}: {sets}\n", counted(count, "input set"));
                for finding in change.what.errors() {
                    let _ = writeln!(out, "{}", self.item(finding));
                }
                if !change.what.errors().is_empty() {
                    out.push('\n');
                }
                let What::Other(patch) = &change.what else { continue };
                let _ = writeln!(out, "{}\n", code_block(&patch.shown, "diff", ""));
                if let Some(left_out) = patch.left_out() {
                    let _ = writeln!(out, "{left_out}\n");
                }
            }
        }
        out
    }

    fn cause_in_a_list(&self, cause: &CausedBy) -> String {
        let (place, words) = self.cause(cause);
        place.map(|place| format!("{}: ", code(&line(&place)))).unwrap_or_default() + &plain(&line(&words))
    }
}

//! Rules that the API server refuses because an evaluation may cost too much.

use crate::kubernetes::rules::expression_cost;
use lofting_cel::estimate::{Estimate, LIMIT, TOTAL_LIMIT};
use lofting_cel::structural::{Occurrence, Unlimited};
use lofting_diagnostic::Diagnostic;
use lofting_document::Span;

/// What the expressions of a schema cost.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// Those that are accepted, and the places where they are.
    accepted: Vec<(u64, Span)>,
    findings: Vec<Diagnostic>,
}

impl Costs {
    /// Adds a rule, which is evaluated for each value in a resource.
    pub fn add_rule(&mut self, span: Span, estimate: &Estimate, occurrence: &Occurrence) {
        let cost = estimate.most.saturating_mul(occurrence.most);
        let around = occurrence.unlimited.iter().map(shown);
        let below = estimate.unlimited.iter().map(|place| below(occurrence, place));
        self.add(span, cost, "rule", around.chain(below).collect());
    }

    /// Adds the expression of a message, which is evaluated for one value.
    pub fn add_words(&mut self, span: Span, estimate: &Estimate, occurrence: &Occurrence) {
        let places = estimate.unlimited.iter().map(|place| below(occurrence, place)).collect();
        self.add(span, estimate.most, "message", places);
    }

    fn add(&mut self, span: Span, cost: u64, what: &str, mut places: Vec<String>) {
        if cost <= LIMIT {
            self.accepted.push((cost, span));
            return;
        }
        places.truncate(expression_cost::PLACES);
        self.findings.push(expression_cost::finding(span, what, cost, LIMIT, &places));
    }

    /// What is wrong. All expressions together are looked at without those that are too expensive alone.
    pub fn findings(self) -> impl Iterator<Item = Diagnostic> {
        let total = self.accepted.iter().fold(0u64, |sum, (cost, _)| sum.saturating_add(*cost));
        let first = self.accepted.iter().rev().max_by_key(|(cost, _)| *cost);
        let of_all = first.filter(|_| total > TOTAL_LIMIT);
        let of_all = of_all.map(|(_, span)| expression_cost::of_all(*span, total, TOTAL_LIMIT));
        self.findings.into_iter().chain(of_all)
    }
}

fn shown(place: &Unlimited) -> String {
    format!("`{}` of `{}`", place.keyword, place.place.trim_start_matches('.'))
}

/// A place that is given from the schema with the rule.
fn below(occurrence: &Occurrence, place: &Unlimited) -> String {
    shown(&Unlimited { keyword: place.keyword, place: format!("{}{}", occurrence.place, place.place) })
}

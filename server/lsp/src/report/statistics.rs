//! `--statistics`: how often each rule was found, the most frequent first.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::findings::Findings;

/// A line for each rule: count, severity, code and title.
pub(crate) fn statistics(findings: &Findings<'_>) -> String {
    let mut counts: BTreeMap<(String, &str), (usize, &str)> = BTreeMap::new();
    for finding in findings.report.diagnostics() {
        let key = (finding.code().into_owned(), finding.severity.as_str());
        counts.entry(key).or_insert((0, finding.rule.title())).0 += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let width = rows.first().map_or(0, |(_, (count, _))| count.to_string().len());
    let mut out = String::new();
    for ((code, severity), (count, title)) in rows {
        let _ = writeln!(out, "{count:>width$}  {severity:<7}  {code}: {title}");
    }
    out
}

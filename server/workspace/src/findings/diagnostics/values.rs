//! Findings about the values of a file, merged with those of its sets or alone.

use super::Collect;
use crate::association::reason::{Reason, SchemaRef};
use crate::evaluation::Callbacks;
use crate::files::table::Kept;
use crate::findings::base_values::{BaseOf, base_of};
use crate::findings::calls;
use crate::findings::levels;
use crate::source::TextSource;
use lofting_check::{Base, Checks, Diagnostic, Findings, Layers, Root, Style, ValuesCheck, ValuesDocument, ValuesSet};
use lofting_diagnostic::{Certainty, Identity};
use lofting_document::Document;
use rustc_hash::FxHashMap;

impl Collect<'_> {
    pub(super) fn values(&mut self) {
        let sets = self.sets();
        if sets.is_empty() {
            self.alone();
            return;
        }
        let indices: Vec<usize> = sets.into_iter().map(|(index, _)| index).collect();
        self.runs(&indices);
    }

    /// Values that are the default anyway, if that is reported.
    pub(super) fn written_defaults(&mut self) {
        if !levels::is_chosen(self.state, self.file, &lofting_check::rules::WRITTEN_DEFAULT) {
            return;
        }
        let Some(schema) = self.association.schema.as_ref().filter(|_| self.association.schemas().count() == 1) else {
            return;
        };
        // Other values may be merged before these.
        if !matches!(base_of(self.state, self.file.id, &self.sets(), &schema.state), BaseOf::Defaults) {
            return;
        }
        let documents = self.file.lowered();
        let mut governed = documents.documents.iter().filter(|document| {
            if schema.plain {
                !document.is_empty()
            } else {
                document.is_data_values() && !document.notes.has("library/ref")
            }
        });
        let (first, second) = (governed.next(), governed.next());
        let mut found = match (first, second) {
            (Some(document), None) => lofting_check::check_written_defaults(&schema.schema, document),
            _ => Vec::new(),
        };
        self.keep_certain(schema, &mut found);
        self.found.extend(found);
    }

    /// Drops findings that may be caused only by what is not known.
    pub(super) fn keep_certain(&self, schema: &SchemaRef, found: &mut Vec<Diagnostic>) {
        schema.state.keep_certain(found, schema.incomplete);
        // It is not known which files a call gets, or in which order: another file may contain what an overlay looks
        // for.
        if self.sets().is_empty() && self.state.index.count(Kept::Values) > usize::from(self.file.facts.values) {
            found.retain(|finding| finding.rule.certainty != Certainty::NeedsAllValues);
        }
    }

    pub(super) fn annotations_in_plain_values(&mut self) {
        if !self.file.facts.ytt {
            return;
        }
        self.found.extend(lofting_check::annotation_in_plain_values(self.file.id, self.file.tree()));
    }

    /// Findings of whole sets in this file. If a finding occurs only in some of the sets, it says in which.
    pub(super) fn runs(&mut self, indices: &[usize]) {
        let mut merged: Vec<(Diagnostic, usize, Vec<&str>)> = Vec::new();
        let mut places: FxHashMap<Identity, usize> = FxHashMap::default();
        let mut runs = 0;
        for index in indices {
            let name = self.state.sets.sets.get(*index).and_then(|set| set.name.as_deref());
            for report in calls::reports_with(self.state, *index, self.file.id) {
                runs += 1;
                for finding in report.by_file.get(&self.file.id).into_iter().flatten() {
                    let at = *places.entry(finding.identity()).or_insert(merged.len());
                    match merged.get_mut(at) {
                        Some((known, times, names)) => {
                            *times += 1;
                            names.extend(name);
                            let new = finding.related.iter().filter(|place| !known.related.contains(place));
                            let new: Vec<_> = new.cloned().collect();
                            known.related.extend(new);
                        }
                        None => merged.push((finding.clone(), 1, name.into_iter().collect())),
                    }
                }
            }
        }
        for (mut finding, times, mut names) in merged {
            names.dedup();
            if times < runs && !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let plural = if names.len() == 1 { "" } else { "s" };
                finding.message = format!("{} (in the set{plural} {})", finding.message, names.join(", "));
            }
            self.found.push(finding);
        }
    }

    /// Values without a known set: this file's documents on the schema's defaults. It is not known what other files of
    /// a real call would add, so only this file is checked.
    fn alone(&mut self) {
        let Some(schema) = self.association.schema.as_ref() else { return };
        let id = self.file.id;
        let (texts, own) = (TextSource::Of(self.state, self.file), TextSource::Only(self.file));
        let set = self.state.documents(self.file).clone();
        let (style, overlay) = if schema.plain {
            (Style::Plain, lofting_overlay::Mode::Plain)
        } else {
            (Style::Annotated, lofting_overlay::Mode::Annotated)
        };
        let addressed = matches!(self.association.reason, Reason::Addressed { .. });
        let governed = |document: &&Document| {
            if schema.plain {
                !document.is_empty()
            } else {
                document.is_data_values() && document.notes.has("library/ref") == addressed
            }
        };
        let documents: Vec<&Document> = set.documents.iter().filter(governed).collect();
        let mut found = match documents.as_slice() {
            [] => Vec::new(),
            // The library has values of its own before these, and gets others after them.
            several if addressed => {
                let layers = Layers::Over { style, below: Base::Unknown };
                let (checks, limit) = (Checks::WITHOUT_RULES, self.limit);
                let check = ValuesCheck { schema: &schema.schema, layers, checks, source: &own, limit };
                let roots = several.iter().filter_map(|document| Root::document(document));
                let found: Vec<Findings> = roots.map(|root| check.run(root)).collect();
                self.more += found.iter().map(|found| found.more).sum::<usize>();
                found.into_iter().flat_map(Findings::into_diagnostics).collect()
            }
            // The usual case needs no merging.
            [document]
                if !schema.state.has_code && !schema.state.asks_merged && !lofting_check::asks_merging(document) =>
            {
                let check = ValuesCheck::over_defaults(&schema.schema, style, &own).up_to(self.limit);
                let found = Root::document(document).map(|root| check.run(root)).unwrap_or_default();
                self.more += found.more;
                found.into_diagnostics()
            }
            several => {
                let documents: Vec<ValuesDocument<'_>> =
                    several.iter().map(|document| ValuesDocument { document, mode: overlay }).collect();
                let functions = Callbacks { texts, runner: self.state.runner.as_ref() };
                let check = ValuesSet {
                    schema: Some(&schema.schema),
                    functions: &functions,
                    assertions: &functions,
                    source: &own,
                    validations: true,
                    limit: self.limit,
                };
                let report = check.check(&documents);
                self.more += report.more;
                report.findings
            }
        };
        for finding in found.iter_mut().filter(|finding| finding.span.file != id) {
            // The last document that has the value decides.
            documents.iter().rev().any(|document| lofting_check::place_in(finding, document));
        }
        found.retain(|finding| finding.span.file == id);
        self.keep_certain(schema, &mut found);
        self.found.extend(found);
    }
}

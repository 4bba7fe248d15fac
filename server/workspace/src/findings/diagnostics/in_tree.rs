//! Findings in values files that are checked in their trees.

use super::Collect;
use super::permitted::Permitted;
use crate::association::kind::FileKind;
use crate::association::reason::SchemaRef;
use crate::evaluation::Callbacks;
use crate::findings::base_values::{BaseOf, base_of};
use crate::source::TextSource;
use lofting_check::{
    Assertions, Base, CheckMemo, Checks, DocumentNames, Layers, Style, ValuesCheck, ValuesStream, ValuesTree,
};
use lofting_document::ALIAS_BUDGET;
use lofting_memo::Stamp;
use lofting_syntax::Tree;

/// The names of the first document with content; None if it has to be lowered.
fn names_of<'t>(tree: &'t Tree, memo: &mut CheckMemo) -> Option<DocumentNames<'t>> {
    let document = tree.documents().find(|document| document.root().is_some())?;
    DocumentNames::of(&document, memo).filter(|names| names.copies() <= ALIAS_BUDGET)
}

impl Collect<'_> {
    /// Checks values in their tree, which costs only what changed since the last check; whether that was possible.
    /// Files with anything unusual in them are lowered.
    pub(super) fn in_tree(&mut self, kind: FileKind) -> bool {
        let file = self.file;
        let values = matches!(kind, FileKind::DataValues | FileKind::PlainValues);
        let whole = self.association.schema.as_ref().is_some_and(|schema| schema.state.asks_merged);
        // Files of sets are merged with others, and sets may have different schemas.
        let mut schemas = self.association.schemas().map(|schema| schema.state.stamp);
        let one = schemas.next().is_none_or(|first| schemas.all(|other| other == first));
        if !values || whole || file.facts.code || file.options.strict || !one {
            return false;
        }
        let under = match &self.association.schema {
            Some(schema) => base_of(self.state, file.id, &self.sets(), &schema.state),
            None if self.sets().is_empty() => BaseOf::Defaults,
            None => BaseOf::Varies,
        };
        let (below, stamp) = match &under {
            BaseOf::Defaults => (Base::Defaults, Stamp::default()),
            BaseOf::Values { values, meaning } => (Base::Merged(values), *meaning),
            BaseOf::Varies => return false,
        };
        let mut memo = if self.partial { file.early_memo() } else { file.memo() };
        let coded = self.association.schema.as_ref().is_some_and(|schema| schema.state.has_code);
        // What code gets is remembered by its place, whatever aliases stand for.
        let is_plain = kind == FileKind::PlainValues && !file.facts.ytt && !coded;
        let names = is_plain.then(|| names_of(file.tree(), &mut memo)).flatten();
        let Some(mut values) = ValuesTree::new(file.tree_file(), file.tree(), names.as_ref(), &mut memo) else {
            let style = match kind {
                FileKind::PlainValues if !file.facts.ytt => Style::Plain,
                FileKind::DataValues if file.has_only_values() => Style::Annotated,
                _ => return false,
            };
            return self.stream_in_tree(style, (below, stamp), &mut memo);
        };
        let governed = match kind {
            FileKind::PlainValues => values.is_plain(),
            _ => values.header().is_some_and(|header| {
                let is_asserted = header.notes.annotations.iter().any(|note| note.name.starts_with("assert/"));
                header.is_data_values() && !header.is_schema() && !header.notes.has("library/ref") && !is_asserted
            }),
        };
        if !governed || coded && values.has_overlay() {
            return false;
        }
        let schema = self.association.schema.as_ref();
        let texts = TextSource::Of(self.state, file);
        let report = match schema {
            None => values.keys(&mut memo).map(|()| None),
            Some(schema) => {
                let style = if schema.plain { Style::Plain } else { Style::Annotated };
                let layers = Layers::Over { style, below };
                memo.begin(&[schema.state.meaning, stamp], Some(style), Some(&schema.schema));
                let functions = Callbacks { texts, runner: self.state.runner.as_ref() };
                let assertions = (coded && !self.partial).then_some(&functions as &dyn Assertions);
                let (checks, limit) = (Checks::ALL, self.limit);
                let check = ValuesCheck { schema: &schema.schema, layers, checks, source: &texts, limit };
                values.check(&check, &mut memo, assertions).map(Some)
            }
        };
        let Some(report) = report else { return false };
        let permitted = Permitted::by(&file.options);
        self.found.extend(values.documents().iter().filter(|finding| !permitted.has(finding)).cloned());
        if schema.is_some() {
            self.found.extend(values.header().into_iter().flat_map(lofting_check::check_overlay_head));
        }
        self.drop_what_flags_allow();
        self.lookalikes();
        self.modeline();
        let (Some(schema), Some(report)) = (schema, report) else { return true };
        self.more += report.more;
        let mut found = report.into_diagnostics();
        found.retain(|finding| finding.span.file == file.id);
        self.keep_certain(schema, &mut found);
        self.found.extend(found);
        true
    }

    /// Checks the documents of a stream of values, each as if it were alone; whether that was possible.
    fn stream_in_tree(&mut self, style: Style, (below, stamp): (Base<'_>, Stamp), memo: &mut CheckMemo) -> bool {
        let (file, texts) = (self.file, TextSource::Of(self.state, self.file));
        let is_checked = |schema: &&SchemaRef| !schema.state.has_code && schema.plain == (style == Style::Plain);
        let Some(schema) = self.association.schema.as_ref().filter(is_checked) else { return false };
        memo.begin(&[schema.state.meaning, stamp], Some(style), Some(&schema.schema));
        let Some(stream) = ValuesStream::new(file.tree_file(), file.tree(), style, memo) else { return false };
        let layers = Layers::Over { style, below };
        let check =
            ValuesCheck { schema: &schema.schema, layers, checks: Checks::ALL, source: &texts, limit: self.limit };
        let Some(mut found) = stream.check(&check, memo) else { return false };
        let permitted = Permitted::by(&file.options);
        found.retain(|finding| finding.span.file == file.id && !permitted.has(finding));
        self.keep_certain(schema, &mut found);
        self.found.extend(found);
        self.drop_what_flags_allow();
        self.lookalikes();
        self.modeline();
        true
    }
}

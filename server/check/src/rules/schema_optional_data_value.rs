use crate::bound::MADE;
use crate::read_places::{ReadKey, ReadPlaces};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_eval::code::{PathId, Use, UseKind};
use lofting_schema::SchemaNode;
use rustc_hash::FxHashSet;

rule! {
    /// # Code reads a data value that may be missing
    ///
    /// ## What
    /// The schema says that the key may be left out (`#@schema/key-may-be-present`, `#@schema/key missing_ok=True`) or
    /// was removed, and code reads it without a check.
    ///
    /// ## Why
    /// If the key is not given, the template fails.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/key missing_ok=True
    /// proxy: http://proxy
    /// #! template
    /// #@ load("@ytt:data", "data")
    /// proxy: #@ data.values.proxy
    /// ```
    ///
    /// ## How to fix
    /// Check first: `"proxy" in data.values`, or `getattr(data.values, "proxy", None)`.
    pub static RULE: Rule = Rule {
        code: "schema/optional-data-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// Looks at keys that code reads without testing for them, although they exist only if the user gives them.
pub(crate) fn look(read: &ReadPlaces<'_>) -> Vec<Diagnostic> {
    let values = read.values;
    if !read.schema.nodes().any(|(_, node)| node.left_out) {
        return Vec::new();
    }
    let tests = values.uses.iter().filter(|used| used.kind == UseKind::Test);
    let tested: FxHashSet<PathId> = tests.map(|used| used.path).collect();
    let is_read = |used: &&Use| used.certain && used.kind != UseKind::Test && !tested.contains(&used.path);
    let found = values.uses.iter().filter(is_read).filter_map(|used| {
        let node = read.node(used.path).filter(|node| node.left_out)?;
        Some(finding(read.key(used)?, node))
    });
    found.take(MADE).collect()
}

fn finding(ReadKey { span, key, holder }: ReadKey, node: &SchemaNode) -> Diagnostic {
    let message = match node.docs.removed {
        Some(_) => format!("`{key}` was removed from `{holder}`: it is never there"),
        None => format!("`{key}` may be missing in `{holder}`"),
    };
    Diagnostic::new(&RULE, span, message)
        .help(format!("test for it first: `\"{key}\" in {holder}`, or `getattr({holder}, \"{key}\", None)`"))
        .related(node.declared.name, "declared here")
}

use crate::bound::MADE;
use crate::read_places::{ReadKey, ReadPlaces};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_eval::code::{PathId, UseKind};
use lofting_schema::SchemaNode;
use rustc_hash::FxHashSet;

rule! {
    /// # Code reads a part of a data value that may be null
    ///
    /// ## What
    /// The schema says `#@schema/nullable`, and a template reads a key of the value in code that always runs, without
    /// checking the value first.
    ///
    /// ## Why
    /// The value is null unless it is given, and null has no keys: the template fails with "NoneType has no .secret
    /// field or method".
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/nullable
    /// tls:
    ///   secret: ""
    /// #! template
    /// #@ load("@ytt:data", "data")
    /// secret: #@ data.values.tls.secret
    /// ```
    ///
    /// ## How to fix
    /// Check first: put the node below `#@ if data.values.tls:`, or write `data.values.tls.secret if data.values.tls
    /// else ""`.
    pub static RULE: Rule = Rule {
        code: "ytt/nullable-data-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// `node` is the schema node of `holder`.
/// Looks at code that reads a part of a value that may be null, if that code always runs and never tests the value.
pub(crate) fn look(read: &ReadPlaces<'_>) -> Vec<Diagnostic> {
    let values = read.values;
    // A node with further rules may exclude null by them.
    let may_be_null = |node: &&SchemaNode| node.nullable && node.constraints.is_empty() && node.rules.is_empty();
    let mut reported: FxHashSet<PathId> = FxHashSet::default();
    let found = values.uses.iter().filter_map(|used| {
        let direct = matches!(used.kind, UseKind::Attribute | UseKind::Index);
        if !direct || !used.certain || used.conditional || read.elsewhere(used.path).next().is_some() {
            return None;
        }
        read.node(used.path)?;
        let holder = values.parent(used.path)?;
        let declared = read.node(holder).filter(may_be_null)?;
        // The outermost value that may be null is reported, and only once for all its parts.
        let mut above = std::iter::successors(values.parent(holder), |path| values.parent(*path));
        if values.is_whole(holder) || above.any(|path| reported.contains(&path)) || !reported.insert(holder) {
            return None;
        }
        Some(finding(read.key(used)?, declared))
    });
    found.take(MADE).collect()
}

fn finding(ReadKey { span, key, holder }: ReadKey, node: &SchemaNode) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{holder}` may be null, and null has no `{key}`"))
        .help(format!("test for it first: `if {holder}:`"))
        .related(node.declared.name, "declared here as nullable")
}

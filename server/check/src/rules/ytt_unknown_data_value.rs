use crate::bound::MADE;
use crate::finding::KeptByRule;
use crate::read_places::{ReadKey, ReadPlaces, ValuePlace};
use crate::suggest::{self, Nearest};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_eval::code::{Use, UseKind};
use lofting_schema::{Schema, SchemaId, Shape};

rule! {
    /// # Code reads a data value that the schema does not declare
    ///
    /// ## What
    /// A template reads a key of `data.values` that no schema document declares, so no data values document can set it
    /// either.
    ///
    /// ## Why
    /// Maps are structs in code, and reading a key that does not exist fails: "struct has no .prot field or method".
    /// Inside blocks and functions it is a warning, because that code may never run.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// service:
    ///   port: 80
    /// #! template
    /// #@ load("@ytt:data", "data")
    /// port: #@ data.values.service.prot
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or declare the key in the schema. If the key may be missing, check first:
    /// `getattr(data.values.service, "prot", 80)`.
    pub static RULE: Rule = Rule {
        code: "ytt/unknown-data-value",
        stage: Stage::Template,
        severity: Severity::Error,
    };
}

/// Larger maps are not searched for the nearest name.
const SEARCHED: usize = 5_000;

/// Looks at what code reads without a test whether the key exists. At most [`MADE`] findings of each severity are made; the
/// number counts the others.
pub(crate) fn look(read: &ReadPlaces<'_>) -> (Vec<Diagnostic>, usize) {
    let values = read.values;
    let mut asked = vec![false; values.paths.len()];
    for used in values.uses.iter().filter(|used| used.kind == UseKind::Test) {
        if let Some(asked) = asked.get_mut(used.path.0 as usize) {
            *asked = true;
        }
    }
    let undeclared = |used: &&Use| {
        used.certain
            && !asked.get(used.path.0 as usize).copied().unwrap_or(true)
            && read.elsewhere(used.path).all(|place| matches!(place, Some(ValuePlace::Undeclared(_))))
    };
    let mut found = Vec::new();
    let (mut kept, mut more) = (KeptByRule::default(), 0);
    for used in values.uses.iter().filter(undeclared) {
        let Some(ValuePlace::Undeclared(map)) = read.place(used.path) else { continue };
        let Some(key) = read.key(used) else { continue };
        let suggest = found.len() < suggest::SEARCHES;
        let finding = finding(key, used, read.schema, map, suggest);
        if kept.add(&finding, MADE) {
            found.push(finding);
        } else {
            more += 1;
        }
    }
    (found, more)
}

fn finding(
    ReadKey { span, key, holder }: ReadKey,
    used: &Use,
    schema: &Schema,
    map: SchemaId,
    suggest: bool,
) -> Diagnostic {
    let message = format!("`{key}` is not declared in the schema of `{holder}`");
    let declared = schema.node(map).declared.name;
    let mut finding = Diagnostic::new(&RULE, span, message).related(declared, format!("`{holder}` is declared here"));
    finding.path = Some(format!("{holder}.{key}"));
    if used.conditional {
        finding.severity = Severity::Warning;
    }
    let Shape::Map(shape) = schema.node(map).shape() else { return finding };
    let names = || shape.keys.iter().filter_map(|declared| declared.key.as_str());
    if !suggest || shape.keys.len() > SEARCHED {
        return finding;
    }
    let near = Nearest::of(&key, names());
    // For code, the rest of such a name is a subtraction.
    let is_dashed = |name: &&str| name.strip_prefix(key.as_str()).is_some_and(|rest| rest.starts_with('-'));
    let dashed = names().find(is_dashed).filter(|_| matches!(used.kind, UseKind::Attribute));
    match (dashed, near.first()) {
        (Some(dashed), _) => finding.help(format!("did you mean `{holder}[\"{dashed}\"]`?")),
        (None, Some(meant)) => {
            let finding = finding.help(format!("did you mean `{meant}`?"));
            // A name with a dash cannot follow a dot, and a name between quotes must not need escapes.
            let fits = match used.kind {
                UseKind::Attribute => lofting_eval::is_field_name(meant),
                _ => !meant.contains(['"', '\'', '\\', '\n', '\r']),
            };
            let fix = Fix::replace(format!("Change to `{meant}`"), span, meant);
            let fix = if near.is_tied() { fix.possible() } else { fix };
            if fits { finding.fix(fix) } else { finding }
        }
        (None, None) if (1..10).contains(&shape.keys.len()) => {
            let listed: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            finding.help(format!("declared keys are {}", listed.join(", ")))
        }
        (None, None) => finding,
    }
}

use super::ytt_code_without_space;
use crate::place::{AnnotationPlace, Look, Looks};
use crate::suggest::Nearest;
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_annotation::catalog::{self, Status};
use lofting_diagnostic::{Cause, rule};
use lofting_dialect::data_values::{PROPOSED, is_meant_as_head};
use lofting_document::{Note, Span};

rule! {
    /// # An annotation that ytt does not know
    ///
    /// ## What
    /// No annotation has this name. Only a space ends a name: a tab, a colon or a bracket would be part of it.
    ///
    /// ## Why
    /// ytt silently ignores unknown annotations, so a misspelt one has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/nullabel
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Correct the name.
    pub static RULE: Rule = Rule {
        code: "ytt/unknown-annotation",
        stage: Stage::Lint,
        severity: Severity::Warning,
        // In a schema of a design proposal, such annotations are known.
        cause: Cause::DocumentHead,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Annotation(look)]);

fn look(place: &AnnotationPlace<'_>, found: &mut Vec<Diagnostic>) {
    let is_proposed = place.in_proposal && catalog::find(&place.note.name).is_some();
    // Where the arguments cannot be read either, it is not an annotation.
    if !is_proposed && place.note.arguments.errors.is_empty() && ytt_code_without_space::of_annotation(place).is_none()
    {
        found.extend(finding(place.note, place.in_proposal));
    }
}

/// `in_proposal`: in a document of a design proposal, whose annotations ytt does not know.
fn finding(note: &Note, in_proposal: bool) -> Option<Diagnostic> {
    let (span, name) = (note.name_span, note.name.as_str());
    if let Some(entry) = catalog::find(name) {
        let Status::Ignored { instead, .. } = entry.status else { return None };
        // This server shows it nevertheless; it has its own rule.
        if name == "schema/doc" {
            return None;
        }
        let finding = Diagnostic::new(&RULE, span, format!("`@{name}` was proposed but never built: ytt ignores it"));
        return Some(match instead {
            Some(instead) => finding
                .help(format!("ytt has `@{instead}` instead"))
                .fix(Fix::replace(format!("Rename to `@{instead}`"), span, instead).possible()),
            None => finding,
        });
    }
    let shown: String = name.chars().take(40).collect();
    if let Some(meant) = with_slash(name, in_proposal) {
        let message = format!("ytt does not know the annotation `@{shown}` and ignores it");
        let fix = Fix::replace(format!("Rename to `@{meant}`"), span, meant);
        return Some(Diagnostic::new(&RULE, span, message).help(format!("did you mean `@{meant}`?")).fix(fix));
    }
    if let Some((meant, separator, rest)) = slip(name) {
        let rest = Span { start: span.start + rest as u32, ..span };
        let what = match separator {
            '\t' => "a tab".to_string(),
            other => format!("`{other}`"),
        };
        let message = format!("only a space ends the name of an annotation, not {what}: `@{meant}` has no effect here");
        let finding = Diagnostic::new(&RULE, span, message);
        return Some(match separator {
            '\t' => {
                let tab = Span { end: rest.start + 1, ..rest };
                finding.help("write a space instead of the tab").fix(Fix::replace(
                    "Replace the tab by a space",
                    tab,
                    " ",
                ))
            }
            ':' => finding.help(format!("write `#@{meant}`")).fix(Fix::replace("Remove the colon", rest, "")),
            _ => finding.help(format!("write `#@{meant} ...`")),
        });
    }
    // Names outside ytt's own namespaces may belong to other programs that read the same file.
    let space = name.split('/').next().unwrap_or_default();
    let own = catalog::entries().any(|entry| entry.name.contains('/') && entry.name.split('/').next() == Some(space));
    // An annotation that ytt ignores is never the intended one.
    let acts = catalog::entries().filter(|entry| in_proposal || !matches!(entry.status, Status::Ignored { .. }));
    let names: Vec<&str> = if is_meant_as_head(note) {
        PROPOSED.to_vec()
    } else {
        acts.map(|entry| entry.name).filter(|name| name.contains('/')).collect()
    };
    // `schema/desc`, whatever was appended to it.
    let beginning = names.iter().filter(|known| name.starts_with(**known)).max_by_key(|known| known.len()).copied();
    let near = Nearest::of(name, names);
    let is_tied = beginning.is_none() && near.is_tied();
    let meant = beginning.or(near.first());
    let finding = Diagnostic::new(&RULE, span, format!("ytt does not know the annotation `@{shown}` and ignores it"));
    match meant {
        Some(meant) if name.contains('/') || own => {
            let fix = Fix::replace(format!("Rename to `@{meant}`"), span, meant);
            let fix = if is_tied { fix.possible() } else { fix };
            Some(finding.help(format!("did you mean `@{meant}`?")).fix(fix))
        }
        _ if own && name.contains('/') => Some(finding),
        _ => None,
    }
}

/// The known name that is written with a dot in place of its slash.
pub(crate) fn with_slash(name: &str, in_proposal: bool) -> Option<&'static str> {
    let (space, rest) = name.split_once('.')?;
    let entry = catalog::find(&format!("{space}/{rest}"))?;
    (in_proposal || !matches!(entry.status, Status::Ignored { .. })).then_some(entry.name)
}

/// A known name followed by a character that does not end a name: the name, that character, and its offset.
fn slip(name: &str) -> Option<(&'static str, char, usize)> {
    let at = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_')))?;
    let entry = catalog::find(name.get(..at)?)?;
    Some((entry.name, name.get(at..)?.chars().next()?, at))
}

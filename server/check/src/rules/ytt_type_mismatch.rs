use crate::values::At;
use crate::view::{Kind, Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_syntax::resolve::{Resolved, resolve_plain};

rule! {
    /// # A value has another type than its schema says
    ///
    /// ## What
    /// The schema's own value says what is expected: `port: 80` an integer, `host: ""` a string. A string in quotes is
    /// never a number; a float is never an integer, not even `2.0`; null is only allowed where the schema says
    /// `#@schema/nullable`.
    ///
    /// ## Why
    /// ytt refuses the values, after merging the document they are in.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// port: "8080"
    /// ```
    ///
    /// ## How to mend
    /// Write a value of the expected type: remove or add quotes, give the missing value, or leave the key out to keep
    /// its default.
    pub static RULE: Rule = Rule {
        code: "ytt/type-mismatch",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        cause: Cause::ValueBelow,
    };
}

/// `existing`: a value of this kind exists already, so the merge fails before the type check.
pub(crate) fn finding<V: View>(
    at: &At<'_>,
    schema: &Schema,
    id: SchemaId,
    value: V,
    existing: Option<Kind>,
) -> Diagnostic {
    let node = schema.node(id);
    let kind = value.kind();
    let found = match kind {
        Kind::Map if value.is_raw() => "dict made by code",
        Kind::Array if value.is_raw() => "list made by code",
        kind => kind.word(at.words()),
    };
    let wanted = match existing {
        Some(existing) if matches!(node.shape(), Shape::Any | Shape::Unknown) => existing.word(at.words()).to_string(),
        _ => words::wanted(schema, id),
    };
    let nullable = if node.nullable && existing.is_none() { " or null" } else { "" };
    let subject = at.subject();
    let message = if let (Some(existing), Shape::Any | Shape::Unknown) = (existing, node.shape()) {
        format!(
            "{subject} is {} here, but {} so far, and these cannot be merged",
            words::with_article(kind.word(at.words())),
            words::with_article(existing.word(at.words()))
        )
    } else {
        let given = if value.is_raw() { words::with_article(found) } else { words::value(at.words(), value) };
        format!("{subject} should be {}{nullable}, but is {given}", words::with_article(&wanted))
    };
    let key = matches!(node.shape(), Shape::Map(_)) && is_begun_key(at, value);
    let span = begun_item(at, value).unwrap_or_else(|| at.value_span(value));
    let finding = Diagnostic::new(&RULE, span, message).found(found, wanted);
    let finding = finding.related(node.declared.name, at.words().declared);
    if value.is_raw() {
        return finding
            .help("code returned a dict or list: return the fragment of a function with a YAML body instead");
    }
    if key {
        return finding.help("if this is a key, write a colon and a space after it");
    }
    mend(finding, at, node.shape(), value)
}

/// Whether a single word stands below a key whose value must be a map: most likely a key that is being typed.
fn is_begun_key<V: View>(at: &At<'_>, value: V) -> bool {
    let span = value.span();
    value.kind() == Kind::String
        && at.is_below(span)
        && at.text(span).is_some_and(|text| !text.contains(char::is_whitespace) && !text.starts_with(['"', '\'']))
}

/// The last dash, if nothing but dashes stands below the key: most likely an item that is being typed.
fn begun_item<V: View>(at: &At<'_>, value: V) -> Option<Span> {
    let span = value.span();
    if value.kind() != Kind::Array || !at.is_below(span) {
        return None;
    }
    let text = at.text(span)?;
    let dashes = text.trim_end();
    let only = !dashes.is_empty() && dashes.chars().all(|c| matches!(c, '-' | ' '));
    only.then(|| Span::new(span.file, span.range().start..span.range().start + dashes.len()))
}

/// Adds advice for the common mistakes.
fn mend<V: View>(finding: Diagnostic, at: &At<'_>, shape: Shape<'_>, value: V) -> Diagnostic {
    let span = value.span();
    let Some(scalar) = value.scalar() else { return finding };
    let raw = if span.start < span.end { at.text(span) } else { None };
    match (shape, scalar) {
        (Shape::Int | Shape::Float | Shape::Bool, Scalar::String(text)) => {
            let fits = match resolve_plain(at.profile(), &text) {
                Resolved::Int(_) => matches!(shape, Shape::Int | Shape::Float),
                Resolved::Float(_) => matches!(shape, Shape::Float),
                Resolved::Bool(_) => matches!(shape, Shape::Bool),
                _ => false,
            };
            let quoted = raw.is_some_and(|raw| raw.starts_with(['"', '\'']));
            if fits && quoted {
                return finding
                    .help("remove the quotes")
                    .fix(Fix::replace("Remove the quotes", span, text.as_str()).sure());
            }
            if matches!(shape, Shape::Bool) {
                let finding = finding.help("a boolean is `true` or `false`");
                let meant = match text.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" | "y" => "true",
                    "false" | "no" | "off" | "n" => "false",
                    _ => return finding,
                };
                return finding.fix(Fix::replace(format!("Change to {meant}"), span, meant));
            }
            finding
        }
        (Shape::String, Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_)) => match raw {
            Some(raw) if !raw.starts_with(['!', '&', '*', '"', '\'']) && !raw.contains(['"', '\\', '\n']) => finding
                .help(match raw.as_str() {
                    "true" | "false" => "put it in quotes to make it a string".to_string(),
                    _ => format!(
                        "put it in quotes to make it a string: `{raw}` alone is read as {}",
                        words::value(at.words(), value)
                    ),
                })
                .fix(Fix::replace("Put it in quotes", span, format!("\"{raw}\"")).sure()),
            _ => finding.help("put it in quotes to make it a string"),
        },
        (Shape::Int, Scalar::Float(number)) if number == number.trunc() && number.abs() < 1e15 => finding
            .help("write it without a fraction")
            .fix(Fix::replace("Remove the fraction", span, format!("{number:.0}")).sure()),
        (shape, Scalar::Null) => {
            let empty = match shape {
                Shape::String => Some(("an empty string", "\"\"")),
                Shape::Map(_) => Some(("an empty map", "{}")),
                Shape::Array(_) => Some(("an empty array", "[]")),
                _ => None,
            };
            let keep = if at.is_item() { "remove the item" } else { "remove the key to keep its default" };
            let finding = finding.help(match empty {
                Some((name, text)) => format!("write `{text}` for {name}, or {keep}"),
                None => format!("give a value, or {keep}"),
            });
            match empty {
                Some((name, text)) if value.is_missing() => {
                    finding.fix(Fix::replace(format!("Make it {name}"), span, format!(" {text}")))
                }
                Some((name, text)) if raw.is_some() => finding.fix(Fix::replace(format!("Make it {name}"), span, text)),
                _ => finding,
            }
        }
        (Shape::Array(_), _) => match raw {
            Some(raw) if !raw.contains(['\n', '#']) && !at.is_item() => finding
                .help("an array of one item is written `[...]`")
                .fix(Fix::replace("Make it an array", span, format!("[{raw}]"))),
            _ => finding,
        },
        _ => finding,
    }
}

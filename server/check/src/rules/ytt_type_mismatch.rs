use crate::at::At;
use crate::rules::stray;
use crate::view::{Kind, Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage, suggest, words};
use lofting_diagnostic::{Cause, Confidence, rule};
use lofting_document::Span;
use lofting_document::write::double_quoted;
use lofting_schema::semantics::Notation;
use lofting_schema::{Kinds, Schema, SchemaId, Shape};
use lofting_syntax::resolve::{Resolved, needs_quotes_in_flow, resolve_plain};

rule! {
    /// # A value of the wrong type
    ///
    /// ## What
    /// The schema says which type the value must have, and it has another one. A string in quotes is never a number, and text
    /// without quotes may be one: `80`, `1.10` and, where YAML 1.1 is read, `on` and `no` are not strings.
    ///
    /// ## Why in ytt
    /// The schema's own value says what is expected: `port: 80` an integer, `host: ""` a string. A float is never an integer,
    /// not even `2.0`; null is only allowed where the schema says `#@schema/nullable`. ytt refuses the values, after merging
    /// the document they are in.
    ///
    /// ## Why in JSON Schema
    /// `type` says what is expected. Whatever reads the value refuses it, or takes it for something else. Where a boolean or
    /// some strings are allowed, `yes` and `"true"` are most likely meant as the boolean, and reported so.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// port: "8080"
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   port: {type: integer}
    /// # values
    /// port: "8080"
    /// ```
    ///
    /// ## How to fix
    /// Write a value of the expected type: remove or add quotes, give the missing value, or leave the key out.
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
    let is_null_said = node.kinds.has(Kinds::NULL) || existing.is_some();
    let nullable = if node.nullable && !is_null_said { " or null" } else { "" };
    let subject = at.subject();
    let message = if let (Some(existing), Shape::Any | Shape::Unknown) = (existing, node.shape()) {
        format!(
            "{subject} is {} here, but {} so far, and these cannot be merged",
            words::with_article(kind.word(at.words())),
            words::with_article(existing.word(at.words()))
        )
    } else {
        let given = if value.is_raw() { words::with_article(found) } else { words::value(at.words(), value) };
        // There is only one null.
        let one = if wanted.starts_with("null") { wanted.clone() } else { words::with_article(&wanted) };
        format!("{subject} should be {one}{nullable}, but is {given}")
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
        let finding = finding.help("if this is a key, write a colon and a space after it");
        let written = at.text(value.span()).and_then(|raw| entry(at, value.span(), &raw));
        return written.into_iter().fold(finding, Diagnostic::fix);
    }
    let has_default = has_default(schema, id);
    with_fix(finding, at, (wanted_kinds(schema, id), has_default), value)
}

/// Whether a key has a value if it is left out.
pub(crate) fn has_default(schema: &Schema, id: SchemaId) -> bool {
    schema.semantics().words.notation == Notation::Starlark || schema.node(id).default.is_some()
}

/// Whether a single word is below a key whose value must be a map: most likely a key that is being typed.
fn is_begun_key<V: View>(at: &At<'_>, value: V) -> bool {
    let span = value.span();
    value.kind() == Kind::String
        && at.is_below(span)
        && at.text(span).is_some_and(|text| !text.contains(char::is_whitespace) && !text.starts_with(['"', '\'']))
}

/// The last dash, if nothing but dashes is below the key: most likely an item that is being typed.
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

/// Adds to a finding about a string that something of another kind would be right there, for which the string is a slip.
pub(crate) fn read_as<V: View>(finding: Diagnostic, at: &At<'_>, meant: Kinds, value: V) -> Diagnostic {
    // What is read otherwise is not null, of which alone the default matters.
    if finding.fixes.is_empty() { with_fix(finding, at, (meant, true), value) } else { finding }
}

/// Adds advice for the common mistakes. `wanted` are the kinds that the schema takes.
fn with_fix<V: View>(finding: Diagnostic, at: &At<'_>, (wanted, has_default): (Kinds, bool), value: V) -> Diagnostic {
    let span = value.span();
    let raw = if span.start < span.end { at.text(span) } else { None };
    let Some(scalar) = value.scalar() else { return alone(finding, at, wanted, value) };
    let finding = match scalar {
        Scalar::String(text) => {
            let finding = match raw.as_deref().filter(|_| wanted.has(Kinds::MAP)).and_then(|raw| entry(at, span, raw)) {
                Some(fix) => finding.fix(fix),
                None => finding,
            };
            let finding = without_last(finding, at, wanted, span);
            of_string(finding, at, wanted, (span, raw.as_deref(), &text))
        }
        Scalar::Null => return of_null(finding, at, (wanted, has_default), (value, raw.as_deref())),
        Scalar::Int(_) | Scalar::Float(_) | Scalar::Bool(_) if wanted.has(Kinds::STRING) => match &raw {
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
        Scalar::Float(number) if wanted.has(Kinds::INT) && number.fract() == 0.0 && number.abs() < 1e15 => finding
            .help("write it without a fraction")
            .fix(Fix::replace("Remove the fraction", span, format!("{number:.0}")).sure()),
        Scalar::Int(number @ (0 | 1)) if wanted.has(Kinds::BOOL) => {
            let meant = if number == 1 { "true" } else { "false" };
            finding.help("a boolean is `true` or `false`").fix(Fix::replace(format!("Change to {meant}"), span, meant))
        }
        _ => finding,
    };
    match raw {
        Some(raw) if wanted.has(Kinds::ARRAY) && !raw.contains(['\n', '#']) && !at.is_item() => {
            let finding = match finding.help {
                Some(_) => finding,
                None => finding.help("an array of one item is written `[...]`"),
            };
            if let Some(Scalar::String(text)) = value.scalar()
                && let Some(words) = words_of_command(at, &text)
            {
                return finding.fix(Fix::replace("Make it an array of its words", span, words));
            }
            // Between brackets, commas and the like have a meaning.
            let item = match value.scalar() {
                Some(Scalar::String(text))
                    if !raw.starts_with(['"', '\'', '!', '&', '*']) && needs_quotes_in_flow(at.profile(), &text) =>
                {
                    double_quoted(&text)
                }
                _ => raw,
            };
            finding.fix(Fix::replace("Make it an array", span, format!("[{item}]")))
        }
        _ => finding,
    }
}

/// Keys whose items are the words of a command. A program with a blank in its name does not exist.
const COMMANDS: [&str; 3] = ["command", "args", "entrypoint"];

/// The words of a command that is written as one text, as an array, if they are as plain as a shell would read them.
fn words_of_command(at: &At<'_>, text: &str) -> Option<String> {
    let key = at.text(at.name)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | ':' | '=');
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 2 || !COMMANDS.contains(&&*key) || !text.chars().all(is_plain) {
        return None;
    }
    let written = words.iter().map(|word| match resolve_plain(at.profile(), word) {
        Resolved::String if !needs_quotes_in_flow(at.profile(), word) => (*word).to_owned(),
        _ => double_quoted(word),
    });
    Some(format!("[{}]", written.collect::<Vec<_>>().join(", ")))
}

/// For a text below a key whose value has to be a map: `name value` or `name:value` becomes an entry.
fn entry(at: &At<'_>, span: Span, raw: &str) -> Option<Fix> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if raw.contains('\n') || !at.is_below(span) {
        return None;
    }
    let cut = raw.find([' ', ':', '='])?;
    let (name, rest) = raw.split_at(cut);
    if !is_name(name) || rest.len() < 2 {
        return None;
    }
    let start = span.range().start + cut;
    let (title, blanks) = match rest.strip_prefix(':') {
        Some(value) if value.starts_with(['/', ':', ' ']) => return None,
        Some(_) => ("Write a space after the colon".to_owned(), 1),
        None if rest.starts_with('=') => return None,
        None if rest.trim_start().contains(' ') => return None,
        None => (format!("Write a colon after `{name}`"), 0),
    };
    let place = Span::new(span.file, start + blanks..start + blanks);
    Some(Fix::replace(title, place, if blanks == 1 { " " } else { ":" }))
}

/// For a text that is of a wanted kind without its last character.
fn without_last(finding: Diagnostic, at: &At<'_>, wanted: Kinds, span: Span) -> Diagnostic {
    let fits = |text: &str| match resolve_plain(at.profile(), text) {
        Resolved::Int(_) => wanted.has(Kinds::INT) || wanted.has(Kinds::FLOAT),
        Resolved::Float(_) => wanted.has(Kinds::FLOAT),
        Resolved::Bool(_) => wanted.has(Kinds::BOOL),
        _ => false,
    };
    match stray::last(at, span).filter(|last| fits(&last.kept)) {
        Some(last) => last.removed_from(finding),
        None => finding,
    }
}

/// A string, with its text as written and as read, where another scalar is wanted.
fn of_string(
    finding: Diagnostic,
    at: &At<'_>,
    wanted: Kinds,
    (span, raw, text): (Span, Option<&str>, &str),
) -> Diagnostic {
    let plain = plain_number(text);
    let is_wanted = |text: &str| match resolve_plain(at.profile(), text) {
        Resolved::Int(_) => wanted.has(Kinds::INT),
        Resolved::Float(_) => wanted.has(Kinds::FLOAT),
        Resolved::Bool(_) => wanted.has(Kinds::BOOL),
        _ => false,
    };
    let quoted = raw.is_some_and(|raw| raw.starts_with(['"', '\'']));
    if is_wanted(text) && quoted {
        return finding.help("remove the quotes").fix(Fix::replace("Remove the quotes", span, text).sure());
    }
    if wanted.has(Kinds::BOOL) {
        let finding = finding.help("a boolean is `true` or `false`");
        let meant = match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "t" | "1" | "enabled" => "true",
            "false" | "no" | "off" | "n" | "f" | "0" | "disabled" => "false",
            other => match suggest::nearest(other, ["true", "false"]) {
                Some(meant) if suggest::is_slip(other, meant) => meant,
                _ => return finding,
            },
        };
        return finding.fix(Fix::replace(format!("Change to {meant}"), span, meant));
    }
    let Some((plain, confidence)) = plain.filter(|(plain, _)| plain != text && is_wanted(plain)) else {
        return finding;
    };
    // Of one comma before three digits, an integer says that it separates thousands.
    let is_certain = confidence > Confidence::Possible || !wanted.has(Kinds::FLOAT);
    let fix = Fix::replace(format!("Change to {plain}"), span, plain.clone());
    finding.help(format!("write it as `{plain}`")).fix(if is_certain { fix } else { fix.possible() })
}

/// A number that is written with blanks around it, with separators of thousands or with a decimal comma, as YAML has it.
fn plain_number(text: &str) -> Option<(String, Confidence)> {
    let trimmed = text.trim().replace('_', "");
    let Some((whole, rest)) = trimmed.split_once(',') else { return Some((trimmed, Confidence::Likely)) };
    let digits = whole.trim_start_matches(['-', '+']);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (groups, fraction) = rest.split_once('.').map_or((rest, None), |(groups, fraction)| (groups, Some(fraction)));
    let is_grouped = is_number(digits)
        && digits.len() <= 3
        && !digits.starts_with('0')
        && groups.split(',').all(|group| group.len() == 3 && is_number(group))
        && fraction.is_none_or(is_number);
    if is_grouped {
        let is_only = fraction.is_none() && !groups.contains(',');
        let confidence = if is_only { Confidence::Possible } else { Confidence::Likely };
        return Some((trimmed.replace(',', ""), confidence));
    }
    (is_number(digits) && is_number(rest)).then(|| (format!("{whole}.{rest}"), Confidence::Likely))
}

/// Empty values, by their kinds: their names, and how they are written.
const EMPTY: [(Kinds, &str, &str); 3] = [
    (Kinds::STRING, "an empty string", "\"\""),
    (Kinds::MAP, "an empty map", "{}"),
    (Kinds::ARRAY, "an empty array", "[]"),
];

/// The label of a fix that writes an empty value.
fn made(name: &str) -> String {
    format!("Make it {name}")
}

/// What to do about null where one of these empty values may be written.
fn instead_of_null(empty: &[(Kinds, &str, &str)], is_item: bool, has_default: bool) -> String {
    let keep = match (is_item, has_default) {
        (true, _) => "remove the item",
        (false, true) => "remove the key to keep its default",
        (false, false) => "remove the key if it is not required",
    };
    match empty {
        // Where there is no default, an empty value is seldom meant.
        [(_, name, text)] if is_item || has_default => format!("write `{text}` for {name}, or {keep}"),
        _ => format!("give a value, or {keep}"),
    }
}

/// What to do about null, once only these fixes are left.
pub(crate) fn advice_for_null(left: &[Fix], is_item: bool, has_default: bool) -> String {
    let is_left = |name: &str| left.iter().any(|fix| fix.title == made(name));
    let empty: Vec<_> = EMPTY.into_iter().filter(|(_, name, _)| is_left(name)).collect();
    instead_of_null(&empty, is_item, has_default)
}

/// Null where something else is wanted.
fn of_null<V: View>(
    finding: Diagnostic,
    at: &At<'_>,
    (wanted, has_default): (Kinds, bool),
    (value, raw): (V, Option<&str>),
) -> Diagnostic {
    let empty: Vec<_> = EMPTY.into_iter().filter(|(kind, ..)| wanted.has(*kind)).collect();
    let finding = finding.help(instead_of_null(&empty, at.is_item(), has_default));
    let span = value.span();
    empty.iter().fold(finding, |finding, (_, name, text)| {
        let written = match raw {
            _ if value.is_missing() => format!(" {text}"),
            Some(_) => (*text).to_owned(),
            None => return finding,
        };
        let fix = Fix::replace(made(name), span, written);
        finding.fix(if empty.len() > 1 { fix.possible() } else { fix })
    })
}

/// An array of one scalar where a scalar is wanted: the scalar alone.
fn alone<V: View>(finding: Diagnostic, at: &At<'_>, wanted: Kinds, value: V) -> Diagnostic {
    let mut items = value.items();
    let (Some(item), None) = (items.next(), items.next()) else { return finding };
    let only = item.value;
    let written = at.text(only.span()).filter(|text| !text.contains('\n'));
    let (true, Some(written)) = (wanted.has(only.kind().kinds()) && only.scalar().is_some(), written) else {
        return finding;
    };
    let finding = finding.help(format!("write the value alone: `{written}`"));
    let (name, span) = (at.name, value.span());
    // `A=b` is an entry of the map that may be there as well.
    let is_entry = wanted.has(Kinds::MAP) && written.contains('=');
    let fix = |place, text: String| {
        let fix = Fix::replace("Write the item alone", place, text);
        if is_entry { fix.possible() } else { fix }
    };
    if !at.is_below(span) {
        // An array in block style goes on to the end of its line, with the line break.
        let is_flow = at.text(span).is_some_and(|text| text.starts_with('['));
        let array = if is_flow { span } else { Span { end: only.span().end, ..span } };
        return finding.fix(fix(array, written));
    }
    // Below its key, the item moves to the line of the key.
    let between = Span { start: name.end, end: span.start.max(name.end), ..span };
    match at.text(between) {
        Some(text) if text.trim() == ":" => {
            let whole = Span { start: name.end, end: only.span().end, ..span };
            finding.fix(fix(whole, format!(": {written}")))
        }
        _ => finding,
    }
}

/// The kinds that a node takes, directly or by the nodes that its clauses name.
pub(crate) fn wanted_kinds(schema: &Schema, id: SchemaId) -> Kinds {
    let own = schema.node(id).kinds;
    if own != Kinds::ANY {
        return own;
    }
    let named = schema.speaking(id).into_iter().filter(|id| !schema.node(*id).says_only_clauses());
    let kinds = named.map(|id| schema.node(id).kinds).fold(Kinds::NONE, |all, kinds| all | kinds);
    if kinds == Kinds::ANY { Kinds::NONE } else { kinds }
}

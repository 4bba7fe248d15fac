//! Named formats of strings, with the messages of the API server.

use super::{Call, Row};
use crate::cost::{Failure, first_text, one, second_text};
use crate::library::url::Url;
use crate::value::Value;
use lofting_schema::format::fits;
use lofting_schema::semantics::Formats;

/// A format of strings.
#[derive(Debug)]
pub struct NamedFormat {
    /// Its name.
    pub name: &'static str,
    /// What is wrong with a text.
    refusals: fn(&str) -> Vec<String>,
}

macro_rules! formats {
    ($($constant:ident $name:literal $refusals:expr;)*) => {
        $(static $constant: NamedFormat = NamedFormat { name: $name, refusals: $refusals };)*

        const ALL: &[&NamedFormat] = &[$(&$constant),*];

        pub(super) const ROWS: &[Row] = &[
            $(Row {
                signatures: &[concat!("format.", $name, "() -> format")],
                price: one,
                run: |_| Ok(Value::Format(&$constant)),
            },)*
            Row { signatures: &["format.named(string) -> optional(format)"], price: first_text, run: named },
            Row {
                signatures: &["(format).validate(string) -> optional(list(string))"],
                price: second_text,
                run: validate,
            },
        ];
    };
}

formats! {
    DNS_1123_LABEL "dns1123Label" |text| label(text);
    DNS_1123_SUBDOMAIN "dns1123Subdomain" |text| subdomain(text);
    DNS_1035_LABEL "dns1035Label" |text| old_label(text);
    QUALIFIED_NAME "qualifiedName" qualified_name;
    DNS_1123_LABEL_PREFIX "dns1123LabelPrefix" |text| label(&without_dash(text));
    DNS_1123_SUBDOMAIN_PREFIX "dns1123SubdomainPrefix" |text| subdomain(&without_dash(text));
    DNS_1035_LABEL_PREFIX "dns1035LabelPrefix" |text| old_label(&without_dash(text));
    LABEL_VALUE "labelValue" label_value;
    URI "uri" |text| Url::parse(text).err().map(|error| error.to_string()).into_iter().collect();
    UUID "uuid" |text| of_schema("uuid", text, "does not match the UUID format");
    BYTE "byte" |text| of_schema("byte", text, "invalid base64");
    DATE "date" |text| of_schema("date", text, "invalid date");
    DATETIME "datetime" |text| of_schema("datetime", text, "invalid datetime");
}

fn of_schema(format: &str, text: &str, refusal: &str) -> Vec<String> {
    // Texts that are too long to be looked at are accepted.
    if fits(Formats::CustomResources, format, text) == Some(false) { vec![refusal.to_owned()] } else { Vec::new() }
}

/// A prefix may end where a name may not.
fn without_dash(text: &str) -> String {
    match text.strip_suffix('-').filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            let last = rest.chars().next_back().map_or(0, char::len_utf8);
            format!("{}a", rest.get(..rest.len() - last).unwrap_or_default())
        }
        None => text.to_owned(),
    }
}

fn is_inner(c: char, more: &[char]) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(&c)
}

fn is_label(text: &str) -> bool {
    let is_end = |c: char| is_inner(c, &[]);
    text.starts_with(is_end) && text.ends_with(is_end) && text.chars().all(|c| is_inner(c, &['-']))
}

fn too_long(text: &str, most: usize) -> Option<String> {
    (text.len() > most).then(|| format!("must be no more than {most} characters"))
}

fn label(text: &str) -> Vec<String> {
    let refusal = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                   and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                   '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    too_long(text, 63).into_iter().chain((!is_label(text)).then(|| refusal.to_owned())).collect()
}

fn subdomain(text: &str) -> Vec<String> {
    let refusal = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
                   start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
                   '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    too_long(text, 253).into_iter().chain((!text.split('.').all(is_label)).then(|| refusal.to_owned())).collect()
}

fn old_label(text: &str) -> Vec<String> {
    let refusal = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
                   character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
                   validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let fits = is_label(text) && text.starts_with(|c: char| c.is_ascii_lowercase());
    too_long(text, 63).into_iter().chain((!fits).then(|| refusal.to_owned())).collect()
}

/// Letters and digits with `-`, `_` and `.` between them.
fn is_word(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_alphanumeric();
    text.starts_with(is_end)
        && text.ends_with(is_end)
        && text.chars().all(|c| is_end(c) || matches!(c, '-' | '_' | '.'))
}

fn qualified_name(text: &str) -> Vec<String> {
    let mut refusals = Vec::new();
    let name = match text.split('/').collect::<Vec<_>>()[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                refusals.push("prefix part must be non-empty".to_owned());
            } else {
                refusals.extend(subdomain(prefix).into_iter().map(|refusal| format!("prefix part {refusal}")));
            }
            name
        }
        _ => {
            return vec![
                "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                 alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                 '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. \
                 'example.com/MyName')"
                    .to_owned(),
            ];
        }
    };
    if name.is_empty() {
        refusals.push("name part must be non-empty".to_owned());
    } else {
        refusals.extend(too_long(name, 63).map(|refusal| format!("name part {refusal}")));
    }
    if !is_word(name) {
        refusals.push(
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
             alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
             '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                .to_owned(),
        );
    }
    refusals
}

fn label_value(text: &str) -> Vec<String> {
    let refusal = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
                   start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
                   for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    let fits = text.is_empty() || is_word(text);
    too_long(text, 63).into_iter().chain((!fits).then(|| refusal.to_owned())).collect()
}

/// What the API server says against a text in a format with a name, such as `dns1123Label`; nothing for unknown names.
pub fn refusals(format: &str, text: &str) -> Vec<String> {
    let found = ALL.iter().find(|known| known.name == format);
    found.map(|format| (format.refusals)(text)).unwrap_or_default()
}

fn named(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(name)] = call.arguments else { return Err(call.refused()) };
    let found = ALL.iter().find(|format| format.name == &**name);
    Ok(found.map_or(Value::Optional(None), |format| Value::present(Value::Format(format))))
}

fn validate(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Format(format), Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    let refusals: Vec<Value> = (format.refusals)(text).into_iter().map(Value::text).collect();
    Ok(if refusals.is_empty() { Value::Optional(None) } else { Value::present(Value::list(refusals)) })
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn names_are_checked() {
        for (name, yes, no) in [
            ("dns1123Label", &["a-1", "1"][..], &["-a", "A", "a.b", ""][..]),
            ("dns1123Subdomain", &["a.b-c"], &["a..b", "a_b", ""]),
            ("dns1035Label", &["a-1"], &["1a", "a-"]),
            ("dns1123LabelPrefix", &["a-", "a"], &["-", "--a"]),
            ("qualifiedName", &["a.b/C_d", "X"], &["/a", "a/", "a/b/c", "A.b/c", "a b"]),
            ("labelValue", &["", "A.b_c"], &["a b", "-a"]),
            ("uuid", &["123e4567-e89b-12d3-a456-426614174000"], &["x"]),
            ("uri", &["/a", "http://b"], &["a"]),
        ] {
            let format = ALL.iter().find(|format| format.name == name).expect(name);
            for text in yes {
                assert_eq!((format.refusals)(text), Vec::<String>::new(), "{name} {text}");
            }
            for text in no {
                assert!(!(format.refusals)(text).is_empty(), "{name} {text}");
            }
        }
    }
}

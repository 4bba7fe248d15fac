//! Names: of the definition, its group and its kind.

use super::fields::{Fields, Text};
use crate::kubernetes::rules::{definition_name, invalid_name};
use lofting_diagnostic::{Diagnostic, Fix};

pub(super) fn check(root: Fields<'_>, spec: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let group = spec.text("group");
    if let Some(group) = group {
        if !is_domain(group.text) {
            found.push(invalid_name::finding(group.span, no_domain(group.text)));
        } else if !group.text.contains('.') {
            let message = format!("`{}` has no period: a group is a domain, such as `boats.example.com`", group.text);
            found.push(invalid_name::finding(group.span, message));
        }
    }
    let Some(names) = spec.below("names") else { return };
    for key in ["plural", "singular"] {
        label(names.text(key), found);
    }
    for key in ["kind", "listKind"] {
        if let Some(name) = names.text(key).filter(|name| !is_label(&name.text.to_lowercase())) {
            let message = format!("`{}` is no valid {key}: {LETTERS}, in any case", name.text);
            found.push(invalid_name::finding(name.span, message));
        }
    }
    for key in ["shortNames", "categories"] {
        names.texts(key).for_each(|name| label(Some(name), found));
    }
    if let (Some(kind), Some(list)) = (names.text("kind"), names.text("listKind"))
        && kind.text == list.text
    {
        let finding = invalid_name::finding(list.span, "`listKind` cannot be the kind itself");
        let fix = Fix::replace(format!("Change to `{}List`", kind.text), list.span, format!("{}List", kind.text));
        found.push(finding.related(kind.span, "the kind").fix(fix));
    }
    if let (Some(group), Some(plural)) = (group, names.text("plural")) {
        own_name(root, &format!("{}.{}", plural.text, group.text), found);
    }
}

/// The definition's own name follows from those that it declares.
fn own_name(root: Fields<'_>, wanted: &str, found: &mut Vec<Diagnostic>) {
    let Some(metadata) = root.below("metadata") else {
        if root.lacks("metadata") {
            found.push(definition_name::finding(root.place(), format!("`metadata.name` should be `{wanted}`")));
        }
        return;
    };
    match metadata.text("name") {
        Some(name) if name.text != wanted => {
            let message = format!("`{}` should be `{wanted}`, after `spec.names.plural` and `spec.group`", name.text);
            let fix = Fix::replace(format!("Change to `{wanted}`"), name.span, wanted);
            found.push(definition_name::finding(name.span, message).fix(fix));
        }
        None if metadata.lacks("name") => {
            found.push(definition_name::finding(metadata.place(), format!("`metadata.name` should be `{wanted}`")));
        }
        _ => {}
    }
}

/// What a label of DNS consists of.
const LETTERS: &str =
    "it should consist of up to 63 letters, digits and hyphens, begin with a letter and not end with a hyphen";

/// Reports a name that is no label of DNS.
pub(super) fn label(name: Option<Text<'_>>, found: &mut Vec<Diagnostic>) {
    let Some(name) = name.filter(|name| !is_label(name.text)) else { return };
    let lower = name.text.to_lowercase();
    let finding =
        invalid_name::finding(name.span, format!("`{}` is no valid name: {LETTERS}, in lower case", name.text));
    found.push(match is_label(&lower) {
        true => finding.fix(Fix::replace(format!("Change to `{lower}`"), name.span, lower)),
        false => finding,
    });
}

/// Whether a name is a label as RFC 1035 has it.
fn is_label(name: &str) -> bool {
    name.len() <= 63 && name.starts_with(|c: char| c.is_ascii_lowercase()) && is_part(name)
}

fn is_part(part: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !part.is_empty() && part.chars().all(is_inner) && !part.starts_with('-') && !part.ends_with('-')
}

/// Whether a name is a subdomain as RFC 1123 has it.
fn is_domain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_part)
}

fn no_domain(name: &str) -> String {
    format!("`{name}` is no domain: parts of lower-case letters, digits and hyphens, separated by periods")
}

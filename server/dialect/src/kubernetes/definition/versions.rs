//! Versions: their names, which one is stored, and what each declares beside its schema.

use super::fields::{Fields, Text};
use super::{names, paths, schema};
use crate::kubernetes::rules::{deprecation_warning, field_path, repeated_version, root_schema, storage_version};
use lofting_diagnostic::Diagnostic;
use lofting_document::NodeValue;

/// How many fields can be selected by.
const SELECTABLE: usize = 8;

/// How many bytes a warning may have.
const WARNING: usize = 256;

pub(super) fn check(spec: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let versions = spec.items("versions");
    let mut known: Vec<Text<'_>> = Vec::new();
    for version in versions.iter().map(|item| Fields(&item.value)) {
        let name = version.text("name");
        names::label(name, found);
        if let Some(name) = name {
            match known.iter().find(|known| known.text == name.text) {
                Some(first) => {
                    let message = format!("there are two versions with the name `{}`", name.text);
                    found.push(repeated_version::finding(name.span, message).related(first.span, "the other one"));
                }
                None => known.push(name),
            }
        }
        self::version(version, found);
    }
    stored(spec, found);
    if spec.is_set("preserveUnknownFields")
        && let Some(flag) = spec.value("preserveUnknownFields")
    {
        let message = "a definition cannot preserve unknown fields as a whole";
        let finding = root_schema::finding(flag.span, message);
        found.push(finding.help("set `x-kubernetes-preserve-unknown-fields: true` in the schema"));
    }
}

/// Exactly one version is stored.
fn stored(spec: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let versions = || spec.items("versions").iter().map(|item| Fields(&item.value));
    let is_known = |version: Fields<'_>| {
        version.lacks("storage") || matches!(version.value("storage").map(|node| &node.value), Some(NodeValue::Bool(_)))
    };
    let Some(entry) = spec.entry("versions").filter(|entry| !entry.value.partial) else { return };
    if !matches!(entry.value.value, NodeValue::Array(_)) || !versions().all(is_known) {
        return;
    }
    let stored: Vec<_> = versions().filter(|version| version.is_set("storage")).collect();
    if let [first, others @ ..] = stored.as_slice() {
        let places = others.iter().filter_map(|version| Some((version.value("storage")?, first.value("storage")?)));
        for (place, first) in places {
            let finding = storage_version::finding(place.span, "only one version can be stored");
            found.push(finding.related(first.span, "the version that is stored"));
        }
    } else {
        found.push(storage_version::finding(entry.key_span, "one of the versions should have `storage: true`"));
    }
}

fn version(version: Fields<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(warning) = version.value("deprecationWarning")
        && let NodeValue::String(text) = &warning.value
    {
        let message = match () {
            () if version.lacks("deprecated") || version.value("deprecated").is_some_and(is_false) => {
                Some("only a version with `deprecated: true` can have a warning")
            }
            () if text.is_empty() => Some("the warning is empty"),
            () if text.len() > WARNING => Some("the warning is longer than 256 bytes"),
            () if text.chars().any(char::is_control) => Some("the warning contains characters that cannot be printed"),
            () => None,
        };
        found.extend(message.map(|message| deprecation_warning::finding(warning.span, message)));
    }
    let subresources = version.below("subresources");
    let has_status = subresources.is_some_and(|subresources| subresources.value("status").is_some());
    let own = version.below("schema").and_then(|schema| schema.below("openAPIV3Schema"));
    if let Some(own) = own {
        schema::check(own, has_status, found);
    }
    if let Some(scale) = subresources.and_then(|subresources| subresources.below("scale")) {
        self::scale(scale, found);
    }
    for column in version.items("additionalPrinterColumns").iter().map(|item| Fields(&item.value)) {
        if let Some(path) = column.text("jsonPath") {
            found.extend(no_path(path));
        }
    }
    selectable(version, own, found);
}

fn is_false(node: &lofting_document::Node) -> bool {
    node.value == NodeValue::Bool(false)
}

/// A path has to begin with a period.
fn no_path(path: Text<'_>) -> Option<Diagnostic> {
    let message = format!("`{}` does not begin with a period", path.text);
    (!path.text.starts_with('.')).then(|| field_path::finding(path.span, message))
}

fn scale(scale: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let below: [(&str, &[&str]); 3] = [
        ("specReplicasPath", &[".spec."]),
        ("statusReplicasPath", &[".status."]),
        ("labelSelectorPath", &[".spec.", ".status."]),
    ];
    for (key, roots) in below {
        let Some(path) = scale.text(key) else { continue };
        if let Some(finding) = no_path(path) {
            found.push(finding);
        } else if !roots.iter().any(|root| path.text.starts_with(root)) {
            let roots: Vec<String> = roots.iter().map(|root| format!("`{}`", root.trim_end_matches('.'))).collect();
            let message = format!("`{}` does not lead to a field below {}", path.text, roots.join(" or "));
            found.push(field_path::finding(path.span, message));
        }
    }
}

fn selectable(version: Fields<'_>, schema: Option<Fields<'_>>, found: &mut Vec<Diagnostic>) {
    let Some(schema) = schema else { return };
    let mut known: Vec<Text<'_>> = Vec::new();
    for field in version.items("selectableFields").iter().map(|item| Fields(&item.value)) {
        let Some(path) = field.text("jsonPath") else { continue };
        let message = match paths::field(schema, path.text, paths::Brackets::Refused) {
            Err(why) => Some(format!("`{}` {why}", path.text)),
            Ok(_) if path.text == ".metadata" || path.text.starts_with(".metadata.") => {
                Some("fields of `metadata` cannot be selected".to_owned())
            }
            Ok(Some(field)) => match field.text("type") {
                Some(of) if !matches!(of.text, "string" | "boolean" | "integer") => Some(format!(
                    "`{}` leads to a value of type {}; only strings, booleans and integers can be selected",
                    path.text, of.text
                )),
                _ => None,
            },
            Ok(None) => None,
        };
        if let Some(message) = message {
            found.push(field_path::finding(path.span, message));
        } else if let Some(first) = known.iter().find(|known| known.text == path.text) {
            let message = format!("`{}` is selectable already", path.text);
            found.push(field_path::finding(path.span, message).related(first.span, "the first time"));
        } else {
            known.push(path);
        }
    }
    if let Some(more) = known.get(SELECTABLE) {
        found.push(field_path::finding(more.span, format!("at most {SELECTABLE} fields can be selected")));
    }
}

//! Titles, descriptions, examples, and notices of deprecation and removal.

use super::rules::{annotation_arguments, no_effect};
use super::{ProposalReader, Site, at, is_sure, note};
use lofting_diagnostic::words::with_article;
use lofting_document::{Note, Notes, OwnerKind, from_expression};
use lofting_eval::{Expr, ExprKind};
use lofting_schema::{Example, SchemaNode, Text};

/// The title derived from a key: separators become blanks, and the first letter a capital.
pub(super) fn inferred_title(key: &str) -> String {
    let words: Vec<&str> = key.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let title = words.join(" ");
    let mut letters = title.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => title,
    }
}

impl ProposalReader<'_> {
    pub(super) fn documentation(&mut self, node: &mut SchemaNode, notes: &Notes, site: Site) {
        if notes.annotations.is_empty() {
            return;
        }
        node.docs.title = self.text(node, notes, "schema/title", true);
        node.docs.description =
            self.text(node, notes, "schema/doc", true).map(|text| Text { text: plain(&text.text), ..text });
        self.example(node, notes);
        if let Some(note) = notes.get("schema/examples") {
            self.examples(node, note);
        }
        // Annotations that are not allowed there are reported by the rule about places.
        if site.place != OwnerKind::Document {
            node.docs.deprecated = self.text(node, notes, "schema/deprecated", self.form.requires_notice());
        }
        if site.place == OwnerKind::MapItem {
            node.docs.removed = self.text(node, notes, "schema/removed", self.form.requires_notice());
        }
        if let (Some(deprecated), Some(_)) = (&node.docs.deprecated, &node.docs.removed) {
            self.found(no_effect::finding(deprecated.span, "it is removed, so marking it as deprecated has no effect"));
            node.docs.deprecated = None;
        }
    }

    /// The text argument of an annotation. A text that needs evaluation, or may be left out, is empty.
    fn text(&mut self, node: &SchemaNode, notes: &Notes, name: &str, required: bool) -> Option<Text> {
        let note = note(notes, name)?;
        let empty = Some(Text { text: String::new(), span: note.span });
        if !is_sure(note) {
            return empty;
        }
        let message = match (note.arguments.keywords.first(), note.arguments.positional.as_slice()) {
            (Some(keyword), _) => format!("`@{}` takes one string and no `{}=`", note.name, keyword.name),
            (None, []) if required => format!("`@{}` needs a string", note.name),
            (None, []) => return empty,
            (None, [only]) => match (only.as_str(), only.type_name()) {
                (Some(text), _) => return Some(Text { text: text.to_owned(), span: at(note, &only.range) }),
                (None, None) => return empty,
                (None, Some(found)) => format!("`@{}` needs a string, but has {}", note.name, with_article(found)),
            },
            (None, several) => format!("`@{}` takes one string, but has {}", note.name, several.len()),
        };
        self.found(annotation_arguments::finding(node.declared.name, note, &message));
        None
    }

    fn example(&mut self, node: &mut SchemaNode, notes: &Notes) {
        let Some(note) = notes.get("schema/example") else { return };
        let name = node.declared.name;
        let count = notes.annotations.iter().filter(|other| other.name == note.name).count();
        if count > 1 {
            self.found(annotation_arguments::finding(
                name,
                note,
                "`@schema/example` is repeated: use `@schema/examples`",
            ));
        }
        if !is_sure(note) {
            return;
        }
        let message = match (note.arguments.keywords.first(), note.arguments.positional.as_slice()) {
            (Some(keyword), _) => format!("`@schema/example` takes no `{}=`", keyword.name),
            (None, []) => "`@schema/example` needs a value".to_owned(),
            (None, [only]) => {
                let value = from_expression(note.span.file, only);
                let example = Example { description: String::new(), span: at(note, &only.range), value };
                node.docs.examples.push(example);
                return;
            }
            (None, _) => "`@schema/example` takes one value: use `@schema/examples` for several".to_owned(),
        };
        self.found(annotation_arguments::finding(name, note, &message));
    }

    fn examples(&mut self, node: &mut SchemaNode, note: &Note) {
        if !is_sure(note) {
            return;
        }
        let name = node.declared.name;
        if let Some(keyword) = note.arguments.keywords.first() {
            let message = format!("`@schema/examples` takes no `{}=`", keyword.name);
            self.found(annotation_arguments::finding(name, note, &message));
            return;
        }
        let pairs: Vec<&Expr> = match note.arguments.positional.as_slice() {
            [Expr { kind: ExprKind::List(items), .. }] => items.iter().collect(),
            several => several.iter().collect(),
        };
        if pairs.is_empty() {
            let message = "`@schema/examples` needs pairs of a string and a value";
            self.found(annotation_arguments::finding(name, note, message));
        }
        for pair in pairs {
            let message = match &pair.kind {
                ExprKind::Tuple(parts) => match parts.as_slice() {
                    [description, value] => match (description.as_str(), description.type_name()) {
                        (None, Some(found)) => {
                            format!("an example begins with a string, but this one with {}", with_article(found))
                        }
                        (description, _) => {
                            node.docs.examples.push(Example {
                                description: description.unwrap_or_default().to_owned(),
                                span: at(note, &pair.range),
                                value: from_expression(note.span.file, value),
                            });
                            continue;
                        }
                    },
                    parts => {
                        format!("an example is a pair of a string and a value, but this one has {} parts", parts.len())
                    }
                },
                _ => match pair.type_name() {
                    Some(found) => {
                        format!("an example is a pair of a string and a value, but this one is {}", with_article(found))
                    }
                    None => continue,
                },
            };
            self.found(annotation_arguments::finding(name, note, &message));
        }
    }
}

/// A text without the indentation that all its lines share, and without blank lines around it.
fn plain(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let indentation = |line: &&&str| line.len() - line.trim_start().len();
    // The first line follows the quotes directly.
    let rest = lines.iter().skip(1).filter(|line| !line.is_empty());
    let shared = rest.min_by_key(|line| indentation(line)).map_or(0, |line| indentation(&line));
    let first = lines.first().map(|line| line.trim_start()).into_iter();
    let rest = lines.iter().skip(1).map(|line| line.get(shared..).unwrap_or_default());
    first.chain(rest).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

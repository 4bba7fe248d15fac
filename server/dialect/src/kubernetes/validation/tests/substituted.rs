//! Texts in which another program puts something are never wrong.

use super::accepted;
use crate::DocumentsView;
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::checked::Checked;
use lofting_document::{FileId, Options, lower};

/// All forms that the manual names.
const FORMS: [&str; 18] = [
    "${NAME}",
    "${NAME:=80}",
    "$NAME",
    "$(name)",
    "$[ name ]",
    "${{ name }}",
    "{{ .Values.name }}",
    "a-{{ name }}",
    "{% if a %}x{% endif %}",
    "<%= name %>",
    "<< name >>",
    "((name))",
    "#{name}#",
    "#{name}",
    "@name@",
    "ENC[AES256_GCM,data:abc=,iv:x=,tag:y=,type:str]",
    "?{vaultkv:a/b}",
    "9{{ name }}",
];

/// What is found in a text by all rules that look at its resources.
fn said(text: &str) -> Vec<String> {
    let tree = lofting_syntax::parse(text);
    let options = Options { substituted: true, ..Options::default() };
    let documents = lower(FileId(0), &tree, SEMANTICS.profile, options);
    let found = Checked::default().findings(&DocumentsView { tree: &tree, documents: &documents });
    found.iter().map(|found| format!("{}: {}", found.rule.code, found.message)).collect()
}

#[test]
fn every_value_may_be_put_in_later() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for text in accepted() {
        let tree = lofting_syntax::parse(text);
        let mut at = 0;
        while at < text.len() {
            let Some(scalar) = tree.scalar_at(at).filter(|scalar| scalar.range().start == at) else {
                at += 1;
                continue;
            };
            let range = scalar.range();
            at = range.end.max(at + 1);
            let is_key = text[range.end..].starts_with(':');
            if is_key || range.is_empty() {
                continue;
            }
            count += 1;
            for form in FORMS {
                let new = format!("{}\"{form}\"{}", &text[..range.start], &text[range.end..]);
                let found = said(&new);
                if !found.is_empty() {
                    wrong.push(format!("{form} for {} in {}: {found:?}", &text[range.clone()], &text[..60]));
                }
            }
        }
    }
    assert!(count > 500, "{count}");
    assert!(wrong.is_empty(), "{} of them\n{}", wrong.len(), wrong.join("\n"));
}

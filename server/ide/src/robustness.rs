//! All features at every offset of many texts, and while each of them is being typed.

use crate::fixture::APP_SCHEMA;
use crate::{CompletionOptions, Markup};
use lofting_document::FileId;
use lofting_workspace::{Settings, Snapshot, Workspace};
use std::path::{Path, PathBuf};

const TEXTS: &[&str] = &[
    "#@data/values\n---\nname: web\nimage:\n  tag: \"1.2\"\n  #@overlay/match missing_ok=True\n  pullPolicy: Always # c\n",
    "env:\n- &a\n  name: A\n  secretRef: {name: x, key: [1, {a: b}]}\n- <<: *a\n  value: 'it''s'\n-\n  - x\n",
    "labels:\r\n  \"on\": x\r\n  team name: |\r\n    # text\r\n    more\r\n\r\n  app.kubernetes.io/name: >-\r\n",
    "# comment\n\n---\nextra:\n\ta: 😀 größe\n  b: {\"😀\": ü, c\n...\n%YAML 1.2\n---\n- a\nb: c: d\n? e\n: f\n",
    "containers:\n  - name: a\n    ports: [{name: x, protocol: TCP}, {\n      $\n   bad: *\n @x\n`y\n<<<<<<< HEAD\n- - - z\n",
    "#@data/values-schema\n---\n#@schema/validation min=1, one_of=[\"a\n#@schema/type any=\n#@ \n#@x\n#\na:\n- 0 #@schema/desc\n",
    "#@ load(\"@ytt:data\", \"data\")\n#@ load('f.lib.yml', \"f\", g='h')\n#@ v = data.values.image\n#@ def d(a, b=[1], *c):\n\
     x: #@ a[\"tag\"].upper(\n#@ end\n#@ for/end i, e in enumerate(data.values.env):\n- #@ e.name + d(v, b=2)\n\
     #@yaml/text-templated-strings\ny: 'ü (@= v.tag @) (@- if data.values[\"name'\nz: (@= v.\n\
     #@overlay/match by=lambda i,l,r: l[\"😀\"], missing_ok=Tr\nw: #@ [k.x for k in data.values.service if k not in v] or {1: \n",
    "[@library/ref \"@db\"\n#@data/values\n---\nsize: 3\nusers: [a, b]\n",
    "\u{feff}name: !!str &x\nreplicas: !t 1\nservice: {type: }\nargs: ['a', \"b\\\n",
];

fn ask(snapshot: &Snapshot, file: FileId, text: &str, offset: usize) {
    // An editor's cursor is never inside a line break; such an offset means the end of the line.
    let between = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
    let offset = if between { offset - 1 } else { offset };
    for snippets in [false, true] {
        let options = CompletionOptions { snippets, unasked: false };
        for item in crate::completion(snapshot, file, offset, &options) {
            let (range, _) = &item.edit;
            let replaced = text.get(range.clone()).expect("whole characters are replaced");
            assert!(!replaced.contains(['\n', '\r']), "{text:?} at {offset}: {item:?} replaces a line break");
            assert!(range.start <= offset && offset <= range.end, "{text:?} at {offset}: {item:?} is elsewhere");
            for (other, _) in &item.additional_edits {
                assert!(text.get(other.clone()).is_some());
                assert!(
                    other.end <= range.start || range.end <= other.start,
                    "{text:?} at {offset}: {item:?} overlaps"
                );
                assert!(!other.is_empty() || other.start != range.start, "{text:?} at {offset}: {item:?} has no order");
            }
        }
    }
    drop(crate::semantic_tokens_in(snapshot, file, offset..text.len(), crate::TokenChoices::default()));
    if let Some(hover) = crate::hover(snapshot, file, offset, Markup::Markdown) {
        assert!(text.get(hover.range).is_some());
    }
    for found in crate::goto_definition(snapshot, file, offset) {
        assert!(text.get(found.origin).is_some());
    }
    if let Some(help) = crate::signature_help(snapshot, file, offset, Markup::Plain) {
        assert!(help.parameters.iter().all(|(range, _)| help.label.get(range.clone()).is_some()));
    }
    for span in crate::references(snapshot, file, offset, true) {
        let text = snapshot.text(span.file).to_string();
        assert!(text.get(span.range()).is_some_and(|name| !name.is_empty()));
    }
    for found in crate::document_highlights(snapshot, file, offset) {
        assert!(text.get(found.range).is_some_and(|name| !name.is_empty()));
    }
    let _ = crate::rename(snapshot, file, offset, "other");
    crate::selection_ranges(snapshot, file, offset);
    for range in crate::linked_editing(snapshot, file, offset) {
        assert!(text.get(range).is_some_and(|name| !name.is_empty()));
    }
    for found in crate::type_definition(snapshot, file, offset) {
        assert!(text.get(found.origin).is_some());
    }
    if let Some(function) = crate::prepare_call_hierarchy(snapshot, file, offset) {
        let place = function.selection;
        crate::incoming_calls(snapshot, place.file, place.range().start);
        crate::outgoing_calls(snapshot, place.file, place.range().start);
    }
    crate::inlay_hints(snapshot, file, offset..offset, &all_hints());
}

fn all_hints() -> crate::HintChoices {
    let mut choices = crate::HintChoices::default();
    choices.by_name().for_each(|(_, chosen)| *chosen = true);
    choices
}

#[test]
fn every_offset_and_every_prefix() {
    let root = Path::new("/lofting-ide-robustness");
    for with_schema in [true, false] {
        let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
        if with_schema {
            workspace.open(&root.join("schema.yml"), 1, APP_SCHEMA);
        }
        let file = workspace.open(&root.join("values.yml"), 1, "");
        let mut version = 1;
        for text in TEXTS {
            let offsets: Vec<usize> = (0..=text.len()).filter(|offset| text.is_char_boundary(*offset)).collect();
            for offset in &offsets {
                version += 1;
                let typed = &text[..*offset];
                workspace.replace(file, version, typed);
                ask(&workspace.snapshot(), file, typed, *offset);
            }
            let snapshot = workspace.snapshot();
            for offset in offsets {
                ask(&snapshot, file, text, offset);
            }
            // Beyond the end, as a client that is out of sync may request.
            crate::completion(&snapshot, file, text.len() + 100, &CompletionOptions::default());
            crate::hover(&snapshot, file, text.len() + 100, Markup::Plain);
            crate::document_symbols(&snapshot, file);
            crate::folding_ranges(&snapshot, file);
            for hint in crate::inlay_hints(&snapshot, file, 0..text.len() + 100, &all_hints()) {
                assert!(text.is_char_boundary(hint.offset), "{text:?}: {hint:?}");
            }
            crate::final_data_values(&snapshot, file);
        }
    }
}

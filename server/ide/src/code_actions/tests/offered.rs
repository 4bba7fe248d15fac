//! What is offered has a change: an editor that asks for changes later is offered what one that wants them at once is.

use super::fixed::all_fixtures;
use super::{ABLE, ActionsAsked, Changes, code_actions};
use crate::fixture::open;
use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Snapshot};

/// Texts with what a change may be impossible for: blocks of text, anchors, aliases, merge keys, keys with `?`, comments.
const FURTHER: &[&str] = &[
    "#- schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\nlimits:\n  a:\n    mem: |\n      1Mi\n",
    "#- schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\nbase: &base\n  inner: &inner {x: 1}\n  text: |\n    a\n\
     whole: *base\nmerged:\n  <<: *base\nnothing: *nowhere\nlist: [*base, *inner]\nflow: {<<: *base, a: 1}\nitem:\n- <<: *base\n  b: 1\n",
    "#- schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\nmap:\n  ? a\n  : b\n  <<: {x: 1}\nseq:\n- - a\n  - |\n    b\n- !t c\n- 'd\n\n  e'\n",
    "#- a.yml\n#@data/values-schema\nname: a\n#- b.yml\nname: a\n#@data/values\nother: b\n#- c.yml\n#@data/values-schema\n---\n#@data/values\nname: a\n",
    "#- schema.yml\n#@data/values-schema\n---\n#@schema/deprecated \"no\"\na: 1\n#- values.yml\n<<: {a: 1}\n? b\n: 1\n",
    "#- values.yml\n- a\n- b: 1\n#- empty.yml\n\n#- text.yml\nplain\n",
    "#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n---\na: 1\nb: #@ data.values.port\nc: #@ data.values\n",
    "#- s.yml\ntype: object\nproperties: {a: {type: object, additionalProperties: false, properties: {b: {type: string}}}}\nadditionalProperties: false\n\
     #- values.yml\n# yaml-language-server: $schema=s.yml\na: *x\nb:\n  text: |\n    x\nc: &c {d: 1}\n",
    "#- a.yml\n#@ if True:\na: 1\n#@ else:\na: 2\nb:\n  #@ for x in []:\n  c: 1\n#@ end\na: 3\n#@ end\n",
];

/// How many places of a file are looked at.
const PLACES: usize = 60;

fn offered(snapshot: &Snapshot, file: FileId, at: usize, changes: Changes<'_>) -> Vec<(String, String)> {
    let asked = ActionsAsked { kinds: &["quickfix", "refactor"], abilities: ABLE, changes, unasked: false };
    let found = code_actions(snapshot, file, at..at, &asked, &CancelFlag::new());
    found.into_iter().map(|action| (action.name.source, action.name.title)).collect()
}

#[test]
fn what_is_offered_has_a_change() {
    let mut wrong = Vec::new();
    for fixture in all_fixtures().into_iter().chain(FURTHER.iter().map(|text| (*text).to_owned())) {
        let snapshot = open(&fixture).snapshot;
        for file in snapshot.files() {
            // A plan says why it changes nothing.
            if snapshot.shown_path(file).ends_with(".toml") {
                continue;
            }
            let text = snapshot.text(file).to_string();
            // Where words begin.
            let begins = |at: &usize| {
                let (before, after) = (text.get(..*at).unwrap_or("x"), text.get(*at..).unwrap_or_default());
                let is_word = |c: char| c.is_alphanumeric();
                after.starts_with(|c: char| !c.is_whitespace())
                    && !(before.ends_with(is_word) && after.starts_with(is_word))
            };
            for at in (0..text.len()).filter(begins).take(PLACES) {
                let (later, now) =
                    (offered(&snapshot, file, at, Changes::None), offered(&snapshot, file, at, Changes::All));
                if later != now {
                    let only: Vec<_> = later.iter().filter(|name| !now.contains(name)).collect();
                    wrong.push(format!(
                        "{} at {at}: only later: {only:?}, now: {now:?}\n{fixture}",
                        snapshot.shown_path(file)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

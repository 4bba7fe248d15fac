//! Hovers in a long stream, of which only some documents are merged, are those of a short one.

use super::hover;
use crate::fixture::open;
use crate::{HintChoices, Markup, inlay_hints};
use lofting_document::Key;
use lofting_schema::Step;
use lofting_workspace::AskedValue;

const SCHEMA: &str = "#@data/values-schema
---
name: web
port: 0
#@schema/nullable
tls:
  secret: \"\"
hosts:
- \"\"
routes:
- host: \"\"
  weight: 1
#@schema/type any=True
extra: {}
store:
  s3: \"\"
  gcs: \"\"
end: \"\"
";

/// What a document may consist of; `@N` is a number.
const ENTRIES: [&str; 17] = [
    "name: n@N\n",
    "name: n@N\n",
    "name: null\n",
    "port: @N\n",
    "port:\n",
    "tls:\n  secret: s@N\n",
    "tls: null\n",
    "hosts:\n- h@N\n",
    "hosts: [h@N, x]\n",
    "hosts: []\n",
    "routes:\n- host: h@N\n  weight: @N\n- host: x\n",
    "extra: {a: @N}\n",
    "extra: [@N]\n",
    "extra: e@N\n",
    "store:\n  s3: s@N\n",
    "store:\n  gcs: g@N\n  s3: x@N\n",
    "store: {}\n",
];

/// Entries that take the place of those before them, among plain documents.
const REPLACING: [&str; 4] = ["name: n@N\n", "port: @N\n", "hosts:\n- h@N\n", "hosts: [h@N, x]\n"];

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("a number") % end
    }
}

/// The hovers and hints of a text.
struct Said {
    /// About each of its keys.
    hovers: Vec<Option<String>>,
    /// Beside its keys.
    hints: Vec<(usize, String)>,
    /// How many documents were not merged for that.
    left_out: usize,
}

fn said(files: &str, values: &str, end: &str) -> Said {
    let fixture = open(&format!("{files}#- values.yml\n{values}end: {end}\n"));
    let (snapshot, file) = (&fixture.snapshot, fixture.file);
    let mut offset = 0;
    let (mut hovers, mut left_out) = (Vec::new(), 0);
    for line in values.split_inclusive('\n') {
        let key = line.find(|letter: char| letter.is_ascii_lowercase()).unwrap_or_default();
        let hover = hover(snapshot, file, offset + key, Markup::Plain);
        hovers.push(hover.map(|hover| hover.text.to_string()));
        if let Some((key, _)) = line.split_once(':').filter(|(key, _)| !key.starts_with(['-', ' ', '#'])) {
            let asked = AskedValue { offset, path: &[Step::Key(Key::from(key))], with_items: true };
            left_out += snapshot.merged_at(file, &[asked]).iter().map(|merged| merged.left_out).sum::<usize>();
        }
        offset += line.len();
    }
    let hints = inlay_hints(snapshot, file, 0..values.len(), &HintChoices::default());
    let words = |hint: crate::InlayHint| (hint.offset, hint.parts.into_iter().map(|part| part.text).collect());
    Said { hovers, hints: hints.into_iter().map(words).collect(), left_out }
}

#[test]
fn long_streams_have_the_final_values_of_short_ones() {
    let long = "x".repeat(80_000);
    let mut numbers = Numbers(3);
    let (mut finals, mut hinted, mut left_out) = (0, 0, 0);
    for turn in 0..60 {
        // Of few entries, many documents give the same.
        let first = numbers.below(ENTRIES.len());
        let mut some: Vec<&str> = ENTRIES.iter().copied().cycle().skip(first).take(2 + numbers.below(15)).collect();
        // In many documents with one entry each, most replace the others.
        let is_simple = turn % 5 == 0;
        if is_simple {
            some = REPLACING.to_vec();
        }
        let (head, in_set) = (["", "#@data/values\n"][turn % 2], turn % 3 == 0);
        let mut values = String::new();
        for _ in 0..2 + numbers.below(if is_simple { 90 } else { 16 }) {
            values.push_str(&format!("{head}---\n"));
            // Annotated documents without a value would have to be merged with all others.
            let more = if is_simple { 1 } else { usize::from(!head.is_empty()) + numbers.below(3) };
            for _ in 0..more {
                values.push_str(&some[numbers.below(some.len())].replace("@N", &numbers.below(9).to_string()));
            }
        }
        values.push_str(&format!("{head}---\n"));
        let files = if in_set {
            let before = "#- a.yml\n#@data/values\n---\nname: before\nport: 7\nhosts: [before]\n";
            let order = if head.is_empty() { "values = ['values.yml']" } else { "" };
            let listed = if head.is_empty() { "'schema.yml', 'a.yml'" } else { "'schema.yml', 'a.yml', 'values.yml'" };
            format!("#- lofting.toml\n[sets.all]\nfiles = [{listed}]\n{order}\n#- schema.yml\n{SCHEMA}{before}")
        } else {
            format!("#- schema.yml\n{SCHEMA}")
        };
        let (short, long) = (said(&files, &values, "x"), said(&files, &values, &long));
        let lines = values.lines().zip(short.hovers.iter().zip(&long.hovers));
        for (number, (line, (short, long))) in lines.enumerate() {
            assert_eq!(short, long, "{line} in line {} of\n{files}{values}", number + 1);
        }
        let of_values = |hints: Vec<(usize, String)>| -> Vec<(usize, String)> {
            hints.into_iter().filter(|(offset, _)| *offset < values.len()).collect()
        };
        let is_final = |said: &&String| said.contains("Final value") || said.contains("replaces");
        finals += short.hovers.iter().flatten().filter(is_final).count();
        hinted += short.hints.len();
        left_out += long.left_out;
        assert_eq!(of_values(short.hints), of_values(long.hints), "{files}{values}");
    }
    assert!(finals > 100 && hinted > 20 && left_out > 20, "{finals} {hinted} {left_out}");
}

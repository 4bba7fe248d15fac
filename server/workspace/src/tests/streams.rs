//! Streams of documents that languages claim, and lists of resources: whatever is edited, what is known of them is what a
//! new workspace finds.

use super::stored::Random;
use crate::association::governed::Governed;
use crate::fixture::Fixture;
use lofting_dialect::{list_items, way_to_item};
use lofting_syntax::LONG;

const FILES: &str = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  versions:
  - name: v1
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}
  - name: v2
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}
#- trait.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: volume}
spec:
  schema: {parameters: {size: string}}
#- schema.json
{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"properties\": {\"spec\": {\"properties\": {\"size\": {\"type\": \"integer\"}}}}}
";

/// What a document may be; `@N` is a number.
const DOCUMENTS: [&str; 18] = [
    "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a@N}\nspec: {size: @N}\n",
    "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a@N}\nspec: {size: x}\n",
    "apiVersion: example.com/v2\nkind: Box\nmetadata: {name: a@N}\nspec: {size: x}\n",
    "apiVersion: example.com/v2\nkind: Box\nmetadata: {name: a@N}\nspec: {size: @N}\n",
    "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: a@N}\n",
    "apiVersion: other@N.com/v1\nkind: Other\nmetadata: {name: a@N}\nspec: {size: @N}\n",
    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Box\n  spec: {size: x}\n",
    "apiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: t@N}\nspec:\n  schema: {parameters: {size: integer}}\n",
    "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: c}\nspec:\n  traits: [{name: t@N, instanceName: a}]\n",
    "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: c}\nspec:\n  traits: [{name: volume, instanceName: a}]\n",
    "a: &a 1\nb: *a\na: 2\n",
    "apiVersion: example.com/v1\nkind: Box\nmetadata: &m {name: a@N}\nspec: {size: x, other: *m}\n",
    "",
    "kind: Box\nmetadata: {name: a}\nspec: {}\n",
    "spec: {size: x}\nsize: !!str @N\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c@N}\ndata: {a: x}\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: s@N}\nspec: {selector: {app: a}, ports: [{port: 80, targetPort: x}]}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d@N}\nspec:\n  selector: {matchLabels: {app: a}}\n  template:\n    \
     metadata: {labels: {app: a}}\n    spec: {volumes: [{name: v, configMap: {name: c@N}}], containers: [{name: a, image: b, ports: \
     [{name: x, containerPort: 80}]}]}\n",
];

/// What an edit may put in the place of a few bytes.
const TYPED: [&str; 11] = ["x", "1", "\n", "\n---\n", "", "", ": ", "v2", "Box", "}", "\n- "];

/// How a file begins, what comes before each of its documents, and whether there are anchors in them. The last ones are lists.
const FORMS: [(&str, &str, bool); 5] = [
    ("", "---\n", true),
    ("", "---\n", true),
    ("# yaml-language-server: $schema=schema.json\n", "---\n", true),
    ("apiVersion: v1\nkind: List\nitems:\n", "- ", true),
    ("apiVersion: v1\nkind: List\nitems:\n", "- ", false),
];

fn document(random: &mut Random, before: &str, anchors: bool) -> String {
    let number = random.below(40).to_string();
    let written = DOCUMENTS[random.below(DOCUMENTS.len())];
    let document = if anchors || !written.contains('&') { written.replace("@N", &number) } else { String::new() };
    match before {
        "- " => format!("- {}\n", document.trim_end().replace('\n', "\n  ")),
        _ => format!("{before}{document}"),
    }
}

/// What is known of a file.
fn known(fixture: &Fixture, offsets: &[usize]) -> String {
    let (snapshot, file) = (fixture.workspace.snapshot(), fixture.id("stream.yaml"));
    let governed = snapshot.governed(file);
    let places: Vec<_> = governed.iter().map(|part| (part.document, &part.at, &part.key, part.node)).collect();
    let around = |offset: &usize| {
        let tree = snapshot.tree(file);
        let document = tree.document_at(*offset);
        let at = document.map(|(_, document)| snapshot.governed_at(file, document.range().start, *offset));
        let at = at.unwrap_or_default();
        // Of a list, those of the item there.
        let items = document.and_then(|(_, document)| list_items(&document));
        let item = items.and_then(|items| items.inside_at(*offset));
        let is_around = |part: &&Governed| match &item {
            Some((index, _)) => part.at.is_empty() || part.at.starts_with(&way_to_item(*index)),
            None => part.at.is_empty() || items.is_none(),
        };
        // A value in the line of its dash is not a resource.
        if item.is_none_or(|(_, item)| item.green().is_some()) {
            let of_document = governed.iter().filter(|part| Some(part.document) == document.map(|(number, _)| number));
            let of_document = of_document.filter(is_around).map(|part| (&part.at, &part.key));
            assert!(at.iter().map(|part| (&part.at, &part.key)).eq(of_document));
        }
        let named = snapshot.named_document(file, *offset);
        named.map(|named| (named.name, named.origin, named.declared.len(), named.references.len()))
    };
    let named: Vec<_> = offsets.iter().map(around).collect();
    format!("{}{places:?}\n{named:?}", fixture.diagnostics("stream.yaml"))
}

#[test]
fn edited_streams_are_known_as_new_ones() {
    let mut random = Random(11);
    // So many that the tree keeps them in groups.
    for (head, before, anchors) in FORMS {
        let start: String = (0..300).map(|_| document(&mut random, before, anchors)).collect();
        let mut text = format!("{head}{start}");
        let mut fixture = Fixture::scanned(FILES);
        let file = fixture.open("stream.yaml", &text);
        known(&fixture, &[]);
        for turn in 2..28 {
            let starts: Vec<usize> = text.match_indices(before).map(|(at, _)| at).collect();
            let (begin, end) = (random.below(starts.len()), random.below(3));
            let at = starts[begin];
            let (range, new) = match random.below(4) {
                0 => (at..at, document(&mut random, before, anchors)),
                1 => (at..starts.get(begin + end).copied().unwrap_or(text.len()), String::new()),
                _ => {
                    let from = (at + random.below(80)).min(text.len());
                    (from..(from + random.below(3)).min(text.len()), TYPED[random.below(TYPED.len())].to_owned())
                }
            };
            text.replace_range(range.clone(), &new);
            fixture.workspace.edit(file, turn, range, &new);
            let offsets: Vec<usize> = (0..30).map(|_| random.below(text.len())).collect();
            let mut fresh = Fixture::scanned(FILES);
            fresh.open("stream.yaml", &text);
            assert_eq!(known(&fixture, &offsets), known(&fresh, &offsets), "turn {turn}");
        }
    }
}

#[test]
fn the_halves_of_a_long_stream_are_known_as_its_documents() {
    let mut random = Random(5);
    // A list is one document.
    for (head, before, anchors) in [FORMS[0], FORMS[2]] {
        let mut text = head.to_owned();
        while text.len() < LONG {
            text.push_str(&document(&mut random, before, anchors));
        }
        let mut halved = Fixture::scanned(FILES);
        halved.open("stream.yaml", &text);
        // Where something is known already, all of it is looked at in its order.
        let mut whole = Fixture::scanned(FILES);
        let first = format!("{head}{before}a: a text that is long enough to be known\n");
        let file = whole.open("stream.yaml", &first);
        known(&whole, &[]);
        whole.workspace.edit(file, 2, 0..first.len(), &text);
        let offsets: Vec<usize> = (0..10).map(|_| random.below(text.len())).collect();
        let all = known(&halved, &offsets);
        assert_eq!(all, known(&whole, &offsets));
        // What was remembered of both halves is right.
        for turn in 3..5 {
            let at = text.len() / 3 * (turn as usize - 2);
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
            let inserted = document(&mut random, before, anchors);
            for fixture in [&mut halved, &mut whole] {
                let file = fixture.id("stream.yaml");
                fixture.workspace.edit(file, turn, end..end, &inserted);
            }
            text.insert_str(end, &inserted);
            assert_eq!(known(&halved, &offsets), known(&whole, &offsets), "turn {turn}");
        }
    }
}

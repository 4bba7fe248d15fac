//! Schemas that lead to others from any place, and parts of them that appear later.

use crate::fixture::Fixture;

/// How a file may get its schema: the top of `a.yaml`, and other files.
const WAYS: [(&str, &str); 4] = [
    ("# yaml-language-server: $schema=schemas/s.json\n", ""),
    ("# $schema: schemas/s.json\n", ""),
    ("$schema: schemas/s.json\n", ""),
    ("", "#- lofting.toml\n[[schemas]]\npath = \"schemas/s.json\"\nfiles = [\"a.yaml\"]\n"),
];

/// Where the schema is that something refers to: a pointer to it, and the text around it.
const PLACES: [(&str, &str, &str); 7] = [
    ("", "", ""),
    ("#/definitions/X", "{\"definitions\": {\"X\": ", "}}"),
    ("#/$defs/X", "{\"$defs\": {\"X\": ", "}}"),
    ("#/components/schemas/X", "{\"components\": {\"schemas\": {\"X\": ", "}}}"),
    ("#/parts/X", "{\"parts\": {\"X\": ", "}}"),
    ("#/parts/0/schema", "{\"parts\": [{\"schema\": ", "}]}"),
    ("#/definitions/Y/parts/X", "{\"definitions\": {\"Y\": {\"parts\": {\"X\": ", "}}}}"),
];

/// A chain of schemas: the first one refers to `b`, that one to `c`, which is a string.
fn chain(ending: &str, place: usize) -> [(String, String); 3] {
    let (pointer, before, after) = PLACES[place];
    let refer = |to: &str| format!("{{\"$ref\": \"{to}.{ending}{pointer}\"}}");
    [
        ("schemas/s.json".to_owned(), format!("{{\"properties\": {{\"size\": {}}}}}", refer("b"))),
        (format!("schemas/b.{ending}"), format!("{before}{}{after}", refer("c"))),
        (format!("schemas/c.{ending}"), format!("{before}{{\"type\": \"string\"}}{after}")),
    ]
}

fn fixture(head: &str, others: &str, files: &[(String, String)]) -> Fixture {
    let files: String = files.iter().map(|(path, text)| format!("#- {path}\n{text}\n")).collect();
    let mut fixture = Fixture::scanned(&format!("#- a.yaml\n{head}size: 1\n{others}{files}"));
    fixture.open("a.yaml", &format!("{head}size: 1\n"));
    fixture
}

#[test]
fn references_are_followed_from_any_place() {
    for (place, (pointer, ..)) in PLACES.iter().enumerate() {
        for ending in ["json", "yaml"] {
            let (head, others) = WAYS[0];
            let chain = chain(ending, place);
            let mut fixture = fixture(head, others, &chain);
            let found = fixture.diagnostics("a.yaml");
            assert!(found.contains("should be a string"), "{pointer} in {ending}: {found}");
            let (last, text) = &chain[2];
            fixture.open(last, &text.replace("string", "integer"));
            assert_eq!(fixture.diagnostics("a.yaml"), "", "{pointer} in {ending}, edited");
        }
    }
}

/// What appears later is used as if it had been there from the beginning, whether a client reports changes or not.
#[test]
fn what_was_missing_is_used_when_it_appears() {
    for (head, others) in WAYS {
        for ending in ["json", "yaml", "schema"] {
            for (missing, is_watched) in
                [(0..1, true), (1..2, true), (2..3, true), (1..3, true), (0..3, true), (1..3, false)]
            {
                let all = chain(ending, 4);
                let mut there = all.to_vec();
                let late: Vec<_> = there.drain(missing.clone()).collect();
                let mut fixture = fixture(head, others, &there);
                let context = format!("{head}{others}{ending}, {missing:?} missing");
                assert!(!fixture.diagnostics("a.yaml").contains("should be a string"), "{context}");
                for (path, text) in &late {
                    fixture.write(path, text);
                    if is_watched {
                        fixture.workspace.disk_changed(&[fixture.path(path)]);
                    }
                }
                if !is_watched {
                    fixture.workspace.recheck_disk();
                }
                let found = fixture.diagnostics("a.yaml");
                assert!(found.contains("should be a string"), "{context}: {found}");
            }
        }
    }
}

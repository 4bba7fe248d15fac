//! The catalogue over made-up data files.

use crate::patterns::Patterns;
use crate::*;

/// Lines of an index and the blocks after it, as a data file.
pub(crate) fn data_file(lines: &[&str], blocks: &[&str]) -> Vec<u8> {
    let blocks: Vec<Vec<u8>> = blocks.iter().map(|block| compressed(block)).collect();
    let lengths: Vec<String> = blocks.iter().map(|block| block.len().to_string()).collect();
    let index = format!("{}\n{}\n", lengths.join("\t"), lines.join("\n"));
    let mut bytes = MAGIC.to_vec();
    bytes.extend(u32::try_from(index.len()).expect("short").to_le_bytes());
    bytes.extend(index.as_bytes());
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes
}

fn compressed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut text.as_bytes(), &mut bytes, &parameters).expect("in memory");
    bytes
}

const LINES: &[&str] = &[
    "origin\tSchemaStore\tstore 1.0\t2026-10\tApache-2.0",
    "origin\tKubernetes\tkube 2.0\t2026-11\tApache-2.0",
    "origin\tAnsible\tlint 3.0\t2026-09\tMIT\tstrict",
    "schema\tWorkflow\thttps://json.schemastore.org/github-workflow.json\tOf GitHub.\t.github/workflows/*.yml",
    "schema\tElsewhere\thttps://example.com/schema.json\t\t*.else.yaml\t!no.else.yaml",
    "text\thttps://json.schemastore.org/github-workflow.json\t0\t0\t0\t13",
    "text\thttps://json.schemastore.org/base\t0\t0\t13\t2",
    "version\t1\t37\t1\t1",
    "version\t1\t36\t1\t3",
    "a later kind of line",
];

const TEXTS: &str = r#"{"title":"W"}{}"#;
const LAYER_37: &str = "definition\tDeployment\t2\t0\t37\ndefinition\tPod\t2\t37\t26\ndefinition\tNew\t2\t63\t2\n\
                        kind\tapps/v1\tDeployment\tDeployment\nkind\tv1\tPod\tPod\nkind\tv2\tNew\tNew\n";
const DEFINITIONS: &str = r##"{"spec":{"$ref":"#/definitions/Pod"}}{"$ref":"#/definitions/X"}{}"##;
const LAYER_36: &str = "definition\tPod\t4\t0\t12\ndefinition\tOld\t4\t12\t2\nkind\tv1beta1\tOld\tOld\nwithout\tNew\n";
const OLDER: &str = r#"{"older":36}{}"#;

fn catalogue() -> Catalogue {
    Catalogue::read(data_file(LINES, &[TEXTS, LAYER_37, DEFINITIONS, LAYER_36, OLDER])).expect("it is whole")
}

#[test]
fn texts_by_all_their_addresses() {
    let catalogue = catalogue();
    for url in [
        "https://json.schemastore.org/github-workflow.json",
        "http://json.schemastore.org/github-workflow",
        "https://www.schemastore.org/github-workflow.json#/definitions/x",
        "https://raw.githubusercontent.com/SchemaStore/schemastore/master/src/schemas/json/github-workflow.json",
    ] {
        let (text, origin) = catalogue.document(url).expect(url);
        assert_eq!((text.as_str(), origin.words().as_str()), (r#"{"title":"W"}"#, "built-in SchemaStore, 2026-10"));
        assert_eq!(catalogue.size(url), Some(13));
    }
    assert_eq!(catalogue.document("https://json.schemastore.org/base.json").expect("a text").0, "{}");
    let strict: Vec<bool> = catalogue.origins().iter().map(|origin| origin.is_strict).collect();
    assert_eq!(strict, [false, false, true]);
    for url in ["https://example.com/schema.json", "", "https://json.schemastore.org/", "https://else/base.json"] {
        assert!(catalogue.document(url).is_none() && catalogue.origin(url).is_none(), "{url}");
    }
}

#[test]
fn names_leave_most_patterns_out() {
    for (pattern, name, want) in [
        ("a.yml", "a.yml", true),
        ("a.yml", "ba.yml", false),
        ("*.yml", "a.yml", true),
        ("*.yml", "a.yaml", false),
        ("**/.github/workflows/*.yml", "x/.github/workflows/a.yml", true),
        ("**/.github/workflows/*.yml", "a.yml", false),
        (".github/workflows/*.yml", ".github/a.yml", false),
        ("**/.github/**", ".github/x/a.yml", true),
        ("/a/*/b.yml", "a/x/b.yml", true),
        ("{a,b}/c/*.yml", "b/c/x.yml", true),
        ("docker-compose{,.*}.y{,a}ml", "docker-compose.yaml", true),
        ("docker-compose{,.*}.y{,a}ml", "other.yaml", false),
        ("{a/b,c}", "b", true),
        ("{a/b,c}.yml", "c.yml", true),
        ("[ab].yml", "a.yml", true),
        ("[ab].yml", "a.yaml", false),
        ("ab*ba", "aba", true),
        ("!a.yml", "a.yml", false),
        ("é*.yml", "é.yml", true),
    ] {
        let mut patterns = Patterns::default();
        patterns.add(7, &["other.yml".to_owned(), pattern.to_owned()]);
        let places: Vec<_> = patterns.for_file(name).iter().map(|place| (place.entry, place.pattern)).collect();
        assert_eq!(places.contains(&(7, 1)), want, "{pattern} {name}");
    }
    let catalogue = catalogue();
    let names = |file: &str| catalogue.candidates(file).map(|(entry, _)| entry.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(".github/workflows/a.yml"), ["Workflow"]);
    assert_eq!(names("a.yml"), Vec::<String>::new());
    assert_eq!(names("no.else.yaml"), ["Elsewhere"]);
    assert_eq!(names("a.yaml"), Vec::<String>::new());
}

#[test]
fn versions_are_layers() {
    let catalogue = catalogue();
    let (new, old) = ((1, 37), (1, 36));
    let deployment = |version| catalogue.kind(version, "apps/v1", "Deployment").expect("a kind");
    let written = |pod: &str, rest: &str| {
        format!(
            "{{\"$ref\":\"#/definitions/Deployment\",\n\"definitions\":{{\n\
             \"Deployment\":{{\"spec\":{{\"$ref\":\"#/definitions/Pod\"}}}},\n\"Pod\":{pod}{rest}}}}}\n"
        )
    };
    assert_eq!(deployment(new), written(r##"{"$ref":"#/definitions/X"}"##, ",\n\"X\":{}"));
    assert_eq!(deployment(old), written(r#"{"older":36}"#, ""));
    assert!(catalogue.has_kind(new, "v2", "New") && !catalogue.has_kind(old, "v2", "New"));
    assert!(!catalogue.has_kind(new, "v1beta1", "Old") && catalogue.has_kind(old, "v1beta1", "Old"));
    assert!(!catalogue.has_kind((1, 35), "v1", "Pod") && catalogue.kind(new, "v1", "Deployment").is_none());
    let kinds = |version| catalogue.kinds(version).into_iter().map(|(_, kind)| kind).collect::<Vec<_>>();
    assert_eq!(
        (kinds(new), kinds(old)),
        (
            vec!["Deployment".into(), "Pod".into(), "New".into()],
            vec!["Deployment".to_owned(), "Pod".into(), "Old".into()]
        )
    );
    for (asked, want) in [(None, new), (Some((1, 30)), old), (Some(old), old), (Some(new), new), (Some((1, 99)), new)] {
        assert_eq!(catalogue.nearest_version(asked).expect("one").number, want, "{asked:?}");
    }
}

#[test]
fn what_is_damaged_is_refused_or_says_nothing() {
    assert!(Catalogue::read(Vec::new()).is_err());
    let whole = data_file(LINES, &[TEXTS, LAYER_37, DEFINITIONS, LAYER_36, OLDER]);
    // Cut and changed anywhere.
    for length in 0..whole.len() {
        assert!(Catalogue::read(whole[..length].to_vec()).is_err(), "{length}");
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x15;
        let Ok(catalogue) = Catalogue::read(bytes) else { continue };
        let _ = catalogue.document("https://json.schemastore.org/github-workflow");
        for version in catalogue.versions() {
            let _ = (catalogue.kind(version.number, "apps/v1", "Deployment"), catalogue.kinds(version.number));
        }
        let _ = catalogue.candidates("a.yml").count();
    }
}

use super::{with_file_in_set, with_schema};
use crate::config::ListKey;
use std::path::Path;

fn schema(text: &str) -> Option<String> {
    with_schema(text, Path::new("/w"), Path::new("/w/apps/a.yml"), "s.json")
}

fn set(text: &str) -> Option<String> {
    with_file_in_set(text, Path::new("/w"), Path::new("/w/apps/a.yml"), "prod", ListKey::Values)
}

#[test]
fn an_entry_for_a_file() {
    let ours = "[[schemas]]\npath = \"s.json\"\nfiles = [\"/apps/a.yml\"]\n";
    let other = "[[schemas]]\npath = \"other.json\"\nfiles = [\"*.yaml\"] # c\n";
    let any = "# any\n[[schemas]]\nurl = \"https://a/b\"\nfiles = [\"*.yml\"]\n";
    for (text, want) in [
        (String::new(), ours.to_owned()),
        ("# c".to_owned(), format!("# c\n\n{ours}")),
        ("[sets.a]\nfiles = [\"x\"]\n".to_owned(), format!("[sets.a]\nfiles = [\"x\"]\n\n{ours}")),
        // After the others, but before one that would come first.
        (format!("{other}\n# r\n[rules]\n"), format!("{other}\n{ours}\n# r\n[rules]\n")),
        (format!("{other}\n{any}"), format!("{other}\n{ours}\n{any}")),
        (any.to_owned(), format!("{ours}\n{any}")),
        (format!("{ours}\n{any}"), format!("{ours}\n{any}")),
        // One of this file alone is changed, with its comments kept.
        (
            "[[schemas]]\nurl = \"https://a/b\" # c\nfiles = [\"/apps/a.yml\"]\n".to_owned(),
            "[[schemas]]\npath = \"s.json\" # c\nfiles = [\"/apps/a.yml\"]\n".to_owned(),
        ),
        // One of the same schema gets the file.
        (
            "[[schemas]]\npath = \"s.json\"\nfiles = [\"x\", 'y'] # c\n".to_owned(),
            "[[schemas]]\npath = \"s.json\"\nfiles = [\"x\", 'y', \"/apps/a.yml\"] # c\n".to_owned(),
        ),
        (
            "[[schemas]]\npath = \"s.json\"\nfiles = [\n  \"x\", # x\n  \"y\" # y\n]\n".to_owned(),
            "[[schemas]]\npath = \"s.json\"\nfiles = [\n  \"x\", # x\n  \"y\", # y\n  \"/apps/a.yml\"\n]\n".to_owned(),
        ),
        (
            "[[schemas]]\npath = \"s.json\"\nfiles = [\n  \"y\", # y\n]\n".to_owned(),
            "[[schemas]]\npath = \"s.json\"\nfiles = [\n  \"y\", # y\n  \"/apps/a.yml\",\n]\n".to_owned(),
        ),
        (
            "[schemas.mirror]\n\"https://a\" = \"b\"\n".to_owned(),
            format!("{ours}\n[schemas.mirror]\n\"https://a\" = \"b\"\n"),
        ),
        ("[rules]\r\n".to_owned(), format!("[rules]\r\n\r\n{}", ours.replace('\n', "\r\n"))),
        // A bundle is not the schema of a file.
        (
            "[[schemas]]\nkubernetes = \"k\"\nfiles = [\"/apps/a.yml\"]\n".to_owned(),
            format!("[[schemas]]\nkubernetes = \"k\"\nfiles = [\"/apps/a.yml\"]\n\n{ours}"),
        ),
    ] {
        assert_eq!(schema(&text), Some(want), "{text}");
    }
    // In this form there can be no `[[schemas]]`.
    assert_eq!(schema("schemas = [{path = \"x\", files = [\"y\"]}]\n"), None);
    let outside = with_schema("", Path::new("/w/in"), Path::new("/w/apps/a.yml"), "s.json");
    assert_eq!(outside, None);
}

#[test]
fn what_is_half_typed_stays_as_it_is() {
    let half = "[sets.x]\nfiles = [\"a\n\n[rules]\n";
    assert_eq!(schema(half), Some(format!("{half}\n[[schemas]]\npath = \"s.json\"\nfiles = [\"/apps/a.yml\"]\n")));
    assert_eq!(set("[sets.prod]\nvalues = [\"a\n"), None);
}

#[test]
fn a_file_in_a_set() {
    for (text, want) in [
        ("[sets.prod]\nfiles = [\"c\"] # c\n", "[sets.prod]\nfiles = [\"c\"] # c\nvalues = [\"apps/a.yml\"]\n"),
        ("[sets.\"prod\"]\nfiles = [\"c\"]", "[sets.\"prod\"]\nfiles = [\"c\"]\nvalues = [\"apps/a.yml\"]\n"),
        (
            "[sets.prod]\nvalues = [\"b.yml\"]\nfiles = [\"c\"]\n",
            "[sets.prod]\nvalues = [\"b.yml\", \"apps/a.yml\"]\nfiles = [\"c\"]\n",
        ),
        ("[sets.prod]\nvalues = []\nfiles = [\"c\"]\n", "[sets.prod]\nvalues = [\"apps/a.yml\"]\nfiles = [\"c\"]\n"),
        (
            "[sets.dev]\nvalues = [\"x.yml\", \"./apps/a.yml\"]\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\n",
            "[sets.dev]\nvalues = [\"x.yml\"]\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\nvalues = [\"apps/a.yml\"]\n",
        ),
        (
            "[sets.dev]\nvalues = [\n  \"apps/a.yml\",\n  \"x.yml\",\n]\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\n",
            "[sets.dev]\nvalues = [\n  \"x.yml\",\n]\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\nvalues = [\"apps/a.yml\"]\n",
        ),
        (
            "[sets.dev]\nvalues = [\"apps/a.yml\",]\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\n",
            "[sets.dev]\nvalues = []\nfiles = [\"c\"]\n[sets.prod]\nfiles = [\"c\"]\nvalues = [\"apps/a.yml\"]\n",
        ),
    ] {
        assert_eq!(set(text).as_deref(), Some(want), "{text}");
    }
    assert_eq!(set("[sets.dev]\nfiles = [\"c\"]\n"), None);
}

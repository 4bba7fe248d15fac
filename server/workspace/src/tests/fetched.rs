//! Documents of the web: what is wished for, and what the answers change.

use crate::fixture::Fixture;
use crate::settings::{SchemaSetting, SettingName, Settings};
use crate::{Answer, Answered, FetchedDocument, Mirror, NotFetched, Wish};
use expect_test::expect;

const URL: &str = "https://example.com/box.json";

fn refused() -> Answer {
    Err(NotFetched {
        why: "it may not be asked".to_owned(),
        help: Some("allow it".to_owned()),
        is_refusal: true,
        is_missing: false,
    })
}

fn wish(url: &str, is_chosen: bool) -> Wish {
    Wish { url: url.to_owned(), is_chosen }
}

fn fixture(text: &str, settings: Settings) -> Fixture {
    let mut fixture = Fixture::new(text, settings);
    fixture.workspace.scan(&mut |_| {}, &crate::CancelFlag::new());
    fixture
}

/// The URLs that files want.
fn wishes(fixture: &Fixture, files: &[&str]) -> Vec<String> {
    let files: Vec<_> = files.iter().map(|file| fixture.id(file)).collect();
    fixture.workspace.snapshot().wishes(&files).into_iter().map(|wish| wish.url).collect()
}

/// Answers with a file of the fixture.
fn answer(fixture: &mut Fixture, url: &str, file: &str) {
    let path = fixture.path(file);
    fixture.workspace.take_answers(vec![Answered::new(wish(url, false), Ok(FetchedDocument { path, outdated: None }))]);
}

#[test]
fn what_files_name_is_wished_for_with_what_it_refers_to() {
    let mut fixture = fixture(
        &format!(
            "#- a.yaml
# yaml-language-server: $schema={URL}#/definitions/a
size: x
#- b.yaml
$schema: {URL}
size: x
#- c.yaml
$schema: http://json-schema.org/draft-07/schema#
#- d.yaml
# $schema: ftp://example.com/x
#- lofting.toml
[[schemas]]
url = \"https://example.com/other.json\"
files = [\"e.yml\"]
#- e.yml
size: x
#- f.yml
a: 1
#- cache/box.json
{{\"properties\": {{\"size\": {{\"$ref\": \"parts/size.json\"}}, \"x\": {{\"$ref\": \"#\"}}, \"y\": {{\"$ref\": \"urn:a:b\"}}}}}}
#- cache/size.json
{{\"type\": \"integer\"}}
"
        ),
        Settings::default(),
    );
    const ALL: [&str; 6] = ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yml", "f.yml"];
    assert_eq!(wishes(&fixture, &ALL), Vec::<String>::new(), "no answer comes");
    fixture.workspace.answer_wishes();
    assert_eq!(wishes(&fixture, &ALL), [URL, "https://example.com/other.json"]);
    assert_eq!(wishes(&fixture, &["lofting.toml"]), ["https://example.com/other.json"]);
    assert_eq!(fixture.diagnostics("b.yaml"), "", "nothing is reported while it is awaited");
    answer(&mut fixture, URL, "cache/box.json");
    assert_eq!(wishes(&fixture, &ALL), ["https://example.com/parts/size.json", "https://example.com/other.json"]);
    answer(&mut fixture, "https://example.com/parts/size.json", "cache/size.json");
    assert_eq!(wishes(&fixture, &ALL), ["https://example.com/other.json"]);
    expect![[r#"
        2:7 json-schema/type-mismatch `size` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("b.yaml"));
    // Other settings: it is asked for again, and nothing is known meanwhile.
    fixture.workspace.answer_wishes();
    assert_eq!(fixture.diagnostics("b.yaml"), "");
    assert_eq!(wishes(&fixture, &["b.yaml"]), [URL]);
}

#[test]
fn what_is_not_fetched_is_said_where_it_is_named() {
    let text = format!("#- a.yaml\n# $schema: {URL}\na: 1\n#- b.yaml\na: 1\n");
    let setting =
        SchemaSetting { schema: URL.to_owned(), files: vec!["b.yaml".to_owned()], setting: SettingName::Yaml };
    let mut fixture = fixture(&text, Settings { schemas: vec![setting], ..Settings::default() });
    fixture.workspace.answer_wishes();
    fixture.workspace.take_answers(vec![Answered::new(wish(URL, false), refused())]);
    assert_eq!(wishes(&fixture, &["a.yaml", "b.yaml"]), Vec::<String>::new(), "asked once");
    expect![[r#"
        1:12 lofting/schema-not-read the schema `https://example.com/box.json` cannot be read: it may not be asked
    "#]]
    .assert_eq(&fixture.diagnostics("a.yaml"));
    // A setting has no place in a file; the explanation of a file's schema mentions it.
    assert_eq!(fixture.diagnostics("b.yaml"), "");
    expect![[r#"
        a.yaml Other Its modeline names the JSON Schema `https://example.com/box.json`. It cannot be read: it may not be asked.
        b.yaml Other The setting `yaml.schemas` gives files that match `b.yaml` the schema `https://example.com/box.json`. It cannot be read: it may not be asked.
    "#]]
    .assert_eq(&fixture.explain());
}

#[test]
fn what_the_user_chose_is_asked_for_again_that_was_refused_to_others() {
    let catalogue = "https://example.com/catalog.json";
    let text = format!(
        "#- a.yaml\n# $schema: {URL}\na: 1\n#- box.yaml\nsize: x\n#- values.yml\na: 1\n\
         #- cache/catalog.json\n{{\"schemas\": [{{\"url\": \"{URL}\", \"fileMatch\": [\"box.yaml\"]}}]}}\n"
    );
    let settings = Settings { catalogue: Some(catalogue.to_owned()), ..Settings::default() };
    let mut fixture = fixture(&text, settings);
    fixture.workspace.answer_wishes();
    fixture.workspace.take_answers(vec![Answered::new(wish(URL, false), refused())]);
    let wanted = |fixture: &Fixture| {
        let files = ["a.yaml", "box.yaml"].map(|file| fixture.id(file));
        fixture.workspace.snapshot().wishes(&files)
    };
    assert_eq!(wanted(&fixture), [wish(catalogue, true)]);
    let path = fixture.path("cache/catalog.json");
    fixture
        .workspace
        .take_answers(vec![Answered::new(wish(catalogue, true), Ok(FetchedDocument { path, outdated: None }))]);
    assert_eq!(wanted(&fixture), [wish(URL, true)]);
    fixture.workspace.take_answers(vec![Answered::new(wish(URL, true), refused())]);
    assert_eq!(wanted(&fixture), []);
}

/// The user's copies may be anywhere: those of the catalogue, and those of the schemas that it names.
#[test]
fn a_catalogue_and_its_schemas_are_found_in_folders_elsewhere() {
    let elsewhere = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(elsewhere.path().join(name), text).expect("a file");
    write("catalog.json", &format!("{{\"schemas\": [{{\"url\": \"{URL}\", \"fileMatch\": [\"box.yaml\"]}}]}}"));
    write("box.json", "{\"properties\": {\"size\": {\"type\": \"integer\"}}}");
    let mirror = Mirror { url: "https://example.com".to_owned(), folder: elsewhere.path().to_owned() };
    let catalogue = Some("https://example.com/catalog.json".to_owned());
    let settings = Settings { catalogue, mirrors: vec![mirror], ..Settings::default() };
    let finding = "1:7 json-schema/type-mismatch `size` should be an integer, but is the string \"x\"\n";
    let text = "size: x\n";
    let mut opened_later = fixture(&format!("#- box.yaml\n{text}"), settings.clone());
    let path = opened_later.path("box.yaml");
    opened_later.workspace.open(&path, 1, text);
    assert_eq!(opened_later.diagnostics("box.yaml"), finding);
    let mut chosen_later = fixture(&format!("#- box.yaml\n{text}"), Settings::default());
    let path = chosen_later.path("box.yaml");
    chosen_later.workspace.open(&path, 1, text);
    assert_eq!(chosen_later.diagnostics("box.yaml"), "");
    chosen_later.workspace.set_settings(settings);
    assert_eq!(chosen_later.diagnostics("box.yaml"), finding);
}

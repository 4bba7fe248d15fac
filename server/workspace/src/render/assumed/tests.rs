use crate::config::{read, with_set};
use crate::fixture::Fixture;
use expect_test::{Expect, expect};
use std::fmt::Write as _;

const SCHEMA: &str = "#@data/values-schema\n---\nname: web\n";
const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n";

/// A repository in which each file has the content that its name says.
fn repository(paths: &[&str]) -> Fixture {
    let mut text = String::new();
    for path in paths {
        let content = match path.rsplit('/').next().unwrap_or(path) {
            "schema.yml" => SCHEMA,
            "lofting.toml" => "# Ours.\n[rules]\n",
            name if name.starts_with("over") => "#@data/values\n---\nname: over\n",
            name if name.starts_with("plain") => "kind: Service\nspec: {}\n",
            name if name.ends_with(".txt") => "(@ x = 1 @)(@= x @)\n",
            name if name.ends_with(".star") => "def f():\n  return 1\nend\n",
            name if name.starts_with("t") => TEMPLATE,
            _ => "name: x\n",
        };
        let _ = write!(text, "#- {path}\n{content}");
    }
    Fixture::scanned(&text)
}

/// What is assumed of the first of the files.
fn assumed(paths: &[&str], want: Expect) {
    let fixture = repository(paths);
    let snapshot = fixture.workspace.snapshot();
    let file = fixture.id(paths[0]);
    let Some((assuming, set)) = snapshot.with_assumed_set(file) else { return want.assert_eq("nothing\n") };
    let mut shown = format!("{}\n", set.command());
    let (text, _) = with_set("", &set.name, &set.files, &set.values).expect("a description");
    shown += &text;
    for call in assuming.output_calls(file) {
        let _ = writeln!(shown, "{} | {}", call.title, call.label);
    }
    want.assert_eq(&shown);
    assert!(snapshot.output_calls(file).is_empty(), "the state itself assumes nothing");
    // What is written down means the same.
    let at = set.folder.join("lofting.toml");
    std::fs::write(&at, format!("{}{text}", std::fs::read_to_string(&at).unwrap_or_default())).expect("written");
    let mut again = crate::Workspace::new(vec![fixture.root()], crate::Settings::default());
    again.scan(&mut |_| {}, &crate::CancelFlag::new());
    let described = again.snapshot();
    let calls = described.output_calls(described.file(&fixture.path(paths[0])).expect("known"));
    let values = |title: &str| title.split_once(" with values").map(|(_, file)| file.to_owned());
    let of_assumed: Vec<_> = assuming.output_calls(file).iter().filter_map(|call| values(&call.title)).collect();
    let of_described: Vec<_> = calls.iter().filter_map(|call| values(&call.title)).collect();
    assert!(set.values.len() < 2 || of_assumed == of_described, "{of_assumed:?} {of_described:?}");
    assert!(!calls.is_empty(), "{text}");
}

#[test]
fn the_folder_of_the_schema_and_the_values_that_it_governs() {
    assumed(
        &["config/t.yml", "config/schema.yml", "values/dev.yml", "values/prod.yml", "plain.yml"],
        expect![[r#"
            ytt -f config
            [sets.config]
            files = ["config"]
            values = ["values/*.yml"]
            config with the schema's defaults | config with the schema's defaults
            config with values/dev.yml | config with dev.yml
            config with values/prod.yml | config with prod.yml
        "#]],
    );
}

#[test]
fn a_values_file_is_rendered_with_itself() {
    assumed(
        &["values/dev.yml", "config/schema.yml", "config/t.yml", "values/prod.yaml", "values/plain.yml"],
        expect![[r#"
            ytt -f config
            [sets.config]
            files = ["config"]
            values = ["values/*.yaml", "values/*.yml"]
            config with values/dev.yml | config with dev.yml
        "#]],
    );
}

#[test]
fn what_lies_beside_the_schema_is_given_as_well() {
    assumed(
        &["apps/web/templates/deep/t.yml", "apps/web/schema/schema.yml", "apps/web/over.yml"],
        expect![[r#"
            ytt -f apps/web/schema -f apps/web/templates
            [sets.web]
            files = ["apps/web/schema", "apps/web/templates"]
            web with the schema's defaults | web with the schema's defaults
        "#]],
    );
}

#[test]
fn values_among_the_templates_are_no_templates() {
    assumed(
        &["t.yml", "schema.yml", "lib/f.star", "over.yml", "values.yml", "envs/a.yml", "lofting.toml"],
        expect![[r#"
            ytt -f lib -f over.yml -f schema.yml -f t.yml
            [sets.main]
            files = ["lib", "over.yml", "schema.yml", "t.yml"]
            values = ["{values}.yml", "envs/*.yml"]
            main with the schema's defaults | main with the schema's defaults
            main with envs/a.yml | main with a.yml
            main with values.yml | main with values.yml
        "#]],
    );
}

#[test]
fn code_and_texts_belong_to_a_set_as_well() {
    for file in ["config/notes.txt", "config/lib/f.star", "config/plain.yml"] {
        assumed(
            &[file, "config/schema.yml", "values/prod.yml"],
            expect![[r#"
                ytt -f config
                [sets.config]
                files = ["config"]
                values = ["values/prod.yml"]
                config with the schema's defaults | config with the schema's defaults
                config with values/prod.yml | config with prod.yml
            "#]],
        );
    }
}

#[test]
fn without_a_schema_it_is_the_own_folder() {
    assumed(
        &["some/t.yml", "some/over.yml", "values.yml"],
        expect![[r#"
            ytt -f some
            [sets.some]
            files = ["some"]
            some | some
        "#]],
    );
}

#[test]
fn a_library_is_rendered_by_itself() {
    assumed(
        &["config/_ytt_lib/db/t.yml", "config/_ytt_lib/db/schema.yml", "config/schema.yml"],
        expect![[r#"
            ytt -f config/_ytt_lib/db
            [sets.db]
            files = ["config/_ytt_lib/db"]
            db with the schema's defaults | db with the schema's defaults
        "#]],
    );
}

#[test]
fn what_is_not_for_ytt_belongs_nowhere() {
    assumed(&["plain.yml", "config/schema.yml"], expect!["nothing\n"]);
    assumed(&["some/plain.yml"], expect!["nothing\n"]);
    assumed(&["lofting.toml", "schema.yml"], expect!["nothing\n"]);
    assumed(&["some/f.star"], expect!["nothing\n"]);
}

#[test]
fn the_same_set_again_is_the_same() {
    let mut fixture = repository(&["config/t.yml", "config/schema.yml", "values/dev.yml"]);
    fixture.open("config/t.yml", TEMPLATE);
    let stamp = |fixture: &Fixture| {
        let (assuming, _) = fixture.workspace.snapshot().with_assumed_set(fixture.id("config/t.yml")).expect("a set");
        assuming.state.sets.stamp
    };
    let first = stamp(&fixture);
    fixture.edit("config/t.yml", "name: ", "label: ");
    assert!(stamp(&fixture) == first);
    fixture.open("values/prod.yml", "name: y\n");
    assert!(stamp(&fixture) != first);
}

#[test]
fn a_described_set_is_not_assumed() {
    let text = "#- lofting.toml\n[sets.a]\nfiles = ['notes.txt', 't.yml']\n#- notes.txt\nx\n#- t.yml\na: #@ 1\n";
    let fixture = Fixture::scanned(text);
    let titles = |path| {
        let calls = fixture.workspace.snapshot().output_calls(fixture.id(path));
        calls.into_iter().map(|call| call.title).collect::<Vec<_>>()
    };
    // Also what ytt does not search for values.
    assert_eq!((titles("t.yml"), titles("notes.txt")), (vec!["a".to_owned()], vec!["a".to_owned()]));
}

#[test]
fn a_set_is_added_to_what_is_written() {
    let add = |text: &str, name: &str| with_set(text, name, &["config".to_owned()], &["v/*.yml".to_owned()]);
    let ours = "[sets.web]\nfiles = [\"config\"]\nvalues = [\"v/*.yml\"]\n";
    let second = ours.replace("web", "web-2");
    for (text, want) in [
        ("", ours.to_owned()),
        ("# c", format!("# c\n\n{ours}")),
        ("[rules]\r\n", format!("[rules]\r\n\r\n{}", ours.replace('\n', "\r\n"))),
        ("[sets.web]\nfiles = [\"x\"]\n", format!("[sets.web]\nfiles = [\"x\"]\n\n{second}")),
    ] {
        assert_eq!(add(text, "web").map(|(text, _)| text), Some(want), "{text}");
    }
    let (odd, _) = add("", "a b.\"ü\"").expect("a quoted name");
    assert_eq!(read(&odd).sets.first().map(|set| set.name.clone()), Some("a b.\"ü\"".to_owned()));
    assert_eq!(add("sets = {a = {files = [\"x\"]}}\n", "web"), None);
}

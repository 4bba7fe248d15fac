use crate::CancelFlag;
use crate::fixture::{Fixture, checked_again};
use crate::settings::Settings;
use expect_test::expect;
use std::fmt::Write as _;

#[test]
fn values_of_several_sets_say_in_which_they_are_wrong() {
    let fixture = Fixture::scanned(
        "#- lofting.toml
[sets.dev]
files = ['dev.yml', 'values.yml']
[sets.prod]
files = ['prod.yml', 'values.yml']
#- dev.yml
#@data/values-schema
---
port: ''
host: ''
#- prod.yml
#@data/values-schema
---
port: 80
host: ''
#- values.yml
#@data/values
---
port: 80
host: 1
",
    );
    expect![[r#"
        3:7 ytt/type-mismatch `port` should be a string, but is the integer 80 (in the set `dev`)
        4:7 ytt/type-mismatch `host` should be a string, but is the integer 1
    "#]]
    .assert_eq(&fixture.diagnostics("values.yml"));
}

#[test]
fn a_set_is_merged_in_ytts_order() {
    let fixture = Fixture::scanned(
        "#- lofting.toml
[sets.app]
files = ['config']
values = ['common.yml', 'envs/*.yml']
data-values = ['name=x', 'nam=y']
data-values-yaml = ['size={']
#- config/schema.yml
#@data/values-schema
---
#@schema/validation min_len=1
name: ''
#@schema/validation min=10
size: 10
#- common.yml
size: 1
#- envs/a.yml
size: 20
#- envs/b.yml
size: 2
",
    );
    for (path, expect) in [
        (
            "lofting.toml",
            expect![[r#"
            4:27 ytt/undeclared-key `nam` is not declared in the schema of the document
            5:27 yaml/unclosed-flow this bracket is not closed
        "#]],
        ),
        ("config/schema.yml", expect![[r#""#]]),
        ("common.yml", expect![[r#""#]]),
        ("envs/a.yml", expect![[r#""#]]),
        (
            "envs/b.yml",
            expect![[r#"
            1:7 ytt/min `size` should be at least 10, but is 2
        "#]],
        ),
    ] {
        expect.assert_eq(&fixture.diagnostics(path));
    }
}

#[test]
fn inputs_that_git_ignores_still_count() {
    let fixture = Fixture::scanned(
        "#- .gitignore
secret.yml
#- lofting.toml
[sets.app]
files = ['schema.yml']
values = ['secret.yml', 'nope/*.yml']
#- schema.yml
#@data/values-schema
---
port: 80
#- secret.yml
port: x
",
    );
    expect![[r#"
        1:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("secret.yml"));
    expect![[r#"
        3:25 lofting/configuration no file matches `nope/*.yml`
    "#]]
    .assert_eq(&fixture.diagnostics("lofting.toml"));
}

#[test]
fn files_of_a_set_depend_on_each_other() {
    let mut fixture = Fixture::scanned(
        "#- lofting.toml
[sets.app]
files = ['schema.yml']
values = ['base.yml', 'over.yml']
#- schema.yml
#@data/values-schema
---
#@schema/nullable
#@schema/validation not_null=True
name: ''
#- base.yml
name: a
#- over.yml
name: null
",
    );
    let over = fixture.open("over.yml", "name: null\n");
    let base = fixture.open("base.yml", "name: a\n");
    assert_eq!(fixture.diagnostics("over.yml").lines().count(), 1);
    let before = fixture.workspace.snapshot();
    fixture.edit("base.yml", "a", "1");
    let after = fixture.workspace.snapshot();
    assert_eq!(checked_again(&before, &after, &[over, base]), [over, base]);
    assert_eq!(after.dependants(base), [over]);
    fixture.edit("over.yml", "null", "b");
    assert_eq!(fixture.diagnostics("over.yml"), "");
    assert_eq!(fixture.diagnostics("base.yml").lines().count(), 1);
}

#[test]
fn a_rule_on_a_map_is_broken_by_the_values_that_give_it() {
    let schema = "#- config/schema.yml
#@data/values-schema
---
#@schema/validation max_len=1
labels:
  app: ''
  tier: ''
";
    let set = "#- lofting.toml\n[sets.app]\nfiles = ['config']\n";
    let expected = "3:1 ytt/max-len `labels` should have at most 1 key, but has 2\n";
    // Alone on the defaults, and with values of another file before it.
    let values = "#- config/values.yml\n#@data/values\n---\nlabels: {app: a}\n";
    let other = "#- config/a.yml\n#@data/values\n---\nlabels: {tier: b}\n";
    for text in [format!("{schema}{set}{values}"), format!("{schema}{set}{other}{values}")] {
        let fixture = Fixture::scanned(&text);
        assert_eq!(fixture.diagnostics("config/values.yml"), expected);
        assert_eq!(fixture.diagnostics("config/schema.yml"), "");
    }
}

#[test]
fn a_path_that_does_not_exist_says_what_was_meant() {
    let fixture = Fixture::scanned(
        "#- lofting.toml
[sets.app]
files = ['conifg/', 'config/shcema.yml', 'nothing-like-it']
values = ['vlaues.yml']
#- config/schema.yml
#@data/values-schema
---
port: 80
#- values.yml
port: 1
",
    );
    let snapshot = fixture.workspace.snapshot();
    let found = snapshot.diagnostics(fixture.id("lofting.toml"), &crate::CancelFlag::new());
    let helps: Vec<&str> = found.iter().map(|finding| finding.help.as_deref().unwrap_or("-")).collect();
    assert_eq!(
        helps,
        ["did you mean `config`?", "did you mean `config/schema.yml`?", "-", "did you mean `values.yml`?"]
    );
}

/// While a `lofting.toml` is typed, findings of files whose sets are already there stay as they are.
#[test]
fn half_typed_configuration_disturbs_no_other_file() {
    let mut fixture = Fixture::scanned(
        "#- lofting.toml
#- schema.yml
#@data/values-schema
---
port: 80
#- prod.yml
port: x
#- b.yml
port: y
",
    );
    let before = "[sets.a]\nfiles = ['schema.yml']\nvalues = ['prod.yml'";
    let following = "]\n[sets.b]\nfiles = ['schema.yml']\nvalues = ['b.yml']\n";
    let typed = ", \"more.yml\"]\nstrict = false\n[sets.new]\nfiles = [ 'schema.yml'";
    let id = fixture.open("lofting.toml", &format!("{before}{following}"));
    let expected = (fixture.diagnostics("prod.yml"), fixture.diagnostics("b.yml"));
    assert!(expected.0.contains("type-mismatch") && expected.1.contains("type-mismatch"), "{expected:?}");
    for (version, end) in (0..=typed.len()).enumerate() {
        let text = format!("{before}{}{following}", &typed[..end]);
        fixture.workspace.replace(id, 2 + version as i32, &text);
        assert_eq!((fixture.diagnostics("prod.yml"), fixture.diagnostics("b.yml")), expected, "{text}");
    }
}

#[test]
fn the_nearest_configuration_says_how_bad_findings_are() {
    let files = "#- config/schema.yml
#@data/values-schema
---
#@schema/deprecated \"gone\"
old: 1
port: 1
#- config/values.yml
#@data/values
---
old: 2
port: x
#- lofting.toml
[rules]
\"ytt/deprecated-value\" = \"off\"
\"ytt/type-mismatch\" = \"warning\"
";
    let shown = |fixture: &Fixture| {
        let snapshot = fixture.workspace.snapshot();
        let file = snapshot.file(&fixture.root().join("config/values.yml")).expect("a file");
        let found = snapshot.diagnostics(file, &CancelFlag::new());
        found.iter().map(|found| format!("{} {}", found.severity.as_str(), found.code())).collect::<Vec<_>>()
    };
    let mut fixture = Fixture::scanned(files);
    assert_eq!(shown(&fixture), ["warning ytt/type-mismatch"]);
    // Settings decide where it says nothing.
    let mut levels = lofting_diagnostic::Levels::default();
    for (code, level) in [("ytt/type-mismatch", "hint"), ("ytt/deprecated-value", "error")] {
        levels.choose(code, lofting_diagnostic::Level::named(level).expect("a level"));
    }
    fixture.workspace.set_settings(Settings { levels, ..Settings::default() });
    assert_eq!(shown(&fixture), ["warning ytt/type-mismatch"]);
    fixture.open("lofting.toml", "");
    assert_eq!(shown(&fixture), ["error ytt/deprecated-value", "hint ytt/type-mismatch"]);
    fixture.open("config/lofting.toml", "[rules]\n\"ytt/type-mismatch\" = \"info\"\n");
    assert_eq!(shown(&fixture), ["error ytt/deprecated-value", "info ytt/type-mismatch"]);
    // What the nearest one says nothing of, the next one above decides.
    fixture.open("lofting.toml", "[rules]\n\"ytt/type-mismatch\" = \"off\"\n\"ytt/deprecated-value\" = \"off\"\n");
    assert_eq!(shown(&fixture), ["info ytt/type-mismatch"]);
}

/// A set with more values files than an editor looks at: what is left out is reported once, and `lofting check` leaves
/// out nothing.
#[test]
fn more_values_files_than_are_looked_at_are_said() {
    let mut text = "#- lofting.toml
[sets.stages]
files = ['config']
values = ['envs/*.yml']
#- config/schema.yml
#@data/values-schema
---
#@schema/validation (\"x\", lambda v: True), max=10
port: 1
#- config/values.yml
#@data/values
---
port: 2
"
    .to_owned();
    for number in 100..160 {
        let _ = write!(text, "#- envs/{number}.yml\nport: 1\n");
    }
    let mut fixture = Fixture::scanned(&text);
    let said = fixture.workspace.take_messages();
    assert_eq!(
        said,
        [
            "The input set stages has more than 50 values files. In files that all of them share, the editor looks at the \
          first 50; `lofting check` looks at all."
        ]
    );
    fixture.write("envs/160.yml", "port: 1\n");
    fixture.workspace.recheck_disk();
    fixture.workspace.disk_changed(&[fixture.path("lofting.toml")]);
    let again = fixture.workspace.take_messages();
    assert!(again.is_empty(), "{again:?}");
    let state = &fixture.workspace.snapshot().state;
    let values = fixture.id("config/values.yml");
    assert_eq!(crate::findings::calls::calls_with(state, 0, values).len(), 50);
    fixture.workspace.change().most_calls = usize::MAX;
    let state = &fixture.workspace.snapshot().state;
    assert_eq!(crate::findings::calls::calls_with(state, 0, values).len(), 61);
}

/// Every sign of patterns, and directories around whose names look like patterns.
#[test]
fn values_are_found_by_patterns() {
    for (pattern, found) in [
        ("stages/a.yml", "a"),
        ("stages/*.yml", "a b ab"),
        ("stages/?.yml", "a b"),
        ("stages/[bc].yml", "b"),
        ("stages/{a,ab}.yml", "a ab"),
        ("stages/a{,b}.yml", "a ab"),
        ("{stages,others}/b.yml", "b"),
        ("./stages/../stages/a?.yml", "ab"),
        ("**/ab.yml", "ab"),
    ] {
        for directory in ["plain", "odd[x]", "odd{a,b}", "odd*"] {
            let mut text =
                format!("#- {directory}/lofting.toml\n[sets.app]\nfiles = ['config']\nvalues = ['{pattern}']\n");
            let _ = write!(text, "#- {directory}/config/schema.yml\n#@data/values-schema\n---\nport: 1\n");
            for name in ["a", "b", "ab"] {
                let _ = write!(text, "#- {directory}/stages/{name}.yml\nport: text\n");
            }
            let fixture = Fixture::scanned(&text);
            let governed = |name: &&str| !fixture.diagnostics(&format!("{directory}/stages/{name}.yml")).is_empty();
            let wrong: Vec<&str> = ["a", "b", "ab"].into_iter().filter(governed).collect();
            assert_eq!(wrong.join(" "), found, "{pattern} in {directory}");
        }
    }
}

/// Sets that only the command line renders: this is reported once, and smaller sets are still rendered.
#[test]
fn sets_too_large_for_an_editor_to_render_are_said() {
    let mut text = "#- lofting.toml\n[sets.large]\nfiles = ['large', 'shared.yml']\n".to_owned();
    let _ = write!(text, "[sets.small]\nfiles = ['shared.yml']\n#- shared.yml\na: 1\n");
    for number in 0..9 {
        let _ = write!(text, "#- large/{number}.yml\na: 1\n");
    }
    let mut fixture = Fixture::scanned(&text);
    let shared = fixture.id("shared.yml");
    for (most, too_large) in [(11, vec![]), (10, vec!["small"]), (9, vec!["large"]), (0, vec!["large", "small"])] {
        fixture.workspace.change().most_rendered = most;
        let (snapshot, runner) = (fixture.workspace.snapshot(), fixture.workspace.runner());
        let found =
            snapshot.render_findings(&[shared], &runner, &mut |_| {}, &CancelFlag::new()).expect("not cancelled");
        assert_eq!(found.too_large, too_large, "at most {most}");
        // The second time says nothing new.
        fixture.workspace.take_render_findings(found);
        let again =
            snapshot.render_findings(&[shared], &runner, &mut |_| {}, &CancelFlag::new()).expect("not cancelled");
        fixture.workspace.take_render_findings(again);
    }
    let said: Vec<String> = fixture.workspace.take_messages();
    assert_eq!(said.len(), 4, "{said:?}");
    expect![[
        "The input set small has more files than an editor renders by itself (at most 10 in all open sets). What rendering finds is left to `lofting check --render`."
    ]]
    .assert_eq(&said[0]);
}

#[test]
fn the_switches_of_a_set_say_how_its_files_are_read() {
    let set = |strict: &str| format!("[sets.x]\nfiles = ['a.yml']\n{strict}");
    let mut fixture =
        Fixture::scanned(&format!("#- lofting.toml\n{}#- a.yml\n#@ x = 1\n---\na: yes\nb: #@ x\n", set("")));
    let text = fixture.root().join("a.yml");
    fixture.open("a.yml", &std::fs::read_to_string(text).unwrap());
    expect![""].assert_eq(&fixture.diagnostics("a.yml"));
    let config = fixture.open("lofting.toml", &set(""));
    for (version, strict, expected) in [
        (
            2,
            "strict = true\n",
            expect![[r#"
            3:4 ytt/strict `yes` is not clear in strict mode: it could be a string or a boolean
        "#]],
        ),
        (3, "", expect![""]),
    ] {
        fixture.workspace.replace(config, version, &set(strict));
        expected.assert_eq(&fixture.diagnostics("a.yml"));
    }
}

#[test]
fn marks_say_what_is_no_template() {
    for mark in ["type=yaml-plain", "type=data", "path=d.ytt", "exclude=true"] {
        let fixture = Fixture::scanned(&format!(
            "#- lofting.toml\n[sets.x]\nfiles = ['.']\nfile-marks = ['d.yml:{mark}']\n#- d.yml\n# plain\n---\n#@ if broken\nb: 1\n"
        ));
        expect![""].assert_eq(&fixture.diagnostics("d.yml"));
    }
}

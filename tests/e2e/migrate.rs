//! `lofting migrate`: a plan from what changed, and its moves in all values.

use lofting_tests::history::History;
use std::path::Path;

use crate::command_line::{lofting, workspace};

const OLD: &str = "#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port of it\"\n  port: 80\ndebug: false\n";
const NEW: &str = "#@data/values-schema\n---\nservice:\n  #@schema/desc \"The port of it\"\n  ports: 80\n";
const PLAN: &str = "\
schema = \"config/schema.yml\"

# This is certain to 90 %.
[[move]]
key = \"service.port\"
to = \"service.ports\"

[[move]]
key = \"debug\"
remove = true
default = false
";

fn said(output: &std::process::Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn read(root: &Path, name: &str) -> String {
    std::fs::read_to_string(root.join(name)).expect("a file")
}

#[test]
fn a_plan_is_proposed_reviewed_and_applied() {
    let directory = workspace(&[
        ("lofting.toml", "[sets.app]\nfiles = [\"config\"]\nvalues = [\"values/dev.yml\"]\n"),
        ("config/schema.yml", OLD),
        ("config/values.yml", "#@data/values\n---\n#! kept\nservice:\n  port: 81 # why\n"),
        ("values/dev.yml", "debug: false\nservice: {port: 82}\n"),
        ("other.yml", "service:\n  port: 1\n"),
    ]);
    let root = directory.path();
    let mut history = History::at(root);
    history.commit_all("main");
    std::fs::write(root.join("config/schema.yml"), NEW).expect("a file");
    let migrate = |arguments: &[&str]| said(&lofting(root, &[&["migrate"], arguments].concat()));
    let (code, plan, why) = migrate(&["--propose", "--against", "HEAD", "config/schema.yml"]);
    assert_eq!(code, Some(0), "{why}");
    let certainty = plan.lines().find(|line| line.starts_with("# This is certain")).unwrap_or_default();
    assert_eq!(plan.replace(certainty, "# This is certain to 90 %."), PLAN);
    std::fs::write(root.join("moves.toml"), &plan).expect("a file");
    let (code, patch, _) = migrate(&["moves.toml", "--diff"]);
    assert_eq!(code, Some(1));
    assert!(patch.contains("-  port: 81 # why\n+  ports: 81 # why\n"), "{patch}");
    assert_eq!(migrate(&["moves.toml", "--check"]).0, Some(1));
    assert_eq!(read(root, "values/dev.yml"), "debug: false\nservice: {port: 82}\n", "nothing is written");
    let changed = "config/values.yml\nvalues/dev.yml\n".to_owned();
    assert_eq!(migrate(&["moves.toml"]), (Some(0), changed, String::new()));
    assert_eq!(read(root, "config/values.yml"), "#@data/values\n---\n#! kept\nservice:\n  ports: 81 # why\n");
    assert_eq!(read(root, "values/dev.yml"), "service: {ports: 82}\n");
    assert_eq!(read(root, "other.yml"), "service:\n  port: 1\n", "another schema, or none");
    assert_eq!(migrate(&["moves.toml", "--check"]), (Some(0), String::new(), String::new()));
}

#[test]
fn if_something_would_be_lost_nothing_is_changed() {
    let directory = workspace(&[
        ("config/schema.yml", NEW),
        ("config/a.yml", "#@data/values\n---\nservice:\n  port: 1\n"),
        ("config/b.yml", "#@data/values\n---\ndebug: true\n"),
        ("config/c.yml", "#@data/values\n---\nservice:\n  port: 1\n  ports: 2\n"),
        ("moves.toml", PLAN),
        ("wrong.toml", "schema = \"config/schema.yml\"\n[[move]]\nkey = \"a\"\n"),
        ("lost.toml", "schema = \"gone.yml\"\n"),
    ]);
    let root = directory.path();
    let (code, printed, why) = said(&lofting(root, &["migrate", "moves.toml"]));
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(why.contains("config/b.yml: line 3: the value of `debug` would be lost"), "{why}");
    assert!(why.contains("config/c.yml: line 5: `service.ports` is set already"), "{why}");
    assert!(!why.contains("config/a.yml") && why.ends_with("nothing was changed\n"), "{why}");
    assert_eq!(read(root, "config/a.yml"), "#@data/values\n---\nservice:\n  port: 1\n");
    for plan in ["wrong.toml", "lost.toml", "nowhere.toml", "config/schema.yml"] {
        assert_eq!(said(&lofting(root, &["migrate", plan])).0, Some(2), "{plan}");
    }
}

#[test]
fn values_of_a_json_schema_are_migrated() {
    let modeline = "# yaml-language-server: $schema=s.schema.json\n";
    let directory = workspace(&[
        ("s.schema.json", "{\"properties\": {\"b\": {}}}"),
        ("v.yml", &format!("{modeline}a: 1\n")),
        ("moves.toml", "schema = \"s.schema.json\"\n[[move]]\nkey = \"a\"\nto = \"b.c\"\n"),
    ]);
    let (code, printed, why) = said(&lofting(directory.path(), &["migrate", "moves.toml"]));
    assert_eq!((code, printed.as_str()), (Some(0), "v.yml\n"), "{why}");
    assert_eq!(read(directory.path(), "v.yml"), format!("{modeline}b:\n  c: 1\n"));
}

#[test]
fn what_reads_the_values_follows() {
    let directory = workspace(&[
        (
            "lofting.toml",
            "[sets.app]\nfiles = [\"config\"]\nvalues = [\"values/dev.yml\"]\ndata-values-yaml = [\"service.port=83\"]\n",
        ),
        ("config/schema.yml", OLD),
        (
            "config/app.yml",
            "#@ load(\"@ytt:data\", \"data\")\n#@ s = data.values.service\na: #@ data.values.service.port\nb: #@ s.port\n\
             #@ if data.values.debug:\nc: 1\n#@ end\n",
        ),
        (
            "config/lib.star",
            "load(\"@ytt:data\", \"data\")\ndef f():\n  return data.values[\"service\"][\"port\"]\nend\n",
        ),
        ("config/note.txt", "(@ load(\"@ytt:data\", \"data\") @)port (@= str(data.values.service.port) @)\n"),
        ("values/dev.yml", "debug: false\nservice: {port: 82}\n"),
        ("deploy.sh", "#!/bin/sh\nytt -f config -v service.port=84\n"),
        ("moves.toml", &PLAN.replace("default = false", "default = false\ninline = true")),
    ]);
    let root = directory.path();
    let migrate = |arguments: &[&str]| said(&lofting(root, &[&["migrate", "moves.toml"], arguments].concat()));
    let (code, patch, why) = migrate(&["--diff"]);
    assert_eq!(code, Some(1), "{why}");
    assert!(patch.contains("-a: #@ data.values.service.port\n-b: #@ s.port\n"), "{patch}");
    let names = "config/app.yml\nconfig/lib.star\nconfig/note.txt\nconfig/schema.yml\ndeploy.sh\nlofting.toml\nvalues/dev.yml\n";
    assert_eq!(migrate(&[]), (Some(0), names.to_owned(), String::new()));
    assert_eq!(
        read(root, "config/app.yml"),
        "#@ load(\"@ytt:data\", \"data\")\n#@ s = data.values.service\na: #@ data.values.service.ports\nb: #@ s.ports\n\
         #@ if False:\nc: 1\n#@ end\n"
    );
    assert!(read(root, "config/lib.star").contains("data.values[\"service\"][\"ports\"]"));
    assert!(read(root, "config/note.txt").contains("str(data.values.service.ports)"));
    assert_eq!(read(root, "config/schema.yml"), NEW);
    assert!(read(root, "deploy.sh").contains("-v service.ports=84"));
    assert!(read(root, "lofting.toml").contains("service.ports=83"));
    assert_eq!(migrate(&["--check"]), (Some(0), String::new(), String::new()));
    let (code, rendered, why) = said(&lofting(root, &["render", "app"]));
    assert_eq!(code, Some(0), "{why}");
    assert!(rendered.contains("a: 83"), "{rendered}");
}

#[test]
fn reads_that_cannot_be_changed_are_said() {
    let template = "#@ load(\"@ytt:data\", \"data\")\n#@ s = data.values.service\na: #@ s.port\n#@ k = \"port\"\nb: #@ s[k]\n\
                    c: #@ data.values.service\n";
    let schema = OLD.replace("debug", "#@schema/deprecated \"no\"\ndebug");
    let directory = workspace(&[
        ("config/schema.yml", &schema),
        ("config/app.yml", template),
        ("config/values.yml", "#@data/values\n---\nservice:\n  port: 81\n"),
        (
            "moves.toml",
            "schema = \"config/schema.yml\"\n[[move]]\nkey = \"service.port\"\nto = \"port\"\n[[move]]\nkey = \"debug\"\nremove = true\n",
        ),
    ]);
    let root = directory.path();
    let left = "config/app.yml:3: `service.port` is read here through a name for values that it is not in any more\n\
                config/app.yml:5: a key is computed here, which may be `service.port`\n\
                config/app.yml:6: values around `service.port` go where they cannot be followed\n";
    let (code, printed, why) = said(&lofting(root, &["migrate", "moves.toml"]));
    assert_eq!((code, printed.as_str(), why.as_str()), (Some(1), "config/schema.yml\nconfig/values.yml\n", left));
    assert_eq!(read(root, "config/app.yml"), template);
    let expected = "#@data/values-schema\n---\nservice: {}\n#@schema/deprecated \"no\"\ndebug: false\n#@schema/desc \"The port of it\"\nport: 80\n";
    assert_eq!(read(root, "config/schema.yml"), expected, "a deprecated key stays");
}

/// What generated templates put out stays the same, whatever the moves are, and moving again changes nothing.
#[test]
fn templates_put_out_the_same_before_and_after() {
    const SCHEMA: &str = "#@data/values-schema\n---\na:\n  b: 1\n  c:\n    d: x\n    e: 2\nf:\n  g: true\n  i: 3\nh: t\nlist:\n- num: 1\n  m: 2\n";
    const MOVES: [(&str, &str); 7] = [
        ("a.b", "a.bb"),
        ("a.c.d", "a.d"),
        ("a.c.e", "new.deep.e"),
        ("f.g", "g"),
        ("h", "f.h"),
        ("h", "h-x"),
        ("list[].num", "list[].nr"),
    ];
    const READS: [&str; 10] = [
        "data.values.a.b",
        "data.values[\"a\"][\"c\"].d",
        "getattr(data.values.a, \"b\")",
        "part.b + 1",
        "data.values.a.c.e + data.values.f.i",
        "str(data.values.f.g) + data.values.h",
        "[x.num for x in data.values.list]",
        "data.values.list[0].num",
        "first(data.values.list)",
        "data.values.h.upper()",
    ];
    let mut compared = 0;
    for seed in 0_u64..10 {
        let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % 1_000_003).expect("small") % limit
        };
        let mut template = String::from(
            "#@ load(\"@ytt:data\", \"data\")\n#@ part = data.values.a\n#@ def first(all):\n#@   return all[0].num\n#@ end\n---\n",
        );
        for line in 0..6 {
            template += &format!("k{line}: #@ {}\n", READS[below(READS.len())]);
        }
        let values = format!(
            "#@data/values\n---\na:\n  b: {}\n  c:\n    e: {}\nh: v{}\nlist:\n- num: {}\n",
            below(9),
            below(9),
            below(9),
            below(9)
        );
        let mut plan = String::from("schema = \"config/schema.yml\"\n");
        let mut used: Vec<&str> = Vec::new();
        for _ in 0..3 {
            let (from, to) = MOVES[below(MOVES.len())];
            if !used.contains(&from) {
                used.push(from);
                plan += &format!("[[move]]\nkey = \"{from}\"\nto = \"{to}\"\n");
            }
        }
        let directory = workspace(&[
            ("lofting.toml", "[sets.app]\nfiles = [\"config\"]\n"),
            ("config/schema.yml", SCHEMA),
            ("config/values.yml", &values),
            ("config/app.yml", &template),
            ("moves.toml", &plan),
        ]);
        let root = directory.path();
        let render = || said(&lofting(root, &["render", "app"]));
        let before = render();
        assert_eq!(before.0, Some(0), "{template}\n{}", before.2);
        let (code, _, why) = said(&lofting(root, &["migrate", "moves.toml"]));
        assert_eq!(code, Some(0), "{plan}\n{template}\n{why}");
        assert_eq!(render(), before, "{plan}\n{template}");
        assert_eq!(
            said(&lofting(root, &["migrate", "--check", "moves.toml"])),
            (Some(0), String::new(), String::new())
        );
        compared += 1;
    }
    assert_eq!(compared, 10);
}

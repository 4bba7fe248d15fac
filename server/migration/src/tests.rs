use crate::{Path, Plan, Refused, migrated};
use lofting_syntax::resolve::Profile;

fn plan(moves: &str) -> Plan {
    Plan::read(&format!("schema = \"schema.yml\"\n{moves}")).expect("a plan")
}

/// The text after the moves, which the next call does not change.
fn after(moves: &str, text: &str) -> Result<String, Refused> {
    let plan = plan(moves);
    let new = migrated(text, Profile::Ytt, &plan.moves, &|_, _| true)?;
    assert_eq!(migrated(&new, Profile::Ytt, &plan.moves, &|_, _| true).as_ref(), Ok(&new), "it is idempotent");
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    assert!(!is_json(text) || is_json(&new), "JSON stays JSON: {new}");
    Ok(new)
}

fn check(moves: &str, before: &str, expected: &str) {
    assert_eq!(after(moves, before).as_deref(), Ok(expected), "{moves}\n{before}");
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(after(moves, &windows(before)), Ok(windows(expected)), "{moves}\n{before}");
}

fn moved(from: &str, to: &str) -> String {
    format!("[[move]]\nkey = \"{from}\"\nto = \"{to}\"\n")
}

#[test]
fn a_key_gets_another_name_where_it_is() {
    let before = "# top\nservice: # here\n  'port':   80 # why\n  # own\n  host: a\n";
    check(&moved("service.port", "service.listen"), before, &before.replace("'port'", "listen"));
    check(&moved("service", "svc"), before, &before.replace("service", "svc"));
    check(&moved("service.host", "service.on"), before, &before.replace("host", "\"on\""));
    check(&moved("service.gone", "service.new"), before, before);
    check(&moved("a.b", "a.c"), "{a: {b: 1, d: 2}}\n", "{a: {c: 1, d: 2}}\n");
    check(&moved("l[].a", "l[].b"), "l:\n- a: 1\n  c: 2\n- c: 3\n- {a: 4}\n", "l:\n- b: 1\n  c: 2\n- c: 3\n- {b: 4}\n");
    check(&moved("a", "b"), "a: 1\n---\na: 2\n---\nc: 3\n", "b: 1\n---\nb: 2\n---\nc: 3\n");
    check(&moved("a", "b"), "a: &x {c: 1}\nd: *x\n", "b: &x {c: 1}\nd: *x\n");
    check(
        &moved("a", "b"),
        "#@data/values\n---\n#@overlay/match missing_ok=True\na: 1\n",
        "#@data/values\n---\n#@overlay/match missing_ok=True\nb: 1\n",
    );
}

#[test]
fn a_key_moves_with_its_comments() {
    let before = "a: 1\n\n# the port\n#@ignored\nport: 80 # why\nservice:\n  host: x\n\nz: 2\n";
    check(
        &moved("port", "service.port"),
        before,
        "a: 1\n\nservice:\n  host: x\n  # the port\n  #@ignored\n  port: 80 # why\n\nz: 2\n",
    );
    check(&moved("port", "new.deep.port"), "a: 1\nport: 80\nz: 2\n", "a: 1\nnew:\n  deep:\n    port: 80\nz: 2\n");
    check(
        &moved("a.b", "c.d"),
        "a:\n    b:\n        x: |\n            one\n\n              two\n        y: [1,\n            2]\nc:\n    e: 1\n",
        "a: {}\nc:\n    e: 1\n    d:\n        x: |\n            one\n\n              two\n        y: [1,\n            2]\n",
    );
    check(&moved("a.b", "b"), "a:\n  # of b\n  b: 1\nc: 2\n", "a: {}\nc: 2\n# of b\nb: 1\n");
    check(&moved("a.b", "b"), "a:\n  # of all\n  b: 1\n  c: 2\n", "a:\n  # of all\n  c: 2\nb: 1\n");
    check(&moved("a.b.c", "c"), "a:\n  b:\n    c: 1\n    d: 2\n", "a:\n  b:\n    d: 2\nc: 1\n");
    check(&moved("a.b", "b"), "a:\n  c: 1\n  b: 2", "a:\n  c: 1\nb: 2\n");
    check(&moved("l[].a", "l[].b.a"), "l:\n- c: 1\n  a: 2\n", "l:\n- c: 1\n  b:\n    a: 2\n");
}

/// Files in JSON, and maps on one line.
#[test]
fn keys_move_between_braces() {
    check(&moved("a.b", "a.c"), "{\"a\": {\"b\": 1, \"d\": 2}}\n", "{\"a\": {\"c\": 1, \"d\": 2}}\n");
    let json = "{\n  \"image\": \"nginx\",\n  \"port\": 80\n}\n";
    check(&moved("image", "container.image"), json, "{\n  \"container\": {\"image\": \"nginx\"},\n  \"port\": 80\n}\n");
    check(
        &moved("port", "service.web.port"),
        json,
        "{\n  \"image\": \"nginx\",\n  \"service\": {\"web\": {\"port\": 80}}\n}\n",
    );
    let deep = "{\n\t\"a\": {\n\t\t\"b\": [1, {\"x\": 2}],\n\t\t\"c\": 2\n\t},\n\t\"d\": {}\n}\n";
    check(&moved("a.b", "b"), deep, "{\n\t\"a\": {\n\t\t\"c\": 2\n\t},\n\t\"d\": {},\n\t\"b\": [1, {\"x\": 2}]\n}\n");
    check(&moved("a.c", "d.c"), deep, "{\n\t\"a\": {\n\t\t\"b\": [1, {\"x\": 2}]\n\t},\n\t\"d\": {\"c\": 2}\n}\n");
    check(&moved("a", "d.e.a"), "{a: 1, d: {x: 1}}\n", "{d: {x: 1, e: {a: 1}}}\n");
    check(&moved("a.b", "b"), "{a: {b: 1}}\n", "{a: {}, b: 1}\n");
    check(
        &moved("image.name", "name"),
        "image: {name: x, tag: y} # why\nz: 1\n",
        "image: {tag: y} # why\nz: 1\nname: x\n",
    );
    check(&moved("name", "image.name"), "z: 1\nname: x\nimage: {tag: y}\n", "z: 1\nimage: {tag: y, name: x}\n");
    check(
        &moved("l[].a", "l[].b.a"),
        "l: [{a: 1}, {c: 2}, {a: 3, c: 4}]\n",
        "l: [{b: {a: 1}}, {c: 2}, {b: {a: 3}, c: 4}]\n",
    );
    // Which comment belongs to what is not known between braces, and lines do not fit there.
    for (from, to, text) in [
        ("a", "b.a", "{\n  a: 1, # one\n  c: 2\n}\n"),
        ("a", "b.a", "b: {c: 1}\na:\n- 1\n- 2\n"),
        ("a", "b.a", "b: {c: 1}\na: 1, 2\n"),
    ] {
        let refused = after(&moved(from, to), text);
        assert!(matches!(refused, Err(Refused::Form(..) | Refused::Differs(_))), "{text}: {refused:?}");
    }
}

#[test]
fn a_scalar_moves_below_its_own_key() {
    let below = moved("image", "image.name");
    check(&below, "z: 1\n# which\nimage: nginx # why\n", "z: 1\nimage:\n  # which\n  name: nginx # why\n");
    check(&below, "{\"image\": \"nginx\"}\n", "{\"image\": {\"name\": \"nginx\"}}\n");
    check(&moved("l[].a", "l[].a.b.c"), "l:\n- z: 2\n  a: 1\n", "l:\n- z: 2\n  a:\n    b:\n      c: 1\n");
    // What is a map has gone there already.
    check(&below, "image: {name: nginx}\n", "image: {name: nginx}\n");
    check(&below, "image:\n  tag: x\n", "image:\n  tag: x\n");
}

#[test]
fn a_key_is_removed_if_nothing_is_lost() {
    let remove = |more: &str| format!("[[move]]\nkey = \"a.b\"\nremove = true\n{more}\n");
    let before = "# top\na:\n  # section\n  #@schema/nullable\n  b: 80 # why\n  c: 1\n";
    let expected = "# top\na:\n  # section\n  # why\n  c: 1\n";
    check(&remove("default = 80"), before, expected);
    check(&remove("discard = true"), before, expected);
    let refused = after(&remove("default = 81"), before);
    assert_eq!(refused, Err(Refused::Lost(5, Path::read("a.b").expect("a path"))));
    check(&remove("discard = true"), "a:\n  b: 1\n", "a: {}\n");
    check(&remove("discard = true"), "a: {b: 1, c: 2}\nd: 1\n", "a: {c: 2}\nd: 1\n");
    check(&remove("default = {x = 1}"), "a:\n  c: 1\n  b:\n    x: 1\n", "a:\n  c: 1\n");
    check(
        &remove("discard = true"),
        "a:\n  c: 1\n  b: # one\n    # two\n    x: # three\n    #@schema/nullable\n    - 1 # four\n",
        "a:\n  c: 1\n  # one\n  # two\n  # three\n  # four\n",
    );
    check("[[move]]\nkey = \"a\"\nremove = true\ndiscard = true\n", "a:\n- 1\n", "{}\n");
}

fn split(more: &str) -> String {
    format!("[[move]]\nkey = \"image\"\n{more}\n")
}

#[test]
fn a_text_is_split_into_several_keys() {
    let below = split("split = \":\"\nto = [\"image.name\", \"image.tag\"]");
    let before = "a: 1\n# which\nimage: \"nginx:1.2\" # pinned\nz: 2\n";
    check(&below, before, "a: 1\nimage:\n  # which\n  name: nginx # pinned\n  tag: \"1.2\"\nz: 2\n");
    assert_eq!(after(&below, "image: a:b").as_deref(), Ok("image:\n  name: a\n  tag: b\n"));
    check(
        &below,
        "image: 'a:b'\n---\nx: 1\n---\nimage: {name: a, tag: b}\n",
        "image:\n  name: a\n  tag: b\n---\nx: 1\n---\nimage: {name: a, tag: b}\n",
    );
    let apart = split("split = \"/\"\nto = [\"registry\", \"repository\"]");
    check(&apart, "image: a.b/c # x\ny: 1\n", "registry: a.b # x\nrepository: c\ny: 1\n");
    check(&apart, "{x: 1, image: a/b}\n", "{x: 1, registry: a, repository: b}\n");
    check(&apart, "{\"image\": \"a/b\"}\n", "{\"registry\": \"a\", \"repository\": \"b\"}\n");
    let elsewhere = split("split = \":\"\nto = [\"db.host\", {key = \"db.port\", integer = true}]");
    check(&elsewhere, "image: h:5432\ndb:\n  name: x\n", "db:\n  name: x\n  host: h\n  port: 5432\n");
    let items = "[[move]]\nkey = \"l[].image\"\nsplit = \":\"\nto = [\"l[].name\", \"l[].tag\"]\n";
    check(items, "l:\n- image: a:b\n  c: 1\n- c: 2\n", "l:\n- name: a\n  tag: b\n  c: 1\n- c: 2\n");
}

#[test]
fn a_scalar_is_copied_to_several_keys() {
    let copied = split("to = [\"one.image\", \"two.image\"]");
    check(&copied, "image: 5 # x\na: 1\n", "one:\n  image: 5 # x\ntwo:\n  image: 5\na: 1\n");
    check(&split("to = [\"image.a\", \"image.b\"]"), "image: true\n", "image:\n  a: true\n  b: true\n");
}

#[test]
fn what_would_be_lost_or_is_not_certain_is_not_split() {
    let refused = |more: &str, text: &str| after(&split(more), text).expect_err(text);
    let two = "split = \":\"\nto = [\"image.name\", \"image.tag\"]";
    for text in ["image: a\n", "image: a:b:c\n", "image: 5\n", "image: [a]\n", "image: |\n  a:b\n", "image: ~\n"] {
        assert!(matches!(refused(two, text), Refused::Form(1, _)), "{text}");
    }
    assert!(matches!(refused(two, "image: &x a:b\n"), Refused::Form(..)));
    let port = "split = \":\"\nto = [\"host\", {key = \"port\", integer = true}]";
    assert!(matches!(refused(port, "image: h:080\n"), Refused::Form(..)), "its zero would be lost");
    assert!(matches!(refused(port, "image: h:80\nport: 1\n"), Refused::InTheWay(..)));
    for wrong in [
        "split = \":\"\nto = [\"image.name\"]",
        "split = \"\"\nto = [\"a\", \"b\"]",
        "split = \":\"\nto = \"a\"",
        "split = \":\"\nto = [\"a\", \"a.b\"]",
        "split = \":\"\nto = [\"image\", \"b\"]",
        "to = [\"a\", {key = \"b\", integer = true}]",
        "split = \":\"\nto = [\"a\", \"b[].c\"]",
    ] {
        let text = format!("schema = \"s.yml\"\n{}", split(wrong));
        assert!(Plan::read(&text).is_err(), "{wrong}");
    }
}

#[test]
fn only_documents_that_are_meant_are_changed() {
    let plan = plan(&moved("a", "b.c"));
    let text = "#@data/values\n---\na: 1\n---\na: 2\n#@data/values\n---\n# own\na: 3\n---\n";
    let new = migrated(text, Profile::Ytt, &plan.moves, &|_, document| document.is_data_values());
    let expected = "#@data/values\n---\nb:\n  c: 1\n---\na: 2\n#@data/values\n---\n# own\nb:\n  c: 3\n---\n";
    assert_eq!(new.as_deref(), Ok(expected));
    let last = migrated("a: 1\n---\na: 2\n", Profile::Ytt, &plan.moves, &|number, _| number == 1);
    assert_eq!(last.as_deref(), Ok("a: 1\n---\nb:\n  c: 2\n"));
}

#[test]
fn values_are_mapped() {
    let values =
        "[[move]]\nkey = \"log[].level\"\nvalues = [{from = \"warning\", to = \"warn\"}, {from = 3, to = \"yes\"}]\n";
    check(
        values,
        "log:\n- level: 'warning' # loud\n- level: 3\n- level: \"3\"\n- level: other\n",
        "log:\n- level: warn # loud\n- level: \"yes\"\n- level: \"3\"\n- level: other\n",
    );
    check(
        values,
        "{\"log\": [{\"level\": \"warning\"}, {\"level\": 3}]}\n",
        "{\"log\": [{\"level\": \"warn\"}, {\"level\": \"yes\"}]}\n",
    );
}

#[test]
fn what_would_lose_something_is_refused() {
    for (moves, text, line) in [
        (moved("a", "b"), "a: 1\nb: 2\n", Some(2)),
        (moved("a", "b.c"), "a: 1\nb: 2\n", Some(2)),
        (moved("a", "b.c"), "a: 1\nb: {d: 2 # why\n  }\n", Some(2)),
        (moved("a.b", "c"), "x: &x {b: 1}\na:\n  <<: *x\n", Some(3)),
        (moved("a", "c.a"), "b: 1\na: &x 1\nc:\n  d: *x\n", Some(2)),
        (moved("a", "b"), "a: 1\na: 2\n", Some(2)),
        (moved("l[].a", "l[].b.a"), "l:\n- a: 1\n", Some(2)),
        (moved("a", "b.a"), "#@ if x:\na: 1\n#@ end\nc: 1\n", Some(2)),
        (moved("a", "b"), "a: [\n", None),
    ] {
        let refused = after(&moves, text).expect_err(text);
        let found = match refused {
            Refused::InTheWay(line, _) | Refused::Lost(line, _) | Refused::Form(line, _) => Some(line),
            Refused::Syntax(_) | Refused::Differs(_) => None,
        };
        assert_eq!(found, line, "{text}: {refused}");
    }
}

#[test]
fn plans_that_mean_nothing_are_refused() {
    for wrong in [
        "key = \"a\"",
        "key = \"\"\nto = \"b\"",
        "key = \"a[]\"\nto = \"b\"",
        "key = \"a\"\nto = \"a\"",
        "key = \"a\"\nto = \"a[].b\"",
        "key = \"a.b\"\nto = \"a\"",
        "key = \"a[].b\"\nto = \"c\"",
        "key = \"a\"\nto = \"b\"\nremove = true",
        "key = \"a\"\nto = \"b\"\ndiscard = true",
        "key = \"a\"\nvalues = [{from = 1, to = 2}, {from = 2, to = 3}]",
        "key = \"a\"\nvalues = [{from = 1, to = 2}, {from = 1, to = 3}]",
        "key = \"a\"\nvalues = [{from = [1], to = 2}]",
        "key = \"a\"\nother = 1",
    ] {
        let text = format!("schema = \"s\"\n[[move]]\n{wrong}\n");
        assert!(Plan::read(&text).is_err(), "{wrong}");
    }
}

#[test]
fn what_any_key_leads_to_keeps_its_own() {
    let before = "teams:\n  a:\n    y: 1\n    # secret\n    password: x # of a\n    z: 1\n  b: {}\n  c:\n    password: y\nother:\n  password: z\n";
    check(
        &moved("teams.*.password", "teams.*.settings.password"),
        before,
        "teams:\n  a:\n    y: 1\n    settings:\n      # secret\n      password: x # of a\n    z: 1\n  b: {}\n  c:\n    settings:\n      password: y\n\
         other:\n  password: z\n",
    );
    check(&moved("teams.*.password", "teams.*.secret"), before, &before.replace("    password", "    secret"));
    check(
        "[[move]]\nkey = \"*.password\"\nremove = true\ndefault = \"z\"\n",
        before,
        &before.replace("\n  password: z", " {}"),
    );
    let wrong = |from: &str, to: &str| Plan::read(&format!("schema = \"s\"\n{}", moved(from, to))).is_err();
    assert!(wrong("teams.*.password", "password") && wrong("password", "teams.*.password"));
    assert!(wrong("teams.*.a", "team.*.a") && wrong("teams.*", "teams"));
}

#[test]
fn paths_are_those_of_the_diff() {
    for written in ["a", "a.b", "a[].b", "a[][]", "x\\.y.z", "a\\\\b", "a.*.b", "*.b", "a.\\*.b", "a.*[].b"] {
        assert_eq!(Path::read(written).map(|path| path.to_string()).as_deref(), Some(written));
    }
    for wrong in ["", ".", "a.", ".a", "a..b", "a[", "a[0]", "a[]b", "a\\"] {
        assert_eq!(Path::read(wrong), None, "{wrong}");
    }
}

/// Pseudo-random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

/// Writes a random map in block style.
fn write_map(random: &mut Random, column: usize, depth: usize, out: &mut String) {
    let room = " ".repeat(column);
    for name in ["a", "b", "c", "d"] {
        if random.below(3) == 0 {
            continue;
        }
        if random.below(4) == 0 {
            out.push_str(&format!("{room}# about {name}{}\n", random.below(100)));
        }
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0 => out.push_str(&format!("{room}{name}: {} # {name}{}\n", random.below(9), random.below(100))),
            1 => out.push_str(&format!("{room}{name}: |\n{room}  text\n\n{room}   more\n")),
            2 => out.push_str(&format!("{room}{name}: {{a: 1, b: [x]}}\n")),
            3 => {
                out.push_str(&format!("{room}{name}:\n{room}- a: 1\n{room}  b: 2\n\n"));
            }
            _ => {
                let mut inner = String::new();
                let deeper = column + 1 + random.below(3);
                write_map(random, deeper, depth - 1, &mut inner);
                if !inner.is_empty() && inner.lines().any(|line| !line.trim_start().starts_with('#')) {
                    out.push_str(&format!("{room}{name}:\n{inner}"));
                }
            }
        }
    }
}

/// Whatever is moved: the text means what it has to mean, which `migrated` compares by itself, or it is refused; and most
/// texts are not refused.
#[test]
fn random_moves_of_random_texts_lose_nothing() {
    let (mut changed, mut differs) = (0, Vec::new());
    for seed in 0..2000 {
        let mut random = Random(seed);
        let mut text = String::new();
        write_map(&mut random, 0, 3, &mut text);
        let paths = ["a", "b", "a.b", "a.c", "b.d.a", "c.a.b.x", "d.x", "x", "x.y"];
        let (from, to) = (paths[random.below(paths.len())], paths[random.below(paths.len())]);
        let Ok(plan) = Plan::read(&format!("schema = \"s\"\n{}", moved(from, to))) else { continue };
        match migrated(&text, Profile::Ytt, &plan.moves, &|_, _| true) {
            Ok(new) if new == text => {}
            Ok(new) => {
                changed += 1;
                assert_eq!(migrated(&new, Profile::Ytt, &plan.moves, &|_, _| true), Ok(new), "seed {seed}");
            }
            Err(Refused::Differs(path)) => differs.push(format!("seed {seed}: {path} to {to}\n{text}")),
            Err(_) => {}
        }
    }
    assert!(changed > 150, "{changed}");
    assert!(differs.is_empty(), "{} of {changed}:\n{}", differs.len(), differs[0]);
}

#[test]
fn what_the_defaults_say_is_proposed() {
    let head = "#@data/values-schema\n---\n";
    let split = |old: &str, new: &str, key: &str, added: &[&str]| {
        let added: Vec<String> = added.iter().map(|path| (*path).to_owned()).collect();
        let found = crate::split(&format!("{head}{old}"), &format!("{head}{new}"), Profile::Ytt, key, &added);
        found.map(|proposal| crate::proposed("s.yml", &[proposal], None))
    };
    let plan = split("image: nginx:1.2\n", "image:\n  tag: \"1.2\"\n  name: nginx\n", "image", &[]).expect("a split");
    assert_eq!(
        plan,
        "schema = \"s.yml\"\n\n# The defaults say so.\n[[move]]\nkey = \"image\"\nsplit = \":\"\nto = [\"image.name\", \
         \"image.tag\"]\n"
    );
    Plan::read(&plan).expect("a plan");
    let plan = split("a: x:80\n", "host: x\nport: 80\nother: 81\n", "a", &["host", "port", "other"]).expect("a split");
    assert!(plan.contains("to = [\"host\", {key = \"port\", integer = true}]"), "{plan}");
    Plan::read(&plan).expect("a plan");
    // One part is nowhere; two places have the same default; there is one part.
    assert_eq!(split("a: x:80\n", "host: x\nport: 81\n", "a", &["host", "port"]), None);
    assert_eq!(split("a: x:80\n", "host: x\nport: 80\nb: x\n", "a", &["host", "port", "b"]), None);
    assert_eq!(split("a: x\n", "host: x\nport: 80\n", "a", &["host", "port"]), None);
}

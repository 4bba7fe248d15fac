use super::*;
use crate::Plan;
use lofting_document::{FileId, Options, lower};
use lofting_syntax::resolve::Profile;

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:struct\", \"struct\")\n";

fn code(text: &str) -> Code {
    let tree = lofting_syntax::parse(text);
    let lowered = lower(FileId(0), &tree, Profile::Ytt, Options::default());
    lofting_document::code(&tree, &lowered)
}

fn moves(written: &str) -> Vec<Move> {
    Plan::read(&format!("schema = \"s\"\n{written}")).expect("a plan").moves
}

fn moved(from: &str, to: &str) -> String {
    format!("[[move]]\nkey = \"{from}\"\nto = \"{to}\"\n")
}

/// The text after the moves, which the next call does not change, and what is left of them.
#[track_caller]
fn after(plan: &str, template: &str) -> (String, Vec<String>) {
    let text = format!("{LOAD}{template}");
    let moves = moves(plan);
    let reads = moved_reads(&text, &code(&text), &moves);
    let new = reads.text.unwrap_or(text);
    assert_eq!(ends(&code(&new)), reads.ends, "{plan}\n{new}");
    let again = moved_reads(&new, &code(&new), &moves);
    assert_eq!(again.text, None, "it is idempotent: {plan}\n{new}");
    let left = reads.left.iter().map(|left| format!("{:?} {}", left.why, left.path)).collect();
    (new[LOAD.len()..].to_owned(), left)
}

#[track_caller]
fn check(plan: &str, before: &str, expected: &str) {
    assert_eq!(after(plan, before), (expected.to_owned(), Vec::new()), "{plan}");
}

/// Nothing is changed, for these reasons.
#[track_caller]
fn leaves(plan: &str, template: &str, why: &[&str]) {
    let (text, left) = after(plan, template);
    assert_eq!((text.as_str(), left), (template, why.iter().map(|why| (*why).to_owned()).collect()), "{plan}");
}

#[test]
fn reads_follow_their_key() {
    let renamed = moved("service.port", "service.number");
    check(&renamed, "a: #@ data.values.service.port\n", "a: #@ data.values.service.number\n");
    check(&renamed, "a: #@ data.values['service'][\"port\"]\n", "a: #@ data.values['service'][\"number\"]\n");
    check(
        &renamed,
        "a: #@ getattr(data.values.service, \"port\")\n",
        "a: #@ getattr(data.values.service, \"number\")\n",
    );
    check(
        &renamed,
        "#@ s = data.values.service\na: #@ s.port\n#@ if hasattr(s, \"port\"):\nb: #@ struct.decode(s)[\"port\"]\n#@ end\n",
        "#@ s = data.values.service\na: #@ s.number\n#@ if hasattr(s, \"number\"):\nb: #@ struct.decode(s)[\"number\"]\n#@ end\n",
    );
    check(&moved("a", "b-c"), "x: #@ data.values.a.d\n", "x: #@ data.values[\"b-c\"].d\n");
    check(&moved("a-b", "c"), "x: #@ data.values[\"a-b\"].d\n", "x: #@ data.values[\"c\"].d\n");
    let deeper = moved("service.port", "service.ports.http");
    check(&deeper, "a: #@ data.values.service.port.x\n", "a: #@ data.values.service.ports.http.x\n");
    check(&deeper, "#@ s = data.values.service\na: #@ s.port\n", "#@ s = data.values.service\na: #@ s.ports.http\n");
    check(&deeper, "a: #@ data.values.service[\"port\"]\n", "a: #@ data.values.service[\"ports\"][\"http\"]\n");
    check(
        &moved("service.port", "service.ports.port"),
        "a: #@ getattr(data.values.service, \"port\")\n",
        "a: #@ getattr(data.values.service.ports, \"port\")\n",
    );
    check(
        &moved("a.b.c", "c"),
        "x: #@ data.values.a.b.c + str(data.values.a.b.d)\n",
        "x: #@ data.values.c + str(data.values.a.b.d)\n",
    );
    check(&moved("port", "service.port"), "x: #@ data.values.port\n", "x: #@ data.values.service.port\n");
    check(
        &moved("ports[].name", "ports[].title"),
        "#@ for p in data.values.ports:\na: #@ p.name\n#@ end\nb: #@ data.values.ports[0].name\n",
        "#@ for p in data.values.ports:\na: #@ p.title\n#@ end\nb: #@ data.values.ports[0].title\n",
    );
    check(
        &format!("{}{}", moved("ports[].name", "ports[].title"), moved("ports", "service.listen")),
        "#@ for p in data.values.ports:\na: #@ p.name\n#@ end\nb: #@ data.values.ports[0].name\n",
        "#@ for p in data.values.service.listen:\na: #@ p.title\n#@ end\nb: #@ data.values.service.listen[0].title\n",
    );
    check(&format!("{}{}", moved("a", "b"), moved("b.c", "d")), "x: #@ data.values.a.c\n", "x: #@ data.values.d\n");
    check(
        &renamed,
        "#@ def f(s):\n#@   return s.port\n#@ end\na: #@ f(data.values.service)\n",
        "#@ def f(s):\n#@   return s.number\n#@ end\na: #@ f(data.values.service)\n",
    );
    check(
        &renamed,
        "#@yaml/text-templated-strings\na: \"x-(@= str(data.values.service.port) @)\"\n",
        "#@yaml/text-templated-strings\na: \"x-(@= str(data.values.service.number) @)\"\n",
    );
}

#[test]
fn what_is_not_changed_is_said() {
    let up = moved("service.port", "port");
    leaves(&up, "#@ s = data.values.service\na: #@ s.port\n", &["Held service.port"]);
    leaves(&up, "#@ if hasattr(data.values.service, \"port\"):\n#@ end\n", &["Asked service.port"]);
    check(&up, "a: #@ getattr(data.values.service, \"port\")\n", "a: #@ getattr(data.values, \"port\")\n");
    let other = moved("service.port", "number");
    leaves(&other, "a: #@ getattr(data.values.service, \"port\")\n", &["Form service.port"]);
    leaves(&up, "#@ x = (data.values\n#@   .service\n#@   .port)\na: #@ x\n", &["Form service.port"]);
    leaves(&up, "a: #@ data.values.service\n", &["Passed service.port"]);
    leaves(&up, "a: #@ f(data.values)\n", &["Passed service.port"]);
    leaves(&up, "a: #@ getattr(data.values.service, name)\n", &["Passed service.port"]);
    leaves(&up, "#@ k = 'port'\na: #@ data.values.service[k]\n", &["Computed service.port"]);
    leaves(&moved("service.port", "service.it's"), "a: #@ data.values.service.port\n", &["Name service.port"]);
    leaves(
        &up,
        "#@ s = data.values.other\n#@ s = data.values.service\na: #@ s.port\n",
        &["Passed service.port", "Held service.port"],
    );
    let renamed = moved("service.port", "service.number");
    let (_, left) = after(&renamed, "#@ s = data.values.other\n#@ s = data.values.service\na: #@ s.port\n");
    assert!(left.contains(&"Uncertain service.port".to_owned()), "{left:?}");
    leaves("[[move]]\nkey = \"debug\"\nremove = true\n", "a: #@ data.values.debug\n", &["Removed debug"]);
    // What is below another value does not concern this move.
    leaves(&up, "a: #@ data.values.services.port\nb: #@ data.values.service.host\n", &[]);
}

#[test]
fn a_default_takes_the_place_of_reads() {
    let inline =
        |default: &str| format!("[[move]]\nkey = \"a.debug\"\nremove = true\ninline = true\ndefault = {default}\n");
    check(&inline("false"), "#@ if data.values.a.debug:\nx: 1\n#@ end\n", "#@ if False:\nx: 1\n#@ end\n");
    check(&inline("-1"), "#@ v = data.values.a\nx: #@ v.debug + 2\n", "#@ v = data.values.a\nx: #@ (-1) + 2\n");
    check(&inline("\"x\""), "x: #@ data.values[\"a\"][\"debug\"]\n", "x: #@ \"x\"\n");
    leaves(&inline("\"x\""), "x: #@ data.values.a.debug.upper()\n", &["Removed a.debug"]);
    for wrong in ["[]", "\"it's\"", "1.5"] {
        assert!(Plan::read(&format!("schema = \"s\"\n{}", inline(wrong))).is_err(), "{wrong}");
    }
}

#[test]
fn comparisons_follow_other_values() {
    let plan = "[[move]]\nkey = \"log.level\"\nvalues = [{from = \"warning\", to = \"warn\"}, {from = \"never\", to = false}]\n";
    check(
        plan,
        "#@ l = data.values.log.level\n#@ if l == \"warning\" or 'warning' != data.values.log.level:\n#@ end\n#@ if l in [\"error\", \"warning\"]:\n#@ end\n",
        "#@ l = data.values.log.level\n#@ if l == \"warn\" or 'warn' != data.values.log.level:\n#@ end\n#@ if l in [\"error\", \"warn\"]:\n#@ end\n",
    );
    leaves(plan, "#@ if data.values.log.level == \"error\":\n#@ end\n", &[]);
    leaves(plan, "a: #@ data.values.log.level\n", &["Values log.level"]);
    leaves(plan, "#@ if data.values.log.level == \"never\":\n#@ end\n", &["Values log.level"]);
    leaves(plan, "a: #@ data.values.log\n", &["Passed log.level"]);
}

/// Whatever code is written: the next call changes nothing, and what is read is what the moves say (which `after` compares).
#[test]
fn random_moves_of_random_reads() {
    let (mut changed, mut left) = (0, 0);
    for seed in 0_u64..3000 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % 1_000_003).expect("small") % limit
        };
        let mut template = String::from("#@ v = data.values.a\n#@ d = struct.decode(data.values)\n");
        for line in 0..3 {
            let mut read = ["data.values", "v", "d", "(data.values)"][below(4)].to_owned();
            let is_dict = read == "d";
            for _ in 0..1 + below(3) {
                let name = ["a", "b", "c", "x-y"][below(4)];
                match below(if is_dict || name == "x-y" { 1 } else { 3 }) {
                    0 => read += &format!("[\"{name}\"]"),
                    1 => read += &format!(".{name}"),
                    _ => read = format!("getattr({read}, '{name}')"),
                }
            }
            template += &format!("k{line}: #@ {read}\n");
        }
        let paths = ["a", "b", "a.b", "a.c", "b.x-y", "a.b.c", "x-y", "n", "n.m", "a.n", "x-y.b"];
        let (from, to) = (paths[below(paths.len())], paths[below(paths.len())]);
        let (other, there) = (paths[below(paths.len())], paths[below(paths.len())]);
        let plan = format!("{}{}", moved(from, to), if below(2) == 0 { moved(other, there) } else { String::new() });
        // A path that is left and reached by moves is not the same key any more.
        let Ok(plan) = Plan::read(&format!("schema = \"s\"\n{plan}")) else { continue };
        let froms: Vec<&Path> = plan.moves.iter().map(Move::path).collect();
        let is_twice = plan.moves.iter().any(|step| match step {
            Move::Key { to, .. } => froms.iter().any(|from| from.0.starts_with(&to.0) || to.0.starts_with(&from.0)),
            _ => false,
        });
        if is_twice {
            continue;
        }
        let text = format!("{LOAD}{template}");
        let reads = moved_reads(&text, &code(&text), &plan.moves);
        left += reads.left.len();
        let Some(new) = reads.text else { continue };
        changed += 1;
        assert_eq!(ends(&code(&new)), reads.ends, "{:?}\n{text}\n{new}", plan.moves);
        assert_eq!(moved_reads(&new, &code(&new), &plan.moves).text, None, "{:?}\n{new}", plan.moves);
    }
    assert!(changed > 300 && left > 300, "{changed} {left}");
}

#[test]
fn reads_below_any_key_follow() {
    let plan = moved("teams.*.password", "teams.*.settings.password");
    check(&plan, "a: #@ data.values.teams.x.password\n", "a: #@ data.values.teams.x.settings.password\n");
    let read = |key: &str| format!("#@ for name in data.values.teams:\na: #@ data.values.teams[name].{key}\n#@ end\n");
    let names = vec!["Passed teams.*.password".to_owned()];
    assert_eq!(after(&plan, &read("password")), (read("settings.password"), names));
    check(&plan, "a: #@ data.values.other.x.password\n", "a: #@ data.values.other.x.password\n");
}

#[test]
fn what_is_split_where_it_is_has_to_be_read_otherwise() {
    let plan = "[[move]]\nkey = \"image\"\nsplit = \":\"\nto = [\"image.name\", \"image.tag\"]\n";
    leaves(plan, "a: #@ data.values.image\n", &["Parts image"]);
    leaves(plan, "#@ i = data.values.image\na: #@ i\nb: #@ \"x\" + i\n", &["Parts image", "Parts image"]);
    assert!(Why::Parts.has_to_change());
    // By hand.
    check(plan, "#@ i = data.values.image\na: #@ i.name + i.tag\n", "#@ i = data.values.image\na: #@ i.name + i.tag\n");
    check(plan, "a: #@ data.values.image.name\n", "a: #@ data.values.image.name\n");
}

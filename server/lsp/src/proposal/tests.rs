//! What is proposed for random schemas in which keys have moved is applied to random values.

use super::plan;
use lofting_diff::{Language, compare};
use lofting_migration::{Move, Plan, migrated};
use lofting_syntax::resolve::Profile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }

    fn one<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }
}

/// What real schemas use again and again, and what they use once.
const COMMON: [&str; 8] = ["enabled", "image", "port", "host", "name", "size", "resources", "labels"];
const RARE: [&str; 12] = [
    "adminPassword",
    "clusterDomain",
    "pullPolicy",
    "retention",
    "issuer",
    "storageClass",
    "maxReplicas",
    "ingressClass",
    "databaseUrl",
    "logLevel",
    "region",
    "bucketName",
];
const MAPS: [&str; 8] = ["app", "service", "ingress", "tls", "storage", "database", "logging", "backup"];

/// A key: a number that stays with it wherever it goes, and its default.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf(usize, String),
    Map(BTreeMap<String, Tree>),
}

fn tree(dice: &mut Dice, depth: usize, next: &mut usize) -> BTreeMap<String, Tree> {
    let mut map = BTreeMap::new();
    for _ in 0..2 + dice.below(4) {
        if depth > 0 && dice.below(3) == 0 {
            map.insert(dice.one(&MAPS).to_owned(), Tree::Map(tree(dice, depth - 1, next)));
            continue;
        }
        let name = if dice.below(2) == 0 { dice.one(&COMMON) } else { dice.one(&RARE) };
        *next += 1;
        let default = match dice.below(4) {
            0 => "false".to_owned(),
            1 => (80 + dice.below(9000)).to_string(),
            2 => "\"\"".to_owned(),
            _ => format!("\"{}{}\"", dice.one(&RARE), dice.below(90)),
        };
        map.insert(name.to_owned(), Tree::Leaf(*next, default));
    }
    map
}

fn leaves(map: &BTreeMap<String, Tree>, above: &[String], found: &mut BTreeMap<Vec<String>, (usize, String)>) {
    for (name, tree) in map {
        let path = [above, std::slice::from_ref(name)].concat();
        match tree {
            Tree::Leaf(id, default) => drop(found.insert(path, (*id, default.clone()))),
            Tree::Map(below) => leaves(below, &path, found),
        }
    }
}

fn written(map: &BTreeMap<String, Tree>, room: usize, out: &mut String) {
    for (name, tree) in map {
        let _ = match tree {
            Tree::Leaf(_, default) => writeln!(out, "{:room$}{name}: {default}", ""),
            Tree::Map(below) => {
                let _ = writeln!(out, "{:room$}{name}:", "");
                written(below, room + 2, out);
                Ok(())
            }
        };
    }
}

/// A random key with its name, out of a random map.
fn taken(map: &mut BTreeMap<String, Tree>, dice: &mut Dice, depth: usize) -> Option<(String, Tree)> {
    let names: Vec<String> = map.keys().cloned().collect();
    let name = names.get(dice.below(names.len()))?;
    if let Some(Tree::Map(below)) = map.get_mut(name).filter(|_| depth > 0)
        && dice.below(2) == 0
    {
        let found = taken(below, dice, depth - 1);
        if below.is_empty() {
            map.remove(name);
        }
        return found;
    }
    map.remove_entry(name)
}

/// Defaults may change at the same time.
fn with_other_default((name, tree): (String, Tree), dice: &mut Dice) -> (String, Tree) {
    match tree {
        Tree::Leaf(id, default) if dice.below(4) == 0 && default.starts_with('"') => {
            (name, Tree::Leaf(id, "\"another\"".to_owned()))
        }
        tree => (name, tree),
    }
}

/// Puts a key below a map that is there or new.
fn put(map: &mut BTreeMap<String, Tree>, dice: &mut Dice, depth: usize, (name, tree): (String, Tree)) -> bool {
    if depth > 0 && dice.below(3) > 0 {
        let into = dice.one(&["container", "settings", "app", "service", "ingress", "storage"]).to_owned();
        match map.entry(into).or_insert_with(|| Tree::Map(BTreeMap::new())) {
            Tree::Map(below) => return put(below, dice, depth - 1, (name, tree)),
            Tree::Leaf(..) => return false,
        }
    }
    if map.contains_key(&name) {
        return false;
    }
    map.insert(name, tree);
    true
}

/// Values for some keys, with a comment at each.
fn values(map: &BTreeMap<String, Tree>, dice: &mut Dice, room: usize, out: &mut String) -> usize {
    let mut count = 0;
    for (name, tree) in map {
        match tree {
            Tree::Leaf(id, default) if dice.below(2) == 0 => {
                let value = if default.starts_with('"') { format!("\"set{id}\"") } else { default.clone() };
                let _ = writeln!(out, "{:room$}# about {id}\n{:room$}{name}: {value} # of {id}", "", "");
                count += 1;
            }
            Tree::Leaf(..) => {}
            Tree::Map(below) => {
                let mut inner = String::new();
                let more = values(below, dice, room + 2, &mut inner);
                if more > 0 {
                    let _ = write!(out, "{:room$}{name}:\n{inner}", "");
                    count += more;
                }
            }
        }
    }
    count
}

/// The paths that a text in block style sets, with the number in the comment after each.
fn set(text: &str) -> BTreeMap<Vec<String>, usize> {
    let mut found = BTreeMap::new();
    let mut path: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#') && line.contains(':')) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        path.truncate(depth);
        path.push(line.trim_start().split(':').next().unwrap_or_default().to_owned());
        if let Some((_, id)) = line.split_once("# of ") {
            found.insert(path.clone(), id.parse().expect("a number"));
        }
    }
    found
}

#[test]
fn what_is_proposed_is_right_and_can_be_applied() {
    let (mut moved, mut proposed, mut applied, mut refused) = (0, 0, 0, 0);
    for seed in 0..600 {
        let mut dice = Dice(seed);
        let mut next = 0;
        let old = tree(&mut dice, 2, &mut next);
        let mut new = old.clone();
        for _ in 0..1 + dice.below(2) {
            let mut copy = new.clone();
            if let Some(key) = taken(&mut copy, &mut dice, 2).map(|key| with_other_default(key, &mut dice))
                && put(&mut copy, &mut dice, 2, key)
            {
                new = copy;
            }
        }
        // Other keys come.
        if dice.below(3) == 0 {
            next += 1;
            new.entry(dice.one(&RARE).to_owned()).or_insert(Tree::Leaf(next, "7".to_owned()));
        }
        let text = |map: &BTreeMap<String, Tree>| {
            let mut out = "#@data/values-schema\n---\n".to_owned();
            written(map, 0, &mut out);
            out
        };
        let (before, after) = (text(&old), text(&new));
        let compared = compare(Language::Ytt, &before, &after).expect("two schemas");
        let plan = plan("schema.yml", &compared, &before, &after);
        let moves = Plan::read(&plan).unwrap_or_else(|why| panic!("{why}\n{plan}")).moves;
        let (mut was, mut is) = (BTreeMap::new(), BTreeMap::new());
        leaves(&old, &[], &mut was);
        leaves(&new, &[], &mut is);
        let place: BTreeMap<usize, &Vec<String>> = is.iter().map(|(path, (id, _))| (*id, path)).collect();
        moved += was.iter().filter(|(path, (id, _))| place.get(id).is_some_and(|now| now != path)).count();
        // All keys at once, so that each is followed to where it goes.
        let all: String = {
            let mut out = String::new();
            full(&old, 0, &mut out);
            out
        };
        let discarding: Vec<Move> = moves.iter().cloned().map(discard).collect();
        let everywhere = migrated(&all, Profile::Ytt, &discarding, &|_, _| true);
        let everywhere = everywhere.unwrap_or_else(|why| panic!("{why}\n{plan}\n{all}"));
        for (path, id) in set(&everywhere) {
            // Another key may be called what it was called.
            if was.get(&path).is_some_and(|(of, _)| *of == id) && is.contains_key(&path) {
                continue;
            }
            assert_eq!(place.get(&id), Some(&&path), "{seed}: wrong\n{before}\n{after}\n{plan}\n{everywhere}");
            proposed += usize::from(was.iter().any(|(old, (of, _))| *of == id && *old != path));
        }
        let mut some = String::from("# the first line\n");
        if values(&old, &mut dice, 0, &mut some) == 0 {
            continue;
        }
        match migrated(&some, Profile::Ytt, &moves, &|_, _| true) {
            Ok(text) => {
                applied += 1;
                let set = set(&text);
                assert!(
                    set.iter().all(|(path, _)| is.contains_key(path)),
                    "{seed}: not valid\n{after}\n{plan}\n{text}"
                );
                let again = migrated(&text, Profile::Ytt, &moves, &|_, _| true);
                assert_eq!(again.as_ref(), Ok(&text), "{seed}: the second run");
                let comments = |text: &str| -> BTreeSet<String> {
                    text.lines().filter_map(|line| line.split_once('#')).map(|(_, said)| said.to_owned()).collect()
                };
                assert_eq!(comments(&some), comments(&text), "{seed}");
            }
            // What was taken for gone is set to something.
            Err(_) => refused += 1,
        }
    }
    assert!(proposed * 10 >= moved * 8, "{proposed} of {moved} keys were followed");
    assert!(applied > 8 * refused, "{applied} applied, {refused} refused");
}

/// All keys, with comments.
fn full(map: &BTreeMap<String, Tree>, room: usize, out: &mut String) {
    for (name, tree) in map {
        let _ = match tree {
            Tree::Leaf(id, default) => writeln!(out, "{:room$}{name}: {default} # of {id}", ""),
            Tree::Map(below) => {
                let _ = writeln!(out, "{:room$}{name}:", "");
                full(below, room + 2, out);
                Ok(())
            }
        };
    }
}

/// A removal of any value.
fn discard(step: Move) -> Move {
    match step {
        Move::Remove { path, default, inline, .. } => Move::Remove { path, default, inline, discard: true },
        step => step,
    }
}

/// What is gone is written as a plan has it: strings in quotes, once, and numbers without.
#[test]
fn values_that_are_gone() {
    let schema = |values: &str, value: &str| {
        format!("#@data/values-schema\n---\n#@schema/validation one_of=[{values}]\na: {value}\n")
    };
    let proposed = |before: &str, after: &str| {
        let compared = compare(Language::Ytt, before, after).expect("two schemas");
        let plan = plan("schema.yml", &compared, before, after);
        plan.lines().filter(|line| line.contains("from = ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let found = proposed(&schema("\"tcp\", \"udp\"", "tcp"), &schema("\"udp\"", "udp"));
    assert_eq!(found, ["#   {from = \"tcp\", to = \"\"},"]);
    assert_eq!(proposed(&schema("80, 81", "80"), &schema("81", "81")), ["#   {from = 80, to = \"\"},"]);
}

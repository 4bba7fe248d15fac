//! Overlays: annotated data values and overlays over templates.

use super::{Case, Row, each, plain, schema_text, values_text};

pub(super) const SHAPES: &[Row] = &[
    ("data values documents", 10_000, documents),
    ("data values files", 5_000, files),
    ("items matched by name", 10_000, by_name),
    ("items matched by index", 10_000, by_index),
    ("items matched by subset", 5_000, by_subset),
    ("items matched by two matchers", 5_000, by_and),
    ("items whose matcher fails", 5_000, by_failing),
    ("items matched by a function", 500, by_function),
    ("items removed", 10_000, removed),
    ("items inserted", 10_000, inserted),
    ("items replaced", 10_000, replaced),
    ("items appended", 50_000, appended),
    ("several items matched by one", 25_000, by_all),
    ("keys removed", 25_000, keys_removed),
    ("keys replaced", 25_000, keys_replaced),
    ("keys added", 25_000, keys_added),
    ("keys an overlay does not find", 25_000, keys_missed),
    ("keys an overlay nearly finds", 25_000, keys_misspelt),
    ("items an overlay does not find", 5_000, items_missed),
    ("documents matched by subset", 5_000, documents_by_subset),
    ("documents that lack a key", 5_000, documents_without),
    ("documents appended", 10_000, documents_appended),
    ("overlays over all documents", 300, documents_by_all),
    ("documents with an index", 5_000, documents_by_index),
    ("items replaced by a function", 2_000, via),
];

fn documents_without(n: usize) -> Case {
    let over = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=\"1+\"\n---\nz: 1\n";
    Case::config(each(n, |i| format!("---\nkind: A\nname: n{i}\n"))).and("overlay.yml", over.to_owned())
}

/// Items with names below a schema, and a data values document with `annotations` on each of its items.
fn over_items(n: usize, annotations: impl Fn(usize) -> String, body: impl Fn(usize) -> String) -> Case {
    let schema = schema_text("items:\n- name: \"\"\n  port: 0\n");
    let first = plain(n, |i| format!("- name: item-{i}\n  port: {i}\n"));
    let over = each(n, |i| format!("{}- {}\n", annotations(i), body(i)));
    Case::config(schema).and("values1.yml", values_text(format!("items:\n{first}"))).and(
        "values2.yml",
        values_text(format!(
            "items:\n#@overlay/match-child-defaults missing_ok=True\n#@overlay/append\n- name: x\n{over}"
        )),
    )
}

fn named(i: usize) -> String {
    format!("name: item-{i}\n  port: 1")
}

fn documents(n: usize) -> Case {
    let values = each(n, |i| format!("#@data/values\n---\nkey{i}: {i}\n"));
    Case::config(schema_text(plain(n, |i| format!("key{i}: 0\n")))).and("values1.yml", values)
}

fn files(n: usize) -> Case {
    let mut case = Case::config(schema_text(plain(n, |i| format!("key{i}: 0\n"))));
    case.config.extend((0..n).map(|i| (format!("values{i}.yml"), values_text(format!("key{i}: {i}\n")))));
    case
}

fn by_name(n: usize) -> Case {
    over_items(n, |_| "#@overlay/match by=\"name\"\n".to_owned(), named)
}

fn by_index(n: usize) -> Case {
    let case = over_items(n, |i| format!("#@overlay/match by=overlay.index({i})\n"), named);
    loaded(case)
}

fn by_subset(n: usize) -> Case {
    loaded(over_items(n, |i| format!("#@overlay/match by=overlay.subset({{\"name\": \"item-{i}\"}})\n"), named))
}

fn by_and(n: usize) -> Case {
    let matchers = "overlay.and_op(overlay.map_key(\"name\"), overlay.not_op(overlay.index(-1)))";
    loaded(over_items(n, |_| format!("#@overlay/match by={matchers}\n"), named))
}

/// Text is not a matcher.
fn by_failing(n: usize) -> Case {
    let by = |_| "#@overlay/match by=overlay.and_op(\"name\", overlay.not_op(overlay.index(-1)))\n".to_owned();
    loaded(over_items(n, by, named))
}

fn by_function(n: usize) -> Case {
    let by = |i| format!("#@overlay/match by=lambda index, left, right: left[\"name\"] == \"item-{i}\"\n");
    loaded(over_items(n, by, named))
}

/// This case with the module of overlays loaded.
fn loaded(mut case: Case) -> Case {
    for (_, text) in &mut case.config {
        if text.contains("overlay.") || text.contains("lambda") {
            *text = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{text}");
        }
    }
    case
}

fn removed(n: usize) -> Case {
    over_items(n, |_| "#@overlay/match by=\"name\"\n#@overlay/remove\n".to_owned(), named)
}

fn inserted(n: usize) -> Case {
    over_items(n, |_| "#@overlay/match by=\"name\"\n#@overlay/insert before=True\n".to_owned(), named)
}

fn replaced(n: usize) -> Case {
    over_items(n, |_| "#@overlay/match by=\"name\"\n#@overlay/replace\n".to_owned(), named)
}

fn appended(n: usize) -> Case {
    over_items(n, |_| "#@overlay/append\n".to_owned(), named)
}

fn by_all(n: usize) -> Case {
    let schema = schema_text("items:\n- name: \"\"\n  port: 0\n");
    let first = plain(n, |i| format!("- name: item-{i}\n  port: {i}\n"));
    let over = "items:\n#@overlay/match by=overlay.all, expects=\"0+\"\n- port: 2█\n";
    loaded(
        Case::config(schema)
            .and("values1.yml", values_text(format!("items:\n{first}")))
            .and("values2.yml", values_text(over)),
    )
}

fn items_missed(n: usize) -> Case {
    over_items(n, |_| "#@overlay/match by=\"name\"\n".to_owned(), |i| format!("name: nobody-{i}"))
}

/// A map below a schema that leaves it open, and a document with `annotations` on each of its keys.
fn over_keys(n: usize, annotations: &str, name: &str) -> Case {
    let schema = schema_text("#@schema/type any=True\nmap: {}\n");
    Case::config(schema)
        .and("values1.yml", values_text(format!("map:\n{}", plain(n, |i| format!("  key{i}: 0\n")))))
        .and("values2.yml", values_text(format!("map:\n{}", each(n, |i| format!("  {annotations}\n  {name}{i}: 1\n")))))
}

fn keys_removed(n: usize) -> Case {
    over_keys(n, "#@overlay/remove", "key")
}

fn keys_replaced(n: usize) -> Case {
    over_keys(n, "#@overlay/replace", "key")
}

fn keys_added(n: usize) -> Case {
    over_keys(n, "#@overlay/match missing_ok=True", "other")
}

fn keys_missed(n: usize) -> Case {
    over_keys(n, "#! nothing", "other")
}

fn keys_misspelt(n: usize) -> Case {
    over_keys(n, "#! nothing", "kez")
}

/// `n` documents of a template and as many overlays over them.
fn over_documents(n: usize, annotations: impl Fn(usize) -> String) -> Case {
    let templates = plain(n, |i| format!("---\nkind: Service\nname: s{i}\n"));
    let overlays = each(n, |i| format!("{}---\nname: s{i}\n", annotations(i)));
    let overlays = format!("#@ load(\"@ytt:overlay\", \"overlay\")\n{overlays}");
    Case::config(templates).and("overlays.yml", overlays)
}

fn documents_by_subset(n: usize) -> Case {
    over_documents(n, |i| format!("#@overlay/match by=overlay.subset({{\"name\": \"s{i}\"}})\n"))
}

fn documents_by_index(n: usize) -> Case {
    over_documents(n, |i| format!("#@overlay/match by=overlay.index({i})\n"))
}

fn documents_appended(n: usize) -> Case {
    over_documents(n, |_| "#@overlay/append\n".to_owned())
}

fn documents_by_all(n: usize) -> Case {
    over_documents(n, |_| "#@overlay/match by=overlay.all, expects=\"0+\"\n".to_owned())
}

fn via(n: usize) -> Case {
    let schema = schema_text("#@schema/type any=True\nmap: {}\n");
    let over = each(n, |i| format!("  #@overlay/replace via=lambda left, right: left + right\n  key{i}: 1\n"));
    Case::config(schema)
        .and("values1.yml", values_text(format!("map:\n{}", plain(n, |i| format!("  key{i}: 0\n")))))
        .and("values2.yml", values_text(format!("map:\n{over}")))
}

//! Files in which commands are looked for: each of these had a form that a short text could make long.

use super::{Case, Row, plain};

pub(super) const SHAPES: &[Row] = &[
    ("variables of a Makefile", 30_000, |n| {
        beside("Makefile", plain(n, |i| format!("V{i} = $(V{})\n", i / 2)) + "all:\n\tytt -f .\n")
    }),
    ("uses of a long variable", 100_000, |n| {
        beside("render.sh", format!("A={}\nytt -f {}\n", "a".repeat(4_000), "$A ".repeat(n)))
    }),
    ("directories that a script changes to", 50_000, |n| {
        beside("render.sh", plain(n, |_| "cd aaaaaaaa\nls\n".to_owned()) + "ytt -f .\n")
    }),
    ("items of a workflow below a long key", 50_000, |n| {
        let items = plain(n, |_| "- a\n".to_owned());
        beside(".github/workflows/a.yml", format!("{}:\n{items}run: ytt -f .\n", "k".repeat(8 * n)))
    }),
    ("tasks of a Taskfile", 10_000, |n| {
        let tasks = plain(n, |i| format!("  t{i}:\n    dir: d{i}\n    cmds: ['ytt -f .']\n"));
        beside("Taskfile.yml", format!("tasks:\n{tasks}"))
    }),
    ("steps of an App", 10_000, |n| {
        let steps = plain(n, |_| "  - ytt: {paths: [.]}\n".to_owned());
        beside("app.yml", format!("apiVersion: kappctrl.k14s.io/v1alpha1\nkind: App\nspec:\n  template:\n{steps}"))
    }),
];

/// Values with a schema, beside a file.
fn beside(path: &str, text: String) -> Case {
    Case::governed("port: 0\n", "port: 1█\n".to_owned()).and(path, text)
}

//! Code that is stopped is always reported: every kind of code in every kind of file, stopped in every way.

use std::process::Output;
use std::thread;

use crate::command_line::{json_of, lofting, workspace};

/// What a stop looks like from inside: too many steps, too much for the evaluator, too much for the process, too deep,
/// and what this evaluator cannot do.
const BOMBS: &[(&str, &str)] = &[
    ("steps", "def bomb(*args):\n  for i in range(100000000):\n    x = str(i)\n  end\n  return True\nend\n"),
    ("values", "def bomb(*args):\n  x = [1]\n  for i in range(40):\n    x = x + x\n  end\n  return True\nend\n"),
    ("memory", "def bomb(*args):\n  x = len(\"x\" * 2000000000)\n  return True\nend\n"),
    ("depth", "def bomb(*args):\n  return bomb()\nend\n"),
    (
        "something unsupported",
        "load(\"@ytt:version\", \"version\")\ndef bomb(*args):\n  version.require_at_least(\"0.999.0\")\n  return True\nend\n",
    ),
];
/// Stopped by the clock alone: each step takes milliseconds.
const ENDLESS: (&str, &str) = (
    "time",
    "def bomb(*args):\n  x = \"a\" * 2000000\n  for i in range(1000000):\n    x.count(\"b\")\n  end\n  return True\nend\n",
);

/// Its name, whether it takes rendering to call `bomb`, and its files.
type Kind = (&'static str, bool, &'static [(&'static str, &'static str)]);

/// Files of an input set, in which `bomb` can be called, and whether it takes rendering to call it. The first file of
/// each is the one in which the stop has to be reported.
const KINDS: &[Kind] = &[
    ("a schema", false, &[("schema.yml", "LOAD#@data/values-schema\n---\na: #@ str(bomb())\n")]),
    ("a default", false, &[("schema.yml", "LOAD#@data/values-schema\n---\n#@schema/default bomb()\na: true\n")]),
    (
        "a validation",
        false,
        &[("schema.yml", "LOAD#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: bomb(v))\na: 1\n")],
    ),
    (
        "a condition of a validation",
        false,
        &[("schema.yml", "LOAD#@data/values-schema\n---\n#@schema/validation min=1, when=lambda v: bomb(v)\na: 1\n")],
    ),
    ("data values", false, &[("values.yml", "LOAD#@data/values\n---\na: #@ bomb()\n")]),
    (
        "an assertion on data values",
        false,
        &[("values.yml", "LOAD#@data/values\n---\n#@assert/validate (\"x\", lambda v: bomb(v))\na: 1\n")],
    ),
    (
        "what replaces a data value",
        false,
        &[
            ("z.yml", "LOAD#@data/values\n---\n#@overlay/replace via=lambda l, r: bomb(l, r)\na: 2\n"),
            ("a.yml", "#@data/values\n---\na: 1\n"),
        ],
    ),
    (
        "what matches data values",
        false,
        &[
            ("z.yml", "LOAD#@data/values\n---\na:\n#@overlay/match by=lambda i, l, r: bomb(i, l, r)\n- 2\n"),
            ("a.yml", "#@data/values\n---\na:\n- 1\n"),
        ],
    ),
    (
        "how many data values match",
        false,
        &[
            ("z.yml", "LOAD#@data/values\n---\n#@overlay/match expects=lambda n: bomb(n)\na: 2\n"),
            ("a.yml", "#@data/values\n---\na: 1\n"),
        ],
    ),
    (
        "when a data value is laid over",
        false,
        &[
            ("z.yml", "LOAD#@data/values\n---\n#@overlay/match when=lambda n: bomb(n)\na: 2\n"),
            ("a.yml", "#@data/values\n---\na: 1\n"),
        ],
    ),
    (
        "an assertion of an overlay",
        false,
        &[
            ("z.yml", "LOAD#@data/values\n---\n#@overlay/assert via=lambda l, r: bomb(l, r)\na: 2\n"),
            ("a.yml", "#@data/values\n---\na: 1\n"),
        ],
    ),
    ("a template", true, &[("config.yml", "LOADa: #@ bomb()\n")]),
    ("a text template", true, &[("config.txt", "(@ load(\"bomb.star\", \"bomb\") @)(@= str(bomb()) @)\n")]),
    (
        "a file that is loaded",
        true,
        &[
            ("config.yml", "#@ load(\"late.star\", \"x\")\na: #@ x\n"),
            ("late.star", "load(\"bomb.star\", \"bomb\")\nx = bomb()\n"),
        ],
    ),
    ("a file that no other loads", true, &[("late.star", "load(\"bomb.star\", \"bomb\")\nx = bomb()\n")]),
    (
        "an overlay over documents",
        true,
        &[
            (
                "z.yml",
                "LOAD#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=lambda l, r: bomb(l, r)\na: 2\n",
            ),
            ("a.yml", "a: 1\n"),
        ],
    ),
    (
        "an overlay that code applies",
        true,
        &[(
            "config.yml",
            "LOAD#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def l():\na: 1\n#@ end\n#@ def r():\n#@overlay/replace via=lambda l, r: bomb(l, r)\na: 2\n#@ end\n--- #@ overlay.apply(l(), r())\n",
        )],
    ),
    (
        "an error that code catches",
        true,
        &[(
            "config.yml",
            "LOAD#@ load(\"@ytt:assert\", \"assert\")\n#@ x = assert.try_to(lambda: bomb())\na: #@ str(x[1])\n",
        )],
    ),
    (
        "a library",
        true,
        &[
            (
                "config.yml",
                "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"l\").eval())\n",
            ),
            ("_ytt_lib/l/config.yml", "LOADa: #@ bomb()\n"),
            ("_ytt_lib/l/bomb.star", "BOMB"),
        ],
    ),
    (
        "a validation of a library",
        true,
        &[
            (
                "config.yml",
                "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"l\").eval())\n",
            ),
            (
                "_ytt_lib/l/schema.yml",
                "LOAD#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: bomb(v))\na: 1\n",
            ),
            ("_ytt_lib/l/bomb.star", "BOMB"),
        ],
    ),
];

fn run(kind: &[(&str, &str)], bomb: &str, arguments: &[&str]) -> Output {
    let text = |text: &str| text.replace("LOAD", "#@ load(\"bomb.star\", \"bomb\")\n").replace("BOMB", bomb);
    let mut files: Vec<(&str, String)> = kind.iter().map(|(name, content)| (*name, text(content))).collect();
    files.push(("bomb.star", bomb.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let directory = workspace(&files);
    lofting(directory.path(), arguments)
}

/// The findings say that something was not evaluated, and nothing says that it is wrong.
fn is_reported(what: &str, output: &Output) -> Option<String> {
    let report = json_of(output);
    let findings = report["diagnostics"].as_array().cloned().unwrap_or_default();
    let reported = findings.iter().any(|finding| finding["code"] == "ytt/not-evaluated");
    let wrong = findings.iter().any(|finding| finding["severity"] == "error");
    (!reported || wrong).then(|| format!("{what}: {findings:#?}"))
}

#[test]
fn every_stop_is_reported_by_check() {
    let mut failed = Vec::new();
    for (kind, renders, files) in KINDS {
        for (way, bomb) in BOMBS {
            // Nothing depends on such a file: what only this evaluator cannot do there keeps no output back.
            if (*kind, *way) == ("a file that no other loads", "something unsupported") {
                continue;
            }
            let flags: &[&str] = if *renders { &["--render"] } else { &[] };
            let output = run(files, bomb, &[&["check", "--format", "json", "-f", "."], flags].concat());
            failed.extend(is_reported(&format!("{kind}, stopped by {way}"), &output));
        }
    }
    assert!(failed.is_empty(), "{} of them:\n{}", failed.len(), failed.join("\n"));
}

/// All at once, because each waits for the clock.
#[test]
fn every_stop_by_the_clock_is_reported_by_check() {
    let stopped = |name: &str| {
        let (_, renders, files) = KINDS.iter().find(|(kind, ..)| *kind == name).expect("it is one of them");
        let flags: &[&str] = if *renders { &["--render"] } else { &[] };
        let output = run(files, ENDLESS.1, &[&["check", "--format", "json", "-f", "."], flags].concat());
        is_reported(&format!("{name}, stopped by {}", ENDLESS.0), &output)
    };
    let names = ["a schema", "a validation", "what replaces a data value", "a template"];
    let failed: Vec<String> = thread::scope(|scope| {
        let runs = names.map(|name| scope.spawn(move || stopped(name)));
        runs.into_iter().filter_map(|run| run.join().expect("it does not panic")).collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Code that is not run at all, because a sandbox is required that the system does not have: every kind of it, and values
/// that nest as deep as real definitions in every form.
#[cfg(target_os = "linux")]
#[test]
fn every_refusal_is_reported_by_check() {
    use crate::worker::without_landlock;
    const RUNS: &str = "def bomb(*args):\n  return True\nend\n";
    let failed = without_landlock(|| {
        let mut failed = Vec::new();
        for (kind, renders, files) in KINDS {
            let flags: &[&str] = if *renders { &["--render"] } else { &[] };
            let command = [&["check", "--require-sandbox", "--format", "json", "-f", "."], flags].concat();
            let output = run(files, RUNS, &command);
            failed.extend(is_reported(&format!("{kind}, refused"), &output));
            if output.status.success() {
                failed.push(format!("{kind}: a refusal is a success"));
            }
        }
        failed.extend(crate::nesting::refused());
        failed
    });
    assert!(failed.is_empty(), "{} of them:\n{}", failed.len(), failed.join("\n"));
}

/// A script must not take what was not evaluated for what was found in order, whatever it asks for.
#[test]
fn what_was_not_evaluated_is_no_success_of_any_command() {
    const TEMPLATE: &str = "LOAD#@data/values-schema\n---\n#@schema/validation (\"x\", lambda v: bomb(v))\na: 1\n";
    const COMPUTED: &str = "LOAD#@data/values-schema\n---\na: #@ str(bomb())\n";
    const DEFAULT: &str = "LOAD#@data/values-schema\n---\n#@schema/default len(str(bomb()))\na: 1\n";
    let commands: &[&[&str]] = &[
        &["check", "-f", "."],
        &["check", "--format", "json", "-f", "."],
        &["check", "--render", "-f", "."],
        &["check"],
        // The schema is another file, which is not checked itself.
        &["check", "values.yml"],
        &["render", "-f", "."],
        &["render", "-o", "json", "-f", "."],
        &["values", "-f", "."],
        &["values", "--origin", "-f", "."],
    ];
    // Rules are only called where there are values.
    let values = ("values.yml", "#@data/values\n---\na: 2\n");
    for (way, bomb) in BOMBS {
        for command in commands {
            let output = run(&[("schema.yml", TEMPLATE), values], bomb, command);
            assert_eq!(output.status.code(), Some(2), "a rule, {way}, {command:?}");
            let output = run(&[("schema.yml", COMPUTED), values], bomb, command);
            assert_eq!(output.status.code(), Some(2), "a default, {way}, {command:?}");
        }
        let output = run(&[("schema.yml", DEFAULT), values], bomb, &["check", "values.yml"]);
        assert_eq!(output.status.code(), Some(2), "`@schema/default`, {way}");
        let output = run(&[("schema.yml", COMPUTED)], bomb, &["schema", "--to", "openapi-v3", "-f", "."]);
        assert_eq!(output.status.code(), Some(2), "{way}");
    }
}

/// A mistake in the code of a schema is none of the checked file, and yet the file was not checked.
#[test]
fn a_schema_whose_code_fails_is_no_success_for_the_values_of_it() {
    const SCHEMAS: [(&str, &str); 4] = [
        ("a value", "#@data/values-schema\n---\na: #@ fail(\"no\")\n"),
        ("a default", "#@data/values-schema\n---\n#@schema/default fail(\"no\")\na: 1\n"),
        ("a module", "#@ load(\"missing.star\", \"x\")\n#@data/values-schema\n---\na: #@ x\n"),
        ("code above", "#@ x = 1 + \"a\"\n#@data/values-schema\n---\na: 1\n"),
    ];
    for (kind, schema) in SCHEMAS {
        let files = [("schema.yml", schema), ("values.yml", "#@data/values\n---\na: 2\n")];
        for command in [&["check", "values.yml"][..], &["check", "--format", "json", "values.yml"]] {
            let output = run(&files, "", command);
            assert_eq!(output.status.code(), Some(2), "{kind}, {command:?}");
        }
        assert_eq!(run(&files, "", &["check", "-f", "."]).status.code(), Some(1), "{kind}");
    }
}

#[test]
fn every_stop_is_reported_by_values() {
    let (_, steps) = BOMBS[0];
    for (kind, _, files) in KINDS.iter().filter(|(_, renders, _)| !renders) {
        let output = run(files, steps, &["values", "-f", "."]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("ytt/not-evaluated"), "{kind}: {said}");
    }
}

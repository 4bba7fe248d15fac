//! `lofting render` in one process, which confines itself before it runs code: with the results of a worker.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::command_line::{lofting, workspace};
use crate::worker::without_landlock;

/// Sets that need code, and how they are given to `render`.
fn sets() -> Vec<(PathBuf, &'static [&'static str])> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sets: Vec<(PathBuf, &[&str])> = vec![
        (root.join("examples/platform"), &["-f", "config"]),
        (root.join("examples/cf-for-k8s"), &["-f", "."]),
        (root.join("examples/webshop"), &["-f", "."]),
    ];
    for group in ["modules", "template", "found", "library"] {
        let cases = std::fs::read_dir(root.join("tests/conformance/ytt").join(group)).expect("cases");
        let mut cases: Vec<PathBuf> = cases.map(|case| case.expect("a case").path()).collect();
        cases.sort();
        sets.extend(cases.into_iter().step_by(3).map(|case| (case, &["-f", "."] as &[&str])));
    }
    sets
}

fn shown(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("{:?}\n{}\n{errors}", output.status.code(), String::from_utf8_lossy(&output.stdout))
}

#[test]
fn a_process_that_confines_itself_prints_what_a_worker_gives() {
    let sets = sets();
    let render =
        |(folder, arguments): &(PathBuf, &[&str])| shown(&lofting(folder, &[&["render"], *arguments].concat()));
    let one: Vec<String> = sets.iter().map(render).collect();
    // A process that cannot be confined starts a worker.
    let two = without_landlock({
        let sets = sets.clone();
        move || sets.iter().map(render).collect::<Vec<String>>()
    });
    assert!(sets.len() > 40 && one.iter().filter(|shown| shown.starts_with("Some(0)")).count() > 20);
    for ((one, two), (folder, _)) in one.iter().zip(&two).zip(&sets) {
        assert_eq!(one, two, "{}", folder.display());
    }
}

/// Runs the program from a file that is gone by then, so that it cannot start itself again.
fn without_file(folder: &Path, arguments: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_lofting"));
    let beside = tempfile::tempdir_in(program.parent().expect("a folder")).expect("a folder");
    let link = beside.path().join("lofting");
    std::fs::hard_link(program, &link).expect("a link");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec 3<\"$0\"; rm \"$0\"; exec /proc/self/fd/3 \"$@\""]).arg(&link).args(arguments);
    command.current_dir(folder).output().expect("it starts")
}

#[test]
fn what_only_prints_starts_no_process() {
    let directory = workspace(&[
        ("a.yml", "#@ load(\"@ytt:data\", \"data\")\n---\na: #@ data.values.x + 1\n"),
        ("schema.yml", "#@data/values-schema\n---\nx: 1\n"),
    ]);
    let run = |more: &[&str]| without_file(directory.path(), &[&["render", "-f", "."], more].concat());
    assert_eq!(shown(&run(&[])), "Some(0)\na: 2\n\n");
    assert_eq!(shown(&run(&["-o", "json"])), "Some(0)\n{\"a\":2}\n");
    assert_eq!(shown(&run(&["--data-value-yaml", "x=4", "--require-sandbox"])), "Some(0)\na: 5\n\n");
    // What goes on to write needs a worker: this would be seen here.
    let refused = run(&["--output-files", "out"]);
    assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    assert!(shown(&refused).contains("could not be started"), "{}", shown(&refused));
}

/// Pictures and keys are not text, and templates pass them on.
#[test]
fn bytes_that_are_no_text_arrive_in_every_way() {
    let code = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:base64\", \"base64\")\n---\n\
                a: #@ base64.encode(data.read(\"key.bin\"))\nlength: #@ len(data.read(\"key.bin\"))\n\
                t: #@ base64.encode(data.read(\"icon.txt\"))\n";
    let directory =
        workspace(&[("a.yml", code), ("lofting.toml", "[sets.all]\nfiles = [\"a.yml\", \"key.bin\", \"icon.txt\"]\n")]);
    let bytes = [0x00, 0xff, 0xfe, b'a', 0xc3, 0xa9, 0xc3, 0x80];
    std::fs::write(directory.path().join("key.bin"), bytes).expect("a file");
    std::fs::write(directory.path().join("icon.txt"), bytes).expect("a file");
    let wanted = "a: AP/+YcOpw4A=\nlength: 8\nt: AP/+YcOpw4A=\n";
    let inputs = ["-f", "a.yml", "-f", "key.bin", "-f", "icon.txt"];
    let ways: [&[&str]; 3] = [&inputs, &["all"], &[&inputs[..], &["--cache", "kept"]].concat()];
    for way in ways {
        let output = lofting(directory.path(), &[&["render"], way].concat());
        assert_eq!(String::from_utf8_lossy(&output.stdout), wanted, "{way:?}: {}", shown(&output));
    }
    let written = lofting(directory.path(), &[&["render"], &inputs[..], &["--output-files", "out"]].concat());
    assert!(written.status.success(), "{}", shown(&written));
    assert_eq!(std::fs::read_to_string(directory.path().join("out/a.yml")).expect("a file"), wanted);
}

//! What the program says about itself: its version, its environment, completions and man pages.

use std::process::Command;

use crate::command_line::{lofting, workspace};

fn stdout(arguments: &[&str]) -> String {
    let directory = workspace(&[]);
    let output = lofting(directory.path(), arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_version_says_what_was_built() {
    let said = stdout(&["--version"]);
    let lines: Vec<&str> = said.lines().collect();
    // Programs read the first line.
    assert!(lines[0].starts_with(concat!("lofting ", env!("CARGO_PKG_VERSION"))), "{said}");
    let of = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    assert!(of("target").is_some_and(|target| target.split('-').count() >= 3), "{said}");
    assert!(of("built with").is_some_and(|compiler| compiler.starts_with("rustc ")), "{said}");
    assert!(of("schemas built in").is_some_and(|schemas| !schemas.is_empty()), "{said}");
    assert_eq!(stdout(&["-V"]), said);
}

#[test]
fn self_check_says_what_a_bug_report_needs() {
    let said = stdout(&["self-check"]);
    assert!(said.starts_with(&stdout(&["--version"])), "{said}");
    for part in ["\nsystem: ", "\nprogram: ", "\nschemas in use: those of the workspace only\n", "\nvariables: "] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    assert!(said.contains("\ncode is evaluated in a sandbox: "), "{said}");
    assert!(!said.contains("\nproblem: "), "{said}");
}

/// The text is published: no secrets of variables, and no name of the user's home.
#[test]
fn self_check_keeps_secrets() {
    let home = workspace(&[("project/lofting.toml", "")]);
    let output = Command::new(env!("CARGO_BIN_EXE_lofting"))
        .arg("self-check")
        .current_dir(home.path().join("project"))
        .env("HOME", home.path())
        .env("HTTPS_PROXY", "http://user:secret@proxy")
        .env_remove("XDG_CACHE_HOME")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("HTTPS_PROXY is set") && !said.contains("secret"), "{said}");
    assert!(said.contains("\nsettings in this directory: lofting.toml\n"), "{said}");
    #[cfg(target_os = "linux")]
    assert!(said.contains("\ndirectory: ~/project\n") && said.contains("~/.cache"), "{said}");
}

#[test]
fn self_check_fails_where_something_does_not_work() {
    let directory = workspace(&[]);
    let output = Command::new(env!("CARGO_BIN_EXE_lofting"))
        .arg("self-check")
        .env("LOFTING_CATALOGUE", directory.path().join("nowhere.bin"))
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("\nproblem: LOFTING_CATALOGUE names "), "{said}");
}

#[test]
fn shells_get_completions_that_they_accept() {
    for (shell, part) in [
        ("bash", "complete -F _lofting"),
        ("zsh", "#compdef lofting"),
        ("fish", "complete -c lofting"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains(part), "{shell}: {script}");
        assert!(script.contains("max-findings"), "{shell}: {script}");
    }
    // Bash is there wherever these tests run on Unix.
    #[cfg(unix)]
    {
        let directory = workspace(&[("complete.bash", &stdout(&["completions", "bash"]))]);
        let asked = "source complete.bash; COMP_WORDS=(lofting sch); COMP_CWORD=1; \
                     _lofting lofting sch lofting; echo \"${COMPREPLY[@]}\"";
        let output = Command::new("bash").args(["-c", asked]).current_dir(directory.path()).output().expect("bash");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.trim(), "schema schemas", "{output:?}");
    }
}

#[test]
fn man_pages_are_written_into_a_new_directory() {
    let directory = workspace(&[]);
    let output = lofting(directory.path(), &["debug", "man-pages", "man"]);
    assert!(output.status.success(), "{output:?}");
    let page = std::fs::read_to_string(directory.path().join("man/lofting-check.1")).expect("a page");
    assert!(page.contains(".SH SYNOPSIS"), "{page}");
}

//! Compares with `git check-ignore`.

use super::*;
use crate::disk::is_repository;
use std::collections::BTreeSet;
use std::process::Command;

/// What a walk finds below a folder: files and directories, relative to it; and the problems.
fn walked(root: &Path, top: &Path) -> (BTreeSet<String>, Vec<String>) {
    let reach = Reach::within(top);
    let walk = Walk { reach: &reach, top, depth: None, is_visible: |name, _| name != ".git" };
    let (mut found, mut problems) = (BTreeSet::new(), Vec::new());
    let _ = walk.run(root, &mut |step| {
        match step {
            Step::Directory(path, _) | Step::File(path) => {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
            Step::Problem(problem) => problems.push(problem),
            Step::Other => {}
        }
        ControlFlow::Continue(())
    });
    found.remove("");
    (found, problems)
}

/// git without the settings of the user who runs the tests.
fn git(directory: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(directory).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.args(["-c", "core.excludesFile=/dev/null"]);
    git
}

fn init(directory: &Path) {
    let done = git(directory).args(["init", "-q"]).status().is_ok_and(|status| status.success());
    assert!(done, "git init");
}

/// All entries below a folder, directories before what is in them.
fn entries(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() == ".git" {
                continue;
            }
            all.push(entry.path());
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            }
        }
    }
    all.sort();
    all
}

/// What git does not ignore, each entry judged by its own repository. Where there is none, a temporary one is made.
fn judged(root: &Path) -> BTreeSet<String> {
    let all = entries(root);
    let without = tempfile::tempdir().unwrap();
    let mut by_repository: Vec<(Option<PathBuf>, Vec<PathBuf>)> = Vec::new();
    for path in &all {
        let repository = path.ancestors().skip(1).find(|directory| is_repository(directory)).map(Path::to_path_buf);
        match by_repository.iter_mut().find(|(known, _)| *known == repository) {
            Some((_, paths)) => paths.push(path.clone()),
            None => by_repository.push((repository, vec![path.clone()])),
        }
    }
    let mut ignored: BTreeSet<PathBuf> = BTreeSet::new();
    for (repository, paths) in by_repository {
        let directory = repository.as_deref().unwrap_or(root);
        let mut git = git(directory);
        if repository.is_none() {
            init(without.path());
            git.arg("--git-dir").arg(without.path().join(".git")).arg("--work-tree").arg(directory);
        }
        let mut child = git
            .args(["check-ignore", "--no-index", "-z", "--stdin"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text: Vec<u8> = paths.iter().flat_map(|path| [path.to_str().unwrap().as_bytes(), b"\0"].concat()).collect();
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, &text));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        // Exit code 1 means that none is ignored.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {:?}", directory.display(), output.status);
        let reported = String::from_utf8(output.stdout).unwrap();
        ignored.extend(reported.split_terminator('\0').map(PathBuf::from));
    }
    // Nothing inside an ignored directory is visited, even if a nested repository would allow it.
    let is_ignored = |path: &PathBuf| path.ancestors().any(|above| ignored.contains(above));
    let shown = |path: &PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    all.iter().filter(|path| !is_ignored(path)).map(shown).collect()
}

/// Pseudo-random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const NAMES: [&str; 8] = ["a", "b", "c.yml", "d.yml", "build", "x y", "e.txt", "ab"];

/// Patterns of all forms that the manual of git names.
const PATTERNS: [&str; 44] = [
    "a",
    "b/",
    "/a",
    "/b/",
    "*.yml",
    "!c.yml",
    "a/*",
    "!a/c.yml",
    "a/b",
    "/a/b/",
    "**/b",
    "a/**",
    "a/**/b",
    "!/a",
    "*",
    "!*.yml",
    "!*/",
    "?",
    "[ab]",
    "[!a]",
    "[^a]*",
    "build",
    "!build/",
    "build/*.yml",
    "x y",
    "x\\ y",
    "x y ",
    "x y\\ ",
    "#a",
    "\\#a",
    "\\!a",
    "",
    "  ",
    "**",
    "**/",
    "/**",
    "a**",
    "d.*",
    "\\a",
    "a/",
    "!",
    "/",
    "*b*",
    "[a-c]*",
];

/// Makes a random tree; each directory may have ignore files and be a repository.
fn plant(directory: &Path, depth: usize, random: &mut Random) {
    if random.below(3) == 0 {
        let lines: Vec<&str> = (0..=random.below(4)).map(|_| random.pick(&PATTERNS)).collect();
        let end = if random.below(4) == 0 { "\r\n" } else { "\n" };
        std::fs::write(directory.join(".gitignore"), lines.join(end) + end).unwrap();
    }
    for _ in 0..=random.below(5) {
        let path = directory.join(random.pick(&NAMES));
        if path.exists() {
            continue;
        }
        if depth < 3 && random.below(2) == 0 {
            std::fs::create_dir(&path).unwrap();
            if random.below(8) == 0 {
                init(&path);
            }
            plant(&path, depth + 1, random);
        } else {
            std::fs::write(path, "").unwrap();
        }
    }
}

#[test]
fn random_trees_are_walked_as_git_would() {
    for seed in 0..60 {
        let directory = tempfile::tempdir().unwrap();
        let above = directory.path().canonicalize().unwrap();
        // Ignore files above the repository, or above the folder where there is none.
        std::fs::write(above.join(".gitignore"), "*.yml\na\n").unwrap();
        std::fs::write(above.join(".ignore"), "b\n").unwrap();
        let root = above.join("root");
        std::fs::create_dir(&root).unwrap();
        let mut random = Random(seed);
        if seed % 3 != 0 {
            init(&root);
            let exclude = format!("{}\n{}\n", random.pick(&PATTERNS), random.pick(&PATTERNS));
            std::fs::write(root.join(".git/info/exclude"), exclude).unwrap();
        }
        plant(&root, 0, &mut random);
        let (found, problems) = walked(&root, &root);
        assert_eq!(problems, Vec::<String>::new(), "seed {seed}");
        let exclude = std::fs::read_to_string(root.join(".git/info/exclude")).unwrap_or_default();
        let files: String = entries(&root)
            .iter()
            .filter(|path| path.ends_with(".gitignore"))
            .map(|path| format!("{}: {:?}\n", path.display(), std::fs::read_to_string(path).unwrap()))
            .collect();
        assert_eq!(found, judged(&root), "seed {seed}\n{files}{exclude:?}");
    }
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn a_folder_in_a_repository_heeds_what_lies_above_it() {
    let directory = tempfile::tempdir().unwrap();
    let above = directory.path().canonicalize().unwrap();
    write(&above, &[(".gitignore", "*\n"), ("r/.gitignore", "x.yml\n/app/y.yml\n"), ("r/app/.gitignore", "!x.yml\n")]);
    write(&above, &[("r/app/x.yml", ""), ("r/app/y.yml", ""), ("r/app/in/x.yml", ""), ("r/app/in/z.yml", "")]);
    init(&above.join("r"));
    let (found, _) = walked(&above.join("r/app/in"), &above.join("r/app"));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["x.yml", "z.yml"]);
    let (found, _) = walked(&above.join("r/app"), &above.join("r/app"));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [".gitignore", "in", "in/x.yml", "in/z.yml", "x.yml"]);
}

#[test]
fn a_worktree_is_a_repository_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    init(&root);
    write(&root, &[(".gitignore", "*.yml\n"), ("a.yml", ""), ("README", "")]);
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    assert!(git(&root).args(["add", "README"]).status().unwrap().success());
    assert!(git(&root).args(identity).args(["commit", "-qm", "first"]).status().unwrap().success());
    assert!(git(&root).args(["worktree", "add", "-q", "tree"]).status().unwrap().success());
    write(&root, &[("tree/a.yml", ""), ("tree/b.txt", ""), ("tree/.gitignore", "*.txt\n")]);
    let (found, _) = walked(&root, &root);
    assert_eq!(found, judged(&root));
    assert!(found.contains("tree/a.yml") && !found.contains("a.yml") && !found.contains("tree/b.txt"));
}

#[test]
fn ignore_files_of_searching_programs_come_first() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    write(&root, &[(".gitignore", "a.yml\n"), (".ignore", "!a.yml\nb.yml\n"), ("a.yml", ""), ("b.yml", "")]);
    let (found, _) = walked(&root, &root);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [".gitignore", ".ignore", "a.yml"]);
}

/// Each of these once blocked a walk or filled the memory.
#[cfg(target_os = "linux")]
#[test]
fn ignore_files_that_are_no_files_are_passed_over() {
    use std::os::unix::fs::symlink;
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        for kind in ["zero", "pipe", "link", "directory", "huge"] {
            let directory = tempfile::tempdir().unwrap();
            let root = directory.path().canonicalize().unwrap();
            init(&root);
            write(&root, &[("a.yml", ""), ("rules", "a.yml\n")]);
            let path = root.join(name);
            let _ = std::fs::remove_file(&path);
            match kind {
                "zero" => symlink("/dev/zero", &path).unwrap(),
                "pipe" => {
                    let mode = rustix::fs::Mode::from_raw_mode(0o600);
                    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
                }
                "link" => symlink(root.join("rules"), &path).unwrap(),
                "directory" => std::fs::create_dir(&path).unwrap(),
                _ => std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap(),
            }
            let (found, problems) = walked(&root, &root);
            assert!(found.contains("a.yml"), "{name} {kind}");
            assert!(problems[0].contains("is passed over: "), "{name} {kind}: {problems:?}");
        }
    }
}

#[test]
fn patterns_without_end_are_passed_over() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    for index in 0..3 {
        write(&root, &[(&format!("{index}/.gitignore"), &"*.tx\n".repeat(30_000)), (&format!("{index}/a.yml"), "")]);
    }
    let (found, problems) = walked(&root, &root);
    assert_eq!(found.iter().filter(|name| name.ends_with("a.yml")).count(), 3);
    assert!(problems.iter().all(|problem| problem.contains("more than 50000 patterns")), "{problems:?}");
    assert!(!problems.is_empty());
}

#[test]
fn links_are_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    write(&root, &[("w/a.yml", ""), ("out/b.yml", "")]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.join("out"), root.join("w/out")).unwrap();
        std::os::unix::fs::symlink(root.join("out/b.yml"), root.join("w/b.yml")).unwrap();
    }
    let (found, _) = walked(&root.join("w"), &root.join("w"));
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a.yml"]);
}

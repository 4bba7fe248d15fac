use super::found::MAX_FILE_SIZE;
use super::*;

#[test]
fn every_failure_has_words() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bad.yml");
    std::fs::write(&path, b"a: \xff\n").unwrap();
    assert_eq!(read_text(&path), Err(ReadProblem::NotUtf8(3)));
    assert_eq!(read_text(dir.path()), Err(ReadProblem::Directory));
    assert_eq!(read_text(&dir.path().join("none.yml")), Err(ReadProblem::NotFound));

    let big = dir.path().join("big.yml");
    std::fs::File::create(&big).unwrap().set_len(MAX_FILE_SIZE + 1).unwrap();
    let problem = read_text(&big).unwrap_err();
    assert_eq!(problem.to_string(), "the file has 50 MB; files above 50 MB are not read");
}

/// A directory with a workspace folder, a repository around it, and something beyond.
struct Place {
    _directory: tempfile::TempDir,
    /// Outside: what nothing in the repository may reach.
    beyond: std::path::PathBuf,
    repository: std::path::PathBuf,
    folder: std::path::PathBuf,
}

fn place() -> Place {
    let directory = tempfile::tempdir().unwrap();
    let beyond = directory.path().canonicalize().unwrap();
    let repository = beyond.join("repository");
    let folder = repository.join("app");
    for name in [".git/objects", ".git/refs", "app/sub", "common"] {
        std::fs::create_dir_all(repository.join(name)).unwrap();
    }
    std::fs::write(repository.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(repository.join(".git/config"), "password\n").unwrap();
    for file in ["secret.yml", "repository/common/c.yml", "repository/app/a.yml", "repository/app/sub/.env"] {
        std::fs::write(beyond.join(file), "a: 1\n").unwrap();
    }
    Place { _directory: directory, beyond, repository, folder }
}

#[test]
fn text_leads_through_the_folder_and_its_repository_and_no_further() {
    let place = place();
    let reach = Reach::within(&place.folder);
    let out = [
        "../../secret.yml",
        "../../none.yml",
        "..//../secret.yml",
        "sub/../../../secret.yml",
        "../../../../../../../../../../../..",
        "../..",
        "/",
        "/usr",
        "/etc/passwd",
        "/etc/none",
        "/proc/self/environ",
        "../.git/config",
        "../.git",
        "../.GIT/config",
    ];
    for name in out {
        let path = crate::disk::path::normalise(&place.folder, Path::new(name));
        assert_eq!(reach.look(&path), Err(ReadProblem::OutOfReach), "{name}");
        assert_eq!(reach.text(&path), Err(ReadProblem::OutOfReach), "{name}");
        assert_eq!(reach.stat(&path), None, "{name}");
        assert!(reach.files_below(&path, 10, &|_| true).is_err(), "{name}");
    }
    for (name, kind) in [
        ("a.yml", FileType::File),
        ("sub", FileType::Directory),
        (".", FileType::Directory),
        ("..", FileType::Directory),
        ("../common", FileType::Directory),
        ("../common/c.yml", FileType::File),
    ] {
        let path = crate::disk::path::normalise(&place.folder, Path::new(name));
        assert_eq!(reach.look(&path), Ok(kind), "{name}");
    }
    for name in ["none.yml", "a.yml/none", "../none/none.yml"] {
        let path = crate::disk::path::normalise(&place.folder, Path::new(name));
        assert_eq!(reach.look(&path), Err(ReadProblem::NotFound), "{name}");
    }
}

/// A bare repository, or the directory of one that is kept elsewhere, has any name.
#[test]
fn git_is_recognised_by_its_content() {
    let place = place();
    let store = place.folder.join("store");
    for name in ["objects", "refs", "info", "tree"] {
        std::fs::create_dir_all(store.join(name)).unwrap();
    }
    let reach = Reach::within(&place.folder);
    std::fs::write(store.join("config"), "password\n").unwrap();
    assert!(reach.is_file(&store.join("config")), "no git yet");
    std::fs::write(store.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    for name in ["store", "store/config", "store/info", "store/info/exclude"] {
        let path = place.folder.join(name);
        assert_eq!(reach.look(&path), Err(ReadProblem::OutOfReach), "{name}");
        assert_eq!(reach.text(&path), Err(ReadProblem::OutOfReach), "{name}");
    }
    let below = reach.files_below(&place.folder, 100, &|_| true).unwrap();
    assert!(below.files.iter().all(|path| !path.starts_with(&store)), "{below:?}");
    // A working tree inside it is not part of it.
    std::fs::write(store.join("tree/.git"), "gitdir: ../worktrees/tree\n").unwrap();
    std::fs::write(store.join("tree/a.yml"), "a: 1\n").unwrap();
    assert!(reach.is_file(&store.join("tree/a.yml")));
    for name in ["git~1", ".git.", ".GIT", ".git::$DATA", ".g\u{200c}it"] {
        assert_eq!(reach.look(&place.folder.join(name).join("config")), Err(ReadProblem::OutOfReach), "{name}");
    }
}

#[test]
fn without_a_repository_the_folder_is_the_end() {
    let place = place();
    std::fs::remove_dir_all(place.repository.join(".git/refs")).unwrap();
    let reach = Reach::within(&place.folder);
    assert!(reach.is_file(&place.folder.join("a.yml")));
    assert_eq!(reach.look(&place.repository.join("common/c.yml")), Err(ReadProblem::OutOfReach));
}

#[test]
fn paths_without_end_are_refused_at_once() {
    let place = place();
    let reach = Reach::within(&place.folder);
    let long = place.folder.join("a/".repeat(1_000_000));
    assert_eq!(reach.look(&long), Err(ReadProblem::OutOfReach));
}

#[cfg(unix)]
#[test]
fn a_link_is_what_it_leads_to() {
    use std::os::unix::fs::symlink;
    let place = place();
    let at = |name: &str| place.folder.join(name);
    symlink(&place.beyond, at("out")).unwrap();
    symlink(place.beyond.join("secret.yml"), at("secret")).unwrap();
    symlink("/etc", at("etc")).unwrap();
    symlink("../.git", at("git")).unwrap();
    symlink("../common", at("in")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink("loop", at("loop")).unwrap();
    let reach = Reach::within(&place.folder);
    for name in ["out", "out/secret.yml", "out/none", "secret", "etc", "etc/passwd", "git", "git/config"] {
        assert_eq!(reach.look(&at(name)), Err(ReadProblem::OutOfReach), "{name}");
        assert_eq!(reach.text(&at(name)), Err(ReadProblem::OutOfReach), "{name}");
    }
    assert_eq!(reach.look(&at("in/c.yml")), Ok(FileType::File));
    for name in ["dangling", "loop", "loop/x"] {
        assert_eq!(reach.look(&at(name)), Err(ReadProblem::NotFound), "{name}");
    }
    // Links inside a directory are not followed, wherever they lead.
    let below = reach.files_below(&place.folder, 100, &|_| true).unwrap();
    let mut names: Vec<_> = below.files.iter().map(|path| path.strip_prefix(&place.folder).unwrap()).collect();
    names.sort();
    assert_eq!(names, [Path::new("a.yml"), Path::new("sub/.env")]);

    // A workspace folder may be a link itself.
    let link = place.beyond.join("link");
    symlink(&place.folder, &link).unwrap();
    let reach = Reach::within(&link);
    assert_eq!(reach.look(&link.join("a.yml")), Ok(FileType::File));
    assert_eq!(reach.look(&place.repository.join("common/c.yml")), Ok(FileType::File));
    assert_eq!(reach.look(&place.beyond.join("secret.yml")), Err(ReadProblem::OutOfReach));
}

#[test]
fn the_number_of_entries_is_bounded() {
    let place = place();
    let reach = Reach::within(&place.folder);
    assert_eq!(reach.files_below(&place.repository, 7, &|_| true).unwrap().files.len(), 3);
    let problem = reach.files_below(&place.repository, 3, &|_| true).unwrap_err();
    assert_eq!(problem.to_string(), "more than 3 files and directories lie below it: name a smaller one");
}

/// Reading any of these would block for ever or never end.
#[cfg(target_os = "linux")]
#[test]
fn only_regular_files_are_read_and_only_so_far() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("zero")).unwrap();
    std::os::unix::fs::symlink("/dev/tty", at("tty")).unwrap();
    std::os::unix::fs::symlink("pipe", at("link")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    for name in ["pipe", "zero", "tty", "link", "socket"] {
        assert_eq!(Reach::of_user().bytes(&at(name)), Err(ReadProblem::NoFile), "{name}");
    }
    // A file of the system that has the size 0 and content.
    let status = Reach::of_user().text(Path::new("/proc/self/status")).unwrap();
    assert!(status.starts_with("Name:"));
    let limited = Reach::of_user().bytes_up_to(Path::new("/proc/self/status"), 100);
    assert_eq!(limited, Err(ReadProblem::TooLarge(101)));
}

#[test]
fn trust_covers_what_lies_in_its_folders() {
    let place = place();
    let trust = Trust { all: false, folders: vec![place.folder.clone()] };
    assert!(trust.covers(&place.folder.join("lofting.toml")));
    assert!(trust.covers(&place.folder.join("sub/lofting.toml")));
    assert!(!trust.covers(&place.repository.join("lofting.toml")));
    assert!(!trust.covers(&place.repository.join("app2/lofting.toml")));
    assert!(Trust::all().covers(Path::new("/anywhere")));
    assert!(!Trust::default().covers(&place.folder.join("lofting.toml")));
    #[cfg(unix)]
    {
        // A link in a repository to a trusted folder does not make it trusted; a link to a trusted repository does not
        // take its trust away.
        std::os::unix::fs::symlink(&place.folder, place.beyond.join("link")).unwrap();
        std::os::unix::fs::symlink(place.repository.join("common"), place.folder.join("inner")).unwrap();
        assert!(trust.covers(&place.beyond.join("link/lofting.toml")));
        assert!(!trust.covers(&place.folder.join("inner/lofting.toml")));
    }
}

#[test]
fn a_home_directory_is_no_repository_to_read() {
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let Some(home) = home else { return };
    for above in home.ancestors() {
        assert!(!super::reach::is_bound(above), "{}", above.display());
    }
    assert!(super::reach::is_bound(&home.join("src")));
}

/// A directory that was looked at is known for a moment. What takes its place in this moment leads nowhere else.
#[cfg(target_os = "linux")]
#[test]
fn a_link_that_takes_the_place_of_a_directory_leads_no_further() {
    use std::os::unix::fs::symlink;
    let place = place();
    let inner = place.folder.join("deep/sub");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::create_dir_all(place.beyond.join("sub")).unwrap();
    std::fs::create_dir_all(place.repository.join("other")).unwrap();
    for directory in [&inner, &place.beyond.join("sub"), &place.repository.join("other")] {
        std::fs::write(directory.join("a.yml"), format!("at: {}\n", directory.display())).unwrap();
    }
    let path = inner.join("a.yml");
    for (target, is_inside) in [(place.beyond.join("sub"), false), (place.repository.join("other"), true)] {
        let reach = Reach::within(&place.folder);
        for _ in 0..3 {
            assert!(reach.text(&path).unwrap().contains("deep"), "{target:?}");
        }
        std::fs::rename(&inner, place.folder.join("kept")).unwrap();
        symlink(&target, &inner).unwrap();
        let read = reach.text(&path);
        let (_, bytes) = reach.stat_and_bytes(&path);
        if is_inside {
            assert!(read.unwrap().contains("other") && bytes.is_some());
        } else {
            assert_eq!((read, bytes), (Err(ReadProblem::OutOfReach), None));
        }
        std::fs::remove_file(&inner).unwrap();
        std::fs::rename(place.folder.join("kept"), &inner).unwrap();
    }
}

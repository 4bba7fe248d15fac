use crate::{EntryKind, Problem, Repository, Tree};
use gix_object::Kind;
use lofting_tests::history::{FILE, History, LINK};
use std::fs;
use std::path::Path;

fn names(tree: &Tree) -> Vec<String> {
    tree.files().map(|(path, _)| path.to_string_lossy().into_owned()).collect()
}

fn text(tree: &Tree, path: &str) -> String {
    let entry = tree.get(Path::new(path)).expect("a file");
    String::from_utf8(tree.bytes(entry).expect("its bytes")).expect("text")
}

fn repository(root: &Path) -> Repository {
    Repository::around(root).expect("a repository")
}

#[test]
fn files_of_a_revision_are_read_whatever_is_in_the_working_tree() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let first = history.commit("main", &[("a.yml", "a: 1\n"), ("b/c.yml", "c: 1\n"), ("b.yml", "")]);
    history.commit("main", &[("a.yml", "a: 2\n")]);
    fs::write(place.path().join("a.yml"), "a: 3\n").expect("a file");
    fs::create_dir(place.path().join("x")).expect("a directory");
    let repository = repository(&place.path().join("x"));
    assert_eq!(repository.root(), place.path().canonicalize().expect("a path"));
    let old = repository.tree("HEAD~1").expect("a tree");
    assert_eq!(names(&old), ["a.yml", "b.yml", "b/c.yml"]);
    assert_eq!((text(&old, "a.yml"), text(&old, "b/c.yml")), ("a: 1\n".to_owned(), "c: 1\n".to_owned()));
    assert_eq!(old.commit(), first);
    let entry = old.get(Path::new("a.yml")).expect("a file");
    assert_eq!(old.size(entry), Some(5));
    assert!(entry.has(b"a: 1\n") && !entry.has(b"a: 2\n"));
    let listed: Vec<_> =
        old.list(Path::new("")).expect("a directory").map(|(name, entry)| (name, entry.kind)).collect();
    assert_eq!(listed.iter().map(|(name, _)| name.to_string_lossy()).collect::<Vec<_>>(), ["a.yml", "b", "b.yml"]);
    assert_eq!(listed[1].1, EntryKind::Directory);
    assert!(old.list(Path::new("a.yml")).is_none() && old.get(Path::new("b/d.yml")).is_none());
}

#[test]
fn names_are_those_of_git() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let first = history.commit("main", &[("a", "1")]);
    let second = history.commit("main", &[("a", "2")]);
    let side = history.commit("side/way", &[("b", "1")]);
    let tree = history.tree(&[("a", "3", FILE)]);
    let merge = history.commit_of(&tree, &[second.clone(), side.clone()]);
    history.set("refs/heads/main", &merge);
    history.set("refs/remotes/origin/main", &second);
    fs::write(history.git().join("refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/main\n").expect("a file");
    let tag = history.write(
        Kind::Tag,
        format!("object {first}\ntype commit\ntag v1\ntagger a <a@example.org> 1 +0000\n\nfirst\n").as_bytes(),
    );
    let packed = format!("# pack-refs with: peeled fully-peeled sorted\n{tag} refs/tags/v1\n^{first}\n");
    fs::write(history.git().join("packed-refs"), packed).expect("a file");
    let repository = repository(place.path());
    for (name, commit) in [
        ("HEAD", &merge),
        ("@", &merge),
        ("main", &merge),
        ("heads/main", &merge),
        ("refs/heads/main", &merge),
        ("HEAD^", &second),
        ("HEAD^1", &second),
        ("HEAD^2", &side),
        ("HEAD~2", &first),
        ("HEAD^^", &first),
        ("HEAD^0", &merge),
        ("@~", &second),
        ("side/way", &side),
        ("origin/main", &second),
        ("origin", &second),
        ("v1", &first),
        ("v1^{commit}", &first),
        ("tags/v1", &first),
        (first.as_str(), &first),
        (&first[..8], &first),
    ] {
        assert_eq!(repository.tree(name).map(|tree| tree.commit()).as_ref(), Ok(commit), "{name}");
    }
    for name in ["", "nothing", "HEAD~9", "HEAD^3", "HEAD^x", "a b", "../HEAD", "config", "index", "abc", "refs/heads"]
    {
        let found = repository.tree(name).map(|tree| tree.commit());
        assert_eq!(found, Err(Problem::NoRevision(name.to_owned())), "{name}");
    }
    // A clone without its whole history says what would help.
    fs::write(history.git().join("shallow"), format!("{first}\n")).expect("a file");
    assert_eq!(repository.tree("nothing").err(), Some(Problem::Shallow("nothing".to_owned())));
}

#[test]
fn the_newest_commit_in_common_is_found() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    history.commit("main", &[("a", "1")]);
    let fork = history.commit("main", &[("a", "2")]);
    history.set("refs/heads/base", &fork);
    history.commit("base", &[("a", "3")]);
    history.commit("main", &[("a", "4")]);
    history.commit("alone", &[("a", "5")]);
    let repository = repository(place.path());
    assert_eq!(repository.tree("base...").map(|tree| tree.commit()), Ok(fork));
    assert_eq!(repository.tree("alone...").err(), Some(Problem::NothingInCommon("alone".to_owned())));
}

#[test]
fn worktrees_share_objects_and_branches() {
    let place = tempfile::tempdir().expect("a directory");
    let main = place.path().join("main");
    fs::create_dir(&main).expect("a directory");
    let mut history = History::at(&main);
    let first = history.commit("main", &[("a", "1")]);
    let other = history.commit("other", &[("a", "2")]);
    let own = history.git().join("worktrees/tree");
    fs::create_dir_all(&own).expect("a directory");
    fs::write(own.join("HEAD"), "ref: refs/heads/other\n").expect("a file");
    fs::write(own.join("commondir"), "../..\n").expect("a file");
    let tree = place.path().join("tree");
    fs::create_dir(&tree).expect("a directory");
    fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).expect("a file");
    let repository = repository(&tree);
    assert_eq!(repository.tree("HEAD").map(|tree| tree.commit()), Ok(other));
    assert_eq!(repository.tree("main").map(|tree| tree.commit()), Ok(first));
}

#[test]
fn entries_that_could_lead_elsewhere_are_left_out() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let blob = history.write(Kind::Blob, b"x");
    let id = gix_hash::ObjectId::from_hex(blob.as_bytes()).expect("a hash");
    let mut bytes = Vec::new();
    for name in ["..", ".git", ".GIT", "a.yml", "git~1"] {
        bytes.extend(format!("100644 {name}\0").into_bytes());
        bytes.extend(id.as_slice());
    }
    let tree = history.write(Kind::Tree, &bytes);
    let commit = history.commit_of(&tree, &[]);
    history.set("refs/heads/main", &commit);
    assert_eq!(names(&repository(place.path()).tree("HEAD").expect("a tree")), ["a.yml"]);
    history.commit_with_modes("links", &[("a", "b", LINK)]);
    let tree = repository(place.path()).tree("links").expect("a tree");
    assert_eq!(tree.get(Path::new("a")).map(|entry| entry.kind), Some(EntryKind::Link));
    assert_eq!(text(&tree, "a"), "b");
}

#[test]
fn what_is_not_read_is_said() {
    let place = tempfile::tempdir().expect("a directory");
    let around = || Repository::around(place.path()).map(|_| ());
    assert!(matches!(around(), Err(Problem::NoRepository(_))));
    let mut history = History::at(place.path());
    history.commit("main", &[("a", "1")]);
    assert_eq!(around(), Ok(()));
    let config = history.git().join("config");
    for (text, is_read) in [
        ("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n", false),
        ("[extensions] objectformat=\"SHA256\"\n", false),
        ("[extensions]\n\trefStorage = reftable\n", false),
        ("[extensions]\n\tobjectFormat = sha1\n[other]\nrefstorage = reftable\n", true),
    ] {
        fs::write(&config, text).expect("a file");
        assert_eq!(around().is_ok(), is_read, "{text}");
    }
    fs::write(history.git().join("objects/info/alternates"), "/elsewhere\n").expect("a file");
    assert_eq!(around(), Err(Problem::Alternates));
}

#[test]
fn damage_is_no_panic() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let commit = history.commit("main", &[("a", "1")]);
    // A reference to itself, and one to something that is not a commit.
    fs::write(history.git().join("refs/heads/loop"), "ref: refs/heads/loop\n").expect("a file");
    fs::write(history.git().join("refs/heads/out"), "ref: ../../config\n").expect("a file");
    let blob = history.write(Kind::Blob, b"x");
    history.set("refs/heads/blob", &blob);
    history.set("refs/heads/gone", "0123456789012345678901234567890123456789");
    let repository = repository(place.path());
    for name in ["loop", "out", "blob", "gone"] {
        assert!(repository.tree(name).is_err(), "{name}");
    }
    let path = history.git().join("objects").join(&commit[..2]).join(&commit[2..]);
    let bytes = fs::read(&path).expect("an object");
    let other = fs::read(history.git().join("objects").join(&blob[..2]).join(&blob[2..])).expect("an object");
    for damaged in [&bytes[..0], &bytes[..1], &bytes[..bytes.len() / 2], &other] {
        let _ = fs::remove_file(&path);
        fs::write(&path, damaged).expect("a file");
        assert!(repository.tree("HEAD").is_err(), "{damaged:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_file_is_not_opened() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let commit = history.commit("main", &[("a", "1")]);
    let path = history.git().join("objects").join(&commit[..2]).join(&commit[2..]);
    fs::remove_file(&path).expect("an object");
    std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", history.git().join("refs/heads/zero")).expect("a link");
    let repository = repository(place.path());
    assert!(matches!(repository.tree("HEAD"), Err(Problem::Unreadable(..))));
    assert!(matches!(repository.tree("zero"), Err(Problem::Unreadable(..))));
    std::os::unix::fs::symlink("/dev/zero", history.git().join("objects/pack/pack-a.idx")).expect("a link");
    assert!(matches!(Repository::around(place.path()), Err(Problem::Unreadable(..))));
}

/// An entry of a pack: its kind and size, and the compressed bytes.
fn packed(kind: u8, before: &[u8], bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut size = bytes.len();
    let mut out = vec![(kind << 4) | u8::try_from(size & 15).expect("four bits")];
    size >>= 4;
    while size > 0 {
        *out.last_mut().expect("a byte") |= 0x80;
        out.push(u8::try_from(size & 0x7f).expect("seven bits"));
        size >>= 7;
    }
    out.extend(before);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    out.extend(encoder.finish().expect("memory"));
    out
}

fn hash_of(bytes: &[u8]) -> Vec<u8> {
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(bytes);
    hasher.try_finalize().expect("a hash").as_slice().to_vec()
}

/// Writes a pack of objects with their hashes, and its index.
fn write_pack(git: &Path, objects: &[(Vec<u8>, Vec<u8>)]) {
    let number = |number: usize| u32::try_from(number).expect("few").to_be_bytes();
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend(number(objects.len()));
    let mut entries = Vec::new();
    for (id, bytes) in objects {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        entries.push((id.clone(), crc.sum(), pack.len()));
        pack.extend(bytes);
    }
    let trailer = hash_of(&pack);
    pack.extend(&trailer);
    entries.sort();
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=255u8 {
        index.extend(number(entries.iter().filter(|(id, ..)| id[0] <= first).count()));
    }
    entries.iter().for_each(|(id, ..)| index.extend(id));
    entries.iter().for_each(|(_, crc, _)| index.extend(crc.to_be_bytes()));
    entries.iter().for_each(|(.., offset)| index.extend(number(*offset)));
    index.extend(trailer);
    index.extend(hash_of(&index));
    fs::write(git.join("objects/pack/pack-1.pack"), pack).expect("a file");
    fs::write(git.join("objects/pack/pack-1.idx"), index).expect("a file");
}

#[test]
fn objects_in_packs_are_read_up_to_a_size() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let base = "a: 1\n".repeat(50);
    let longer = format!("{base}b: 2\n");
    let commit = history.commit("main", &[("a.yml", &base), ("b.yml", &longer)]);
    let id = |bytes: &[u8], kind: &str| hash_of(&[format!("{kind} {}\0", bytes.len()).as_bytes(), bytes].concat());
    // A delta: all of the base, and five bytes more.
    let delta = [&[0xfa, 1, 0xff, 1, 0b1001_0000, 250, 5][..], b"b: 2\n"].concat();
    let (a, b) = (id(base.as_bytes(), "blob"), id(longer.as_bytes(), "blob"));
    for blob in [&a, &b] {
        let hex: String = blob.iter().map(|byte| format!("{byte:02x}")).collect();
        fs::remove_file(history.git().join("objects").join(&hex[..2]).join(&hex[2..])).expect("a loose object");
    }
    write_pack(history.git(), &[(a.clone(), packed(3, &[], base.as_bytes())), (b, packed(7, &a, &delta))]);
    let tree = repository(place.path()).tree(&commit).expect("a tree");
    assert_eq!((text(&tree, "a.yml"), text(&tree, "b.yml")), (base.clone(), longer));
    // The entry claims to be larger than anything that is read.
    let mut huge = packed(3, &[], base.as_bytes());
    let compressed = huge.split_off(2);
    huge = vec![0xbf, 0xff, 0xff, 0xff, 0xff, 0x7f];
    huge.extend(compressed);
    write_pack(history.git(), &[(a, huge)]);
    let tree = repository(place.path()).tree(&commit).expect("a tree");
    let entry = tree.get(Path::new("a.yml")).expect("an entry");
    assert!(matches!(tree.bytes(entry), Err(Problem::TooMuch(_))), "{:?}", tree.bytes(entry));
    assert_eq!(tree.size(entry), None);
}

#[test]
fn the_base_is_where_the_branch_began() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    let base = |of: &Path| {
        let repository = repository(of);
        let commit = repository.base().expect("a commit");
        let text = |path: &str| {
            let bytes = repository.file(commit, Path::new(path)).expect("an answer");
            bytes.map(|bytes| String::from_utf8(bytes).expect("text"))
        };
        (text("a.yml"), text("b/c.yml"), text("b"), text("b/c.yml/d"), text("../a.yml"))
    };
    let first = history.commit("main", &[("a.yml", "1"), ("b/c.yml", "c")]);
    assert_eq!(base(place.path()), (Some("1".to_owned()), Some("c".to_owned()), None, None, None));
    history.set("refs/heads/feature", &first);
    history.commit("main", &[("a.yml", "2")]);
    history.commit("feature", &[("a.yml", "3")]);
    // On the default branch it is the current commit.
    assert_eq!(base(place.path()).0.as_deref(), Some("2"));
    fs::write(history.git().join("HEAD"), "ref: refs/heads/feature\n").expect("a file");
    assert_eq!(base(place.path()).0.as_deref(), Some("1"));
    // What the remote says counts more than a branch of that name.
    history.commit("release", &[("a.yml", "4")]);
    let tip = history.commit("feature", &[("a.yml", "5")]);
    history.set("refs/remotes/origin/release", &tip);
    fs::write(history.git().join("refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/release\n").expect("a file");
    assert_eq!(base(place.path()).0.as_deref(), Some("5"));
}

#[test]
fn a_repository_on_another_machine_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    for named in ["//host/share/repository", "\\\\host\\share"] {
        fs::write(place.path().join(".git"), format!("gitdir: {named}\n")).expect("a file");
        assert!(matches!(Repository::around(place.path()), Err(Problem::Unsupported(_))), "{named}");
    }
}

#[test]
fn tags_are_those_of_the_history_and_the_newest_comes_first() {
    let place = tempfile::tempdir().expect("a directory");
    let mut history = History::at(place.path());
    assert_eq!(repository(place.path()).tags().map_err(|problem| matches!(problem, Problem::NoRevision(_))), Err(true));
    let first = history.commit("main", &[("a", "1")]);
    history.commit("main", &[("a", "2")]);
    let third = history.commit("main", &[("a", "3")]);
    let side = history.commit("side", &[("a", "4")]);
    history.set("refs/tags/v2", &third);
    history.set("refs/tags/release/2", &third);
    history.set("refs/tags/side", &side);
    let tag = history.write(
        Kind::Tag,
        format!("object {first}\ntype commit\ntag v1\ntagger a <a@example.org> 1 +0000\n\nfirst\n").as_bytes(),
    );
    fs::write(history.git().join("packed-refs"), format!("{tag} refs/tags/v1\n^{first}\n")).expect("a file");
    fs::write(history.git().join("refs/tags/junk"), "junk").expect("a file");
    let tags = repository(place.path()).tags().expect("tags");
    let names: Vec<Vec<String>> = tags.iter().map(|tag| tag.names.clone()).collect();
    assert_eq!(names, [vec!["release/2".to_owned(), "v2".to_owned()], vec!["v1".to_owned()]]);
    assert!(tags[0].seconds > tags[1].seconds);
}

//! Fetching from servers that are healthy, slow, hostile or gone.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lofting_fetch::{Cache, Consent, CopyLimits, FetchError, Fetched, Fetcher, HostPattern, Limits, Policy, Total};
use lofting_tests::web::{Reply, Server};

const SCHEMA: &str = r#"{"type": "object"}"#;

/// Limits under which every copy is due for a check at once.
const IMPATIENT: Limits = Limits {
    bytes: 4_096,
    connect: Duration::from_secs(5),
    whole: Duration::from_secs(10),
    redirects: 3,
    fresh: Duration::ZERO,
    total: Total {
        documents: 1_000,
        bytes: 1_000_000,
        time: Duration::from_secs(100),
        window: Duration::from_secs(1_000),
    },
    kept: CopyLimits { bytes: 1_000_000, time: Duration::from_secs(1_000) },
};

/// A fetcher with its own cache.
struct Bench {
    fetcher: Fetcher,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new(hosts: &[&str], limits: Limits) -> Bench {
        Bench::with(hosts, limits, false)
    }

    fn with(hosts: &[&str], limits: Limits, offline: bool) -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        Bench { fetcher: fetcher(folder.path(), hosts, limits, offline), _folder: folder }
    }

    fn fetch(&self, url: &str) -> Result<Fetched, FetchError> {
        self.fetcher.fetch(url, Consent::Host)
    }

    /// The error when fetching this URL.
    fn refused(&self, url: &str) -> String {
        self.fetch(url).map(|fetched| fetched.path).expect_err(url).to_string()
    }
}

fn fetcher(folder: &std::path::Path, hosts: &[&str], limits: Limits, offline: bool) -> Fetcher {
    let hosts = hosts.iter().map(|host| HostPattern::parse(host).expect(host)).collect();
    Fetcher::new(Policy { hosts, offline }, Cache::in_folder(folder.to_owned()), limits)
}

fn text(fetched: &Fetched) -> String {
    fs::read_to_string(&fetched.path).expect("the copy is there")
}

#[test]
fn a_document_is_fetched_once_a_day() {
    let server = Server::start(|_| Reply::json(SCHEMA));
    let bench = Bench::new(&[&server.host()], Limits::default());
    let url = server.url("/a/schema.json");
    assert!(bench.fetcher.at_hand(&url, Consent::Host).is_none());
    for _ in 0..2 {
        let fetched = bench.fetch(&format!("{url}#/definitions/x")).expect("it is there");
        assert_eq!(text(&fetched), SCHEMA);
        assert!(fetched.outdated.is_none());
    }
    assert!(!bench.fetcher.at_hand(&url, Consent::Host).expect("a copy").is_due);
    let asked = server.asked();
    assert_eq!(asked.iter().map(|asked| asked.target.as_str()).collect::<Vec<_>>(), ["/a/schema.json"]);
    assert!(asked[0].header("user-agent").is_some_and(|agent| agent.starts_with("lofting/")));
}

#[test]
fn nobody_is_asked_whom_the_user_does_not_allow() {
    let server = Server::start(|_| Reply::json(SCHEMA));
    let url = server.url("/schema.json");
    for hosts in [&[][..], &["127.0.0.1"], &["localhost"], &["*"], &["http://localhost"], &["http://127.0.0.1"]] {
        let refused = Bench::new(hosts, IMPATIENT).refused(&url);
        assert_eq!(refused, format!("nothing is fetched from `{}` unless you allow it", server.host()), "{hosts:?}");
    }
    let given = Bench::new(&["*"], IMPATIENT).fetcher.fetch(&url, Consent::Given);
    assert!(given.is_err_and(|error| error.is_refusal()));
    assert_eq!(server.asked(), []);
}

#[test]
fn private_addresses_are_for_hosts_that_are_allowed_by_name() {
    // The address decides, whatever the name is; nothing listens at these ports.
    for url in ["https://127.0.0.1:1/x", "https://[::1]:1/x", "https://10.0.0.1/x", "https://169.254.169.254/latest"] {
        let refused = Bench::new(&["*"], IMPATIENT).refused(url);
        assert!(refused.contains("in a private network"), "{url}: {refused}");
        let given = Bench::new(&[], IMPATIENT).fetcher.fetch(url, Consent::Given).map(|fetched| fetched.path);
        assert!(given.expect_err(url).to_string().contains("in a private network"), "{url}");
    }
    let refused = Bench::new(&["*"], IMPATIENT).refused("https://localhost:1/x");
    assert!(refused.contains("in a private network"), "{refused}");
    let named = Bench::new(&["127.0.0.1:1"], IMPATIENT).refused("https://127.0.0.1:1/x");
    assert!(named.contains("cannot be reached"), "{named}");
}

#[test]
fn each_place_that_a_server_sends_to_is_looked_at_again() {
    let far = Server::start(|_| Reply::json(SCHEMA));
    let far_url = far.url("/x");
    let server = Server::start(move |asked| match asked.target.as_str() {
        "/relative" => Reply::redirect("down/../schema.json?x"),
        "/schema.json?x" => Reply::json(SCHEMA),
        "/far" => Reply::redirect(&far_url),
        "/file" => Reply::redirect("file:///etc/passwd"),
        "/private" => Reply::redirect("https://10.0.0.1/x"),
        "/nowhere" => Reply::status(302),
        "/loop" => Reply::redirect("/loop"),
        _ => Reply::status(404),
    });
    let bench = Bench::new(&[&server.host(), "*"], IMPATIENT);
    assert_eq!(text(&bench.fetch(&server.url("/relative")).expect("it is there")), SCHEMA);
    let refused = bench.refused(&server.url("/far"));
    assert!(refused.contains("redirects to") && refused.contains("unless you allow it"), "{refused}");
    assert_eq!(far.asked(), []);
    let refused = bench.refused(&server.url("/file"));
    assert_eq!(refused, "its server redirects to `file:///etc/passwd`: only `https:` is fetched, not `file:`");
    let refused = bench.refused(&server.url("/private"));
    assert!(refused.contains("in a private network"), "{refused}");
    assert_eq!(bench.refused(&server.url("/nowhere")), "this is not a URL that can be fetched");
    assert_eq!(bench.refused(&server.url("/loop")), "its server redirects too often");
    assert_eq!(server.asked().iter().filter(|asked| asked.target == "/loop").count(), 4);
}

#[test]
fn what_is_too_large_too_slow_or_no_document_is_given_up() {
    let server = Server::start(|asked| match asked.target.as_str() {
        "/large" => Reply::json(&" ".repeat(5_000)),
        "/endless" => Reply::Endless,
        "/silent" => Reply::Silence,
        "/page" => Reply::status(200).with("content-type", "Text/HTML; charset=utf-8").body("<html>"),
        "/error" => Reply::status(500),
        _ => Reply::status(404),
    });
    let bench = Bench::new(&[&server.host()], IMPATIENT);
    assert_eq!(bench.refused(&server.url("/large")), "it is larger than 1 MB");
    assert_eq!(bench.refused(&server.url("/endless")), "it is larger than 1 MB");
    assert_eq!(bench.refused(&server.url("/page")), "its server answers with a web page");
    assert_eq!(bench.refused(&server.url("/error")), "its server answers with the status 500");
    assert_eq!(bench.refused(&server.url("/gone")), "its server has no such document");
    let hasty = Bench::new(&[&server.host()], Limits { whole: Duration::from_millis(200), ..IMPATIENT });
    assert_eq!(hasty.refused(&server.url("/silent")), "its server takes too long");
}

#[test]
fn a_copy_is_asked_about_and_used_when_nobody_answers() {
    let (count, is_ill) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (counted, ill) = (count.clone(), is_ill.clone());
    let server = Server::start(move |asked| {
        counted.fetch_add(1, Ordering::SeqCst);
        if ill.load(Ordering::SeqCst) {
            return Reply::status(503);
        }
        match asked.header("if-none-match") {
            Some("\"1\"") => Reply::status(304),
            _ => Reply::json(SCHEMA).with("etag", "\"1\"").with("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT"),
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let host = server.host();
    let fetcher = |offline| fetcher(folder.path(), &[&host], IMPATIENT, offline);
    let url = server.url("/schema.json");
    let fetch = |offline| fetcher(offline).fetch(&url, Consent::Host);
    assert!(matches!(fetch(true), Err(FetchError::Offline)));
    for _ in 0..3 {
        let fetched = fetch(false).expect("it is there");
        assert!(fetched.outdated.is_none());
        assert_eq!(text(&fetched), SCHEMA);
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[2].header("if-modified-since"), Some("Thu, 01 Jan 2026 00:00:00 GMT"));
    assert!(fetcher(false).at_hand(&url, Consent::Host).expect("a copy").is_due);
    is_ill.store(true, Ordering::SeqCst);
    let fetched = fetch(false).expect("the copy is used");
    assert_eq!(text(&fetched), SCHEMA);
    assert!(matches!(fetched.outdated, Some(FetchError::Status(503))));
    let before = count.load(Ordering::SeqCst);
    assert_eq!(text(&fetch(true).expect("the copy is used")), SCHEMA);
    assert_eq!(count.load(Ordering::SeqCst), before);
    drop(server);
    let fetched = fetch(false).expect("the copy is used");
    assert!(matches!(fetched.outdated, Some(FetchError::NoAnswer(_))), "{fetched:?}");
}

/// A schema that refers to ever more others costs no more than the total.
#[test]
fn all_documents_together_have_limits() {
    const SIZE: usize = 1_000;
    let usual = IMPATIENT.total;
    let limits = |total: Total| Limits { total, ..IMPATIENT };
    let body = format!("\"{}\"", "x".repeat(SIZE - 2));
    let server =
        Server::start(move |asked| if asked.target.starts_with("/slow") { Reply::Silence } else { Reply::json(&body) });
    let spent = |bench: &Bench, path: &str| {
        let mut fetched = 0;
        loop {
            match bench.fetch(&server.url(&format!("{path}{fetched}.json"))) {
                Ok(_) => fetched += 1,
                Err(error) => return (fetched, error.to_string()),
            }
            assert!(fetched < 100);
        }
    };
    let reached = |limit: &str| {
        format!("the limit for all documents together is reached ({limit}); what is still missing is fetched next time")
    };
    let bench = Bench::new(&[&server.host()], limits(Total { documents: 7, ..usual }));
    assert_eq!(spent(&bench, "/a"), (7, reached("7 documents")));
    assert_eq!(server.asked().len(), 7, "no host is asked any more");
    let bench = Bench::new(&[&server.host()], limits(Total { bytes: 5 * SIZE as u64, ..usual }));
    assert_eq!(spent(&bench, "/b"), (5, reached("1 MB")));
    // What was fetched is still there.
    let known = server.url("/b0.json");
    assert!(bench.fetcher.at_hand(&known, Consent::Host).is_some());
    // Time.
    let total = Total { time: Duration::from_secs(1), ..usual };
    let bench = Bench::new(&[&server.host()], limits(total));
    let begin = std::time::Instant::now();
    for _ in 0..5 {
        bench.fetch(&server.url("/slow")).expect_err("it never answers");
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert_eq!(bench.refused(&server.url("/slow")), reached("1 s of requests"));
    // A process that runs for a long time starts counting again.
    let total = Total { documents: 1, window: Duration::from_millis(200), ..usual };
    let bench = Bench::new(&[&server.host()], limits(total));
    bench.fetch(&server.url("/c0.json")).expect("the first");
    bench.fetch(&server.url("/c1.json")).expect_err("the second");
    std::thread::sleep(Duration::from_millis(250));
    bench.fetch(&server.url("/c1.json")).expect("later");
}

/// The folder of copies does not grow without bound, and the newest copies stay.
#[test]
fn copies_are_deleted_beyond_the_limits() {
    const SIZE: u64 = 1_000;
    let body = format!("\"{}\"", "x".repeat(998));
    let server = Server::start(move |_| Reply::json(&body));
    let folder = tempfile::tempdir().expect("a folder");
    // Not a copy: it stays.
    fs::create_dir_all(folder.path().join("mine")).expect("a folder");
    fs::write(folder.path().join("mine/notes.json"), vec![b' '; 50_000]).expect("a file");
    let kept = CopyLimits { bytes: 20 * SIZE, time: Duration::from_secs(1_000) };
    let all = fetcher(folder.path(), &[&server.host()], Limits { kept, ..IMPATIENT }, false);
    let size = || {
        let entries =
            |path: &std::path::Path| fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
        let hosts = entries(folder.path()).filter(|entry| entry.file_name() != "mine");
        hosts.flat_map(|host| entries(&host.path())).map(|entry| entry.metadata().expect("a file").len()).sum::<u64>()
    };
    for number in 0..60 {
        let url = server.url(&format!("/{number}.json"));
        all.fetch(&url, Consent::Host).expect("it is there");
        assert!(all.at_hand(&url, Consent::Host).is_some(), "{number}: it was stored just now");
        assert!(size() <= kept.bytes, "{number}: {}", size());
    }
    assert!(size() > kept.bytes / 2);
    assert!(folder.path().join("mine/notes.json").is_file());
    // Copies that no server has confirmed for a long time.
    std::thread::sleep(Duration::from_millis(1_100));
    let kept = CopyLimits { bytes: 20 * SIZE, time: Duration::from_secs(1) };
    let later = fetcher(folder.path(), &[&server.host()], Limits { kept, ..IMPATIENT }, false);
    later.fetch(&server.url("/new.json"), Consent::Host).expect("it is there");
    assert!(size() < 2 * SIZE, "{}", size());
}

/// Links and pipes in the folder of copies are neither followed nor waited for.
#[cfg(unix)]
#[test]
fn hostile_entries_of_the_folder_are_no_copies() {
    use std::os::unix::fs::symlink;
    let server = Server::start(|_| Reply::json(SCHEMA));
    let url = server.url("/schema.json");
    let outside = tempfile::tempdir().expect("a folder");
    let target = outside.path().join("target");
    for (on_note, kind) in
        [true, false].into_iter().flat_map(|n| ["link", "dangling", "pipe", "directory"].map(|k| (n, k)))
    {
        let bench = Bench::new(&[&server.host()], IMPATIENT);
        fs::write(&target, "mine").expect("a file");
        let path = bench.fetch(&url).expect("it is there").path;
        let place = if on_note { path.with_extension("note") } else { path };
        fs::remove_file(&place).expect("it is there");
        match kind {
            "link" => symlink(&target, &place).expect("a link"),
            "dangling" => symlink(outside.path().join("none"), &place).expect("a link"),
            "pipe" => {
                let mode = rustix::fs::Mode::from_raw_mode(0o600);
                rustix::fs::mknodat(rustix::fs::CWD, &place, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
            }
            _ => fs::create_dir(&place).expect("a directory"),
        }
        assert!(bench.fetcher.at_hand(&url, Consent::Host).is_none(), "{kind}");
        let again = bench.fetch(&url);
        assert_eq!(fs::read_to_string(&target).expect("a file"), "mine", "{kind}");
        assert!(!outside.path().join("none").exists(), "{kind}");
        if let Ok(fetched) = again {
            assert_eq!(text(&fetched), SCHEMA, "{kind}");
        }
    }
    // A host's folder that is a link.
    let bench = Bench::new(&[&server.host()], IMPATIENT);
    let path = bench.fetch(&url).expect("it is there").path;
    let host = path.parent().expect("a folder");
    fs::rename(host, outside.path().join("host")).expect("moved");
    symlink(outside.path().join("host"), host).expect("a link");
    assert!(bench.fetcher.at_hand(&url, Consent::Host).is_none());
    let refused = bench.refused(&url);
    assert!(refused.contains("nothing is written through links"), "{refused}");
}

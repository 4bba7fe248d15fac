//! What this program is: its version, commit and target, and what is built in.

use lofting_catalogue::Catalogue;

/// `0.1.0`.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit and its day; empty in builds for editing, and in builds outside a repository.
const COMMIT: &str = env!("LOFTING_COMMIT");

/// What another program than this one differs in: version and commit. A build for editing has no commit; its file has
/// another time after each build.
pub(crate) fn identity() -> String {
    let built = || {
        let file = std::env::current_exe().and_then(|path| path.metadata()).ok()?;
        Some(format!("{} {:?}", file.len(), file.modified().ok()?))
    };
    match COMMIT {
        "" => format!("{VERSION} {}", built().unwrap_or_default()),
        commit => format!("{VERSION} {commit}"),
    }
}

/// One line, as programs read it: `lofting 0.1.0 (8b9d384e0f12 2026-11-26)`.
fn line() -> String {
    match COMMIT {
        "" => format!("lofting {VERSION}"),
        commit => format!("lofting {VERSION} ({commit})"),
    }
}

/// All of it, for `lofting --version`.
pub(crate) fn text() -> String {
    let build = if cfg!(debug_assertions) { ", with assertions" } else { "" };
    format!(
        "{}\ntarget: {}\nbuilt with: {}{build}\nschemas built in: {}\n",
        line(),
        env!("LOFTING_TARGET"),
        env!("LOFTING_RUSTC"),
        schemas(Catalogue::built_in().as_deref()),
    )
}

/// What a catalogue holds, in a few words.
fn schemas(catalogue: Option<&Catalogue>) -> String {
    let Some(catalogue) = catalogue else { return "none".to_owned() };
    let files = catalogue.entries().iter().filter(|entry| catalogue.origin(&entry.url).is_some()).count();
    let date = catalogue.origins().iter().map(|origin| origin.date.as_str()).max().unwrap_or_default();
    let versions = catalogue.versions();
    match (versions.last(), versions.first()) {
        (Some(oldest), Some(newest)) => format!("{files} for files, Kubernetes {oldest} to {newest} ({date})"),
        _ => format!("{files} for files ({date})"),
    }
}

//! Files and folders that are renamed: paths to them in other files, and the paths that they contain themselves, are
//! rewritten.

use lofting_document::Span;
use lofting_workspace::{CancelFlag, LinkTarget, Snapshot, moved_path, normalise, relative};
use std::path::{Path, PathBuf};

#[cfg(test)]
mod tests;

/// The replacements in all files that keep links where they lead when files or folders move, each from an old path to a
/// new one. The places are those before the move. What leads nowhere stays as it is, and patterns do.
pub fn rename_files(snapshot: &Snapshot, moves: &[(PathBuf, PathBuf)], cancel: &CancelFlag) -> Vec<(Span, String)> {
    let mut edits = Vec::new();
    let mut files: Vec<_> = snapshot.files().collect();
    files.sort_by(|one, other| snapshot.path(*one).cmp(snapshot.path(*other)));
    for file in files {
        if cancel.is_cancelled() {
            return Vec::new();
        }
        let text = snapshot.text(file);
        for link in snapshot.links(file) {
            let LinkTarget::File(target) = link.target else { continue };
            let (from, to) = (snapshot.path(file), snapshot.path(target));
            let (new_from, new_to) = (moved(from, moves), moved(to, moves));
            if new_from == from && new_to == to {
                continue;
            }
            let written = text.slice(link.range.clone()).into_owned();
            let new = written_anew(&written, (from, to), (&new_from, &new_to));
            let is_quoted = text
                .slice(text.round_down(link.range.start.saturating_sub(1))..link.range.start)
                .ends_with(['"', '\'']);
            let new = new.filter(|new| *new != written && can_stand(new, is_quoted));
            edits.extend(new.map(|new| (Span::new(file, link.range), new)));
        }
    }
    edits
}

/// Whether a path can be written where another was written without quotes or escapes.
fn can_stand(path: &str, is_quoted: bool) -> bool {
    let means_more = |c: char| matches!(c, '"' | '\'' | '\\' | '#' | '%') || c.is_control();
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}');
    let (path, _) = path.split_once('#').unwrap_or((path, ""));
    !path.contains(means_more) && (is_quoted || !path.contains(ends))
}

/// Where a path leads after the moves; of several the one of the innermost folder counts.
fn moved(path: &Path, moves: &[(PathBuf, PathBuf)]) -> PathBuf {
    let concerned = moves.iter().filter_map(|(old, new)| Some((old, new, path.strip_prefix(old).ok()?)));
    let innermost = concerned.max_by_key(|(old, ..)| old.components().count());
    match innermost {
        Some((_, new, rest)) if rest.as_os_str().is_empty() => new.clone(),
        Some((_, new, rest)) => new.join(rest),
        None => path.to_owned(),
    }
}

/// A link as it has to be written after the move; none where it is not clear from which folder it starts.
fn written_anew(written: &str, (from, to): (&Path, &Path), (new_from, new_to): (&Path, &Path)) -> Option<String> {
    // `@library:path` and `path#/part/of/it`
    let library = written.starts_with('@').then(|| written.find(':')).flatten().map_or(0, |colon| colon + 1);
    let (lead, rest) = written.split_at_checked(library)?;
    let (path, part) = rest.split_at_checked(rest.find('#').unwrap_or(rest.len()))?;
    if path.is_empty() || path.contains('%') {
        return None;
    }
    let directory = from.parent()?;
    if lead.is_empty() && !path.starts_with('/') && normalise(directory, Path::new(path)) == to {
        let new = relative(new_from.parent()?, new_to)?;
        let dot = if path.starts_with("./") && !new.starts_with("../") { "./" } else { "" };
        return Some(format!("{dot}{new}{part}"));
    }
    if let Some(folder) = moved_path(path, (from, to), (new_from, new_to)) {
        return Some(format!("{folder}{part}"));
    }
    // It starts at another folder, such as the root of a library: from there it leads on as before.
    let slash = if path.starts_with('/') { "/" } else { "" };
    let start = to.to_str()?.strip_suffix(path.trim_start_matches('/'))?.strip_suffix('/')?;
    let new = new_to.strip_prefix(start).ok()?.to_str()?;
    Some(format!("{lead}{slash}{new}{part}"))
}

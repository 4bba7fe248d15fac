//! What a name of a revision stands for, by the rules of `gitrevisions`.

use crate::objects::Objects;
use crate::place::GitDirectories;
use crate::problem::Problem;
use gix_hash::{Kind as Hash, ObjectId};
use gix_object::{CommitRefIter, Kind, TagRefIter};
use std::collections::{BinaryHeap, HashMap, HashSet};

/// References that name each other, and tags of tags: more is a loop.
const DEEP: usize = 20;

/// How many commits are looked at, for `~` and for what two branches have in common.
pub(crate) const COMMITS: usize = 1_000_000;

/// What may be before a short name, in this order.
const FORMS: [&str; 6] = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes//HEAD"];

/// The commit that a name stands for.
pub(crate) fn commit(place: &GitDirectories, objects: &Objects, revision: &str) -> Result<ObjectId, Problem> {
    let none = || Problem::NoRevision(revision.to_owned());
    let end = revision.find(['~', '^']).unwrap_or(revision.len());
    let (name, mut steps) = revision.split_at(end);
    let mut found = peeled(objects, named(place, objects, name)?.ok_or_else(none)?)?;
    while let Some(kind) = steps.chars().next() {
        let rest = &steps[kind.len_utf8()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = rest.split_at(digits);
        // `^{commit}` asks for what is found anyway.
        if let Some(rest) = rest.strip_prefix("{commit}").or_else(|| rest.strip_prefix("{}")).filter(|_| kind == '^') {
            steps = rest;
            continue;
        }
        let count: usize = if number.is_empty() { 1 } else { number.parse().map_err(|_| none())? };
        match kind {
            '~' => {
                for _ in 0..count.min(COMMITS) {
                    found = parents(objects, found)?.first().copied().ok_or_else(none)?;
                }
            }
            '^' if count == 0 => {}
            '^' => found = parents(objects, found)?.get(count - 1).copied().ok_or_else(none)?,
            _ => return Err(none()),
        }
        steps = rest;
    }
    Ok(found)
}

/// The object that a name without steps stands for.
fn named(place: &GitDirectories, objects: &Objects, name: &str) -> Result<Option<ObjectId>, Problem> {
    let name = if name == "@" { "HEAD" } else { name };
    if let Some(id) = hash(name) {
        return Ok(Some(id));
    }
    if is_name(name) {
        for form in FORMS {
            let whole = match form.split_once("//") {
                Some((before, behind)) => format!("{before}/{name}/{behind}"),
                None => format!("{form}{name}"),
            };
            // Other files of git's directory are not references.
            let is_reference = whole.starts_with("refs/") || whole.ends_with("HEAD");
            if let Some(id) = if is_reference { followed(place, &whole)? } else { None } {
                return Ok(Some(id));
            }
        }
    }
    let is_short = name.len() >= 4 && name.len() < 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_short { objects.beginning_with(name) } else { Ok(None) }
}

/// Where a reference finally leads.
fn followed(place: &GitDirectories, name: &str) -> Result<Option<ObjectId>, Problem> {
    let mut name = name.to_owned();
    for _ in 0..DEEP {
        let Some(said) = place.reference(&name)? else { return Ok(None) };
        match said.strip_prefix("ref:").map(str::trim) {
            Some(next) if is_name(next) && next.starts_with("refs/") => next.clone_into(&mut name),
            Some(_) => return Err(Problem::Damaged(format!("the reference `{name}` leads nowhere"))),
            None => {
                let id = hash(&said).ok_or_else(|| Problem::Damaged(format!("the reference `{name}` has no hash")))?;
                return Ok(Some(id));
            }
        }
    }
    Err(Problem::Damaged(format!("the reference `{name}` leads to itself")))
}

/// Whether git accepts a name for a reference. It becomes part of a path.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_refused = |c: char| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\');
    name.len() < 1024 && name.split('/').all(is_part) && !name.contains("..") && !name.contains(is_refused)
}

fn hash(text: &str) -> Option<ObjectId> {
    (text.len() == 40).then(|| ObjectId::from_hex(text.as_bytes()).ok())?
}

/// The commit that a hash leads to.
pub(crate) fn of_hash(objects: &Objects, text: &str) -> Result<ObjectId, Problem> {
    peeled(objects, hash(text).ok_or_else(|| Problem::NoRevision(text.to_owned()))?)
}

/// The commit that a tag leads to.
fn peeled(objects: &Objects, id: ObjectId) -> Result<ObjectId, Problem> {
    let mut id = id;
    for _ in 0..DEEP {
        let (kind, bytes) = objects.read(id)?;
        match kind {
            Kind::Commit => return Ok(id),
            Kind::Tag => {
                let target = TagRefIter::from_bytes(&bytes, Hash::Sha1).target_id();
                id = target.map_err(|_| Problem::Damaged(format!("the tag {id} names no object")))?;
            }
            Kind::Tree | Kind::Blob => return Err(Problem::Damaged(format!("the object {id} is not a commit"))),
        }
    }
    Err(Problem::Damaged(format!("the tag {id} leads to no commit")))
}

/// The tree of a commit.
pub(crate) fn tree_of(objects: &Objects, commit: ObjectId) -> Result<ObjectId, Problem> {
    let (_, bytes) = objects.read(commit)?;
    let tree = CommitRefIter::from_bytes(&bytes, Hash::Sha1).tree_id();
    tree.map_err(|_| Problem::Damaged(format!("the commit {commit} has no tree")))
}

fn parents(objects: &Objects, commit: ObjectId) -> Result<Vec<ObjectId>, Problem> {
    Ok(read_commit(objects, commit)?.0)
}

/// The parents of a commit, and its time in seconds.
fn read_commit(objects: &Objects, commit: ObjectId) -> Result<(Vec<ObjectId>, i64), Problem> {
    let (kind, bytes) = objects.read(commit)?;
    if kind != Kind::Commit {
        return Err(Problem::Damaged(format!("the object {commit} is not a commit")));
    }
    let parents = CommitRefIter::from_bytes(&bytes, Hash::Sha1).parent_ids().collect();
    let committer = CommitRefIter::from_bytes(&bytes, Hash::Sha1).committer().ok();
    let time = committer.map_or(0, |committer| committer.seconds());
    Ok((parents, time))
}

/// Which of some commits are in the history of one, the newest first, each with its time in seconds. Looking ends once all are
/// found. History that a clone lacks does not count.
pub(crate) fn in_history(
    objects: &Objects,
    of: ObjectId,
    wanted: &HashSet<ObjectId>,
) -> Result<Vec<(ObjectId, i64)>, Problem> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([of]);
    let mut open: BinaryHeap<(i64, ObjectId)> = BinaryHeap::from([(read_commit(objects, of)?.1, of)]);
    while let Some((time, id)) = open.pop() {
        if wanted.contains(&id) {
            found.push((id, time));
        }
        if found.len() == wanted.len() || seen.len() > COMMITS {
            break;
        }
        for parent in parents(objects, id)? {
            if seen.insert(parent) {
                match read_commit(objects, parent) {
                    Ok((_, time)) => open.push((time, parent)),
                    Err(Problem::Missing(_)) => {}
                    Err(problem) => return Err(problem),
                }
            }
        }
    }
    Ok(found)
}

/// Which of two commits a third one is an ancestor of.
const OURS: u8 = 1;
/// See `OURS`.
const THEIRS: u8 = 2;
const BOTH: u8 = OURS | THEIRS;

/// The newest commit that is an ancestor of both, if there is one; the number of commits that are looked at is limited.
/// History that a clone lacks does not count.
pub(crate) fn in_common(
    objects: &Objects,
    (ours, theirs): (ObjectId, ObjectId),
    most: usize,
) -> Result<Option<ObjectId>, Problem> {
    let mut marks: HashMap<ObjectId, u8> = HashMap::new();
    // The newest first, so that only a few commits are looked at.
    let mut open: BinaryHeap<(i64, ObjectId)> = BinaryHeap::new();
    let mut known: HashMap<ObjectId, Vec<ObjectId>> = HashMap::new();
    for (id, mark) in [(ours, OURS), (theirs, THEIRS)] {
        *marks.entry(id).or_default() |= mark;
        open.push((read_commit(objects, id)?.1, id));
    }
    let mut looked = 0;
    while let Some((_, id)) = open.pop() {
        looked += 1;
        if looked > most {
            return Err(Problem::TooMuch("the history is too long to be searched"));
        }
        let mark = marks.get(&id).copied().unwrap_or_default();
        if mark == BOTH {
            return Ok(Some(id));
        }
        let parents = match known.get(&id) {
            Some(parents) => parents.clone(),
            None => {
                let parents = read_commit(objects, id)?.0;
                known.insert(id, parents.clone());
                parents
            }
        };
        for parent in parents {
            let before = marks.get(&parent).copied().unwrap_or_default();
            if before | mark != before {
                match read_commit(objects, parent) {
                    Ok((_, time)) => {
                        marks.insert(parent, before | mark);
                        open.push((time, parent));
                    }
                    Err(Problem::Missing(_)) => {}
                    Err(problem) => return Err(problem),
                }
            }
        }
    }
    Ok(None)
}

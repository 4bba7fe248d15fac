//! Finds the lines to blame when the heads and ends of code blocks do not match.
//!
//! A file has a head without its `end`, or an `end` too many, mostly while it is being typed. The finding belongs on that
//! line, not on one far below that lost its partner to it. The columns help: people write a head and its
//! `end` in the same column.

use crate::Span;

/// The column of code after a `#@ ` at the start of a line; some authors write less.
const MARGIN: usize = 3;

/// A line that begins or ends a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// `if x:`
    Head,
    /// `def f():`
    Def,
    /// `if x`
    HalfHead,
    /// `end`
    End,
}

/// The lines to blame.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Blame {
    /// Indices of heads without an `end`.
    pub unclosed: Vec<usize>,
    /// Indices of `end`s without a head.
    pub unexpected: Vec<usize>,
}

/// Finds the lines to blame. `column` gives the column of a line; it is called only if blocks do not match.
pub(super) fn blame(edges: &[(Edge, Span)], column: impl Fn(Span) -> usize) -> Blame {
    let plain = last_in_first_out(edges);
    let columns = || edges.iter().map(|(_, span)| column(*span)).collect::<Vec<_>>();
    let better = match (plain.unclosed.is_empty(), plain.unexpected.is_empty()) {
        (true, true) => return plain,
        (false, true) => unclosed(edges, &columns()),
        (true, false) => unexpected(edges, &columns()),
        (false, false) => return plain,
    };
    let even = better.unclosed.len() == plain.unclosed.len() && better.unexpected.len() == plain.unexpected.len();
    if even { better } else { plain }
}

fn last_in_first_out(edges: &[(Edge, Span)]) -> Blame {
    let mut blame = Blame::default();
    for (index, (edge, _)) in edges.iter().enumerate() {
        match edge {
            Edge::Head | Edge::Def | Edge::HalfHead => blame.unclosed.push(index),
            Edge::End if blame.unclosed.pop().is_none() => blame.unexpected.push(index),
            Edge::End => {}
        }
    }
    blame
}

/// For more heads than ends: an end belongs to the head in its column, and the heads between them lack theirs.
fn unclosed(edges: &[(Edge, Span)], columns: &[usize]) -> Blame {
    let mut blame = Blame::default();
    let mut open: Vec<usize> = Vec::new();
    for (index, (edge, _)) in edges.iter().enumerate() {
        if *edge != Edge::End {
            open.push(index);
            continue;
        }
        let is_half = |head: usize| edges.get(head).is_some_and(|(edge, _)| *edge == Edge::HalfHead);
        let same = |head: usize| columns.get(head) == columns.get(index);
        let place = open
            .iter()
            .rposition(|head| same(*head) && !is_half(*head))
            .or_else(|| open.iter().rposition(|head| same(*head)))
            .or_else(|| open.iter().rposition(|head| !is_half(*head)))
            .unwrap_or(open.len().saturating_sub(1));
        let above = open.split_off(place.min(open.len()));
        blame.unclosed.extend(above.into_iter().skip(1));
    }
    blame.unclosed.extend(open);
    for head in &mut blame.unclosed {
        *head = inside_function(edges, columns, *head).unwrap_or(*head);
    }
    blame.unclosed.sort_unstable();
    blame.unclosed.dedup();
    blame
}

/// The head inside a function that took the function's `end`, by index. Functions are not nested, so a function without
/// an `end` that runs up to the next one has lost its `end` to a block inside it. The same holds for the last function
/// of a file, unless it begins inside a node, where it can only just have been typed.
fn inside_function(edges: &[(Edge, Span)], columns: &[usize], function: usize) -> Option<usize> {
    edges.get(function).filter(|(edge, _)| *edge == Edge::Def)?;
    let mut depth = 0usize;
    let mut inside = None;
    let mut goes_on = columns.get(function).is_some_and(|column| *column <= MARGIN);
    for (index, (edge, _)) in edges.iter().enumerate().skip(function + 1) {
        match edge {
            Edge::Def => {
                goes_on = true;
                break;
            }
            Edge::End => depth = depth.checked_sub(1)?,
            Edge::Head | Edge::HalfHead => {
                if depth == 0 && columns.get(index) == columns.get(function) {
                    inside = Some(index);
                }
                depth += 1;
            }
        }
    }
    inside.filter(|_| goes_on)
}

/// For more ends than heads: an end without a head in its column is one too many.
fn unexpected(edges: &[(Edge, Span)], columns: &[usize]) -> Blame {
    let mut blame = Blame::default();
    let mut open: Vec<usize> = Vec::new();
    for (index, (edge, _)) in edges.iter().enumerate() {
        if *edge != Edge::End {
            open.push(index);
            continue;
        }
        match open.iter().rposition(|head| columns.get(*head) == columns.get(index)) {
            Some(place) => open.truncate(place),
            None => blame.unexpected.push(index),
        }
    }
    blame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    /// The numbers of the blamed lines: heads, then ends. Each line of the text is `if`, `half` or `end` after its
    /// indentation.
    fn blamed(text: &str) -> (Vec<usize>, Vec<usize>) {
        let mut edges = Vec::new();
        let mut columns = Vec::new();
        for (start, line) in text.lines().enumerate() {
            let column = line.len() - line.trim_start().len();
            let edge = match line.trim() {
                "if" => Edge::Head,
                "def" => Edge::Def,
                "half" => Edge::HalfHead,
                _ => Edge::End,
            };
            edges.push((edge, Span::new(FileId(0), start..start)));
            columns.push(column);
        }
        let found = blame(&edges, |span| columns[span.range().start]);
        (found.unclosed, found.unexpected)
    }

    #[test]
    fn even_blocks_may_stand_in_any_column() {
        assert_eq!(blamed("if\n  if\nend\n    end"), (vec![], vec![]));
    }

    #[test]
    fn the_head_that_is_being_typed_is_not_closed() {
        assert_eq!(blamed("if\n  if\nend"), (vec![1], vec![]));
        assert_eq!(blamed("if\n  if\n  if\n  end\nend"), (vec![1], vec![]));
        assert_eq!(blamed("if\nhalf\nend"), (vec![1], vec![]));
        assert_eq!(blamed("half\nend"), (vec![], vec![]));
        assert_eq!(blamed("if\nif\nend"), (vec![0], vec![]));
        assert_eq!(blamed("def\nif\nend\ndef\nend"), (vec![1], vec![]));
        assert_eq!(blamed("def\ndef\nend"), (vec![0], vec![]));
    }

    #[test]
    fn the_end_that_lost_its_head_is_too_much() {
        assert_eq!(blamed("if\n  end\nend"), (vec![], vec![1]));
        assert_eq!(blamed("if\nend\nend"), (vec![], vec![2]));
        assert_eq!(blamed("end\nif"), (vec![1], vec![0]));
    }
}

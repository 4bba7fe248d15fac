//! Which lines are to blame where the blocks of code do not come out even.
//!
//! Only while it is typed a file has a head without its `end`, or an `end` too many, and then the line that is being
//! typed is to be named, not one far below that lost its partner to it. People write a head and its `end` in one column.

use crate::Span;

/// Code behind `#@ ` at the start of a line stands in this column or before it.
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

/// What is wrong with the blocks of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Blame {
    /// Heads without an `end`, by their index.
    pub unclosed: Vec<usize>,
    /// `end`s without a head.
    pub unexpected: Vec<usize>,
}

/// Finds the lines to blame. `column` is asked for the column of a line, if blocks are not even.
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

/// There are more heads than ends: an end belongs to the head in its column, and those between are not closed.
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

/// Functions are not written inside of each other: where one without an `end` goes on up to the next one, the `end`
/// that it has was taken by a block inside of it. So it is with the last of a file's functions, if it does not stand
/// inside of a node, where it can only have been begun.
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

/// There are more ends than heads: an end in whose column nothing was begun is too much.
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

    /// Blames the lines of a text, each `if`, `half` or `end` behind its indentation; answers their numbers.
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

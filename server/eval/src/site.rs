//! Finds which argument of an argument list is at a cursor: the base of completion and signature help in annotations.

use std::ops::Range;

use crate::expr::{Argument, Arguments, Expr, ExprKind, Keyword};

/// Which part of an argument a cursor touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SitePart {
    /// Empty, or a single word so far: it may become a positional value or a keyword.
    NameOrValue,
    /// Inside the name of `name=value`.
    Name,
    /// Inside a value, or after `=`.
    Value,
}

/// The argument at an offset.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentSite<'a> {
    /// Which part of it.
    pub part: SitePart,
    /// How many positional arguments precede it.
    pub positional_before: usize,
    /// The keyword argument, if the cursor is in one.
    pub keyword: Option<&'a Keyword>,
    /// The whole value, if there is one.
    pub value: Option<&'a Expr>,
    /// The innermost list item, tuple item or dict entry at the offset; the whole value if it has none.
    pub innermost: Option<&'a Expr>,
    /// The bytes of the word at the cursor; empty at the cursor if there is none.
    pub word: Range<usize>,
}

impl Arguments {
    /// The argument at `offset`, which counts from the same base as the ranges. Where nothing is written, most fields
    /// are empty.
    pub fn argument_at(&self, offset: usize) -> ArgumentSite<'_> {
        let from = self.commas.iter().copied().take_while(|&comma| comma < offset).last();
        let to = self.commas.iter().copied().find(|&comma| comma >= offset);
        let inside = |range: &Range<usize>| {
            from.is_none_or(|comma| range.start > comma) && to.is_none_or(|comma| range.start < comma)
        };
        // Without its comma, two arguments share one segment; the last one that starts before the cursor counts.
        let mut in_segment = self.order.iter().filter(|argument| inside(&self.argument_range(argument)));
        let argument = match in_segment.next() {
            Some(first) => in_segment.rfind(|later| self.argument_range(later).start <= offset).or(Some(first)),
            None => None,
        };
        let argument = argument.filter(|argument| self.argument_range(argument).start <= offset);
        let before = |argument: &&Argument| {
            matches!(argument, Argument::Positional(_))
                && from.is_some_and(|comma| self.argument_range(argument).start < comma)
        };
        let positional_before = self.order.iter().filter(before).count();
        let mut site = ArgumentSite {
            part: SitePart::NameOrValue,
            positional_before,
            keyword: None,
            value: None,
            innermost: None,
            word: offset..offset,
        };
        match argument {
            Some(Argument::Keyword(index)) => {
                let Some(keyword) = self.keywords.get(*index) else {
                    return site;
                };
                site.keyword = Some(keyword);
                site.value = Some(&keyword.value);
                if offset <= keyword.name_range.end {
                    site.part = SitePart::Name;
                    site.word = keyword.name_range.clone();
                    return site;
                }
            }
            Some(Argument::Positional(index)) => site.value = self.positional.get(*index),
            Some(Argument::Star(value) | Argument::StarStar(value)) => site.value = Some(value),
            None => return site,
        }
        site.part = SitePart::Value;
        site.innermost = site.value.map(|value| innermost(value, offset));
        let touched = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        if let Some(used) = self.names.iter().find(|used| touched(&used.range)) {
            site.word = used.range.clone();
            if site.keyword.is_none() && site.value.is_some_and(|value| value.range == used.range) {
                site.part = SitePart::NameOrValue;
            }
        }
        site
    }
}

fn innermost(value: &Expr, offset: usize) -> &Expr {
    let mut current = value;
    loop {
        let holds = |expr: &&Expr| expr.range.start <= offset && offset <= expr.range.end;
        let inner = match &current.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().find(holds),
            ExprKind::Dict(entries) => entries.iter().flat_map(|(key, value)| [key, value]).find(holds),
            _ => None,
        };
        match inner {
            Some(inner) => current = inner,
            None => return current,
        }
    }
}

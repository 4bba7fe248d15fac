//! The section of a page that is written by the program, between two comments.

use std::fmt;

/// Why there is no section to replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSection {
    /// The comment at its beginning is not there.
    NoBegin(String, String),
    /// The comment at its end does not follow.
    NoEnd(String),
    /// Several sections begin with the same comment.
    Repeated(String),
}

impl fmt::Display for NoSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSection::NoBegin(begin, end) => write!(
                f,
                "there is no section to fill: add a line `{begin}` and below it a line `{end}` where the documentation belongs"
            ),
            NoSection::NoEnd(end) => write!(f, "the section has no end: add a line `{end}` below it"),
            NoSection::Repeated(begin) => {
                write!(
                    f,
                    "`{begin}` is there more than once: give each section a name, as in `<!-- lofting docs api -->`"
                )
            }
        }
    }
}

impl std::error::Error for NoSection {}

/// The page with a new content of a section. The section begins with a line `<!-- lofting docs NAME -->`, or without the
/// name, and ends with `<!-- end of lofting docs -->`. Line breaks are those of the page.
///
/// # Errors
///
/// There is no such section, or several.
pub fn replaced(page: &str, name: Option<&str>, content: &str) -> Result<String, NoSection> {
    let begin = match name {
        Some(name) => format!("<!-- lofting docs {name} -->"),
        None => "<!-- lofting docs -->".to_owned(),
    };
    let end = "<!-- end of lofting docs -->";
    let mut starts = lines(page).filter(|(line, _)| line.trim() == begin);
    let Some((_, start)) = starts.next() else { return Err(NoSection::NoBegin(begin, end.to_owned())) };
    if starts.next().is_some() {
        return Err(NoSection::Repeated(begin));
    }
    let (head, rest) = page.split_at(start);
    let is_begin = |line: &str| line.trim().starts_with("<!-- lofting docs");
    let found = lines(rest).find(|(line, _)| line.trim() == end || is_begin(line));
    let Some((line, after)) = found.filter(|(line, _)| line.trim() == end) else {
        return Err(NoSection::NoEnd(end.to_owned()));
    };
    let tail = rest.get(after - line.len()..).unwrap_or_default();
    let breaks = if page.contains("\r\n") { "\r\n" } else { "\n" };
    let missing = if head.ends_with('\n') { "" } else { breaks };
    let content = content.trim().replace("\r\n", "\n").replace('\n', breaks);
    Ok(format!("{head}{missing}{breaks}{content}{breaks}{breaks}{tail}"))
}

/// The lines with their breaks, each with the place after it.
fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((line, *at))
    })
}

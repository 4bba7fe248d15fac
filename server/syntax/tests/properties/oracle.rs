//! The conforming parser `saphyr-parser` as a reference: it must accept what we accept, with the same events.

use lofting_syntax::{events::events, parse};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// The reference's events in our notation, without what it does not keep: anchors' names, tags, styles of collections
/// and document markers.
fn judged(text: &str) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        out.push(match event {
            Event::DocumentStart(_) => "+DOC".to_owned(),
            Event::DocumentEnd => "-DOC".to_owned(),
            Event::MappingStart(anchor, _) => format!("+MAP{}", if anchor > 0 { " &" } else { "" }),
            Event::MappingEnd => "-MAP".to_owned(),
            Event::SequenceStart(anchor, _) => format!("+SEQ{}", if anchor > 0 { " &" } else { "" }),
            Event::SequenceEnd => "-SEQ".to_owned(),
            Event::Alias(_) => "=ALI".to_owned(),
            Event::Scalar(text, style, anchor, _) => {
                let style = match style {
                    ScalarStyle::Plain => ':',
                    ScalarStyle::SingleQuoted => '\'',
                    ScalarStyle::DoubleQuoted => '"',
                    ScalarStyle::Literal => '|',
                    ScalarStyle::Folded => '>',
                };
                let anchor = if anchor > 0 { " &" } else { "" };
                format!("=VAL{anchor} {style}{}", text.escape_debug())
            }
            _ => continue,
        });
    }
    Ok(out)
}

fn ours(text: &str) -> Vec<String> {
    let unescape = |text: &str| {
        let mut out = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match (c, c == '\\') {
                (_, true) => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('b') => out.push('\u{8}'),
                    Some('0') => out.push('\0'),
                    Some(other) => out.push(other),
                    None => {}
                },
                _ => out.push(c),
            }
        }
        out
    };
    events(&parse(text))
        .into_iter()
        .filter(|event| !event.ends_with("STR") || event.starts_with('='))
        .map(|event| {
            let mut words = event.splitn(2, ' ');
            let name = words.next().unwrap_or_default().to_owned();
            let mut rest = words.next().unwrap_or_default();
            if name.ends_with("DOC") || name == "=ALI" || name.starts_with('-') {
                return name;
            }
            let mut anchor = "";
            loop {
                let cut = if rest.starts_with('&') {
                    anchor = " &";
                    rest.find(' ')
                } else if rest.starts_with('<') {
                    rest.find("> ").map(|at| at + 1).or(Some(rest.len()))
                } else if rest.starts_with("{}") || rest.starts_with("[]") {
                    Some(2)
                } else {
                    break;
                };
                rest = cut.and_then(|cut| rest.get(cut..)).unwrap_or("").trim_start_matches(' ');
                if rest.is_empty() {
                    break;
                }
            }
            if name == "=VAL" {
                let (style, text) = rest.split_at(1.min(rest.len()));
                return format!("=VAL{anchor} {style}{}", unescape(text).escape_debug());
            }
            format!("{name}{anchor}")
        })
        .collect()
}

pub fn check(text: &str) {
    // Limits and mistakes of the reference, where we follow the specification.
    if text.contains(['\u{feff}', '\r']) || text.chars().any(|c| c.is_control() && !"\n\t".contains(c)) {
        return;
    }
    // It requires something after `?`, and no tab.
    if text.contains("?\t") || text.contains("? \t") || text.lines().any(|line| line.trim_end().ends_with('?')) {
        return;
    }
    // It refuses a comment after a block scalar with an indentation indicator.
    if text.contains("|2") && text.contains('#') {
        return;
    }
    // It reads a marker line as text of a block scalar at the root.
    if text.contains(['|', '>']) && (text.contains("\n---") || text.contains("\n...")) {
        return;
    }
    let tree = parse(text);
    // Only texts that the specification accepts are compared.
    if tree.is_loose() || !tree.errors().is_empty() {
        return;
    }
    match judged(text) {
        Err(error) => panic!("accepted, but: {error}\n{text}\n{text:?}\n{:#?}", ours(text)),
        Ok(judged) => {
            let ours = ours(text);
            if judged != ours {
                let at = judged.iter().zip(&ours).take_while(|(a, b)| a == b).count();
                panic!("event {at}: judge {:?}, ours {:?}\n{text}\n{text:?}", judged.get(at), ours.get(at));
            }
        }
    }
}

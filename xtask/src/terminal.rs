//! What a program prints on a terminal, as runs of text that look alike.

/// How a run of text looks.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Style {
    pub bold: bool,
    pub dim: bool,
    /// One of the eight colours of a terminal.
    pub colour: Option<u8>,
}

/// The runs of each line of a text.
pub fn styled_lines(text: &str) -> Vec<Vec<(Style, String)>> {
    let mut style = Style::default();
    text.lines().map(|line| runs(line, &mut style)).collect()
}

/// The runs of one line.
pub fn spans(line: &str) -> Vec<(Style, String)> {
    runs(line, &mut Style::default())
}

/// Splits a line at its escape sequences.
fn runs(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut runs = Vec::new();
    let mut parts = line.split('\x1b');
    if let Some(first) = parts.next().filter(|first| !first.is_empty()) {
        runs.push((*style, first.to_owned()));
    }
    for part in parts {
        let Some((codes, text)) = part.strip_prefix('[').and_then(|part| part.split_once('m')) else { continue };
        *style = applied(*style, codes);
        if !text.is_empty() {
            runs.push((*style, text.to_owned()));
        }
    }
    runs
}

/// The style after a "select graphic rendition" sequence.
fn applied(mut style: Style, codes: &str) -> Style {
    let mut codes = codes.split(';').map(|code| code.parse::<u8>().unwrap_or(0));
    while let Some(code) = codes.next() {
        match code {
            0 => style = Style::default(),
            1 => style.bold = true,
            2 => style.dim = true,
            22 => (style.bold, style.dim) = (false, false),
            30..=37 => style.colour = Some(code - 30),
            90..=97 => style.colour = Some(code - 90),
            39 => style.colour = None,
            // `38;5;N`: of the 256 colours only the first sixteen are used by tools like ours.
            38 if codes.next() == Some(5) => style.colour = codes.next().map(|n| n % 8),
            _ => {}
        }
    }
    style
}

/// Text inside XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Style, runs};

    #[test]
    fn escape_sequences_become_styles() {
        let mut style = Style::default();
        let cut = runs("a \x1b[1m\x1b[91merror\x1b[0m: x \x1b[38;5;12m|\x1b[0m", &mut style);
        let texts: Vec<&str> = cut.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["a ", "error", ": x ", "|"]);
        assert!(cut[1].0.bold && cut[1].0.colour == Some(1));
        assert!(cut[3].0.colour == Some(4));
        assert!(style == Style::default());
    }
}

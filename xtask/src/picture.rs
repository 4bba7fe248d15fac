//! `cargo xtask picture`: draws what the terminal shows as an SVG, so that the README's picture is a real run: that of the
//! first page which a stranger reads. With `--vscode`, what VS Code shows for the same file.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::shell;
use crate::terminal::{Style, escaped, spans, styled_lines};
use crate::vscode;

const COMMAND: &[&str] = &["check"];
const PAGE: &str = "docs/start/kubernetes.md";
const FILE: &str = "web.yaml";
const OUT: &str = "docs/check.svg";
const VSCODE: &str = "docs/vscode.png";

/// The maximum number of lines in the picture.
const LINES: usize = 46;

/// Width of a character and height of a line, in the picture's units.
const WIDTH: f32 = 8.4;
const HEIGHT: usize = 19;
const MARGIN: usize = 16;

/// `cargo xtask picture [--vscode]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let is_vscode = match arguments {
        [] => false,
        [argument] if argument == "--vscode" => true,
        _ => bail!("`cargo xtask picture` knows `--vscode`, not `{}`", arguments.join(" ")),
    };
    let page = fs::read_to_string(shell::root().join(PAGE)).with_context(|| PAGE.to_string())?;
    let folder = shell::target_dir().join("picture");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join(FILE), file_of(&page)?))
        .with_context(|| folder.display().to_string())?;
    if is_vscode {
        let drawn = folder.join("vscode.png");
        vscode::picture(&folder.join(FILE), &drawn)?;
        shell::copy(&drawn, &shell::root().join(VSCODE))?;
        println!("wrote {VSCODE}");
        return Ok(true);
    }
    of_terminal(&folder)
}

/// Runs the example with colours on and writes the picture.
fn of_terminal(folder: &Path) -> anyhow::Result<bool> {
    let lofting = shell::build_lofting(shell::Profile::Dev)?;
    let mut command = shell::program(lofting, COMMAND, &folder.to_string_lossy());
    let output = command.args(["--color", "always"]).output().context("lofting check")?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !text.contains('\x1b') {
        bail!("`lofting check` printed no colours:\n{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let path = shell::root().join(OUT);
    fs::write(&path, draw(&text)).with_context(|| path.display().to_string())?;
    println!("wrote {OUT}");
    Ok(true)
}

/// The file, as the page shows it.
fn file_of(page: &str) -> std::io::Result<&str> {
    let block =
        page.split_once(&format!("<!-- file: {FILE} -->\n```yaml\n")).and_then(|(_, rest)| rest.split_once("```"));
    block.map(|(text, _)| text).ok_or_else(|| std::io::Error::other(format!("{PAGE} does not show {FILE}")))
}

/// The picture of a terminal's output.
fn draw(text: &str) -> String {
    let mut lines: Vec<Vec<(Style, String)>> = vec![spans(&format!("$ lofting {}", COMMAND.join(" ")))];
    let all: Vec<_> = styled_lines(text);
    let cut = all.len() > LINES;
    lines.extend(all.into_iter().take(LINES));
    if cut {
        lines.push(vec![(Style { dim: true, ..Style::default() }, "…".to_owned())]);
    }
    let columns = lines.iter().map(|line| line.iter().map(|(_, text)| text.chars().count()).sum()).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "terminal columns are few")]
    let width = columns as f32 * WIDTH + 2.0 * MARGIN as f32;
    let height = lines.len() * HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height}\" \
         viewBox=\"0 0 {width:.0} {height}\" font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, \
         'DejaVu Sans Mono', monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f27\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + row * HEIGHT + 14;
        let mut column = 0usize;
        for (style, text) in line {
            let length = text.chars().count();
            if !text.trim().is_empty() {
                // An explicit position and length keep columns aligned in whatever font the reader has.
                #[expect(clippy::cast_precision_loss, reason = "terminal columns are few")]
                let (x, run) = (MARGIN as f32 + column as f32 * WIDTH, length as f32 * WIDTH);
                let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
                let opacity = if style.dim { " opacity=\"0.6\"" } else { "" };
                let fill = style.colour.map_or("#d6dae0", |colour| COLOURS[usize::from(colour)]);
                let _ = writeln!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{run:.1}\" fill=\"{fill}\" \
                     xml:space=\"preserve\"{weight}{opacity}>{}</text>",
                    escaped(text)
                );
            }
            column += length;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Black, red, green, yellow, blue, magenta, cyan, white: readable on the picture's dark ground.
const COLOURS: [&str; 8] = ["#8a919c", "#ff6b6b", "#7ed491", "#f2c661", "#6aa9ff", "#d58cf0", "#62cfd8", "#f4f6f8"];

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn text_is_escaped() {
        assert!(draw("a <b> & c").contains("a &lt;b&gt; &amp; c"));
    }
}

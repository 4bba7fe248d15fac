//! `cargo xtask casts`: short recordings of a terminal for the manual. Each is a real run of the program on a shipped example,
//! drawn as an SVG that moves by itself: without a script, in light and dark, and still where motion is not wanted.

use anyhow::{Context, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell;
use crate::terminal::{Style, escaped, styled_lines};

/// Where they are.
const FOLDER: &str = "docs/casts";

/// A recording.
struct Cast {
    name: &'static str,
    /// For readers who do not see it.
    title: &'static str,
    /// The example in a copy of which the commands run.
    example: &'static str,
    commands: &'static [&'static str],
}

const CASTS: [Cast; 3] = [
    Cast {
        name: "check",
        title: "lofting check finds the mistakes of the example webshop, and lofting fix repairs those that are certain",
        example: "examples/webshop",
        commands: &["lofting check --max-findings 2", "lofting fix", "lofting check --statistics"],
    },
    Cast {
        name: "render",
        title: "lofting render prints what the templates of the example webshop give, with the place of each value",
        example: "examples/webshop",
        commands: &["lofting render -f config --data-values-file values/dev.yml --origin"],
    },
    Cast {
        name: "impact",
        title: "A schema is changed, and lofting impact says which files newly fail",
        example: "examples/webshop",
        commands: &[
            "sed -i 's/max_len=40/max_len=12/; s/ host: localhost/ address: localhost/' config/schema.yml",
            "lofting impact --against HEAD",
        ],
    },
];

/// More lines than this are hard to read in a page.
const LINES: usize = 48;

/// Longer lines are cut.
const COLUMNS: usize = 104;

/// Seconds for a typed character, before the output, for a line of it, and before the next command.
const KEY: f32 = 0.035;
const WAIT: f32 = 0.4;
const LINE: f32 = 0.03;
const PAUSE: f32 = 1.6;

/// Width of a character and height of a line, in the picture's units.
const WIDTH: f32 = 7.8;
const HEIGHT: f32 = 18.0;
const MARGIN: f32 = 14.0;

/// `cargo xtask casts [--check]`
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {}
        ["--check"] => return check().map(|()| true),
        other => bail!("`cargo xtask casts` does not know `{}`", other.join(" ")),
    }
    for (path, text) in recorded()? {
        let place = shell::root().join(&path);
        let shown = || path.clone();
        fs::create_dir_all(place.parent().unwrap_or(&place)).with_context(shown)?;
        if fs::read_to_string(&place).is_ok_and(|known| known == text) {
            continue;
        }
        fs::write(&place, text).with_context(shown)?;
        println!("wrote {path}");
    }
    Ok(true)
}

/// Fails when a recording is not what the program does today.
pub fn check() -> anyhow::Result<()> {
    let is_old = |(path, text): &(String, String)| {
        fs::read_to_string(shell::root().join(path)).map_or(true, |known| known != *text)
    };
    let old: Vec<String> = recorded()?.into_iter().filter(is_old).map(|(path, _)| path).collect();
    match old.as_slice() {
        [] => Ok(()),
        old => bail!("not up to date: {}; run `cargo xtask casts`", old.join(", ")),
    }
}

/// All recordings by their paths below the root.
fn recorded() -> anyhow::Result<Vec<(String, String)>> {
    let lofting = shell::build_lofting(shell::Profile::Dev)?;
    CASTS.iter().map(|cast| Ok((format!("{FOLDER}/{}.svg", cast.name), record(cast, &lofting)?))).collect()
}

/// A command and the lines that it prints.
struct Step {
    typed: &'static str,
    lines: Vec<Vec<(Style, String)>>,
}

fn record(cast: &Cast, lofting: &Path) -> anyhow::Result<String> {
    let home = shell::target_dir().join("casts").join(cast.name);
    let _ = fs::remove_dir_all(&home);
    let work = home.join("work");
    shell::copy(&shell::root().join(cast.example), &work)?;
    let lofting = if lofting.is_absolute() { lofting.to_owned() } else { shell::root().join(lofting) };
    let prepare = "mkdir bin && ln -s \"$1\" bin/lofting && cd work && git init --quiet . && git add --all && \
                   git -c user.name=a -c user.email=a@example.com commit --quiet --message example";
    shell::quiet(Command::new("sh").args(["-e", "-c", prepare, "sh"]).arg(&lofting).current_dir(&home))?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut steps = Vec::new();
    for typed in cast.commands {
        let coloured = if typed.starts_with("lofting check") { " --color always" } else { "" };
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{typed}{coloured} 2>&1")]).current_dir(&work);
        command.env("PATH", format!("{}:{path}", home.join("bin").display())).env("LOFTING_CATALOGUE", "off");
        let output = command.output().with_context(|| typed.to_owned())?;
        if output.status.code().is_none_or(|code| code > 1) {
            bail!("`{typed}` failed: {}", String::from_utf8_lossy(&output.stdout));
        }
        steps.push(Step { typed, lines: styled_lines(&String::from_utf8_lossy(&output.stdout)) });
    }
    let lines: usize = steps.iter().map(|step| step.lines.len() + 1).sum();
    match lines {
        0..=LINES => Ok(draw(cast.title, &steps)),
        _ => bail!("the cast {} has {lines} lines, which are more than {LINES}", cast.name),
    }
}

/// The picture: each line appears at its time.
fn draw(title: &str, steps: &[Step]) -> String {
    let lengths = steps.iter().flat_map(|step| {
        let printed = step.lines.iter().map(|line| line.iter().map(|(_, text)| text.chars().count()).sum());
        printed.chain([step.typed.chars().count() + 2])
    });
    let columns: usize = lengths.max().unwrap_or(0).min(COLUMNS);
    let rows: usize = steps.iter().map(|step| step.lines.len() + 1).sum();
    let (width, height) = (of(columns) * WIDTH + 2.0 * MARGIN, of(rows) * HEIGHT + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n",
        escaped(title)
    );
    let (mut row, mut time) = (0usize, 0.6f32);
    for step in steps {
        let y = MARGIN + of(row) * HEIGHT + 13.0;
        let _ =
            writeln!(svg, "<text class=\"p\" x=\"{MARGIN}\" y=\"{y}\" style=\"animation-delay:{time:.2}s\">$</text>");
        time += WAIT;
        for (column, character) in step.typed.chars().enumerate().filter(|(_, character)| *character != ' ') {
            let (x, at) = (MARGIN + of(column + 2) * WIDTH, time + of(column) * KEY);
            let character = escaped(&character.to_string());
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" style=\"animation-delay:{at:.2}s\">{character}</text>");
        }
        time += of(step.typed.chars().count()) * KEY + WAIT;
        row += 1;
        for line in &step.lines {
            let y = MARGIN + of(row) * HEIGHT + 13.0;
            let _ = writeln!(svg, "<g style=\"animation-delay:{time:.2}s\">{}</g>", drawn(line, y));
            row += 1;
            time += LINE;
        }
        time += PAUSE;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The runs of a line that are seen.
fn drawn(line: &[(Style, String)], y: f32) -> String {
    let mut svg = String::new();
    let mut column = 0usize;
    for (style, text) in line {
        let mut shown: String = text.chars().take(COLUMNS.saturating_sub(column)).collect();
        if column + text.chars().count() > COLUMNS && !shown.is_empty() {
            shown.pop();
            shown.push('…');
        }
        if !shown.trim().is_empty() {
            let classes = [style.bold.then(|| "b".to_owned()), style.dim.then(|| "d".to_owned())].into_iter().flatten();
            let classes: Vec<String> = classes.chain(style.colour.map(|colour| format!("c{colour}"))).collect();
            let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
            // An explicit position and length keep columns aligned in whatever font the reader has.
            let (x, length) = (MARGIN + of(column) * WIDTH, of(shown.chars().count()) * WIDTH);
            let text = escaped(&shown);
            let _ = write!(svg, "<text{class} x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\">{text}</text>");
        }
        column += text.chars().count();
    }
    svg
}

#[expect(clippy::cast_precision_loss, reason = "terminal columns and lines are few")]
fn of(count: usize) -> f32 {
    count as f32
}

/// Colours by what the reader's system prefers. What is not animated is simply there.
const STYLE: &str = "\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #24292f;
  white-space: pre; }
.ground { fill: #f6f8fa; stroke: #d0d7de; }
.b { font-weight: bold; } .d { opacity: .6; } .p { fill: #6e7781; }
.c0 { fill: #6e7781; } .c1 { fill: #cf222e; } .c2 { fill: #116329; } .c3 { fill: #7d4e00; }
.c4 { fill: #0550ae; } .c5 { fill: #8250df; } .c6 { fill: #1b7c83; } .c7 { fill: #24292f; }
@media (prefers-color-scheme: dark) {
  text { fill: #d6dae0; } .ground { fill: #1b1f27; stroke: #1b1f27; } .p { fill: #8a919c; }
  .c0 { fill: #8a919c; } .c1 { fill: #ff6b6b; } .c2 { fill: #7ed491; } .c3 { fill: #f2c661; }
  .c4 { fill: #6aa9ff; } .c5 { fill: #d58cf0; } .c6 { fill: #62cfd8; } .c7 { fill: #f4f6f8; }
}
@media (prefers-reduced-motion: no-preference) {
  svg > text, g { animation: appear .01s linear both; }
  @keyframes appear { from { visibility: hidden; } to { visibility: visible; } }
}
@media print { svg > text, g { animation: none; } }
";

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Step, draw, drawn};
    use crate::terminal::spans;

    #[test]
    fn lines_follow_each_other_in_time_and_place() {
        let step = |typed, text: &str| Step { typed, lines: vec![spans(text)] };
        let svg = draw("a < b", &[step("a", "\u{1b}[1m<x>\u{1b}[0m"), step("b", "y")]);
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains("class=\"b\"") && svg.contains("&lt;x&gt;"));
        let delays = svg.split("animation-delay:").skip(1).filter_map(|rest| rest.split_once('s'));
        let delays: Vec<f32> = delays.filter_map(|(delay, _)| delay.parse().ok()).collect();
        assert!(delays.len() == 6 && delays.is_sorted(), "{delays:?}");
    }

    #[test]
    fn long_lines_are_cut() {
        assert!(drawn(&spans(&"x".repeat(COLUMNS + 1)), 0.0).contains("x…</text>"));
        assert!(!drawn(&spans(&"x".repeat(COLUMNS)), 0.0).contains('…'));
    }
}

//! The ledger of long fuzzing: what each target did on each day, in `docs/fuzzing.md`.

use std::fmt::Write;

use crate::ledger;

const PAGE: &str = "docs/fuzzing.md";
const BEGIN: &str = "<!-- ledger: written by `cargo xtask fuzz --hours` -->\n";
const HEAD: &str = "| date | target | hours | executions | places reached | inputs kept | findings |\n\
    | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";

/// What a target did, in one turn or in all turns of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// `2026-11-26`, in UTC.
    pub date: String,
    pub target: String,
    /// Processor time.
    pub seconds: f64,
    pub executions: u64,
    /// Places of the program that the corpus reaches, at the end.
    pub places: u64,
    /// Inputs of the corpus, at the end.
    pub kept: u64,
    pub findings: u64,
}

/// Adds a turn to the page.
pub fn add(turn: &Turn) -> anyhow::Result<()> {
    ledger::write(PAGE, with(&ledger::page(PAGE)?, turn))
}

/// The page with a turn added to that target's day.
fn with(page: &str, turn: &Turn) -> Option<String> {
    ledger::changed(page, BEGIN, |ledger| {
        let mut turns: Vec<Turn> = ledger.lines().filter_map(read).collect();
        match turns.iter_mut().find(|known| (&known.date, &known.target) == (&turn.date, &turn.target)) {
            Some(known) => {
                known.seconds += turn.seconds;
                known.executions += turn.executions;
                known.findings += turn.findings;
                (known.places, known.kept) = (turn.places, turn.kept);
            }
            None => turns.push(turn.clone()),
        }
        turns.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.target.cmp(&b.target)));
        let (hours, executions): (f64, u64) = turns
            .iter()
            .fold((0.0, 0), |(hours, executions), turn| (hours + turn.seconds / 3600.0, executions + turn.executions));
        let mut text = format!("\n{hours:.2} hours of processor time and {executions} executions in all.\n\n{HEAD}");
        for Turn { date, target, seconds, executions, places, kept, findings } in &turns {
            let hours = seconds / 3600.0;
            let _ =
                writeln!(text, "| {date} | `{target}` | {hours:.3} | {executions} | {places} | {kept} | {findings} |");
        }
        text + "\n"
    })
}

/// A line of the ledger.
fn read(line: &str) -> Option<Turn> {
    let cells = ledger::cells(line)?;
    let [date, target, hours, executions, places, kept, findings] = cells.as_slice() else { return None };
    Some(Turn {
        date: (*date).to_owned(),
        target: target.strip_prefix('`')?.strip_suffix('`')?.to_owned(),
        seconds: hours.parse::<f64>().ok()? * 3600.0,
        executions: executions.parse().ok()?,
        places: places.parse().ok()?,
        kept: kept.parse().ok()?,
        findings: findings.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, Turn, with};
    use crate::ledger::END;

    fn turn(date: &str, target: &str, executions: u64) -> Turn {
        let (date, target) = (date.to_owned(), target.to_owned());
        Turn { date, target, seconds: 1800.0, executions, places: executions + 1, kept: 3, findings: 1 }
    }

    #[test]
    fn turns_of_a_day_are_added_up() {
        let empty = format!("# Fuzzing\n\n{BEGIN}{END}\nMore.\n");
        let one = with(&empty, &turn("2026-11-26", "parse", 10)).expect("a ledger");
        let two = with(&one, &turn("2026-11-26", "parse", 5)).expect("a ledger");
        let three = with(&two, &turn("2026-11-27", "check", 7)).expect("a ledger");
        let rows: Vec<&str> = three.lines().filter(|line| line.starts_with("| 2")).collect();
        assert_eq!(
            rows,
            ["| 2026-11-27 | `check` | 0.500 | 7 | 8 | 3 | 1 |", "| 2026-11-26 | `parse` | 1.000 | 15 | 6 | 3 | 2 |"]
        );
        assert!(three.contains("1.50 hours of processor time and 22 executions in all."), "{three}");
        assert!(three.starts_with("# Fuzzing\n\n") && three.ends_with("\nMore.\n"), "{three}");
        assert_eq!(with("no ledger", &turn("2026-11-26", "parse", 1)), None);
    }
}

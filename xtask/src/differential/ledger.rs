//! The ledger of differential runs: what each way did on each day, in `docs/differential.md`.

use std::fmt::Write;

use crate::ledger;

const PAGE: &str = "docs/differential.md";
const BEGIN: &str = "<!-- ledger: written by `cargo xtask differential` -->\n";
const HEAD: &str = "| date | way | seed | programs | differences |\n| --- | --- | ---: | ---: | ---: |\n";

/// What a way did with a seed, in one turn or in all turns of a day.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// `2026-11-26`, in UTC.
    pub date: String,
    pub way: String,
    pub seed: u64,
    pub programs: u64,
    pub differences: u64,
}

/// How many programs of a seed were tried by a way: the next one has this number.
pub fn tried(way: &str, seed: u64) -> anyhow::Result<u64> {
    Ok(tried_in(&ledger::page(PAGE)?, way, seed))
}

fn tried_in(page: &str, way: &str, seed: u64) -> u64 {
    let turns = page.lines().filter_map(read);
    turns.filter(|turn| turn.way == way && turn.seed == seed).map(|turn| turn.programs).sum()
}

/// Adds a turn to the page.
pub fn add(turn: &Turn) -> anyhow::Result<()> {
    ledger::write(PAGE, with(&ledger::page(PAGE)?, turn))
}

/// The page with a turn added to that way's day.
fn with(page: &str, turn: &Turn) -> Option<String> {
    ledger::changed(page, BEGIN, |ledger| {
        let mut turns: Vec<Turn> = ledger.lines().filter_map(read).collect();
        let is_same = |known: &&mut Turn| (&known.date, &known.way, known.seed) == (&turn.date, &turn.way, turn.seed);
        match turns.iter_mut().find(is_same) {
            Some(known) => {
                known.programs += turn.programs;
                known.differences += turn.differences;
            }
            None => turns.push(turn.clone()),
        }
        turns.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| (&a.way, a.seed).cmp(&(&b.way, b.seed))));
        let programs: u64 = turns.iter().map(|turn| turn.programs).sum();
        let mut text = format!("\n{programs} programs in all.\n\n{HEAD}");
        for Turn { date, way, seed, programs, differences } in &turns {
            let _ = writeln!(text, "| {date} | `{way}` | {seed} | {programs} | {differences} |");
        }
        text + "\n"
    })
}

/// A line of the ledger.
fn read(line: &str) -> Option<Turn> {
    let cells = ledger::cells(line)?;
    let [date, way, seed, programs, differences] = cells.as_slice() else { return None };
    Some(Turn {
        date: (*date).to_owned(),
        way: way.strip_prefix('`')?.strip_suffix('`')?.to_owned(),
        seed: seed.parse().ok()?,
        programs: programs.parse().ok()?,
        differences: differences.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, Turn, tried_in, with};
    use crate::ledger::END;

    #[test]
    fn a_run_goes_on_where_the_last_one_with_its_seed_ended() {
        let turn = |date: &str, way: &str, seed, programs| Turn {
            date: date.to_owned(),
            way: way.to_owned(),
            seed,
            programs,
            differences: 1,
        };
        let mut page = format!("# Page\n\n{BEGIN}{END}\nMore.\n");
        let turns = [("2026-11-26", "tree", 1, 10), ("2026-11-26", "tree", 1, 5), ("2026-11-26", "tree", 2, 7)];
        for (date, way, seed, programs) in turns.into_iter().chain([("2026-11-27", "tree", 1, 3)]) {
            page = with(&page, &turn(date, way, seed, programs)).expect("a ledger");
        }
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| 2")).collect();
        let expected = [
            "| 2026-11-27 | `tree` | 1 | 3 | 1 |",
            "| 2026-11-26 | `tree` | 1 | 15 | 2 |",
            "| 2026-11-26 | `tree` | 2 | 7 | 1 |",
        ];
        assert_eq!(rows, expected);
        assert!(page.contains("\n25 programs in all.\n") && page.ends_with("\nMore.\n"), "{page}");
        assert_eq!((tried_in(&page, "tree", 1), tried_in(&page, "tree", 2), tried_in(&page, "code", 1)), (18, 7, 0));
    }
}

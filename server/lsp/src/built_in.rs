//! The built-in schemas.

use anyhow::Context;
use lofting_catalogue::Catalogue;
use lofting_fetch::default_folder;
use lofting_workspace::{BuiltIn, last_change, read_bytes};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// The environment variable that names a data file in place of the one in the program; `off` for none.
pub(crate) const VARIABLE: &str = "LOFTING_CATALOGUE";

/// The catalogue, if there is one. Read once for this process.
pub(crate) fn catalogue() -> Option<BuiltIn> {
    static READ: OnceLock<Option<BuiltIn>> = OnceLock::new();
    READ.get_or_init(|| {
        let catalogue = chosen().ok().flatten()?;
        let newer = newer(&catalogue);
        Some(BuiltIn::new(catalogue, newer))
    })
    .clone()
}

/// The folder for newer copies of the texts, beside that of fetched documents.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(default_folder()?.parent()?.join("catalogue"))
}

/// That folder, if it is there and was changed after the texts of the catalogue were made.
fn newer(catalogue: &Catalogue) -> Option<PathBuf> {
    let folder = folder()?;
    let (changed, _) = last_change(&folder)?;
    let made = catalogue.origins().iter().filter_map(|origin| day(&origin.date)).max();
    let since = changed.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs() / DAY;
    made.is_none_or(|made| since >= made).then_some(folder)
}

/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// The days from 1970 to a date, `2026-10-26`; to the end of the year or month if it names only these.
fn day(date: &str) -> Option<u64> {
    let mut parts = date.split('-').map(str::parse::<u64>);
    let year = parts.next()?.ok().filter(|year| (1970..10_000).contains(year))?;
    let month = parts.next().map_or(Some(12), Result::ok).filter(|month| (1..=12).contains(month))?;
    let day = parts.next().map_or(Some(31), Result::ok)?;
    // Years are counted from March, so that a leap day is the last one.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(years * 365 + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1 - 719_468)
}

/// The catalogue, or why the one that the environment names cannot be used.
pub(crate) fn chosen() -> anyhow::Result<Option<Arc<Catalogue>>> {
    match std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        None => Ok(Catalogue::built_in()),
        Some(value) if value == OsStr::new("off") => Ok(None),
        Some(path) => {
            let named = || format!("{VARIABLE} names {}", Path::new(&path).display());
            let bytes = read_bytes(Path::new(&path)).with_context(named)?;
            Ok(Some(Arc::new(Catalogue::read(bytes).with_context(named)?)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_of_dates() {
        for (date, days) in [
            ("1970-01-01", Some(0)),
            ("2000-02-29", Some(11_016)),
            ("2000-03-01", Some(11_017)),
            ("2026-10-26", Some(20_752)),
            ("2022", Some(19_357)),
            ("1969", None),
            ("", None),
            ("2026-13", None),
        ] {
            assert_eq!(day(date), days, "{date}");
        }
    }
}

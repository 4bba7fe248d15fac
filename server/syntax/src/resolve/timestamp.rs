//! Dates and times of YAML 1.1, in the forms that go-yaml tries: `2006-1-2`, `2006-1-2 15:4:5` without a zone, and
//! `2006-1-2T15:4:5Z07:00`, also with `t`; the seconds may have a fraction.

/// Whether YAML 1.1 reads the text as a date. ytt keeps dates as strings and writes them in quotes.
pub fn is_timestamp(text: &str) -> bool {
    read(text).is_some()
}

/// Reads the whole text, as Go's `time.Parse` does.
fn read(text: &str) -> Option<()> {
    let (year, rest) = text.split_at_checked(4)?;
    let year: u16 = year.bytes().all(|byte| byte.is_ascii_digit()).then(|| year.parse().ok())??;
    let (month, rest) = number(rest.strip_prefix('-')?)?;
    let (day, rest) = number(rest.strip_prefix('-')?)?;
    if !(1..=12).contains(&month) || day < 1 || day > days(year, month) {
        return None;
    }
    if rest.is_empty() {
        return Some(());
    }
    if let Some(rest) = rest.strip_prefix(['T', 't']) {
        return zone(clock(rest)?);
    }
    // Go takes any number of spaces for one.
    let rest = clock(rest.strip_prefix(' ')?.trim_start_matches(' '))?;
    rest.is_empty().then_some(())
}

/// One or two digits, and what follows them.
fn number(text: &str) -> Option<(u8, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(digits)?;
    Some((digits.parse().ok()?, rest))
}

fn days(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `15:4:5` with at most nine digits of a fraction; returns what follows.
fn clock(text: &str) -> Option<&str> {
    let (hour, rest) = number(text)?;
    let (minute, rest) = number(rest.strip_prefix(':')?)?;
    let (second, rest) = number(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = rest.strip_prefix(['.', ',']).unwrap_or("");
    let digits = fraction.bytes().take(9).take_while(u8::is_ascii_digit).count();
    Some(if digits > 0 { fraction.get(digits..)? } else { rest })
}

/// `Z` or `+07:00`. Go allows 24 hours and 60 minutes here.
fn zone(text: &str) -> Option<()> {
    if text == "Z" {
        return Some(());
    }
    let (hours, minutes) = text.strip_prefix(['+', '-'])?.split_once(':')?;
    let within = |part: &str, high: u8| {
        part.len() == 2
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u8>().is_ok_and(|number| number <= high)
    };
    (within(hours, 24) && within(minutes, 60)).then_some(())
}

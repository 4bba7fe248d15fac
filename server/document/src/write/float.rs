//! Floats as Go prints them with the shortest digits (`%g`), which is what ytt's output shows.

/// The text of `value`: `1.5`, `1000`, `1e+06`, `1e-07`, `.inf`, `-.inf`, `.nan`.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    // Rust's `{:e}` gives the shortest digits that read back as the same number, as Go's does.
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Go's rule for `%g` with shortest digits: use the exponent form as if the precision were 6.
    if !(-4..UPPER).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    format!("{value}")
}

/// First decimal exponent that is printed in exponent form.
const UPPER: i32 = 6;

//! What is found in a resource, and its message.

use super::asked::AskedKeys;
use super::decoded::Decoded;
use crate::kubernetes::pods::{first_key, lack};
use crate::kubernetes::rules::{excluded_field, number_range, repeated_name, required_field, text_form, unknown_value};
use lofting_cel::library::quantity::Quantity;
use lofting_cel::refusals;
use lofting_diagnostic::{Diagnostic, Fix, Lack};
use lofting_document::{FileId, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::ops::{Range, RangeInclusive};

/// What a check adds its findings to.
pub(super) struct Look {
    file: FileId,
    pub found: Vec<Diagnostic>,
    /// The map whose keys an editor asks for.
    asked: Option<AskedKeys>,
}

/// The largest number in 32 bits.
pub(super) const MOST: i128 = i32::MAX as i128;

/// Numbers of ports.
pub(super) const PORTS: RangeInclusive<i128> = 1..=65535;

/// A form of texts: whether a text has it, and what it is like.
pub(super) type TextForm = (fn(&str) -> bool, &'static str);

/// Part of a host's name.
pub(super) const LABEL: TextForm = (
    |text| refusals("dns1123Label", text).is_empty(),
    "up to 63 lower-case letters, digits and hyphens, with a letter or digit at both ends",
);

/// The name of most resources.
pub(super) const SUBDOMAIN: TextForm = (
    |text| refusals("dns1123Subdomain", text).is_empty(),
    "up to 253 lower-case letters, digits, hyphens and periods, with a letter or digit at both ends",
);

/// Part of a host's name that begins with a letter.
pub(super) const OLD_LABEL: TextForm = (
    |text| refusals("dns1035Label", text).is_empty(),
    "up to 63 lower-case letters, digits and hyphens, with a letter at the beginning and a letter or digit at the end",
);

/// A domain with a path after it.
pub(super) const PATH_OF_DOMAIN: TextForm =
    (is_path_of_domain, "a domain, `/` and a path after it, such as `example.com/controller`");

/// The name of a port.
pub(super) const PORT_NAME: TextForm =
    (is_port_name, "up to 15 lower-case letters, digits and single hyphens between them, with at least one letter");

/// The name of a label.
pub(super) const QUALIFIED: TextForm = (
    |text| refusals("qualifiedName", text).is_empty(),
    "up to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; a domain and `/` may be before it",
);

/// The value of a label.
pub(super) const LABEL_VALUE: TextForm = (
    |text| refusals("labelValue", text).is_empty(),
    "up to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends",
);

/// A part of the path of an address.
pub(super) const SEGMENT: TextForm = (
    |text| !matches!(text, "." | "..") && !text.contains(['/', '%']),
    "a name without `/` and `%`, and not `.` or `..`",
);

/// A path that begins at the root.
pub(super) const ABSOLUTE: TextForm = (|path| path.starts_with('/'), "a path that begins with `/`");

/// A path inside something.
pub(super) const INSIDE: TextForm = (stays_below, "a relative path without `..`");

/// A path that goes down only.
pub(super) const DOWN: TextForm = (|path| !climbs(path), "a path without `..`");

/// A key of a `ConfigMap` or `Secret`.
pub(super) const CONFIG_KEY: TextForm =
    (is_key, "up to 253 letters, digits, `-`, `_` and `.`, and not begin with `..`");

fn is_key(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 253 && text.chars().all(is_allowed) && text != "." && !text.starts_with("..")
}

fn is_path_of_domain(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "/:?#@!$&'()*+,;=-._~%".contains(c);
    let parts = text.split_once('/');
    text.len() <= 250
        && parts.is_some_and(|(domain, path)| (SUBDOMAIN.0)(domain) && !path.is_empty() && path.chars().all(is_allowed))
}

/// A number of a resource.
const QUANTITY: &str =
    "a quantity: a number, and perhaps a unit such as `m`, `k`, `M`, `G`, `Ki`, `Mi` or `Gi` right after it";

/// The bits of a file's mode.
const MODES: RangeInclusive<i128> = 0..=0o777;

/// The units of quantities, those of bytes among them.
const UNITS: [&str; 12] = ["k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// The units of processors: thousandths.
const UNITS_OF_CPU: [&str; 1] = ["m"];

/// The quantity that was most likely meant by a text with a space before its unit, a unit in another case, or one with a `B`.
/// A million processors are never meant: `100mi` are thousandths.
fn meant_quantity(text: &str, is_of_cpu: bool) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))?;
    let (number, unit) = (text.get(..end)?, text.get(end..)?.trim());
    let whole = format!("{number}{unit}");
    if Quantity::parse(&whole).is_some() && (!is_of_cpu || unit.is_empty() || UNITS_OF_CPU.contains(&unit)) {
        return Some(whole);
    }
    let short = unit.strip_suffix(['b', 'B']).unwrap_or(unit);
    let (short, units) = if is_of_cpu {
        (short.strip_suffix(['i', 'I']).unwrap_or(short), UNITS_OF_CPU.as_slice())
    } else {
        (short, UNITS.as_slice())
    };
    let meant = format!("{number}{}", units.iter().find(|known| known.eq_ignore_ascii_case(short))?);
    Quantity::parse(&meant).is_some().then_some(meant)
}

/// A service name of IANA.
pub(in crate::kubernetes) fn is_port_name(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=15).contains(&text.len())
        && text.chars().all(is_allowed)
        && text.contains(|c: char| c.is_ascii_lowercase())
        && !text.contains("--")
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Whether a text can be the name of a volume.
pub(in crate::kubernetes) fn is_label(text: &str) -> bool {
    (LABEL.0)(text)
}

/// Whether a text can be the name of a label.
pub(in crate::kubernetes) fn is_label_name(text: &str) -> bool {
    (QUALIFIED.0)(text)
}

/// Whether texts can be the name and the value of a label.
pub(in crate::kubernetes) fn has_label_form(name: &str, value: &str) -> bool {
    is_label_name(name) && (value.is_empty() || (LABEL_VALUE.0)(value))
}

/// Whether a path stays below the place where it begins.
pub(super) fn stays_below(path: &str) -> bool {
    !path.starts_with('/') && !climbs(path)
}

/// Whether a path has a step to the folder above.
pub(super) fn climbs(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// A number, or that of a percentage.
pub(super) fn number_or_share(field: &Decoded<'_>) -> Option<i128> {
    field.int().or_else(|| field.text()?.strip_suffix('%')?.parse().ok())
}

impl Look {
    pub fn new(file: FileId) -> Self {
        Look { file, found: Vec::new(), asked: None }
    }

    /// A look for the keys that a map cannot have beside those that it has.
    pub fn asking(asked: AskedKeys) -> Self {
        Look { asked: Some(asked), ..Look::new(FileId(0)) }
    }

    /// The keys that the map that was asked for cannot have.
    pub fn excluded_keys(self) -> Vec<&'static str> {
        self.asked.map(AskedKeys::excluded).unwrap_or_default()
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// A key that is required, and of which an empty text is as if it were absent.
    pub fn required(&mut self, holder: &Decoded<'_>, key: &str) {
        if let Some(field) = holder.key(key) {
            self.empty(Some(field).filter(|field| field.is_blank() || field.is_empty()), key);
        } else if holder.lacks(key) {
            self.missing(holder, &[key], format!("{} has no `{key}`", holder.name()));
        } else {
            self.unwritten(holder, key);
        }
    }

    /// A key that requires a value, and after which none is written. Editors wait for it.
    pub fn unwritten(&mut self, holder: &Decoded<'_>, key: &str) {
        let begun = holder.steps().key(key).filter(|_| holder.is_whole() && holder.is_begun(key));
        if let Some(begun) = begun {
            let message = format!("`{key}` needs a value, but is empty (null)");
            let finding = required_field::finding(self.span(begun.key_range()), message);
            self.found.push(finding.found("null", "a value"));
        }
    }

    /// A key that the schema requires and takes empty texts for. Other values are of the wrong type.
    pub fn filled(&mut self, holder: &Decoded<'_>, key: &str) {
        self.empty(holder.key(key).filter(Decoded::is_blank), key);
    }

    /// A key that the schema requires and takes empty arrays and maps for. Other values are of the wrong type.
    pub fn has_items(&mut self, holder: &Decoded<'_>, key: &str) {
        self.empty(holder.key(key).filter(Decoded::is_empty), key);
    }

    /// A field that is empty.
    pub fn empty(&mut self, field: Option<Decoded<'_>>, key: &str) {
        if let Some(field) = field {
            let finding = required_field::finding(self.span(field.range()), format!("`{key}` is empty"));
            self.found.push(finding);
        }
    }

    /// A key that is required, and whose array has to have an item.
    pub fn nonempty(&mut self, holder: &Decoded<'_>, key: &str) {
        match holder.key(key) {
            Some(_) => self.has_items(holder, key),
            None => self.required(holder, key),
        }
    }

    /// Something is missing in a map, which any of these keys would give.
    pub fn missing(&mut self, holder: &Decoded<'_>, keys: &[&str], message: String) {
        let finding = required_field::finding(self.span(holder.place()), message);
        self.found.push(Diagnostic { lack: self.lack(holder, keys, true), ..finding });
    }

    /// Keys of an earlier version, in place of which another one has to be there.
    pub fn replaced(&mut self, keys: &[Decoded<'_>], message: String, help: String) {
        let instead: Vec<Span> = keys.iter().map(|key| self.span(key.steps().key_range())).collect();
        let Some(first) = instead.iter().copied().min_by_key(|span| span.start) else { return };
        let lack = Lack { keys: Vec::new(), beside: Some(first), is_required: true, instead };
        self.found.push(required_field::finding(first, message).help(help).lack(lack));
    }

    fn lack(&self, holder: &Decoded<'_>, keys: &[&str], is_required: bool) -> Option<Box<Lack>> {
        lack(first_key(holder.steps()).map(|range| self.span(range)), keys, is_required)
    }

    /// Notes that what was found since is only wrong as long as a map has none of these keys.
    pub fn follows(&mut self, before: usize, holder: &Decoded<'_>, keys: &[&str]) {
        let absent: Vec<&str> = keys.iter().copied().filter(|key| !holder.has(key)).collect();
        let lack = self.lack(holder, &absent, false);
        for finding in self.found.iter_mut().skip(before).filter(|finding| finding.lack.is_none()) {
            finding.lack.clone_from(&lack);
        }
    }

    /// A key that has no place here.
    pub fn excluded(&mut self, field: &Decoded<'_>, why: &str) {
        let message = format!("{} {why}", field.name());
        self.found.push(excluded_field::finding(self.span(field.place()), message));
    }

    /// A text in an array that has no place there.
    pub fn excluded_item(&mut self, item: &Decoded<'_>, why: &str) {
        let message = format!("`{}` {why}", item.written());
        self.found.push(excluded_field::finding(self.span(item.range()), message));
    }

    /// Keys of which at most one can be there. Returns those that are.
    pub fn at_most_one<'t>(&mut self, holder: &Decoded<'t>, keys: &[&'static str]) -> Vec<Decoded<'t>> {
        self.one_of(holder, keys, |_| true)
    }

    /// Keys of which at most one can be there, where an empty text is as if it were absent.
    pub fn at_most_one_filled(&mut self, holder: &Decoded<'_>, keys: &[&'static str]) {
        self.one_of(holder, keys, |field| !field.is_blank());
    }

    fn one_of<'t>(
        &mut self,
        holder: &Decoded<'t>,
        keys: &[&'static str],
        counts: fn(&Decoded<'t>) -> bool,
    ) -> Vec<Decoded<'t>> {
        let there: Vec<Decoded<'t>> = keys.iter().filter_map(|key| holder.key(key).filter(counts)).collect();
        if let Some(asked) = &mut self.asked {
            asked.one_of(holder, keys, &there);
        }
        let mut written: Vec<&Decoded<'t>> = there.iter().collect();
        written.sort_by_key(|field| field.place().start);
        if let [first, others @ ..] = &written[..] {
            for other in others {
                let message = format!("{} and {} cannot both be there", other.name(), first.name());
                let finding = excluded_field::finding(self.span(other.place()), message);
                self.found.push(finding.related(self.span(first.place()), "the first of them"));
            }
        }
        there
    }

    /// Keys of which exactly one has to be there. `all` are all that the server knows.
    pub fn exactly_one(&mut self, holder: &Decoded<'_>, keys: &[&'static str]) {
        let there = self.at_most_one(holder, keys);
        let is_meant = || {
            let misspelt = |key| crate::kubernetes::pods::is_misspelt(holder.steps(), key);
            keys.iter().any(|key| holder.is_begun(key) || misspelt(key))
        };
        if there.is_empty() && holder.is_whole() && !is_meant() {
            let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            self.missing(holder, keys, format!("{} has none of {}", holder.name(), names.join(", ")));
        }
    }

    /// At most so many items in an array.
    pub fn at_most(&mut self, holder: &Decoded<'_>, key: &str, most: usize) {
        let Some(array) = holder.key(key) else { return };
        let count = array.all().len();
        if count > most {
            let message = format!("`{key}` should have at most {most} items, but has {count}");
            self.found.push(number_range::said(self.span(array.place()), message));
        }
    }

    /// A text of so many bytes at most.
    pub fn short(&mut self, holder: &Decoded<'_>, key: &str, most: usize) {
        let Some(field) = holder.key(key) else { return };
        if let Some(text) = field.text().filter(|text| text.len() > most) {
            let message = format!("`{key}` should have at most {most} characters, but has {}", text.len());
            self.found.push(text_form::said(self.span(field.range()), message));
        }
    }

    /// Texts that are unique in an array.
    pub fn unique_items(&mut self, items: &[Decoded<'_>], what: &str) {
        let mut known = FxHashMap::default();
        for item in items {
            if let Some(text) = item.text().filter(|text| !text.is_empty()) {
                self.unique(&mut known, text, item.range(), what);
            }
        }
    }

    /// Texts that are unique among others, which are collected in `known`.
    pub fn unique(&mut self, known: &mut FxHashMap<SmolStr, Span>, name: SmolStr, range: Range<usize>, what: &str) {
        let span = self.span(range);
        match known.get(&name) {
            Some(first) => {
                let message = format!("{what} `{name}` is there already");
                self.found.push(repeated_name::finding(span, *first, message));
            }
            None => {
                known.insert(name, span);
            }
        }
    }

    /// Texts below a key that are unique among items.
    pub fn unique_at(&mut self, items: &[Decoded<'_>], key: &str, what: &str) {
        let mut known = FxHashMap::default();
        for field in items.iter().filter_map(|item| item.key(key)) {
            if let Some(text) = field.text().filter(|text| !text.is_empty()) {
                self.unique(&mut known, text, field.range(), what);
            }
        }
    }

    /// A number within bounds.
    pub fn number(&mut self, holder: &Decoded<'_>, key: &str, range: RangeInclusive<i128>) {
        let Some(field) = holder.key(key) else { return };
        let Some(number) = field.int().filter(|number| !range.contains(number)) else { return };
        let finding = number_range::finding(self.span(field.range()), key, number, &range);
        self.found.push(finding);
    }

    /// Numbers within bounds.
    pub fn numbers(&mut self, holder: &Decoded<'_>, keys: &[&str], range: &RangeInclusive<i128>) {
        for key in keys {
            self.number(holder, key, range.clone());
        }
    }

    /// A text with a form; an empty text is absent.
    pub fn form(&mut self, holder: &Decoded<'_>, key: &str, form: TextForm) {
        if let Some(field) = holder.key(key) {
            self.formed(&field, form);
        }
    }

    /// A value that is a text with a form; an empty text is absent.
    pub fn formed(&mut self, field: &Decoded<'_>, (fits, words): TextForm) {
        if let Some(text) = field.text().filter(|text| !text.is_empty() && !fits(text)) {
            let meant = text.trim().to_lowercase().replace(['_', ' '], "-");
            let meant = Some(meant).filter(|meant| *meant != text && fits(meant));
            self.found.push(text_form::finding(self.span(field.range()), &text, words, meant.as_deref()));
        }
    }

    /// A number or a text with a form; an empty text is absent. In quotes, a number is a text.
    pub fn number_or_form(&mut self, holder: &Decoded<'_>, key: &str, form: TextForm) {
        let Some(field) = holder.key(key) else { return };
        let Some(number) = field.quoted_number() else { return self.formed(&field, form) };
        let message = format!("`{number}` is a string because of its quotes, but `{key}` should be an integer here");
        let whole = self.span(field.steps().value().content_range());
        let fix = Fix::replace("Remove the quotes", whole, number);
        self.found.push(text_form::said(self.span(field.range()), message).help("remove the quotes").fix(fix));
    }

    /// A quantity, as a string or a number. A text that only begins like one is reported: others may be filled in later.
    pub fn quantity(&mut self, field: &Decoded<'_>) -> Option<Quantity> {
        let quantity = field.quantity();
        let is_begun = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        if let Some(text) = field.text().filter(|text| quantity.is_none() && is_begun(text)) {
            let meant = meant_quantity(&text, field.is_of_cpu());
            self.found.push(text_form::finding(self.span(field.range()), &text, QUANTITY, meant.as_deref()));
        }
        quantity
    }

    /// The bits of a file's mode.
    pub fn mode(&mut self, holder: &Decoded<'_>, key: &str) {
        let Some(field) = holder.key(key) else { return };
        let Some(number) = field.int().filter(|number| !MODES.contains(number)) else { return };
        let span = self.span(field.range());
        let finding = number_range::finding(span, key, number, &MODES);
        // Modes are written with octal digits, which a zero says.
        let text = field.written();
        let is_octal = text.len() == 3 && text.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
        self.found.push(if is_octal {
            let fix = Fix::replace(format!("Change to `0{text}`"), span, format!("0{text}"));
            finding.help(format!("write `0{text}`: a mode is written in octal digits, which begin with 0")).fix(fix)
        } else {
            finding
        });
    }

    /// A quantity that is above zero.
    pub fn positive(&mut self, field: &Decoded<'_>) {
        let is_some = self.quantity(field).is_none_or(|own| own.order().is_gt());
        if !is_some {
            let message = format!("{} should be greater than 0", field.name());
            self.found.push(number_range::said(self.span(field.range()), message));
        }
    }

    /// A text that is one of a few words.
    pub fn word(&mut self, holder: &Decoded<'_>, key: &str, words: &[&str]) {
        if let Some(field) = holder.key(key) {
            self.worded(&field, words);
        }
    }

    /// A value that is one of a few words.
    pub fn worded(&mut self, field: &Decoded<'_>, words: &[&str]) {
        if let Some(text) = field.text().filter(|text| !text.is_empty() && !words.contains(&text.as_str())) {
            self.found.push(unknown_value::finding(self.span(field.range()), &text, words));
        }
    }

    /// A key of a map with a form.
    pub fn formed_key(&mut self, field: &Decoded<'_>, key: &str, (fits, words): TextForm) {
        if !crate::kubernetes::pods::is_computed(key) && !fits(key) {
            self.found.push(text_form::finding(self.span(field.place()), key, words, None));
        }
    }

    /// A port, by its number or its name.
    pub fn port(&mut self, holder: &Decoded<'_>, key: &str) {
        self.number(holder, key, PORTS);
        self.number_or_form(holder, key, PORT_NAME);
    }

    /// A number or a percentage, neither below zero.
    pub fn amount(&mut self, holder: &Decoded<'_>, key: &str) {
        self.number(holder, key, 0..=MOST);
        let is_percentage = |text: &str| {
            let number = text.strip_suffix('%');
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        self.number_or_form(holder, key, (is_percentage, "a number or a percentage such as `25%`"));
    }

    /// A number or a percentage, of which no more than all are possible.
    pub fn share(&mut self, holder: &Decoded<'_>, key: &str) {
        let Some(field) = holder.key(key).filter(|field| field.text().is_some()) else { return };
        if let Some(share) = number_or_share(&field).filter(|share| *share > 100) {
            let message = format!("`{key}` should be at most 100%, but is {share}%");
            self.found.push(number_range::said(self.span(field.range()), message));
        }
    }
}

//! A field of a resource as the server decodes it: what is null is absent, and what is written elsewhere or filled in later
//! may be anything.

use crate::WrittenSteps;
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::pods::{first_key, is_computed, is_misspelt, is_whole};
use lofting_cel::library::quantity::Quantity;
use lofting_schema::Step;
use lofting_syntax::ValueKind;
use lofting_syntax::resolve::{Resolved, resolve};
use smol_str::SmolStr;
use std::ops::Range;

/// A value in a resource.
#[derive(Clone)]
pub(super) struct Decoded<'t>(WrittenSteps<'t>);

impl<'t> Decoded<'t> {
    pub fn new(steps: WrittenSteps<'t>) -> Self {
        Decoded(steps)
    }

    pub fn steps(&self) -> &WrittenSteps<'t> {
        &self.0
    }

    /// The value of a key, unless it is null.
    pub fn key(&self, key: &str) -> Option<Decoded<'t>> {
        self.0.key(key).map(Decoded).filter(|field| !field.is_null())
    }

    /// The value at the end of a path.
    pub fn below(&self, path: &[&str]) -> Option<Decoded<'t>> {
        path.iter().try_fold(self.clone(), |field, key| field.key(key))
    }

    /// The items of the array below a key.
    pub fn items(&self, key: &str) -> Vec<Decoded<'t>> {
        self.key(key).map(|array| array.all()).unwrap_or_default()
    }

    /// The items of an array.
    pub fn all(&self) -> Vec<Decoded<'t>> {
        self.0.items().into_iter().map(Decoded).collect()
    }

    /// The values at the end of a path of keys, where `[]` stands for each item.
    pub fn reached(&self, path: &[&str]) -> Vec<Decoded<'t>> {
        self.0.reached(path).into_iter().map(Decoded).filter(|field| !field.is_null()).collect()
    }

    /// The entries of a map whose keys are strings, without those that are null.
    pub fn entries(&self) -> Vec<(SmolStr, Decoded<'t>)> {
        let own = self.0.entries().into_iter().filter(|(key, _)| key != "<<");
        own.map(|(key, value)| (key, Decoded(value))).filter(|(_, value)| !value.is_null()).collect()
    }

    fn resolved(&self) -> Option<Resolved> {
        let value = self.0.value();
        let tag = value.tag();
        resolve(SEMANTICS.profile, &value.scalar()?, tag.as_ref().map(|tag| tag.text()).as_deref()).ok()
    }

    fn is_null(&self) -> bool {
        let value = self.0.value();
        value.is_missing() && value.alias().is_none() || matches!(self.resolved(), Some(Resolved::Null))
    }

    /// The text of a string that nothing fills in.
    pub fn text(&self) -> Option<SmolStr> {
        self.0.text().filter(|text| !is_computed(text))
    }

    /// The text of the string below a key.
    pub fn text_at(&self, key: &str) -> Option<SmolStr> {
        self.key(key)?.text()
    }

    /// The text of a scalar, without quotes.
    pub fn written(&self) -> String {
        self.0.value().scalar().map(|scalar| scalar.value().into_owned()).unwrap_or_default()
    }

    pub fn int(&self) -> Option<i128> {
        match self.resolved()? {
            Resolved::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The integer that is a string because it is in quotes.
    pub fn quoted_number(&self) -> Option<SmolStr> {
        let value = self.0.value();
        let is_quoted = matches!(value.kind(), ValueKind::SingleQuoted | ValueKind::DoubleQuoted);
        let is_number = |text: &SmolStr| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && (digits.len() == 1 || !digits.starts_with('0'))
        };
        self.text().filter(|text| is_quoted && value.tag().is_none() && is_number(text))
    }

    /// A quantity, as a string or a number.
    pub fn quantity(&self) -> Option<Quantity> {
        let text = match self.resolved()? {
            Resolved::String => self.text()?.to_string(),
            Resolved::Int(number) => number.to_string(),
            Resolved::Float(_) => self.written(),
            _ => return None,
        };
        Quantity::parse(text.trim())
    }

    pub fn is_set(&self, key: &str) -> bool {
        self.key(key).is_some_and(|field| matches!(field.resolved(), Some(Resolved::Bool(true))))
    }

    /// Whether a flag is certainly off.
    pub fn is_unset(&self, key: &str) -> bool {
        self.key(key).is_some_and(|field| matches!(field.resolved(), Some(Resolved::Bool(false))))
    }

    /// Whether nothing is below a key for certain: it is absent, or its map or array is empty.
    pub fn is_bare(&self, key: &str) -> bool {
        self.lacks(key) || self.key(key).is_some_and(|field| field.is_empty())
    }

    /// Whether there is anything below a key, empty texts not counted: for the server they are absent.
    pub fn has(&self, key: &str) -> bool {
        self.key(key).is_some_and(|field| !field.is_blank())
    }

    /// Whether a key has a value that is not null, also an empty text.
    pub fn is_there(&self, key: &str) -> bool {
        self.key(key).is_some()
    }

    /// Whether it is an empty string.
    pub fn is_blank(&self) -> bool {
        self.0.text().is_some_and(|text| text.is_empty())
    }

    /// Whether it is an array or a map without content.
    pub fn is_empty(&self) -> bool {
        let value = self.0.value();
        let is_bare = value.map().is_some_and(|map| map.entries().next().is_none());
        is_bare || value.seq().is_some_and(|seq| seq.items().next().is_none())
    }

    /// Whether all keys of a map are written here.
    pub fn is_whole(&self) -> bool {
        is_whole(&self.0)
    }

    /// Whether a key of a map is certainly absent, or an empty text. A misspelt key is another mistake, and one after
    /// which nothing is written yet is being typed.
    pub fn lacks(&self, key: &str) -> bool {
        self.is_whole() && !self.has(key) && !self.is_begun(key) && !is_misspelt(&self.0, key)
    }

    /// Whether a key is there, and nothing is written after it.
    pub fn is_begun(&self, key: &str) -> bool {
        self.0.key(key).is_some_and(|steps| {
            let value = steps.value();
            value.is_missing() && value.alias().is_none()
        })
    }

    /// The bytes of the value without quotes, or all of what is not a string.
    pub fn range(&self) -> Range<usize> {
        let written = self.0.text().and_then(|text| self.0.text_range(0..text.len()));
        written.filter(|range| !range.is_empty()).unwrap_or_else(|| self.0.value().content_range())
    }

    /// The bytes of a part of the string.
    pub fn part(&self, part: Range<usize>) -> Range<usize> {
        self.0.text_range(part).unwrap_or_else(|| self.range())
    }

    /// Where a finding about a map or an array is reported: at its key, or, if it has none, at its first one.
    pub fn place(&self) -> Range<usize> {
        let first = || first_key(&self.0);
        match self.0.path().last() {
            Some(Step::Key(_)) => self.0.key_range(),
            Some(_) => first().unwrap_or_else(|| self.0.value().content_range()),
            None => first().unwrap_or_else(|| self.0.key_range()),
        }
    }

    /// Whether it is the value of this key.
    pub fn is_called(&self, key: &str) -> bool {
        matches!(self.0.path().last(), Some(Step::Key(own)) if own.as_str() == Some(key))
    }

    /// Whether it is an amount of processors: `cpu`, or a quota such as `requests.cpu`.
    pub fn is_of_cpu(&self) -> bool {
        let path = self.0.path();
        let key = path.iter().rev().find_map(|step| match step {
            Step::Key(key) => key.as_str(),
            _ => None,
        });
        key.is_some_and(|key| key == "cpu" || key.ends_with(".cpu"))
    }

    /// The key or item that it is, as it is called in a sentence.
    pub fn name(&self) -> String {
        match self.0.path().as_slice() {
            [.., Step::Key(key)] => format!("`{key}`"),
            [.., Step::Key(key), Step::Index(index)] => format!("item {} of `{key}`", index + 1),
            _ => "the resource".to_owned(),
        }
    }
}

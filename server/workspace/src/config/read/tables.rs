//! The tables that only hold values for keys: `[kubernetes]`, `[catalogue]`, `[deprecation]`, `[rules]` and `[format]`.

use super::{ConfigReader, Key};
use crate::config::ConfigError;
use crate::config::keys::{CATALOGUE_KEYS, DEPRECATION_KEYS, KUBERNETES_KEYS, key_named};
use lofting_check::rules;
use lofting_diagnostic::Level;
use lofting_format::{CHOICES, Choice, Value};
use toml::Spanned;
use toml::de::DeValue;

impl ConfigReader {
    /// A key of `[kubernetes]`.
    pub(super) fn version(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        if key_named(&KUBERNETES_KEYS, name).is_none() {
            let range = self.range(key.span());
            return self.unknown_key(name, range, KUBERNETES_KEYS.iter().map(|key| key.name));
        }
        match value.get_ref().as_str().and_then(version_of) {
            Some(version) => self.config.kubernetes = Some(version),
            None => self.wrong_type(name, value, "a version of Kubernetes as a string: \"1.34\""),
        }
    }

    /// A key of `[catalogue]`.
    pub(super) fn built_in(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        if key_named(&CATALOGUE_KEYS, name).is_none() {
            let range = self.range(key.span());
            return self.unknown_key(name, range, CATALOGUE_KEYS.iter().map(|key| key.name));
        }
        match value.get_ref().as_bool() {
            Some(is_on) => self.config.built_in = Some(is_on),
            None => self.wrong_type(name, value, "true or false"),
        }
    }

    /// A key of `[deprecation]`.
    pub(super) fn release(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        if key_named(&DEPRECATION_KEYS, name).is_none() {
            let range = self.range(key.span());
            return self.unknown_key(name, range, DEPRECATION_KEYS.iter().map(|key| key.name));
        }
        match value.get_ref().as_str().filter(|revision| !revision.is_empty()) {
            Some(revision) => self.config.release = Some(revision.to_owned()),
            None => self.wrong_type(name, value, "a revision of git as a string: \"v1.2\""),
        }
    }

    /// The level of a rule.
    pub(super) fn level(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let code: &str = key.get_ref();
        let range = self.range(key.span());
        if rules::registry().get(code).is_none() {
            let meant = self.searches.nearest_rule(rules::registry(), code).map(|rule| rule.code);
            self.config.errors.push(ConfigError {
                range,
                message: format!("there is no rule `{code}`"),
                help: Some(match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "docs/rules.md lists all rules".to_owned(),
                }),
                // The key is written in quotes.
                meant: meant.map(|meant| format!("\"{meant}\"")),
            });
            return;
        }
        let renamed = rules::registry().renamed(code);
        match value.get_ref().as_str().and_then(Level::named) {
            Some(level) => self.config.levels.choose(renamed.as_deref().unwrap_or(code), level),
            None => {
                let names: Vec<String> = Level::ALL.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                self.wrong_type(code, value, &format!("one of {}", names.join(", ")));
            }
        }
        if let Some(today) = renamed {
            self.config.renamed.push((range, today));
        }
    }

    /// A formatting option.
    pub(super) fn layout(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let name: &str = key.get_ref();
        let Some(choice) = Choice::named(name) else {
            let range = self.range(key.span());
            self.unknown_key(name, range, CHOICES.iter().map(|choice| choice.name));
            return;
        };
        let written = match value.get_ref() {
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::String(word) => Value::Word(word),
            DeValue::Integer(number) => number.to_string().parse().map_or(Value::Other, Value::Number),
            _ => Value::Other,
        };
        if !choice.choose(&mut self.config.format, written) {
            self.wrong_type(name, value, &choice.takes.in_words());
        }
    }
}

/// The numbers of a version as people write it: `1.34`, `v1.34`, `1.34.2`.
fn version_of(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
    let mut number = || numbers.next().filter(|number| number.len() <= 4)?.parse().ok();
    Some((number()?, number()?))
}

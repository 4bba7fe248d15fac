//! Functions of ytt's design proposals, which exist only for files with such schemas.

use super::{Args, validations};
use crate::failure::Result;
use crate::run::Run;
use lofting_interpreter::Value;
use lofting_schema::re2;

/// Modules with additional members: their names, their internal names, and the members they have besides ytt's own.
pub(super) const MODULES: [(&str, &str, &[&str]); 5] = [
    ("base64", "proposed base64", &["base64.decodable"]),
    ("json", "proposed json", &["json.decodable"]),
    ("yaml", "proposed yaml", &["yaml.decodable"]),
    ("regexp", "proposed regexp", &["regexp.is_valid"]),
    ("validations", "proposed validations", validations::FUNCTIONS),
];

/// Whether a function belongs to the proposals.
pub(super) fn has(name: &str) -> bool {
    MODULES.iter().any(|(.., functions)| functions.contains(&name))
}

/// Whether a value can be parsed; without a value, the description of a valid one. Never fails.
pub(super) fn invoke(args: Args, _: &mut Run<'_, '_, '_>) -> Result<Value> {
    if args.name.starts_with(validations::PREFIX) {
        return validations::invoke(args);
    }
    let documentation = match args.name {
        "base64.decodable" => "valid base64",
        "json.decodable" => "valid JSON",
        "yaml.decodable" => "valid YAML",
        _ => "a valid regular expression",
    };
    if args.positional.is_empty() {
        return Ok(Value::text(documentation));
    }
    let holds = match (args.first().as_text(), args.name) {
        (None, _) => false,
        (Some(text), "json.decodable") => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        (Some(text), "regexp.is_valid") => re2::check(text).is_ok(),
        (Some(_), name) => {
            let decode = if name == "yaml.decodable" { "yaml.decode" } else { "base64.decode" };
            let one = Args { name: decode, home: None, positional: args.positional.clone(), named: Vec::new() };
            match decode {
                "yaml.decode" => super::yaml::invoke(one).is_ok(),
                _ => super::encoding::invoke(one).is_ok(),
            }
        }
    };
    Ok(Value::Bool(holds))
}

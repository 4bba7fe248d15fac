//! ytt's built-in functions and modules (docs/ytt.md 17), found by their full name.

pub(crate) mod assertion;
mod data;
mod encoding;
mod foreign;
mod json;
pub(crate) mod library;
mod math;
mod net;
mod overlay;
mod proposals;
mod regexp;
mod structs;
mod toml;
pub(crate) mod url;
mod validations;
mod yaml;

use lofting_interpreter::{Object, SmolStr, Value};

use crate::context;
use crate::failure::{Result, fail};
use crate::loader::Home;
use crate::object::{ObjectKind, object};
use crate::run::{NamedValues, Run};

pub(crate) use assertion::is_function;
pub(crate) use foreign::call_foreign;

/// The arguments of a call.
pub(crate) struct Args {
    /// The function's full name, for messages.
    pub(crate) name: &'static str,
    /// What paths are relative to, for functions that take paths.
    pub(crate) home: Option<Home>,
    pub(crate) positional: Vec<Value>,
    pub(crate) named: NamedValues,
}

impl Args {
    pub(crate) fn first(&self) -> &Value {
        self.at(0)
    }

    pub(crate) fn at(&self, index: usize) -> &Value {
        self.positional.get(index).unwrap_or(&Value::None)
    }

    /// What paths are relative to: the file that loaded the function.
    pub(crate) fn home(&self) -> Home {
        self.home.clone().unwrap_or_else(|| Home::of("", ""))
    }

    /// Requires exactly `count` positional arguments.
    pub(crate) fn exactly(&self, count: usize) -> Result<()> {
        if self.positional.len() == count {
            return Ok(());
        }
        let words = ["no arguments", "exactly one argument", "exactly two arguments", "exactly three arguments"];
        fail(format!("{}: expected {}", self.name, words.get(count).unwrap_or(&"other arguments")))
    }

    pub(crate) fn text(&self, index: usize) -> Result<&str> {
        let value = self.at(index);
        match value.as_text() {
            Some(text) => Ok(text),
            None => fail(format!("{}: expected a string, but was {}", self.name, value.type_name())),
        }
    }

    /// Refuses keywords that are not `allowed`.
    pub(crate) fn only(&self, allowed: &[&str]) -> Result<()> {
        match self.named.iter().find(|(name, _)| !allowed.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => fail(format!("{}: unexpected keyword argument \"{name}\"", self.name)),
        }
    }

    pub(crate) fn keyword(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn flag(&self, name: &str, default: bool) -> Result<bool> {
        match self.keyword(name) {
            None => Ok(default),
            Some(value) => match value.as_bool() {
                Some(value) => Ok(value),
                None => fail(format!("{}: expected starlark.Bool, but was {}", self.name, value.type_name())),
            },
        }
    }

    /// `indent=` of the encoders: 0 to 8.
    pub(crate) fn indent(&self) -> Result<usize> {
        let Some(value) = self.keyword("indent") else { return Ok(0) };
        match value.as_int() {
            Some(indent @ 0..=8) => Ok(indent as usize),
            Some(indent) => fail(format!("{}: indent value must be between 0 and 8, but was {indent}", self.name)),
            None => fail(format!("{}: expected int, but was {}", self.name, value.type_name())),
        }
    }
}

/// The functions and constants of each module, by full name. `data` is made for each evaluation.
const MODULES: [(&str, &[&str]); 18] = [
    (
        "assert",
        &[
            "assert.equals",
            "assert.fail",
            "assert.try_to",
            "assert.min",
            "assert.max",
            "assert.min_len",
            "assert.max_len",
            "assert.not_null",
            "assert.one_not_null",
            "assert.one_of",
        ],
    ),
    ("base64", &["base64.encode", "base64.decode"]),
    ("data", &["data.list", "data.read"]),
    ("ip", &["ip.parse_addr", "ip.parse_cidr"]),
    ("json", &["json.encode", "json.decode"]),
    ("library", &["library.get"]),
    (
        "math",
        &[
            "math.ceil",
            "math.copysign",
            "math.fabs",
            "math.floor",
            "math.mod",
            "math.pow",
            "math.remainder",
            "math.round",
            "math.exp",
            "math.sqrt",
            "math.acos",
            "math.asin",
            "math.atan",
            "math.atan2",
            "math.cos",
            "math.hypot",
            "math.sin",
            "math.tan",
            "math.degrees",
            "math.radians",
            "math.acosh",
            "math.asinh",
            "math.atanh",
            "math.cosh",
            "math.sinh",
            "math.tanh",
            "math.log",
            "math.gamma",
            "math.e",
            "math.pi",
        ],
    ),
    ("md5", &["md5.sum"]),
    ("module", &["module.make"]),
    (
        "overlay",
        &[
            "overlay.apply",
            "overlay.all",
            "overlay.index",
            "overlay.map_key",
            "overlay.subset",
            "overlay.and_op",
            "overlay.or_op",
            "overlay.not_op",
        ],
    ),
    ("regexp", &["regexp.match", "regexp.replace"]),
    ("sha256", &["sha256.sum"]),
    ("struct", &["struct.make", "struct.make_and_bind", "struct.bind", "struct.encode", "struct.decode"]),
    ("template", &["template.replace"]),
    ("toml", &["toml.encode", "toml.decode"]),
    (
        "url",
        &[
            "url.path_segment_encode",
            "url.path_segment_decode",
            "url.query_param_value_encode",
            "url.query_param_value_decode",
            "url.query_params_encode",
            "url.query_params_decode",
            "url.parse",
        ],
    ),
    ("version", &["version.require_at_least"]),
    ("yaml", &["yaml.encode", "yaml.decode"]),
];

/// The name of the module as this table spells it, if the module exists. For schemas of ytt's design proposals, some
/// modules have more members.
pub(crate) fn find(name: &str, proposed: bool) -> Option<&'static str> {
    let more = proposals::MODULES.iter().filter(|_| proposed).find(|(module, ..)| *module == name);
    more.map(|(_, whole, _)| *whole)
        .or_else(|| MODULES.iter().map(|(module, _)| *module).find(|module| *module == name))
}

/// The full names of a module's members.
fn functions(module: &str) -> Vec<&'static str> {
    let more = proposals::MODULES.iter().find(|(_, whole, _)| *whole == module);
    let (module, more) = more.map_or((module, &[][..]), |(module, _, more)| (*module, *more));
    let shipped = MODULES.iter().find(|(name, _)| *name == module).map_or(&[][..], |(_, functions)| functions);
    shipped.iter().chain(more).copied().collect()
}

/// The names of a module's members.
pub(crate) fn members(module: &str) -> Vec<&'static str> {
    functions(module).into_iter().filter_map(|full| full.split_once('.').map(|(_, name)| name)).collect()
}

/// A member of a module.
pub(crate) fn member(module: &str, name: &str) -> Option<Value> {
    let mut functions = functions(module).into_iter();
    let full = functions.find(|full| full.split_once('.').is_some_and(|(_, short)| short == name))?;
    Some(match full {
        "math.e" => Value::Float(std::f64::consts::E),
        "math.pi" => Value::Float(std::f64::consts::PI),
        full => object(ObjectKind::Builtin(full), Vec::new()),
    })
}

/// An attribute of an address, network, URL or library.
pub(crate) fn attribute(kind: &ObjectKind, receiver: &Object, name: &str) -> Option<Value> {
    let method = |full| Some(object(ObjectKind::Method(full), vec![Value::Object(receiver.clone())]));
    match (kind, name) {
        (ObjectKind::Address(_), "is_ipv4") => method("ip.addr.is_ipv4"),
        (ObjectKind::Address(_), "is_ipv6") => method("ip.addr.is_ipv6"),
        (ObjectKind::Address(_), "string") => method("ip.addr.string"),
        (ObjectKind::Network(..), "addr") => method("ip.net.addr"),
        (ObjectKind::Network(..), "string") => method("ip.net.string"),
        (ObjectKind::Url(url), "user") => Some(url::user(url)),
        (ObjectKind::Url(_), "hostname") => method("url.value.hostname"),
        (ObjectKind::Url(_), "without_user") => method("url.value.without_user"),
        (ObjectKind::Url(_), "string") => method("url.value.string"),
        (ObjectKind::UserInfo(user, _), "name") => Some(Value::text(user)),
        (ObjectKind::UserInfo(_, password), "password") => Some(password.as_ref().map_or(Value::None, Value::text)),
        (ObjectKind::UserInfo(..), "string") => method("url.user.string"),
        (ObjectKind::Library(_), name) => {
            library::METHODS.iter().find(|(known, _)| *known == name).and_then(|(_, full)| method(full))
        }
        _ => None,
    }
}

/// Calls a built-in function.
pub(crate) fn invoke(name: &'static str, args: Args, run: &mut Run<'_, '_, '_>) -> Result<Value> {
    if name.starts_with("__") {
        return context::invoke(name, args.positional, args.named, run);
    }
    match name.split_once('.').map_or("", |(module, _)| module) {
        _ if proposals::has(name) => proposals::invoke(args, run),
        "assert" => assertion::invoke(args, run),
        "base64" | "md5" | "sha256" => encoding::invoke(args),
        "data" | "version" | "module" | "template" => data::invoke(args, run),
        "library" => library::invoke(args, run),
        "ip" => net::invoke(args),
        "json" => json::invoke(args),
        "math" => math::invoke(args),
        "overlay" => overlay::invoke(args, run),
        "regexp" => regexp::invoke(args, run),
        "struct" => structs::invoke(args),
        "toml" => toml::invoke(args),
        "url" => url::invoke(args),
        "yaml" => yaml::invoke(args),
        _ => fail(format!("unknown function {name}")),
    }
}

/// Calls a ready-made function that holds values of its own.
pub(crate) fn ready_made(name: &str, own: &[Value], call: &[Value], run: &mut Run<'_, '_, '_>) -> Result<Value> {
    if name.starts_with(validations::PREFIX) {
        return validations::call(name, own, call, run);
    }
    overlay::matcher(name, own, call, run)
}

/// Names as those of a struct or module.
fn names_of(named: &NamedValues) -> Vec<SmolStr> {
    named.iter().map(|(name, _)| name.clone()).collect()
}

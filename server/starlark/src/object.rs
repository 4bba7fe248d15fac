//! The values that ytt adds to the language: structs, fragments, modules, built-in functions and the objects they make.
//!
//! The [`ObjectKind`] of an object tells what it is and what the values it holds mean.

use std::net::IpAddr;
use std::sync::Arc;

use lofting_eval::{EvaluationId, FragmentKind};
use lofting_interpreter::{Failure, HostKind, Object, SmolStr, Value, bytes, format};

use crate::failure::{Result, fail};
use crate::modules;
use crate::modules::assertion::Rule;
use crate::modules::library::Instance;
use crate::plain;

/// The kind of an object.
#[derive(Clone, Debug)]
pub(crate) enum ObjectKind {
    /// A built-in function, by its full name (`len`, `regexp.match`).
    Builtin(&'static str),
    /// A method; its receiver is `values[0]`.
    Method(&'static str),
    /// A function that takes paths; `values` hold what they are relative to.
    AtHome(&'static str),
    /// A private library; `values` were passed to it.
    Library(Arc<Instance>),
    /// A ready-made function that holds `values`.
    Closure(&'static str),
    /// A function of another evaluation, from an annotation in what a library made.
    Foreign(Arc<ForeignFunction>),
    /// A module of ytt.
    Module(&'static str),
    /// `module.make`: an object with a name; `values` are its members.
    Bag(Arc<str>, Arc<[SmolStr]>),
    /// A struct; `values` are its fields.
    Struct(Arc<[SmolStr]>),
    /// `struct.bind`: `values[0]` is the function, the rest its first arguments.
    Bound,
    /// An object of `@ytt:assert`; `values[0]` is its rule.
    Assertion,
    /// The function `check` of such an object; `values` are the arguments of what made it.
    Rule(Rule),
    /// `template.replace`: `values[0]`.
    Replace,
    /// YAML nodes; see [`Items`] for `values`.
    Fragment(FragmentKind, Arc<[ItemMeta]>),
    /// An IP address.
    Address(IpAddr),
    /// A network: address and prefix length.
    Network(IpAddr, u8),
    /// A parsed URL.
    Url(Arc<crate::modules::url::ParsedUrl>),
    /// The user part of a URL.
    UserInfo(Arc<str>, Option<Arc<str>>),
}

/// A function that only its own evaluation can call.
#[derive(Debug)]
pub(crate) struct ForeignFunction {
    pub(crate) evaluation: EvaluationId,
    pub(crate) handle: u32,
    pub(crate) name: String,
    /// Otherwise it is another value of that evaluation.
    pub(crate) is_function: bool,
    pub(crate) parameters: Option<u32>,
}

/// An item of a fragment, except for its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemMeta {
    /// The program and node that it comes from.
    pub(crate) origin: Option<(u32, u32)>,
    /// Its annotations; their arguments follow the item's key and value in the object's values.
    pub(crate) annotations: Vec<AnnotationMeta>,
    /// Index of its key in the object's values; the value follows, then the arguments.
    pub(crate) at: usize,
}

/// An evaluated annotation, except for its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnnotationMeta {
    /// Index in its program.
    pub(crate) index: u32,
    pub(crate) name: String,
    pub(crate) positional: usize,
    pub(crate) keywords: Vec<String>,
}

impl AnnotationMeta {
    pub(crate) fn count(&self) -> usize {
        self.positional + self.keywords.len()
    }
}

/// A value of this kind.
pub(crate) fn object(kind: ObjectKind, values: Vec<Value>) -> Value {
    Value::Object(Object::new(kind, values))
}

/// One of our values: its kind and the values it holds.
#[derive(Clone, Copy)]
pub(crate) struct Ours<'a> {
    pub(crate) kind: &'a ObjectKind,
    pub(crate) values: &'a [Value],
}

impl<'a> Ours<'a> {
    /// The value, if it is one of ours.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        let object = value.as_object()?;
        Some(Self { kind: object.kind()?, values: object.values() })
    }

    pub(crate) fn value(self, index: usize) -> &'a Value {
        self.values.get(index).unwrap_or(&Value::None)
    }

    /// Items of a fragment: meta, key, value.
    pub(crate) fn items(self) -> impl Iterator<Item = (&'a ItemMeta, &'a Value, &'a Value)> {
        let items: &[ItemMeta] = match self.kind {
            ObjectKind::Fragment(_, items) => items,
            _ => &[],
        };
        items.iter().map(move |meta| (meta, self.value(meta.at), self.value(meta.at + 1)))
    }

    fn member(self, names: &[SmolStr], name: &str) -> Option<&'a Value> {
        let index = names.iter().position(|known| known == name)?;
        Some(self.value(index))
    }

    /// Finds `key` among the items of a fragment: a key of a map, else an index.
    pub(crate) fn fragment_get(self, key: &Value) -> Result<Option<&'a Value>> {
        let ObjectKind::Fragment(kind, items) = self.kind else { return Ok(None) };
        if *kind == FragmentKind::Map {
            for (_, known, value) in self.items() {
                if known.equals(key)? {
                    return Ok(Some(value));
                }
            }
            return Ok(None);
        }
        let index = key.as_int().and_then(|index| usize::try_from(index).ok());
        Ok(index.and_then(|index| items.get(index)).map(|meta| self.value(meta.at + 1)))
    }

    /// What tells more of a value than its form in ytt.
    pub(crate) fn detailed(self) -> Option<String> {
        let names = match self.kind {
            ObjectKind::Struct(names) => names,
            ObjectKind::Fragment(..) | ObjectKind::Assertion => return Some(format!("<{}>", self.kind.type_name())),
            kind @ (ObjectKind::Address(_)
            | ObjectKind::Network(..)
            | ObjectKind::Url(_)
            | ObjectKind::UserInfo(..)) => {
                return Some(kind.address_text());
            }
            _ => return None,
        };
        let fields = names.iter().zip(self.values);
        let fields: Vec<String> =
            fields.map(|(name, value)| format!("{name} = {}", format::shown_quoted(value))).collect();
        Some(format!("struct({})", fields.join(", ")))
    }
}

impl ObjectKind {
    fn with<'a>(&'a self, object: &'a Object) -> Ours<'a> {
        Ours { kind: self, values: object.values() }
    }

    /// The text that `string()` gives of an address, network, URL or user.
    pub(crate) fn address_text(&self) -> String {
        match self {
            ObjectKind::Address(address) => address.to_string(),
            ObjectKind::Network(address, length) => format!("{address}/{length}"),
            ObjectKind::Url(url) => bytes::text(&url.string()),
            _ => format!("<{}>", self.type_name()),
        }
    }
}

/// What ytt's messages call the nodes of a fragment.
fn go_type(kind: FragmentKind) -> &'static str {
    match kind {
        FragmentKind::Map => "*yamlmeta.Map",
        FragmentKind::Array => "*yamlmeta.Array",
        FragmentKind::DocumentSet => "*yamlmeta.DocumentSet",
        FragmentKind::Empty => "<nil>",
    }
}

impl HostKind for ObjectKind {
    fn type_name(&self) -> &'static str {
        match self {
            ObjectKind::Builtin(_)
            | ObjectKind::Method(_)
            | ObjectKind::AtHome(_)
            | ObjectKind::Closure(_)
            | ObjectKind::Bound => "builtin_function_or_method",
            ObjectKind::Rule(rule) => rule.type_name(),
            ObjectKind::Foreign(function) if function.parameters.is_some() => "function",
            ObjectKind::Foreign(function) if function.is_function => "builtin_function_or_method",
            ObjectKind::Foreign(_) => "object",
            ObjectKind::Module(_) | ObjectKind::Bag(..) | ObjectKind::Library(_) => "module",
            ObjectKind::Struct(_) => "struct",
            ObjectKind::Fragment(..) => "yamlfragment",
            ObjectKind::Assertion => "@ytt:assert.assertion",
            ObjectKind::Replace => "@ytt:template.replace",
            ObjectKind::Address(_) => "@ytt:ip.addr",
            ObjectKind::Network(..) => "@ytt:ip.net",
            ObjectKind::Url(_) => "@ytt:url.value",
            ObjectKind::UserInfo(..) => "@ytt:url.user",
        }
    }

    /// Structs, and the objects that are structs in ytt, do not show their content.
    fn text(&self, _: &Object) -> String {
        match self {
            ObjectKind::Builtin(name)
            | ObjectKind::Method(name)
            | ObjectKind::AtHome(name)
            | ObjectKind::Closure(name) => format!("<built-in function {name}>"),
            ObjectKind::Foreign(function) => format!("<function {}>", function.name),
            ObjectKind::Rule(rule) => rule.text().to_owned(),
            ObjectKind::Bound => "<built-in function struct.bind>".to_owned(),
            ObjectKind::Module(name) => format!("<module \"{name}\">"),
            ObjectKind::Bag(name, _) => format!("<module \"{name}\">"),
            ObjectKind::Struct(_)
            | ObjectKind::Assertion
            | ObjectKind::Address(_)
            | ObjectKind::Network(..)
            | ObjectKind::Url(_)
            | ObjectKind::UserInfo(..) => "struct(...)".to_owned(),
            ObjectKind::Fragment(kind, _) => format!("yamlfragment({})", go_type(*kind)),
            ObjectKind::Library(_) => "<module \"library\">".to_owned(),
            ObjectKind::Replace => "noop".to_owned(),
        }
    }

    fn truth(&self) -> bool {
        match self {
            ObjectKind::Replace => false,
            _ => self.length().is_none_or(|length| length > 0),
        }
    }

    fn length(&self) -> Option<usize> {
        match self {
            ObjectKind::Fragment(_, items) => Some(items.len()),
            ObjectKind::Struct(names) => Some(names.len()),
            _ => None,
        }
    }

    fn items(&self, object: &Object) -> Option<Vec<Value>> {
        match self {
            ObjectKind::Fragment(FragmentKind::Map, _) => {
                Some(self.with(object).items().map(|(_, key, _)| key.clone()).collect())
            }
            ObjectKind::Fragment(..) => Some(self.with(object).items().map(|(.., value)| plain::read(value)).collect()),
            ObjectKind::Struct(names) => Some(names.iter().cloned().map(Value::String).collect()),
            _ => None,
        }
    }

    fn entries(&self, object: &Object) -> Result<Option<Vec<(Value, Value)>>> {
        match self {
            ObjectKind::Struct(names) => {
                Ok(Some(names.iter().cloned().map(Value::String).zip(object.values().iter().cloned()).collect()))
            }
            ObjectKind::Fragment(FragmentKind::Map | FragmentKind::Empty, _) => {
                Ok(Some(self.with(object).items().map(|(_, key, value)| (key.clone(), plain::read(value))).collect()))
            }
            ObjectKind::Fragment(kind, _) => {
                fail(format!("yamlfragment.Items: Expected value to be a map, but was {}", go_type(*kind)))
            }
            _ => Ok(None),
        }
    }

    fn at(&self, object: &Object, index: &Value) -> Result<Value> {
        match self {
            ObjectKind::Fragment(..) => match self.with(object).fragment_get(index)? {
                Some(value) => Ok(plain::read(value)),
                None => fail(format!("key {} not in yamlfragment", format::shown_quoted(index))),
            },
            ObjectKind::Struct(names) => {
                let found = index.as_text().and_then(|name| self.with(object).member(names, name));
                match found {
                    Some(value) => Ok(value.clone()),
                    None => fail(format!("key {} not in struct", format::shown_quoted(index))),
                }
            }
            _ => fail(format!("unhandled index operation {}[{}]", self.type_name(), index.type_name())),
        }
    }

    fn slice(&self) -> Failure {
        Failure::runtime(format!("{} cannot be sliced (ytt crashes here); use list(...) first", self.type_name()))
    }

    fn contains(&self, object: &Object, value: &Value) -> Result<bool> {
        match self {
            ObjectKind::Fragment(..) => Ok(self.with(object).fragment_get(value)?.is_some()),
            ObjectKind::Struct(names) => {
                Ok(value.as_text().is_some_and(|name| names.iter().any(|known| known == name)))
            }
            _ => fail(format!("unknown binary op: {} in {}", value.type_name(), self.type_name())),
        }
    }

    fn attribute(&self, object: &Object, name: &str) -> Option<Value> {
        match self {
            ObjectKind::Struct(names) | ObjectKind::Bag(_, names) => self.with(object).member(names, name).cloned(),
            ObjectKind::Module(module) => modules::member(module, name),
            ObjectKind::Assertion if name == "check" => object.values().first().cloned(),
            _ => modules::attribute(self, object, name),
        }
    }

    fn attributes(&self) -> Vec<SmolStr> {
        let fixed = |names: &[&'static str]| names.iter().map(|name| SmolStr::new_static(name)).collect();
        match self {
            ObjectKind::Struct(names) | ObjectKind::Bag(_, names) => names.to_vec(),
            ObjectKind::Module(module) => fixed(&modules::members(module)),
            ObjectKind::Assertion => fixed(&["check"]),
            ObjectKind::Address(_) => fixed(&["is_ipv4", "is_ipv6", "string"]),
            ObjectKind::Network(..) => fixed(&["addr", "string"]),
            ObjectKind::Url(_) => fixed(&["user", "without_user", "string", "hostname"]),
            ObjectKind::UserInfo(..) => fixed(&["name", "password", "string"]),
            ObjectKind::Library(_) => fixed(&modules::library::METHODS.map(|(name, _)| name)),
            _ => Vec::new(),
        }
    }

    fn equals(&self, object: &Object, other: &Object) -> Result<bool> {
        match (self, other.kind::<ObjectKind>()) {
            (ObjectKind::Fragment(..), Some(ObjectKind::Fragment(..))) => {
                fail("yamlfragment.CompareSameType: Not implemented")
            }
            (ObjectKind::Builtin(a), Some(ObjectKind::Builtin(b))) => Ok(a == b),
            // Structs have no content that is compared (docs/ytt.md 16.1).
            _ => Ok(object.is_same(other)),
        }
    }

    fn call_name(&self) -> Option<&str> {
        match self {
            // Generated code calls these.
            ObjectKind::Builtin(name) if name.starts_with("__") => None,
            ObjectKind::Builtin(name) | ObjectKind::Method(name) | ObjectKind::AtHome(name) => Some(name),
            ObjectKind::Rule(_) => Some("check"),
            _ => Some(self.type_name()),
        }
    }
}

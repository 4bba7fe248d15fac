//! Our only value type: structs, fragments, modules, built-in functions and the objects they make.
//!
//! A single type keeps what the Starlark crate requires of value types (tracing, freezing) in one place. The
//! [`ObjectKind`] of an object tells what it is and what the entries in its list of values mean.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use allocative::Allocative;
use lofting_eval::{EvaluationId, FragmentKind};
use starlark::any::ProvidesStaticType;
use starlark::coerce::Coerce;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_complex_value;
use starlark::values::{
    Freeze, Heap, NoSerialize, StarlarkPagable, StarlarkValue, Trace, Value, ValueLifetimeless, ValueLike,
    starlark_value,
};

use crate::failure::{error, fail};
use crate::loader::Home;
use crate::modules::library::Instance;
use crate::modules::strings;
use crate::{format, modules};

/// The kind of an object.
#[derive(Clone, Debug, Default)]
pub(crate) enum ObjectKind {
    /// Needed by code that the Starlark crate derives; never created.
    #[default]
    Nothing,
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
    /// The string `values[0]`, which contains more than ASCII, before an index or slice.
    Bytes,
    /// An iterator over the string `values[0]`.
    Elements(Elements),
    /// A module of ytt.
    Module(&'static str),
    /// `module.make`: an object with a name; `values` are its members.
    Bag(Arc<str>, Arc<[String]>),
    /// A struct; `values` are its fields.
    Struct(Arc<[String]>),
    /// `struct.bind`: `values[0]` is the function, the rest its first arguments.
    Bound,
    /// An object of `@ytt:assert`; `values` are its arguments.
    Assertion(&'static str),
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

/// What `elems`, `codepoints` and the like iterate over: bytes or characters, as strings or as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) codepoints: bool,
    pub(crate) ords: bool,
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

/// The derive macros of the Starlark crate expand to implementations of unsafe marker traits; nothing else may.
#[allow(unsafe_code, elided_lifetimes_in_paths)]
mod definition {
    use super::{
        Allocative, Coerce, Freeze, NoSerialize, ObjectKind, ProvidesStaticType, StarlarkPagable, Trace,
        ValueLifetimeless,
    };

    /// See [`ObjectKind`].
    #[derive(Clone, Debug, Trace, Coerce, Freeze, ProvidesStaticType, NoSerialize, Allocative, StarlarkPagable)]
    #[repr(C)]
    pub(crate) struct ObjectGen<V: ValueLifetimeless> {
        #[trace(unsafe_ignore)]
        #[freeze(identity)]
        #[allocative(skip)]
        #[starlark_pagable(skip)]
        pub(super) kind: ObjectKind,
        pub(super) values: Box<[V]>,
    }
}

pub(crate) use definition::ObjectGen;

starlark_complex_value!(pub(crate) Object);

impl FrozenObject {
    /// An object without values.
    pub(crate) fn frozen(kind: ObjectKind) -> Self {
        Self { kind, values: Box::default() }
    }
}

impl<'v> Object<'v> {
    pub(crate) fn new(kind: ObjectKind, values: Vec<Value<'v>>) -> Self {
        Self { kind, values: values.into() }
    }
}

impl<'v, V: ValueLike<'v>> ObjectGen<V> {
    pub(crate) fn kind(&self) -> &ObjectKind {
        &self.kind
    }

    pub(crate) fn value(&self, index: usize) -> Value<'v> {
        self.values.get(index).map_or_else(Value::new_none, |value| value.to_value())
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = Value<'v>> + '_ {
        self.values.iter().map(|value| value.to_value())
    }

    /// Items of a fragment: meta, key, value.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&ItemMeta, Value<'v>, Value<'v>)> + '_ {
        let items: &[ItemMeta] = match &self.kind {
            ObjectKind::Fragment(_, items) => items,
            _ => &[],
        };
        items.iter().map(|meta| (meta, self.value(meta.at), self.value(meta.at + 1)))
    }

    fn member(&self, names: &[String], name: &str) -> Option<Value<'v>> {
        let index = names.iter().position(|known| known == name)?;
        Some(self.value(index))
    }

    /// The result of ytt's `type()`.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.kind {
            ObjectKind::Builtin(_)
            | ObjectKind::Method(_)
            | ObjectKind::AtHome(_)
            | ObjectKind::Closure(_)
            | ObjectKind::Bound => "builtin_function_or_method",
            ObjectKind::Foreign(function) if function.parameters.is_some() => "function",
            ObjectKind::Foreign(function) if function.is_function => "builtin_function_or_method",
            ObjectKind::Foreign(_) => "object",
            ObjectKind::Library(_) => "@ytt:library.instance",
            ObjectKind::Module(_) | ObjectKind::Bag(..) => "module",
            ObjectKind::Struct(_) => "struct",
            ObjectKind::Fragment(..) => "yamlfragment",
            ObjectKind::Assertion(_) => "@ytt:assert.assertion",
            ObjectKind::Replace => "@ytt:template.replace",
            ObjectKind::Address(_) => "@ytt:ip.addr",
            ObjectKind::Network(..) => "@ytt:ip.net",
            ObjectKind::Url(_) => "@ytt:url.value",
            ObjectKind::UserInfo(..) => "@ytt:url.user",
            ObjectKind::Bytes => "string",
            ObjectKind::Elements(Elements { codepoints: true, .. }) => "codepoints",
            ObjectKind::Elements(_) => "elems",
            ObjectKind::Nothing => "object",
        }
    }

    /// Finds `key` among the items of a fragment: a key of a map, else an index.
    pub(crate) fn fragment_get(&self, key: Value<'v>) -> starlark::Result<Option<Value<'v>>> {
        let ObjectKind::Fragment(kind, items) = &self.kind else { return Ok(None) };
        if *kind == FragmentKind::Map {
            for (_, known, value) in self.items() {
                if known.equals(key)? {
                    return Ok(Some(value));
                }
            }
            return Ok(None);
        }
        let index = key.unpack_i32().and_then(|index| usize::try_from(index).ok());
        Ok(index.and_then(|index| items.get(index)).map(|meta| self.value(meta.at + 1)))
    }
}

impl<'v, V: ValueLike<'v>> fmt::Display for ObjectGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ObjectKind::Builtin(name) => write!(f, "<built-in function {name}>"),
            ObjectKind::Method(name) | ObjectKind::AtHome(name) | ObjectKind::Closure(name) => {
                write!(f, "<built-in function {name}>")
            }
            ObjectKind::Foreign(function) => write!(f, "<function {}>", function.name),
            ObjectKind::Bound => write!(f, "<built-in function struct.bind>"),
            ObjectKind::Module(name) => write!(f, "<module \"{name}\">"),
            ObjectKind::Bag(name, _) => write!(f, "<module \"{name}\">"),
            ObjectKind::Struct(names) => {
                f.write_str("struct(")?;
                for (index, name) in names.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{name} = {}", format::shown_quoted(self.value(index)))?;
                }
                f.write_str(")")
            }
            ObjectKind::Fragment(..) => f.write_str("<yamlfragment>"),
            ObjectKind::Address(address) => write!(f, "{address}"),
            ObjectKind::Network(address, length) => write!(f, "{address}/{length}"),
            ObjectKind::Url(url) => write!(f, "{}", url.text()),
            ObjectKind::Elements(Elements { codepoints, ords }) => {
                let (what, end) = (if *codepoints { "codepoint" } else { "elem" }, if *ords { "_ords" } else { "s" });
                write!(f, "{}.{what}{end}()", format::shown_quoted(self.value(0)))
            }
            _ => write!(f, "<{}>", self.type_name()),
        }
    }
}

#[starlark_value(type = "object")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for ObjectGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn collect_repr(&self, collector: &mut String) {
        collector.push_str(&self.to_string());
    }

    fn name_for_call_stack(&self, _me: Value<'v>) -> String {
        match &self.kind {
            ObjectKind::Builtin(name) | ObjectKind::Method(name) | ObjectKind::AtHome(name) => (*name).to_owned(),
            _ => self.type_name().to_owned(),
        }
    }

    fn to_bool(&self) -> bool {
        match &self.kind {
            ObjectKind::Struct(names) => !names.is_empty(),
            ObjectKind::Fragment(_, items) => !items.is_empty(),
            _ => true,
        }
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        match (&self.kind, Object::from_value(other).map(|object| object.kind())) {
            (ObjectKind::Fragment(..), Some(ObjectKind::Fragment(..))) => {
                fail("yamlfragment.CompareSameType: Not implemented")
            }
            (ObjectKind::Builtin(a), Some(ObjectKind::Builtin(b))) => Ok(a == b),
            // Structs are never equal (docs/ytt.md 16.1).
            _ => Ok(false),
        }
    }

    fn invoke(
        &self,
        me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let mut positional: Vec<Value<'v>> = Vec::new();
        let mut home = None;
        let name = match &self.kind {
            ObjectKind::Builtin(name) => name,
            ObjectKind::AtHome(name) => {
                home = Some(Home::of_values(self.value(0), self.value(1)));
                name
            }
            ObjectKind::Method(name) => {
                positional.push(self.value(0));
                name
            }
            ObjectKind::Closure(name) => {
                positional.extend(args.positions(eval.heap())?);
                return modules::matcher(name, &self.values().collect::<Vec<_>>(), &positional, eval);
            }
            ObjectKind::Bound => {
                positional.extend(self.values().skip(1));
                positional.extend(args.positions(eval.heap())?);
                let named = args.names_map()?;
                let named: Vec<(&str, Value<'v>)> = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                return eval.eval_function(self.value(0), &positional, &named);
            }
            ObjectKind::Foreign(function) => {
                positional.extend(args.positions(eval.heap())?);
                return modules::call_foreign(function, &positional, eval);
            }
            _ => return fail(format!("invalid call of non-function ({})", format::type_name(me))),
        };
        positional.extend(args.positions(eval.heap())?);
        let named = args.names_map()?;
        let named = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        modules::invoke(name, modules::Args { name, home, positional, named }, eval)
    }

    fn at(&self, index: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        match &self.kind {
            ObjectKind::Fragment(..) => match self.fragment_get(index)? {
                Some(value) => Ok(value),
                None => fail(format!("key {} not in yamlfragment", format::shown_quoted(index))),
            },
            ObjectKind::Bytes => {
                let at = index
                    .unpack_i32()
                    .ok_or_else(|| error(format!("string index: got {}, want int", format::type_name(index))))?;
                strings::byte(self.value(0).unpack_str().unwrap_or(""), at, heap)
            }
            ObjectKind::Struct(names) => {
                let Some(name) = index.unpack_str() else {
                    return fail(format!("key {} not in struct", format::shown_quoted(index)));
                };
                match self.member(names, name) {
                    Some(value) => Ok(value),
                    None => fail(format!("key \"{name}\" not in struct")),
                }
            }
            _ => fail(format!("unhandled index operation {}[{}]", self.type_name(), format::type_name(index))),
        }
    }

    fn slice(
        &self,
        start: Option<Value<'v>>,
        stop: Option<Value<'v>>,
        stride: Option<Value<'v>>,
        heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        if matches!(self.kind, ObjectKind::Bytes) {
            let text = self.value(0).unpack_str().unwrap_or("");
            return strings::slice(text, [start, stop, stride], heap);
        }
        fail(format!("{} cannot be sliced (ytt crashes here); use list(...) first", self.type_name()))
    }

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        match &self.kind {
            ObjectKind::Fragment(FragmentKind::Map, _) => Ok(self.items().map(|(_, key, _)| key).collect()),
            ObjectKind::Fragment(..) => Ok(self.items().map(|(.., value)| value).collect()),
            ObjectKind::Struct(names) => Ok(names.iter().map(|name| heap.alloc_str(name).to_value()).collect()),
            ObjectKind::Elements(elements) => {
                Ok(strings::elements(self.value(0).unpack_str().unwrap_or(""), *elements, heap))
            }
            _ => fail(format!("{} value is not iterable", self.type_name())),
        }
    }

    fn length(&self) -> starlark::Result<i32> {
        match &self.kind {
            ObjectKind::Fragment(_, items) => Ok(items.len() as i32),
            ObjectKind::Struct(names) => Ok(names.len() as i32),
            _ => fail(format!("value of type {} has no len", self.type_name())),
        }
    }

    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        match &self.kind {
            ObjectKind::Fragment(..) => Ok(self.fragment_get(other)?.is_some()),
            ObjectKind::Struct(names) => {
                Ok(other.unpack_str().is_some_and(|name| names.iter().any(|known| known == name)))
            }
            _ => fail(format!("unknown binary op: {} in {}", format::type_name(other), self.type_name())),
        }
    }

    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        match &self.kind {
            ObjectKind::Struct(names) | ObjectKind::Bag(_, names) => self.member(names, attribute),
            ObjectKind::Module(module) => modules::member(module, attribute, heap),
            ObjectKind::Assertion(_) if attribute == "check" => {
                // The object itself is not accessible here, so the receiver is a copy of it.
                let receiver = heap.alloc(Object::new(self.kind.clone(), self.values().collect()));
                Some(heap.alloc(Object::new(ObjectKind::Method("check"), vec![receiver])))
            }
            ObjectKind::Address(_) | ObjectKind::Network(..) | ObjectKind::Url(_) | ObjectKind::UserInfo(..) => {
                let receiver = heap.alloc(Object::new(self.kind.clone(), Vec::new()));
                modules::attribute(&self.kind, receiver, attribute, heap)
            }
            ObjectKind::Library(_) => {
                let receiver = heap.alloc(Object::new(self.kind.clone(), self.values().collect()));
                modules::attribute(&self.kind, receiver, attribute, heap)
            }
            _ => None,
        }
    }

    fn dir_attr(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.kind {
            ObjectKind::Struct(names) | ObjectKind::Bag(_, names) => names.to_vec(),
            ObjectKind::Module(module) => modules::members(module).iter().map(|&name| name.to_owned()).collect(),
            ObjectKind::Assertion(_) => vec!["check".to_owned()],
            ObjectKind::Address(_) => ["is_ipv4", "is_ipv6", "string"].map(str::to_owned).to_vec(),
            ObjectKind::Network(..) => ["addr", "string"].map(str::to_owned).to_vec(),
            ObjectKind::Url(_) => ["user", "without_user", "string", "hostname"].map(str::to_owned).to_vec(),
            ObjectKind::UserInfo(..) => ["name", "password", "string"].map(str::to_owned).to_vec(),
            ObjectKind::Library(_) => {
                crate::modules::library::METHODS.iter().map(|&(name, _)| name.to_owned()).collect()
            }
            _ => Vec::new(),
        };
        names.sort();
        names
    }
}

//! The values that are exchanged with an evaluator.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::integer::Integer;
use crate::portion::Portion;

/// Identifies an evaluation whose functions can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EvaluationId(pub u64);

impl EvaluationId {
    /// The evaluation that waits for an answer about a library; see [`crate::Caller`].
    pub const CALLER: EvaluationId = EvaluationId(u64::MAX);
}

/// A Starlark value, copied out of (or into) the evaluator. It nests at most a little deeper than
/// [`crate::MAX_NESTING`].
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `None`
    None,
    /// A boolean.
    Bool(bool),
    /// An integer of at most 64 bits, signed or unsigned.
    Int(Integer),
    /// A float, NaN and the infinities included.
    Float(f64),
    /// A string.
    String(SmolStr),
    /// A list.
    List(Vec<Data>),
    /// A tuple.
    Tuple(Vec<Data>),
    /// A set.
    Set(Vec<Data>),
    /// A dict in insertion order.
    Dict(Vec<(Data, Data)>),
    /// A struct in the order its fields were given.
    Struct(Vec<(String, Data)>),
    /// YAML nodes as a value (type `yamlfragment`).
    Fragment(Fragment),
    /// A function, callable through its handle.
    Function(Box<Function>),
    /// In arguments of calls: one of the values that several calls share, by index.
    Shared(u32),
    /// In arguments of calls, as the value of an item: the items of this portion are in its place.
    Portion(Arc<Portion>),
    /// Anything else: assertion objects, modules, ranges, addresses, ...
    Object(Box<Object>),
}

/// YAML nodes as a value (docs/ytt.md 16.2).
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    /// What kind of collection it is.
    pub kind: FragmentKind,
    /// Documents, map items or array items.
    pub items: Vec<FragmentItem>,
}

/// The kind of a [`Fragment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentKind {
    /// The template produced no node; null when used as a value.
    Empty,
    /// Documents.
    DocumentSet,
    /// Map items.
    Map,
    /// Array items.
    Array,
}

/// A document or item of a [`Fragment`].
#[derive(Clone, Debug, PartialEq)]
pub struct FragmentItem {
    /// The node of the program that it comes from; None for what code created.
    pub origin: Option<Origin>,
    /// The key of a map item.
    pub key: Option<Data>,
    /// The value: a scalar, a [`Data::Fragment`], or the result of an expression.
    pub value: Data,
    /// The evaluated annotations of the node, in order.
    pub annotations: Vec<AnnotationData>,
}

/// The node of a program that an item comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file, as [`crate::TemplateProgram::path`] names it. Empty for an item that was an argument of the call, and
    /// [`Origin::LIBRARY`] for one from a library: both come back in the result with the number they were passed with.
    pub path: Arc<str>,
    /// Index into [`crate::TemplateProgram::nodes`], or the number of the item.
    pub node: u32,
}

impl Origin {
    /// A placeholder for the path of items that a library made. No real path inside ytt begins like this.
    pub const LIBRARY: &str = "//";

    /// Where an item comes from that was an argument of the call, and has this number.
    pub fn of_argument(number: u32) -> Origin {
        static PATH: LazyLock<Arc<str>> = LazyLock::new(Arc::default);
        Origin { path: PATH.clone(), node: number }
    }

    /// Where an item comes from that a library made, and that has this number.
    pub fn of_library(number: u32) -> Origin {
        static PATH: LazyLock<Arc<str>> = LazyLock::new(|| Origin::LIBRARY.into());
        Origin { path: PATH.clone(), node: number }
    }
}

/// An annotation with its arguments evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotationData {
    /// Index into [`crate::TemplateProgram::annotations`] of the program the item's origin names.
    pub annotation: u32,
    /// Its name.
    pub name: String,
    /// Positional arguments.
    pub positional: Vec<Data>,
    /// Keyword arguments in the order given.
    pub keywords: Vec<(String, Data)>,
}

/// A function that stays callable in the evaluator.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Identifies it in calls, within its evaluation.
    pub handle: u32,
    /// Its evaluation, if it differs from the one that the value comes from or goes to.
    pub evaluation: Option<EvaluationId>,
    /// `lambda` for lambdas.
    pub name: String,
    /// How many parameters it has, not counting `*args` and `**kwargs`; None for built-in functions.
    pub parameters: Option<u32>,
    /// What a built-in function was made with: the value of `overlay.subset(value)`. Those who know the function by its
    /// name need not call it.
    pub made_with: Vec<Data>,
}

/// A value that has no form outside the evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Identifies it in calls, within its evaluation.
    pub handle: u32,
    /// See [`Function::evaluation`].
    pub evaluation: Option<EvaluationId>,
    /// What `type()` says.
    pub type_name: String,
    /// How Starlark prints it.
    pub text: String,
    /// It has a function as attribute `check`, and so is usable as a validation rule.
    pub has_check: bool,
}

impl Data {
    /// An integer.
    pub fn int(number: impl Into<Integer>) -> Data {
        Data::Int(number.into())
    }

    /// What Starlark's `type()` says of the value.
    pub fn type_name(&self) -> &str {
        match self {
            Data::None => "NoneType",
            Data::Bool(_) => "bool",
            Data::Int(_) => "int",
            Data::Float(_) => "float",
            Data::String(_) => "string",
            Data::List(_) => "list",
            Data::Tuple(_) => "tuple",
            Data::Set(_) => "set",
            Data::Dict(_) => "dict",
            Data::Struct(_) => "struct",
            Data::Fragment(_) => "yamlfragment",
            Data::Function(function) if function.parameters.is_none() => "builtin_function_or_method",
            Data::Function(_) => "function",
            Data::Shared(_) => "shared",
            Data::Portion(_) => "portion",
            Data::Object(object) => &object.type_name,
        }
    }
}

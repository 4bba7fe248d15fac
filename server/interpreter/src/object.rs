//! Values that a host adds to the language.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::drop::Items;
use crate::failure::{Result, fail};
use crate::value::Value;

/// What the values of a host can do. Every method has the answer of a value that cannot do it.
///
/// An [`Object`] is a kind, which implements this, with the Starlark values it holds. They are apart so that values can be
/// frozen and dropped without knowing the kind. Functions of a host are called through
/// [`crate::Environment::call`], because only the environment of the running code knows what they work on.
pub trait HostKind: Any + fmt::Debug + Send + Sync {
    /// What `type` says of it.
    fn type_name(&self) -> &'static str;

    /// How it is printed.
    fn text(&self, object: &Object) -> String {
        let _ = object;
        format!("<{}>", self.type_name())
    }

    /// Whether it counts as true in conditions.
    fn truth(&self) -> bool {
        true
    }

    /// How many items it has.
    fn length(&self) -> Option<usize> {
        None
    }

    /// What a loop runs over.
    fn items(&self, object: &Object) -> Option<Vec<Value>> {
        let _ = object;
        None
    }

    /// Its entries, if it can be used as a mapping.
    ///
    /// # Errors
    ///
    /// It is one for the language, but has no entries.
    fn entries(&self, object: &Object) -> Result<Option<Vec<(Value, Value)>>> {
        let _ = object;
        Ok(None)
    }

    /// `object[index]`
    ///
    /// # Errors
    ///
    /// There is nothing at this index.
    fn at(&self, object: &Object, index: &Value) -> Result<Value> {
        let _ = object;
        fail(format!("unhandled index operation {}[{}]", self.type_name(), index.type_name()))
    }

    /// Fails with what is wrong with `object[start:stop]`.
    fn slice(&self) -> crate::Failure {
        crate::Failure::runtime(format!("invalid slice operand {}", self.type_name()))
    }

    /// `value in object`
    ///
    /// # Errors
    ///
    /// It contains nothing.
    fn contains(&self, object: &Object, value: &Value) -> Result<bool> {
        let _ = object;
        fail(format!("unknown binary op: {} in {}", value.type_name(), self.type_name()))
    }

    /// `object.name`
    fn attribute(&self, object: &Object, name: &str) -> Option<Value> {
        let _ = (object, name);
        None
    }

    /// The names of its attributes, in any order.
    fn attributes(&self) -> Vec<SmolStr> {
        Vec::new()
    }

    /// Whether it equals another object: without content to compare, only if it is the same one.
    ///
    /// # Errors
    ///
    /// They cannot be compared, not even with themselves.
    fn equals(&self, object: &Object, other: &Object) -> Result<bool> {
        Ok(object.is_same(other))
    }

    /// The name that call stacks show; None if its calls are hidden, because no user wrote them.
    fn call_name(&self) -> Option<&str> {
        Some(self.type_name())
    }
}

/// A value of a host.
#[derive(Clone, Debug)]
pub struct Object(Arc<Data<dyn HostKind>>);

#[derive(Debug)]
struct Data<K: ?Sized> {
    values: Items,
    kind: K,
}

impl Object {
    /// An object of a kind that holds these values.
    pub fn new(kind: impl HostKind, values: Vec<Value>) -> Self {
        Self(Arc::new(Data { values: Items(values), kind }))
    }

    /// Its kind, if it is of this type.
    pub fn kind<K: HostKind>(&self) -> Option<&K> {
        (&self.0.kind as &dyn Any).downcast_ref()
    }

    /// The values it holds.
    pub fn values(&self) -> &[Value] {
        &self.0.values
    }

    /// What `type` says of it.
    pub fn type_name(&self) -> &'static str {
        self.0.kind.type_name()
    }

    pub(crate) fn text(&self) -> String {
        self.0.kind.text(self)
    }

    pub(crate) fn truth(&self) -> bool {
        self.0.kind.truth()
    }

    pub(crate) fn length(&self) -> Option<usize> {
        self.0.kind.length()
    }

    pub(crate) fn items(&self) -> Option<Vec<Value>> {
        self.0.kind.items(self)
    }

    pub(crate) fn entries(&self) -> Result<Option<Vec<(Value, Value)>>> {
        self.0.kind.entries(self)
    }

    pub(crate) fn at(&self, index: &Value) -> Result<Value> {
        self.0.kind.at(self, index)
    }

    pub(crate) fn slice(&self) -> crate::Failure {
        self.0.kind.slice()
    }

    pub(crate) fn contains(&self, value: &Value) -> Result<bool> {
        self.0.kind.contains(self, value)
    }

    /// `object.name`
    pub fn attribute(&self, name: &str) -> Option<Value> {
        self.0.kind.attribute(self, name)
    }

    pub(crate) fn attributes(&self) -> Vec<SmolStr> {
        self.0.kind.attributes()
    }

    pub(crate) fn call_name(&self) -> Option<&str> {
        self.0.kind.call_name()
    }

    pub(crate) fn equals(&self, other: &Object) -> Result<bool> {
        self.0.kind.equals(self, other)
    }

    /// Whether both are one object.
    pub fn is_same(&self, other: &Object) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    pub(crate) fn dismantle(mut self, left: &mut Vec<Value>) {
        // Nothing else refers to it weakly, so it is the last reference that gets its values.
        if let Some(data) = Arc::get_mut(&mut self.0) {
            left.append(&mut data.values.0);
        }
    }
}

//! Global variables, captured variables, and the life of values that can refer to themselves.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use smol_str::SmolStr;

use crate::alive::Count;
use crate::collections::{Dict, List, WeakDict, WeakList};
use crate::drop::release;
use crate::freeze::freeze;
use crate::value::Value;

/// The global variables of a file.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    names: Vec<SmolStr>,
    values: Mutex<Vec<Option<Value>>>,
}

impl Globals {
    pub(crate) fn new(names: Vec<SmolStr>) -> Self {
        let values = Mutex::new(vec![None; names.len()]);
        Self { names, values }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        self.values.lock().get(index).cloned().flatten()
    }

    pub(crate) fn set(&self, index: usize, value: Value) {
        let before = self.values.lock().get_mut(index).and_then(|slot| slot.replace(value));
        // Dropped here, when the lock is free again.
        drop(before);
    }

    pub(crate) fn all(&self) -> Vec<Value> {
        self.values.lock().iter().flatten().cloned().collect()
    }

    fn clear(&self) {
        let values: Vec<Value> = self.values.lock().iter_mut().filter_map(Option::take).collect();
        release(values);
    }
}

/// A variable that functions share.
#[derive(Debug, Default)]
pub(crate) struct Cell(Mutex<Option<Value>>);

impl Cell {
    pub(crate) fn new(value: Option<Value>) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn get(&self) -> Option<Value> {
        self.0.lock().clone()
    }

    pub(crate) fn set(&self, value: Value) {
        let before = self.0.lock().replace(value);
        drop(before);
    }

    pub(crate) fn take(&self) -> Option<Value> {
        self.0.lock().take()
    }
}

/// What could refer to itself is emptied when its region ends, so that nothing stays: values are counted references, and
/// those of a cycle would never be dropped.
#[derive(Debug, Default)]
pub(crate) struct Region {
    suspects: Mutex<Vec<Suspect>>,
    /// Modules whose values are among those of this region.
    needed: Mutex<Vec<Module>>,
}

#[derive(Debug)]
enum Suspect {
    Globals(Weak<Globals>),
    Cell(Weak<Cell>),
    List(WeakList),
    Dict(WeakDict),
}

impl Region {
    pub(crate) fn needs(&self, module: Module) {
        let mut needed = self.needed.lock();
        if !needed.iter().any(|known| Arc::ptr_eq(&known.0, &module.0)) {
            needed.push(module);
        }
    }

    pub(crate) fn globals(&self, globals: &Arc<Globals>) {
        self.suspects.lock().push(Suspect::Globals(Arc::downgrade(globals)));
    }

    pub(crate) fn cell(&self, cell: &Arc<Cell>) {
        self.suspects.lock().push(Suspect::Cell(Arc::downgrade(cell)));
    }

    pub(crate) fn list(&self, list: &List) {
        self.suspects.lock().push(Suspect::List(list.downgrade()));
    }

    pub(crate) fn dict(&self, dict: &Dict) {
        self.suspects.lock().push(Suspect::Dict(dict.downgrade()));
    }

    /// Adds what may stay until the region ends, and what is in variables.
    pub(crate) fn count(&self, count: &mut Count) {
        for suspect in self.suspects.lock().iter() {
            match suspect {
                Suspect::Globals(globals) => count.add_all(globals.upgrade().into_iter().flat_map(|known| known.all())),
                Suspect::Cell(cell) => count.add_all(cell.upgrade().and_then(|cell| cell.get())),
                Suspect::List(list) => count.add_all(list.upgrade().map(Value::List)),
                Suspect::Dict(dict) => count.add_all(dict.upgrade().map(Value::Dict)),
            }
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        for suspect in self.suspects.get_mut().drain(..) {
            match suspect {
                Suspect::Globals(globals) => drop(globals.upgrade().map(|globals| globals.clear())),
                Suspect::Cell(cell) => release(cell.upgrade().and_then(|cell| cell.take()).into_iter().collect()),
                Suspect::List(list) => list.clear(),
                Suspect::Dict(dict) => dict.clear(),
            }
        }
    }
}

/// The names that a file defines, with their values. The values are usable for as long as there is a clone of the
/// module: afterwards its functions have no global variables any more.
#[derive(Clone, Debug)]
pub struct Module(Arc<ModuleData>);

#[derive(Debug)]
struct ModuleData {
    globals: Arc<Globals>,
    /// Names that the file loaded and does not define.
    loaded: Vec<SmolStr>,
    _region: Arc<Region>,
}

impl Module {
    pub(crate) fn new(globals: Arc<Globals>, loaded: Vec<SmolStr>, region: Arc<Region>) -> Self {
        Self(Arc::new(ModuleData { globals, loaded, _region: region }))
    }

    /// A module of a host.
    pub fn of(names: impl IntoIterator<Item = (SmolStr, Value)>) -> Self {
        let (names, values): (Vec<SmolStr>, Vec<Option<Value>>) =
            names.into_iter().map(|(name, value)| (name, Some(value))).unzip();
        let globals = Globals { names, values: Mutex::new(values) };
        Self::new(Arc::new(globals), Vec::new(), Arc::default())
    }

    /// The value of a name that the file defines.
    pub fn get(&self, name: &str) -> Option<Value> {
        let index = self.0.globals.names.iter().position(|known| known == name)?;
        if self.passes_over(name) { None } else { self.0.globals.get(index) }
    }

    /// The names that the file defines: those that it gives others.
    pub(crate) fn given(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.globals.names.iter().filter(|name| !self.passes_over(name))
    }

    /// Whether the file loads this name itself, so that it does not give it others.
    pub(crate) fn passes_over(&self, name: &str) -> bool {
        self.0.loaded.iter().any(|loaded| loaded == name)
    }

    /// The names that the file defines and loads, with their values.
    pub fn all(&self) -> Vec<(SmolStr, Value)> {
        let values = self.0.globals.values.lock();
        self.0
            .globals
            .names
            .iter()
            .zip(values.iter())
            .filter_map(|(name, value)| Some((name.clone(), value.clone()?)))
            .collect()
    }

    /// Makes everything that its names refer to unchangeable.
    pub fn freeze(&self) {
        freeze(self.0.globals.all());
    }
}

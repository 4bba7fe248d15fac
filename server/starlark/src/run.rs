//! The running code, as our functions see it.

use lofting_interpreter::{Arguments, Environment, Evaluator, Module, Object, SmolStr, Value};

use crate::failure::{Result, fail};
use crate::host::Host;
use crate::loader::{Home, Loader};
use crate::modules::{self, Args};
use crate::object::{ObjectKind, Ours};

/// The code that calls one of our functions.
pub(crate) struct Run<'a, 'e, 'h> {
    pub(crate) evaluator: &'a mut Evaluator<'e>,
    pub(crate) host: &'a Host<'h>,
}

impl Run<'_, '_, '_> {
    /// Calls a function with arguments by position.
    pub(crate) fn call(&mut self, function: &Value, positional: Vec<Value>) -> Result<Value> {
        self.evaluator.call(function, Arguments { positional, named: Vec::new() })
    }
}

impl Environment for Loader<'_, '_> {
    fn load(&self, path: &str) -> Result<Module> {
        self.module(path)
    }

    fn held(&self, visit: &mut dyn FnMut(&Value)) -> bool {
        self.host.each_value_of_nodes(visit)
    }

    fn print(&self, line: String) {
        self.host.print(line);
    }

    fn call(&self, function: &Object, arguments: Arguments, evaluator: &mut Evaluator<'_>) -> Result<Value> {
        let run = &mut Run { evaluator, host: self.host };
        let Some(kind) = function.kind::<ObjectKind>() else { return fail("this is not a function") };
        let own = Ours { kind, values: function.values() };
        let Arguments { mut positional, named } = arguments;
        let mut home = None;
        let name = match kind {
            ObjectKind::Builtin(name) => name,
            ObjectKind::AtHome(name) => {
                home = Some(Home::of_values(own.value(0), own.value(1)));
                name
            }
            ObjectKind::Method(name) => {
                positional.insert(0, own.value(0).clone());
                name
            }
            ObjectKind::Rule(rule) => return rule.call(own.values, positional, named),
            ObjectKind::Closure(name) => return modules::ready_made(name, own.values, &positional, run),
            ObjectKind::Bound => {
                let given = own.values.iter().skip(1).cloned().chain(positional);
                let arguments = Arguments { positional: given.collect(), named };
                return run.evaluator.call(own.value(0), arguments);
            }
            ObjectKind::Foreign(function) => return modules::call_foreign(function, &positional, run),
            _ => return fail(format!("invalid call of non-function ({})", function.type_name())),
        };
        modules::invoke(name, Args { name, home, positional, named }, run)
    }
}

/// Names of arguments with their values.
pub(crate) type NamedValues = Vec<(SmolStr, Value)>;

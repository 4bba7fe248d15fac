//! Data values that cross from one file to another: those passed to functions that this file loads, and those that
//! other files pass to its functions.

use super::{Follower, Form, Meaning, PathId, ValuePaths, ValueStep, follow};
use crate::code::{CallArgument, Code, FunctionId, Parameter, TermId};
use std::collections::HashMap;

/// What is known about other files when the data values of one file are followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outside {
    /// What calls in other files pass to a parameter of a function.
    pub given: HashMap<(FunctionId, usize), Vec<PassedValue>>,
    /// The parameters of loaded functions, by index of the `load` and of the name in it.
    pub functions: HashMap<(usize, usize), Vec<Parameter>>,
}

/// The data value that a call passes; None for anything else.
pub type PassedValue = Option<Handed>;

/// A data value with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Handed {
    /// The steps to it from `data.values`.
    pub steps: Vec<ValueStep>,
    /// Its form.
    pub form: Form,
    /// It is certainly this value.
    pub certain: bool,
}

/// An argument in a call of a loaded function.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Index into [`Code::loads`].
    pub load: usize,
    /// Index into the names of the load.
    pub name: usize,
    /// The index of the parameter.
    pub parameter: usize,
    /// What is passed.
    pub given: PassedValue,
}

impl Code {
    /// This code, with data values followed across files.
    pub fn linked(&self, outside: &Outside) -> Code {
        Code { values: follow(self, outside), ..self.clone() }
    }
}

/// The argument for each parameter of a call, by position or by name.
pub(super) fn assigned(parameters: &[Parameter], arguments: &[CallArgument]) -> Vec<(usize, TermId)> {
    let of = |(place, argument): (usize, &CallArgument)| {
        let index = match &argument.name {
            _ if argument.starred => None,
            Some((name, _)) => parameters.iter().position(|parameter| parameter.name == *name),
            None => Some(place),
        }?;
        parameters.get(index).filter(|parameter| !parameter.starred).map(|_| (index, argument.value))
    };
    arguments.iter().enumerate().filter_map(of).collect()
}

impl ValuePaths {
    fn path_of(&mut self, steps: &[ValueStep]) -> PathId {
        steps.iter().fold(PathId(0), |path, step| self.step(path, step.clone()))
    }
}

impl Follower<'_> {
    /// What calls in other files pass to this file's parameters.
    pub(super) fn given_outside(&mut self) -> HashMap<(FunctionId, usize), (Meaning, bool)> {
        let mut found = HashMap::new();
        for (parameter, given) in &self.outside.given {
            for given in given {
                let meaning = match given {
                    Some(handed) => {
                        let path = self.paths.path_of(&handed.steps);
                        (Meaning::Values(path, handed.form), handed.certain)
                    }
                    None => (Meaning::Unknown, false),
                };
                super::join(&mut found, *parameter, meaning);
            }
        }
        found
    }

    /// Notes a call of a loaded function.
    pub(super) fn pass(&mut self, load: usize, name: usize, arguments: &[CallArgument]) {
        let Some(parameters) = self.outside.functions.get(&(load, name)) else { return };
        let assigned = assigned(parameters, arguments);
        for parameter in 0..parameters.len() {
            let value = assigned.iter().find(|(index, _)| *index == parameter).map(|(_, value)| *value);
            let given = value.and_then(|value| match self.known(value) {
                (Meaning::Values(path, form), certain) => Some(Handed { steps: self.paths.steps(path), form, certain }),
                _ => None,
            });
            value.into_iter().for_each(|value| self.consume(value));
            self.passes.push(Pass { load, name, parameter, given });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{BindingKind, read_starlark};

    const CALLER: &str =
        "load(\"@ytt:data\", \"data\")\nload(\"f.star\", \"f\")\nx = f(data.values.a, b=1)\ny = f(data.values.a)\n";
    const CALLED: &str = "def f(a, b=2):\n  return a.name + b.port\nend\n";

    /// The keys that code reads, with `?` after those that are not certain.
    fn uses(code: &Code) -> Vec<String> {
        let shown = |steps: Vec<ValueStep>| {
            let words = steps.iter().map(|step| match step {
                ValueStep::Key(key) => key.as_str(),
                ValueStep::Item => "[]",
            });
            words.collect::<Vec<_>>().join(".")
        };
        let mark = |certain: bool| if certain { "" } else { "?" };
        let uses = code.values.uses.iter();
        uses.map(|used| format!("{}{}", shown(code.values.steps(used.path)), mark(used.certain))).collect()
    }

    #[test]
    fn what_a_file_hands_over_arrives_in_the_other() {
        let (caller, called) = (read_starlark(CALLER), read_starlark(CALLED));
        assert!(uses(&called).is_empty());
        let load = caller.bindings.iter().find_map(|binding| match binding.kind {
            BindingKind::Loaded(load, name) if binding.name == "f" => Some((load, name)),
            _ => None,
        });
        let load = load.expect("f is loaded");
        let parameters = called.functions[0].parameters.clone();
        let outside = Outside { functions: HashMap::from([(load, parameters)]), ..Outside::default() };
        let linked = caller.linked(&outside);
        assert!(linked.values.escapes.iter().all(|escape| linked.values.steps(escape.path).is_empty()));
        let mut given: HashMap<(FunctionId, usize), Vec<PassedValue>> = HashMap::new();
        for pass in linked.values.passes {
            given.entry((FunctionId(0), pass.parameter)).or_default().push(pass.given);
        }
        let outside = Outside { given, ..Outside::default() };
        assert_eq!(uses(&called.linked(&outside)), ["a.name"]);
    }

    #[test]
    fn other_arguments_make_it_uncertain_and_half_a_call_hands_nothing_over() {
        let called = read_starlark(CALLED);
        let handed =
            |key: &str| Some(Handed { steps: vec![ValueStep::Key(key.to_owned())], form: Form::Plain, certain: true });
        let given = HashMap::from([((FunctionId(0), 0), vec![handed("a"), None])]);
        let outside = Outside { given, ..Outside::default() };
        assert_eq!(uses(&called.linked(&outside)), ["a.name?"]);
        let caller = read_starlark("load(\"f.star\", \"f\")\nx = f(");
        let functions = HashMap::from([((0, 0), called.functions[0].parameters.clone())]);
        let linked = caller.linked(&Outside { functions, ..Outside::default() });
        assert!(linked.values.passes.iter().all(|pass| pass.given.is_none()));
    }
}

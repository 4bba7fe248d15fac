//! Runs code and shows what comes of it.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::cell::RefCell;

use lofting_interpreter::{
    Arguments, Environment, Evaluator, Failure, FailureKind, HostKind, Limits, Module, Object, Predeclared, Program,
    Result, SmolStr, Stop, Value, fail, format, predeclared, predeclared_names,
};

pub const LIMITS: Limits = Limits { steps: 1_000_000, bytes: 64 << 20, calls: 500 };

/// A value of a host: a pair with the attributes `left` and `right`, or a function.
#[derive(Debug)]
pub enum Hosted {
    Pair,
    /// Makes a pair.
    MakePair,
    /// Calls a function twice.
    Twice,
}

impl HostKind for Hosted {
    fn type_name(&self) -> &'static str {
        match self {
            Hosted::Pair => "pair",
            Hosted::MakePair | Hosted::Twice => "builtin_function_or_method",
        }
    }

    fn attribute(&self, object: &Object, name: &str) -> Option<Value> {
        match (self, name) {
            (Hosted::Pair, "left") => object.values().first().cloned(),
            (Hosted::Pair, "right") => object.values().get(1).cloned(),
            _ => None,
        }
    }

    fn attributes(&self) -> Vec<SmolStr> {
        ["left", "right"].map(SmolStr::new_static).to_vec()
    }
}

/// The names of the language, with `pair` and `twice`.
pub struct Names;

impl Predeclared for Names {
    fn get(&self, name: &str) -> Option<Value> {
        match name {
            "pair" => Some(Value::Object(Object::new(Hosted::MakePair, Vec::new()))),
            "twice" => Some(Value::Object(Object::new(Hosted::Twice, Vec::new()))),
            name => predeclared(name),
        }
    }

    fn names(&self) -> Vec<&str> {
        predeclared_names().collect()
    }
}

/// One file that can be loaded, `lib`.
#[derive(Default)]
pub struct Host {
    pub library: &'static str,
    pub printed: RefCell<Vec<String>>,
}

impl Environment for Host {
    fn load(&self, path: &str) -> Result<Module> {
        if path != "lib" {
            return fail(format!("no file {path}"));
        }
        let program = Program::new(self.library, 1, &Names).map_err(|mut failures| failures.remove(0))?;
        let module = Evaluator::new(self, LIMITS, None).run(&program)?;
        module.freeze();
        Ok(module)
    }

    fn print(&self, line: String) {
        self.printed.borrow_mut().push(line);
    }

    fn call(&self, function: &Object, arguments: Arguments, evaluator: &mut Evaluator<'_>) -> Result<Value> {
        match function.kind::<Hosted>() {
            Some(Hosted::MakePair) => Ok(Value::Object(Object::new(Hosted::Pair, arguments.positional))),
            Some(Hosted::Twice) => {
                let function = arguments.positional.first().cloned().unwrap_or_default();
                evaluator.call(&function, Arguments::default())?;
                evaluator.call(&function, Arguments::default())
            }
            _ => fail("invalid call of non-function (pair)"),
        }
    }
}

/// The `repr` of `r` after the code.
pub fn run(
    code: &str,
    host: &Host,
    limits: Limits,
    stop: Option<Stop<'_>>,
) -> std::result::Result<String, Vec<Failure>> {
    let program = Program::new(code, 0, &Names)?;
    let run = || {
        let module = Evaluator::new(host, limits, stop).run(&program)?;
        format::repr(&module.get("r").unwrap_or_default())
    };
    run().map_err(|failure| vec![failure])
}

/// The `repr` of `r` after the code, or what is wrong, with the code it points at.
pub fn result(code: &str) -> String {
    result_with(code, &Host::default(), LIMITS)
}

pub fn result_with(code: &str, host: &Host, limits: Limits) -> String {
    match run(code, host, limits, None) {
        Ok(text) => text,
        Err(failures) => failures.iter().map(|failure| shown(code, failure)).collect::<Vec<_>>().join("; "),
    }
}

fn shown(code: &str, failure: &Failure) -> String {
    let at = |place: Option<lofting_interpreter::CodePlace>| match place {
        Some(place) if place.file == 0 => format!(" `{}`", &code[place.start as usize..place.end as usize]),
        _ => String::new(),
    };
    let mut out = match failure.kind() {
        FailureKind::Runtime => String::new(),
        kind => format!("{kind:?}: "),
    };
    out += failure.message();
    for frame in failure.frames() {
        out += &format!(" in {}{}", frame.function, at(frame.place));
    }
    out += &format!(" at{}", at(failure.place()));
    if let Some(hint) = failure.hint() {
        out += &format!(" ({hint})");
    }
    out
}

/// Runs each code and compares what comes of it.
pub fn check(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(result(code), *expected, "{code}");
    }
}

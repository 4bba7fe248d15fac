//! Finds out what every name means before anything runs.

mod scope;

use std::collections::HashSet;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::code::{
    AssignTarget, Body, Clause, Expr, ExprKind, FunctionCode, Operator, Range, Statement, StatementKind, Variable,
};
use crate::failure::{Failure, FailureKind};
use crate::value::Value;
use scope::Scopes;

/// The names that are defined without code.
pub trait Predeclared {
    /// The value of a name.
    fn get(&self, name: &str) -> Option<Value>;

    /// All names, to find one that was misspelt.
    fn names(&self) -> Vec<&str>;
}

/// How many mistakes are reported. For each, all names are compared with it.
const MAX_FAILURES: usize = 100;

/// Replaces the names in a file by their places. Returns the names of its global variables, and of those that it loads.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub(crate) fn resolve(
    code: &mut FunctionCode,
    predeclared: &dyn Predeclared,
) -> Result<(Vec<SmolStr>, Vec<SmolStr>), Vec<Failure>> {
    let file = code.file;
    let mut resolver = Resolver {
        scopes: Scopes::default(),
        predeclared,
        file,
        failures: Vec::new(),
        loops: vec![0],
        loaded: HashSet::new(),
        assigned: HashSet::new(),
    };
    each_assigned(&code.body, &mut |name, loads| {
        resolver.scopes.global(name);
        let names = if loads { &mut resolver.loaded } else { &mut resolver.assigned };
        names.insert(name.clone());
    });
    resolver.scopes.enter(&[]);
    resolver.block(&mut code.body);
    resolver.scopes.leave(code);
    if resolver.failures.is_empty() {
        let only_loaded = resolver.loaded.difference(&resolver.assigned).cloned().collect();
        return Ok((resolver.scopes.into_globals(), only_loaded));
    }
    Err(resolver.failures)
}

struct Resolver<'a> {
    scopes: Scopes,
    predeclared: &'a dyn Predeclared,
    file: u32,
    failures: Vec<Failure>,
    /// How many loops are open, in each open function.
    loops: Vec<usize>,
    loaded: HashSet<SmolStr>,
    assigned: HashSet<SmolStr>,
}

impl Resolver<'_> {
    fn fail(&mut self, kind: FailureKind, message: String, range: Range) {
        self.failures.push(Failure::new(kind, message).at(range.of(self.file)));
    }

    fn block(&mut self, block: &mut [Statement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn body(&mut self, block: &mut [Statement]) {
        if let Some(loops) = self.loops.last_mut() {
            *loops += 1;
        }
        self.block(block);
        if let Some(loops) = self.loops.last_mut() {
            *loops -= 1;
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        let range = statement.range;
        match &mut statement.kind {
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Assign(target, value) => {
                self.expr(value);
                self.target(target);
            }
            StatementKind::Update(target, _, value) => {
                self.target(target);
                self.expr(value);
            }
            StatementKind::If(branches, rest) => {
                for (condition, body) in branches {
                    self.expr(condition);
                    self.block(body);
                }
                self.block(rest);
            }
            StatementKind::For(head, body) => {
                self.expr(&mut head.over);
                self.target(&mut head.target);
                self.body(body);
            }
            StatementKind::While(condition, body) => {
                self.expr(condition);
                self.body(body);
            }
            StatementKind::Def(variable, code) => {
                self.assigned(variable);
                self.function(code);
            }
            StatementKind::Return(value) => {
                if self.scopes.is_file() {
                    self.fail(FailureKind::Syntax, "return statement not within a function".to_owned(), range);
                }
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StatementKind::Break | StatementKind::Continue => {
                if self.loops.last().is_none_or(|loops| *loops == 0) {
                    let is_break = matches!(statement.kind, StatementKind::Break);
                    let word = if is_break { "break" } else { "continue" };
                    self.fail(FailureKind::Syntax, format!("{word} not in a loop"), range);
                }
            }
            StatementKind::Pass => {}
            StatementKind::Load(load) => {
                if !self.scopes.is_file() {
                    self.fail(FailureKind::Syntax, "load statement within a function".to_owned(), range);
                }
                for (variable, name) in &mut load.names {
                    if name.starts_with('_') {
                        let path = &load.path;
                        let message =
                            format!("cannot load {path}: names with leading underscores are not exported: {name}");
                        self.fail(FailureKind::Syntax, message, variable.range);
                    }
                    self.assigned(variable);
                }
            }
        }
    }

    /// A variable that is assigned to: one of the function, or a global one.
    fn assigned(&mut self, variable: &mut Variable) {
        if let Some(home) = self.scopes.find(&variable.name) {
            variable.home = home;
        }
    }

    fn target(&mut self, target: &mut AssignTarget) {
        match target {
            AssignTarget::Variable(variable) => self.assigned(variable),
            AssignTarget::Index(parts, _) => {
                self.expr(&mut parts.0);
                self.expr(&mut parts.1);
            }
            AssignTarget::Attribute(object, ..) => self.expr(object),
            AssignTarget::Several(targets, _) => targets.iter_mut().for_each(|target| self.target(target)),
        }
    }

    fn function(&mut self, code: &mut Arc<FunctionCode>) {
        // Nothing else refers to the code of a function before it runs.
        let Some(code) = Arc::get_mut(code) else { return };
        for parameter in &mut code.parameters {
            if let Some(default) = &mut parameter.default {
                self.expr(default);
            }
        }
        let mut names: Vec<SmolStr> = code.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        each_assigned(&code.body, &mut |name, _| {
            names.push(name.clone());
        });
        self.scopes.enter(&names);
        self.loops.push(0);
        self.block(&mut code.body);
        self.loops.pop();
        self.scopes.leave(code);
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Variable(variable) => match self.scopes.find(&variable.name) {
                Some(home) => variable.home = home,
                None => match self.predeclared.get(&variable.name) {
                    Some(value) => expr.kind = ExprKind::Constant(value),
                    None if self.failures.len() < MAX_FAILURES => {
                        let failure = self.undefined(&variable.name, expr.range);
                        self.failures.push(failure);
                    }
                    None => {}
                },
            },
            ExprKind::Comprehension(comprehension) => {
                let mut opened = 0;
                for clause in &mut comprehension.clauses {
                    match clause {
                        Clause::For(target, over) => {
                            // The first one is evaluated outside; the others see the variables before them.
                            self.expr(over);
                            let mut names = Vec::new();
                            each_name(target, &mut |name| names.push(name.clone()));
                            self.scopes.open(&names);
                            opened += 1;
                            self.target(target);
                        }
                        Clause::If(condition) => self.expr(condition),
                    }
                }
                match &mut comprehension.body {
                    Body::List(item) => self.expr(item),
                    Body::Dict(key, value) => {
                        self.expr(key);
                        self.expr(value);
                    }
                }
                self.scopes.close(opened);
            }
            ExprKind::Lambda(code) => self.function(code),
            ExprKind::Binary(Operator::Subtract, parts) => {
                self.expr(&mut parts.0);
                let known = self.failures.len();
                self.expr(&mut parts.1);
                // `values.cluster-name`
                if let (true, Some(key)) = (self.failures.len() > known, dashed(&parts.0, &parts.1))
                    && let Some(failure) = self.failures.pop()
                {
                    let hint = format!("a key with a dash is read in brackets: `[\"{key}\"]`");
                    self.failures.push(failure.with_hint(hint));
                }
            }
            kind => kind.each_part_mut(&mut |part| self.expr(part)),
        }
    }

    fn undefined(&self, name: &str, range: Range) -> Failure {
        let failure = Failure::new(FailureKind::Name, format!("undefined: {name}")).at(range.of(self.file));
        let other = match name {
            "true" => Some("use 'True' instead of 'true' for boolean assignment"),
            "false" => Some("use 'False' instead of 'false' for boolean assignment"),
            "null" | "nil" | "none" => Some("use 'None' instead of a null value"),
            _ => None,
        };
        if let Some(hint) = other {
            return failure.with_hint(hint);
        }
        let mut known = self.scopes.names();
        known.extend(self.predeclared.names());
        match crate::spelling::nearest(name, known.into_iter().filter(|name| !name.starts_with("__"))) {
            Some(near) => failure.with_hint(format!("did you mean `{near}`?")),
            None => failure,
        }
    }
}

/// Calls `visit` for every name that a block assigns to, and with whether it is loaded; not for those of functions in it.
fn each_assigned(block: &[Statement], visit: &mut impl FnMut(&SmolStr, bool)) {
    for statement in block {
        match &statement.kind {
            StatementKind::Assign(target, _) | StatementKind::Update(target, ..) => {
                each_name(target, &mut |name| visit(name, false));
            }
            StatementKind::For(head, body) => {
                each_name(&head.target, &mut |name| visit(name, false));
                each_assigned(body, visit);
            }
            StatementKind::While(_, body) => each_assigned(body, visit),
            StatementKind::If(branches, rest) => {
                branches.iter().for_each(|(_, body)| each_assigned(body, visit));
                each_assigned(rest, visit);
            }
            StatementKind::Def(variable, _) => visit(&variable.name, false),
            StatementKind::Load(load) => load.names.iter().for_each(|(variable, _)| visit(&variable.name, true)),
            StatementKind::Expr(_)
            | StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Pass => {}
        }
    }
}

/// The key that was meant by two names with nothing but a dash between them, the first of which follows a dot.
fn dashed(left: &Expr, right: &Expr) -> Option<String> {
    let ExprKind::Variable(last) = &right.kind else { return None };
    if left.range.end + 1 != right.range.start {
        return None;
    }
    let mut names = vec![last.name.to_string()];
    let mut left = left;
    while let ExprKind::Binary(Operator::Subtract, parts) = &left.kind {
        let ExprKind::Variable(name) = &parts.1.kind else { return None };
        if parts.0.range.end + 1 != parts.1.range.start {
            return None;
        }
        names.push(name.name.to_string());
        left = &parts.0;
    }
    let ExprKind::Attribute(_, name) = &left.kind else { return None };
    names.push(name.to_string());
    names.reverse();
    Some(names.join("-"))
}

fn each_name(target: &AssignTarget, visit: &mut impl FnMut(&SmolStr)) {
    match target {
        AssignTarget::Variable(variable) => visit(&variable.name),
        AssignTarget::Several(targets, _) => targets.iter().for_each(|target| each_name(target, visit)),
        AssignTarget::Index(..) | AssignTarget::Attribute(..) => {}
    }
}

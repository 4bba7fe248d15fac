//! The variables that are visible at a place in the code.

use std::collections::HashMap;

use smol_str::SmolStr;

use crate::code::{AssignTarget, Body, Clause, Expr, ExprKind, FunctionCode, Home, Statement, StatementKind};

/// The functions around a place, the file first.
#[derive(Default)]
pub(super) struct Scopes {
    globals: HashMap<SmolStr, usize>,
    functions: Vec<FunctionScope>,
}

/// The variables of one function.
#[derive(Default)]
struct FunctionScope {
    locals: Vec<SmolStr>,
    by_name: HashMap<SmolStr, usize>,
    /// The variables of open comprehensions, innermost last.
    blocks: Vec<Vec<(SmolStr, usize)>>,
    /// Variables of the function around it, by name: where they are among the cells there.
    captured: Vec<(SmolStr, Cell)>,
    /// Locals that inner functions use.
    shared: Vec<usize>,
}

/// A cell of a function, before the number of its captured variables is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Captured(usize),
    Shared(usize),
}

impl FunctionScope {
    fn local(&mut self, name: &SmolStr) -> usize {
        self.locals.push(name.clone());
        self.locals.len() - 1
    }

    fn find(&self, name: &SmolStr) -> Option<usize> {
        let in_block = self
            .blocks
            .iter()
            .rev()
            .find_map(|block| block.iter().rev().find(|(known, _)| known == name).map(|(_, local)| *local));
        in_block.or_else(|| self.by_name.get(name).copied())
    }
}

impl Scopes {
    pub(super) fn global(&mut self, name: &SmolStr) {
        let next = self.globals.len();
        self.globals.entry(name.clone()).or_insert(next);
    }

    pub(super) fn into_globals(self) -> Vec<SmolStr> {
        let mut names: Vec<(SmolStr, usize)> = self.globals.into_iter().collect();
        names.sort_by_key(|(_, index)| *index);
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// All visible names.
    pub(super) fn names(&self) -> Vec<&str> {
        let locals = self.functions.iter().flat_map(|function| function.locals.iter());
        locals.chain(self.globals.keys()).map(SmolStr::as_str).collect()
    }

    /// Whether the place is in no function.
    pub(super) fn is_file(&self) -> bool {
        self.functions.len() == 1
    }

    /// A function with these local variables begins.
    pub(super) fn enter(&mut self, names: &[SmolStr]) {
        let mut function = FunctionScope::default();
        for name in names {
            if !function.by_name.contains_key(name) {
                let local = function.local(name);
                function.by_name.insert(name.clone(), local);
            }
        }
        self.functions.push(function);
    }

    /// The innermost function ends.
    pub(super) fn leave(&mut self, code: &mut FunctionCode) {
        let Some(function) = self.functions.pop() else { return };
        // Numbered when the function around it ends, and all its captured variables are known.
        code.captures = function.captured.iter().map(|(_, cell)| encoded(*cell)).collect();
        code.locals = function.locals;
        code.shared = function.shared;
        let mut places = Places { captured: code.captures.len(), shared: &code.shared };
        places.block(&mut code.body);
    }

    /// Variables of a comprehension begin.
    pub(super) fn open(&mut self, names: &[SmolStr]) {
        if let Some(function) = self.functions.last_mut() {
            let block = names.iter().map(|name| (name.clone(), function.local(name))).collect();
            function.blocks.push(block);
        }
    }

    /// The variables of the innermost comprehension end, for so many of its loops.
    pub(super) fn close(&mut self, loops: usize) {
        if let Some(function) = self.functions.last_mut() {
            function.blocks.truncate(function.blocks.len().saturating_sub(loops));
        }
    }

    /// Where the variable of this name is; None if there is none.
    pub(super) fn find(&mut self, name: &SmolStr) -> Option<Home> {
        let innermost = self.functions.len().checked_sub(1)?;
        match self.find_in(innermost, name) {
            Some(Visible::Local(local)) => Some(Home::Local(local)),
            Some(Visible::Captured(index)) => Some(Home::Cell(index)),
            None => self.globals.get(name).map(|index| Home::Global(*index)),
        }
    }

    fn find_in(&mut self, at: usize, name: &SmolStr) -> Option<Visible> {
        let function = self.functions.get(at)?;
        if let Some(local) = function.find(name) {
            return Some(Visible::Local(local));
        }
        if let Some(known) = function.captured.iter().position(|(known, _)| known == name) {
            return Some(Visible::Captured(known));
        }
        let outer = at.checked_sub(1)?;
        let cell = match self.find_in(outer, name)? {
            Visible::Captured(index) => Cell::Captured(index),
            Visible::Local(local) => {
                let around = self.functions.get_mut(outer)?;
                let place = around.shared.iter().position(|shared| *shared == local).unwrap_or_else(|| {
                    around.shared.push(local);
                    around.shared.len() - 1
                });
                Cell::Shared(place)
            }
        };
        let function = self.functions.get_mut(at)?;
        function.captured.push((name.clone(), cell));
        Some(Visible::Captured(function.captured.len() - 1))
    }
}

enum Visible {
    Local(usize),
    Captured(usize),
}

/// Shared cells follow the captured ones, whose number is not known yet: they are marked by the highest bit.
const SHARED: usize = 1 << (usize::BITS - 1);

fn encoded(cell: Cell) -> usize {
    match cell {
        Cell::Captured(index) => index,
        Cell::Shared(index) => index | SHARED,
    }
}

/// Replaces locals that turned out to be shared by their cells, and numbers the cells that inner functions capture.
struct Places<'a> {
    captured: usize,
    shared: &'a [usize],
}

impl Places<'_> {
    fn home(&self, home: &mut Home) {
        if let Home::Local(local) = home
            && let Some(place) = self.shared.iter().position(|shared| shared == local)
        {
            *home = Home::Cell(self.captured + place);
        }
    }

    fn inner(&mut self, code: &mut std::sync::Arc<FunctionCode>) {
        let Some(code) = std::sync::Arc::get_mut(code) else { return };
        for capture in &mut code.captures {
            if *capture & SHARED != 0 {
                *capture = self.captured + (*capture & !SHARED);
            }
        }
        for parameter in &mut code.parameters {
            parameter.default.iter_mut().for_each(|default| self.expr(default));
        }
    }

    fn block(&mut self, block: &mut [Statement]) {
        for statement in block {
            match &mut statement.kind {
                StatementKind::Expr(expr) => self.expr(expr),
                StatementKind::Assign(target, value) | StatementKind::Update(target, _, value) => {
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
                    self.block(body);
                }
                StatementKind::While(condition, body) => {
                    self.expr(condition);
                    self.block(body);
                }
                StatementKind::Def(variable, code) => {
                    self.home(&mut variable.home);
                    self.inner(code);
                }
                StatementKind::Return(value) => value.iter_mut().for_each(|value| self.expr(value)),
                StatementKind::Load(_) | StatementKind::Break | StatementKind::Continue | StatementKind::Pass => {}
            }
        }
    }

    fn target(&mut self, target: &mut AssignTarget) {
        match target {
            AssignTarget::Variable(variable) => self.home(&mut variable.home),
            AssignTarget::Index(parts, _) => {
                self.expr(&mut parts.0);
                self.expr(&mut parts.1);
            }
            AssignTarget::Attribute(object, ..) => self.expr(object),
            AssignTarget::Several(targets, _) => targets.iter_mut().for_each(|target| self.target(target)),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Variable(variable) => self.home(&mut variable.home),
            ExprKind::Lambda(code) => self.inner(code),
            ExprKind::Comprehension(comprehension) => {
                for clause in &mut comprehension.clauses {
                    match clause {
                        Clause::For(target, over) => {
                            self.expr(over);
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
            }
            kind => kind.each_part_mut(&mut |part| self.expr(part)),
        }
    }
}

//! Code as a tree. The parser makes it with names, and [`crate::resolve`] replaces each name by its place.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::failure::CodePlace;
use crate::value::Value;

/// Bytes of the text that a part of the code was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Range {
    pub(crate) fn of(self, file: u32) -> CodePlace {
        CodePlace { file, start: self.start, end: self.end }
    }

    pub(crate) fn to(self, end: Range) -> Range {
        Range { start: self.start, end: end.end }
    }
}

/// A function, or the code of a file.
#[derive(Debug)]
pub(crate) struct FunctionCode {
    pub(crate) name: SmolStr,
    pub(crate) file: u32,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Block,
    /// The names of its local variables, parameters first.
    pub(crate) locals: Vec<SmolStr>,
    /// Variables of the function around it that it uses, by their places among the cells there.
    pub(crate) captures: Vec<usize>,
    /// Locals that inner functions use. Their cells follow those of the captured variables.
    pub(crate) shared: Vec<usize>,
    /// How deep its statements and expressions nest, and so how much of the stack a call takes.
    pub(crate) height: usize,
}

impl FunctionCode {
    pub(crate) fn new(name: SmolStr, file: u32, parameters: Vec<Parameter>, body: Block) -> Self {
        let height = body.iter().map(Statement::height).max().unwrap_or(0) + 1;
        let (locals, captures, shared) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, file, parameters, body, locals, captures, shared, height }
    }

    /// The parameters as they are written, with `...` for defaults.
    pub(crate) fn signature(&self) -> String {
        let parts = self.parameters.iter().map(|parameter| match &parameter.kind {
            ParameterKind::Rest => format!("*{}", parameter.name),
            ParameterKind::Keywords => format!("**{}", parameter.name),
            _ if parameter.default.is_some() => format!("{} = ...", parameter.name),
            _ => parameter.name.to_string(),
        });
        let mut parts: Vec<String> = parts.collect();
        let named = |parameter: &Parameter| parameter.kind == ParameterKind::Named;
        if let Some(first) = self.parameters.iter().position(named)
            && !self.parameters.iter().any(|parameter| parameter.kind == ParameterKind::Rest)
        {
            parts.insert(first, "*".to_owned());
        }
        parts.join(", ")
    }
}

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: SmolStr,
    pub(crate) kind: ParameterKind,
    pub(crate) default: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// By position or by name.
    Plain,
    /// By name only.
    Named,
    /// `*args`
    Rest,
    /// `**kwargs`
    Keywords,
}

pub(crate) type Block = Vec<Statement>;

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) range: Range,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    Expr(Expr),
    Assign(AssignTarget, Expr),
    /// `target += value`
    Update(AssignTarget, Operator, Expr),
    If(Vec<(Expr, Block)>, Block),
    For(Box<Loop>, Block),
    While(Expr, Block),
    Def(Variable, Arc<FunctionCode>),
    Return(Option<Expr>),
    Break,
    Continue,
    Pass,
    Load(Box<Load>),
}

#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) target: AssignTarget,
    pub(crate) over: Expr,
}

/// `load("path", "name", local="name")`
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) path: SmolStr,
    /// The name that gets the value, and the name in the module.
    pub(crate) names: Vec<(Variable, SmolStr)>,
}

impl Statement {
    pub(crate) fn height(&self) -> usize {
        let block = |block: &Block| block.iter().map(Statement::height).max().unwrap_or(0);
        1 + match &self.kind {
            StatementKind::Expr(expr) => expr.height(),
            StatementKind::Assign(target, expr) | StatementKind::Update(target, _, expr) => {
                target.height().max(expr.height())
            }
            StatementKind::If(branches, rest) => {
                let branches = branches.iter().map(|(condition, body)| condition.height().max(block(body)));
                branches.max().unwrap_or(0).max(block(rest))
            }
            StatementKind::For(head, body) => head.over.height().max(head.target.height()).max(block(body)),
            StatementKind::While(condition, body) => condition.height().max(block(body)),
            StatementKind::Return(value) => value.as_ref().map_or(0, Expr::height),
            // The values of defaults; the body counts when it is called.
            StatementKind::Def(_, code) => {
                code.parameters.iter().filter_map(|p| p.default.as_ref()).map(Expr::height).max().unwrap_or(0)
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Pass | StatementKind::Load(_) => 0,
        }
    }
}

/// What a value is assigned to.
#[derive(Debug)]
pub(crate) enum AssignTarget {
    Variable(Variable),
    Index(Box<(Expr, Expr)>, Range),
    /// Assigning to an attribute always fails.
    Attribute(Box<Expr>, SmolStr, Range),
    Several(Vec<AssignTarget>, Range),
}

impl AssignTarget {
    fn height(&self) -> usize {
        match self {
            AssignTarget::Variable(_) => 0,
            AssignTarget::Index(parts, _) => parts.0.height().max(parts.1.height()),
            AssignTarget::Attribute(object, ..) => object.height(),
            AssignTarget::Several(targets, _) => 1 + targets.iter().map(AssignTarget::height).max().unwrap_or(0),
        }
    }
}

/// A name in the text, and where its value is.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: SmolStr,
    pub(crate) range: Range,
    pub(crate) home: Home,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Not resolved.
    Unknown,
    Local(usize),
    Cell(usize),
    Global(usize),
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) range: Range,
    height: u32,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Constant(Value),
    Variable(Variable),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Comprehension(Box<Comprehension>),
    Unary(Operator, Box<Expr>),
    Not(Box<Expr>),
    Binary(Operator, Box<(Expr, Expr)>),
    And(Box<(Expr, Expr)>),
    Or(Box<(Expr, Expr)>),
    /// condition, value, otherwise
    Conditional(Box<(Expr, Expr, Expr)>),
    Attribute(Box<Expr>, SmolStr),
    Index(Box<(Expr, Expr)>),
    Slice(Box<(Expr, [Option<Expr>; 3])>),
    Call(Box<Call>),
    Lambda(Arc<FunctionCode>),
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) callee: Expr,
    pub(crate) positional: Vec<Expr>,
    pub(crate) named: Vec<(SmolStr, Expr)>,
    pub(crate) rest: Option<Expr>,
    pub(crate) keywords: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct Comprehension {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    List(Expr),
    Dict(Expr, Expr),
}

#[derive(Debug)]
pub(crate) enum Clause {
    For(AssignTarget, Expr),
    If(Expr),
}

impl Expr {
    /// An expression with these parts.
    pub(crate) fn new(kind: ExprKind, range: Range) -> Self {
        let mut height = 0;
        each_part(&kind, &mut |part| height = height.max(part.height));
        Self { kind, range, height: height + 1 }
    }

    pub(crate) fn height(&self) -> usize {
        self.height as usize
    }
}

/// Calls `visit` for the expressions directly inside one.
fn each_part(kind: &ExprKind, visit: &mut impl FnMut(&Expr)) {
    match kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) => {}
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().for_each(visit),
        ExprKind::Dict(entries) => entries.iter().for_each(|(key, value)| {
            visit(key);
            visit(value);
        }),
        ExprKind::Comprehension(comprehension) => {
            for clause in &comprehension.clauses {
                match clause {
                    Clause::For(_, expr) | Clause::If(expr) => visit(expr),
                }
            }
            match &comprehension.body {
                Body::List(item) => visit(item),
                Body::Dict(key, value) => {
                    visit(key);
                    visit(value);
                }
            }
        }
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Attribute(operand, _) => visit(operand),
        ExprKind::Binary(_, parts) | ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Index(parts) => {
            visit(&parts.0);
            visit(&parts.1);
        }
        ExprKind::Conditional(parts) => {
            visit(&parts.0);
            visit(&parts.1);
            visit(&parts.2);
        }
        ExprKind::Slice(parts) => {
            visit(&parts.0);
            parts.1.iter().flatten().for_each(visit);
        }
        ExprKind::Call(call) => {
            visit(&call.callee);
            call.positional.iter().for_each(&mut *visit);
            call.named.iter().for_each(|(_, value)| visit(value));
            call.rest.iter().chain(&call.keywords).for_each(visit);
        }
        ExprKind::Lambda(code) => {
            // A lambda inside a lambda is dropped by recursion, too.
            code.parameters.iter().filter_map(|parameter| parameter.default.as_ref()).for_each(&mut *visit);
            for statement in &code.body {
                if let StatementKind::Return(Some(value)) = &statement.kind {
                    visit(value);
                }
            }
        }
    }
}

impl ExprKind {
    /// Calls `visit` for the expressions directly inside one, except for those of comprehensions and functions, which
    /// have variables of their own.
    pub(crate) fn each_part_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        match self {
            ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Comprehension(_) | ExprKind::Lambda(_) => {}
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter_mut().for_each(visit),
            ExprKind::Dict(entries) => entries.iter_mut().for_each(|(key, value)| {
                visit(key);
                visit(value);
            }),
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Attribute(operand, _) => visit(operand),
            ExprKind::Binary(_, parts) | ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Index(parts) => {
                visit(&mut parts.0);
                visit(&mut parts.1);
            }
            ExprKind::Conditional(parts) => {
                // In the order of the text.
                visit(&mut parts.1);
                visit(&mut parts.0);
                visit(&mut parts.2);
            }
            ExprKind::Slice(parts) => {
                visit(&mut parts.0);
                parts.1.iter_mut().flatten().for_each(visit);
            }
            ExprKind::Call(call) => {
                visit(&mut call.callee);
                call.positional.iter_mut().for_each(&mut *visit);
                call.named.iter_mut().for_each(|(_, value)| visit(value));
                call.rest.iter_mut().chain(&mut call.keywords).for_each(visit);
            }
        }
    }
}

/// An operator with two operands, or with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    In,
    NotIn,
    Invert,
}

impl Operator {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::FloorDivide => "//",
            Operator::Modulo => "%",
            Operator::BitAnd => "&",
            Operator::BitOr => "|",
            Operator::BitXor => "^",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::Greater => ">",
            Operator::LessOrEqual => "<=",
            Operator::GreaterOrEqual => ">=",
            Operator::In => "in",
            Operator::NotIn => "not in",
            Operator::Invert => "~",
        }
    }

    /// The operator that these characters spell, and how strongly it binds; None for others. Comparisons bind least.
    pub(crate) fn binary(text: &str) -> Option<(Operator, u8)> {
        Some(match text {
            "==" => (Operator::Equal, COMPARISON),
            "!=" => (Operator::NotEqual, COMPARISON),
            "<" => (Operator::Less, COMPARISON),
            ">" => (Operator::Greater, COMPARISON),
            "<=" => (Operator::LessOrEqual, COMPARISON),
            ">=" => (Operator::GreaterOrEqual, COMPARISON),
            "in" => (Operator::In, COMPARISON),
            "|" => (Operator::BitOr, COMPARISON + 1),
            "^" => (Operator::BitXor, COMPARISON + 2),
            "&" => (Operator::BitAnd, COMPARISON + 3),
            "<<" => (Operator::ShiftLeft, COMPARISON + 4),
            ">>" => (Operator::ShiftRight, COMPARISON + 4),
            "+" => (Operator::Add, COMPARISON + 5),
            "-" => (Operator::Subtract, COMPARISON + 5),
            "*" => (Operator::Multiply, COMPARISON + 6),
            "/" => (Operator::Divide, COMPARISON + 6),
            "//" => (Operator::FloorDivide, COMPARISON + 6),
            "%" => (Operator::Modulo, COMPARISON + 6),
            _ => return None,
        })
    }
}

/// How strongly comparisons bind. They cannot be chained.
pub(crate) const COMPARISON: u8 = 1;

//! Expressions that are compiled as the API server does it before it accepts them.

use crate::check::check_with_literals;
use crate::estimate::{Estimate, estimate};
use crate::parse;
use crate::plan::{Environment, Program};
use crate::structural::Size;
use crate::tree::Fault;
use crate::types::Type;

/// An expression that was compiled.
#[derive(Debug)]
pub struct Compiled {
    /// What is evaluated.
    pub program: Program,
    /// The type of its value.
    pub result: Type,
    /// Whether it compares with the previous value.
    pub is_transition: bool,
    /// What an evaluation may cost, if the sizes of values were given.
    pub estimate: Option<Estimate>,
}

/// What an estimate is made for.
#[derive(Debug, Clone, Copy)]
pub struct Allowance<'s> {
    /// The size of `self`.
    pub size: &'s Size,
    /// What one evaluation may cost.
    pub most: u64,
}

/// Compiles an expression whose value must be of one of these types, or of any if there are none.
pub fn compile(text: &str, environment: &Environment, expected: &[Type]) -> Result<Compiled, Vec<Fault>> {
    compile_with(text, environment, expected, None)
}

/// Compiles an expression, and estimates what it costs.
pub fn compile_with(
    text: &str,
    environment: &Environment,
    expected: &[Type],
    allowance: Option<Allowance<'_>>,
) -> Result<Compiled, Vec<Fault>> {
    let whole = 0..text.len();
    let refused = |message: String| vec![Fault { range: whole.clone(), message }];
    if text.trim().is_empty() {
        return Err(refused("an expression is required".to_owned()));
    }
    let tree = parse(text).ok_or_else(|| refused("the expression is too long to be checked".to_owned()))?;
    let program = Program::new(&tree, environment).map_err(|fault| vec![fault])?;
    let checked = check_with_literals(&program, environment);
    if !checked.faults.is_empty() {
        return Err(checked.faults);
    }
    if !expected.is_empty() && !expected.contains(&checked.result) {
        // Words for types do not say what is in arrays, nor which objects are meant.
        let is_named = |of: &Type| matches!(of, Type::Object(_) | Type::List(_));
        let words = |of: &Type| if expected.iter().any(is_named) { format!("`{of}`") } else { of.words() };
        let found = match &checked.result {
            Type::Dyn => "it may be of any type".to_owned(),
            other => format!("it is {}", words(other)),
        };
        let words: Vec<String> = expected.iter().map(words).collect();
        return Err(refused(format!("the result must be {}, but {found}", words.join(" or "))));
    }
    let estimate = allowance.map(|allowance| estimate(&program, &checked.typed, allowance));
    let result = checked.result.clone();
    let program = checked.applied(program);
    let is_transition = program.uses("oldSelf");
    Ok(Compiled { program, result, is_transition, estimate })
}

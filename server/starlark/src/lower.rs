//! Parses, and rewrites the places where the Starlark crate differs from ytt: attributes and some operators become
//! calls of our own functions.

use std::collections::HashMap;

use lofting_eval::{TokenKind, lex};
use starlark::syntax::{AstModule, Dialect};
use starlark_syntax::syntax::ast::{Argument, AssignOp, AssignTarget, AstExpr, AstStmt, Expr, Stmt};

use crate::failure::Result;
use crate::mapped::{Edit, Mapped, Replacement};
use crate::modules;

/// ytt's dialect.
fn dialect() -> Dialect {
    Dialect {
        enable_top_level_stmt: true,
        enable_keyword_only_arguments: true,
        // A name that a file loads is not one that the file defines.
        enable_load_reexport: false,
        ..Dialect::Standard
    }
}

/// Parses rewritten text; `name` is the file's number, by which errors are located. Also returns the text as it was
/// finally parsed.
pub(crate) fn parse(name: &str, mapped: Mapped) -> (Mapped, Result<AstModule>) {
    let first = match AstModule::parse(name, mapped.text.clone(), &dialect()) {
        Ok(ast) => ast,
        Err(error) => return (mapped, Err(error)),
    };
    let mut edits = Vec::new();
    attributes(first.statement(), &mapped.text, &mut edits);
    if edits.is_empty() {
        return (mapped, Ok(with_operators(first)));
    }
    let edited = mapped.edited(&edits);
    let ast = AstModule::parse(name, edited.text.clone(), &dialect()).map(with_operators);
    (edited, ast)
}

/// Parses text that [`parse`] returned, with a statement in front that ends it at once: names are resolved before
/// anything runs. Also returns the whole text.
pub(crate) fn parse_for_names(name: &str, parsed: &Mapped) -> (Mapped, Result<AstModule>) {
    let mut mapped = Mapped::default();
    mapped.own("fail()\n");
    mapped.copy(parsed, 0..parsed.text.len());
    let ast = AstModule::parse(name, mapped.text.clone(), &dialect());
    (mapped, ast)
}

fn with_operators(mut ast: AstModule) -> AstModule {
    let operators: HashMap<String, String> =
        modules::OPERATORS.iter().map(|(operator, name)| ((*operator).to_owned(), (*name).to_owned())).collect();
    ast.replace_binary_operators(&operators);
    ast
}

/// `value.name` becomes `__attr(value, "name")`; `value[index]` becomes `__index(value, index)`; before a slice,
/// `value` becomes `__bytes(value)`, because positions in strings count bytes; `f(**value)` becomes
/// `f(**__mapping(value))`, because ytt accepts any mapping there.
fn attributes(statement: &AstStmt, text: &str, edits: &mut Vec<Edit>) {
    let mut opens = Vec::new();
    let mut names = Vec::new();
    statement.visit_expr(|expr| visit(expr, text, &mut opens, &mut names));
    assignments(statement, text, &mut names);
    // If several calls open at one place, the outermost was visited first and stays first.
    edits.append(&mut opens);
    edits.append(&mut names);
    edits.sort_by_key(|edit| edit.range.start);
}

/// `name |= value` becomes `name = __or(name, value)`, for the operators that our own functions replace.
fn assignments(statement: &AstStmt, text: &str, edits: &mut Vec<Edit>) {
    if let Stmt::AssignModify(target, operator, value) = &statement.node
        && let AssignTarget::Identifier(_) = &target.node
        && let Some((sign, before)) = match operator {
            AssignOp::Subtract => Some(("-=", "= __minus(")),
            AssignOp::Percent => Some(("%=", "= __percent(")),
            AssignOp::BitAnd => Some(("&=", "= __and(")),
            AssignOp::BitOr => Some(("|=", "= __or(")),
            AssignOp::LeftShift => Some(("<<=", "= __left(")),
            AssignOp::RightShift => Some((">>=", "= __right(")),
            _ => None,
        }
    {
        let (start, end) = (target.span.begin().get() as usize, target.span.end().get() as usize);
        let between = text.get(end..value.span.begin().get() as usize).unwrap_or("");
        let stop = text.get(..statement.span.end().get() as usize).unwrap_or("").trim_end().len();
        if let Some(at) = between.find(sign).filter(|_| stop > end) {
            let at = end + at;
            let keep = Replacement::Keep { before, keep: start..end, after: ", " };
            edits.push(Edit { range: at..at + sign.len(), text: keep });
            edits.push(Edit { range: stop..stop, text: Replacement::Own(")") });
        }
    }
    statement.visit_stmt(|inner| assignments(inner, text, edits));
}

fn visit(expr: &AstExpr, text: &str, opens: &mut Vec<Edit>, names: &mut Vec<Edit>) {
    if let Expr::Dot(value, name) = &expr.node {
        let (start, end) = (value.span.begin().get() as usize, value.span.end().get() as usize);
        let (name_start, name_end) = (name.span.begin().get() as usize, name.span.end().get() as usize);
        let between = text.get(end..name_start).unwrap_or("");
        if let Some(dot) = between.rfind('.')
            && let Some(start) = real_start(text, start, end + dot)
        {
            opens.push(Edit { range: start..start, text: Replacement::Own("__attr(") });
            let keep = Replacement::Keep { before: ", \"", keep: name_start..name_end, after: "\")" };
            names.push(Edit { range: end + dot..name_end, text: keep });
        }
    }
    if let Expr::Index(parts) = &expr.node {
        indexed(&parts.0, expr.span.end().get() as usize, text, opens, names);
    }
    if let Expr::Slice(value, ..) = &expr.node {
        sliced(value, text, opens, names);
    }
    if let Expr::Call(_, arguments) = &expr.node {
        for argument in &arguments.args {
            if let Argument::KwArgs(value) = &argument.node {
                let (start, end) = (value.span.begin().get() as usize, value.span.end().get() as usize);
                let Some(start) = real_start(text, start, end) else { continue };
                opens.push(Edit { range: start..start, text: Replacement::Own("__mapping(") });
                names.push(Edit { range: end..end, text: Replacement::Own(")") });
            }
        }
    }
    expr.visit_expr(|inner| visit(inner, text, opens, names));
}

/// `value[index]`, which ends at `stop`, becomes `__index(value, index)`.
fn indexed(value: &AstExpr, stop: usize, text: &str, opens: &mut Vec<Edit>, names: &mut Vec<Edit>) {
    let (start, end) = (value.span.begin().get() as usize, value.span.end().get() as usize);
    let Some(bracket) = text.get(end..).and_then(|rest| rest.find('[')) else { return };
    if let Some(start) = real_start(text, start, end + bracket)
        && text.get(..stop).is_some_and(|text| text.ends_with(']'))
    {
        opens.push(Edit { range: start..start, text: Replacement::Own("__index(") });
        names.push(Edit { range: end + bracket..end + bracket + 1, text: Replacement::Own(", ") });
        names.push(Edit { range: stop - 1..stop, text: Replacement::Renamed(")") });
    }
}

/// Puts `__bytes( )` around the value before a slice.
fn sliced(value: &AstExpr, text: &str, opens: &mut Vec<Edit>, closes: &mut Vec<Edit>) {
    let (start, end) = (value.span.begin().get() as usize, value.span.end().get() as usize);
    let Some(bracket) = text.get(end..).and_then(|rest| rest.find('[')) else { return };
    let between = text.get(end..end + bracket).unwrap_or("");
    if let Some(start) = real_start(text, start, end + bracket) {
        let end = end + between.trim_end().len();
        opens.push(Edit { range: start..start, text: Replacement::Own("__bytes(") });
        closes.push(Edit { range: end..end, text: Replacement::Own(")") });
    }
}

/// The real start of the value that ends at `end` and seems to begin at `start`: spans leave out the parentheses around
/// the innermost value of a chain.
fn real_start(text: &str, start: usize, end: usize) -> Option<usize> {
    let (mut open, mut missing) = (0usize, 0usize);
    for token in lex(text.get(start..end)?, 0) {
        match token.kind {
            TokenKind::Punct("(") => open += 1,
            TokenKind::Punct(")") if open > 0 => open -= 1,
            TokenKind::Punct(")") => missing += 1,
            _ => {}
        }
    }
    let mut at = start;
    for _ in 0..missing {
        let before = text.get(..at)?.trim_end();
        at = before.len().checked_sub(1)?;
        if !before.ends_with('(') {
            return None;
        }
    }
    Some(at)
}

//! Reads an expression. Something missing is a node of its own, so that half-typed text has a tree, too.

use super::literal::invalid_escape;
use super::token::{Token, TokenKind, between_quotes, tokens};
use super::tree::{Expression, Fault, Id, Node, NodeKind, Operator, Scope};
use std::ops::Range;

/// How many brackets and operators may be nested.
const DEPTH: usize = 120;

/// Why an argument of `has` is not one.
pub(crate) const NO_FIELD: &str = "`has` needs a field here: `has(a.b)`";

/// Longer expressions are not parsed.
const LENGTH: usize = 64 * 1024;

/// Whether a method with this name is a macro: its first arguments name the items of the receiver, or any value (`cel.bind`).
pub fn is_macro(name: &str) -> bool {
    MACROS.contains(&name) || name == BIND
}

/// The macro that names any value: `cel.bind(name, value, scope)`.
const BIND: &str = "bind";

/// Methods whose first arguments name the items of the receiver.
const MACROS: &[&str] = &[
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "map",
    "optFlatMap",
    "optMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

/// Parses an expression. None if it is too long to have been written by a person.
pub fn parse(text: &str) -> Option<Expression> {
    if text.len() > LENGTH {
        return None;
    }
    let mut parser = Parser { text, tokens: tokens(text), at: 0, depth: 0, tree: Expression::default() };
    parser.expression();
    if let Some(token) = parser.tokens.get(parser.at).cloned() {
        let written = parser.written(&token);
        let message = match token.kind {
            TokenKind::OpenText => "the quote is not closed".to_owned(),
            TokenKind::Stray => format!("`{written}` is not part of an expression"),
            _ => format!("`{written}` does not belong here"),
        };
        parser.fault(token.range, message);
    }
    Some(parser.tree)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    tree: Expression,
}

impl Parser<'_> {
    fn written(&self, token: &Token) -> String {
        self.text.get(token.range.clone()).unwrap_or_default().to_owned()
    }

    fn fault(&mut self, range: Range<usize>, message: impl Into<String>) {
        // Later errors are most likely consequences of the first.
        self.tree.fault.get_or_insert(Fault { range, message: message.into() });
    }

    fn push(&mut self, kind: NodeKind, range: Range<usize>) -> Id {
        self.tree.nodes.push(Node { kind, range, may_be_absent: false, may_be_empty: false });
        self.tree.nodes.len() - 1
    }

    fn mark(&mut self, id: Id, mark: impl FnOnce(&mut Node)) {
        if let Some(node) = self.tree.nodes.get_mut(id) {
            mark(node);
        }
    }

    fn range(&self, id: Id) -> Range<usize> {
        self.tree.nodes.get(id).map_or(0..0, |node| node.range.clone())
    }

    /// The end of the last consumed token.
    fn end(&self) -> usize {
        self.at.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(0, |token| token.range.end)
    }

    /// The text of the next token.
    fn next(&self) -> Option<&str> {
        let token = self.tokens.get(self.at)?;
        matches!(token.kind, TokenKind::Sign | TokenKind::Word).then(|| self.text.get(token.range.clone())).flatten()
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.next() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) {
        if !self.take(sign) {
            let end = self.end();
            self.fault(end..end, format!("`{sign}` is missing here"));
        }
    }

    fn expression(&mut self) -> Id {
        self.depth += 1;
        let found = if self.depth > DEPTH { self.too_deep() } else { self.choice() };
        self.depth -= 1;
        found
    }

    fn too_deep(&mut self) -> Id {
        let end = self.end();
        self.fault(end..end, "the expression is nested too deep");
        self.at = self.tokens.len();
        self.push(NodeKind::Missing, end..end)
    }

    fn choice(&mut self) -> Id {
        let condition = self.binary(0);
        if !self.take("?") {
            return condition;
        }
        let then = self.binary(0);
        if self.next() == Some("?") {
            let range = self.tokens.get(self.at).map_or(0..0, |token| token.range.clone());
            self.fault(range, "a choice in a choice needs parentheses before the `:`");
        }
        self.expect(":");
        let other = self.expression();
        let range = self.range(condition).start..self.range(other).end;
        self.push(NodeKind::Choice(condition, then, other), range)
    }

    fn operator(&self) -> Option<(Operator, usize)> {
        Some(match self.next()? {
            "||" => (Operator::Or, 0),
            "&&" => (Operator::And, 1),
            "==" => (Operator::Equal, 2),
            "!=" => (Operator::NotEqual, 2),
            "<" => (Operator::Less, 2),
            "<=" => (Operator::LessEqual, 2),
            ">" => (Operator::Greater, 2),
            ">=" => (Operator::GreaterEqual, 2),
            "in" => (Operator::In, 2),
            "+" => (Operator::Plus, 3),
            "-" => (Operator::Minus, 3),
            "*" => (Operator::Times, 4),
            "/" => (Operator::Divide, 4),
            "%" => (Operator::Remainder, 4),
            _ => return None,
        })
    }

    /// Operators with at least this precedence, left-associative.
    fn binary(&mut self, least: usize) -> Id {
        let mut left = self.unary();
        while let Some((operator, strength)) = self.operator().filter(|(_, strength)| *strength >= least) {
            self.at += 1;
            let right = self.binary(strength + 1);
            let range = self.range(left).start..self.range(right).end;
            left = self.push(NodeKind::Binary(operator, left, right), range);
        }
        left
    }

    fn unary(&mut self) -> Id {
        let mut signs = Vec::new();
        while let Some(operator) = match self.next() {
            Some("!") => Some(Operator::Not),
            Some("-") => Some(Operator::Minus),
            _ => None,
        } {
            signs.push((operator, self.tokens.get(self.at).map_or(0, |token| token.range.start)));
            self.at += 1;
        }
        let mut found = self.member();
        for (operator, start) in signs.into_iter().rev() {
            let range = start..self.range(found).end;
            found = self.push(NodeKind::Unary(operator, found), range);
        }
        found
    }

    fn member(&mut self) -> Id {
        let mut found = self.primary();
        loop {
            let start = self.range(found).start;
            match self.next() {
                Some(sign @ ("." | ".?")) => {
                    let may_be_absent = sign == ".?";
                    self.at += 1;
                    found = self.select(found, start);
                    self.mark(found, |node| node.may_be_absent = may_be_absent);
                }
                Some(sign @ ("[" | "[?")) => {
                    let may_be_absent = sign == "[?";
                    self.at += 1;
                    let key = self.expression();
                    self.expect("]");
                    let end = self.end();
                    found = self.push(NodeKind::Index { of: found, key }, start..end);
                    self.mark(found, |node| node.may_be_absent = may_be_absent);
                }
                Some(sign @ ("{" | "{?")) if self.is_path(found) => {
                    let may_be_empty = sign == "{?";
                    self.at += 1;
                    let entries = self.entries(may_be_empty);
                    let end = self.end();
                    found = self.push(NodeKind::Message { of: found, entries }, start..end);
                }
                _ => return found,
            }
        }
    }

    /// Whether a node may be the name of a type: names with dots between them.
    fn is_path(&self, id: Id) -> bool {
        let mut id = id;
        loop {
            match self.tree.nodes.get(id).map(|node| (&node.kind, node.may_be_absent)) {
                Some((NodeKind::Select { of, .. }, false)) => id = *of,
                found => return matches!(found, Some((NodeKind::Name(_) | NodeKind::Outermost(_), _))),
            }
        }
    }

    /// After a dot.
    fn select(&mut self, of: Id, start: usize) -> Id {
        let end = self.end();
        let token = self.tokens.get(self.at).filter(|token| token.kind == TokenKind::Word).cloned();
        let Some(token) = token else {
            self.fault(end..end, "a name is missing after the dot");
            return self.push(NodeKind::Select { of, name: String::new(), name_range: end..end }, start..end);
        };
        self.at += 1;
        let name = self.written(&token).trim_matches('`').to_owned();
        if self.next() == Some("(") {
            return self.call(Some(of), name, token.range, start);
        }
        let range = start..token.range.end;
        self.push(NodeKind::Select { of, name, name_range: token.range }, range)
    }

    /// From the bracket after the name of a function or method on.
    fn call(&mut self, of: Option<Id>, name: String, name_range: Range<usize>, start: usize) -> Id {
        self.at += 1;
        let first = self.tree.nodes.len();
        let arguments = self.list(")", false);
        let nodes = first..self.tree.nodes.len();
        let is_bind = name == BIND && arguments.len() == 3;
        if let Some(of) = of.filter(|_| MACROS.contains(&name.as_str()) || is_bind) {
            let bound = |id: &Id| match self.tree.nodes.get(*id).map(|node| &node.kind) {
                Some(NodeKind::Name(name)) => Some(name.clone()),
                _ => None,
            };
            // After a single name, the other arguments may not have been typed yet.
            let most = if is_bind { 1 } else { arguments.len().saturating_sub(1).clamp(1, 2) };
            let names: Vec<String> = arguments.iter().take(most).map_while(bound).collect();
            let range = name_range.end..self.end();
            let is_loop = !is_bind && !name.starts_with("opt");
            self.tree.scopes.push(Scope { nodes, range, names, of, is_loop });
        }
        if let (None, "has", [argument]) = (of, name.as_str(), arguments.as_slice()) {
            self.field(*argument);
        }
        let end = self.end();
        self.push(NodeKind::Call { of, name, name_range, arguments }, start..end)
    }

    /// Reports an argument of `has` that is not a field.
    fn field(&mut self, argument: Id) {
        let Some(node) = self.tree.nodes.get(argument) else { return };
        let is_field = matches!(node.kind, NodeKind::Select { .. } | NodeKind::Missing) && !node.may_be_absent;
        if !is_field {
            self.fault(node.range.clone(), NO_FIELD);
        }
    }

    /// Expressions separated by commas, up to a closing bracket.
    fn list(&mut self, closing: &str, mut may_be_empty: bool) -> Vec<Id> {
        let mut items = Vec::new();
        while may_be_empty || !self.take(closing) {
            // Arguments have no such mark.
            may_be_empty |= closing == "]" && self.take("?");
            let item = self.expression();
            self.mark(item, |node| node.may_be_empty = may_be_empty);
            may_be_empty = false;
            items.push(item);
            if !self.take(",") {
                self.expect(closing);
                break;
            }
        }
        items
    }

    fn entries(&mut self, mut may_be_empty: bool) -> Vec<(Id, Id)> {
        let mut entries = Vec::new();
        while may_be_empty || !self.take("}") {
            may_be_empty |= self.take("?");
            let key = self.expression();
            self.mark(key, |node| node.may_be_empty = may_be_empty);
            may_be_empty = false;
            self.expect(":");
            entries.push((key, self.expression()));
            if !self.take(",") {
                self.expect("}");
                break;
            }
        }
        entries
    }

    fn primary(&mut self) -> Id {
        let end = self.end();
        let Some(token) = self.tokens.get(self.at).cloned() else { return self.missing(end) };
        let written = self.written(&token);
        let kind = match token.kind {
            TokenKind::Integer | TokenKind::Float => NodeKind::Number(written),
            TokenKind::Text => {
                self.escapes(&written, token.range.start);
                self.text(&written, token.range.start)
            }
            TokenKind::Bytes => {
                self.escapes(&written, token.range.start);
                NodeKind::Bytes {
                    text: written.get(between_quotes(&written)).unwrap_or_default().to_owned(),
                    is_raw: is_raw(&written),
                }
            }
            TokenKind::OpenText => {
                self.fault(token.range.start..token.range.start + 1, "the quote is not closed");
                // Brackets after it are most likely those around the name that is being typed.
                let name = written.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ']' | '}' | ')'));
                self.text(name, token.range.start)
            }
            TokenKind::Word => match written.as_str() {
                "true" | "false" => NodeKind::Bool(written == "true"),
                "null" => NodeKind::Null,
                "in" => return self.missing(end),
                _ => {
                    self.at += 1;
                    if self.next() == Some("(") {
                        return self.call(None, written, token.range.clone(), token.range.start);
                    }
                    return self.push(NodeKind::Name(written), token.range);
                }
            },
            TokenKind::Stray => return self.missing(end),
            TokenKind::Sign => return self.bracket(&written, token.range, end),
        };
        self.at += 1;
        self.push(kind, token.range)
    }

    /// Reports the first invalid escape in a literal that is written at this offset.
    fn escapes(&mut self, literal: &str, at: usize) {
        let inner = between_quotes(literal);
        let text = literal.get(inner.clone()).unwrap_or_default();
        if let Some((range, why)) = invalid_escape(text).filter(|_| !is_raw(literal)) {
            let start = at + inner.start;
            self.fault(start + range.start..start + range.end, why.to_string());
        }
    }

    /// A string that is written at this offset.
    fn text(&self, literal: &str, at: usize) -> NodeKind {
        let inner = between_quotes(literal);
        let text = literal.get(inner.clone()).unwrap_or_default().to_owned();
        NodeKind::Text { text, inner: at + inner.start..at + inner.end, is_raw: is_raw(literal) }
    }

    fn bracket(&mut self, sign: &str, range: Range<usize>, end: usize) -> Id {
        match sign {
            "(" => {
                self.at += 1;
                let found = self.expression();
                self.expect(")");
                // The brackets belong to the expression inside, for messages about the whole.
                let end = self.end();
                if let Some(node) = self.tree.nodes.get_mut(found) {
                    node.range = range.start..end.max(node.range.end);
                }
                found
            }
            "[" | "[?" => {
                self.at += 1;
                let items = self.list("]", sign == "[?");
                let end = self.end();
                self.push(NodeKind::List(items), range.start..end)
            }
            "{" | "{?" => {
                self.at += 1;
                let entries = self.entries(sign == "{?");
                let end = self.end();
                self.push(NodeKind::Map(entries), range.start..end)
            }
            // A name with its path.
            "." => {
                self.at += 1;
                self.primary_after_dot(range)
            }
            _ => self.missing(end),
        }
    }

    fn primary_after_dot(&mut self, dot: Range<usize>) -> Id {
        match self.tokens.get(self.at).filter(|token| token.kind == TokenKind::Word).cloned() {
            Some(token) => {
                self.at += 1;
                let name = self.written(&token);
                if self.next() == Some("(") {
                    return self.call(None, name, token.range, dot.start);
                }
                self.push(NodeKind::Outermost(name), token.range)
            }
            None => self.missing(dot.end),
        }
    }

    fn missing(&mut self, end: usize) -> Id {
        let next = self.tokens.get(self.at).map(|token| (self.written(token), token.range.clone()));
        match next {
            Some((written, range)) => self.fault(range, format!("a value is missing before `{written}`")),
            None => self.fault(end..end, "a value is missing here"),
        }
        self.push(NodeKind::Missing, end..end)
    }
}

/// Whether a literal has the prefix without which backslashes begin escapes.
fn is_raw(literal: &str) -> bool {
    literal.bytes().take_while(|byte| !matches!(byte, b'"' | b'\'')).any(|byte| matches!(byte, b'r' | b'R'))
}

#[cfg(test)]
mod tests;

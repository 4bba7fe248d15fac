//! Converts `@schema/validate` to `@schema/validation`.

use super::expressions::{self, Code, fits, guarded, kinds_hold};
use super::names::{DECODING, Helper};
use super::{At, Conversion, ends_typing};
use crate::proposals::note;
use crate::proposals::validate::{measures_strings, module_constraints};
use lofting_document::Note;
use lofting_eval::{Expr, ExprKind, read_arguments, write_string};
use lofting_schema::{Constraint, ConstraintKind, Kinds, Schema, SchemaId};

/// The arguments of one annotation.
#[derive(Default)]
pub(super) struct Rules {
    /// Pairs of a description and a function.
    pub functions: Vec<String>,
    keywords: Vec<String>,
}

impl Rules {
    /// The annotation; None without rules.
    pub fn line(&self) -> Option<String> {
        let arguments: Vec<&str> = self.functions.iter().chain(&self.keywords).map(String::as_str).collect();
        (!arguments.is_empty()).then(|| format!("#@schema/validation {}", arguments.join(", ")))
    }

    /// Adds a rule; `condition` is an expression about `value`.
    fn rule(&mut self, description: &str, value: &str, condition: &str) {
        self.functions.push(format!("({}, lambda {value}: {condition})", write_string(description)));
    }
}

impl Conversion<'_> {
    /// Adds the rules of a node, including those that ytt's types cannot express.
    pub(super) fn rules_of(&mut self, at: &At<'_>, id: SchemaId, schema: &Schema, rules: &mut Rules) {
        let node = schema.node(id);
        let mut own_length = false;
        if let Some(note) = note(at.notes, "schema/validate") {
            for argument in &note.arguments.positional {
                let Some(keyword) = self.module_rule(argument, note) else {
                    self.function(argument, node.kinds != Kinds::ANY, rules);
                    continue;
                };
                for constraint in keyword {
                    own_length |= measures_strings(&constraint);
                    self.constraint(&constraint, node.kinds, rules);
                }
            }
        }
        if ends_typing(node) && node.kinds != Kinds::ANY {
            let (value, data) = (self.names.local("v"), self.names.local("x"));
            let condition = fits(schema, id, &data, 0, &mut self.code());
            let condition = format!("(lambda {data}: {condition})({}({value}))", self.names.function(Helper::Plain));
            rules.rule("of its type, with the keys that its schema allows", &value, &condition);
        } else if node.kinds != Kinds::ANY && (node.kinds.is_several() || node.kinds == Kinds::NULL) {
            let value = self.names.local("v");
            rules.rule(&schema.type_words(id), &value, &kinds_hold(node.kinds, &value));
        }
        let is_union = node.kinds.is_several();
        if (is_union || ends_typing(node)) && node.kinds != Kinds::ANY && !node.nullable {
            rules.keywords.push("not_null=True".to_owned());
        }
        for constraint in node.constraints.iter().filter(|constraint| !own_length || !measures_strings(constraint)) {
            self.constraint(constraint, node.kinds, rules);
        }
    }

    fn code(&mut self) -> Code<'_> {
        Code { text: self.text, names: self.names }
    }

    /// What a function of `@ytt:validations` says of a value, if it is called with a literal.
    fn module_rule(&self, argument: &Expr, note: &Note) -> Option<Vec<Constraint>> {
        let (called, arguments) = self.source(argument.range.clone()).trim_end().strip_suffix(')')?.split_once('(')?;
        let (module, name) = called.trim().split_once('.')?;
        let arguments = read_arguments(arguments);
        match arguments.positional.as_slice() {
            [only] if self.names.is_module(module, "validations") && only.is_literal() => {
                module_constraints(name, only, note)
            }
            _ => None,
        }
    }

    fn function(&mut self, argument: &Expr, typed: bool, rules: &mut Rules) {
        let source = self.source(argument.range.clone());
        let known = DECODING.into_iter().find(|module| source == format!("{module}.decodable"));
        if let Some(module) = known {
            let (decodable, own) = (self.names.function(Helper::Decodable), self.names.module(module));
            return rules.rule(&format!("valid {module}"), "v", &format!("{decodable}({own}.decode, v)"));
        }
        let rule = self.names.function(Helper::Rule);
        let name = if matches!(argument.kind, ExprKind::Lambda { .. }) { "what its rule accepts" } else { source };
        let typed = if typed { "" } else { ", typed=False" };
        rules.functions.push(format!("({}, {rule}({source}{typed}))", write_string(name)));
    }

    /// Adds a bound as a keyword if ytt has one, else as a function.
    fn constraint(&mut self, constraint: &Constraint, kinds: Kinds, rules: &mut Rules) {
        let on = kinds.and(constraint.on);
        if on == Kinds::NONE && !matches!(constraint.kind, ConstraintKind::NotNull) {
            return;
        }
        // In ytt a keyword applies to values of every kind.
        let speaks_of_all = on == kinds && constraint.message.is_none();
        let keyword = match &constraint.kind {
            ConstraintKind::NotNull => Some("not_null=True".to_owned()),
            ConstraintKind::MinLength(length) => Some(format!("min_len={length}")),
            ConstraintKind::MaxLength(length) => Some(format!("max_len={length}")),
            ConstraintKind::Min(bound) => Some(format!("min={}", expressions::literal(bound))),
            ConstraintKind::Max(bound) => Some(format!("max={}", expressions::literal(bound))),
            ConstraintKind::OneOf(values) => Some(format!("one_of={}", expressions::list(values))),
            _ => None,
        };
        let is_not_null = matches!(constraint.kind, ConstraintKind::NotNull);
        match keyword.filter(|_| speaks_of_all || is_not_null) {
            Some(keyword) if rules.keywords.contains(&keyword) => {}
            Some(keyword) => rules.keywords.push(keyword),
            None => {
                let value = self.names.local("v");
                let Some(condition) = guarded(constraint, kinds, &value, &mut self.code()) else { return };
                rules.rule(&constraint.words(), &value, &condition);
            }
        }
    }
}

//! Expressions while they are written, in rules of custom resources: the fields of `self`, variables and functions; and in
//! policies of admission: variables and functions.

mod policies;

use super::structure::get;
use crate::claim::below;
use crate::inside::{Inside, Own, Proposal, ProposalKind, TextPlace, Word};
use crate::{Claim, FileView, Role};
use lofting_cel::library;
use lofting_cel::structural::escaped;
use lofting_cel::{Expression, Id, NodeKind, Type, parse};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{Kinds, Schema, SchemaId, Step, Via};
use std::ops::Range;
use std::sync::Arc;

/// The keyword with rules, and the keys of a rule that are expressions.
const RULES: &str = "x-kubernetes-validations";
const EXPRESSIONS: [&str; 2] = ["rule", "messageExpression"];

/// What is at a place in a rule, and what could be inserted there.
pub(super) fn at(file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
    of_rule(file, own, place).or_else(|| policies::at(file.tree(), place))
}

fn of_rule(file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
    let [.., Step::Key(keyword), _, Step::Key(name)] = place.path else { return None };
    if keyword.as_str() != Some(RULES) || !name.as_str().is_some_and(|name| EXPRESSIONS.contains(&name)) {
        return None;
    }
    let document = file.documents().documents.get(place.document)?;
    let (schema, claim, written) = own.schemas.iter().find_map(|(index, schema)| {
        let claim = own.claims.all().get(*index).filter(|claim| claim.document == place.document)?;
        let written = claim.at.iter().try_fold(&document.value, below)?;
        let range = written.span.range();
        let is_schema = matches!(claim.role, Role::Schema(_));
        (is_schema && range.start <= place.at && place.at <= range.end).then_some((schema.schema(), claim, written))
    })?;
    let node = node_at(schema, claim, written, place)?;
    let variables = vec![
        ("self".to_owned(), Some(schema.type_words(node))),
        ("oldSelf".to_owned(), Some("the value before a change".to_owned())),
    ];
    let expression = parse(place.text)?;
    let rule = Rule { schema, node: Some(node), variables, defined: Vec::new(), expression };
    Some(rule.at(place.text, place.offset))
}

/// The node of the schema that has the rule.
fn node_at(schema: &Schema, claim: &Claim, written: &Node, place: &TextPlace<'_>) -> Option<SchemaId> {
    let steps = place.path.get(claim.at.len()..place.path.len().checked_sub(3)?)?;
    let (mut id, mut node, mut steps) = (schema.root(), written, steps.iter());
    while let Some(step) = steps.next() {
        let Step::Key(keyword) = step else { return None };
        let keyword = keyword.as_str()?;
        let own = schema.node(id);
        node = get(node, keyword)?;
        id = match keyword {
            "properties" => {
                let Some(Step::Key(name)) = steps.next() else { return None };
                let name = name.to_string();
                node = get(node, &name)?;
                own.map.as_deref()?.get(&Key::from(name.as_str()))?.schema
            }
            "items" => own.array.as_ref()?.item,
            "additionalProperties" => rest(schema, id)?,
            _ => return None,
        };
    }
    matches!(node.value, NodeValue::Map(_)).then_some(id)
}

/// The node for the values of a map.
fn rest(schema: &Schema, id: SchemaId) -> Option<SchemaId> {
    let children = schema.node(id).map.as_deref()?.children(&Key::Null);
    children.into_iter().find(|child| child.via == Via::Rest).map(|child| child.schema)
}

/// A rule in the schema of its values.
struct Rule<'s> {
    schema: &'s Arc<Schema>,
    /// The node of `self`.
    node: Option<SchemaId>,
    /// The names that it is given, with what is known of them.
    variables: Vec<(String, Option<String>)>,
    /// The fields of `variables`.
    defined: Vec<String>,
    expression: Expression,
}

/// What rules see of the metadata of a resource.
const SEEN_OF_METADATA: [&str; 2] = ["name", "generateName"];

/// How deeply values are followed.
const DEPTH: usize = 100;

/// Methods whose result has the type of their receiver, or of what is in it.
const SAME: [&str; 10] =
    ["filter", "sort", "sortBy", "reverse", "distinct", "slice", "orValue", "or", "value", "optFlatMap"];

impl Rule<'_> {
    fn at(&self, text: &str, offset: usize) -> Inside {
        let touches = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let nodes = || self.expression.nodes.iter().enumerate();
        for (id, node) in nodes() {
            if let Some(member) = self.expression.member(node).filter(|member| touches(&member.range)) {
                let of = self.value(member.of, DEPTH);
                let found = self.value(id, DEPTH);
                let word = found.map(|found| self.word(member.name, &member.range, "field", found));
                let mut proposals = self.fields(member.of, &member.range, member.is_quoted);
                if !member.is_quoted {
                    proposals.extend(self.methods(of, &member.range));
                }
                return Inside { word, proposals };
            }
        }
        for (id, node) in nodes() {
            match &node.kind {
                NodeKind::Call { of: Some(of), name, name_range, .. } if touches(name_range) => {
                    let mut proposals = self.fields(*of, name_range, false);
                    proposals.extend(self.methods(self.value(*of, DEPTH), name_range));
                    return Inside { word: function(name, name_range, true), proposals };
                }
                NodeKind::Call { of: None, name, name_range, .. } if touches(name_range) => {
                    return Inside {
                        word: function(name, name_range, false),
                        proposals: self.names(offset, name_range, ""),
                    };
                }
                NodeKind::Name(name) if touches(&node.range) => {
                    let word = self.value(id, DEPTH).map(|found| self.word(name, &node.range, "variable", found));
                    return Inside { word, proposals: self.names(offset, &node.range, "(") };
                }
                NodeKind::Text { .. }
                | NodeKind::Bytes { .. }
                | NodeKind::Number(_)
                | NodeKind::Bool(_)
                | NodeKind::Null
                    if node.range.start < offset && offset <= node.range.end =>
                {
                    return Inside::default();
                }
                _ => {}
            }
        }
        // Where an operand is missing.
        let before = text.get(..offset).unwrap_or_default().trim_end();
        let wants_value = before.is_empty()
            || before.ends_with(['(', '[', '{', ',', ':', '?', '+', '-', '*', '/', '%', '<', '>', '=', '&', '|', '!'])
            || before.ends_with(" in");
        let proposals = if wants_value { self.names(offset, &(offset..offset), "(") } else { Vec::new() };
        Inside { word: None, proposals }
    }

    /// The node of the schema that a value has.
    fn value(&self, id: Id, depth: usize) -> Option<SchemaId> {
        let depth = depth.checked_sub(1)?;
        let node = self.expression.nodes.get(id)?;
        let member = self.expression.member(node);
        match &node.kind {
            NodeKind::Name(name) => match name.as_str() {
                "self" | "oldSelf" => self.node,
                name => self.item_named(id, name, depth),
            },
            NodeKind::Select { .. } | NodeKind::Index { .. } if member.is_some() => {
                let member = member?;
                let of = self.value(member.of, depth)?;
                let map = self.schema.node(of).map.as_deref()?;
                let is_it = |name: &str| {
                    if member.is_quoted {
                        name == member.name
                    } else {
                        escaped(name).is_some_and(|name| name == member.name)
                    }
                };
                let declared = map.keys.iter().find(|declared| declared.key.as_str().is_some_and(is_it));
                declared.map(|declared| declared.schema).or_else(|| rest(self.schema, of))
            }
            NodeKind::Index { of, .. } => self.item(self.value(*of, depth)?),
            NodeKind::Call { of: Some(of), name, .. } if SAME.contains(&name.as_str()) => self.value(*of, depth),
            NodeKind::Call { of: Some(of), name, .. } if matches!(name.as_str(), "first" | "last") => {
                self.item(self.value(*of, depth)?)
            }
            NodeKind::Choice(_, yes, no) => self.value(*yes, depth).or_else(|| self.value(*no, depth)),
            _ => None,
        }
    }

    /// The value of a name that a macro defines.
    fn item_named(&self, id: Id, name: &str, depth: usize) -> Option<SchemaId> {
        let is_around =
            |scope: &&lofting_cel::Scope| scope.nodes.contains(&id) && scope.names.iter().any(|own| own == name);
        // The innermost scope has the fewest nodes.
        let scopes = self.expression.scopes.iter().filter(is_around);
        let scope = scopes.min_by_key(|scope| scope.nodes.len())?;
        let of = self.value(scope.of, depth)?;
        // The first of two names is an index or a key.
        let is_value = scope.names.last().is_some_and(|last| last == name);
        match (scope.is_loop, is_value && scope.names.len() > 1) {
            (false, _) => Some(of),
            (true, true) => self.item(of).or_else(|| rest(self.schema, of)),
            (true, false) if is_value => self.item(of),
            _ => None,
        }
    }

    fn item(&self, id: SchemaId) -> Option<SchemaId> {
        self.schema.node(id).array.as_ref().map(|array| array.item)
    }

    fn word(&self, name: &str, range: &Range<usize>, kind: &'static str, found: SchemaId) -> Word {
        let node = Some((self.schema.clone(), found));
        Word { range: range.clone(), name: name.to_owned(), kind, meaning: Vec::new(), definition: None, node }
    }

    /// The methods of a value. An object has none: its fields are declared, so that it is not a map.
    fn methods(&self, of: Option<SchemaId>, replace: &Range<usize>) -> Vec<Proposal> {
        let is_object = |of: SchemaId| {
            let declares = self.schema.node(of).map.as_deref().is_some_and(|map| !map.keys.is_empty());
            declares && rest(self.schema, of).is_none()
        };
        if of.is_some_and(is_object) {
            return Vec::new();
        }
        methods(of.map(|of| self.schema.node(of).kinds), replace)
    }

    /// Whether an expression is the metadata of a resource, of which rules see only the names.
    fn is_metadata(&self, id: Id) -> bool {
        let member = self.expression.nodes.get(id).and_then(|node| self.expression.member(node));
        let Some(member) = member.filter(|member| member.name == "metadata") else { return false };
        let keys = |id: SchemaId| self.schema.node(id).map.as_deref();
        let has = |id: SchemaId, names: &[&str]| {
            keys(id).is_some_and(|map| names.iter().all(|name| map.get(&Key::from(*name)).is_some()))
        };
        self.value(member.of, DEPTH).is_some_and(|owner| has(owner, &["apiVersion", "kind"]))
            && self.value(id, DEPTH).is_some_and(|own| has(own, &["generateName", "ownerReferences"]))
    }

    fn fields(&self, of: Id, replace: &Range<usize>, is_quoted: bool) -> Vec<Proposal> {
        let holder = self.expression.nodes.get(of).map(|node| &node.kind);
        if matches!(holder, Some(NodeKind::Name(name)) if name == policies::VARIABLES) {
            let field = |name: &String| proposal(name.clone(), ProposalKind::Field, None, replace, name.clone(), false);
            return self.defined.iter().map(field).collect();
        }
        let Some(id) = self.value(of, DEPTH) else { return Vec::new() };
        let is_metadata = self.is_metadata(of);
        let keys = self.schema.node(id).map.as_deref().map(|map| map.keys.as_slice()).unwrap_or_default();
        let proposals = keys.iter().filter_map(|declared| {
            let name = declared.key.as_str()?;
            if is_metadata && !SEEN_OF_METADATA.contains(&name) {
                return None;
            }
            let text = if is_quoted {
                Some(name.to_owned()).filter(|name| !name.contains(['"', '\'', '\\']))
            } else {
                escaped(name)
            };
            let detail = Some(self.schema.type_words(declared.schema));
            Some(proposal(name.to_owned(), ProposalKind::Field, detail, replace, text?, false))
        });
        proposals.collect()
    }

    /// Variables and functions; `after` follows the name of a function.
    fn names(&self, offset: usize, replace: &Range<usize>, after: &str) -> Vec<Proposal> {
        let around = |scope: &&lofting_cel::Scope| scope.range.start < offset && offset <= scope.range.end;
        let locals = self.expression.scopes.iter().filter(around).flat_map(|scope| scope.names.iter().cloned());
        let variables = locals.map(|name| (name, None)).chain(self.variables.iter().cloned());
        let variables = variables
            .map(|(name, detail)| proposal(name.clone(), ProposalKind::Variable, detail, replace, name, false));
        let mut functions: Vec<&str> = library::names(false).chain(["has"]).collect();
        functions.sort_unstable();
        let functions = functions.into_iter().map(|name| {
            let text = format!("{name}{after}");
            proposal(name.to_owned(), ProposalKind::Function, signatures(name, false), replace, text, !after.is_empty())
        });
        variables.chain(functions).collect()
    }
}

/// Methods of macros, with the kinds of values that have them.
const MACROS: [(&str, &str); 8] = [
    ("all", "(name, condition) -> bool"),
    ("exists", "(name, condition) -> bool"),
    ("exists_one", "(name, condition) -> bool"),
    ("filter", "(name, condition) -> list"),
    ("map", "(name, value) -> list"),
    ("sortBy", "(name, value) -> list"),
    ("transformList", "(index, name, value) -> list"),
    ("transformMap", "(key, name, value) -> map"),
];

/// The methods of values of these kinds; of anything if they are not known.
fn methods(kinds: Option<Kinds>, replace: &Range<usize>) -> Vec<Proposal> {
    let takes = |receiver: &Type| match (receiver, kinds) {
        (Type::Dyn | Type::Named(_), _) => kinds.is_none(),
        (Type::List(_), Some(kinds)) => kinds == Kinds::ARRAY,
        (Type::Map(_), Some(kinds)) => kinds == Kinds::MAP,
        (Type::Text | Type::Bytes | Type::Duration | Type::Timestamp, Some(kinds)) => kinds == Kinds::STRING,
        (_, Some(_)) => false,
        (_, None) => true,
    };
    let has_receiver = |name: &&str| {
        let mut overloads = library::overloads(name, true).into_iter().flatten();
        overloads.any(|overload| overload.signature.parameters.first().is_some_and(takes))
    };
    let is_collection = kinds.is_none_or(|kinds| kinds == Kinds::ARRAY || kinds == Kinds::MAP);
    let macros = MACROS.iter().filter(|_| is_collection).map(|(name, detail)| (*name, Some((*detail).to_owned())));
    let own = library::names(true).filter(has_receiver).map(|name| (name, signatures(name, true)));
    let mut all: Vec<(&str, Option<String>)> = macros.chain(own).collect();
    all.sort_unstable();
    all.dedup_by_key(|(name, _)| *name);
    let methods = all.into_iter().map(|(name, detail)| {
        proposal(name.to_owned(), ProposalKind::Function, detail, replace, format!("{name}("), true)
    });
    methods.collect()
}

/// How a function is called.
fn signatures(name: &str, is_method: bool) -> Option<String> {
    let first = library::overloads(name, is_method)?.first()?;
    let skipped = usize::from(is_method);
    let parameters: Vec<String> = first.signature.parameters.iter().skip(skipped).map(Type::to_string).collect();
    Some(format!("({}) -> {}", parameters.join(", "), first.signature.result))
}

fn function(name: &str, range: &Range<usize>, is_method: bool) -> Option<Word> {
    let is_macro = || is_method.then(|| MACROS.iter().find(|(known, _)| *known == name)).flatten();
    let definition = is_macro().map(|(_, detail)| (*detail).to_owned()).or_else(|| signatures(name, is_method))?;
    Some(Word {
        range: range.clone(),
        name: name.to_owned(),
        kind: "function",
        meaning: Vec::new(),
        definition: Some(format!("{name}{definition}")),
        node: None,
    })
}

fn proposal(
    label: String,
    kind: ProposalKind,
    detail: Option<String>,
    replace: &Range<usize>,
    text: String,
    goes_on: bool,
) -> Proposal {
    Proposal { label, kind, detail, replace: replace.clone(), text, goes_on }
}

#[cfg(test)]
mod tests;

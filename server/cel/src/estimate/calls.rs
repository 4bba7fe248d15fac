//! What calls of functions cost. Prices are those of Kubernetes' libraries where they have one, and those of the language
//! otherwise; both go by the name of the function, and by the types that it is called with.

use super::extent::{CHARACTER, EXPRESSION, Extent, cost, quotient};
use super::paths::Step;
use super::{Argument, Coster, Inside, LIST};
use crate::plan::{Op, OpId};
use crate::types::{Signature, Type};
use crate::value::Value;

/// The price of a call, and the size of what it returns.
type Price = (u64, Option<Extent>);

/// What the server takes for the length of the regular expression of a format.
const FORMAT_EXPRESSION: f64 = 128.0;

/// The length of a format.
const FORMAT: u64 = 64;

/// The bytes of an address.
const ADDRESS: u64 = 16;

/// Asking the server whether something is allowed.
const AUTHORIZATION: u64 = 350_000;

/// An array that holds as many values as are listed.
fn list(size: Extent, each: f64) -> Price {
    (size.cost(each).saturating_add(1 + LIST), Some(size))
}

/// Comparing each item of an array with each other.
pub(super) fn sorting(count: Extent, of: &Type) -> (u64, Extent) {
    let each = if matches!(of, Type::Text | Type::Bytes) { 2.0 + CHARACTER } else { 2.0 };
    let size = count.times(count);
    (list(size, each).0, size)
}

/// Looking for a regular expression in a text.
fn search(text: Extent, expression: Extent) -> u64 {
    text.plus(Extent::exactly(1)).cost(CHARACTER).saturating_mul(expression.cost(EXPRESSION))
}

/// Reading the requirements of a selector.
fn selector(text: Extent) -> u64 {
    const STRUCT: f64 = 40.0;
    let requirements = cost(text.cost(0.5), 10.0 + STRUCT);
    LIST.saturating_add(text.cost(CHARACTER)).saturating_add(requirements)
}

fn size(of: &Argument<'_>) -> Extent {
    of.size.unwrap_or(Extent::ANY)
}

impl Coster<'_> {
    fn constant(&self, of: &Argument<'_>) -> Option<i64> {
        match self.program.get(of.id).map(|operation| &operation.kind) {
            Some(Op::Constant(Value::Int(value))) => Some(*value),
            _ => None,
        }
    }

    /// A number that is written in the expression.
    fn number(&self, of: &Argument<'_>) -> Option<u64> {
        self.constant(of).map(|value| u64::try_from(value).unwrap_or(0))
    }

    pub(super) fn price(
        &mut self,
        id: OpId,
        signature: &Signature,
        target: Option<&Argument<'_>>,
        arguments: &[Argument<'_>],
    ) -> Price {
        self.of_lists(signature, target, arguments)
            .or_else(|| self.of_kubernetes(signature, target, arguments))
            .or_else(|| self.of_language(id, signature, target, arguments))
            .unwrap_or((1, None))
    }

    /// The libraries for arrays and sets that come with the language.
    fn of_lists(
        &self,
        signature: &Signature,
        target: Option<&Argument<'_>>,
        arguments: &[Argument<'_>],
    ) -> Option<Price> {
        Some(match (&*signature.name, target, arguments) {
            ("slice", Some(target), [from, to]) => {
                let from = self.number(from).unwrap_or(0);
                let to = self.number(to).unwrap_or(size(target).most);
                // As for the server, what is less than nothing is very much.
                list(Extent::exactly(to.wrapping_sub(from)), 1.0)
            }
            ("lists.range", None, [count]) => list(Extent::exactly(self.number(count).unwrap_or(u64::MAX)), 1.0),
            ("reverse", Some(target), []) => list(size(target), 1.0),
            ("flatten", Some(target), []) => list(size(target), 1.0),
            ("flatten", Some(target), [depth]) => {
                let size = size(target);
                let each = self.number(depth).unwrap_or(u64::MAX);
                (size.most.saturating_mul(each).saturating_add(1 + LIST), Some(size))
            }
            ("distinct", Some(target), []) => list(size(target).times(size(target)), 2.0),
            ("sort", Some(target), []) => {
                let of = match &signature.parameters.first() {
                    Some(Type::List(item)) => (**item).clone(),
                    _ => Type::Dyn,
                };
                let (cost, size) = sorting(size(target), &of);
                (cost, Some(size))
            }
            ("sets.contains" | "sets.intersects", None, [one, other]) => {
                (size(one).times(size(other)).most.saturating_add(1), None)
            }
            ("sets.equivalent", None, [one, other]) => (size(one).times(size(other)).cost(2.0).saturating_add(1), None),
            _ => return None,
        })
    }

    fn of_kubernetes(
        &mut self,
        signature: &Signature,
        target: Option<&Argument<'_>>,
        arguments: &[Argument<'_>],
    ) -> Option<Price> {
        let is_text = |number: usize| matches!(signature.parameters.get(number), Some(Type::Text));
        Some(match (&*signature.name, target, arguments) {
            ("check", ..) => (AUTHORIZATION, None),
            ("fieldSelector" | "labelSelector", _, [text]) => (selector(size(text)), None),
            ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", Some(target), _) => {
                let each = match self.item(target) {
                    Some((Type::Text | Type::Bytes, item)) => item.cost(CHARACTER).saturating_add(1),
                    Some(_) => 1,
                    None => return Some((size(target).cost(CHARACTER), None)),
                };
                (size(target).most.saturating_mul(each), None)
            }
            ("url", _, [text]) => (size(text).cost(CHARACTER), Some(size(text))),
            ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(target), _) => {
                (size(target).cost(CHARACTER), Some(size(target)))
            }
            ("replace", Some(target), [from, to, ..]) => {
                (size(target).cost(2.0 * CHARACTER), Some(replaced(size(target), size(from), size(to))))
            }
            ("split", Some(target), _) => {
                let own = size(target);
                let limit = arguments.get(1).and_then(|limit| self.constant(limit));
                let most = limit.map_or(own.most, i64::cast_unsigned);
                (own.cost(2.0 * CHARACTER), Some(Extent { least: 0, most }))
            }
            ("join", Some(target), _) => {
                let (count, item) = (size(target), self.item(target));
                let texts = item.map_or(Extent::exactly(0), |(_, item)| count.times(item));
                let gaps = Extent { least: count.least.saturating_sub(1), most: count.most.saturating_sub(1) };
                let gaps = arguments.first().map_or(Extent::exactly(0), |between| size(between).times(gaps));
                let size = texts.plus(gaps);
                (size.cost(CHARACTER), Some(size))
            }
            ("find" | "findAll", Some(target), [expression, ..]) => {
                let own = size(target);
                (search(own, size(expression)), Some(Extent { least: 0, most: own.most }))
            }
            ("containsIP", Some(_), [address]) => {
                let parsed = if is_text(1) { size(address).cost(CHARACTER) } else { 0 };
                (cost(2 * ADDRESS, CHARACTER).saturating_add(parsed), None)
            }
            ("containsCIDR", Some(_), [range]) => {
                let parsed = if is_text(1) { size(range).cost(CHARACTER) } else { 0 };
                (cost(2 * ADDRESS, CHARACTER).saturating_add(cost(ADDRESS, CHARACTER) + 1).saturating_add(parsed), None)
            }
            ("validate", Some(_), [text]) => (cost(size(text).cost(CHARACTER), FORMAT_EXPRESSION * EXPRESSION), None),
            ("@equal", _, [one, other]) => return same_of_kubernetes(one, other),
            _ => return None,
        })
    }

    fn of_language(
        &mut self,
        id: OpId,
        signature: &Signature,
        target: Option<&Argument<'_>>,
        arguments: &[Argument<'_>],
    ) -> Option<Price> {
        let parameter = signature.parameters.first();
        let is_text = matches!(parameter, Some(Type::Text | Type::Bytes));
        Some(match (&*signature.name, target, arguments) {
            ("format", Some(target), _) => (size(target).cost(CHARACTER), None),
            ("bytes", None, [text]) if matches!(parameter, Some(Type::Text)) => {
                let own = size(text);
                (own.cost(CHARACTER), Some(Extent { least: own.least, most: own.most.saturating_mul(4) }))
            }
            ("string", None, [bytes]) if matches!(parameter, Some(Type::Bytes)) => {
                let own = size(bytes);
                (own.cost(CHARACTER), Some(Extent { least: own.least / 4, most: own.most }))
            }
            ("strings.quote", None, [text]) => {
                let own = size(text);
                (own.cost(CHARACTER), Some(own.plus(Extent { least: 0, most: own.most }).plus(Extent::exactly(2))))
            }
            ("startsWith" | "endsWith", Some(_), [part]) => (size(part).cost(CHARACTER), None),
            ("contains", Some(target), [part]) => {
                (size(target).cost(CHARACTER).saturating_mul(size(part).cost(CHARACTER)), None)
            }
            ("matches", Some(target), [expression]) => (search(size(target), size(expression)), None),
            ("@in", None, [_, list]) if matches!(signature.parameters.get(1), Some(Type::List(_))) => {
                (size(list).most, None)
            }
            ("@add", None, [one, other]) if is_text || matches!(parameter, Some(Type::List(_))) => {
                let joined = size(one).plus(size(other));
                self.set_entry(id, Inside::or(self.entry(one.id), self.entry(other.id)));
                (if is_text { joined.cost(CHARACTER) } else { 1 }, Some(joined))
            }
            ("@less" | "@less_equal" | "@greater" | "@greater_equal", None, [one, other]) if is_text => {
                (cost(size(one).most.min(size(other).most), CHARACTER), None)
            }
            ("@equal" | "@not_equal", None, [one, other]) => {
                (cost(size(one).most.min(size(other).most), CHARACTER), None)
            }
            _ => return None,
        })
    }

    /// The type and size of the items of an array; None for a text.
    fn item<'t>(&mut self, list: &Argument<'t>) -> Option<(&'t Type, Extent)> {
        let of = match list.of {
            Type::Map(parts) => &parts.0,
            other => other.parameters().first()?,
        };
        // The server copies the path.
        let size = (!list.path.is_empty()).then(|| {
            let mut own = self.paths.steps(list.path).to_vec();
            own.push(Step::Items);
            let path = self.paths.of(own);
            self.size_at(path)
        });
        let size = size.flatten();
        Some((of, size.unwrap_or(Extent::ANY)))
    }
}

/// Comparing two values of a type of Kubernetes' libraries.
fn same_of_kubernetes(one: &Argument<'_>, other: &Argument<'_>) -> Option<Price> {
    let Type::Opaque(name, _) = one.of else { return None };
    if one.of != other.of {
        return None;
    }
    match &**name {
        "kubernetes.NamedFormat" => Some((cost(FORMAT, CHARACTER), None)),
        "kubernetes.URL" => Some((cost(other.size.map_or(1, |size| size.most), CHARACTER), None)),
        name if name.starts_with("kubernetes.") || name.starts_with("net.") => Some((1, None)),
        _ => None,
    }
}

/// The size of a text in which parts are replaced.
fn replaced(text: Extent, from: Extent, to: Extent) -> Extent {
    // How often a part of this length is found, and how much of the text is left.
    let found = |length: u64, part: u64, is_shorter: bool| match part {
        // Nothing is found around each character.
        0 => (length.saturating_add(1), length),
        _ if is_shorter => (0, length),
        part => (quotient(length, part), 0),
    };
    let longest = found(text.most, from.least, to.most <= from.least);
    let shortest = found(text.least, from.most, from.most <= to.least);
    let count = Extent { least: shortest.0, most: longest.0 };
    let kept = Extent { least: shortest.1, most: longest.1 };
    count.times(to).plus(kept)
}

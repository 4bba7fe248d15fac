//! What containers request, and their limits (`ValidateContainerResourceRequirements`).

use super::decoded::Decoded;
use super::look::{Look, QUALIFIED};
use crate::kubernetes::pods::is_computed;
use crate::kubernetes::rules::{number_range, request_above_limit, required_field, text_form};
use lofting_cel::library::quantity::Quantity;
use lofting_diagnostic::suggest::nearest;
use smol_str::SmolStr;

const STANDARD: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const HUGE: &str = "hugepages-";

/// A quantity of a resource, with its name and the field that says it.
type Amount<'t> = (SmolStr, Decoded<'t>, Quantity);

pub(super) fn resources(resources: &Decoded<'_>, look: &mut Look) {
    let limits = amounts(resources, "limits", look);
    let requests = amounts(resources, "requests", look);
    let knows_limits = resources.is_whole() && resources.key("limits").is_none_or(|limits| limits.is_whole());
    for (name, field, requested) in &requests {
        let overcommits = overcommits(name);
        match limits.iter().find(|(known, ..)| known == name) {
            Some((_, limit, amount)) => {
                let order = requested.compare(amount);
                let message = if order.is_gt() {
                    format!("more `{name}` is requested than the limit allows")
                } else if order.is_lt() && !overcommits {
                    format!("the limit of `{name}` should be what is requested, because it cannot be overcommitted")
                } else {
                    continue;
                };
                let requested_text = field.written();
                let (at, limit) = (look.span(field.range()), look.span(limit.range()));
                look.found.push(request_above_limit::finding(at, limit, message, &requested_text));
            }
            None if !overcommits && knows_limits && is_known(name) => {
                let written = resources.key("limits").is_some_and(|limits| limits.has(name));
                if !written {
                    let message = format!("`{name}` has no limit, although it cannot be overcommitted");
                    look.found.push(required_field::finding(look.span(field.place()), message));
                }
            }
            None => {}
        }
    }
}

/// Whether more of a resource can be promised than there is.
pub(super) fn overcommits(name: &str) -> bool {
    let is_own = !name.contains('/') || name.contains("kubernetes.io/");
    is_own && !name.starts_with(HUGE)
}

/// Whether containers can have a resource with this name.
pub(super) fn is_known(name: &str) -> bool {
    let (fits, _) = QUALIFIED;
    fits(name) && (name.contains('/') || STANDARD.contains(&name) || name.starts_with(HUGE))
}

fn amounts<'t>(resources: &Decoded<'t>, key: &str, look: &mut Look) -> Vec<Amount<'t>> {
    let mut found = Vec::new();
    let none = Quantity::parse("0");
    for (name, field) in resources.key(key).map(|map| map.entries()).unwrap_or_default() {
        if is_computed(&name) {
            continue;
        }
        if !is_known(&name) {
            let span = look.span(field.place());
            let message = format!(
                "`{name}` is not a resource of a container: it should be `cpu`, `memory`, `ephemeral-storage`, `{HUGE}…` or \
                 have a domain before it"
            );
            let finding = text_form::said(span, message);
            look.found.push(match nearest(&name, STANDARD) {
                Some(meant) => finding.meant(span, meant),
                None => finding,
            });
        }
        let Some(quantity) = look.quantity(&field) else { continue };
        if none.as_ref().is_some_and(|none| quantity.compare(none).is_lt()) {
            look.found.push(number_range::said(look.span(field.range()), format!("`{name}` cannot be negative")));
        }
        found.push((name, field, quantity));
    }
    found
}

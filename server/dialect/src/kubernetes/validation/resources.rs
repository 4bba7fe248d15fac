//! What containers request, and their limits (`ValidateContainerResourceRequirements`).

use super::decoded::Decoded;
use super::look::{Look, QUALIFIED};
use crate::kubernetes::pods::is_computed;
use crate::kubernetes::rules::{number_range, request_above_limit, required_field, text_form};
use lofting_cel::library::quantity::Quantity;
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::nearest;
use lofting_document::Span;
use smol_str::SmolStr;

const STANDARD: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const HUGE: &str = "hugepages-";

/// A quantity of a resource, with its name and the field that says it.
pub(super) type Amount<'t> = (SmolStr, Decoded<'t>, Quantity);

pub(super) fn resources(resources: &Decoded<'_>, look: &mut Look) {
    let limits = amounts(resources, "limits", &[], look);
    let requests = amounts(resources, "requests", &limits, look);
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

/// Whether amounts of a resource are whole numbers.
fn is_counted(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/")
}

fn is_part_of_page(quantity: &Quantity, page: &Quantity) -> bool {
    let count = quantity.approximate() / page.approximate();
    count.is_finite() && count.fract() != 0.0
}

/// Large pages are only there beside usual memory or processors.
pub(super) fn huge_alone(container: &Decoded<'_>, look: &mut Look) {
    let Some(resources) = container.key("resources").filter(|resources| resources.is_whole()) else { return };
    let maps: Vec<Decoded<'_>> = ["limits", "requests"].iter().filter_map(|key| resources.key(key)).collect();
    if !maps.iter().all(|map| map.is_whole()) || maps.iter().any(|map| map.has("cpu") || map.has("memory")) {
        return;
    }
    let huge = maps.iter().flat_map(|map| map.entries()).find(|(name, _)| name.starts_with(HUGE));
    if let Some((name, field)) = huge {
        look.excluded(&field, &format!("needs `cpu` or `memory` beside it: there is no container with `{name}` alone"));
    }
}

/// What is most likely meant by a name that no resource has.
pub(super) fn meaning(finding: Diagnostic, span: Span, name: &str, known: &[&str]) -> Diagnostic {
    let name = name.rsplit('.').next().unwrap_or(name);
    if DEVICES.contains(&name.to_ascii_lowercase().as_str()) {
        return finding.help("devices have a domain before their name, such as `nvidia.com/gpu`");
    }
    match nearest(name, known.iter().copied()) {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

/// Words for devices, which are not misspelt processors.
const DEVICES: [&str; 4] = ["gpu", "gpus", "tpu", "npu"];

/// Whether containers can have a resource with this name.
pub(super) fn is_known(name: &str) -> bool {
    let (fits, _) = QUALIFIED;
    let is_extended = || name.contains('/') && !(is_counted(name) && name.starts_with("requests."));
    fits(name) && (is_extended() || STANDARD.contains(&name) || name.starts_with(HUGE))
}

/// The amounts in a map, of which those that are not written alike in another one are judged.
pub(super) fn amounts<'t>(
    resources: &Decoded<'t>,
    key: &str,
    judged: &[Amount<'_>],
    look: &mut Look,
) -> Vec<Amount<'t>> {
    let mut found = Vec::new();
    for (name, field) in resources.key(key).map(|map| map.entries()).unwrap_or_default() {
        if is_computed(&name) {
            continue;
        }
        let is_alike = |(known, own, _): &Amount<'_>| *known == name && own.written() == field.written();
        if let Some((.., quantity)) = judged.iter().find(|judged| is_alike(judged)) {
            found.push((name, field, quantity.clone()));
            continue;
        }
        if !is_known(&name) {
            let span = look.span(field.place());
            let message = format!(
                "`{name}` is not a resource of a container: it should be `cpu`, `memory`, `ephemeral-storage`, `{HUGE}…` or \
                 have a domain before it"
            );
            let finding = text_form::said(span, message);
            look.found.push(meaning(finding, span, &name, &STANDARD));
        }
        let Some(quantity) = look.quantity(&field) else { continue };
        if quantity.order().is_lt() {
            look.found.push(number_range::said(look.span(field.range()), format!("`{name}` cannot be negative")));
            continue;
        } else if is_counted(&name) && !quantity.is_whole() {
            look.found.push(number_range::said(look.span(field.range()), format!("`{name}` should be an integer")));
        } else if let Some(page) = name.strip_prefix(HUGE).and_then(Quantity::parse)
            && is_part_of_page(&quantity, &page)
        {
            let message = format!("`{name}` should be a multiple of the size of a page");
            look.found.push(number_range::said(look.span(field.range()), message));
        }
        found.push((name, field, quantity));
    }
    found
}

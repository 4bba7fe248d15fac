//! Requests for devices, and classes of devices (`validateCELSelector`).

use super::admission::expression;
use super::decoded::Decoded;
use super::look::{LABEL, Look};
use lofting_cel::{Type, devices};

/// A `DeviceClass`, from its `spec`.
pub(super) fn class(spec: &Decoded<'_>, look: &mut Look) {
    selectors(std::slice::from_ref(spec), look);
}

/// A `ResourceClaim`, from its `spec`.
pub(super) fn claim(spec: &Decoded<'_>, look: &mut Look) {
    let Some(devices) = spec.key("devices") else { return };
    let mut holders = Vec::new();
    for request in devices.items("requests") {
        look.form(&request, "name", LABEL);
        holders.extend(request.key("exactly"));
        holders.extend(request.items("firstAvailable"));
        // In the first versions, a request has the fields of `exactly`.
        holders.push(request);
    }
    selectors(&holders, look);
}

/// A `ResourceClaimTemplate`, from its `spec`.
pub(super) fn claim_template(spec: &Decoded<'_>, look: &mut Look) {
    if let Some(spec) = spec.key("spec") {
        claim(&spec, look);
    }
}

fn selectors(holders: &[Decoded<'_>], look: &mut Look) {
    let environment = devices::environment();
    for selector in holders.iter().flat_map(|holder| holder.items("selectors")) {
        if let Some(own) = selector.key("cel") {
            look.filled(&own, "expression");
            expression(&own, "expression", &environment, &[Type::Bool, Type::Dyn], look);
        }
    }
}

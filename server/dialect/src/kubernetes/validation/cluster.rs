//! What is set up once for a cluster: classes, services of the API, leases, and certificates.

use super::decoded::Decoded;
use super::look::{LABEL, Look, MOST, OLD_LABEL, PATH_OF_DOMAIN, PORTS, SUBDOMAIN, TextForm};
use super::network::REFERENCE;
use super::placing::tolerated;
use crate::kubernetes::rules::text_form;
use lofting_syntax::resolve::decode_base64;

/// `ValidateIngressClass`
pub(super) fn ingress_class(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "controller");
    look.form(spec, "controller", PATH_OF_DOMAIN);
    let Some(parameters) = spec.key("parameters") else { return };
    look.rows(&parameters, REFERENCE);
    look.form(&parameters, "namespace", LABEL);
    match parameters.text_at("scope").as_deref() {
        Some("Namespace") => look.required(&parameters, "namespace"),
        Some("Cluster") | None if parameters.text_at("scope").is_some() || parameters.lacks("scope") => {
            if let Some(namespace) = parameters.key("namespace") {
                look.excluded(
                    &namespace,
                    "has no place in parameters of the whole cluster, which is the default `scope`",
                );
            }
        }
        _ => {}
    }
}

/// `ValidateAPIService`
pub(super) fn api_service(resource: &Decoded<'_>, look: &mut Look) {
    let Some(spec) = resource.key("spec") else { return };
    look.number(&spec, "groupPriorityMinimum", 1..=20_000);
    look.number(&spec, "versionPriority", 1..=1_000);
    look.form(&spec, "version", OLD_LABEL);
    look.form(&spec, "group", SUBDOMAIN);
    if let (Some(group), Some(version)) = (spec.text_at("group"), spec.text_at("version"))
        && let Some(metadata) = resource.key("metadata")
        && let Some(name) = metadata.key("name")
    {
        let wanted = format!("{version}.{group}");
        // The name follows from others, of which nothing is known while they are wrong themselves.
        let fits = |text: &str, form: TextForm| text.is_empty() || (form.0)(text);
        let is_known = fits(&version, OLD_LABEL) && fits(&group, SUBDOMAIN);
        if name.text().is_some_and(|text| is_known && !text.is_empty() && text != wanted) {
            let message = format!("the name should be `{wanted}`: the version and the group");
            let span = look.span(name.range());
            look.found.push(text_form::said(span, message).meant(span, &wanted));
        }
    }
    match spec.key("service") {
        Some(service) => {
            for key in ["name", "namespace"] {
                look.required(&service, key);
            }
            look.number(&service, "port", PORTS);
            if spec.is_set("insecureSkipTLSVerify") && spec.has("caBundle") {
                look.at_most_one(&spec, &["insecureSkipTLSVerify", "caBundle"]);
            }
        }
        None if spec.lacks("service") => {
            let before = look.found.len();
            let skips = spec.key("insecureSkipTLSVerify").filter(|_| spec.is_set("insecureSkipTLSVerify"));
            for field in skips.into_iter().chain(spec.key("caBundle").filter(|bundle| !bundle.is_blank())) {
                look.excluded(&field, "has a meaning beside a `service` only");
            }
            look.follows(before, &spec, &["service"]);
        }
        None => {}
    }
}

/// Priorities above it are those of the system.
const HIGHEST: i128 = 1_000_000_000;

/// `ValidatePriorityClass`
pub(super) fn priority_class(resource: &Decoded<'_>, look: &mut Look) {
    const SYSTEM: [&str; 2] = ["system-cluster-critical", "system-node-critical"];
    let Some(metadata) = resource.key("metadata") else { return };
    if metadata.text_at("name").is_some_and(|name| SYSTEM.contains(&name.as_str())) {
        return;
    }
    look.form(&metadata, "name", (|name| !name.starts_with("system-"), "a name that does not begin with `system-`"));
    look.number(resource, "value", -i128::from(i32::MAX) - 1..=HIGHEST);
}

/// `ValidateRuntimeClass`
pub(super) fn runtime_class(resource: &Decoded<'_>, look: &mut Look) {
    look.filled(resource, "handler");
    look.form(resource, "handler", LABEL);
    if let Some(overhead) = resource.key("overhead") {
        super::resources::amounts(&overhead, "podFixed", &[], look);
    }
    let Some(scheduling) = resource.key("scheduling") else { return };
    if let Some(nodes) = scheduling.key("nodeSelector") {
        super::containers::labels(&nodes, look);
    }
    for toleration in scheduling.items("tolerations") {
        tolerated(&toleration, look);
    }
}

/// `ValidateLeaseSpec`
pub(super) fn lease(spec: &Decoded<'_>, look: &mut Look) {
    look.number(spec, "leaseDurationSeconds", 1..=MOST);
    look.number(spec, "leaseTransitions", 0..=MOST);
}

/// What a certificate is used for.
const USAGES: [&str; 23] = [
    "signing",
    "digital signature",
    "content commitment",
    "key encipherment",
    "key agreement",
    "data encipherment",
    "cert sign",
    "crl sign",
    "encipher only",
    "decipher only",
    "any",
    "server auth",
    "client auth",
    "code signing",
    "email protection",
    "s/mime",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "timestamping",
    "ocsp signing",
    "microsoft sgc",
    "netscape sgc",
];

/// A signer that the first version of the API knew.
const LEGACY: &str = "kubernetes.io/legacy-unknown";

/// How many seconds a certificate is valid at least.
const LEAST: i128 = 600;

const SIGNER: TextForm = (is_signer, "a domain of at least two parts, `/` and a name, such as `example.com/serving`");

fn is_signer(text: &str) -> bool {
    text.split_once('/').is_some_and(|(domain, name)| {
        let is_name = name.split('.').all(|part| (SUBDOMAIN.0)(part));
        (SUBDOMAIN.0)(domain) && domain.contains('.') && is_name
    })
}

/// `ValidateCertificateSigningRequestCreate`
pub(super) fn signing_request(spec: &Decoded<'_>, look: &mut Look) {
    look.filled(spec, "signerName");
    look.form(spec, "signerName", SIGNER);
    look.form(
        spec,
        "signerName",
        (|name| name != LEGACY, "a signer of this version of the API, which does not have it"),
    );
    look.number(spec, "expirationSeconds", LEAST..=MOST);
    look.nonempty(spec, "usages");
    let usages = spec.items("usages");
    look.unique_items(&usages, "the usage");
    for usage in &usages {
        look.worded(usage, &USAGES);
    }
    let Some(request) = spec.key("request") else { return };
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE REQUEST-----";
    let content = request.text().and_then(|text| decode_base64(text.as_str()));
    if content.is_some_and(|content| !content.windows(BEGIN.len()).any(|part| part == BEGIN)) {
        let message = "the request is not a `CERTIFICATE REQUEST` in PEM, written in base64";
        look.found.push(text_form::said(look.span(request.range()), message));
    }
}

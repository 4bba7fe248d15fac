//! What pods and their containers may do (`ValidateSecurityContext`), and what the system of their machine knows of it.

use super::decoded::Decoded;
use super::look::{INSIDE, Look, MOST, SUBDOMAIN, TextForm};
use super::table::{Row, RowKind};
use crate::kubernetes::pods::CONTAINERS;
use crate::kubernetes::rules::{excluded_field, number_range};

/// Users and groups.
const IDS: std::ops::RangeInclusive<i128> = 0..=MOST;

const TRIMMED: TextForm = (|text| text.trim() == text, "a name without spaces around it");

const USER: TextForm = (
    is_user,
    "a user of Windows: perhaps a domain and one backslash, and up to 104 characters, none of them one of \"/\\:;|=,+*?<>@[]",
);

const OF_WINDOWS: &[Row] = &[
    (&["windowsOptions"], &["runAsUserName", "gmsaCredentialSpec"], RowKind::Filled),
    (&["windowsOptions"], &["runAsUserName"], RowKind::Like(USER)),
    (&["windowsOptions"], &["gmsaCredentialSpecName"], RowKind::Like(SUBDOMAIN)),
];

fn is_user(text: &str) -> bool {
    let user = text.split_once('\\').map_or(text, |(_, user)| user);
    let is_refused = |c: char| c.is_control() || "\"/\\:;|=,+*?<>@[]".contains(c);
    (1..=104).contains(&user.len()) && !user.contains(is_refused) && !user.trim_matches(['.', ' ']).is_empty()
}

/// What the security contexts of pods and containers have in common.
fn identities(context: &Decoded<'_>, look: &mut Look) {
    look.numbers(context, &["runAsUser", "runAsGroup", "fsGroup"], &IDS);
    for group in context.items("supplementalGroups") {
        if let Some(number) = group.int().filter(|number| !IDS.contains(number)) {
            look.found.push(number_range::finding(look.span(group.range()), "supplementalGroups", number, &IDS));
        }
    }
    look.rows(context, OF_WINDOWS);
    for key in ["seccompProfile", "appArmorProfile"] {
        let Some(profile) = context.key(key) else { continue };
        match profile.text_at("type").as_deref() {
            Some("Localhost") => look.required(&profile, "localhostProfile"),
            Some("RuntimeDefault" | "Unconfined") => {
                if let Some(local) = profile.key("localhostProfile") {
                    look.excluded(&local, "has a meaning with the type `Localhost` only");
                }
            }
            _ => {}
        }
        look.form(&profile, "localhostProfile", if key == "seccompProfile" { INSIDE } else { TRIMMED });
    }
}

pub(super) fn container(context: &Decoded<'_>, look: &mut Look) {
    identities(context, look);
    if !context.is_unset("allowPrivilegeEscalation") {
        return;
    }
    let Some(refused) = context.key("allowPrivilegeEscalation") else { return };
    if context.is_set("privileged") {
        look.excluded(&refused, "cannot be false in a privileged container");
    }
    let added = context.below(&["capabilities", "add"]).map(|added| added.all()).unwrap_or_default();
    if added.iter().any(|capability| capability.text().is_some_and(|text| text == "CAP_SYS_ADMIN")) {
        look.excluded(&refused, "cannot be false in a container with `CAP_SYS_ADMIN`");
    }
}

/// Settings of the kernel that belong to a namespace, by the beginning of their names.
const OF_NETWORK: &str = "net.";
const OF_PROCESSES: [&str; 3] = ["kernel.shm", "kernel.msg", "fs.mqueue."];

const SETTING: TextForm =
    (is_setting, "up to 253 lower-case letters, digits, `-` and `_`, in parts with `.` or `/` between them");

fn is_setting(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_allowed = |c: char| is_end(c) || matches!(c, '-' | '_');
    let is_part = |part: &str| part.starts_with(is_end) && part.ends_with(is_end) && part.chars().all(is_allowed);
    text.len() <= 253 && text.split(['.', '/']).all(is_part)
}

/// The context of a pod (`validatePodSpecSecurityContext`).
pub(super) fn pod(spec: &Decoded<'_>, look: &mut Look) {
    let Some(context) = spec.key("securityContext") else { return };
    identities(&context, look);
    let settings = context.items("sysctls");
    look.unique_at(&settings, "name", "the setting");
    for field in settings.iter().filter_map(|setting| setting.key("name")) {
        look.formed(&field, SETTING);
        let Some(name) = field.text().map(|name| name.replace('/', ".")) else { continue };
        let shared = if name.starts_with(OF_NETWORK) {
            "hostNetwork"
        } else if name == "kernel.sem" || OF_PROCESSES.iter().any(|begin| name.starts_with(begin)) {
            "hostIPC"
        } else {
            continue;
        };
        if spec.is_set(shared) {
            let message = format!("`{name}` cannot be set where `{shared}` is true: it would be set for the host");
            look.found.push(excluded_field::finding(look.span(field.range()), message));
        }
    }
}

/// Processes of the host on Windows (`validateWindowsHostProcessPod`): either all containers are, or none, and they are in the
/// network of the host.
fn host_processes(spec: &Decoded<'_>, look: &mut Look) {
    const OPTIONS: [&str; 2] = ["securityContext", "windowsOptions"];
    let (own, containers) = (spec.below(&OPTIONS), CONTAINERS.iter().flat_map(|key| spec.items(key)));
    let of_pod = own.as_ref().and_then(|own| own.key(HOST_PROCESS));
    let pods_is_set = own.as_ref().is_some_and(|own| own.is_set(HOST_PROCESS));
    let (mut first, mut lacking) = (of_pod.clone().filter(|_| pods_is_set), None);
    for container in containers {
        let options = container.below(&OPTIONS);
        let written = options.as_ref().and_then(|options| options.key(HOST_PROCESS));
        let is_set = options.as_ref().is_some_and(|options| options.is_set(HOST_PROCESS));
        let is_unset = options.as_ref().is_some_and(|options| options.is_unset(HOST_PROCESS));
        match written {
            Some(field) if is_set => first = first.or(Some(field)),
            Some(field) if is_unset => lacking = lacking.or(Some(field)),
            Some(_) => return,
            // What the pod says counts for all that say nothing.
            None if pods_is_set => {}
            None => lacking = lacking.or(Some(container)),
        }
    }
    let is_known = of_pod.is_none() || pods_is_set || own.as_ref().is_some_and(|own| own.is_unset(HOST_PROCESS));
    let Some(first) = first.filter(|_| is_known) else { return };
    if let Some(other) = lacking {
        let message = "either all containers of a pod are processes of the host, or none is";
        let finding = excluded_field::finding(look.span(other.place()), message.to_owned());
        look.found.push(finding.related(look.span(first.place()), "`hostProcess` is true here"));
    }
    if spec.lacks(HOST_NETWORK) || spec.is_unset(HOST_NETWORK) {
        let before = look.found.len();
        look.excluded(&first, "has a meaning beside `hostNetwork: true` only");
        look.follows(before, spec, &[HOST_NETWORK]);
    }
}

const HOST_PROCESS: &str = "hostProcess";
const HOST_NETWORK: &str = "hostNetwork";

/// What the context of a pod and the pod itself cannot have on Windows.
const OF_LINUX_PODS: [&[&str]; 14] = [
    &["hostUsers"],
    &["hostPID"],
    &["hostIPC"],
    &["shareProcessNamespace"],
    &["securityContext", "appArmorProfile"],
    &["securityContext", "seLinuxOptions"],
    &["securityContext", "seccompProfile"],
    &["securityContext", "fsGroup"],
    &["securityContext", "fsGroupChangePolicy"],
    &["securityContext", "sysctls"],
    &["securityContext", "runAsUser"],
    &["securityContext", "runAsGroup"],
    &["securityContext", "supplementalGroups"],
    &["securityContext", "supplementalGroupsPolicy"],
];

/// What the context of a container cannot have on Windows.
const OF_LINUX_CONTAINERS: [&str; 10] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];

/// What the system that a pod names does not know (`validateLinux`, `validateWindows`).
pub(super) fn system(spec: &Decoded<'_>, look: &mut Look) {
    host_processes(spec, look);
    let Some(os) = spec.key("os") else { return };
    look.filled(&os, "name");
    let containers = ["containers", "initContainers"].iter().flat_map(|key| spec.items(key));
    let contexts: Vec<Decoded<'_>> = containers.filter_map(|container| container.key("securityContext")).collect();
    match os.text_at("name").as_deref() {
        Some("linux") => {
            for context in spec.key("securityContext").iter().chain(&contexts) {
                if let Some(field) = context.key("windowsOptions") {
                    look.excluded(&field, "has no place in a pod whose `os` is `linux`");
                }
            }
        }
        Some("windows") => {
            let is_false = |way: &[&str]| way.len() == 1 && way[0].starts_with("host") && way[0] != "hostUsers";
            let of_pods = OF_LINUX_PODS
                .iter()
                .filter_map(|way| spec.below(way).filter(|_| !is_false(way) || spec.is_set(way[0])));
            let of_containers =
                contexts.iter().flat_map(|own| OF_LINUX_CONTAINERS.iter().filter_map(|key| own.key(key)));
            for field in of_pods.chain(of_containers) {
                look.excluded(&field, "has no place in a pod whose `os` is `windows`");
            }
        }
        _ => {}
    }
}

use crate::kubernetes::neighbours::{Beside, Selected};
use crate::kubernetes::pods::{Declared, Written};
use lofting_diagnostic::suggest::nearest;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};

rule! {
    /// # The name of a port that does not exist
    ///
    /// ## What
    /// A probe or an event of a container names a port that the container does not declare, or a service has a `targetPort`
    /// that none of the pods it selects declares. Services are compared with the workloads in the same file.
    ///
    /// ## Why
    /// The API server accepts it, but the probe fails, or the service reaches nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     ports:
    ///     - name: http
    ///       containerPort: 8080
    ///     readinessProbe:
    ///       httpGet:
    ///         path: /
    ///         port: htpt
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or give the port this name.
    pub static RULE: Rule = Rule {
        code: "kubernetes/missing-port",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(in crate::kubernetes) fn look(beside: &Beside<'_>, found: &mut Vec<Diagnostic>) {
    let containers = beside.workloads.iter().flat_map(|workload| &workload.pods.containers);
    for container in containers.filter(|container| container.is_whole) {
        let used = container.uses.iter();
        found.extend(used.filter_map(|port| missing(beside, port, &container.ports, "the container has")));
    }
    for selected in beside.services.iter().filter_map(|service| beside.selected(service)) {
        target_ports(beside, &selected, found);
    }
}

/// The ports of the pods that a service calls.
fn target_ports(beside: &Beside<'_>, selected: &Selected<'_, '_>, found: &mut Vec<Diagnostic>) {
    if selected.workloads.is_empty() {
        return;
    }
    let mut ports = Declared::default();
    for container in selected.workloads.iter().flat_map(|workload| &workload.pods.containers) {
        ports.is_partial |= container.ports.is_partial;
        ports.names.extend(container.ports.names.iter().cloned());
    }
    for port in selected.spec.key("ports").map(|ports| ports.items()).unwrap_or_default() {
        let target = port.key("targetPort").and_then(|target| Written::of(&target));
        found.extend(target.and_then(|port| missing(beside, &port, &ports, "the pods that are selected have")));
    }
}

/// `whose` says which ports there are, as the beginning of a sentence.
fn missing(beside: &Beside<'_>, port: &Written, declared: &Declared, whose: &str) -> Option<Diagnostic> {
    if !declared.lacks(port) {
        return None;
    }
    let span = beside.span(port.at.clone());
    let finding = Diagnostic::new(&RULE, span, format!("{whose} no port `{}`", port.name));
    Some(match nearest(&port.name, declared.names.iter().map(|port| port.name.as_str())) {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    })
}

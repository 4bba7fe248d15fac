use crate::kubernetes::pods::{Ports, Written, lack};
use crate::kubernetes::validation::is_port_name;
use crate::kubernetes::workloads::Workload;
use lofting_diagnostic::suggest::Searches;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

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
        cause: Cause::NameGiven,
    };
}

pub(in crate::kubernetes) fn look(workload: &Workload<'_, '_>, found: &mut Vec<Diagnostic>) {
    for container in workload.pods.containers.iter().filter(|container| container.is_whole) {
        let ports = Ports::of([container]);
        let (used, mut searches) = (container.uses.iter(), Searches::default());
        let none = container.beside.clone().filter(|_| ports.names.is_empty()).map(|beside| workload.span(beside));
        found.extend(used.filter_map(|port| {
            let finding = missing(port, workload.span(port.at.clone()), &ports, "the container has", &mut searches)?;
            Some(Diagnostic { lack: none.and_then(|beside| lack(Some(beside), &["ports"], false)), ..finding })
        }));
    }
}

/// A port of the pods that a service calls.
pub(in crate::kubernetes) fn of_service(
    target: &Written,
    span: Span,
    ports: &Ports,
    searches: &mut Searches,
) -> Option<Diagnostic> {
    missing(target, span, ports, "the pods that are selected have", searches)
}

/// `whose` says which ports there are, as the beginning of a sentence.
fn missing(port: &Written, span: Span, declared: &Ports, whose: &str, searches: &mut Searches) -> Option<Diagnostic> {
    // What cannot be a name is reported as such.
    if !declared.lack(port) || !is_port_name(&port.name) {
        return None;
    }
    let finding = Diagnostic::new(&RULE, span, format!("{whose} no port `{}`", port.name));
    Some(match searches.nearest(&port.name, declared.names.iter().map(|name| name.as_str())) {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    })
}

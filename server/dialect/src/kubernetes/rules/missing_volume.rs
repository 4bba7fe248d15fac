use crate::kubernetes::pods::lack;
use crate::kubernetes::workloads::Workload;
use lofting_diagnostic::suggest::Searches;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};

rule! {
    /// # A mount of a volume that the pod does not have
    ///
    /// ## What
    /// A container mounts a volume that is in neither `volumes` nor, in a `StatefulSet`, `volumeClaimTemplates`. Containers
    /// without an `image` are not looked at: they are parts of patches.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   volumes:
    ///   - name: cargo
    ///     emptyDir: {}
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     volumeMounts:
    ///     - name: cagro
    ///       mountPath: /cargo
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or add the volume.
    pub static RULE: Rule = Rule {
        code: "kubernetes/missing-volume",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::NameGiven,
    };
}

pub(in crate::kubernetes) fn look(workload: &Workload<'_, '_>, found: &mut Vec<Diagnostic>) {
    let (pods, mut searches) = (&workload.pods, Searches::default());
    let keys: &[&str] = if pods.has_claims { &["volumes", "volumeClaimTemplates"] } else { &["volumes"] };
    for container in pods.containers.iter().filter(|container| container.is_whole) {
        for mount in container.mounts.iter().filter(|mount| pods.volumes.lacks(mount)) {
            let span = workload.span(mount.at.clone());
            let finding = Diagnostic::new(&RULE, span, format!("the pod has no volume `{}`", mount.name));
            let none = pods.beside.clone().filter(|_| pods.volumes.names.is_empty());
            let lack = none.and_then(|beside| lack(Some(workload.span(beside)), keys, false));
            let finding = Diagnostic { lack, ..finding };
            let volumes = pods.volumes.names.iter().map(|volume| volume.name.as_str());
            found.push(match searches.nearest(&mount.name, volumes) {
                Some(meant) => finding.meant(span, meant),
                None => finding,
            });
        }
    }
}

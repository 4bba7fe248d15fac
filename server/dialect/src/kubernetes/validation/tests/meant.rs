//! What was most likely meant by a mistake, and how it is changed.

use super::{accept, look, of, refuse};
use crate::kubernetes::SEMANTICS;
use crate::resources::resources;
use lofting_document::FileId;

/// The message, the help, and the text after the fix of the only finding in a changed resource.
fn fixed(kind: &str, right: &str, wrong: &str) -> (String, String, String) {
    assert!(of(kind).contains(right), "{kind}: {right}");
    let text = of(kind).replacen(right, wrong, 1);
    let (tree, mut found) = (lofting_syntax::parse(&text), Vec::new());
    resources(&tree, SEMANTICS.profile).iter().for_each(|resource| look(resource, FileId(0), &mut found));
    let [finding] = &found[..] else { panic!("{kind}: {wrong}: {found:?}") };
    let mut fixed = text.clone();
    for (span, new) in finding.fixes.first().into_iter().flat_map(|fix| &fix.edits) {
        fixed.replace_range(span.range(), new);
    }
    (finding.message.to_string(), finding.help.as_deref().unwrap_or_default().to_owned(), fixed)
}

/// Changes of accepted resources, each with what the fix makes of the wrong text.
fn change(changes: &[(&str, &str, &str, &str)]) {
    for (kind, right, wrong, meant) in changes {
        let (message, _, fixed) = fixed(kind, right, wrong);
        assert_eq!(fixed, of(kind).replacen(right, meant, 1), "{kind}: {wrong}: {message}");
    }
}

#[test]
fn quotes_make_strings_of_numbers() {
    change(&[
        ("Service", "targetPort: web", "targetPort: '8080'", "targetPort: 8080"),
        ("NetworkPolicy", "{port: http}", "{port: \"5432\"}", "{port: 5432}"),
        ("PodDisruptionBudget", "minAvailable: 50%", "minAvailable: \"50\"", "minAvailable: 50"),
        ("Deployment", "maxSurge: 25%", "maxSurge: \"1\"", "maxSurge: 1"),
        ("Pod", "httpGet: {port: http}", "httpGet: {port: \"80\"}", "httpGet: {port: 80}"),
    ]);
    let (message, help, _) = fixed("Service", "targetPort: web", "targetPort: '8080'");
    assert_eq!(message, "`8080` is a string because of its quotes, but `targetPort` should be an integer here");
    assert_eq!(help, "remove the quotes");
}

#[test]
fn units_are_those_that_were_meant() {
    let of_limits = |text: &str| fixed("LimitRange", "memory: 2Gi", &format!("memory: {text}"));
    for (wrong, meant) in [
        ("512MB", "512M"),
        ("500mb", "500M"),
        ("64mi", "64Mi"),
        ("1gi", "1Gi"),
        ("512MiB", "512Mi"),
        ("100K", "100k"),
        ("1.5GB", "1.5G"),
        ("'1 Gi'", "'1Gi'"),
        ("'500 m'", "'500m'"),
    ] {
        let right = of("LimitRange").replacen("memory: 2Gi", &format!("memory: {meant}"), 1);
        assert_eq!(of_limits(wrong).2, right, "{wrong}");
    }
    for unknown in ["512MM", "'2,5Gi'", "1x"] {
        assert_eq!(of_limits(unknown).1, "", "{unknown}");
    }
    // A million processors are never meant.
    for (wrong, meant) in [("100mi", "100m"), ("'100 Mi'", "'100m'"), ("250MB", "250m"), ("'500 m'", "'500m'")] {
        change(&[(
            "LimitRange",
            "default: {cpu: 500m}",
            &format!("default: {{cpu: {wrong}}}"),
            &format!("default: {{cpu: {meant}}}"),
        )]);
    }
    assert_eq!(fixed("LimitRange", "default: {cpu: 500m}", "default: {cpu: 2gi}").1, "");
}

#[test]
fn modes_are_octal() {
    change(&[("Pod", "defaultMode: 0400", "defaultMode: 755", "defaultMode: 0755")]);
    assert_eq!(fixed("Pod", "defaultMode: 0400", "defaultMode: 999").1, "");
}

#[test]
fn devices_are_no_misspelt_processors() {
    let (_, help, _) = fixed("LimitRange", "default: {cpu: 500m}", "default: {gpu: 1}");
    assert_eq!(help, "devices have a domain before their name, such as `nvidia.com/gpu`");
    change(&[("LimitRange", "max: {cpu: '2', memory", "max: {cpu: '2', memroy", "max: {cpu: '2', memory")]);
}

#[test]
fn plain_text_has_a_map_of_its_own() {
    for (kind, right, wrong, place, plain) in [
        ("Secret", "tls.crt: aGk=", "tls.crt: 'hunter2!'", "`tls.crt` is not Base64", "`stringData`"),
        ("ConfigMap", "picture.png: aGk=", "picture.png: hello", "`picture.png` is not Base64", "`data`"),
    ] {
        let (message, help, _) = fixed(kind, right, wrong);
        assert!(message.starts_with(place), "{message}");
        assert_eq!(help, format!("plain text belongs in {plain}"));
    }
    change(&[("Secret", "tls.crt: aGk=", "tls.crt: 'hi!'", "tls.crt: aGkh")]);
    accept(&[
        ("Secret", "tls.crt: aGk=", "tls.crt: |\n    YUdr\n    YUdr"),
        ("Secret", "tls.crt: aGk=", "tls.crt: ''"),
        ("Secret", "tls.crt: aGk=", "tls.crt: a+/="),
    ]);
}

#[test]
fn what_types_of_limits_are_meant() {
    change(&[("LimitRange", "type: Container", "type: container", "type: Container")]);
    change(&[(
        "ValidatingWebhookConfiguration",
        "operations: [CREATE]",
        "operations: [create]",
        "operations: [CREATE]",
    )]);
}

#[test]
fn addresses_are_of_the_versions_that_are_asked_for() {
    let families = "type: ClusterIP\n  clusterIP: ''";
    let written = |more: &str| format!("type: ClusterIP\n  {more}");
    for (more, place) in [
        ("clusterIP: 10.0.0.1\n  ipFamilies: [IPv6]", "10.0.0.1"),
        ("clusterIP: 'fd00::1'\n  ipFamilies: [IPv4, IPv6]\n  ipFamilyPolicy: PreferDualStack", "fd00::1"),
    ] {
        refuse(&[("Service", families, &written(more), "text-form", place)]);
    }
    for (more, place) in [
        ("ipFamilyPolicy: SingleStack\n  ipFamilies: [IPv4, IPv6]", "ipFamilies"),
        ("ipFamilyPolicy: SingleStack\n  clusterIP: 10.0.0.1\n  clusterIPs: [10.0.0.1, 'fd00::1']", "clusterIPs"),
    ] {
        refuse(&[("Service", families, &written(more), "excluded-field", place)]);
    }
    for more in [
        "clusterIP: 10.0.0.1\n  ipFamilies: [IPv4, IPv6]\n  ipFamilyPolicy: RequireDualStack",
        "clusterIP: None\n  ipFamilies: [IPv6]",
        "clusterIP: ''\n  ipFamilies: [IPv6]\n  ipFamilyPolicy: SingleStack",
        "clusterIP: ${IP}\n  ipFamilies: [IPv6]",
    ] {
        accept(&[("Service", families, &written(more))]);
    }
}

#[test]
fn processes_of_the_host_are_in_its_network() {
    let right = "  securityContext: {runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}";
    let of_pod = "  securityContext: {windowsOptions: {hostProcess: true}}";
    let pods = "PodTemplate";
    let image = "image: crew:1";
    let own = "image: crew:1, securityContext: {windowsOptions: {hostProcess: true}}";
    refuse(&[
        ("Pod", right, of_pod, "excluded-field", "hostProcess"),
        (pods, image, own, "excluded-field", "hostProcess"),
    ]);
    let other = "image: crew:1}, {name: b, image: a";
    let mixed = format!("{own}}}, {{name: b, image: a");
    let on = |spec: &str| spec.replacen("spec: {", "spec: {hostNetwork: true, ", 1);
    let template = of(pods);
    assert!(on(template).contains("hostNetwork"), "{template}");
    let found = |text: &str| super::said(text);
    assert_eq!(found(&on(&template.replacen(image, own, 1))), []);
    assert_eq!(found(&on(&template.replacen(image, other, 1))), []);
    assert_eq!(found(&on(&template.replacen(image, &mixed, 1))), [("excluded-field", "name".to_owned())]);
}

#[test]
fn one_metric_of_another_type_is_one_mistake() {
    refuse(&[(
        "HorizontalPodAutoscaler",
        "resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}",
        "pods: {metric: {name: a}, target: {type: AverageValue, averageValue: 1}}",
        "excluded-field",
        "pods",
    )]);
}

#[test]
fn templates_have_pods() {
    let text = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec:\n  serviceName: a\n  selector: {matchLabels: \
                {a: b}}\n  template: {metadata: {labels: {a: b}}}\n";
    assert_eq!(super::said(text), [("required-field", "template".to_owned())]);
    // Patches have no selector.
    assert_eq!(super::said(&text.replace("  selector: {matchLabels: {a: b}}\n", "")), []);
}

//! What the server refuses of a resource, beside what it accepts of the same field.

use super::{of, said};

type Found = Vec<(&'static str, String)>;

fn pod(spec: &str) -> Found {
    said(&format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers: [{{name: a, image: a}}]\n  {spec}\n"
    ))
}

fn container(own: &str) -> Found {
    said(&format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  volumes: [{{name: v}}, {{name: c, persistentVolumeClaim: {{claimName: c}}}}]\n  containers: [{{name: a, image: a, {own}}}]\n"
    ))
}

fn service(spec: &str) -> Found {
    said(&format!("apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  ports: [{{port: 80}}]\n  {spec}\n"))
}

fn job(spec: &str) -> Found {
    said(&format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  {spec}\n  template: {{spec: {{restartPolicy: Never, containers: [{{name: a, image: a}}]}}}}\n"
    ))
}

fn scaler(metric: &str) -> Found {
    said(&format!(
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: a}}\nspec:\n  scaleTargetRef: {{kind: Deployment, name: a}}\n  maxReplicas: 2\n  metrics: [{{{metric}}}]\n"
    ))
}

/// Texts that are accepted, and texts with the one finding in them.
fn compare(found: fn(&str) -> Found, accepted: &[&str], refused: &[(&str, &'static str, &str)]) {
    for text in accepted {
        assert_eq!(found(text), [], "{text}");
    }
    for (text, code, place) in refused {
        assert_eq!(found(text), [(*code, (*place).to_owned())], "{text}");
    }
}

#[test]
fn names_that_pods_search_and_settings_of_the_kernel() {
    let most = ["a"; 32].join(", ");
    let affinity = |term: &str| {
        format!(
            "affinity: {{podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: a, {term}}}]}}}}"
        )
    };
    let terms = |term: &str| {
        format!(
            "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{{term}}}]}}}}}}"
        )
    };
    compare(
        pod,
        &[
            "dnsConfig: {nameservers: [10.0.0.1, 010.0.0.2, 'fd00::1'], searches: [., a_b.c, d.e.], options: [{name: a}]}",
            &format!("dnsConfig: {{searches: [{most}]}}"),
            "securityContext: {supplementalGroups: [0, 2147483647], sysctls: [{name: net/ipv4/a-b.c_d, value: a}]}",
            "securityContext: {windowsOptions: {runAsUserName: 'NT AUTHORITY\\LOCAL SERVICE'}}",
            "os: {name: linux}",
            "os: {name: windows}\n  hostPID: false\n  securityContext: {windowsOptions: {runAsUserName: a}}",
            "resourceClaims: [{name: a, resourceClaimName: b}]",
            "terminationGracePeriodSeconds: 60\n  initContainers: [{name: b, image: b, restartPolicy: Always, lifecycle: {preStop: {sleep: {seconds: 60}}}}]",
            "schedulingGates: [{name: example.com/a}, {name: b}]",
            "hostUsers: false\n  hostNetwork: true",
            "overhead: {cpu: 250m, memory: 64Mi}",
            "initContainers: [{name: b, image: b, ports: [{containerPort: 1, hostPort: 1}]}, {name: c, image: c, ports: [{containerPort: 1, hostPort: 1}]}]",
            &affinity("labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a], mismatchLabelKeys: [b]"),
            &terms("matchFields: [{key: metadata.name, operator: In, values: [a]}]"),
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: DoNotSchedule}]",
        ],
        &[
            ("dnsConfig: {nameservers: [10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4]}", "number-range", "nameservers"),
            (&format!("dnsConfig: {{searches: [{most}, a]}}"), "number-range", "searches"),
            (
                &format!("dnsConfig: {{searches: [{}]}}", ["a"; 25].map(|a| a.repeat(100)).join(", ")),
                "number-range",
                "searches",
            ),
            ("dnsConfig: {searches: [a b]}", "text-form", "a b"),
            ("dnsConfig: {options: [{value: a}]}", "required-field", "value"),
            ("securityContext: {supplementalGroups: [-1]}", "number-range", "-1"),
            ("securityContext: {sysctls: [{name: _a, value: b}]}", "text-form", "_a"),
            ("securityContext: {sysctls: [{name: a.b, value: c}, {name: a.b, value: d}]}", "repeated-name", "a.b"),
            (
                "hostNetwork: true\n  securityContext: {sysctls: [{name: net/core/somaxconn, value: a}]}",
                "excluded-field",
                "net/core/somaxconn",
            ),
            ("securityContext: {windowsOptions: {runAsUserName: 'a\\b\\c'}}", "text-form", "a\\b\\c"),
            ("securityContext: {appArmorProfile: {type: Localhost, localhostProfile: ' a'}}", "text-form", " a"),
            ("os: {name: linux}\n  securityContext: {windowsOptions: {}}", "excluded-field", "windowsOptions"),
            ("os: {name: windows}\n  hostPID: true", "excluded-field", "hostPID"),
            ("os: {name: windows}\n  securityContext: {fsGroup: 1}", "excluded-field", "fsGroup"),
            ("hostUsers: false\n  hostPID: true", "excluded-field", "hostPID"),
            ("resourceClaims: [{name: a}]", "required-field", "name"),
            ("schedulingGates: [{name: a}]\n  nodeName: a", "excluded-field", "nodeName"),
            ("schedulingGates: [{name: a}, {name: a}]", "repeated-name", "a"),
            ("overhead: {memroy: 1}", "text-form", "memroy"),
            ("ephemeralContainers: [{name: b, image: b}]", "excluded-field", "ephemeralContainers"),
            (
                "initContainers: [{name: b, image: b, ports: [{containerPort: 1, hostPort: 1}, {containerPort: 2, hostPort: 1}]}]",
                "repeated-name",
                "1",
            ),
            ("initContainers: [{name: a, image: b}]", "repeated-name", "a"),
            (&terms("matchFields: [{key: metadata.name, operator: In}]"), "required-field", "key"),
            (&affinity("matchLabelKeys: [a]"), "excluded-field", "matchLabelKeys"),
            (&affinity("labelSelector: {}, matchLabelKeys: [x], mismatchLabelKeys: [x]"), "excluded-field", "x"),
            (&terms("matchFields: [{key: metadata.name, operator: In, values: [c, d]}]"), "excluded-field", "values"),
            (
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}, matchLabelKeys: [a]}]",
                "excluded-field",
                "a",
            ),
        ],
    );
}

#[test]
fn what_containers_mount_and_ask_for() {
    compare(
        container,
        &[
            "volumeMounts: [{name: v, mountPath: /a, readOnly: true, recursiveReadOnly: Enabled}]",
            "volumeMounts: [{name: v, mountPath: /a}], volumeDevices: [{name: c, devicePath: /b}]",
            "env: [{name: a, valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: '0'}}}]",
            "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Gi}}}]",
            "envFrom: [{prefix: a.b-c, secretRef: {name: a}}]",
            "resources: {limits: {example.com/a: '1', hugepages-2Mi: 4Mi, kubernetes.io/b: 500m}}",
            "resources: {limits: {example.com/a: 2k, cpu: 0.5}}",
            "lifecycle: {preStop: {sleep: {seconds: 30}}}",
        ],
        &[
            (
                "volumeMounts: [{name: v, mountPath: /a, recursiveReadOnly: Enabled}]",
                "excluded-field",
                "recursiveReadOnly",
            ),
            (
                "volumeMounts: [{name: c, mountPath: /a}], volumeDevices: [{name: c, devicePath: /b}]",
                "excluded-field",
                "c",
            ),
            (
                "volumeMounts: [{name: v, mountPath: /b}], volumeDevices: [{name: c, devicePath: /b}]",
                "excluded-field",
                "/b",
            ),
            ("env: [{name: a, valueFrom: {fieldRef: {fieldPath: ''}}}]", "required-field", "''"),
            (
                "env: [{name: a, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['x y']\"}}}]",
                "text-form",
                "metadata.labels['x y']",
            ),
            ("env: [{name: a, valueFrom: {resourceFieldRef: {resource: cpu}}}]", "text-form", "cpu"),
            (
                "env: [{name: a, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 2Mi}}}]",
                "text-form",
                "2Mi",
            ),
            ("env: [{name: a, valueFrom: {secretKeyRef: {name: A_B, key: c}}}]", "text-form", "A_B"),
            ("envFrom: [{prefix: a=, secretRef: {name: a}}]", "text-form", "a="),
            ("envFrom: [{configMapRef: {name: A_B}}]", "text-form", "A_B"),
            ("resources: {limits: {example.com/a: 500m}}", "number-range", "500m"),
            ("resources: {limits: {example.com/a: 1.5}}", "number-range", "1.5"),
            ("resources: {limits: {hugepages-2Mi: 3Mi, cpu: 1}}", "number-range", "3Mi"),
            ("resources: {limits: {requests.example.com/a: 1}}", "text-form", "requests.example.com/a"),
            ("lifecycle: {preStop: {sleep: {seconds: 31}}}", "number-range", "31"),
            ("lifecycle: {preStop: {httpGet: {port: ''}}}", "required-field", "''"),
            ("resources: {claims: [{name: x}]}", "text-form", "x"),
            ("volumeDevices: [{name: v, devicePath: /b}]", "excluded-field", "v"),
            ("resources: {requests: {example.com/a: 500m}, limits: {example.com/a: 500m}}", "number-range", "500m"),
            (
                "resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: cpu, restartPolicy: RestartContainer}]",
                "repeated-name",
                "cpu",
            ),
        ],
    );
    // Without a selector and an image it is a patch.
    let patch = "spec: {template: {spec: {containers: [{name: a, resources: {claims: [{name: x}], limits: {hugepages-2Mi: 2Mi}}, lifecycle: {preStop: {sleep: {seconds: 99}}}}]}}}";
    assert_eq!(said(&format!("apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\n{patch}\n")), []);
    let huge = of("Deployment").replace("image: crew:1", "image: crew:1, resources: {limits: {hugepages-2Mi: 2Mi}}");
    assert_eq!(said(&huge), [("excluded-field", "hugepages-2Mi".to_owned())]);
    assert_eq!(said(&of("Pod").replace("image: first:1", "image: ' first:1'")), [("text-form", " first:1".to_owned())]);
}

#[test]
fn how_services_are_reached() {
    compare(
        service,
        &[
            "type: LoadBalancer\n  externalTrafficPolicy: Local\n  healthCheckNodePort: 30000\n  loadBalancerClass: a.b/c",
            "clusterIP: 10.0.0.1\n  clusterIPs: [10.0.0.1, 'fd00::1']\n  ipFamilies: [IPv4, IPv6]",
            "clusterIP: None\n  clusterIPs: [None]\n  ipFamilies: [IPv6]",
            "externalIPs: [10.0.0.1]\n  externalTrafficPolicy: Cluster",
            "type: NodePort\n  healthCheckNodePort: 0",
        ],
        &[
            ("type: NodePort\n  healthCheckNodePort: 30000", "excluded-field", "healthCheckNodePort"),
            ("type: LoadBalancer\n  loadBalancerClass: a/b/c", "text-form", "a/b/c"),
            ("externalIPs: [127.0.0.1]", "text-form", "127.0.0.1"),
            ("externalIPs: ['::']", "text-form", "::"),
            ("clusterIP: 10.0.0.1\n  clusterIPs: [10.0.0.2]", "text-form", "clusterIPs"),
            ("clusterIPs: [10.0.0.2]", "excluded-field", "clusterIPs"),
            ("clusterIP: 10.0.0.1\n  clusterIPs: [10.0.0.1, 10.0.0.2]", "excluded-field", "clusterIPs"),
            ("clusterIP: None\n  clusterIPs: [None, 10.0.0.2]", "excluded-field", "clusterIPs"),
            ("clusterIP: 10.0.0.1\n  clusterIPs: [10.0.0.1]\n  ipFamilies: [IPv6]", "text-form", "10.0.0.1"),
            ("ipFamilies: [IPv4, IPv4]", "repeated-name", "IPv4"),
            (
                "type: ExternalName\n  externalName: a\n  ipFamilyPolicy: SingleStack",
                "excluded-field",
                "ipFamilyPolicy",
            ),
            (
                "type: ExternalName\n  externalName: a\n  externalTrafficPolicy: Local",
                "excluded-field",
                "externalTrafficPolicy",
            ),
        ],
    );
    let annotated = |kind: &str, ranges: &str| {
        said(&format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: a, annotations: {{service.beta.kubernetes.io/load-balancer-source-ranges: '{ranges}'}}}}\nspec: {{type: {kind}, ports: [{{port: 80}}]}}\n"
        ))
    };
    assert_eq!(annotated("LoadBalancer", "10.0.0.0/8, 10.1.0.0/16"), []);
    assert_eq!(annotated("LoadBalancer", "boats"), [("text-form", "boats".to_owned())]);
    assert_eq!(annotated("NodePort", "10.0.0.0/8").len(), 1);
}

#[test]
fn jobs_whose_pods_are_numbered_and_their_failures() {
    let numbered = "completionMode: Indexed\n  completions: 5\n  parallelism: 5\n  ";
    let success = |rule: &str| format!("{numbered}successPolicy: {{rules: [{{{rule}}}]}}");
    let codes = |codes: &str| format!("podFailurePolicy: {{rules: [{{action: FailJob, onExitCodes: {{{codes}}}}}]}}");
    compare(
        job,
        &[
            &success("succeededIndexes: '0,2-4', succeededCount: 4"),
            &success("succeededCount: 5"),
            &codes("operator: In, values: [1, 2, 40], containerName: a"),
            "managedBy: example.com/own",
            &format!("{numbered}backoffLimitPerIndex: 1\n  maxFailedIndexes: 5"),
        ],
        &[
            (&success("succeededIndexes: 2-1"), "text-form", "2-1"),
            (&success("succeededIndexes: 0-5"), "text-form", "0-5"),
            (&success("succeededIndexes: '0,2-4', succeededCount: 5"), "number-range", "5"),
            (&success("succeededCount: 6"), "number-range", "6"),
            (&format!("{numbered}successPolicy: {{rules: []}}"), "required-field", "[]"),
            (&codes("operator: In, values: [1, 3, 2]"), "number-range", "2"),
            (&codes("operator: In, values: [1, 3, 3]"), "repeated-name", "3"),
            (&codes("operator: In, values: [1], containerName: x"), "text-form", "x"),
            ("managedBy: own", "text-form", "own"),
            (&format!("{numbered}backoffLimitPerIndex: 1\n  maxFailedIndexes: 6"), "number-range", "6"),
            ("completionMode: Indexed\n  completions: 5\n  parallelism: 100001", "number-range", "100001"),
            (
                &format!("podReplacementPolicy: TerminatingOrFailed\n  {}", codes("operator: In, values: [1]")),
                "excluded-field",
                "podReplacementPolicy",
            ),
        ],
    );
    let named = job("completionMode: Indexed\n  completions: 5");
    assert_eq!(named, []);
    let long = "a".repeat(62);
    let text = format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {long}}}\nspec: {{completionMode: Indexed, completions: 5, template: {{spec: {{restartPolicy: Never, containers: [{{name: a, image: a}}]}}}}}}\n"
    );
    assert_eq!(said(&text), [("text-form", long)]);
}

#[test]
fn targets_of_metrics() {
    let object = |target: &str| {
        format!(
            "type: Object, object: {{describedObject: {{kind: Service, name: a}}, metric: {{name: m}}, target: {target}}}"
        )
    };
    let external = |target: &str| format!("type: External, external: {{metric: {{name: m}}, target: {target}}}");
    let pods = |target: &str| format!("type: Pods, pods: {{metric: {{name: m}}, target: {target}}}");
    compare(
        scaler,
        &[
            &object("{type: Value, value: 1, averageValue: 2}"),
            &external("{type: AverageValue, averageValue: 300m}"),
            &pods("{type: AverageValue, averageValue: 1k}"),
            "type: ContainerResource, containerResource: {name: cpu, container: a, target: {type: Utilization, averageUtilization: 5}}",
        ],
        &[
            (&object("{type: Value}"), "required-field", "target"),
            (&object("{type: Value, value: -1}"), "number-range", "-1"),
            (&object("{type: Value, value: 1}").replace("name: m", "name: m/n"), "text-form", "m/n"),
            (&object("{type: Value, value: 1}").replace("name: a", "name: ''"), "required-field", "''"),
            (&external("{type: Value, value: 1, averageValue: 2}"), "excluded-field", "averageValue"),
            (&external("{type: Value}"), "required-field", "target"),
            (&pods("{type: Value, value: 1}"), "required-field", "target"),
            (&pods("{type: AverageValue, averageValue: 0}"), "number-range", "0"),
            (
                "type: ContainerResource, containerResource: {name: cpu, container: A, target: {type: Utilization, averageUtilization: 5}}",
                "text-form",
                "A",
            ),
        ],
    );
    let least = |count: &str| said(&of("HorizontalPodAutoscaler").replacen("minReplicas: 2", count, 1));
    assert_eq!(least("minReplicas: 0"), [("number-range", "0".to_owned())]);
}

#[test]
fn keys_that_are_written_twice_are_not_taken() {
    // Only the last one counts, as another rule says.
    assert_eq!(said("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n"), []);
    let both = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\nbinaryData: {a: Yg==}\n";
    assert_eq!(said(both), [("repeated-name", "a".to_owned())]);
}

fn device(expression: &str) -> [Found; 3] {
    let selectors = format!("selectors: [{{cel: {{expression: \"{expression}\"}}}}]");
    let class =
        format!("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: a}}\nspec: {{{selectors}}}\n");
    let first = format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: a}}\nspec: {{spec: {{devices: {{requests: [{{name: a, firstAvailable: [{{name: b, deviceClassName: c, {selectors}}}]}}]}}}}}}\n"
    );
    let claim = format!(
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {{name: a}}\nspec: {{devices: {{requests: [{{name: a, deviceClassName: c, {selectors}}}]}}}}\n"
    );
    [said(&class), said(&first), said(&claim)]
}

#[test]
fn selectors_of_devices() {
    for accepted in ["device.driver == 'gpu.example.com'", "device.attributes['a.com'].isNew"] {
        assert_eq!(device(accepted), [(); 3].map(|()| Vec::new()), "{accepted}");
    }
    for (expression, place) in [
        ("device.drivers == 'a'", "drivers"),
        ("device.capacity['a.com'].memory > 1", "device.capacity['a.com'].memory > 1"),
        ("device.driver", "device.driver"),
        ("device.driver == 'a", "'"),
        ("", "\"\""),
    ] {
        let code = if expression.is_empty() { "required-field" } else { "invalid-expression" };
        let found = vec![(code, place.to_owned())];
        assert_eq!(device(expression), [found.clone(), found.clone(), found], "{expression}");
    }
}

#[test]
fn changes_of_policies() {
    let changed = |right: &str, written: &str| said(&of("MutatingAdmissionPolicy").replacen(right, written, 1));
    let found = |place: &str| vec![("invalid-expression", place.to_owned())];
    assert_eq!(changed("variables.first.image", "variables.second.image"), found("second"));
    assert_eq!(changed("Object.spec.initContainers{", "Containers{"), found("Containers"));
    assert_eq!(changed("path: \"/metadata", "paths: \"/metadata"), found("paths"));
    assert_eq!(changed("'[JSONPatch{", "'[{\"a\": 1}, JSONPatch{").len(), 1);
}

#[test]
fn what_follows_from_a_mistake_in_a_policy_is_no_other() {
    let changed = |right: &str, written: &str| said(&of("ValidatingAdmissionPolicy").replacen(right, written, 1));
    // Another rule says that these keys are misspelt.
    assert_eq!(changed("paramKind:", "paramKnid:"), []);
    assert_eq!(changed("  variables:", "  variablse:"), []);
    assert_eq!(changed("name: size,", "name: the-size,"), [("text-form", "the-size".to_owned())]);
    assert_eq!(changed("name: size,", "name: '',"), [("required-field", "''".to_owned())]);
}

#[test]
fn claims_of_stateful_sets_have_quantities() {
    let set = |storage: &str| {
        said(&format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: a}}\nspec: {{selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{{name: a, image: a}}]}}}}, volumeClaimTemplates: [{{metadata: {{name: a}}, spec: {{resources: {{requests: {{storage: {storage}}}}}}}}}]}}\n"
        ))
    };
    for accepted in ["1Gi", "5", "'${SIZE}'"] {
        assert_eq!(set(accepted), [], "{accepted}");
    }
    assert_eq!(set("1GB"), [("text-form", "1GB".to_owned())]);
}

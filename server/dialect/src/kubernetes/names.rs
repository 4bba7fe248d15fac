//! Names by which resources refer to others.

mod kustomized;
mod parts;

pub(super) use kustomized::claims as kustomized;
pub(super) use parts::owner;

use super::pods::{CONTAINERS, is_computed, template};
use crate::resources::Resource;
use crate::{Claim, Role, SchemaName, WrittenSteps};
use smol_str::SmolStr;

/// Kinds that are named: the beginning of their version, and whether they are in namespaces.
static NAMED: [(&str, &str, bool); 16] = [
    ("ConfigMap", "v1", true),
    ("Secret", "v1", true),
    ("Service", "v1", true),
    ("ServiceAccount", "v1", true),
    ("PersistentVolumeClaim", "v1", true),
    ("Deployment", "apps/", true),
    ("StatefulSet", "apps/", true),
    ("ReplicaSet", "apps/", true),
    ("Role", "rbac.authorization.k8s.io/", true),
    ("ClusterRole", "rbac.authorization.k8s.io/", false),
    ("StorageClass", "storage.k8s.io/", false),
    ("PriorityClass", "scheduling.k8s.io/", false),
    ("IngressClass", "networking.k8s.io/", false),
    ("RuntimeClass", "node.k8s.io/", false),
    ("Gateway", "gateway.networking.k8s.io/", true),
    ("GatewayClass", "gateway.networking.k8s.io/", false),
];

/// What a reference may name.
#[derive(Debug, Clone, Copy)]
enum To {
    /// A resource of this kind, by its name.
    Kind(&'static [&'static str]),
    /// A map with a name, and perhaps a kind and a namespace. The first kind is the default.
    Map(&'static [&'static str]),
    /// A map with a secret's name as `secretName`.
    SecretName,
}

const CONFIG_MAP: To = To::Map(&["ConfigMap"]);
const SECRET: To = To::Map(&["Secret"]);
const SERVICE: To = To::Map(&["Service"]);
const SCALED: To = To::Map(&["Deployment", "StatefulSet", "ReplicaSet"]);

/// References in pods, from their spec.
const OF_PODS: [(&[&str], To); 10] = [
    (&["volumes", "[]", "configMap"], CONFIG_MAP),
    (&["volumes", "[]", "secret"], To::SecretName),
    (&["volumes", "[]", "persistentVolumeClaim", "claimName"], To::Kind(&["PersistentVolumeClaim"])),
    (&["volumes", "[]", "projected", "sources", "[]", "configMap"], CONFIG_MAP),
    (&["volumes", "[]", "projected", "sources", "[]", "secret"], SECRET),
    (&["imagePullSecrets", "[]"], SECRET),
    (&["serviceAccountName"], To::Kind(&["ServiceAccount"])),
    (&["serviceAccount"], To::Kind(&["ServiceAccount"])),
    (&["priorityClassName"], To::Kind(&["PriorityClass"])),
    (&["runtimeClassName"], To::Kind(&["RuntimeClass"])),
];

/// References in containers.
const OF_CONTAINERS: [(&[&str], To); 4] = [
    (&["envFrom", "[]", "configMapRef"], CONFIG_MAP),
    (&["envFrom", "[]", "secretRef"], SECRET),
    (&["env", "[]", "valueFrom", "configMapKeyRef"], CONFIG_MAP),
    (&["env", "[]", "valueFrom", "secretKeyRef"], SECRET),
];

const ROUTES: &[&str] = &["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"];

/// References in other kinds, from their root.
const OF_KINDS: [(&[&str], &[&str], To); 20] = [
    (&["Ingress"], &["spec", "defaultBackend", "service"], SERVICE),
    (&["Ingress"], &["spec", "rules", "[]", "http", "paths", "[]", "backend", "service"], SERVICE),
    (&["Ingress"], &["spec", "tls", "[]", "secretName"], To::Kind(&["Secret"])),
    (&["Gateway"], &["spec", "listeners", "[]", "tls", "certificateRefs", "[]"], SECRET),
    (&["Ingress"], &["spec", "ingressClassName"], To::Kind(&["IngressClass"])),
    (ROUTES, &["spec", "rules", "[]", "backendRefs", "[]"], SERVICE),
    (ROUTES, &["spec", "parentRefs", "[]"], To::Map(&["Gateway"])),
    (&["Gateway"], &["spec", "gatewayClassName"], To::Kind(&["GatewayClass"])),
    (&["ServiceAccount"], &["secrets", "[]"], SECRET),
    (&["ServiceAccount"], &["imagePullSecrets", "[]"], SECRET),
    (&["HorizontalPodAutoscaler"], &["spec", "scaleTargetRef"], SCALED),
    (&["StatefulSet"], &["spec", "serviceName"], To::Kind(&["Service"])),
    (
        &["StatefulSet"],
        &["spec", "volumeClaimTemplates", "[]", "spec", "storageClassName"],
        To::Kind(&["StorageClass"]),
    ),
    (&["PersistentVolumeClaim"], &["spec", "storageClassName"], To::Kind(&["StorageClass"])),
    (&["RoleBinding"], &["roleRef"], To::Map(&["Role", "ClusterRole"])),
    (&["ClusterRoleBinding"], &["roleRef"], To::Map(&["ClusterRole"])),
    (&["RoleBinding", "ClusterRoleBinding"], &["subjects", "[]"], To::Map(&["ServiceAccount"])),
    (
        &["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
        &["webhooks", "[]", "clientConfig", "service"],
        SERVICE,
    ),
    (&["CustomResourceDefinition"], &["spec", "conversion", "webhook", "clientConfig", "service"], SERVICE),
    (&["APIService"], &["spec", "service"], SERVICE),
];

/// What every cluster has, or gets from its own programs.
const GIVEN: [(&str, &[&str]); 3] = [
    ("ServiceAccount", &["default"]),
    ("ConfigMap", &["kube-root-ca.crt", "openshift-service-ca.crt"]),
    ("ClusterRole", &["cluster-admin", "admin", "edit", "view"]),
];

/// Resources of which a program in the cluster makes another one: the beginning of their version, their kind, where the
/// name of that one is, the first of these that is there, and its kind.
const MAKERS: [(&str, &str, &[&[&str]], &str); 3] = [
    ("cert-manager.io/", "Certificate", &[&["spec", "secretName"]], "Secret"),
    ("external-secrets.io/", "ExternalSecret", &[&["spec", "target", "name"], &["metadata", "name"]], "Secret"),
    ("bitnami.com/", "SealedSecret", &[&["spec", "template", "metadata", "name"], &["metadata", "name"]], "Secret"),
];

/// Annotations of resources for which a program makes the secrets that they name.
const MAKING: [&str; 2] = ["cert-manager.io/", "kubernetes.io/tls-acme"];

fn is_given(kind: &str, name: &str) -> bool {
    name.starts_with("system:") || GIVEN.iter().any(|(known, names)| *known == kind && names.contains(&name))
}

fn is_in_namespaces(kind: &str) -> bool {
    parts::is_part(kind) || NAMED.iter().any(|(known, _, in_namespaces)| *known == kind && *in_namespaces)
}

/// The name of a resource, and those that it refers to.
pub(super) fn claims(resource: &Resource<'_>, kind: &str, claims: &mut Vec<Claim>) {
    let metadata = resource.root.key("metadata");
    let own = |key| metadata.as_ref()?.key(key);
    let mut found = NamesFound {
        document: resource.document,
        namespace: own("namespace").and_then(|namespace| namespace.text()),
        claims,
    };
    let is_own = |(known, version, _): &&(&str, &str, bool)| {
        let has_version =
            resource.version == *version || version.ends_with('/') && resource.version.starts_with(version);
        *known == kind && has_version
    };
    if NAMED.iter().any(|named| is_own(&named))
        && let Some((name, text)) = own("name").and_then(|name| Some((name.clone(), name.text()?)))
        && !is_computed(&text)
    {
        let role = Role::Name(found.named(kind, &text, None));
        found.claims.extend(name.clone().claim_text(resource.document, 0..text.len(), role));
        parts::declared(&mut found, &resource.root, kind, &name);
    }
    parts::references(&mut found, &resource.root, kind);
    let made = MAKERS.iter().find(|(version, maker, ..)| *maker == kind && resource.version.starts_with(version));
    if let Some((.., paths, made)) = made
        && let Some(name) =
            paths.iter().find_map(|path| path.iter().try_fold(resource.root.clone(), |at, key| at.key(key)))
        && let Some(text) = name.text().filter(|text| !is_computed(text))
    {
        let role = Role::Name(found.named(made, &text, None));
        found.claims.extend(name.claim_text(resource.document, 0..text.len(), role));
    }
    let annotations = own("annotations").map(|annotations| annotations.keys()).unwrap_or_default();
    let makes_secrets = annotations.iter().any(|key| MAKING.iter().any(|making| key.starts_with(making)));
    let is_made = |path: &[&str]| makes_secrets && path.contains(&"tls");
    for (_, path, to) in OF_KINDS.iter().filter(|(kinds, path, _)| kinds.contains(&kind) && !is_made(path)) {
        resource.root.reached(path).iter().for_each(|reference| found.reference(reference, *to));
    }
    if matches!(kind, "Role" | "ClusterRole") {
        resource.root.reached(&["rules", "[]"]).iter().for_each(|rule| found.limited(rule));
    }
    if let Some(spec) = template(resource).and_then(|template| template.key("spec")) {
        parts::references_of_pods(&mut found, &spec);
        for (path, to) in OF_PODS {
            spec.reached(path).iter().for_each(|reference| found.reference(reference, to));
        }
        for container in CONTAINERS.iter().filter_map(|key| spec.key(key)).flat_map(|array| array.items()) {
            for (path, to) in OF_CONTAINERS {
                container.reached(path).iter().for_each(|reference| found.reference(reference, to));
            }
        }
    }
}

/// The claims of a resource.
struct NamesFound<'c> {
    document: usize,
    namespace: Option<SmolStr>,
    claims: &'c mut Vec<Claim>,
}

impl NamesFound<'_> {
    fn named(&self, kind: &str, name: &str, namespace: Option<SmolStr>) -> SchemaName {
        let namespace = namespace.or_else(|| self.namespace.clone());
        let namespace = namespace.filter(|name| is_in_namespaces(kind) && !is_computed(name));
        SchemaName { kind: kind.into(), name: name.into(), namespace, slot: "" }
    }

    fn reference(&mut self, written: &WrittenSteps<'_>, to: To) {
        let text = |key: &str| written.key(key)?.text();
        let (kinds, kind, name, namespace) = match to {
            To::Kind(kinds) => (kinds, None, Some(written.clone()), None),
            To::Map(kinds) => (kinds, text("kind"), written.key("name"), text("namespace")),
            To::SecretName => (&["Secret"][..], None, written.key("secretName"), None),
        };
        let kind = match &kind {
            Some(kind) => kinds.iter().find(|known| *known == kind),
            None => kinds.first(),
        };
        let Some((kind, name)) = kind.zip(name) else { return };
        let Some(text) = name.text().filter(|text| !is_computed(text) && !is_given(kind, text)) else { return };
        let named = self.named(kind, &text, namespace);
        let is_needed = !parts::may_be_absent(written);
        let role = if is_needed { Role::Reference(named, kinds) } else { Role::Mention(named) };
        self.claims.extend(name.claim_text(self.document, 0..text.len(), role));
    }

    /// The names of resources to which a rule about access is limited.
    fn limited(&mut self, rule: &WrittenSteps<'_>) {
        let texts =
            |key: &str| -> Vec<SmolStr> { rule.reached(&[key, "[]"]).iter().filter_map(WrittenSteps::text).collect() };
        let (groups, resources) = (texts("apiGroups"), texts("resources"));
        let of = |version: &str| version.split_once('/').map_or("", |(group, _)| group).to_owned();
        let is_meant = |(kind, version, _): &&(&str, &str, bool)| {
            let resource = plural(kind);
            let is_it = |written: &SmolStr| written.split('/').next() == Some(&resource);
            groups.iter().any(|group| *group == of(version)) && resources.iter().any(is_it)
        };
        for name in rule.reached(&["resourceNames", "[]"]) {
            let Some(text) = name.text().filter(|text| !is_computed(text)) else { continue };
            for (kind, ..) in NAMED.iter().filter(is_meant) {
                let role = Role::Mention(self.named(kind, &text, None));
                self.claims.extend(name.clone().claim_text(self.document, 0..text.len(), role));
            }
        }
    }
}

/// How rules name the resources of a kind.
fn plural(kind: &str) -> String {
    let kind = kind.to_ascii_lowercase();
    if kind.ends_with('s') { format!("{kind}es") } else { format!("{kind}s") }
}

#[cfg(test)]
mod tests {
    use crate::kubernetes::Kubernetes;
    use crate::{Dialect, DocumentsView, Recognises, Role};
    use lofting_document::{FileId, Options, lower};

    /// The names in a text, and what is named there.
    fn said(text: &str) -> Vec<String> {
        let tree = lofting_syntax::parse(text);
        let documents = lower(FileId(0), &tree, Kubernetes.profile(), Options::default());
        let claims = Kubernetes.claims(&DocumentsView { tree: &tree, documents: &documents });
        let shown = |role: &Role| match role {
            Role::Name(name) => Some(format!("is {} {} {:?}", name.kind, name.name, name.namespace)),
            Role::Reference(name, _) => Some(format!("names {} {} {:?}", name.kind, name.name, name.namespace)),
            Role::Mention(name) => Some(format!("mentions {} {} {:?}", name.kind, name.name, name.namespace)),
            _ => None,
        };
        let shown = claims.iter().filter_map(|claim| Some((shown(&claim.role)?, &text[claim.key.clone()])));
        shown.map(|(shown, text)| format!("{shown} at {text}")).collect()
    }

    #[test]
    fn pods_name_what_they_use() {
        let spec = "{serviceAccountName: s, volumes: [{configMap: {name: 'c'}}, {secret: {secretName: &a x}}, {configMap: {name: o, optional: true}}, \
                    {secret: {optional: true, secretName: o}}, {projected: {sources: [{secret: {name: o, optional: true}}]}}], \
                    containers: [{envFrom: [{secretRef: {name: e}}], env: [{valueFrom: {configMapKeyRef: {name: k, key: a}}}]}]}";
        let named = [
            "names ConfigMap key k/a Some(\"near\") at a",
            "names ConfigMap c Some(\"near\") at c",
            "mentions ConfigMap o Some(\"near\") at o",
            "names Secret x Some(\"near\") at x",
            "mentions Secret o Some(\"near\") at o",
            "mentions Secret o Some(\"near\") at o",
            "names ServiceAccount s Some(\"near\") at s",
            "names Secret e Some(\"near\") at e",
            "names ConfigMap k Some(\"near\") at k",
        ];
        let head = "metadata: {name: a, namespace: near}";
        for (version, kind, spec) in [
            ("v1", "Pod", spec.to_owned()),
            ("apps/v1", "DaemonSet", format!("{{template: {{spec: {spec}}}}}")),
            ("batch/v1", "CronJob", format!("{{jobTemplate: {{spec: {{template: {{spec: {spec}}}}}}}}}")),
        ] {
            assert_eq!(said(&format!("apiVersion: {version}\nkind: {kind}\n{head}\nspec: {spec}\n")), named, "{kind}");
        }
        assert_eq!(said("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), ["is ConfigMap a None at a"]);
        assert_eq!(said("apiVersion: example.com/v1\nkind: Service\nmetadata: {name: a}\n"), [""; 0]);
    }

    #[test]
    fn parts_are_keys_and_ports() {
        let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b, 'x.y': |\n  1}\n";
        let config = config.replace(" |\n  1", " z");
        let parts =
            ["is ConfigMap key c/ None at ", "is ConfigMap key c/a None at a", "is ConfigMap key c/x.y None at 'x.y'"];
        assert_eq!(said(&config)[1..], parts);
        assert_eq!(said(&config.replace("a: b", "<<: {}")).len(), 1, "others may be merged");
        assert_eq!(said(&config.replace("a: b", "${A}: b")).len(), 1, "a key is computed");
        assert_eq!(said(&format!("{config}binarydata: {{d: e}}\n")).len(), 1, "a map is misspelt");
        let service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{name: http, port: 80}]}\n";
        let parts = [
            "is Service port s/ None at ",
            "is Service port s/80 None at 80",
            "is Service port name s/ None at ",
            "is Service port name s/http None at http",
        ];
        assert_eq!(said(service)[1..], parts);
        let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {defaultBackend: \
                       {service: {name: s, port: {name: http}}}, rules: [{http: {paths: [{backend: {service: {name: s, \
                       port: {number: 8080}}}}]}}]}\n";
        let named: Vec<String> = said(ingress).into_iter().filter(|said| said.contains("port")).collect();
        assert_eq!(named, ["names Service port name s/http None at http", "names Service port s/8080 None at 8080"]);
        // What is of the wrong type is that, and does not miss anything.
        let wrong = ingress.replace("name: http", "name: '80'").replace("number: 8080", "number: http");
        assert!(!said(&wrong).iter().any(|said| said.contains("port")));
    }

    #[test]
    fn kustomizations_name_what_they_make_and_patch() {
        let text = "configMapGenerator:
- {name: c, literals: [A=b], files: [x/y.txt, z=q.txt]}
- {name: d, envs: [e.env], literals: [B=c]}
secretGenerator: [{name: s}]
patches:
- {target: {kind: Deployment, name: web}, patch: ''}
- {target: {kind: Deployment, name: web.*}, patch: ''}
";
        let want = [
            "is ConfigMap c None at c",
            "is ConfigMap key c/A None at A",
            "is ConfigMap key c/y.txt None at y.txt",
            "is ConfigMap key c/z None at z",
            "is ConfigMap key c/ None at ",
            "is ConfigMap d None at d",
            "is ConfigMap key d/B None at B",
            "is Secret s None at s",
            "names Deployment web None at web",
        ];
        assert_eq!(said(text), want);
        let head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
        assert_eq!(said(&format!("{head}{text}")), want);
        assert_eq!(said(&format!("apiVersion: example.org/v1\nkind: A\n{text}")), [""; 0]);
    }

    #[test]
    fn references_have_a_kind_and_a_namespace() {
        let binding = "apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: a, namespace: near}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: own}
subjects: [{kind: ServiceAccount, name: s, namespace: o}, {kind: User, name: u}, {kind: ServiceAccount, name: default}]
";
        assert_eq!(said(binding), ["names ClusterRole own None at own", "names ServiceAccount s Some(\"o\") at s"]);
        assert_eq!(said(&binding.replace("name: own", "name: cluster-admin")).len(), 1);
        let route = "apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: a}
spec: {parentRefs: [{name: g}], rules: [{backendRefs: [{name: b, port: 80}, {kind: Other, name: o}]}]}
";
        assert_eq!(
            said(route),
            ["names Service port b/80 None at 80", "names Service b None at b", "names Gateway g None at g"]
        );
    }

    #[test]
    fn rules_about_access_mention_resources() {
        let role = "apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r, namespace: near}
rules:
- {apiGroups: [''], resources: [configmaps, secrets/status], resourceNames: [c, '${x}'], verbs: [get]}
- {apiGroups: [serving.knative.dev], resources: [services], resourceNames: [s], verbs: [get]}
- {apiGroups: [networking.k8s.io], resources: [ingressclasses], resourceNames: [i], verbs: [get]}
";
        let named = [
            "is Role r Some(\"near\") at r",
            "mentions ConfigMap c Some(\"near\") at c",
            "mentions Secret c Some(\"near\") at c",
            "mentions IngressClass i None at i",
        ];
        assert_eq!(said(role), named);
    }

    #[test]
    fn secrets_are_made_by_other_programs() {
        let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i, annotations: {a/b: c}}\nspec: {tls: [{secretName: s}]}\n";
        assert_eq!(said(ingress), ["names Secret s None at s"]);
        assert_eq!(said(&ingress.replace("a/b", "cert-manager.io/issuer")), [""; 0]);
        let gateway = "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g}\nspec: {listeners: [{tls: {certificateRefs: [{name: s}]}}]}\n";
        assert_eq!(said(gateway), ["is Gateway g None at g", "names Secret s None at s"]);
        for (version, kind, spec, made) in [
            ("cert-manager.io/v1", "Certificate", "{secretName: s}", "s"),
            ("external-secrets.io/v1", "ExternalSecret", "{target: {name: s}}", "s"),
            ("external-secrets.io/v1", "ExternalSecret", "{}", "m"),
            ("bitnami.com/v1alpha1", "SealedSecret", "{}", "m"),
        ] {
            let text = format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: m}}\nspec: {spec}\n");
            assert_eq!(said(&text), [format!("is Secret {made} None at {made}")], "{kind}");
        }
        assert_eq!(
            said("apiVersion: a.org/v1\nkind: Certificate\nmetadata: {name: m}\nspec: {secretName: s}\n"),
            [""; 0]
        );
    }
}

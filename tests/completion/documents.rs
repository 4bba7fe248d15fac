//! Documents as people write them, each with its schema.

/// The schema of the editor tests.
pub const APP_SCHEMA: &str = include_str!("../../server/ide/src/fixture/app_schema.yml");

/// A valid document.
pub struct Document {
    pub name: String,
    /// `None` for schemas.
    pub schema: Option<String>,
    pub text: String,
}

fn document(name: &str, schema: Option<&str>, text: &str) -> Document {
    Document { name: name.to_owned(), schema: schema.map(str::to_owned), text: text.to_owned() }
}

macro_rules! example {
    ($found:ident, $name:literal, $($values:literal),+) => {
        let schema = include_str!(concat!("../../examples/", $name, "/config/schema.yml"));
        $found.push(document(concat!($name, " schema"), None, schema));
        $(
            let values = include_str!(concat!("../../examples/", $name, "/values/", $values));
            $found.push(document(concat!($name, "/", $values), Some(schema), values));
        )+
    };
}

/// The examples, and documents in the styles they lack.
pub fn all() -> Vec<Document> {
    let mut found = Vec::new();
    example!(found, "webshop", "dev.yml", "prod.yml");
    example!(found, "cf-for-k8s", "staging.yml");
    example!(found, "minio", "archive.yml");
    example!(found, "prometheus", "cluster.yml");
    let fleet = include_str!("../../editors/typing/fleet/config/schema.yml");
    found.push(document("fleet schema", None, fleet));
    for (name, text) in [
        ("fleet/anchors.yml", include_str!("../../editors/typing/fleet/values/anchors.yml")),
        ("fleet/indented.yml", include_str!("../../editors/typing/fleet/values/indented.yml")),
        ("fleet/overlay.yml", include_str!("../../editors/typing/fleet/values/overlay.yml")),
        ("fleet/zero-indented.yml", include_str!("../../editors/typing/fleet/values/zero-indented.yml")),
    ] {
        found.push(document(name, Some(fleet), text));
    }
    for (index, (name, text)) in [
        ("dashes below their key", DASHES_BELOW),
        ("dashes indented", DASHES_INDENTED),
        ("four columns", FOUR_COLUMNS),
        ("brackets", BRACKETS),
        ("texts", TEXTS),
        ("template", TEMPLATE),
        ("tabs", TABS),
    ]
    .into_iter()
    .enumerate()
    {
        let text = if index % 3 == 0 { text.replace('\n', "\r\n") } else { text.to_owned() };
        found.push(document(name, Some(APP_SCHEMA), &text));
    }
    found
}

/// Documents without a type, beside a schema whose values their code names.
pub fn templates() -> Vec<Document> {
    let webshop = include_str!("../../examples/webshop/config/schema.yml");
    let fleet = include_str!("../../editors/typing/fleet/config/schema.yml");
    vec![
        document("webshop/deployment.yml", Some(webshop), include_str!("../../examples/webshop/config/deployment.yml")),
        document("fleet/deployment.yml", Some(fleet), include_str!("../../editors/typing/fleet/deployment.yml")),
    ]
}

const DASHES_BELOW: &str = "\
name: shop
replicas: 3
env:
- name: LOG
  value: debug
- name: PASSWORD
  secretRef:
    name: db
    key: password
args:
- --verbose
- serve
features:
- alpha
- beta
containers:
- name: web
  image: nginx
  ports:
  - name: http
    containerPort: 80
    protocol: TCP
  - name: dns
    containerPort: 53
    protocol: UDP
  probes:
    liveness:
      path: /live
      port: 80
- name: log
  image: fluentd
logLevel: info
";

const DASHES_INDENTED: &str = "\
# Production
image:
  repository: registry.example.com/shop
  tag: \"1.10\"
  pullPolicy: IfNotPresent

env:
  - name: A
    value: \"1\"

  # the other one
  - name: B
    value: 'two words'
containers:
  -
    name: web
    image: nginx
    ports:
      - containerPort: 80
        protocol: TCP
ingress:
  host: shop.example.com
  tls:
    enabled: true
    issuer:
      kind: ClusterIssuer
      name: letsencrypt
  paths:
    - path: /
      pathType: Prefix
      port: 80
debug: false
";

const FOUR_COLUMNS: &str = "\
ingress:
    host: a
    tls:
        enabled: true
        secretName: tls
    paths:
    -   path: /
        pathType: Exact
    -   path: /static
service:
    type: NodePort
    port: 80
    targetPort: 8080
labels:
    app.kubernetes.io/name: shop
    team name: blue
    \"on\": yes please
";

const BRACKETS: &str = "\
image: {repository: nginx, tag: latest, pullPolicy: Always}
features: [alpha, gamma]
args: [\"-v\", serve]
env: [{name: A, value: b}, {name: B, secretRef: {name: x, key: y}}]
ingress: {host: a, tls: {enabled: true}, paths: []}
service:
  type: LoadBalancer
logLevel: warn
";

const TEXTS: &str = "\
name: a name of
  several words
args:
- |
  name: web
  image: nginx
- >-
  replicas

  and more
- \"in quotes: yes\"
- 'it''s'
labels:
  team name: |
    # no comment
    key: value
extra:
  any: thing
  list:
  - name: x
    size: 1
  - name: y
    size: 2
";

const TEMPLATE: &str = "\
#@ load(\"@ytt:overlay\", \"overlay\")
#@data/values
---
#@overlay/match missing_ok=True
name: shop
image:
  #@overlay/replace
  tag: latest
env:
#@overlay/append
- name: A
  value: b
ingress: null
";

const TABS: &str = "\
name:\tshop\t# tabs are blanks, but for indentation
replicas:\t3
logLevel:\tinfo\t
env:
- name:\tA
  value:\tb
args:
-\tserve
labels:
  team name: |
    \tindented by a tab
features: [alpha,\tbeta]
debug:\ttrue
";

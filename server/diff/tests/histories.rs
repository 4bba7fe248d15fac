//! Moves as they were made in the histories of real schemas, in a small schema of the same shape: many apps with keys of the
//! same names, definitions that are used everywhere, few texts.

use lofting_diff::{Fate, Language, compare};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What all schemas here have, whatever else changes.
const ALL: &str = "apps.loki.enabled:bool apps.loki.resources.ingester:$r apps.loki.resources.querier:$r apps.loki.adminPassword:string \
     apps.tempo.enabled:bool apps.tempo.resources.ingester:$r apps.tempo.retention.hours:int apps.istio.enabled:bool \
     apps.istio.resources.pilot:$r apps.grafana.enabled:bool apps.cert-manager.enabled:bool apps.harbor.enabled:bool \
     apps.ingress-nginx.enabled:bool apps.keycloak.enabled:bool apps.redis.enabled:bool apps.metrics-server.apiServer.x:int \
     databases.keycloak.replicas:int databases.harbor.replicas:int dns.enabled:bool dns.provider.aws.region:string \
     ingress.platformClass.className:string otomi.isEnabled:bool team.x:string team.settings.y:string";

enum Tree {
    Leaf(String),
    Map(BTreeMap<String, Tree>),
}

/// A schema with these keys, each a path with its type: `a.b:int`. Types with `$` are definitions.
fn schema(keys: &str) -> String {
    let mut root = BTreeMap::new();
    for (path, kind) in format!("{ALL} {keys}").split_whitespace().filter_map(|key| key.split_once(':')) {
        let mut map = &mut root;
        let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
        for part in above.split('.').filter(|part| !part.is_empty()) {
            let below = map.entry(part.to_owned()).or_insert_with(|| Tree::Map(BTreeMap::new()));
            let Tree::Map(below) = below else { panic!("{path}: below a value") };
            map = below;
        }
        map.insert(name.to_owned(), Tree::Leaf(kind.to_owned()));
    }
    let mut out = String::from(
        "definitions:\n  r:\n    description: Compute resources for containers.\n    properties: {limits: {$ref: '#/definitions/s'}, \
         requests: {$ref: '#/definitions/s'}}\n  s:\n    properties: {cpu: {type: string}, memory: {type: string}}\n  q:\n    type: \
         string\n    pattern: '^[0-9]+Gi$'\n",
    );
    write(&root, 0, &mut out);
    out
}

fn write(map: &BTreeMap<String, Tree>, room: usize, out: &mut String) {
    let _ = writeln!(out, "{:room$}additionalProperties: false\n{:room$}properties:", "", "");
    for (name, tree) in map {
        let _ = write!(out, "{:room$}  {name}:", "");
        let _ = match tree {
            Tree::Map(below) => {
                out.push('\n');
                write(below, room + 4, out);
                Ok(())
            }
            Tree::Leaf(kind) => match kind.as_str() {
                "bool" => writeln!(out, " {{type: boolean, default: true}}"),
                "int" => writeln!(out, " {{type: integer}}"),
                "string" => writeln!(out, " {{type: string}}"),
                definition => writeln!(out, " {{$ref: '#/definitions/{}'}}", definition.trim_start_matches('$')),
            },
        };
    }
}

fn moves(old: &str, new: &str) -> Vec<String> {
    let compared = compare(Language::JsonSchema, &schema(old), &schema(new)).expect("two schemas");
    let moves = compared.old_keys.iter().filter_map(|key| match &key.fate {
        Fate::Moved(to) => Some(format!("{} -> {}", key.path, to.to)),
        Fate::Gone | Fate::Emptied => None,
    });
    moves.collect()
}

#[test]
fn what_moved_in_real_schemas() {
    for (old, new, expected) in [
        // Into a new map beside it, with shorter names: each has one name that fits best.
        (
            "dns.provider.aws.accessKeyID:string dns.provider.aws.secretAccessKey:string",
            "dns.provider.aws.credentials.accessKey:string dns.provider.aws.credentials.secretKey:string",
            &[
                "dns.provider.aws.accessKeyID -> dns.provider.aws.credentials.accessKey",
                "dns.provider.aws.secretAccessKey -> dns.provider.aws.credentials.secretKey",
            ][..],
        ),
        // Names in another order.
        (
            "apps.harbor.database.size:string apps.harbor.database.user:string",
            "databases.harbor.size:string",
            &["apps.harbor.database.size -> databases.harbor.size"],
        ),
        (
            "apps.harbor.resources.database:$r apps.harbor.resources.core:$r",
            "apps.harbor.resources.core:$r databases.harbor.resources:$r",
            &["apps.harbor.resources.database -> databases.harbor.resources"],
        ),
        (
            "apps.keycloak.resources.postgresql:$r apps.keycloak.resources.keycloak:$r",
            "apps.keycloak.resources.keycloak:$r databases.keycloak.resources:$r",
            &["apps.keycloak.resources.postgresql -> databases.keycloak.resources"],
        ),
        (
            "apps.istio.global.proxy.resources:$r",
            "apps.istio.resources.proxy:$r",
            &["apps.istio.global.proxy.resources -> apps.istio.resources.proxy"],
        ),
        (
            "apps.redis.persistence.master.size:$q apps.redis.persistence.replica.size:$q",
            "apps.redis.persistentVolumeSize:$q apps.redis.replicas:int",
            &[],
        ),
        (
            "apps.redis.persistence.master.size:$q",
            "apps.redis.persistentVolumeSize:$q apps.redis.replicas:int",
            &["apps.redis.persistence.master.size -> apps.redis.persistentVolumeSize"],
        ),
        // Into another map that has a part of the path in its name.
        (
            "apps.ingress-nginx.loadBalancerIP:string apps.ingress-nginx.loadBalancerRG:string",
            "ingress.platformClass.loadBalancerIP:string ingress.platformClass.loadBalancerRG:string",
            &[
                "apps.ingress-nginx.loadBalancerIP -> ingress.platformClass.loadBalancerIP",
                "apps.ingress-nginx.loadBalancerRG -> ingress.platformClass.loadBalancerRG",
            ],
        ),
        // Below a key of the map, one of several that are new.
        (
            "apps.cert-manager.resources:$r",
            "apps.cert-manager.resources.certManager:$r apps.cert-manager.resources.webhook:$r",
            &[
                "apps.cert-manager.resources.limits -> apps.cert-manager.resources.certManager.limits",
                "apps.cert-manager.resources.requests -> apps.cert-manager.resources.certManager.requests",
            ],
        ),
        (
            "apps.cert-manager.resources:$r",
            "apps.cert-manager.resources.injector:$r apps.cert-manager.resources.webhook:$r",
            &[],
        ),
        // The only key of a map.
        (
            "apps.redis.server.enabled:bool",
            "apps.redis.server.create:bool",
            &["apps.redis.server.enabled -> apps.redis.server.create"],
        ),
    ] {
        assert_eq!(moves(old, new), expected, "{old}\n{new}");
    }
}

/// A part with many apps gets another name; some apps get other names as well, and what was below one is an app now.
#[test]
fn a_large_part_is_called_something_else_and_much_in_it_changes() {
    let apps = |top: &str| {
        let names = ["argo", "falco", "jaeger", "kured", "velero", "vault", "opa", "drone"];
        let app = |name: &&str| {
            format!("{top}.{name}.enabled:bool {top}.{name}.resources.{name}:$r {top}.{name}.{name}Size:int ")
        };
        names.iter().map(app).collect::<String>()
    };
    let old = "charts.prometheus-operator.grafana.adminName:string charts.prometheus-operator.grafana.theme:string \
        charts.prometheus-operator.retentionSize:int charts.prometheus-operator.scrapeInterval:string \
        charts.prometheus-operator.resources.grafana:$r charts.nginx-ingress.maxBodySize:string charts.nginx-ingress.logFormat:string";
    let new = "parts.grafana.adminName:string parts.grafana.theme:string parts.prometheus.retentionSize:int \
        parts.prometheus.scrapeInterval:string parts.prometheus.resources.server:$r parts.ingress-nginx.maxBodySize:string \
        parts.ingress-nginx.logFormat:string";
    assert_eq!(
        moves(&(apps("charts") + old), &(apps("parts") + new)),
        [
            "charts -> parts",
            "parts.nginx-ingress -> parts.ingress-nginx",
            "parts.prometheus-operator -> parts.prometheus",
            "parts.prometheus.grafana -> parts.grafana",
        ]
    );
}

#[test]
fn what_one_part_lost_is_not_what_another_won() {
    for (old, new) in [
        ("apps.loki.limits.maxReplicas:int", "apps.tempo.limits.maxReplicas:int"),
        ("apps.loki.query.maxReplicas:int", "apps.tempo.queryScheduler.maxReplicas:int"),
        ("apps.loki.resources.operator:$r", "apps.istio.resources.operator:$r"),
        ("apps.harbor.sidecarResources:$r", "dns.provider.aws.image.resources:$r"),
        ("apps.redis.resources.slave:$r", "apps.redis.resources.metrics:$r"),
        ("otomi.strategy.type:string", "dns.probe.get.type:string"),
        (
            "apps.external-dns.extra:string apps.loki.extra:string",
            "dns.provider.aws.extra:string apps.loki.extra:string",
        ),
        ("team.create:bool", "team.queueCreate:bool team.other:bool"),
        // An app is gone, and a new one has what all apps have.
        ("apps.kured.enabled:bool apps.kured.resources.kured:$r", "apps.opa.enabled:bool apps.opa.resources.opa:$r"),
    ] {
        assert_eq!(moves(old, new), Vec::<String>::new(), "{old}\n{new}");
    }
}

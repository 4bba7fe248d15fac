//! Keys that have gone to another place in a schema: what is reported of them, and what is not.

use lofting_diff::{Breaks, Fate, Kind, Language, compare};

/// What is gone or has moved, one line each, without certainties.
fn fates(language: Language, old: &str, new: &str) -> Vec<String> {
    let compared = compare(language, old, new).unwrap_or_else(|problem| panic!("{problem:?}\n{old}\n---\n{new}"));
    for change in &compared.changes {
        let is_gone = matches!(change.kind, Kind::Removed | Kind::RenamedTo);
        // Values that set it at the old place break, as if nothing were known of the new one.
        assert!(!is_gone || language != Language::Ytt || change.breaks == Breaks::BOTH, "{change:?}");
        assert_eq!(change.kind == Kind::RenamedTo, change.renamed.as_ref().is_some_and(|to| to.certainty == 100));
    }
    let line = |key: &lofting_diff::OldKey| match &key.fate {
        _ if key.is_elsewhere => format!("{} is gone in part", key.path),
        Fate::Moved(to) => format!("{} -> {}", key.path, to.to),
        Fate::Gone => format!("{} is gone", key.path),
        Fate::Emptied => format!("{} is empty", key.path),
    };
    compared.old_keys.iter().map(line).collect()
}

fn check(language: Language, old: &str, new: &str, expected: &[&str]) {
    assert_eq!(fates(language, old, new), expected, "{old}\n---\n{new}");
}

fn ytt(old: &str, new: &str, expected: &[&str]) {
    let head = "#@data/values-schema\n---\n";
    check(Language::Ytt, &format!("{head}{old}"), &format!("{head}{new}"), expected);
}

/// A JSON Schema with these properties; every map in it takes its keys only.
fn json(old: &str, new: &str, expected: &[&str]) {
    let whole = |properties: &str| format!("type: object\nadditionalProperties: false\nproperties: {properties}\n");
    check(Language::JsonSchema, &whole(old), &whole(new), expected);
}

#[test]
fn a_key_moves_up_or_down() {
    ytt("image: nginx\na: 1\n", "container:\n  image: nginx\na: 1\n", &["image -> container.image"]);
    ytt(
        "container:\n  image: nginx\na: 1\n",
        "image: nginx\na: 1\n",
        &["container.image -> image", "container is empty"],
    );
    ytt(
        "image: nginx:1\nport: 8080\nhost: a.example\nz: 1\n",
        "container:\n  image: nginx:1\n  net:\n    port: 8080\n    host: a.example\nz: 1\n",
        &["image -> container.image", "port -> container.net.port", "host -> container.net.host"],
    );
    // The default may change at the same time.
    ytt("image: nginx:1\nz: 1\n", "container:\n  image: nginx:2\nz: 1\n", &["image -> container.image"]);
    ytt(
        "db:\n  adminUser: a\nz: 1\n",
        "db:\n  login:\n    adminUser: root\nz: 1\n",
        &["db.adminUser -> db.login.adminUser"],
    );
}

#[test]
fn a_whole_map_moves() {
    ytt(
        "ingress:\n  class: nginx\n  tls:\n    host: a.example\n    secret: x\n",
        "ingress:\n  class: nginx\ntls:\n  host: a.example\n  secret: x\n",
        &["ingress.tls -> tls"],
    );
    // With other keys in it, which are named after it has moved.
    ytt(
        "ingress:\n  class: nginx\n  tls:\n    host: a.example\n    secret: xyz\n    old: 1\n",
        "ingress:\n  class: nginx\ntls:\n  host: a.example\n  secret: xyz\n  newer: \"\"\n",
        &["ingress.tls -> tls", "tls.old is gone"],
    );
    // A part of it goes on to another place.
    ytt(
        "ingress:\n  class: nginx\n  tls:\n    host: a.example\n    secret: xyz\n    issuerName: letsencrypt\n",
        "ingress:\n  class: nginx\nissuerName: letsencrypt\ntls:\n  host: a.example\n  secret: xyz\n",
        &["ingress.tls -> tls", "tls.issuerName -> issuerName"],
    );
}

#[test]
fn what_is_in_a_map_that_is_gone_may_be_elsewhere() {
    json(
        "{redis: {additionalProperties: false, properties: {persistence: {properties: {volumeSize: {type: string, pattern: '^[0-9]+Gi$'}, \
         mode: {enum: [a, b]}}}, enabled: {type: boolean}}}}",
        "{redis: {additionalProperties: false, properties: {volumeSize: {type: string, pattern: '^[0-9]+Gi$'}, enabled: {type: boolean}}}}",
        &[
            "redis.persistence.volumeSize -> redis.volumeSize",
            "redis.persistence.mode is gone",
            "redis.persistence is empty",
        ],
    );
}

#[test]
fn names_are_joined_or_taken_apart() {
    ytt("imageTag: v1\nz: 1\n", "image:\n  tag: v1\nz: 1\n", &["imageTag -> image.tag"]);
    ytt("image:\n  tag: v1\nz: 1\n", "imageTag: v1\nz: 1\n", &["image.tag -> imageTag", "image is empty"]);
    ytt(
        "image_pull_policy: Always\nz: 1\n",
        "image:\n  pullPolicy: Always\nz: 1\n",
        &["image_pull_policy -> image.pullPolicy"],
    );
}

#[test]
fn between_two_maps() {
    // What one app has had, another app has of its own.
    let app = |keys: &str| format!("{{properties: {{enabled: {{type: boolean}}, {keys}}}}}");
    let whole = |x: &str, z: &str| format!("{{apps: {{properties: {{x: {}, z: {}}}}}}}", app(x), app(z));
    json(
        &whole("adminPassword: {type: string}", "a: {type: string}"),
        &whole("b: {type: integer}", "a: {type: string}, adminPassword: {type: string}"),
        &["apps.x.adminPassword is gone"],
    );
    // Unless its path says that it was about the other one.
    json(
        &format!(
            "{{apps: {{properties: {{x: {}, grafana: {}}}}}}}",
            app("grafana: {properties: {adminPassword: {type: string}}}"),
            app("")
        ),
        &format!("{{apps: {{properties: {{x: {}, grafana: {}}}}}}}", app(""), app("adminPassword: {type: string}")),
        &["apps.x.grafana.adminPassword -> apps.grafana.adminPassword", "apps.x.grafana is empty"],
    );
    // What many keys are called says nothing.
    json(
        &format!(
            "{{apps: {{properties: {{x: {}, z: {}, y: {}}}}}}}",
            app("image: {type: string}"),
            app(""),
            app("image: {type: string}")
        ),
        &format!(
            "{{apps: {{properties: {{x: {}, z: {}, y: {}}}}}}}",
            app(""),
            app("image: {type: string}"),
            app("image: {type: string}")
        ),
        &["apps.x.image is gone"],
    );
    // What any key leads to keeps its own.
    let team = |keys: &str| format!("{{teams: {{additionalProperties: {{properties: {{{keys}}}}}}}}}");
    json(
        &team("adminPassword: {type: string}, a: {}"),
        &team("a: {}, settings: {properties: {adminPassword: {type: string}}}"),
        &["teams.*.adminPassword -> teams.*.settings.adminPassword"],
    );
    json(
        "{teams: {additionalProperties: {properties: {adminPassword: {type: string}, a: {}}}}}",
        "{adminPassword: {type: string}, teams: {additionalProperties: {properties: {a: {}}}}}",
        &["teams.*.adminPassword is gone"],
    );
    // A map beside it still has the key, and a plan cannot tell them apart.
    let teams = |admin: &str, others: &str| {
        format!(
            "{{teams: {{properties: {{admin: {{properties: {{{admin}}}}}}}, additionalProperties: {{properties: {{{others}}}}}}}}}"
        )
    };
    json(
        &teams("quota: {}, a: {}", "quota: {}, b: {}"),
        &teams("quota: {}, a: {}", "b: {}"),
        &["teams.*.quota is gone in part"],
    );
    json(
        &teams("quota: {}, a: {}", "quota: {}, b: {}"),
        &teams("a: {}", "b: {}"),
        &["teams.admin.quota is gone", "teams.*.quota is gone"],
    );
    ytt(
        "list:\n- adminName: xyz\n  a: 1\n",
        "list:\n- a: 1\n  login:\n    adminName: xyz\n",
        &["list[].adminName -> list[].login.adminName"],
    );
}

#[test]
fn a_map_has_another_name_and_other_keys() {
    // As in the history of apl-core: one key less, another name.
    let collector = "autoscaler: {properties: {maxReplicas: {type: integer}, minReplicas: {type: integer}}}, attributes: {type: array}";
    json(
        &format!(
            "{{otel: {{properties: {{a: {{}}, collector: {{properties: {{mode: {{enum: [x, y]}}, {collector}}}}}}}}}}}"
        ),
        &format!("{{otel: {{properties: {{a: {{}}, otlpCollector: {{properties: {{{collector}}}}}}}}}}}"),
        &["otel.collector -> otel.otlpCollector", "otel.otlpCollector.mode is gone"],
    );
    // What was renamed once was renamed elsewhere as well, where two new names are as good.
    let limits = "{properties: {cpu: {}, memory: {}}}";
    json(
        &format!(
            "{{a: {{}}, collector: {{properties: {{mode: {{}}, {collector}}}}}, resources: {{properties: {{m: {limits}, collector: {limits}}}}}}}"
        ),
        &format!(
            "{{a: {{}}, otlpCollector: {{properties: {{{collector}}}}}, resources: {{properties: {{m: {limits}, otlpCollector: {limits}, \
                  logsCollector: {limits}}}}}}}"
        ),
        &["collector -> otlpCollector", "resources.collector -> resources.otlpCollector", "otlpCollector.mode is gone"],
    );
    let shared = |otel: &str, resources: &str| {
        format!(
            "{{definitions: {{r: {{description: Compute resources for containers., properties: {{limits: {{$ref: '#/definitions/s'}}, \
             requests: {{$ref: '#/definitions/s'}}}}}}, s: {{properties: {{cpu: {{}}, memory: {{}}}}}}}}, properties: {{{otel}, resources: \
             {{properties: {{m: {{$ref: '#/definitions/r'}}, n: {{$ref: '#/definitions/r'}}, {resources}}}}}}}}}"
        )
    };
    check(
        Language::JsonSchema,
        &shared(
            &format!("collector: {{properties: {{mode: {{}}, {collector}}}}}"),
            "collector: {$ref: '#/definitions/r'}",
        ),
        &shared(
            &format!("otlpCollector: {{properties: {{{collector}}}}}"),
            "otlpCollector: {$ref: '#/definitions/r'}, logsCollector: {$ref: '#/definitions/r'}",
        ),
        &["collector -> otlpCollector", "resources.collector -> resources.otlpCollector", "otlpCollector.mode is gone"],
    );
    // A large part of a schema with a name that is nothing like it.
    let apps = |more: &str| {
        let names = ["grafana", "harbor", "keycloak", "velero", "loki"];
        let app = |name: &&str| {
            format!("{name}: {{properties: {{enabled: {{type: boolean}}, {name}Password: {{type: string}}}}}}")
        };
        format!("{}{more}", names.iter().map(app).collect::<Vec<_>>().join(", "))
    };
    json(
        &format!("{{a: {{type: string}}, charts: {{properties: {{{}}}}}}}", apps(", kured: {type: string}")),
        &format!("{{a: {{type: string}}, apps: {{properties: {{{}}}}}, b: {{type: integer}}}}", apps("")),
        &["charts -> apps", "apps.kured is gone"],
    );
    // Words in another order, and an app of another name in another map.
    let app = "{properties: {enabled: {type: boolean}, loadBalancerIP: {type: string}, maxBodySize: {type: string, pattern: a}}}";
    json(
        &format!("{{z: {{}}, nginx-ingress: {app}, more: {{}}}}"),
        &format!("{{z: {{}}, ingress-nginx: {app}, more: {{}}, other: {{}}}}"),
        &["nginx-ingress -> ingress-nginx"],
    );
    let keys = "adminName: {}, volumeSize: {}, logLevel: {type: string}, baseDomain: {}, retentionDays: {type: integer}, backupHour: {}";
    json(
        &format!("{{apps: {{properties: {{minio: {{properties: {{{keys}}}}}, z: {{}}}}}}}}"),
        &format!(
            "{{apps: {{properties: {{z: {{}}}}}}, obj: {{properties: {{provider: {{properties: {{{keys}}}}}, kind: {{}}}}}}}}"
        ),
        &["apps.minio -> obj.provider"],
    );
    // Many maps are renamed in the same way, and a key in one of them moves within it.
    json(
        &format!(
            "{{charts: {{properties: {{{}, x: {{properties: {{size: {{type: string, pattern: a}}, zone: {{}}}}}}}}}}}}",
            apps("")
        ),
        &format!(
            "{{apps: {{properties: {{{}, x: {{properties: {{zone: {{}}, disk: {{properties: {{size: {{type: string, pattern: a}}}}}}}}}}}}}}}}",
            apps("")
        ),
        &["charts -> apps", "apps.x.size -> apps.x.disk.size"],
    );
}

#[test]
fn each_map_has_its_own() {
    // Keys with the same name, each of which moves within its own map.
    let old = |app: &str| format!("{app}:\n  image: nginx\n  zone: a\n");
    let new = |app: &str| format!("{app}:\n  container:\n    image: nginx\n  zone: a\n");
    ytt(
        &(old("a") + &old("b") + &old("c")),
        &(new("a") + &new("b") + &old("c")),
        &["a.image -> a.container.image", "b.image -> b.container.image"],
    );
    // One definition in several places.
    let whole = |keys: &str| {
        format!(
            "{{properties: {{a: {{$ref: '#/$defs/r'}}, b: {{$ref: '#/$defs/r'}}}}, additionalProperties: false, \
             $defs: {{r: {{properties: {{{keys}}}, additionalProperties: false}}}}}}"
        )
    };
    check(
        Language::JsonSchema,
        &whole("cpuLimit: {type: string}, z: {}"),
        &whole("limits: {properties: {cpuLimit: {type: string}}}, z: {}"),
        &["a.cpuLimit -> a.limits.cpuLimit", "b.cpuLimit -> b.limits.cpuLimit"],
    );
}

#[test]
fn texts_say_where_something_is() {
    ytt(
        "#@schema/desc \"Which picture\"\npic: nginx\nz: 1\n",
        "container:\n  #@schema/desc \"Formerly pic\"\n  image: httpd\nz: 1\n",
        &["pic -> container.image"],
    );
    // A word about something else.
    ytt(
        "#@schema/desc \"Use it with container.image\"\npic: nginx\nz: 1\n",
        "container:\n  image: httpd\nz: 1\n",
        &["pic is gone"],
    );
    ytt(
        "#@schema/deprecated \"use container.image instead\"\nimage: \"\"\nz: 1\n",
        "container:\n  image: httpd\nother:\n  image: \"\"\nz: 1\n",
        &["image -> container.image"],
    );
    // Another name, with a long description that no other key has.
    ytt(
        "#@schema/desc \"The picture that all pods of the front end begin with\"\npic: nginx\nz: 1\n",
        "container:\n  #@schema/desc \"The picture that all pods of the front end begin with\"\n  start: nginx\nz: 1\n",
        &["pic -> container.start"],
    );
}

#[test]
fn what_is_not_certain_is_not_said() {
    // Two places that are equally good.
    ytt("image: nginx\nz: 1\n", "a:\n  image: nginx\nb:\n  image: nginx\nz: 1\n", &["image is gone"]);
    ytt("a:\n  image: nginx\nb:\n  image: nginx\nz: 1\n", "image: nginx\nz: 1\n", &["a is gone", "b is gone"]);
    // Another type.
    ytt("image: nginx\nz: 1\n", "container:\n  image: 1\nz: 1\n", &["image is gone"]);
    // A flag like many others.
    ytt("enabled: true\nz: 1\n", "metrics:\n  enabled: false\nz: 1\n", &["enabled is gone"]);
    // Another description.
    ytt(
        "#@schema/desc \"The port on which the service listens for requests\"\nport: 80\nz: 1\n",
        "metrics:\n  #@schema/desc \"Where numbers are scraped\"\n  port: 81\nz: 1\n",
        &["port is gone"],
    );
    // One application goes, another one comes; both have what all of them have.
    let app = |name: &str| {
        format!(
            "{name}: {{properties: {{enabled: {{type: boolean}}, resources: {{properties: {{cpu: {{}}, memory: {{}}}}}}}}}}"
        )
    };
    json(
        &format!("{{apps: {{properties: {{{}, {}}}}}}}", app("kured"), app("loki")),
        &format!("{{apps: {{properties: {{{}, {}}}}}}}", app("loki"), app("tempo")),
        &["apps.kured is gone"],
    );
    json(
        &format!("{{apps: {{properties: {{{}}}}}}}", app("kured")),
        &format!("{{apps: {{properties: {{{}}}}}}}", app("tempo")),
        &["apps.kured is gone"],
    );
    // Of three keys, any may be the new one.
    let size = "{properties: {size: {type: string, pattern: a}}}";
    json(
        &format!("{{p: {{properties: {{a: {size}, b: {size}, c: {size}}}}}, z: {{}}}}"),
        "{size: {type: string, pattern: a}, z: {}}",
        &["p is gone"],
    );
}

#[test]
fn large_schemas_are_looked_through_in_reasonable_time() {
    // 2,000 keys, all of them below other maps now, and as many with one name.
    let old: String = (0..2_000).map(|i| format!("keyName{i}: {i}\n")).collect();
    let new: String = (0..2_000).map(|i| format!("group{i}:\n  keyName{i}: {i}\n")).collect();
    let head = "#@data/values-schema\n---\n";
    let found = fates(Language::Ytt, &format!("{head}{old}z: 1\n"), &format!("{head}{new}z: 1\n"));
    assert_eq!(found.iter().filter(|line| line.contains(" -> ")).count(), 2_000);
    let old: String = (0..2_000).map(|i| format!("a{i}:\n  image: x\n  z: 1\n")).collect();
    let new: String = (0..2_000).map(|i| format!("a{i}:\n  c:\n    image: x\n  z: 1\n")).collect();
    let found = fates(Language::Ytt, &format!("{head}{old}"), &format!("{head}{new}"));
    assert_eq!(found.iter().filter(|line| line.contains(" -> ")).count(), 2_000);
}

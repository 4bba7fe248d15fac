//! Kustomizations: paths, patches, and the names of what they put together.

use crate::fixture::Fixture;

const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n";

/// Findings in `over/kustomization.yaml`, beside other files.
fn said(text: &str) -> Vec<String> {
    let base = "#- base/kustomization.yaml\nnamePrefix: my-\nresources: [web.yaml]\nsecretGenerator: [{name: key}]\n";
    let other = DEPLOYMENT.replace("web", "other");
    let files = format!(
        "{base}#- base/web.yaml\n{DEPLOYMENT}#- over/other.yaml\n{other}#- over/patch.yaml\n{DEPLOYMENT}#- over/stray.yaml\n{}\
         #- plain/a.yaml\na: 1\n#- over/kustomization.yaml\n{text}",
        DEPLOYMENT.replace("web", "stray")
    );
    let found = Fixture::scanned(&files).diagnostics("over/kustomization.yaml");
    found.lines().map(|line| line.split_once("kubernetes/").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

#[test]
fn paths_lead_to_files_and_folders() {
    let none: [&str; 0] = [];
    for text in [
        "resources: [other.yaml, ../base, ../base/, ./../base]\n",
        "components: [../base]\n",
        "patches: [{path: patch.yaml}, {patch: 'a: b', target: {kind: Deployment}}]\n",
        "patchesStrategicMerge:\n- patch.yaml\n- |\n  a: b\n",
        "configMapGenerator: [{name: a, files: [other.yaml, k=other.yaml], literals: [nothing=1]}]\n",
        "resources: ['https://example.org/a', github.com/a/b, 'a/b?ref=x', '${A}/b', ../../outside]\n",
        "resources:\n",
    ] {
        assert_eq!(said(&format!("bases: [../base]\n{text}")), none, "{text}");
    }
    for (text, want) in [
        ("resources: [othr.yaml]", "there is no file or folder `othr.yaml`"),
        ("resources: ['../bas']", "there is no file or folder `../bas`"),
        ("resources: [../plain]", "the folder `../plain` has no `kustomization.yaml`"),
        ("components: [../bse]", "there is no folder `../bse`"),
        ("components: [other.yaml]", "`other.yaml` is a file, and this has to be a folder with a kustomization"),
        ("patches: [{path: ../base}]", "`../base` is a folder, and this has to be a file"),
        ("patchesStrategicMerge: [none.yaml]", "there is no file `none.yaml`"),
        ("configMapGenerator: [{name: a, files: [k=none.txt]}]", "there is no file `none.txt`"),
        ("secretGenerator: [{name: a, envs: [none.env]}]", "there is no file `none.env`"),
    ] {
        assert_eq!(said(&format!("{text}\n")), [format!("missing-file {want}")], "{text}");
    }
}

#[test]
fn files_that_no_scan_looks_for_are_found() {
    let fixture = Fixture::scanned(
        "#- kustomization.yaml\nconfigMapGenerator: [{name: a, files: [app.properties, missing.properties]}]\n\
         resources: [ignored/a.yaml, ignored-too]\n#- .gitignore\nignored*\n#- app.properties\na=b\n\
         #- ignored/a.yaml\na: 1\n#- ignored-too/kustomization.yaml\nresources: []\n",
    );
    let found = fixture.diagnostics("kustomization.yaml");
    assert!(found.lines().count() == 1 && found.contains("`missing.properties`"), "{found}");
}

#[test]
fn patches_are_for_resources_of_the_kustomization() {
    let none: [&str; 0] = [];
    let patch =
        |target: &str| said(&format!("resources: [../base, other.yaml]\npatches: [{{target: {target}, patch: x}}]\n"));
    for target in [
        "{kind: Deployment, name: web}",
        "{kind: Deployment, name: my-web}",
        "{kind: Deployment, name: other}",
        "{kind: Deployment, name: we.*}",
        "{kind: Deploy.*, name: web|x}",
        "{name: .*-web}",
        "{group: apps, version: v1}",
        "{labelSelector: '!a'}",
        "{kind: Secret, name: key}",
        "{kind: Secret, annotationSelector: a!=b}",
        "{namespace: default}",
        "{name: '('}",
        "{name: '${NAME}'}",
        "{}",
    ] {
        assert_eq!(patch(target), none, "{target}");
    }
    for (target, what) in [
        ("{kind: Deployment, name: wbe.*}", "Deployment whose name matches `wbe.*`"),
        ("{kind: Deployment, name: w.}", "Deployment whose name matches `w.`"),
        ("{kind: Pod}", "resource of the kind `Pod`"),
        ("{kind: Stateful.*}", "resource whose kind matches `Stateful.*`"),
        ("{name: wbe}", "resource with the name `wbe`"),
        ("{group: app, kind: Deployment}", "Deployment of the group `app`"),
        ("{version: v1beta.}", "resource whose version matches `v1beta.`"),
        ("{kind: Deployment, name: web, namespace: shop}", "Deployment in the namespace `shop`"),
        ("{kind: Secret, labelSelector: a=b}", "Secret whose labels match `a=b`"),
        ("{annotationSelector: a}", "resource whose annotations match `a`"),
    ] {
        assert_eq!(patch(target), [format!("unmatched-patch the kustomization has no {what} to patch")], "{target}");
    }
    for (target, name) in [
        ("{kind: Deployment, name: wbe}", "Deployment `wbe`"),
        ("{kind: Pod, name: web}", "Pod `web`"),
        ("{kind: Deployment, name: my-other}", "Deployment `my-other`"),
        ("{kind: Deployment, name: stray}", "Deployment `stray`"),
    ] {
        assert_eq!(patch(target), [format!("unmatched-patch the kustomization has no {name} to patch")]);
    }
    let of_files =
        said("resources: [other.yaml]\npatches: [{path: patch.yaml}]\npatchesStrategicMerge: [stray.yaml]\n");
    assert_eq!(
        of_files,
        ["Deployment `web`", "Deployment `stray`"]
            .map(|name| format!("unmatched-patch the kustomization has no {name} to patch"))
    );
    // A patch in a text says itself what it is for.
    let of_text = |name: &str| {
        let patch = format!("apiVersion: apps/v1\n    kind: Deployment\n    metadata: {{name: {name}}}");
        let merged = format!("patchesStrategicMerge:\n- |-\n    {patch}\n");
        let listed = format!("patches:\n- patch: |-\n    {patch}\n");
        [merged, listed].map(|patches| said(&format!("resources: [other.yaml]\n{patches}")))
    };
    assert_eq!(of_text("wbe"), [["unmatched-patch the kustomization has no Deployment `wbe` to patch"]; 2]);
    assert_eq!(of_text("other"), [none; 2]);
    assert_eq!(said("resources: [other.yaml]\npatches: [{patch: '[{op: remove, path: /spec/a}]'}]\n"), none);
    // What is not all known, or for others, is not judged.
    for open in [
        "resources: [../base, 'https://a.b/c']",
        "resources: [../base, ../plain/a.yaml]",
        "helmCharts: [{name: a}]\nresources: [../base]",
        "kind: Component\nresources: [../base]",
    ] {
        let text = format!("{open}\npatches: [{{target: {{kind: Deployment, name: wbe}}, patch: x}}]\n");
        assert_eq!(said(&text), none, "{open}");
    }
}

/// What comes before a patch may give its resources labels.
#[test]
fn labels_that_kustomizations_and_patches_add_are_known() {
    let none: [&str; 0] = [];
    let patch = "{target: {labelSelector: 'tier=web'}, patch: x}";
    for (added, before) in [
        ("labels: [{pairs: {tier: web}}]\n", ""),
        ("commonLabels: {tier: web}\n", ""),
        ("commonLabels: {tier: '${TIER}'}\n", ""),
        ("", "{target: {name: web}, patch: '[{op: add, path: /metadata/labels/tier, value: web}]'}, "),
    ] {
        let text = format!("resources: [../base]\n{added}patches: [{before}{patch}]\n");
        assert_eq!(said(&text), none, "{text}");
    }
    for (added, before) in [
        ("labels: [{pairs: {tier: db}}]\n", ""),
        ("commonAnnotations: {tier: web}\n", ""),
        ("", "{target: {name: web}, patch: '[{op: add, path: /spec/replicas, value: 1}]'}, "),
    ] {
        let text = format!("resources: [../base]\n{added}patches: [{before}{patch}]\n");
        let want = "unmatched-patch the kustomization has no resource whose labels match `tier=web` to patch";
        assert_eq!(said(&text), [want], "{text}");
    }
}

#[test]
fn names_are_looked_up_in_the_kustomization_of_a_file() {
    let pod = |name: &str, key: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  - name: c\n    image: i\n    \
             envFrom: [{{configMapRef: {{name: {name}}}}}]\n    env: [{{name: A, valueFrom: {{configMapKeyRef: {{name: settings, key: {key}}}}}}}]\n"
        )
    };
    let found = |kustomization: &str, pod: &str| {
        let schema = "#- pod.json\n{}\n#- lofting.toml\n[[schemas]]\npath = 'pod.json'\nfiles = ['pod.yaml']\n";
        let fixture = Fixture::scanned(&format!("{schema}#- pod.yaml\n{pod}#- kustomization.yaml\n{kustomization}"));
        fixture.diagnostics("pod.yaml").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let kustomization =
        "resources: [pod.yaml]\nconfigMapGenerator: [{name: settings, literals: [level=a], files: [lofting.toml]}]\n";
    let none: [&str; 0] = [];
    assert_eq!(found(kustomization, &pod("settings", "level")), none);
    assert_eq!(found(kustomization, &pod("settings", "lofting.toml")), none);
    assert_eq!(
        found(kustomization, &pod("setings", "levle")),
        [
            "8:37 kubernetes/missing-referent there is no ConfigMap `setings` in this workspace",
            "9:72 kubernetes/missing-referent `settings` has no ConfigMap key `levle`",
        ]
    );
    // Elsewhere may be others.
    assert_eq!(found(kustomization, &pod("certificates", "level")), none);
    assert_eq!(found(&format!("{kustomization}generators: [a.yaml]\n"), &pod("setings", "level")), none);
    assert_eq!(found(&kustomization.replace("pod.yaml", "other.yaml"), &pod("setings", "level")), none);
}

/// Without a kustomization, a part of a document in another file is missing if only this one can be meant.
#[test]
fn parts_of_documents_in_other_files() {
    let pod = |key: &str, more: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  - name: c\n    image: i\n    \
             env: [{{name: A, valueFrom: {{configMapKeyRef: {{name: settings, key: {key}{more}}}}}}}]\n"
        )
    };
    let found = |pod: &str, others: &str| {
        let schema = "#- pod.json\n{}\n#- lofting.toml\n[[schemas]]\npath = 'pod.json'\nfiles = ['pod.yaml']\n";
        let fixture = Fixture::scanned(&format!("{schema}#- pod.yaml\n{pod}{others}"));
        fixture.diagnostics("pod.yaml").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let settings = |path: &str, data: &str| {
        format!("#- {path}\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: settings}}\n{data}\n")
    };
    let none: [&str; 0] = [];
    let own = settings("settings.yaml", "data: {level: a}");
    assert_eq!(found(&pod("level", ""), &own), none);
    let missing = |key: &str| format!("8:72 kubernetes/missing-referent `settings` has no ConfigMap key `{key}`");
    assert_eq!(found(&pod("levle", ""), &own), [missing("levle")]);
    assert_eq!(found(&pod("colour", ""), &own), [missing("colour")]);
    assert_eq!(found(&pod("colour", ", optional: true"), &own), none);
    // In another folder, only a misspelt name is certain.
    let far = settings("base/settings.yaml", "data: {level: a}");
    assert_eq!(found(&pod("levle", ""), &far), [missing("levle")]);
    assert_eq!(found(&pod("colour", ""), &far), none);
    // It is not complete, or another one may be meant, or something else makes one.
    assert_eq!(found(&pod("levle", ""), &settings("settings.yaml", "data: {level: a, <<: *more}")), none);
    assert_eq!(found(&pod("levle", ""), &format!("{own}{}", settings("other.yaml", "data: {a: b}"))), none);
    assert_eq!(found(&pod("levle", ""), &format!("{own}#- a/kustomization.yaml\nresources: [b.yaml]\n")), none);
}

/// Kustomizations put labels into pods and selectors, and make the selectors of workloads.
#[test]
fn what_kustomizations_put_in_is_not_missed() {
    let workload = |selector: &str, labels: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  {selector}template:\n    \
             metadata: {{labels: {{{labels}}}}}\n    spec: {{containers: [{{name: a, image: a}}]}}\n"
        )
    };
    let schema = r#"{"properties": {"spec": {"required": ["selector"]}}}"#;
    let schema =
        format!("#- web.json\n{schema}\n#- lofting.toml\n[[schemas]]\npath = 'web.json'\nfiles = ['**/web.yaml']\n");
    let found = |workload: &str, kustomizations: &str| -> Vec<String> {
        let fixture = Fixture::scanned(&format!("{schema}#- base/web.yaml\n{workload}{kustomizations}"));
        let codes = fixture.diagnostics("base/web.yaml");
        codes.lines().map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned()).collect()
    };
    let (missing, empty) = (workload("", "a: b"), workload("selector: {}\n  ", "a: b"));
    let unmatched = workload("selector: {matchLabels: {app: web}}\n  ", "a: b");
    let own = |text: &str| format!("#- base/kustomization.yaml\nresources: [web.yaml]\n{text}\n");
    let over = |text: &str| format!("{}#- over/kustomization.yml\nresources: [../base]\n{text}\n", own(""));
    let component =
        |text: &str| format!("{}#- part/kustomization.yaml\nkind: Component\n{text}\n", over("components: [../part]"));
    let none: [&str; 0] = [];
    for filling in [
        "commonLabels: {app: web}",
        "labels: [{pairs: {app: web}, includeSelectors: true}]",
        "transformers: [labels.yaml]",
    ] {
        for kustomizations in [own(filling), over(filling), component(filling)] {
            for text in [&missing, &empty, &unmatched] {
                assert_eq!(found(text, &kustomizations), none, "{text}{kustomizations}");
            }
        }
    }
    // Only into pods.
    let of_pods = own("labels: [{pairs: {app: web}, includeTemplates: true}]");
    assert_eq!(found(&unmatched, &of_pods), none);
    assert_eq!(found(&missing, &of_pods), ["json-schema/missing-key"]);
    for kustomizations in [
        String::new(),
        own(""),
        own("labels: [{pairs: {app: web}}]"),
        own("commonLabels: {}"),
        own("commonAnnotations: {app: web}"),
        "#- base/kustomization.yaml\nresources: [other.yaml]\ncommonLabels: {app: web}\n".to_owned(),
    ] {
        assert_eq!(found(&missing, &kustomizations), ["json-schema/missing-key"], "{kustomizations}");
        assert_eq!(found(&empty, &kustomizations), ["kubernetes/required-field"], "{kustomizations}");
        assert_eq!(found(&unmatched, &kustomizations), ["kubernetes/unmatched-selector"], "{kustomizations}");
    }
    assert_eq!(found(&unmatched, &own("commonLabels: {other: web}")), ["kubernetes/unmatched-selector"]);
}

/// A kustomization may have a name without an ending.
#[test]
fn a_kustomization_may_have_no_ending() {
    let fixture = Fixture::scanned(&format!(
        "#- over/Kustomization\nresources: [web.yaml, none.yaml]\npatches: [{{path: replicas.yaml}}]\n#- over/web.yaml\n{DEPLOYMENT}\
         #- over/replicas.yaml\n{DEPLOYMENT}"
    ));
    let found = fixture.diagnostics("over/Kustomization");
    assert!(found.lines().count() == 1 && found.contains("`none.yaml`"), "{found}");
    let explained = fixture.explain();
    assert!(explained.contains("It is a patch; over/Kustomization"), "{explained}");
}

//! What a volume is, in pods and in the cluster.

use super::said;

fn pod(volume: &str) -> Vec<(&'static str, String)> {
    said(&format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{containers: [{{name: a, image: a}}], volumes: [{{name: v, {volume}}}]}}\n"
    ))
}

fn stored(volume: &str) -> Vec<(&'static str, String)> {
    said(&format!(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: a}}\nspec: {{capacity: {{storage: 1Gi}}, accessModes: [ReadWriteOnce], {volume}}}\n"
    ))
}

#[test]
fn sources_that_are_accepted_have_no_findings() {
    for volume in [
        "gcePersistentDisk: {pdName: a, partition: 0}",
        "awsElasticBlockStore: {volumeID: a, partition: 255}",
        "iscsi: {targetPortal: 10.0.0.1, iqn: 'iqn.2015-02.example.com:a.b', lun: 0, initiatorName: eui.0123456789abcdef}",
        "iscsi: {targetPortal: a, iqn: 'naa.0123456789abcdef0123456789ABCDEF', lun: 255, chapAuthSession: true, secretRef: {name: a}}",
        "fc: {targetWWNs: [a], lun: 1}",
        "fc: {wwids: [a]}",
        "flocker: {datasetName: a}",
        "rbd: {monitors: [a], image: b}",
        "flexVolume: {driver: a/b, options: {notkubernetes.io: a}}",
        "azureDisk: {diskName: a, diskURI: 'https://a'}",
        "azureDisk: {diskName: a, diskURI: /subscriptions/a, kind: Managed}",
        "azureDisk: {diskName: a, diskURI: a, kind: '${KIND}'}",
        "storageos: {volumeName: a}",
        "scaleIO: {gateway: a, system: b, volumeName: c, secretRef: {name: d}}",
        "csi: {driver: Disk.example.com, volumeHandle: a}",
    ] {
        assert_eq!(pod(&volume.replace(", volumeHandle: a", "")), [], "{volume}");
        if !volume.starts_with("flocker") {
            assert_eq!(stored(volume), [], "{volume}");
        }
    }
    for volume in [
        "gitRepo: {repository: a, directory: b}",
        "downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.labels}}]}",
        "downwardAPI: {items: [{path: a, resourceFieldRef: {containerName: a, resource: limits.hugepages-2Mi, divisor: 1Mi}}]}",
        "downwardAPI: {items: [{path: a, fieldRef: {fieldPath: \"metadata.annotations['A.example.com/b']\"}}]}",
    ] {
        assert_eq!(pod(volume), [], "{volume}");
    }
    let affinity = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}";
    assert_eq!(stored(&format!("local: {{path: /a}}, {affinity}")), []);
}

#[test]
fn mistakes_in_sources_are_found_in_pods_and_in_the_cluster() {
    for (volume, code, place) in [
        ("gcePersistentDisk: {pdName: ''}", "required-field", "''"),
        ("gcePersistentDisk: {pdName: a, partition: 256}", "number-range", "256"),
        ("awsElasticBlockStore: {volumeID: ''}", "required-field", "''"),
        ("nfs: {server: a, path: b}", "text-form", "b"),
        ("iscsi: {targetPortal: a, iqn: 'iqn.2015-2.example.com:a', lun: 0}", "text-form", "iqn.2015-2.example.com:a"),
        ("iscsi: {targetPortal: a, iqn: 'iqn.2015-02.example.com:', lun: 0}", "text-form", "iqn.2015-02.example.com:"),
        ("iscsi: {targetPortal: a, iqn: disk, lun: 0}", "text-form", "disk"),
        ("iscsi: {targetPortal: a, iqn: eui.0123456789abcdef, lun: 256}", "number-range", "256"),
        ("iscsi: {targetPortal: a, iqn: eui.0123456789abcdef, chapAuthSession: true}", "required-field", "iscsi"),
        ("glusterfs: {endpoints: a, path: ''}", "required-field", "''"),
        ("rbd: {monitors: [], image: b}", "required-field", "[]"),
        ("cephfs: {monitors: []}", "required-field", "[]"),
        ("fc: {lun: 1}", "required-field", "fc"),
        ("fc: {targetWWNs: [a]}", "required-field", "fc"),
        ("fc: {targetWWNs: [a], lun: 256}", "number-range", "256"),
        ("fc: {targetWWNs: [a], wwids: [b], lun: 1}", "excluded-field", "wwids"),
        ("flexVolume: {driver: a, options: {Own.k8s.io/a: b}}", "excluded-field", "Own.k8s.io/a"),
        ("azureDisk: {diskName: a, diskURI: /subscriptions/a}", "text-form", "/subscriptions/a"),
        ("azureDisk: {diskName: a, diskURI: 'https://a', kind: Managed}", "text-form", "https://a"),
        ("storageos: {}", "required-field", "storageos"),
        ("storageos: {volumeName: A}", "text-form", "A"),
        ("csi: {driver: my_disk, volumeHandle: a}", "text-form", "my_disk"),
    ] {
        let found = [(code, place.to_owned())];
        assert_eq!(pod(&volume.replace(", volumeHandle: a", "")), found, "{volume}");
        assert_eq!(stored(volume), found, "{volume}");
    }
}

#[test]
fn mistakes_in_what_only_pods_or_the_cluster_have() {
    let file = |item: &str| pod(&format!("downwardAPI: {{items: [{{path: a, {item}}}]}}"));
    let claim = "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}";
    for (found, code, place) in [
        (pod("gitRepo: {repository: a, directory: ../b}"), "text-form", "../b"),
        (pod("emptyDir: {sizeLimit: -1Gi}"), "number-range", "-1Gi"),
        (pod("secret: {secretName: a, items: [{key: a, path: ..a}]}"), "text-form", "..a"),
        (
            pod(&format!(
                "ephemeral: {{volumeClaimTemplate: {{metadata: {{name: a, labels: {{}}}}, spec: {{{claim}}}}}}}"
            )),
            "excluded-field",
            "name",
        ),
        (
            pod(
                "projected: {sources: [{secret: {name: a, items: [{key: a, path: p}]}}, {configMap: {name: b, items: [{key: a, path: p}]}}]}",
            ),
            "repeated-name",
            "p",
        ),
        (file("fieldRef: {fieldPath: spec.nodeName}"), "text-form", "spec.nodeName"),
        (file("fieldRef: {fieldPath: \"metadata.labels['a b']\"}"), "text-form", "metadata.labels['a b']"),
        (file("resourceFieldRef: {resource: limits.cpu}"), "required-field", "resourceFieldRef"),
        (file("resourceFieldRef: {containerName: a, resource: cpu}"), "text-form", "cpu"),
        (file("resourceFieldRef: {containerName: a, resource: limits.cpu, divisor: 10m}"), "text-form", "10m"),
        (stored("local: {path: /a}"), "required-field", "spec"),
        (stored("nfs: {server: a, path: /a}, nodeAffinity: {}"), "required-field", "nodeAffinity"),
        (stored("csi: {driver: a, volumeHandle: ''}"), "required-field", "''"),
        (
            stored("csi: {driver: a, volumeHandle: a, nodePublishSecretRef: {name: a}}"),
            "required-field",
            "nodePublishSecretRef",
        ),
        (
            stored("hostPath: {path: //.}, persistentVolumeReclaimPolicy: Recycle"),
            "excluded-field",
            "persistentVolumeReclaimPolicy",
        ),
        (stored("hostPath: {path: /a}, nfs: {server: a, path: /b}"), "excluded-field", "nfs"),
    ] {
        assert_eq!(found, [(code, place.to_owned())]);
    }
    let size = "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a}\nspec: {capacity: {storage: 1Gi, size: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /a}}\n";
    assert_eq!(said(size), [("excluded-field", "size".to_owned())]);
}

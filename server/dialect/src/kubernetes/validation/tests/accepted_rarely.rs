//! Resources that few write themselves, which the server accepts.

pub(super) const RARE: [&str; 11] = [
    "
apiVersion: v1
kind: Endpoints
metadata: {name: boats}
subsets:
- addresses: [{ip: 10.1.2.3, hostname: first}, {ip: 'fd00::1'}]
  ports: [{name: http, port: 80, appProtocol: kubernetes.io/h2c}, {name: https, port: 443, protocol: TCP}]
- notReadyAddresses: [{ip: 010.1.2.4}]
",
    "
apiVersion: v1
kind: Node
metadata: {name: pier}
spec:
  podCIDRs: [10.1.0.0/16]
  taints: [{key: boats, value: only, effect: NoSchedule}, {key: boats, effect: NoExecute}]
",
    "
apiVersion: v1
kind: Namespace
metadata: {name: boats, finalizers: [example.com/own, orphan]}
spec: {finalizers: [kubernetes]}
",
    "
apiVersion: v1
kind: PodTemplate
metadata: {name: boat}
template:
  spec: {containers: [{name: crew, image: crew:1}]}
",
    "
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: pier}
spec: {drivers: [{name: disk.example.com, nodeID: pier, topologyKeys: [example.com/zone]}]}
",
    "
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: cargo}
spec: {attacher: disk.example.com, nodeName: pier, source: {persistentVolumeName: cargo}}
",
    "
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: jane}
spec:
  # -----BEGIN CERTIFICATE REQUEST-----
  request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K
  signerName: kubernetes.io/kube-apiserver-client
  expirationSeconds: 86400
  usages: [client auth, digital signature]
",
    "
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: boats}
spec:
  type: Limited
  limited:
    nominalConcurrencyShares: 100
    limitResponse: {type: Queue, queuing: {queues: 512, handSize: 4, queueLengthLimit: 100}}
",
    "
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: sonar.example.com}
spec:
  selectors:
  - cel: {expression: device.driver == 'sonar.example.com'}
",
    "
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: sonar}
spec:
  devices:
    requests:
    - name: deep
      deviceClassName: sonar.example.com
      selectors:
      - cel:
          expression: device.attributes['sonar.example.com'].depth > 100
",
    "
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: sonar}
spec:
  spec:
    devices:
      requests:
      - name: best
        firstAvailable:
        - name: deep
          deviceClassName: sonar.example.com
          selectors:
          - cel:
              expression: device.capacity['sonar.example.com'].memory.isGreaterThan(quantity('1Gi'))
      constraints: [{requests: [best], matchAttribute: sonar.example.com/model}]
",
];

//! A resource of each kind that the server accepts.

pub(super) const ACCEPTED: [&str; 37] = [
    "
apiVersion: v1
kind: Pod
metadata: {name: boat}
spec:
  hostname: boat
  nodeSelector: {disk: ssd}
  securityContext: {runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
  hostAliases: [{ip: 10.0.0.1, hostnames: [pier.example.com]}]
  tolerations:
  - {key: dedicated, operator: Exists}
  - {operator: Exists}
  - {key: a, value: b, effect: NoExecute, tolerationSeconds: 5}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 100, podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {}}}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: boat}}}
  volumes:
  - name: cargo
    emptyDir: {}
  - name: stores
    secret: {secretName: keys, defaultMode: 0400, items: [{key: key, path: of/key}]}
  - name: nothing
  initContainers:
  - name: first
    image: first:1
    command: [first]
  - name: beside
    image: beside:1
    restartPolicy: Always
    startupProbe: {tcpSocket: {port: 1}}
  containers:
  - name: crew
    image: crew:1
    env:
    - {name: KEY, value: text}
    - {name: key.of-a_b, valueFrom: {secretKeyRef: {name: keys, key: key.txt}}}
    - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: NAME, value: again}
    envFrom: [{configMapRef: {name: settings}}]
    ports:
    - {name: http, containerPort: 8080}
    - {name: metrics, containerPort: 8080}
    - {containerPort: 53, protocol: UDP}
    volumeMounts:
    - {name: cargo, mountPath: /cargo, subPath: below}
    - {name: stores, mountPath: /stores}
    livenessProbe: {httpGet: {port: http}, periodSeconds: 5}
    readinessProbe: {exec: {command: [ready]}}
    lifecycle: {preStop: {sleep: {seconds: 5}}}
    resources:
      requests: {memory: 512Mi, cpu: 0.5, example.com/gpu: 1}
      limits: {memory: 1Gi, example.com/gpu: 1}
    securityContext: {privileged: false, allowPrivilegeEscalation: false}
",
    "
apiVersion: apps/v1
kind: Deployment
metadata: {name: boat}
spec:
  replicas: 2
  selector: {matchLabels: {app: boat}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 25%}}
  template:
    metadata: {labels: {app: boat}}
    spec:
      restartPolicy: Always
      containers: [{name: crew, image: crew:1}]
",
    "
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: boat}
spec:
  selector: {matchExpressions: [{key: app, operator: Exists}]}
  template:
    metadata: {labels: {app: boat}}
    spec:
      restartPolicy: Always
      containers: [{name: crew, image: crew:1}]
",
    "
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: boat}
spec:
  serviceName: boat
  selector: {matchLabels: {app: boat}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}
  template:
    metadata: {labels: {app: boat}}
    spec:
      containers: [{name: crew, image: crew:1, volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]
",
    "
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: boat}
spec:
  selector: {matchLabels: {app: boat}}
  updateStrategy: {rollingUpdate: {maxUnavailable: 1}}
  template:
    metadata: {labels: {app: boat}}
    spec:
      hostNetwork: true
      containers: [{name: crew, image: crew:1, ports: [{containerPort: 80, hostPort: 80}]}]
",
    "
apiVersion: v1
kind: ReplicationController
metadata: {name: boat}
spec:
  selector: {app: boat}
  template:
    metadata: {labels: {app: boat}}
    spec: {containers: [{name: crew, image: crew:1}]}
",
    "
apiVersion: batch/v1
kind: Job
metadata: {name: boat}
spec:
  completions: 1
  backoffLimit: 1
  template:
    spec:
      restartPolicy: Never
      containers: [{name: crew, image: crew:1}]
",
    "
apiVersion: batch/v1
kind: CronJob
metadata: {name: boat}
spec:
  schedule: '*/5 * * * *'
  timeZone: Europe/Berlin
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: crew, image: crew:1}]
",
    "
apiVersion: v1
kind: Service
metadata: {name: boat}
spec:
  type: ClusterIP
  clusterIP: ''
  selector: {app: boat}
  ports:
  - {name: http, port: 80, targetPort: web}
  - {port: 443, name: https}
  - {name: dns, port: 80, protocol: UDP}
",
    "
apiVersion: v1
kind: Service
metadata: {name: outside}
spec: {type: ExternalName, externalName: example.com.}
",
    "
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: boat}
spec:
  ingressClassName: web
  tls: [{hosts: ['*.example.com'], secretName: keys}]
  rules:
  - host: boat.example.com
    http:
      paths:
      - {pathType: Prefix, path: /, backend: {service: {name: boat, port: {number: 80}}}}
      - {pathType: ImplementationSpecific, backend: {resource: {kind: Box, name: boat}}}
  - http: {paths: [{pathType: Exact, path: /a, backend: {service: {name: boat, port: {name: http}}}}]}
",
    "
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: boat}
spec:
  podSelector: {}
  ingress:
  - from:
    - ipBlock: {cidr: 10.0.0.0/8}
    - namespaceSelector: {}
    ports: [{port: 80, endPort: 90}, {port: http}]
  egress: [{}]
",
    "
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: boat}
spec:
  minAvailable: 50%
  selector: {matchLabels: {app: boat}}
",
    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: boat}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: boat}
  minReplicas: 2
  maxReplicas: 5
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
",
    "
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  settings.yml: 'a: 1'
  .env: A=1
binaryData:
  picture.png: aGk=
",
    "
apiVersion: v1
kind: Secret
metadata: {name: keys}
type: kubernetes.io/tls
data:
  tls.crt: aGk=
stringData:
  tls.key: text
",
    "
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: cargo}
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 1Gi
",
    "
apiVersion: v1
kind: PersistentVolume
metadata: {name: cargo}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /cargo}
",
    "
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: crew}
rules:
- apiGroups: ['']
  verbs: [get]
  resources: [pods]
",
    "
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: crew}
rules:
- {verbs: [get], nonResourceURLs: [/healthz]}
- {verbs: ['*'], apiGroups: ['*'], resources: ['*']}
",
    "
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: crew}
roleRef: {kind: Role, name: crew, apiGroup: rbac.authorization.k8s.io}
subjects:
- {kind: ServiceAccount, name: crew}
- {kind: User, name: jane}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crew}
roleRef: {kind: ClusterRole, name: crew, apiGroup: rbac.authorization.k8s.io}
subjects:
- {kind: ServiceAccount, name: crew, namespace: boats}
",
    "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: check}
webhooks:
- name: check.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  timeoutSeconds: 5
  clientConfig:
    url: https://a.example.com
  rules: [{operations: [CREATE], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]
  matchConditions:
  - {name: no-leases, expression: '!(request.resource.group == \"coordination.k8s.io\")'}
  - {name: no-rbac, expression: authorizer.requestResource.check('breakglass').allowed()}
",
    "
apiVersion: v1
kind: LimitRange
metadata: {name: boats}
spec:
  limits:
  - type: Container
    min: {cpu: 100m}
    max: {cpu: '2', memory: 2Gi}
    default: {cpu: 500m}
    defaultRequest: {cpu: 200m}
    maxLimitRequestRatio: {cpu: 4, memory: 100}
  - type: Pod
    max: {memory: 4Gi, ephemeral-storage: 1Gi, example.com/sail: 2}
  - type: PersistentVolumeClaim
    min: {storage: 1Gi}
",
    "
apiVersion: v1
kind: ResourceQuota
metadata: {name: boats}
spec:
  hard:
    pods: 10
    requests.cpu: '1'
    limits.memory: 2Gi
    count/deployments.apps: 4
    requests.example.com/sail: 2
    hugepages-2Mi: 1Gi
  scopes: [NotTerminating, NotBestEffort]
  scopeSelector:
    matchExpressions:
    - {scopeName: PriorityClass, operator: In, values: [high]}
    - {scopeName: NotBestEffort, operator: Exists}
",
    "
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: boats}
spec:
  controller: example.com/boats
  parameters: {kind: Boat, name: own, scope: Namespace, namespace: boats}
",
    "
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.boats.example.com}
spec:
  group: boats.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  service: {name: boats, namespace: boats, port: 443}
  caBundle: YQ==
",
    "
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: boats}
addressType: IPv4
endpoints:
- addresses: [10.1.2.3]
  hostname: first
  nodeName: node.example.com
ports:
- {name: http, port: 80, protocol: TCP}
- {name: https, port: 443}
",
    "
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: disk.csi.Example.com
reclaimPolicy: Retain
",
    "
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: disk.csi.example.com}
spec: {fsGroupPolicy: File, volumeLifecycleModes: [Persistent]}
",
    "
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000000
",
    "
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sealed}
handler: runsc
scheduling:
  nodeSelector: {sealed: 'yes'}
  tolerations: [{key: sealed, operator: Exists}]
",
    "
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: first, leaseDurationSeconds: 15, leaseTransitions: 0}
",
    "
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: boats}
spec:
  matchingPrecedence: 1000
  priorityLevelConfiguration: {name: low}
  distinguisherMethod: {type: ByUser}
  rules:
  - subjects: [{kind: ServiceAccount, serviceAccount: {name: crew, namespace: boats}}]
    resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*']}]
",
    "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: boats}
spec: {scaleTargetRef: {kind: Deployment, name: boats}, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80}
",
    "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: check}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConditions:
  - name: no-leases
    expression: request.resource.group != 'coordination.k8s.io'
  variables:
  - {name: size, expression: object.spec.replicas}
  - {name: tier, expression: 'has(object.metadata.labels) ? string(object.metadata.labels.tier) : \"free\"'}
  - {name: isFree, expression: variables.tier == 'free'}
  - {name: unused, expression: object.kind}
  validations:
  - expression: variables.size < 5 && !variables.isFree
    messageExpression: \"'too many for ' + variables.tier\"
    reason: Invalid
  - expression: object.spec.replicas <= int(params.data['max-replicas'])
  - expression: authorizer.group('apps').resource('deployments').namespace(request.namespace).check('scale').allowed()
  auditAnnotations:
  - {key: size, valueExpression: '\"size \" + string(variables.size)'}
",
    "
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: sidecar}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
  variables:
  - {name: first, expression: object.spec.containers[0]}
  matchConditions:
  - {name: is-bare, expression: '!object.spec.?initContainers.orValue([]).exists(c, c.name == \"mesh\")'}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >
        Object{spec: Object.spec{initContainers: [
          Object.spec.initContainers{name: \"mesh\", image: variables.first.image}
        ]}}
  - patchType: JSONPatch
    jsonPatch:
      expression: '[JSONPatch{op: \"add\", path: \"/metadata/labels/a\", value: \"b\"}]'
",
    "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: check}
spec:
  policyName: check
  validationActions: [Deny, Audit]
  paramRef: {name: own, parameterNotFoundAction: Deny}
",
];

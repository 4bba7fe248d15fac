//! The variables, fields and functions that the platform provides for expressions, over all its releases. Newer
//! releases may have more, so these are proposed and explained, but nothing is reported about unknown ones.

/// A field, or a variable.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The type of its values.
    pub value: FieldType,
    /// Its meaning, in a sentence.
    pub meaning: &'static str,
}

/// Types of fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldType {
    /// Any.
    Unknown,
    /// A number.
    Number,
    /// Text.
    String,
    /// A map of texts.
    Texts,
    /// An array.
    List,
    /// A map with these fields.
    Fields(&'static [Field]),
    /// A map of values with these fields.
    MapOf(&'static [Field]),
}

const fn field(name: &'static str, value: FieldType, meaning: &'static str) -> Field {
    Field { name, value, meaning }
}

const fn text(name: &'static str, meaning: &'static str) -> Field {
    field(name, FieldType::String, meaning)
}

static METADATA: &[Field] = &[
    text("name", "The name of what is rendered, unique for component and environment."),
    text("namespace", "The namespace that is rendered into."),
    text("componentName", "The name of the component."),
    text("componentUID", "The identity of the component."),
    text("componentNamespace", "The namespace of the component."),
    text("projectName", "The name of the project."),
    text("projectUID", "The identity of the project."),
    text("environmentName", "The name of the environment."),
    text("environmentUID", "The identity of the environment."),
    text("dataPlaneName", "The name of the data plane."),
    text("dataPlaneUID", "The identity of the data plane."),
    field("labels", FieldType::Texts, "Labels that everything rendered should have."),
    field("annotations", FieldType::Texts, "Annotations that everything rendered should have."),
    field("podSelectors", FieldType::Texts, "Labels by which pods are selected."),
];

/// What a run of a workflow is called.
static METADATA_OF_RUN: &[Field] = &[
    text("workflowRunName", "The name of the run."),
    text("namespaceName", "The namespace of the run."),
    text("namespace", "The namespace that is rendered into."),
    field("labels", FieldType::Texts, "Labels of the run."),
    text("componentName", "The name of the component, in workflows of components before 0.17."),
    text("projectName", "The name of the project, in workflows of components before 0.17."),
];

static METADATA_OF_RESOURCE: &[Field] = &[
    text("name", "The name of what is rendered, unique for resource and environment."),
    text("namespace", "The namespace that is rendered into."),
    text("resourceName", "The name of the resource."),
    text("resourceNamespace", "The namespace of the resource."),
    text("resourceUID", "The identity of the resource."),
    text("projectName", "The name of the project."),
    text("projectUID", "The identity of the project."),
    text("environmentName", "The name of the environment."),
    text("environmentUID", "The identity of the environment."),
    text("dataPlaneName", "The name of the data plane."),
    text("dataPlaneUID", "The identity of the data plane."),
    field("labels", FieldType::Texts, "Labels that everything rendered should have."),
    field("annotations", FieldType::Texts, "Annotations that everything rendered should have."),
];

/// The fields of `metadata` in documents of a kind.
pub fn metadata(kind: &str) -> &'static [Field] {
    match kind {
        kind if kind.ends_with("Workflow") => METADATA_OF_RUN,
        kind if kind.ends_with("ResourceType") => METADATA_OF_RESOURCE,
        _ => METADATA,
    }
}

static LISTENER: &[Field] = &[
    text("listenerName", "The listener's name."),
    field("port", FieldType::Number, "Its port."),
    text("host", "Its host."),
];

static ENDPOINT_GATEWAY: &[Field] = &[
    text("name", "The gateway's name."),
    text("namespace", "Its namespace."),
    field("http", FieldType::Fields(LISTENER), "The listener for HTTP."),
    field("https", FieldType::Fields(LISTENER), "The listener for HTTPS."),
    field("tls", FieldType::Fields(LISTENER), "The listener for TLS."),
];

static DIRECTION: &[Field] = &[
    field("external", FieldType::Fields(ENDPOINT_GATEWAY), "The gateway to the outside; may be absent."),
    field("internal", FieldType::Fields(ENDPOINT_GATEWAY), "The gateway inside the organisation; may be absent."),
];

static GATEWAY: &[Field] = &[
    field("ingress", FieldType::Fields(DIRECTION), "Gateways for what comes in; may be absent."),
    field("egress", FieldType::Fields(DIRECTION), "Gateways for what goes out; may be absent."),
];

static REFERENCE: &[Field] = &[text("kind", "The kind of the document."), text("name", "Its name.")];

static DATA_PLANE: &[Field] = &[
    text("secretStore", "The store of secrets; may be absent."),
    field("gateway", FieldType::Fields(GATEWAY), "The gateways of the data plane; may be absent."),
    field("observabilityPlaneRef", FieldType::Fields(REFERENCE), "The observability plane; may be absent."),
    field("annotations", FieldType::Texts, "Annotations of the data plane; may be absent."),
];

static ENVIRONMENT: &[Field] = &[
    field("gateway", FieldType::Fields(GATEWAY), "The gateways of the environment; may be absent."),
    text("defaultNotificationChannel", "Where alerts go; may be absent."),
];

static CONTAINER: &[Field] = &[
    text("image", "The image that is run."),
    field("command", FieldType::List, "The command; may be absent."),
    field("args", FieldType::List, "Its arguments; may be absent."),
];

static ENDPOINT: &[Field] = &[
    text("type", "The protocol, such as `HTTP`."),
    field("port", FieldType::Number, "The port that others use."),
    field("targetPort", FieldType::Number, "The port of the container."),
    text("basePath", "The path before all others; may be absent."),
    field("visibility", FieldType::List, "Who may use it."),
    text("displayName", "A name for people; may be absent."),
];

static WORKLOAD: &[Field] = &[
    field("container", FieldType::Fields(CONTAINER), "The container that is run."),
    field("endpoints", FieldType::MapOf(ENDPOINT), "Endpoints by their name."),
];

static CONFIGURED: &[Field] =
    &[field("envs", FieldType::List, "Environment variables."), field("files", FieldType::List, "Files.")];

static CONFIGURATIONS: &[Field] = &[
    field("configs", FieldType::Fields(CONFIGURED), "What is not a secret."),
    field("secrets", FieldType::Fields(CONFIGURED), "Secrets."),
];

static DEPENDENCIES: &[Field] = &[
    field("items", FieldType::List, "What the component depends on."),
    field("resources", FieldType::List, "Resources among them."),
    field("envVars", FieldType::List, "Environment variables that tell of them."),
    field("volumeMounts", FieldType::List, "Mounts of their files."),
    field("volumes", FieldType::List, "Volumes with their files."),
];

static TRAIT: &[Field] =
    &[text("name", "The name of the trait."), text("instanceName", "The name that the component gave to it.")];

static WORKFLOW_PLANE: &[Field] = &[text("secretStore", "The store of secrets.")];

/// The variables, without those that schemas declare.
pub static VARIABLES: &[Field] = &[
    field("metadata", FieldType::Fields(METADATA), "Names and labels that the platform made."),
    field("workload", FieldType::Fields(WORKLOAD), "What the component runs."),
    field("configurations", FieldType::Fields(CONFIGURATIONS), "The component's configuration and secrets."),
    field("dependencies", FieldType::Fields(DEPENDENCIES), "What the component depends on."),
    field("environment", FieldType::Fields(ENVIRONMENT), "The environment that is rendered for."),
    field("dataplane", FieldType::Fields(DATA_PLANE), "Where the environment is."),
    field("gateway", FieldType::Fields(GATEWAY), "The gateways of environment or data plane."),
    field("trait", FieldType::Fields(TRAIT), "The trait; in traits."),
    field("workflowplane", FieldType::Fields(WORKFLOW_PLANE), "Where workflows run; in workflows."),
    field("externalRefs", FieldType::Unknown, "Documents that the workflow refers to, by their id; in workflows."),
    field(
        "resource",
        FieldType::Unknown,
        "What was rendered; in conditions of patches and checks of what was rendered.",
    ),
    field("applied", FieldType::Unknown, "What was applied, by its id, with its status; in resource types."),
    field("connections", FieldType::Unknown, "Connections to other components; before 1.0."),
];

/// Names that occur only before names of functions.
pub static PREFIXES: &[&str] =
    &["math", "base64", "sets", "optional", "strings", "lists", "encoders", "regex", "json", "url"];

/// Names of types, which are values as well: `type(a) == int`.
pub static TYPES: &[&str] = &["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];

/// Where types of other packages are named: these words, before the last one with a dot between each.
pub const PACKAGE: [&str; 2] = ["google", "protobuf"];

/// The types in the package.
pub static PACKAGED: &[&str] = &["Duration", "Timestamp"];

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub call: &'static str,
    /// Its result, in a sentence.
    pub meaning: &'static str,
}

const fn function(name: &'static str, call: &'static str, meaning: &'static str) -> Function {
    Function { name, call, meaning }
}

/// Methods of values that the platform provides.
static METHODS: &[(&[Field], &[Function])] = &[
    (
        CONFIGURATIONS,
        &[
            function("toContainerEnvs", "toContainerEnvs()", "Environment variables of the container, as `env`."),
            function("toContainerEnvFrom", "toContainerEnvFrom()", "Sources of environment variables, as `envFrom`."),
            function("toContainerVolumeMounts", "toContainerVolumeMounts()", "Mounts of the files."),
            function("toVolumes", "toVolumes()", "Volumes with the files."),
            function("toConfigEnvsByContainer", "toConfigEnvsByContainer()", "Variables that are not secret."),
            function("toSecretEnvsByContainer", "toSecretEnvsByContainer()", "Variables that are secret."),
            function("toConfigFileList", "toConfigFileList()", "Files that are not secret."),
            function("toSecretFileList", "toSecretFileList()", "Files that are secret."),
        ],
    ),
    (
        WORKLOAD,
        &[
            function("toServicePorts", "toServicePorts()", "The endpoints as `ports` of a Service."),
            function("toEndpointResources", "toEndpointResources(name)", "Resources of the endpoint."),
        ],
    ),
];

/// The methods of values with these fields.
pub fn methods(fields: &'static [Field]) -> &'static [Function] {
    METHODS.iter().find(|(own, _)| *own == fields).map(|(_, methods)| *methods).unwrap_or_default()
}

/// Functions that are called without a receiver: the platform's own, and the most common ones of the language.
pub static FUNCTIONS: &[Function] = &[
    function("oc_omit", "oc_omit()", "Leaves the key out."),
    function("oc_merge", "oc_merge(map, …)", "The maps as one; of equal keys the last counts."),
    function("oc_generate_name", "oc_generate_name(text, …)", "A name of these parts that is valid and unique."),
    function("oc_dns_label", "oc_dns_label(text, …)", "A name of these parts that is valid in addresses."),
    function("oc_hash", "oc_hash(text)", "A short text that differs for different texts."),
    function("has", "has(value.field)", "Whether the field is there."),
    function("size", "size(value)", "The number of characters, items or keys."),
    function("string", "string(value)", "The value as text."),
    function("int", "int(value)", "The value as an integer."),
    function("double", "double(value)", "The value as a number."),
    function("bool", "bool(text)", "The text as a boolean."),
    function("type", "type(value)", "The type of the value."),
];

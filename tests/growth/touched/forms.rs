//! The ways to give long arrays, maps and streams.

/// A map or an array of integers, about which a JSON Schema says something as a whole.
macro_rules! whole {
    (map, $name:literal, $keywords:literal) => {
        whole!($name, ("key_@N: ", "\n"), "additionalProperties", $keywords)
    };
    (array, $name:literal, $keywords:literal) => {
        whole!($name, ("- ", "\n"), "items", $keywords)
    };
    ($name:literal, $item:expr, $values:literal, $keywords:literal) => {
        Form {
            name: $name,
            files: &[(
                "schema.json",
                concat!(
                    r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", ""#,
                    $values,
                    r#"": {"type": "integer"}, "#,
                    $keywords,
                    "}"
                ),
            )],
            path: "values.yml",
            head: "# yaml-language-server: $schema=schema.json\n",
            item: $item,
        }
    };
}

/// A way to give values.
pub struct Form {
    pub name: &'static str,
    /// `@KEYS` in a text is all items.
    pub files: &'static [(&'static str, &'static str)],
    /// The edited file, with the text above its items.
    pub path: &'static str,
    pub head: &'static str,
    /// An item up to its number, and the rest of it. `@N` is its number as well.
    pub item: (&'static str, &'static str),
}

const ITEM: (&str, &str) = ("- port: ", "\n  name: x\n");

/// Of any type, so that a letter is wrong in an escape only.
const ANYTHING: (&str, &str) = ("  key_@N: \"\\x4", "\"\n");

const YTT: (&str, &str) = ("schema.yml", "#@data/values-schema\n---\nitems:\n- port: 0\n  name: \"\"\n");
const ANY: (&str, &str) = ("schema.yml", "#@data/values-schema\n---\n#@schema/type any=True\nkeys: {}\n");
const PATCHES: (&str, &str) =
    ("schema.yml", "#@data/values-schema\n---\nold: \"\"\npatches:\n- name: \"\"\nitems:\n- port: 0\n  name: \"\"\n");
const PROPOSAL: (&str, &str) =
    ("schema.yml", "#@schema/definition data_values=True\n---\nitems:\n- port: 0\n  name: \"\"\n");
const JSON: (&str, &str) = (
    "schema.json",
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"items": {"items": {"properties": {"port": {"type": "integer"}}}}}}"#,
);
const JSON_MAP: (&str, &str) = (
    "schema.json",
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": {"type": "integer"}}"#,
);
const CRD: (&str, &str) = (
    "crd.yml",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  names: {kind: Many}\n  \
     versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            \
     type: object\n            properties:\n              items:\n                type: array\n                items:\n                  \
     type: object\n                  properties:\n                    port: {type: integer}\n                    name: {type: string}\n",
);

pub const FORMS: &[Form] = &[
    Form { name: "plain, beside a schema", files: &[YTT], path: "values.yml", head: "items:\n", item: ITEM },
    Form { name: "annotated", files: &[YTT], path: "values.yml", head: "#@data/values\n---\nitems:\n", item: ITEM },
    Form {
        name: "annotated, with comments",
        files: &[YTT],
        path: "values.yml",
        head: "#! Why.\n#@data/values\n---\n#! These.\nitems: #! all\n",
        item: ITEM,
    },
    Form {
        name: "annotated, with comments at all items",
        files: &[YTT],
        path: "values.yml",
        head: "#@data/values\n---\nitems:\n",
        item: ("#! @N\n- port: ", "\n  name: x #! why\n"),
    },
    Form {
        name: "values of a set",
        files: &[
            ("config/schema.yml", YTT.1),
            ("lofting.toml", "[sets.all]\nfiles = ['config']\nvalues = ['dev.yml']\n"),
        ],
        path: "dev.yml",
        head: "items:\n",
        item: ITEM,
    },
    Form {
        name: "annotated values in a set",
        files: &[("config/schema.yml", YTT.1), ("lofting.toml", "[sets.all]\nfiles = ['config']\n")],
        path: "config/values.yml",
        head: "#@data/values\n---\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "values of a proposal's schema",
        files: &[PROPOSAL],
        path: "values.yml",
        head: "#@data/values\n---\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "a JSON Schema by its modeline",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "a JSON Schema by its key",
        files: &[JSON],
        path: "values.yml",
        head: "$schema: schema.json\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "a custom resource",
        files: &[CRD],
        path: "many.yml",
        head: "apiVersion: example.com/v1\nkind: Many\nspec:\n  items:\n",
        item: ("  - port: ", "\n    name: x\n"),
    },
];

/// Values in which annotations say how they are laid over others.
pub const OVERLAID: &[Form] = &[
    Form {
        name: "an annotation above the document",
        files: &[YTT],
        path: "values.yml",
        head: "#@data/values\n#@overlay/match-child-defaults missing_ok=True\n---\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "an annotation above the array",
        files: &[YTT],
        path: "values.yml",
        head: "#@data/values\n---\n#@overlay/replace\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "an annotation on each item",
        files: &[YTT],
        path: "values.yml",
        head: "#@data/values\n---\nitems:\n",
        item: ("#@overlay/append\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "an annotation on a key of each item",
        files: &[YTT],
        path: "values.yml",
        head: "#@data/values\n---\n#@overlay/match missing_ok=True\nitems:\n",
        item: ("- port: ", "\n  name: x #@overlay/match missing_ok=True\n"),
    },
    Form {
        name: "annotations in a file of a set",
        files: &[("config/schema.yml", YTT.1), ("lofting.toml", "[sets.all]\nfiles = ['config']\n")],
        path: "config/values.yml",
        head: "#@data/values\n---\n#@overlay/replace\nitems:\n",
        item: ("#@overlay/append\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "an annotation on each key of one map",
        files: &[("schema.yml", "#@data/values-schema\n---\nkeys:\n@KEYS")],
        path: "values.yml",
        head: "#@data/values\n---\nkeys:\n",
        item: ("  #@overlay/match missing_ok=True\n  key_@N: ", "\n"),
    },
];

/// Values beside others of which only merging tells what their annotations do.
pub const BESIDE_MERGED: &[Form] = &[
    Form {
        name: "items beside some that are matched by name",
        files: &[PATCHES],
        path: "values.yml",
        head: "#@data/values\n---\npatches:\n#@overlay/match by=\"name\", missing_ok=True\n- name: x\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "items beside a key that is removed",
        files: &[PATCHES],
        path: "values.yml",
        head: "#@data/values\n---\n#@overlay/remove\nold: x\nitems:\n",
        item: ITEM,
    },
    Form {
        name: "items beside others that are inserted",
        files: &[PATCHES],
        path: "values.yml",
        head: "#@data/values\n---\npatches:\n- name: x\n#@overlay/match by=\"name\"\n#@overlay/insert after=True\n- name: \
               x\n#@overlay/replace\nitems:\n",
        item: ("#@overlay/append\n- port: ", "\n  name: x\n"),
    },
];

/// Items that are matched, of which none can be checked without the others.
pub const MATCHED: &[Form] = &[Form {
    name: "items that are matched by name",
    files: &[YTT],
    path: "values.yml",
    head: "#@data/values\n---\nitems:\n",
    item: ("#@overlay/match by=\"name\", missing_ok=True\n- port: ", "\n  name: x@N\n"),
}];

/// Maps that are as long.
pub const MAPS: &[Form] = &[
    Form {
        name: "keys of one map with a JSON Schema",
        files: &[JSON_MAP],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\n",
        item: ("key_@N: ", "\n"),
    },
    Form { name: "keys of one map of any type", files: &[ANY], path: "values.yml", head: "keys:\n", item: ANYTHING },
    Form {
        name: "maps in a map of any type",
        files: &[ANY],
        path: "values.yml",
        head: "keys:\n",
        item: ("  key_@N:\n    port: \"\\x4", "\"\n"),
    },
    Form {
        name: "keys of one map of any type in values",
        files: &[ANY],
        path: "values.yml",
        head: "#@data/values\n---\n#@overlay/match-child-defaults missing_ok=True\nkeys:\n",
        item: ANYTHING,
    },
    Form {
        name: "keys of one map in values",
        files: &[("schema.yml", "#@data/values-schema\n---\nkeys:\n@KEYS")],
        path: "values.yml",
        head: "#@data/values\n---\nkeys:\n",
        item: ("  key_@N: ", "\n"),
    },
];

/// Collections about which a schema says something as a whole.
pub const WHOLE_MAPS: &[Form] = &[
    whole!(map, "required keys", r#""required": ["key_1", "key_99", "key_399"]"#),
    whole!(map, "a number of keys", r#""minProperties": 2, "maxProperties": 1000000"#),
    whole!(
        map,
        "keys that need others",
        r#""dependentRequired": {"key_1": ["key_9"]}, "dependentSchemas": {"key_2": {}}"#
    ),
    whole!(map, "names of keys", r#""propertyNames": {"pattern": "^(k|h)"}"#),
    whole!(map, "conditions", r#""if": {"required": ["key_1"]}, "then": {"required": ["key_2"]}"#),
    whole!(
        map,
        "alternatives",
        r#""oneOf": [{"required": ["key_1"]}, {"required": ["none"]}], "not": {"required": ["no"]}"#
    ),
];
pub const WHOLE_ARRAYS: &[Form] = &[
    whole!(array, "a number of items", r#""minItems": 2, "maxItems": 1000000"#),
    whole!(array, "first items", r#""prefixItems": [{"type": "integer"}, {}]"#),
    whole!(array, "items that it contains", r#""contains": {"const": 7}"#),
    whole!(array, "conditions on items", r#""if": {"minItems": 9}, "then": {"contains": {"minimum": 9}}"#),
];

/// Texts that another program changes.
pub const CHANGED: &[Form] = &[Form {
    name: "texts that another program changes",
    files: &[JSON],
    path: "values.yml",
    head: "# yaml-language-server: $schema=schema.json\nitems:\n",
    item: ("- port: ", "\n  name: ${NAME}\n"),
}];

/// Streams with something in each document that only lowering reads.
pub const ODD: &[Form] = &[
    Form {
        name: "an alias in each document",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\n",
        item: ("---\na: &a x\nb: *a\nitems:\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "a tag in each document",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\n",
        item: ("---\na: !!str x\nitems:\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "an explicit key in each document",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\n",
        item: ("---\n? a\n: x\nitems:\n- port: ", "\n  name: x\n"),
    },
];

/// Expressions in templates, which a language reads inside texts.
pub const EXPRESSIONS: &[Form] = &[
    Form {
        name: "templates of OpenChoreo",
        files: &[],
        path: "web.yml",
        head: "apiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: web}\nspec:\n  \
               parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n        \
               port: {type: integer}\n  creates:\n",
        item: (
            "  - template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: a@N}\n      port: ${parameters.port + ",
            "}\n",
        ),
    },
    Form {
        name: "templates of OpenChoreo with loops",
        files: &[],
        path: "web.yml",
        head: "apiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: web}\nspec:\n  \
               parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n        \
               ports: {type: array, items: {type: integer}}\n  creates:\n",
        item: (
            "  - forEach: ${parameters.ports}\n    var: port\n    template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: a@N}\n      port: ${port + ",
            "}\n",
        ),
    },
];

/// A stream of resources whose kinds are not known, each of a few in turns.
pub const UNKNOWN: &[Form] = &[Form {
    name: "a stream of resources of unknown kinds",
    files: &[],
    path: "many.yml",
    head: "",
    item: (
        "---\napiVersion: example.com/v1\nkind: One\nmetadata: {name: a@N}\n---\napiVersion: example.com/v1\nkind: \
         Other\nmetadata: {name: a@N}\nspec:\n  items:\n  - port: ",
        "\n    name: x\n",
    ),
}];

/// Streams in which one document has something that only lowering reads.
pub const ONE_ODD: &[Form] = &[
    Form {
        name: "an alias in one document",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\na: &a x\nb: *a\n",
        item: ("---\nitems:\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "a tag in one document of resources",
        files: &[CRD],
        path: "many.yml",
        head: "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: !!str x\n",
        item: ("---\napiVersion: example.com/v1\nkind: Many\nspec:\n  items:\n  - port: ", "\n    name: x\n"),
    },
];

/// The texts as streams in which each document is governed separately.
pub const STREAMS: &[Form] = &[
    Form {
        name: "a stream of custom resources",
        files: &[CRD],
        path: "many.yml",
        head: "",
        item: ("---\napiVersion: example.com/v1\nkind: Many\nspec:\n  items:\n  - port: ", "\n    name: x\n"),
    },
    Form {
        name: "a stream with a JSON Schema",
        files: &[JSON],
        path: "values.yml",
        head: "# yaml-language-server: $schema=schema.json\n",
        item: ("---\nitems:\n- port: ", "\n  name: x\n"),
    },
];

/// Streams of values that are merged, each of which is checked as if it were alone.
pub const APART: &[Form] = &[
    Form {
        name: "a stream of plain values",
        files: &[YTT],
        path: "values.yml",
        head: "",
        item: ("---\nitems:\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "a stream of annotated values",
        files: &[YTT],
        path: "values.yml",
        head: "",
        item: ("#@data/values\n---\nitems:\n- port: ", "\n  name: x\n"),
    },
    Form {
        name: "a stream of plain values in a set",
        files: &[
            ("config/schema.yml", YTT.1),
            ("config/values.yml", "#@data/values\n---\nitems:\n- port: 80\n"),
            ("lofting.toml", "[sets.all]\nfiles = ['config']\nvalues = ['dev.yml']\n"),
        ],
        path: "dev.yml",
        head: "",
        item: ("---\nitems:\n- port: ", "\n  name: x\n"),
    },
];

/// Documents in which a part is governed by a schema that is found by name.
pub const COMPONENTS: &[Form] = &[Form {
    name: "a stream of components of OpenChoreo",
    files: &[(
        "types.yml",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {name: web}\nspec:\n  workloadType: \
         deployment\n  parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n        port: {type: \
         integer}\n        name: {type: string}\n  resources: []\n",
    )],
    path: "many.yml",
    head: "",
    item: (
        "---\napiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: c@N}\nspec:\n  owner: {projectName: \
         p}\n  componentType: {kind: ComponentType, name: deployment/web}\n  parameters:\n    port: ",
        "\n    name: x\n",
    ),
}];

/// Resources of a cluster, in streams and in lists, that say something of each other.
pub const RESOURCES: &[Form] = &[
    Form {
        name: "a list of custom resources",
        files: &[CRD],
        path: "many.yml",
        head: "apiVersion: v1\nkind: List\nitems:\n",
        item: ("- apiVersion: example.com/v1\n  kind: Many\n  spec:\n    items:\n    - port: ", "\n      name: x\n"),
    },
    Form {
        name: "a stream of workloads, services and what they use",
        files: &[CRD],
        path: "many.yml",
        head: "",
        item: (
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c@N}\ndata: {a: b}\n---\napiVersion: v1\nkind: \
             Service\nmetadata: {name: s@N}\nspec:\n  selector: {app: a@N}\n  ports: [{port: 80, targetPort: \
             http}]\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d@N}\nspec:\n  selector: \
             {matchLabels: {app: a@N}}\n  template:\n    metadata: {labels: {app: a@N}}\n    spec:\n      volumes: \
             [{name: v, configMap: {name: c@N}}]\n      containers: [{name: a, image: b, ports: [{name: http, \
             containerPort: 80}]}]\n---\napiVersion: example.com/v1\nkind: Many\nspec:\n  items:\n  - port: ",
            "\n    name: x\n",
        ),
    },
    Form {
        name: "a list of workloads, services and what they use",
        files: &[CRD],
        path: "many.yml",
        head: "apiVersion: v1\nkind: List\nitems:\n",
        item: (
            "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c@N}\n  data: {a: b}\n- apiVersion: v1\n  kind: \
             Service\n  metadata: {name: s@N}\n  spec:\n    selector: {app: a@N}\n    ports: [{port: 80, targetPort: \
             http}]\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: d@N}\n  spec:\n    selector: \
             {matchLabels: {app: a@N}}\n    template:\n      metadata: {labels: {app: a@N}}\n      spec:\n        volumes: \
             [{name: v, configMap: {name: c@N}}]\n        containers: [{name: a, image: b, ports: [{name: http, \
             containerPort: 80}]}]\n- apiVersion: example.com/v1\n  kind: Many\n  spec:\n    items:\n    - port: ",
            "\n      name: x\n",
        ),
    },
];

const HEAD_WITH_ANCHOR: &str = "# yaml-language-server: $schema=schema.json\nbase: &b {name: y}\nitems:\n";

/// Anchors, aliases, merge keys and tags.
pub const NAMED: &[Form] = &[
    Form {
        name: "items that a map is merged into",
        files: &[JSON],
        path: "values.yml",
        head: HEAD_WITH_ANCHOR,
        item: ("- port: ", "\n  <<: *b\n  other: x\n"),
    },
    Form {
        name: "items with an alias and a tag",
        files: &[JSON],
        path: "values.yml",
        head: HEAD_WITH_ANCHOR,
        item: ("- port: ", "\n  name: !Ref x\n  other: [*b]\n"),
    },
    Form {
        name: "services that a map is merged into",
        files: &[],
        path: "services.yml",
        head: "x-base: &b\n  restart: always\nservices:\n",
        item: ("  s@N:\n    <<: *b\n    port: ", "\n    name: x\n"),
    },
];

//! What the soak writes: a small workspace with every kind of file, and pieces to put into any of them.

/// The files of the workspace with the text each begins with. A file without text is made by the edits.
pub const FILES: &[(&str, &str)] = &[
    (
        "config/schema.yml",
        "#@data/values-schema\n---\n#@schema/desc \"Name of the shop\"\nname: shop\n#@schema/validation min=1, max=9\n\
         replicas: 1\nservice:\n  type: ClusterIP\n  port: 80\n#@schema/nullable\nhost: \"\"\nenv:\n- name: \"\"\n  value: \"\"\n\
         #@schema/type any=True\nextra: {}\n",
    ),
    (
        "config/values.yml",
        "#@data/values\n---\nname: web\nreplicas: 2\nservice:\n  type: NodePort\nenv:\n- name: A\n  value: \"1\"\n- name: B\n  value: x\n",
    ),
    (
        "config/more-values.yml",
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@data/values\n---\nenv:\n#@overlay/match by=\"name\"\n- name: A\n  value: changed\n",
    ),
    (
        "config/deployment.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"functions.lib.yml\", \"labels\")\n#@ load(\"names.star\", \"full_name\")\n---\n\
         kind: Deployment\nmetadata:\n  name: #@ full_name(data.values.name)\n  labels: #@ labels(data.values)\nspec:\n  \
         replicas: #@ data.values.replicas\n  #@ for/end e in data.values.env:\n  env: #@ e.name\n",
    ),
    (
        "config/functions.lib.yml",
        "#@ def labels(values):\napp: #@ values.name\n#@ if values.replicas > 1:\nmany: \"true\"\n#@ end\n#@ end\n",
    ),
    ("config/names.star", "def full_name(name):\n  return name + \"-x\"\nend\n"),
    (
        "config/overlay.yml",
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n---\nspec:\n  \
         #@overlay/match missing_ok=True\n  paused: true\n",
    ),
    ("config/_ytt_lib/db/schema.yml", "#@data/values-schema\n---\nsize: 1\nusers:\n- \"\"\n"),
    ("config/library-values.yml", "#@library/ref \"@db\"\n#@data/values\n---\nsize: 3\nusers: [a, b]\n"),
    ("plain/values.yaml", "name: plain\nreplicas: 3\nservice: {type: ClusterIP, port: 81}\n"),
    (
        "lofting.toml",
        "[sets.prod]\nfiles = [\"config\"]\nvalues = [\"plain/values.yaml\"]\n\n[[schemas]]\npath = \"schemas/app.json\"\n\
         files = [\"apps/named.yaml\"]\n\n[[schemas]]\nkubernetes = \"bundle\"\n",
    ),
    ("Makefile", "render:\n\tytt -f config --data-values-file plain/values.yaml -v name=made\n"),
    (
        "schemas/app.json",
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \"required\": [\"name\"],\n\
         \"properties\": {\n\"name\": {\"type\": \"string\", \"minLength\": 2},\n\"size\": {\"$ref\": \"parts.yaml#/$defs/size\"},\n\
         \"kind\": {\"enum\": [\"web\", \"job\"], \"default\": \"web\"},\n\"env\": {\"type\": \"array\", \"items\": {\"required\": [\"name\"]}}\n},\n\
         \"additionalProperties\": false}\n",
    ),
    (
        "schemas/parts.yaml",
        "$schema: https://json-schema.org/draft/2020-12/schema\n$defs:\n  size:\n    type: integer\n    maximum: 9\n",
    ),
    (
        "apps/app.yaml",
        "# yaml-language-server: $schema=../schemas/app.json\nname: shop\nsize: 3\nkind: web\nenv:\n- name: A\n",
    ),
    ("apps/named.yaml", "name: shop\nsize: 3\nenv: [&base {name: B}, *base]\n"),
    (
        "api.yaml",
        "openapi: 3.0.3\ninfo: {title: Shop, version: \"1\"}\npaths: {}\ncomponents:\n  schemas:\n    Pet:\n      type: object\n      \
         properties:\n        tag: {$ref: '#/components/schemas/Tag'}\n    Tag: {type: string}\n",
    ),
    (
        "platform/type.yaml",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {name: web}\nspec:\n  workloadType: deployment\n  \
         schema:\n    types:\n      Db: {host: string, port: \"integer | default=5432\"}\n    parameters:\n      \
         replicas: \"integer | minimum=1 default=1\"\n      name: string\n      db: Db\n  resources:\n  - id: deployment\n    \
         template: {replicas: \"${parameters.replicas}\", host: \"${parameters.db.host}\"}\n",
    ),
    (
        "platform/component.yaml",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: shop}\nspec:\n  owner: {projectName: none}\n  \
         componentType: {kind: ComponentType, name: deployment/web}\n  parameters:\n    name: shop\n    replicas: 2\n    db: {host: h}\n",
    ),
    (
        "crd/shops.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\nspec:\n  \
         group: example.com\n  names: {kind: Shop, plural: shops}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    \
         storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            \
         type: object\n            properties:\n              size: {type: integer, default: 1}\n",
    ),
    ("crd/shop.yaml", "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\nspec:\n  size: 3\n"),
    (
        "bundle/deployment-apps-v1.json",
        "{\"type\": \"object\", \"properties\": {\"spec\": {\"type\": \"object\", \"properties\": {\"replicas\": {\"type\": \"integer\"}}}}}\n",
    ),
    ("k8s/deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  replicas: 1\n"),
    (
        "proposal/schema.yml",
        "#@schema/definition data_values=True\n---\n#@schema/doc \"Host\"\nhost: \"\"\n#@schema/validate min=1\nport: 80\n",
    ),
    ("proposal/values.yml", "#@data/values\n---\nhost: a\nport: 81\n"),
    (".editorconfig", "root = true\n[*.yml]\nindent_size = 2\n"),
    ("config/new.yml", ""),
    ("config/_ytt_lib/db/values.yml", ""),
];

/// Pieces of text. Most mean something to someone; some are nothing but damage.
pub const CHUNKS: &[&str] = &[
    "\n",
    "  ",
    " ",
    ":",
    "- ",
    "#",
    "#@",
    "'",
    "\"",
    "|",
    ">",
    "[",
    "{",
    "}",
    "]",
    ",",
    "\r\n",
    "\r",
    "\t",
    "\u{feff}",
    "😀",
    "ü",
    "\u{2028}",
    "---\n",
    "...\n",
    "a",
    "1",
    "~",
    "null",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!str ",
    "? ",
    "%YAML 1.2\n",
    "\0",
    "port: 1\n",
    "-detected\n",
    "- >\n",
    " #@library/ref \"@l\"\n",
    "  - name: z\n    value: 'q\n",
    "name: \"x\n",
    "name: x\n",
    "replicas: 0\n",
    "replicas: ten\n",
    "  port: 99999\n",
    "  type: |\n    text\n    more\n",
    "unknown: 1\n",
    "env:\n",
    "- name: A\n  value: twice\n",
    "#@data/values\n---\n",
    "#@data/values-schema\n---\n",
    "#@data/values-schema\n---\n#@overlay/match-child-defaults missing_ok=True\nadded: 1\n",
    "#@schema/nullable\n",
    "#@schema/type any=True\n",
    "#@schema/validation min_len=3\n",
    "#@schema/validation one_of=[\"a\", \"web\"]\n",
    "#@schema/validation (\"be odd\", lambda v: v % 2 == 1)\n",
    "#@schema/validation when=lambda _, c: c[\"service\"][\"port\"] > 1, not_null=True\n",
    "#@schema/default 5\n",
    "#@schema/deprecated \"old\"\n",
    "#@schema/title \"T\"\n",
    "#@overlay/remove\n",
    "#@overlay/replace\n",
    "#@overlay/match missing_ok=True\n",
    "#@overlay/match by=\"name\"\n",
    "#@overlay/match by=lambda i,l,r: l[\"name\"] == r[\"name\"]\n",
    "#@overlay/insert before=True\n",
    "#@overlay/append\n",
    "#@library/ref \"@db\"\n",
    "#@ load(\"@ytt:data\", \"data\")\n",
    "#@ load(\"functions.lib.yml\", \"labels\")\n",
    "#@ load(\"names.star\", \"full_name\")\n",
    "#@ load(\"@ytt:overlay\", \"overlay\")\n",
    "#@ x = 1\n",
    "#@ x = data.values.name\n",
    "y: #@ x\n",
    "y: #@ data.values.replicas + 1\n",
    "y: #@ data.values.nothing\n",
    "#@ if x == 1:\n",
    "#@ if/end True:\n",
    "#@ else:\n",
    "#@ end\n",
    "#@ for i in range(3):\n",
    "#@ def f(a):\n",
    "y: #@ f(1)\n",
    "#@ assert.fail(\"no\")\n",
    "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n",
    "--- #@ template.replace(library.get(\"db\").eval())\n",
    "#@yaml/text-templated-strings\n",
    "t: 'a (@= data.values.name @) b'\n",
    "#! lofting: schema=config/schema.yml\n",
    "#! lofting: schema=schema.yml\n",
    "# yaml-language-server: $schema=schema.yml\n",
    "# plain comment\n",
    "#! comment\n",
    "# @schema/nullable\n",
    "def full_name(name):\n  return name\nend\n",
    "full_name = 1\n",
    "files = [\"config\", \"plain\"]\n",
    "[sets.two]\nfiles = [\"config/schema.yml\", \"config/values.yml\"]\n",
    "[sets.each]\nfiles = [\"config/schema.yml\"]\nvalues = [\"plain/*.yaml\"]\n",
    "data-values = [\"name=set\"]\n",
    "values = [\"plain/values.yaml\"]\n",
    "strict = true\n",
    "\tytt -f config -f plain --data-values-schema\n",
    "\tytt -f config/schema.yml -f config/values.yml\n",
    "\"minLength\": 3,\n",
    "\"type\": \"integer\",\n",
    "\"$ref\": \"parts.yaml#/$defs/none\",\n",
    "\"$ref\": \"#/properties/name\",\n",
    "\"additional\": {\"type\": \"string\"},\n",
    "maximum: 2\n",
    "    minimum: 5\n",
    "size: 12\n",
    "kind: job\n",
    "kind: Component\n",
    "apiVersion: openchoreo.dev/v1alpha1\n",
    "apiVersion: example.com/v1\nkind: Shop\n",
    "metadata: {name: shop}\n",
    "---\napiVersion: example.com/v1\nkind: Shop\nspec: {size: x}\n",
    "      extra: \"string | minLength=3\"\n",
    "      replicas: \"integer | maximum=1\"\n",
    "    replicas: many\n",
    "    trait: \"${parameters.name + parameters.none}\"\n",
    "  traits:\n  - {name: t, instanceName: i}\n",
    "              size: {type: string}\n",
    "              more: {type: array, items: {type: integer}}\n",
    "        other: {$ref: '#/components/schemas/Pet'}\n",
    "    Other: {type: integer}\n",
    "# $schema: ../schemas/app.json\n",
    "# yaml-language-server: $schema=none\n",
    "$schema: ../schemas/app.json\n",
    "[[schemas]]\npath = \"schemas/parts.yaml\"\nfiles = [\"*.yaml\"]\n",
    "[[schemas]]\nkubernetes = \"bundle/{{.ResourceKind}}-{{.Group}}-v1.json\"\n",
    "[schemas.mirror]\n\"https://example.com\" = \"schemas\"\n",
    "# yaml-language-server: $schema=https://example.com/app.json\n",
    "[rules]\n\"ytt/deprecated-value\" = \"off\"\n",
    "[rules]\n\"ytt/unused-key\" = \"hint\"\n",
    "#! lofting: ignore ytt/undeclared-key\n",
    "# lofting: ignore json-schema/type-mismatch\n",
    "indent_size = 4\n",
    "[*.yaml]\nindent_size = 4\n",
    "#@schema/validate max=50\n",
    "#@schema/type one_of=[\"int\", \"string\"]\n",
    "#@schema\n---\n",
    "<<<<<<< HEAD\n",
    "key with spaces: [1, {a: b}]\n",
    "? complex\n: value\n",
    "a: &a {name: x}\n",
    "b: *a\n",
    "    deep:\n      er: 1\n",
];

/// A list so long that checks remember parts of it.
pub fn long_list() -> String {
    use std::fmt::Write as _;
    let mut text = String::from("env:\n");
    for number in 0..140 {
        let _ = write!(text, "- name: n{number}\n  value: \"{number}\"\n");
    }
    text
}

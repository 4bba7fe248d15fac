//! Changes of keys, defaults and whole schemas.

use super::{ChangeRule, SCHEMA_GONE};
use crate::Language;

/// A version in the definition of a custom resource.
macro_rules! version {
    ($name:literal, $storage:literal) => {
        concat!(
            "  - name: ",
            $name,
            "\n    served: true\n    storage: ",
            $storage,
            "\n    schema:\n      openAPIV3Schema: {type: object}\n"
        )
    };
}

/// The definition of a custom resource with this scope and these versions.
macro_rules! definition {
    ($scope:literal $(, $version:expr)*) => {
        concat!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\nspec:\n  \
             group: example.com\n  scope: ",
            $scope,
            "\n  names: {kind: Shop, plural: shops}\n  versions:\n" $(, $version)*
        )
    };
}

const UNREAD: &str = "Values that set the key are refused where unknown keys are, as in ytt, and silently ignored where they are not. \
     Templates that read the key find nothing.";

pub(super) static RULES: &[ChangeRule] = &[
    ChangeRule {
        name: "removed",
        what: "A key is gone",
        why: UNREAD,
        how: "Deprecate the key first, and let it go a release later: with `[deprecation]` in `lofting.toml` such a removal counts as \
              announced. `lofting migrate` takes the key out of values.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nport: 8080\ndebug: false\n",
        new: "#@data/values-schema\n---\nport: 8080\n",
    },
    ChangeRule {
        name: "renamed",
        what: "A key is gone, and probably has another name",
        why: UNREAD,
        how: "`lofting migrate --propose` writes a plan that renames the key in values, templates, flags and commands.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nport: 8080\n#@schema/desc \"The address at which the service is reached\"\nhost: \"\"\n",
        new: "#@data/values-schema\n---\nport: 8080\n#@schema/desc \"The address at which the service is reached\"\nhostname: \"\"\n",
    },
    ChangeRule {
        name: "moved",
        what: "A key is gone, and probably is in another place",
        why: UNREAD,
        how: "`lofting migrate --propose` writes a plan that moves the key in values, templates, flags and commands.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nimage: nginx\nport: 8080\n",
        new: "#@data/values-schema\n---\ncontainer:\n  image: nginx\nport: 8080\n",
    },
    ChangeRule {
        name: "renamed-to",
        what: "A key has another name or place, and the schema says so",
        why: UNREAD,
        how: "Keep the old key as deprecated for a release, or move values with `lofting migrate`.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\npicture: nginx\nport: 8080\n",
        new: "#@data/values-schema\n---\nport: 8080\n#@schema/desc \"Formerly picture\"\nimage: httpd\n",
    },
    ChangeRule {
        name: "added-required",
        what: "A key is new, and values without it are refused",
        why: "All values, because none of them sets the key.",
        how: "Give the key a default, or require it a release later.",
        language: Language::JsonSchema,
        old: "type: object\nproperties:\n  port: {type: integer}\n",
        new: "type: object\nrequired: [host]\nproperties:\n  port: {type: integer}\n  host: {type: string}\n",
    },
    ChangeRule {
        name: "added-optional",
        what: "A key is new",
        why: "Nothing, except values that set such a key already although the schema did not know it.",
        how: "Nothing has to be done.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nport: 8080\n",
        new: "#@data/values-schema\n---\nport: 8080\nreplicas: 1\n",
    },
    ChangeRule {
        name: "became-required",
        what: "A key that could be left out is required",
        why: "Values that leave it out.",
        how: "Give the key a default that is filled in, or set it in all values first.",
        language: Language::JsonSchema,
        old: "type: object\nproperties:\n  host: {type: string}\n",
        new: "type: object\nrequired: [host]\nproperties:\n  host: {type: string}\n",
    },
    ChangeRule {
        name: "became-optional",
        what: "A key that was required may be left out",
        why: "Templates that rely on the key being there.",
        how: "Let templates handle values without the key, or give it a default.",
        language: Language::JsonSchema,
        old: "type: object\nrequired: [host]\nproperties:\n  host: {type: string}\n",
        new: "type: object\nproperties:\n  host: {type: string}\n",
    },
    ChangeRule {
        name: "default-changed",
        what: "Values that leave out the key get a different default",
        why: "Nothing is refused, but what is deployed changes without a change of any values.",
        how: "Say so in the release notes, or set the old value where it has to stay: `lofting migrate` can write it.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nreplicas: 1\n",
        new: "#@data/values-schema\n---\nreplicas: 3\n",
    },
    ChangeRule {
        name: "default-added",
        what: "Values that leave out the key get a default now",
        why: "Nothing.",
        how: "See whether templates tell a key that is left out from one that is set.",
        language: Language::JsonSchema,
        old: "type: object\nproperties:\n  replicas: {type: integer}\n",
        new: "type: object\nproperties:\n  replicas: {type: integer, default: 1}\n",
    },
    ChangeRule {
        name: "default-removed",
        what: "Values that leave out the key no longer get a default",
        why: "Templates that read the key may find nothing.",
        how: "Set the key in values first, or let templates handle its absence.",
        language: Language::JsonSchema,
        old: "type: object\nproperties:\n  replicas: {type: integer, default: 1}\n",
        new: "type: object\nproperties:\n  replicas: {type: integer}\n",
    },
    ChangeRule {
        name: "deprecated",
        what: "A key still works and should no longer be used",
        why: "Nothing yet. Values that set the key get a warning.",
        how: "Move values to what the text names, before the key goes.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nport: 80\nservice_port: 80\n",
        new: "#@data/values-schema\n---\n#@schema/deprecated \"Use service_port.\"\nport: 80\nservice_port: 80\n",
    },
    ChangeRule {
        name: "documentation-changed",
        what: "What the schema says about a value to its readers is different",
        why: "Nothing. `lofting diff` reports it with `--documentation` only.",
        how: "Read whether the new text describes what the old one did: then nothing has to be done.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\n#@schema/desc \"Where it listens\"\nport: 80\n",
        new: "#@data/values-schema\n---\n#@schema/desc \"The port of the service\"\nport: 80\n",
    },
    ChangeRule {
        name: "scope-changed",
        what: "Resources are in a namespace now, or no longer are",
        why: "All resources of this kind: those that exist cannot be read any more, and manifests no longer fit.",
        how: "Make a new kind instead: the scope of one that exists cannot be changed in a cluster.",
        language: Language::Crd,
        old: definition!("Namespaced", version!("v1", true)),
        new: definition!("Cluster", version!("v1", true)),
    },
    ChangeRule {
        name: "name-changed",
        what: "A custom resource has another group, kind or plural",
        why: "All resources and manifests of the old name: for a cluster it is another kind of resource.",
        how: "Add a definition with the new name beside the old one, and move the resources.",
        language: Language::Crd,
        old: definition!("Namespaced", version!("v1", true)),
        new: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: stores.example.com}\nspec:\n  \
              group: example.com\n  scope: Namespaced\n  names: {kind: Store, plural: stores}\n  versions:\n  - name: v1\n    \
              served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object}\n",
    },
    ChangeRule {
        name: "version-added",
        what: "A custom resource has a further version",
        why: "Nothing.",
        how: "Nothing has to be done.",
        language: Language::Crd,
        old: definition!("Namespaced", version!("v1", true)),
        new: definition!("Namespaced", version!("v1", true), version!("v2", false)),
    },
    ChangeRule {
        name: "version-removed",
        what: "A version of a custom resource is gone",
        why: "All resources and manifests of this version.",
        how: "Serve the version until all of them are of a later one, and give it a conversion.",
        language: Language::Crd,
        old: definition!("Namespaced", version!("v1beta1", false), version!("v1", true)),
        new: definition!("Namespaced", version!("v1", true)),
    },
    ChangeRule {
        name: SCHEMA_GONE,
        what: "A schema is gone",
        why: "Values that it governed are no longer checked, and nothing gives them defaults.",
        how: "If it has another place, keep it where values and settings name it, or change these as well.",
        language: Language::Ytt,
        old: "#@data/values-schema\n---\nport: 80\n",
        new: "",
    },
];

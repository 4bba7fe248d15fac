//! What Kubernetes declares for the expressions that admit resources: those of admission policies and the conditions of
//! webhooks. The resource may be of any kind, so that nothing is known of its type.

use crate::plan::Environment;
use crate::types::{Object, Signature, Type};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What an expression may use besides the resource and the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct AdmissionVariables<'v> {
    /// `params`: the policy has parameters.
    pub parameters: bool,
    /// `authorizer`: the expression may ask what the user is allowed to do.
    pub authorizer: bool,
    /// `variables`: the variables of the policy, with their types.
    pub variables: Option<&'v [(String, Type)]>,
}

/// The environment of such an expression.
pub fn environment(given: AdmissionVariables<'_>) -> Environment {
    let mut environment = Environment { functions: Cow::Borrowed(&FUNCTIONS), ..Environment::default() };
    let mut declare = |name: &str, of: Type| environment.variables.insert(name.to_owned(), of);
    declare("object", Type::Dyn);
    declare("oldObject", Type::Dyn);
    declare("request", REQUEST.clone());
    declare("namespaceObject", NAMESPACE.clone());
    if given.parameters {
        declare("params", Type::Dyn);
    }
    if given.authorizer {
        declare("authorizer", opaque(AUTHORIZER));
        declare("authorizer.requestResource", opaque(RESOURCE_CHECK));
    }
    if let Some(variables) = given.variables {
        let fields = variables.iter().cloned().collect();
        declare("variables", of_fields("variables", fields));
    }
    environment
}

/// The environment of an expression that changes the resource: it can make parts of the resource and patches.
pub fn environment_of_changes(given: AdmissionVariables<'_>) -> Environment {
    let mut environment = environment(given);
    environment.objects = of_changes;
    environment.functions.to_mut().extend(Signature::parse("jsonpatch.escapeKey(string) -> string"));
    environment
}

/// What `applyConfiguration` has to give: the keys of the resource that change.
pub fn configuration() -> Type {
    part(RESOURCE)
}

/// What `jsonPatch` has to give: operations.
pub fn patches() -> Type {
    Type::list(PATCH.clone())
}

const RESOURCE: &str = "Object";

/// A part of the resource, of whose fields nothing is known.
fn part(name: &str) -> Type {
    Type::Object(Arc::new(Object { name: name.to_owned(), fields: BTreeMap::new(), is_open: true }))
}

/// `Object` for the resource, `Object.spec` and so on for what is below it, and `JSONPatch`.
fn of_changes(name: &str) -> Option<Type> {
    let is_part = name.strip_prefix(RESOURCE).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    match &*PATCH {
        Type::Object(patch) if patch.name == name => Some(PATCH.clone()),
        _ => is_part.then(|| part(name)),
    }
}

static PATCH: LazyLock<Type> = LazyLock::new(|| {
    let fields = [("op", Type::Text), ("path", Type::Text), ("from", Type::Text), ("value", Type::Dyn)];
    let fields = fields.map(|(name, of)| (name.to_owned(), of)).into();
    Type::Object(Arc::new(Object { name: "JSONPatch".to_owned(), fields, is_open: false }))
});

const AUTHORIZER: &str = "kubernetes.authorization.Authorizer";
const RESOURCE_CHECK: &str = "kubernetes.authorization.ResourceCheck";

fn opaque(name: &str) -> Type {
    Type::Opaque(name.into(), [].into())
}

fn object(name: &str, fields: &[(&str, Type)]) -> Type {
    let fields = fields.iter().map(|(name, of)| ((*name).to_owned(), of.clone())).collect();
    of_fields(name, fields)
}

fn of_fields(name: &str, fields: BTreeMap<String, Type>) -> Type {
    Type::Object(Arc::new(Object { name: format!("kubernetes.{name}"), fields, is_open: false }))
}

/// The methods for asking what is allowed.
static FUNCTIONS: LazyLock<Vec<Signature>> = LazyLock::new(|| {
    let methods = [
        "(A).path(string) -> P",
        "(A).group(string) -> G",
        "(A).serviceAccount(string, string) -> A",
        "(G).resource(string) -> R",
        "(R).subresource(string) -> R",
        "(R).namespace(string) -> R",
        "(R).name(string) -> R",
        "(R).fieldSelector(string) -> R",
        "(R).labelSelector(string) -> R",
        "(P).check(string) -> D",
        "(R).check(string) -> D",
        "(D).allowed() -> bool",
        "(D).reason() -> string",
        "(D).errored() -> bool",
        "(D).error() -> string",
    ];
    let meant = |of: &Type| {
        of.replace(&mut |part| match part {
            Type::Named('A') => Some(opaque(AUTHORIZER)),
            Type::Named('P') => Some(opaque("kubernetes.authorization.PathCheck")),
            Type::Named('G') => Some(opaque("kubernetes.authorization.GroupCheck")),
            Type::Named('R') => Some(opaque(RESOURCE_CHECK)),
            Type::Named('D') => Some(opaque("kubernetes.authorization.Decision")),
            _ => None,
        })
    };
    let signatures = methods.into_iter().filter_map(Signature::parse);
    let named = signatures.map(|signature| Signature {
        parameters: signature.parameters.iter().map(meant).collect(),
        result: meant(&signature.result),
        ..signature
    });
    named.collect()
});

static REQUEST: LazyLock<Type> = LazyLock::new(|| {
    let texts = |name: &str, fields: [&str; 3]| object(name, &fields.map(|field| (field, Type::Text)));
    let kind = texts("GroupVersionKind", ["group", "version", "kind"]);
    let resource = texts("GroupVersionResource", ["group", "version", "resource"]);
    let user = object(
        "UserInfo",
        &[
            ("username", Type::Text),
            ("uid", Type::Text),
            ("groups", Type::list(Type::Text)),
            ("extra", Type::map(Type::Text, Type::list(Type::Text))),
        ],
    );
    object(
        "AdmissionRequest",
        &[
            ("kind", kind.clone()),
            ("resource", resource.clone()),
            ("subResource", Type::Text),
            ("requestKind", kind),
            ("requestResource", resource),
            ("requestSubResource", Type::Text),
            ("name", Type::Text),
            ("namespace", Type::Text),
            ("operation", Type::Text),
            ("userInfo", user),
            ("dryRun", Type::Bool),
            ("options", Type::Dyn),
        ],
    )
});

static NAMESPACE: LazyLock<Type> = LazyLock::new(|| {
    let texts = || Type::list(Type::Text);
    let names = || Type::map(Type::Text, Type::Text);
    let condition = object(
        "NamespaceCondition",
        &[
            ("status", Type::Text),
            ("type", Type::Text),
            ("lastTransitionTime", Type::Timestamp),
            ("message", Type::Text),
            ("reason", Type::Text),
        ],
    );
    let metadata = object(
        "NamespaceMetadata",
        &[
            ("name", Type::Text),
            ("generateName", Type::Text),
            ("namespace", Type::Text),
            ("labels", names()),
            ("annotations", names()),
            ("UID", Type::Text),
            ("creationTimestamp", Type::Timestamp),
            ("deletionGracePeriodSeconds", Type::Int),
            ("deletionTimestamp", Type::Timestamp),
            ("generation", Type::Int),
            ("resourceVersion", Type::Text),
            ("finalizers", texts()),
        ],
    );
    object(
        "Namespace",
        &[
            ("metadata", metadata),
            ("spec", object("NamespaceSpec", &[("finalizers", texts())])),
            ("status", object("NamespaceStatus", &[("conditions", Type::list(condition)), ("phase", Type::Text)])),
        ],
    )
});

#[cfg(test)]
mod tests {
    use super::{AdmissionVariables, configuration, environment, environment_of_changes, patches};
    use crate::compile::compile;
    use crate::types::Type;

    const ALL: AdmissionVariables<'_> = AdmissionVariables { parameters: true, authorizer: true, variables: None };

    #[test]
    fn expressions_are_compiled() {
        for text in [
            "object.spec.replicas <= params.maxReplicas",
            "has(object.metadata.labels) && 'a' in object.metadata.labels",
            "request.operation == 'CREATE' && request.userInfo.groups.exists(group, group == 'system:masters')",
            "request.?options.fieldManager.orValue('') == 'x'",
            "oldObject == null || object.spec == oldObject.spec",
            "namespaceObject.metadata.?labels['tier'].orValue('') != 'free'",
            "authorizer.group('apps').resource('deployments').namespace('x').check('delete').allowed()",
            "authorizer.requestResource.check('approve').allowed() && !authorizer.path('/x').check('get').errored()",
            "authorizer.serviceAccount('a', 'b').group('').resource('pods').check('get').reason() == ''",
        ] {
            let found = compile(text, &environment(ALL), &[Type::Bool]);
            assert!(found.is_ok(), "{text}: {found:?}");
        }
        for text in [
            "request.object.spec == null",
            "request.userInfo.name == ''",
            "objct.spec == null",
            "variables.a",
            "object.spec.flag",
            "authorizer.group('apps').check('get').allowed()",
            "object.spec.image.startWith('a')",
            "namespaceObject.metadata.labels.all(k, k)",
        ] {
            assert!(compile(text, &environment(ALL), &[Type::Bool]).is_err(), "{text}");
        }
        for text in ["params == null", "authorizer.path('/').check('get').allowed()"] {
            assert!(compile(text, &environment(AdmissionVariables::default()), &[Type::Bool]).is_err(), "{text}");
        }
    }

    #[test]
    fn variables_have_types() {
        let variables = [("images".to_owned(), Type::list(Type::Text)), ("any".to_owned(), Type::Dyn)];
        let environment =
            environment(AdmissionVariables { variables: Some(&variables), ..AdmissionVariables::default() });
        assert!(
            compile("variables.images.all(i, i != '') && variables.any.x == 1", &environment, &[Type::Bool]).is_ok()
        );
        assert!(compile("variables.images == 1", &environment, &[Type::Bool]).is_err());
        assert!(compile("variables.image == null", &environment, &[Type::Bool]).is_err());
        assert_eq!(compile("variables.images.size()", &environment, &[]).expect("a size").result, Type::Int);
    }

    /// The message about an expression that changes the resource and has to give this; empty if it is accepted.
    fn said(text: &str, expected: Type) -> String {
        match compile(text, &environment_of_changes(ALL), &[expected]) {
            Ok(_) => String::new(),
            Err(faults) => {
                faults.into_iter().map(|fault| format!("{}: {}", &text[fault.range], fault.message)).collect()
            }
        }
    }

    #[test]
    fn changes_are_compiled() {
        for text in [
            "Object{}",
            "Object{spec: Object.spec{replicas: 1, template: Object.spec.template{?x: optional.none()}}}",
            "Object{metadata: Object.metadata{labels: {'a': string(params.a), 'b': 'c'}}, spec: Object.status{}}",
            "has(object.spec) ? Object{} : Object{spec: object.spec}",
        ] {
            assert_eq!(said(text, configuration()), "", "{text}");
        }
        for text in [
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: {'a': 1}}]",
            "has(object.metadata.labels) ? [] : [JSONPatch{op: 'remove', path: '/a', from: ''}]",
            "object.spec.containers.map(c, JSONPatch{op: 'test', path: '/x', value: Object.spec{a: c}})",
            "[JSONPatch{op: 'add', path: '/a'}] + (object.a ? [JSONPatch{op: 'add', path: '/b', value: 1}] : [])",
        ] {
            assert_eq!(said(text, patches()), "", "{text}");
        }
    }

    #[test]
    fn changes_that_the_server_refuses() {
        for (text, expected, wanted) in [
            ("Object{spec: x}", configuration(), "x: there is no variable `x` here"),
            ("{'spec': 1}", configuration(), "{'spec': 1}: the result must be `Object`, but it is `map(string, int)`"),
            ("Object.spec{}", configuration(), "Object.spec{}: the result must be `Object`, but it is `Object.spec`"),
            ("Objects{}", configuration(), "Objects: there is no type of objects with this name"),
            (
                "[{'op': 'add', 'path': '/a'}]",
                patches(),
                "[{'op': 'add', 'path': '/a'}]: the result must be `list(JSONPatch)`, but it is `list(map(string, string))`",
            ),
            (
                "JSONPatch{op: 'add'}",
                patches(),
                "JSONPatch{op: 'add'}: the result must be `list(JSONPatch)`, but it is `JSONPatch`",
            ),
            ("[JSONPatch{op: 1, path: '/a'}]", patches(), "1: `op` should be a string, but is an integer"),
            ("[JSONPatch{operation: 'add'}]", patches(), "operation: `JSONPatch` has no field `operation`"),
            (
                "[JSONPatch{op: 'add', path: jsonpatch.escapeKey(1)}]",
                patches(),
                "jsonpatch.escapeKey(1): `jsonpatch.escapeKey` cannot be called with an integer",
            ),
        ] {
            assert_eq!(said(text, expected), wanted);
        }
        // Only changes make objects.
        assert!(compile("Object{} == object", &environment(ALL), &[]).is_err());
    }
}

//! What Kubernetes declares for the expressions that select devices (`resource.k8s.io`).

use crate::plan::Environment;
use crate::types::{Object, Signature, Type, parse_type};
use std::sync::{Arc, LazyLock};

/// The environment of such an expression: a device, of whose attributes nothing is known but their names' form.
pub fn environment() -> Environment {
    let mut environment = Environment { has_bindings: true, ..Environment::default() };
    environment.variables.insert("device".to_owned(), DEVICE.clone());
    // For attributes that are arrays.
    environment.functions.to_mut().extend(Signature::parse("(dyn).includes(dyn) -> bool"));
    environment
}

static DEVICE: LazyLock<Type> = LazyLock::new(|| {
    let fields = [
        ("driver", "string"),
        ("attributes", "map(string, map(string, dyn))"),
        ("capacity", "map(string, map(string, quantity))"),
        ("allowMultipleAllocations", "bool"),
    ];
    let fields = fields.map(|(name, of)| (name.to_owned(), parse_type(of).unwrap_or(Type::Dyn)));
    Type::Object(Arc::new(Object { name: "kubernetes.DRADevice".to_owned(), fields: fields.into(), is_open: false }))
});

#[cfg(test)]
mod tests {
    use super::environment;
    use crate::compile::compile;
    use crate::types::Type;

    #[test]
    fn selectors_are_compiled() {
        for (text, is_accepted) in [
            ("device.driver == 'gpu.example.com'", true),
            ("device.attributes['a.com'].type == 'gpu' && device.capacity['a.com'].memory == quantity('64Gi')", true),
            ("device.capacity['a.com'].memory.isGreaterThan(quantity('40Gi'))", true),
            ("device.attributes['a.com'].version.isGreaterThan(semver('1.0.0'))", true),
            ("cel.bind(a, device.attributes['a.com'], a.one && a.other)", true),
            ("device.attributes['a.com'].?model.orValue('') == 'A100'", true),
            ("device.attributes['a.com'].flag", true),
            ("'model' in device.attributes['a.com'] || device.allowMultipleAllocations", true),
            ("device.attributes['a.com'].models.includes('x')", true),
            ("device.attribute['a.com'].type == 'gpu'", false),
            ("device.capacity['a.com'].memory >= quantity('40Gi')", false),
            ("device.capacity['a.com'].memory", false),
            ("device.driver", false),
            ("claim.name == ''", false),
        ] {
            let found = compile(text, &environment(), &[Type::Bool, Type::Dyn]);
            assert_eq!(found.is_ok(), is_accepted, "{text}: {found:?}");
        }
    }
}

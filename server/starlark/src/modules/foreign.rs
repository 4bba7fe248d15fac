//! Functions of other evaluations, which come with the annotations of what libraries make.

use lofting_eval::{Call, EvalError, LibraryFiles};
use starlark::eval::Evaluator;
use starlark::values::Value;

use crate::convert::{self, Export};
use crate::failure::{LoadFailure, Result, fail};
use crate::host::Host;
use crate::object::ForeignFunction;

/// Calls a function of another evaluation. Its arguments and its result are copied, and have no places there.
pub(crate) fn call_foreign<'v>(
    function: &ForeignFunction,
    arguments: &[Value<'v>],
    eval: &mut Evaluator<'v, '_, '_>,
) -> Result<Value<'v>> {
    let host = Host::of(eval)?;
    let mut export = Export::new(&host.sources, eval.heap(), None);
    // The frames of the other evaluation have paths that mean nothing here.
    let failed = |error: EvalError| {
        let inner = EvalError { frames: Vec::new(), ..error };
        starlark::Error::new_other(LoadFailure { message: inner.message.clone(), inner })
    };
    let arguments: std::result::Result<Vec<_>, _> = arguments.iter().map(|value| export.data(*value)).collect();
    let call = Call { handle: function.handle, attribute: None, arguments: arguments.map_err(failed)? };
    match host.files.call(function.evaluation, &[call]).pop() {
        Some(Ok(data)) => Ok(convert::to_value(&data, eval.heap())),
        Some(Err(error)) => Err(failed(error)),
        None => fail("nothing answers"),
    }
}

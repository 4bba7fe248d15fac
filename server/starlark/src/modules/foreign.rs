//! Functions of other evaluations, which come with the annotations of what libraries make.

use lofting_eval::{Call, EvalError, LibraryFiles};
use lofting_interpreter::Value;

use crate::convert::{self, Export};
use crate::failure::{LoadFailure, Result, fail};
use crate::object::ForeignFunction;
use crate::run::Run;

/// Calls a function of another evaluation. Its arguments and its result are copied, and have no places there.
pub(crate) fn call_foreign(
    function: &ForeignFunction,
    arguments: &[Value],
    run: &mut Run<'_, '_, '_>,
) -> Result<Value> {
    let mut export = Export::new(&run.host.sources, None);
    // The frames of the other evaluation have paths that mean nothing here.
    let failed = |error: EvalError| {
        let inner = EvalError { frames: Vec::new(), ..error };
        LoadFailure::failure(inner.message.clone(), inner)
    };
    let arguments: std::result::Result<Vec<_>, _> = arguments.iter().map(|value| export.data(value)).collect();
    let call = Call { handle: function.handle, attribute: None, arguments: arguments.map_err(failed)? };
    match run.host.files.call(function.evaluation, &[call]).pop() {
        Some(Ok(data)) => Ok(convert::to_value(&data)),
        Some(Err(error)) => Err(failed(error)),
        None => fail("nothing answers"),
    }
}

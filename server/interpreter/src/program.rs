//! Code that is ready to be run.

use smol_str::SmolStr;

use crate::code::FunctionCode;
use crate::failure::Failure;
use crate::parser::parse;
use crate::resolve::{Predeclared, resolve};

/// The code of a file, with all its names resolved.
#[derive(Debug)]
pub struct Program {
    pub(crate) code: FunctionCode,
    pub(crate) globals: Vec<SmolStr>,
    /// Names that the file loads and does not define.
    pub(crate) loaded: Vec<SmolStr>,
}

impl Program {
    /// Reads code; `file` is the number that places of failures get.
    ///
    /// # Errors
    ///
    /// The first thing that cannot be read, or all names that are not defined.
    pub fn new(text: &str, file: u32, predeclared: &dyn Predeclared) -> Result<Program, Vec<Failure>> {
        let mut code = parse(text, file).map_err(|failure| vec![failure])?;
        let (globals, loaded) = resolve(&mut code, predeclared)?;
        Ok(Program { code, globals, loaded })
    }
}

//! `@ytt:toml`

mod decode;
mod encode;

use lofting_interpreter::Value;

use super::Args;
use crate::failure::Result;
use crate::plain;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    if args.name == "toml.decode" {
        return decode::decode(args.text(0)?);
    }
    args.only(&["indent"])?;
    // No indent means that of Go's encoder.
    let indent = match args.indent()? {
        0 => 2,
        indent => indent,
    };
    encode::encode(&plain::node(args.first())?, indent).map(Value::text)
}

//! The component of Zed, called by a host in place of the editor.

use std::fs;
use std::process::Command;

use anyhow::bail;

use super::{Bench, Outcome};
use crate::shell;

/// The first bytes of a component; a plain module has the version 1 and the layer 0.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let archive = bench.packages.join("lofting-zed.tar.gz");
    if !archive.is_file() {
        return Ok(Outcome::Skipped("it was not built".to_owned()));
    }
    let folder = bench.folder("zed")?;
    shell::quiet(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let bytes = fs::read(folder.join("extension.wasm"))?;
    if !bytes.starts_with(COMPONENT) {
        bail!("extension.wasm is not a component");
    }
    let mut fetch =
        shell::program("npm", &["install", "--no-audit", "--no-fund", "--no-save", "@bytecodealliance/jco@1"], ".");
    if let Err(why) = shell::quiet(fetch.arg("--prefix").arg(&folder)) {
        return Ok(Outcome::without("jco", &why));
    }
    let host = shell::root().join("xtask/src/packages/zed_host.mjs");
    shell::quiet(Command::new("node").arg(host).arg(&folder))?;
    Ok(Outcome::Done)
}

//! The extension of VS Code for browsers: without a server, with the module that `cargo xtask wasm` builds.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::report::Report;
use crate::shell::{self, program};
use crate::{vscode, wasm};

/// What a package for browsers has of the sources.
const PARTS: [&str; 3] = ["README.md", "media", "syntaxes"];

/// Bundles and packs the extension, with the module that was built before. It is packed in a folder of its own, because its
/// manifest differs: an editor that runs on a machine would start what is for machines.
pub fn pack(out: &Path) -> anyhow::Result<()> {
    let source = shell::root().join(vscode::FOLDER);
    let folder = shell::target_dir().join("vscode-web");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("browser")).with_context(|| folder.display().to_string())?;
    for part in PARTS {
        shell::copy(&source.join(part), &folder.join(part))?;
    }
    fs::copy(wasm::module(), folder.join("browser/lofting.wasm"))
        .with_context(|| wasm::module().display().to_string())?;
    vscode::write_texts(&folder)?;
    let path = source.join("package.json");
    let manifest = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let manifest = for_browsers(&manifest).with_context(|| path.display().to_string())?;
    fs::write(folder.join("package.json"), manifest).with_context(|| folder.display().to_string())?;
    for (entry, bundle, form) in
        [("src/web/main.ts", "dist/web.js", "cjs"), ("../browser/worker.ts", "browser/worker.js", "iife")]
    {
        let mut bundling =
            program(source.join("node_modules/.bin/esbuild"), &[entry, "--bundle", "--minify"], vscode::FOLDER);
        bundling.args(["--platform=browser", "--target=es2022", "--external:vscode", "--log-level=warning"]);
        // The module is given to the worker; the address that the generated code would fetch it from is not used.
        bundling.args([format!("--format={form}"), "--define:import.meta.url=\"\"".to_owned()]);
        shell::quiet(bundling.arg(format!("--outfile={}", folder.join(bundle).display())))?;
    }
    let out = out.to_string_lossy();
    let mut packing =
        program(source.join("node_modules/.bin/vsce"), &["package", "--target", "web", "--out", &out], ".");
    shell::quiet(packing.arg("--no-dependencies").current_dir(&folder)).map(drop)
}

/// The manifest of a package for browsers.
fn for_browsers(manifest: &str) -> anyhow::Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let members = manifest.as_object_mut().context("it is not a map")?;
    // Without an entry for machines, an editor runs it in the browser; its kind would say otherwise.
    for left_out in ["main", "extensionKind", "scripts", "dependencies", "devDependencies"] {
        members.shift_remove(left_out);
    }
    Ok(format!("{manifest:#}\n"))
}

/// Drives VS Code with the extension in the browser alone, where the module was built before; see editors/vscode/e2e.
pub fn drive(report: &mut Report) {
    let title = "VS Code, the extension in the browser";
    if !wasm::module().is_file() {
        return report.skip(title, "`cargo xtask wasm` has not been run");
    }
    let vsix = shell::target_dir().join("lofting-web.vsix");
    if report.check("VSIX for browsers", vscode::install().and_then(|()| pack(&vsix))) {
        let mut command = program("bash", &["e2e/run-web.sh"], vscode::FOLDER);
        report.command(title, command.arg(shell::tools_dir()).arg(vsix));
    }
}

#[cfg(test)]
mod tests {
    /// Nothing of it is for a machine.
    #[test]
    fn the_manifest_for_browsers_has_one_entry() {
        let path = crate::shell::root().join("editors/vscode/package.json");
        let made = super::for_browsers(&std::fs::read_to_string(path).expect("the manifest")).expect("a manifest");
        let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
        assert_eq!((&made["main"], &made["browser"]), (&serde_json::Value::Null, &"./dist/web.js".into()));
        assert_eq!(made["extensionKind"], serde_json::Value::Null);
    }
}

//! The entry for nvim-lspconfig, in a real Neovim with the installed program in `PATH`.

use std::fs;
use std::process::Command;

use anyhow::{Context, anyhow};

use super::{Bench, Outcome};
use crate::{neovim, shell};

/// Opens the file with the mistake, waits for findings, and returns their lines. Always ends the editor.
const SCRIPT: &str = "
local done, why = pcall(function()
  vim.lsp.enable('lofting')
  vim.cmd.edit('service.yaml')
  assert(vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end), 'there are no findings')
  for _, finding in ipairs(vim.diagnostic.get(0)) do
    io.stdout:write(('line %d: %s\\n'):format(finding.lnum + 1, finding.message))
  end
end)
if not done then
  io.stderr:write(tostring(why) .. '\\n')
end
vim.cmd(done and 'qall!' or 'cquit 1')
";

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let editor = match neovim::neovim() {
        Ok(editor) => editor,
        Err(why) => return Ok(Outcome::Skipped(format!("{why:#}"))),
    };
    let project = bench.example("pre-commit", "lspconfig/project")?;
    let config = bench.folder("lspconfig/config/nvim/lsp")?;
    let entry = shell::root().join("packaging/nvim-lspconfig/lofting.lua");
    fs::copy(&entry, config.join("lofting.lua")).with_context(|| entry.display().to_string())?;
    fs::write(project.join("open.lua"), SCRIPT)?;
    let below = |name: &str| bench.work.join("lspconfig").join(name);
    let path = format!("{}:{}", bench.work.join("program").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(editor);
    command.args(["--headless", "-c", "luafile open.lua"]).current_dir(&project).env("PATH", path);
    for name in ["CONFIG", "DATA", "STATE", "CACHE"] {
        command.env(format!("XDG_{name}_HOME"), below(&name.to_lowercase()));
    }
    let said = shell::quiet(&mut command)?;
    if said.contains("line 3: ") {
        Ok(Outcome::Done)
    } else {
        Err(anyhow!("Neovim shows no finding in line 3:\n{said}"))
    }
}

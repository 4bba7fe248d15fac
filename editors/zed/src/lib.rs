//! Starts `lofting lsp` in Zed and hands it the user's settings.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result, Worktree};

struct Lofting;

impl zed::Extension for Lofting {
    fn new() -> Self {
        Lofting
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let configured = binary.as_ref().and_then(|binary| binary.path.clone());
        let command = configured.or_else(|| worktree.which("lofting")).ok_or(
            "`lofting` is not in PATH; install it with `cargo install --path server/lsp`, \
             or set lsp.lofting.binary.path",
        )?;
        let args = binary.and_then(|binary| binary.arguments).unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(zed::Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.settings))
    }
}

zed::register_extension!(Lofting);

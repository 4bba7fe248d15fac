//! Starts `lofting lsp` in Zed and hands it the user's settings.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, LanguageServerId, Result, Worktree, serde_json};

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
        let settings = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.settings);
        Ok(settings.map(without_trust))
    }
}

/// The settings without those about trust and connections: Zed merges what a project says into what the user says, and a
/// project must not trust itself. `LOFTING_TRUST` and `LOFTING_ALLOWED_HOSTS` in the environment do the same for the user.
fn without_trust(mut settings: serde_json::Value) -> serde_json::Value {
    let is_users = |name: &str| {
        let name = name.strip_prefix("lofting.").unwrap_or(name);
        name == "trustedFolders" || name == "fetch" || name.starts_with("fetch.")
    };
    if let Some(settings) = settings.as_object_mut() {
        settings.retain(|name, _| !is_users(name));
        if let Some(own) = settings.get_mut("lofting").and_then(|own| own.as_object_mut()) {
            own.retain(|name, _| !is_users(name));
        }
    }
    settings
}

zed::register_extension!(Lofting);

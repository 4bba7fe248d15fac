//! `initialized`: from now on requests may be sent to the client, so everything slow begins here.

use gen_lsp_types as lsp;

use crate::outbox::Question;
use crate::session::Session;

/// Requests settings and file watchers, and starts the first scan.
pub(crate) fn apply(session: &mut Session) {
    crate::log::connect(&session.client.outbox);
    session.ask_settings();
    let registrations = registrations(session);
    if !registrations.is_empty() {
        session.client.outbox.ask(Question::Register(registrations));
    }
    session.scan();
}

fn registrations(session: &Session) -> Vec<lsp::Registration> {
    let mut registrations = Vec::new();
    if session.client.profile.watches_files {
        // Plain globs without braces are understood by every client.
        let watchers = lofting_workspace::WATCHED.map(|glob| lsp::FileSystemWatcher {
            glob_pattern: lsp::GlobPattern::Pattern(glob.to_owned()),
            kind: None,
        });
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        registrations.extend(registration("workspace/didChangeWatchedFiles", serde_json::to_value(options)));
    }
    if session.client.profile.registers_configuration {
        let options = serde_json::json!({ "section": crate::settings::SECTIONS });
        registrations.extend(registration("workspace/didChangeConfiguration", Ok(options)));
    }
    registrations
}

fn registration(method: &str, options: serde_json::Result<serde_json::Value>) -> Option<lsp::Registration> {
    Some(lsp::Registration {
        id: format!("lofting/{method}"),
        method: method.to_owned(),
        register_options: Some(options.ok()?),
    })
}

//! The settings of the client: when they arrive, and what they change.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use lofting_worker::Limits;
use serde_json::Value;

use crate::outbox::{Question, Said};
use crate::outputs::Outputs;
use crate::session::consequences::Changed;
use crate::session::{Session, code_runner};
use crate::{settings, trust};

/// How long the first diagnostics wait for the client's settings. Without settings, findings may be wrong for a moment;
/// with a client that never answers, they must appear nevertheless.
const SETTINGS_PATIENCE: Duration = Duration::from_millis(300);

/// The member of `initializationOptions` that says that the user trusts the workspace.
const TRUSTED: &str = "trusted";

/// The member of `initializationOptions` that says that all settings of the client are the user's: a repository has no
/// say in them.
const USER_SETTINGS: &str = "userSettings";

/// What is known about the settings of a client.
pub(crate) struct ClientSettings {
    /// The number of the last question.
    round: u64,
    /// The editor says that the user trusts the workspace.
    trusts_workspace: bool,
    /// What the user decided in `initializationOptions`; None if all settings of the client are the user's.
    decisions: Option<settings::Decisions>,
    /// Until when diagnostics wait for settings.
    pub(super) awaited: Option<Instant>,
    /// Code is evaluated only in a sandbox without gaps.
    requires_sandbox: bool,
}

impl Default for ClientSettings {
    fn default() -> Self {
        ClientSettings {
            round: 0,
            trusts_workspace: false,
            decisions: Some(settings::Decisions::default()),
            awaited: None,
            requires_sandbox: false,
        }
    }
}

impl Session {
    /// Applies the settings in `initializationOptions`.
    pub(super) fn begin_with_settings(&mut self, options: &Value) {
        self.settings.trusts_workspace = options.get(TRUSTED).and_then(Value::as_bool).unwrap_or(false);
        let reading = settings::from_object(options);
        let is_users = options.get(USER_SETTINGS).and_then(Value::as_bool).unwrap_or(false);
        self.settings.decisions = (!is_users).then(|| reading.decisions());
        self.use_settings(reading);
    }

    /// Asks the client for its settings, if it answers such questions.
    pub(crate) fn ask_settings(&mut self) {
        if !self.client.profile.configuration {
            return;
        }
        self.settings.round += 1;
        if self.settings.round == 1 {
            self.settings.awaited = Some(Instant::now() + SETTINGS_PATIENCE);
        }
        let (round, events) = (self.settings.round, self.workers.events.clone());
        let answered =
            move |answers| events.change("settings", move |session| session.settings_arrived(round, answers));
        self.client.outbox.ask(Question::Configuration { items: settings::items(), answered: Box::new(answered) });
    }

    /// Takes the client's answer to [`Session::ask_settings`], or its refusal.
    pub(crate) fn settings_arrived(&mut self, round: u64, answers: Option<Vec<Value>>) {
        if round != self.settings.round {
            return;
        }
        self.settings.awaited = None;
        if let Some(answers) = answers {
            self.apply_settings(settings::from_answers(&answers));
        }
    }

    /// Applies settings that arrived after the start. What only the user may decide stays as it is, unless the client
    /// said that all its settings are the user's.
    pub(crate) fn apply_settings(&mut self, reading: settings::Reading) {
        let reading = match &self.settings.decisions {
            Some(decisions) => reading.decided(decisions),
            None => reading,
        };
        self.use_settings(reading);
    }

    /// Applies settings, and reports mistakes in them to the user.
    fn use_settings(&mut self, reading: settings::Reading) {
        for mistake in reading.mistakes {
            self.client.outbox.say(Said::Show(lsp::MessageType::Warning, mistake));
        }
        if reading.require_sandbox != self.settings.requires_sandbox {
            self.settings.requires_sandbox = reading.require_sandbox;
            self.workspace.set_evaluator(crate::evaluator::worker(
                Limits::IN_EDITORS,
                self.settings.requires_sandbox,
                crate::evaluator::Ahead::default(),
            ));
            self.workers.code = code_runner(&self.workspace, &self.workers.events);
            self.client.outputs = Outputs::default();
        }
        self.choose_workspace_problems(reading.editor.problems);
        self.client.editor = Arc::new(reading.editor);
        self.set_fetching(reading.fetch);
        let mut settings = reading.settings;
        let said = trust::of_environment();
        settings.trust.all |= said.all || self.settings.trusts_workspace;
        settings.trust.folders.extend(said.folders);
        self.workspace.set_settings(settings);
        self.changed(Changed::Surroundings);
    }

    /// The user trusts the workspace now.
    pub(crate) fn trust_workspace(&mut self) {
        self.settings.trusts_workspace = true;
        let mut settings = self.workspace.settings().clone();
        settings.trust.all = true;
        self.workspace.set_settings(settings);
        self.changed(Changed::Surroundings);
    }
}

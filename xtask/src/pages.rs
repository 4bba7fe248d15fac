//! The manual's pages of editors, followed literally: what a page says to write into a file is written there, below a
//! home of its own, the editor is started in a terminal with a file that has a mistake, and what the server sends must
//! hold the finding, and then the answer to each thing that is typed.
//!
//! A block of a page says in a comment above it which file it is (`<!-- file: ~/… -->`); several blocks of one file follow
//! each other. Blocks for a shell are run if the comment above says what they change (`<!-- not typed: it changes … -->`).

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use crate::report::Report;
use crate::shell;

/// An editor that is driven.
struct Editor {
    title: &'static str,
    page: &'static str,
    program: Option<PathBuf>,
    /// The arguments before the file.
    arguments: &'static str,
    /// The file of the page that is the configuration, where the page has several ways, and where the editor reads it.
    chosen: Option<(&'static str, &'static str)>,
    /// What the editor asks, one after the other, and the keys that answer it.
    questions: &'static [(&'static str, &'static str)],
    /// What is typed after the finding, and what the server sends because of it.
    typed: &'static [(&'static str, &'static str)],
    /// What to do where it is missing.
    advice: &'static str,
}

const FILE: &str = "app.yaml";
const TEXT: &str = "# yaml-language-server: $schema=app.json\nport: \"80\"\n";
const SCHEMA: &str =
    r#"{"properties": {"port": {"type": "integer", "description": "Where it listens."}, "level": {"type": "string"}}}"#;
const FINDING: &str = "should be an integer";

/// From the start of the editor to the finding; a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the server sends: the description of a key, a key to complete, and that there are no findings any more.
const HOVER: &str = "Where it listens.";
const COMPLETION: &str = "\"label\":\"level\"";
const FIXED: &str = "\"diagnostics\":[]";

/// What the server answers when a command of ours asks for the schema.
const EXPLAINED: &str = "\"markdown\":\"";

const EMACS: &str = "Debian: apt-get install emacs-nox elpa-eglot elpa-lsp-mode elpa-yaml-mode";

/// Follows the pages of all editors that are installed.
pub fn test(report: &mut Report, neovim: Option<PathBuf>) {
    let server = match shell::build_lofting(shell::Profile::Dev) {
        Ok(path) => path,
        Err(why) => return report.fail("pages of editors", why),
    };
    let named = |variable: &str, name: &str| {
        std::env::var_os(variable).map(PathBuf::from).or_else(|| shell::is_there(name).then(|| name.into()))
    };
    // It knows no `--version`.
    let kakoune = std::env::var_os("LOFTING_KAK").map(PathBuf::from);
    let kakoune =
        kakoune.or_else(|| shell::quiet(Command::new("kak").arg("-version")).is_ok().then(|| PathBuf::from("kak")));
    let has_ale = std::env::var_os("LOFTING_VIM").is_some() || Path::new("/usr/share/vim-ale").exists();
    // The packages of the page are not parts of every Emacs. Those in a home do not count: the editor gets a new one.
    let emacs_with = |library: &str| {
        let finds = format!(
            "(progn (package-initialize) (kill-emacs (if (and (locate-library {library:?}) (locate-library \"yaml-mode\")) 0 1)))"
        );
        let is_there = |emacs: &PathBuf| {
            let mut asked = Command::new(emacs);
            shell::quiet(asked.args(["--batch", "--eval", &finds]).env("HOME", "/nonexistent")).is_ok()
        };
        named("LOFTING_EMACS", "emacs").filter(is_there)
    };
    let emacs = |title, library: &'static str, name, questions| Editor {
        title,
        page: "emacs.md",
        program: emacs_with(library),
        arguments: "-nw",
        chosen: Some((name, ".emacs.d/init.el")),
        questions,
        typed: &[("\x1bxlofting-explain\r", EXPLAINED)],
        advice: EMACS,
    };
    let editors = [
        Editor {
            title: "page of Neovim",
            page: "neovim.md",
            program: neovim,
            arguments: "",
            chosen: None,
            questions: &[],
            typed: &[],
            advice: "`cargo xtask editors --neovim` fetches it",
        },
        Editor {
            title: "page of Helix",
            page: "helix.md",
            program: named("LOFTING_HX", "hx"),
            arguments: "",
            chosen: None,
            questions: &[],
            typed: &[],
            advice: "put Helix into PATH as `hx`, or its path into LOFTING_HX",
        },
        emacs("page of Emacs, eglot", "eglot", "eglot.el", &[]),
        // It asks which folder is the project: `i` is the one of the file.
        emacs("page of Emacs, lsp-mode", "lsp-mode", "lsp-mode.el", &[("Import project", "i")]),
        Editor {
            title: "page of Vim, ALE",
            page: "vim.md",
            program: has_ale.then(|| named("LOFTING_VIM", "vim")).flatten(),
            arguments: "",
            chosen: None,
            questions: &[("Type number", "1\r")],
            typed: &[(":2\r:ALEHover\r", HOVER), (":2\r:ALECodeAction\r", FIXED), ("ole", COMPLETION)],
            advice: "Debian: apt-get install vim vim-ale; LOFTING_VIM names another Vim, which finds ALE",
        },
        Editor {
            title: "page of Kakoune",
            page: "kakoune.md",
            program: kakoune.filter(|_| shell::is_there("kak-lsp")),
            arguments: "",
            chosen: None,
            questions: &[],
            typed: &[("j:lsp-hover\r", HOVER), (":lsp-code-action 'Remove the quotes'\r", FIXED), ("ole", COMPLETION)],
            advice: "Debian: apt-get install kakoune; cargo install kak-lsp",
        },
    ];
    for editor in editors {
        match &editor.program {
            None => report.skip(editor.title, editor.advice),
            Some(_) if !shell::is_there("script") => report.skip(editor.title, "there is no `script` (util-linux)"),
            Some(program) => {
                report.check(editor.title, follow(&editor, program, &server));
            }
        }
    }
}

/// Does what the page says, and waits for the finding.
fn follow(editor: &Editor, program: &Path, server: &Path) -> anyhow::Result<()> {
    let home = shell::target_dir().join("pages").join(editor.title.replace([' ', ','], "-"));
    let shown = || home.display().to_string();
    let _ = fs::remove_dir_all(&home);
    let work = home.join("work");
    fs::create_dir_all(work.join(".git")).with_context(shown)?;
    fs::write(work.join(FILE), TEXT).with_context(shown)?;
    fs::write(work.join("app.json"), SCHEMA).with_context(shown)?;
    let page = shell::root().join("docs/editors").join(editor.page);
    let page = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    let blocks = blocks(&page);
    let mut written = 0;
    for (mark, text) in &blocks {
        let Some(name) = mark.strip_prefix("file: ~/") else { continue };
        let name = match editor.chosen {
            Some((chosen, path)) if chosen == name => path,
            Some(_) => continue,
            None => name,
        };
        append(&home.join(name), &with_clone(text)).with_context(shown)?;
        written += 1;
    }
    if written == 0 {
        bail!("docs/editors/{} has no file for it", editor.page);
    }
    for (_, text) in blocks.iter().filter(|(mark, _)| mark.starts_with("not typed: it changes")) {
        let mut command = Command::new("sh");
        command.args(["-e", "-c", &with_clone(text)]);
        shell::quiet(command.env("HOME", &home).env_remove("XDG_CONFIG_HOME"))?;
    }
    let mut sent = start_recording(&home, server)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let (number, arguments) = (home.join("number"), editor.arguments);
    let start = format!("stty rows 40 cols 120; echo $$ >'{}'", number.display());
    let typed = format!("{start}; exec '{}' {arguments} {FILE}", program.display());
    let mut command = Command::new("script");
    command.args(["--quiet", "--command", &typed, "/dev/null"]).current_dir(&work);
    command.env("HOME", &home).env("PATH", format!("{}:{path}", home.join("bin").display())).env("TERM", "xterm");
    for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(variable);
    }
    let mut screen = fs::File::create(home.join("screen")).with_context(shown)?;
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(shown)?;
    // While this end is open, the terminal is.
    let keys = Arc::new(Mutex::new(running.stdin.take()));
    let (output, answers) = (running.stdout.take(), keys.clone());
    let mut questions = editor.questions.iter().peekable();
    std::thread::spawn(move || {
        let Some(mut output) = output else { return };
        let (mut seen, mut bytes) = (Vec::new(), [0; 4096]);
        while let Ok(read @ 1..) = output.read(&mut bytes) {
            let _ = screen.write_all(&bytes[..read]);
            seen.extend_from_slice(&bytes[..read]);
            if let Some((_, answer)) = questions.next_if(|(asked, _)| String::from_utf8_lossy(&seen).contains(*asked)) {
                type_keys(&answers, answer);
                seen.clear();
            }
        }
    });
    let arrived = ask(&mut sent, &keys, editor.typed);
    // Emacs outlives its terminal, so the editor is ended first.
    let number = fs::read_to_string(number).unwrap_or_default();
    let end = |signal| shell::quiet(Command::new("kill").args([signal, number.trim()]));
    // With it ends what it started, and so what is recorded.
    let _ = end("-TERM");
    while sent.parts.recv_timeout(PATIENCE).is_ok() {}
    let _ = end("-KILL");
    let _ = running.kill();
    let _ = running.wait();
    arrived
        .map_err(|what| anyhow!("{what} did not arrive; {} shows what the editor did", home.join("screen").display()))
}

/// What a page says, with the folder of this clone.
fn with_clone(text: &str) -> String {
    text.replace("/path/to/lofting", &shell::root().to_string_lossy())
}

/// Waits for the finding, then types and waits for what the server sends then. The error is what does not come.
fn ask(sent: &mut Sent, keys: &Keys, typed: &[(&str, &str)]) -> anyhow::Result<()> {
    sent.until(FINDING)?;
    typed.iter().try_for_each(|(text, answer)| {
        type_keys(keys, text);
        sent.until(answer)
    })
}

/// The keyboard of the terminal.
type Keys = Arc<Mutex<Option<ChildStdin>>>;

fn type_keys(keys: &Keys, text: &str) {
    if let Ok(mut keys) = keys.lock()
        && let Some(keys) = keys.as_mut()
    {
        let _ = keys.write_all(text.as_bytes()).and_then(|()| keys.flush());
    }
}

/// What the server sends, as far as it was not waited for yet.
struct Sent {
    parts: mpsc::Receiver<String>,
    seen: String,
}

impl Sent {
    /// Waits until it has sent this. What came before is forgotten then.
    fn until(&mut self, text: &str) -> anyhow::Result<()> {
        while !self.seen.contains(text) {
            let part = self.parts.recv_timeout(PATIENCE).map_err(|_| anyhow!("`{text}`"))?;
            self.seen.push_str(&part);
        }
        self.seen.clear();
        Ok(())
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// Puts a `lofting` into the home that is the server and also writes what it sends into a pipe.
fn start_recording(home: &Path, server: &Path) -> anyhow::Result<Sent> {
    let shown = || home.display().to_string();
    let (bin, pipe) = (home.join("bin"), home.join("sent"));
    fs::create_dir_all(&bin).with_context(shown)?;
    shell::quiet(Command::new("mkfifo").arg(&pipe))?;
    let program = bin.join("lofting");
    let text = format!("#!/bin/sh\n'{}' \"$@\" | tee '{}'\n", server.display(), pipe.display());
    fs::write(&program, text).with_context(shown)?;
    shell::quiet(Command::new("chmod").arg("+x").arg(&program))?;
    let (sender, parts) = mpsc::channel();
    std::thread::spawn(move || {
        let Ok(sent) = fs::File::open(pipe) else { return };
        let mut sent = BufReader::new(sent);
        let mut bytes = Vec::new();
        // Messages have no line breaks inside; the next one begins with a header.
        while matches!(sent.read_until(b'}', &mut bytes), Ok(read) if read > 0) {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    Ok(Sent { parts, seen: String::new() })
}

/// The blocks of code of a page that have a mark, with it.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        let mark = line.trim().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(mark) = mark.filter(|_| lines.peek().is_some_and(|next| next.trim_start().starts_with("```"))) else {
            continue;
        };
        let text = lines.by_ref().skip(1).take_while(|line| !line.trim_start().starts_with("```"));
        found.push((mark, text.map(|line| format!("{line}\n")).collect()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn marked_blocks_are_found() {
        let page = "a\n<!-- file: ~/x -->\n```toml\nb = 1\n```\n\n```sh\nc\n```\n<!-- not here -->\nd\n";
        assert_eq!(blocks(page), [("file: ~/x", "b = 1\n".to_owned())]);
    }
}

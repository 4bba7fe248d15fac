//! What a check does, in one line at the bottom of the terminal, if it takes a long time. The line is gone before
//! anything else is written.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lofting_workspace::CheckStep;
use parking_lot::Mutex;

use crate::terminal;

/// Shorter checks show nothing.
const AFTER: Duration = Duration::from_millis(700);

/// How often the line is written.
const EVERY: Duration = Duration::from_millis(100);

/// A line that is shown until it is dropped.
pub(super) struct ProgressLine {
    step: Arc<Mutex<Option<CheckStep>>>,
    /// Its end ends the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// None where stderr is not a terminal that can be written over.
    pub(super) fn start() -> Option<ProgressLine> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_dumb || !std::io::stderr().is_terminal() {
            return None;
        }
        let step = Arc::new(Mutex::new(None));
        let shown = Arc::clone(&step);
        let (end, ended) = channel();
        let thread = thread::Builder::new().name("progress".to_owned());
        let thread = thread.spawn(move || show(&shown, &ended, &mut std::io::stderr(), AFTER, EVERY)).ok()?;
        Some(ProgressLine { step, end: Some(end), thread: Some(thread) })
    }

    /// What the check does now.
    pub(super) fn say(&self, step: CheckStep) {
        *self.step.lock() = Some(step);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes the step of the moment until `ended` says that it is over.
fn show(step: &Mutex<Option<CheckStep>>, ended: &Receiver<()>, out: &mut impl Write, after: Duration, every: Duration) {
    let mut pause = after;
    let mut is_shown = false;
    while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = every;
        let now = *step.lock();
        if let Some(now) = now {
            is_shown = true;
            // A terminal that is gone shows nothing.
            let _ = terminal::redraw(out, &line(now));
        }
    }
    if is_shown {
        let _ = terminal::redraw(out, "");
    }
}

fn line(step: CheckStep) -> String {
    match step {
        CheckStep::Reading { files } => format!("lofting: reading files ({files})"),
        CheckStep::Schemas => "lofting: looking for schemas".to_owned(),
        CheckStep::Code => "lofting: running code".to_owned(),
        CheckStep::Checking { done, of } => format!("lofting: checking files ({done} of {of})"),
        CheckStep::Rendering => "lofting: rendering".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CheckStep, Duration, Mutex, Sender, channel, show};
    use std::io::Write;

    /// A terminal on which the check is over after a few lines.
    struct Screen {
        bytes: Vec<u8>,
        left: usize,
        end: Option<Sender<()>>,
    }

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.bytes.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.end = None;
            }
            Ok(())
        }
    }

    fn shown(step: Option<CheckStep>, left: usize) -> String {
        let (end, ended) = channel();
        let mut screen = Screen { bytes: Vec::new(), left, end: (left > 0).then_some(end) };
        show(&Mutex::new(step), &ended, &mut screen, Duration::ZERO, Duration::ZERO);
        String::from_utf8(screen.bytes).expect("text")
    }

    #[test]
    fn a_line_is_written_over_and_removed_at_the_end() {
        let checking = CheckStep::Checking { done: 3, of: 7 };
        let line = "\rlofting: checking files (3 of 7)\u{1b}[K";
        assert_eq!(shown(Some(checking), 2), format!("{line}{line}\r\u{1b}[K"));
    }

    #[test]
    fn a_short_check_shows_nothing() {
        assert_eq!(shown(Some(CheckStep::Code), 0), "");
    }
}

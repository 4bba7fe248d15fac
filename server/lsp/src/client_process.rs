//! Notices the end of the client's process, so that the server ends as well.
//!
//! Usually stdin is closed then, but not if another process has inherited the other end of the pipe.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::Notify;

/// Reports when the process has ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientProcess {
    ended: Arc<Notify>,
}

impl ClientProcess {
    /// Waits for its end; for ever if [`ClientProcess::watch`] was not called or does not work here.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + use<> {
        let ended = self.ended.clone();
        async move { ended.notified().await }
    }

    /// Watches the process with this id. An id that does not exist is ignored: the client may run in another container,
    /// whose ids mean nothing here.
    pub(crate) fn watch(&self, number: i32) {
        let ended = self.ended.clone();
        let watch = move || {
            if system::wait(number) {
                ended.notify_one();
            }
        };
        if let Err(error) = std::thread::Builder::new().name("client-process".to_owned()).spawn(watch) {
            tracing::warn!(%error, "no thread to watch the client's process");
        }
    }
}

#[cfg(unix)]
mod system {
    use std::time::Duration;

    use rustix::process::{Pid, test_kill_process};

    /// How often to check, on systems that send no notice.
    const PAUSE: Duration = Duration::from_secs(2);

    /// Waits for the end of a process. False if there is no such process.
    pub(super) fn wait(number: i32) -> bool {
        let Some(process) = Pid::from_raw(number).filter(|_| number > 0) else { return false };
        if !is_there(process) {
            return false;
        }
        #[cfg(target_os = "linux")]
        if wait_for_end(process).is_ok() {
            return true;
        }
        while is_there(process) {
            std::thread::sleep(PAUSE);
        }
        true
    }

    /// A process that we may not send signals to exists as well.
    fn is_there(process: Pid) -> bool {
        test_kill_process(process) != Err(rustix::io::Errno::SRCH)
    }

    /// Linux sends a notice, even for processes whose parent has not collected them.
    #[cfg(target_os = "linux")]
    fn wait_for_end(process: Pid) -> rustix::io::Result<()> {
        use rustix::event::{PollFd, PollFlags, poll};
        let handle = rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty())?;
        loop {
            match poll(&mut [PollFd::new(&handle, PollFlags::IN)], None) {
                Err(rustix::io::Errno::INTR) | Ok(0) => {}
                result => return result.map(drop),
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// Not supported on this system: the server ends when stdin is closed.
    pub(super) fn wait(_: i32) -> bool {
        false
    }
}

//! Notices the end of the client's process, which should not leave a server behind.
//!
//! Mostly stdin ends with it. It does not where another process has inherited the other end of the pipe.

use std::future::Future;
use std::sync::Arc;

use tokio::sync::Notify;

/// Tells when the process has ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientProcess {
    ended: Arc<Notify>,
}

impl ClientProcess {
    /// Waits for its end; for ever if [`ClientProcess::watch`] was not called, or cannot tell.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + use<> {
        let ended = self.ended.clone();
        async move { ended.notified().await }
    }

    /// Watches the process with this number. One that is not there now is none of ours: the client may run in another
    /// container, whose numbers mean nothing here.
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

    /// How often is looked where the system does not tell by itself.
    const PAUSE: Duration = Duration::from_secs(2);

    /// Waits for the end of a process. False if there is no such process.
    pub(super) fn wait(number: i32) -> bool {
        let Some(process) = Pid::from_raw(number).filter(|_| number > 0) else { return false };
        if !is_there(process) {
            return false;
        }
        #[cfg(target_os = "linux")]
        if told(process).is_ok() {
            return true;
        }
        while is_there(process) {
            std::thread::sleep(PAUSE);
        }
        true
    }

    /// A process that we may not send signals to is there as well.
    fn is_there(process: Pid) -> bool {
        test_kill_process(process) != Err(rustix::io::Errno::SRCH)
    }

    /// Linux tells, also of processes whose parent has not taken note of their end.
    #[cfg(target_os = "linux")]
    fn told(process: Pid) -> rustix::io::Result<()> {
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
    /// Not known here: the end of stdin has to do.
    pub(super) fn wait(_: i32) -> bool {
        false
    }
}

//! What code that broke out would try. Paths are those of the directory that the test prepares and that a worker
//! without sandbox runs in; no environment contains it.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{Error, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use nix::sys::{inotify, personality, ptrace, signal, socket, uio};
use nix::unistd::Pid;
use rustix::process::{Resource, Rlimit};

type Result = std::io::Result<()>;

/// Where the test has put files: the working directory at the start.
pub(crate) static PREPARED: OnceLock<PathBuf> = OnceLock::new();

/// The descriptor that the test leaves open.
pub(crate) const LEAKED: i32 = 9;

fn file(name: &str) -> PathBuf {
    PREPARED.get().map_or_else(PathBuf::new, |directory| directory.join(name))
}

fn parent() -> Pid {
    Pid::parent()
}

fn parent_for_rustix() -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(parent().as_raw())
}

fn done<T, E: Into<Error>>(result: std::result::Result<T, E>) -> Result {
    result.map(drop).map_err(Into::into)
}

/// Tries one thing; an error is what the test hopes for, unless the system ends the process first.
pub(crate) fn run(name: &str) -> Result {
    match name {
        // Files.
        "read a system file" => done(fs::read("/etc/passwd")),
        "read a file of the workspace" => done(fs::read(file("secret"))),
        "read a relative path" => done(fs::read("secret")),
        "open a device" => done(File::open("/dev/null")),
        "read the environment of the server" => done(fs::read(format!("/proc/{}/environ", parent()))),
        "list the root" => done(fs::read_dir("/")),
        "look at a file" => done(fs::metadata(file("secret"))),
        "read a link" => done(fs::read_link(file("link"))),
        "create a file" => done(File::create(file("created"))),
        "make a directory" => done(fs::create_dir(file("made"))),
        "delete a file" => done(fs::remove_file(file("victim"))),
        "rename a file" => done(fs::rename(file("old"), file("new"))),
        "change permissions" => done(fs::set_permissions(file("secret"), fs::Permissions::from_mode(0o600))),
        "change the working directory" => done(std::env::set_current_dir(file(""))),
        "read from a leaked descriptor" => done(nix::unistd::read(LEAKED, &mut [0])),
        "map a leaked descriptor" => done(memmap2::MmapOptions::new().len(4096).map_raw_read_only(LEAKED)),
        "write to a leaked descriptor" => done(nix::unistd::write(LEAKED, b"written")),
        "let a file grow" => File::create(file("grown")).and_then(|mut file| file.write_all(b"x")),
        // Connections.
        "connect by TCP" => done(TcpStream::connect("127.0.0.1:9")).or_else(nobody_listens),
        "connect by TCP over IPv6" => done(TcpStream::connect("[::1]:9")).or_else(nobody_listens),
        "send by UDP" => done(UdpSocket::bind("127.0.0.1:0")),
        "connect to a socket in a file" => done(UnixStream::connect(file("socket"))).or_else(nobody_listens),
        "make a pair of sockets" => done(UnixStream::pair()),
        "make a raw socket" => {
            done(socket::socket(socket::AddressFamily::Netlink, socket::SockType::Raw, socket::SockFlag::empty(), None))
        }
        // Descriptors.
        "make a pipe" => done(nix::unistd::pipe()),
        "copy a descriptor" => done(nix::unistd::dup(0)),
        "watch files" => done(inotify::Inotify::init(inotify::InitFlags::empty())),
        // Processes.
        "start a program" => done(Command::new("/bin/true").status()),
        "become another program" => {
            let program = CString::new("/bin/true")?;
            done(nix::unistd::execve(&program, &[&program], &[] as &[CString]))
        }
        "start a thread" => done(std::thread::Builder::new().spawn(|| ()).map(std::thread::JoinHandle::join)),
        "signal the server" => done(signal::kill(parent(), None)),
        "trace the server" => {
            ptrace::seize(parent(), ptrace::Options::empty())?;
            Ok(())
        }
        "read the memory of the server" => {
            let mut buffer = [0; 8];
            let remote = uio::RemoteIoVec { base: 0x1000, len: 8 };
            match uio::process_vm_readv(parent(), &mut [std::io::IoSliceMut::new(&mut buffer)], &[remote]) {
                // It was looked for.
                Ok(_) | Err(nix::errno::Errno::EFAULT) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }
        "hold on to the server" => {
            let pid = parent_for_rustix().ok_or(Error::other("no parent"))?;
            done(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()))
        }
        "limit the server" => {
            // What systems give anyway.
            let limit = Rlimit { current: Some(819_200), maximum: Some(819_200) };
            done(rustix::process::prlimit(parent_for_rustix(), Resource::Msgqueue, limit))
        }
        "slow the server down" => done(rustix::process::setpriority_process(parent_for_rustix(), 5)),
        "raise own limits" => {
            let limit = Rlimit { current: Some(4096), maximum: Some(4096) };
            done(rustix::process::setrlimit(Resource::Nofile, limit))
        }
        "start a session" => done(rustix::process::setsid()).or_else(|error| match error.raw_os_error() {
            // The leader of a group cannot.
            Some(libc::EPERM) => Ok(()),
            _ => Err(error),
        }),
        // The system.
        "leave the namespaces" => done(nix::sched::unshare(nix::sched::CloneFlags::CLONE_FS)),
        "mount" => {
            let none: Option<&Path> = None;
            match nix::mount::mount(none, "/nonexistent", Some("tmpfs"), nix::mount::MsFlags::empty(), none) {
                Ok(()) | Err(nix::errno::Errno::ENOENT) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }
        "let data be run" => done(personality::set(personality::Persona::READ_IMPLIES_EXEC)),
        "make memory that can be run" => done(memmap2::MmapMut::map_anon(4096).and_then(|map| map.make_exec())),
        // Memory.
        "take a gibibyte" => done(Vec::<u8>::new().try_reserve_exact(1 << 30).map_err(Error::other)),
        // What every program may do.
        "compute" => {
            let begin = std::time::Instant::now();
            let words: std::collections::HashMap<u64, Vec<u8>> = (0..64).map(|n| (n, vec![1; 1 << 16])).collect();
            std::thread::sleep(std::time::Duration::from_millis(1));
            let known = std::time::SystemTime::now() > std::time::SystemTime::UNIX_EPOCH;
            let panicked = std::panic::catch_unwind(|| std::hint::black_box(Vec::<u8>::new())[1]).is_err();
            assert!(begin.elapsed().as_nanos() > 0 && words.len() == 64 && known && panicked);
            Ok(())
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "fill the stack" => {
            std::hint::black_box(deep(1));
            Ok(())
        }
        "fill the memory" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 1 << 20]);
            }
        }
        "abort" => std::process::abort(),
        other => panic!("no attempt is called {other:?}"),
    }
}

/// Only whether the call reached the network matters.
fn nobody_listens(error: Error) -> Result {
    match error.kind() {
        std::io::ErrorKind::ConnectionRefused => Ok(()),
        _ => Err(error),
    }
}

fn deep(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    if depth == u64::MAX { 0 } else { deep(depth + 1) + frame[3] }
}

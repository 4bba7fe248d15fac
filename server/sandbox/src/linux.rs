//! Linux: Landlock without any rule, and two filters for system calls.

use crate::gap::Gap;
use std::collections::BTreeMap;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// The newest Landlock version that is used; older systems apply what they have.
const NEWEST: ABI = ABI::V7;

/// No access to the file system, to TCP, or to signals and sockets of outside processes. Binds the calling thread and
/// threads it starts later.
pub(crate) fn no_access() -> Result<(), Gap> {
    let restrict = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?
            .no_new_privs(true)
            .restrict_self()
    };
    let status = restrict().map_err(Gap::Landlock)?;
    match status.ruleset {
        // A system older than [`NEWEST`] enforces a part; the file system is in every version.
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        RulesetStatus::NotEnforced => Err(Gap::NotEnforced(status.landlock)),
    }
}

/// Ends the process at system calls that nothing in it makes by accident, so that its parent learns of an attempt.
pub(crate) fn kills() -> Result<(), Gap> {
    let mut rules = BTreeMap::new();
    allow(
        &mut rules,
        &[
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_kill,
            libc::SYS_pidfd_open,
            libc::SYS_pidfd_getfd,
            libc::SYS_pidfd_send_signal,
            libc::SYS_socket,
            libc::SYS_connect,
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
            libc::SYS_userfaultfd,
            libc::SYS_io_uring_setup,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_mount,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_init_module,
            libc::SYS_finit_module,
            libc::SYS_kexec_load,
        ],
    );
    #[cfg(target_arch = "x86_64")]
    allow(&mut rules, &[libc::SYS_fork, libc::SYS_vfork]);
    install(rules, SeccompAction::Allow, SeccompAction::KillProcess)
}

/// Allows only the system calls that a worker needs: to compute, to read requests, and to wait for the end of these.
pub(crate) fn few_calls() -> Result<(), Gap> {
    let mut rules = computing()?;
    for call in [libc::SYS_read, libc::SYS_readv] {
        rules.insert(call, vec![rule(vec![equal(0, 0)?])?]);
    }
    allow(&mut rules, &[libc::SYS_ppoll]);
    #[cfg(target_arch = "x86_64")]
    allow(&mut rules, &[libc::SYS_poll]);
    install(rules, otherwise(), SeccompAction::Allow)
}

/// Allows only the system calls that a program needs which has read everything: to compute, in several threads, and to
/// print.
pub(crate) fn few_calls_of_program() -> Result<(), Gap> {
    let mut rules = computing()?;
    // A thread of this process. What newer systems start threads with has its flags in memory, where no filter sees them.
    let thread = (libc::CLONE_THREAD | libc::CLONE_VM) as u32;
    rules.insert(libc::SYS_clone, vec![rule(vec![masked(0, thread, u64::from(thread))?])?]);
    // What a C library registers for each thread, if it did for the first.
    allow(&mut rules, &[libc::SYS_rseq]);
    // Whether output goes to a terminal, in the two ways in which C libraries ask.
    #[cfg_attr(target_env = "gnu", expect(clippy::unnecessary_cast, reason = "C libraries differ in the type"))]
    let asked = [libc::TCGETS as u64, libc::TIOCGWINSZ as u64];
    let asked: Result<Vec<_>, Gap> = asked.iter().map(|request| rule(vec![equal(1, *request)?])).collect();
    rules.insert(libc::SYS_ioctl, asked?);
    install(rules, otherwise(), SeccompAction::Allow)
}

/// Other calls fail as on a system that does not have them, which C libraries are prepared for: they try newer calls
/// first.
fn otherwise() -> SeccompAction {
    SeccompAction::Errno(libc::ENOSYS as u32)
}

/// The system calls that computing needs, and writing to the two pipes.
fn computing() -> Result<Rules, Gap> {
    let mut rules = BTreeMap::new();
    // Exit.
    allow(&mut rules, &[libc::SYS_exit, libc::SYS_exit_group]);
    // Memory; `mmap` and `mprotect` below.
    allow(&mut rules, &[libc::SYS_brk, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_madvise]);
    // Synchronisation of existing threads. A panic's message asks for the thread's number; who starts threads asks
    // for the number of processors.
    allow(
        &mut rules,
        &[
            libc::SYS_sched_yield,
            libc::SYS_set_robust_list,
            libc::SYS_gettid,
            libc::SYS_getpid,
            libc::SYS_getppid,
            libc::SYS_sched_getaffinity,
        ],
    );
    // Waiting and waking, and what C libraries do for condition variables; no locks with priorities.
    let operations = [
        libc::FUTEX_WAIT,
        libc::FUTEX_WAKE,
        libc::FUTEX_CMP_REQUEUE,
        libc::FUTEX_WAKE_OP,
        libc::FUTEX_WAIT_BITSET,
        libc::FUTEX_WAKE_BITSET,
    ];
    let operation = !libc::FUTEX_PRIVATE_FLAG & !libc::FUTEX_CLOCK_REALTIME;
    let waits = operations.iter().map(|wait| rule(vec![masked(1, operation as u32, *wait as u64)?]));
    rules.insert(libc::SYS_futex, waits.collect::<Result<Vec<_>, Gap>>()?);
    // Clocks: real system calls only where there is no quicker way, as in some virtual machines.
    allow(
        &mut rules,
        &[
            libc::SYS_clock_gettime,
            libc::SYS_clock_getres,
            libc::SYS_clock_nanosleep,
            libc::SYS_nanosleep,
            libc::SYS_gettimeofday,
            libc::SYS_restart_syscall,
        ],
    );
    // Seeds of hash maps.
    allow(&mut rules, &[libc::SYS_getrandom]);
    // Signals within the process: the stack guard, the end of threads.
    allow(
        &mut rules,
        &[libc::SYS_rt_sigreturn, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigaction, libc::SYS_sigaltstack],
    );
    allow(&mut rules, &[libc::SYS_close]);
    #[cfg(target_arch = "x86_64")]
    allow(&mut rules, &[libc::SYS_time]);
    // Standard output and standard error, and nothing that was inherited.
    for call in [libc::SYS_write, libc::SYS_writev] {
        rules.insert(call, vec![rule(vec![equal(0, 1)?])?, rule(vec![equal(0, 2)?])?]);
    }
    // No memory may be made executable, and none is a file.
    rules.insert(libc::SYS_mprotect, vec![rule(vec![without(2, libc::PROT_EXEC as u64)?])?]);
    let anonymous = masked(3, libc::MAP_ANONYMOUS as u32, libc::MAP_ANONYMOUS as u64)?;
    rules.insert(libc::SYS_mmap, vec![rule(vec![without(2, libc::PROT_EXEC as u64)?, anonymous])?]);
    // Abort, of this process only.
    let abort = vec![equal(0, u64::from(std::process::id()))?, equal(2, libc::SIGABRT as u64)?];
    rules.insert(libc::SYS_tgkill, vec![rule(abort)?]);
    // Names of threads and of memory areas.
    let names = [libc::PR_SET_NAME, libc::PR_SET_VMA];
    let names: Result<Vec<_>, Gap> = names.iter().map(|name| rule(vec![equal(0, *name as u64)?])).collect();
    rules.insert(libc::SYS_prctl, names?);
    Ok(rules)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Adds calls, with any arguments.
fn allow(rules: &mut Rules, calls: &[libc::c_long]) {
    rules.extend(calls.iter().map(|call| (*call, Vec::new())));
}

fn rule(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, Gap> {
    SeccompRule::new(conditions).map_err(Gap::Filter)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, Gap> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).map_err(Gap::Filter)
}

/// Matches if the argument has none of the bits.
fn without(argument: u8, bits: u64) -> Result<SeccompCondition, Gap> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(bits), 0).map_err(Gap::Filter)
}

/// Matches if those bits of the argument that are in the mask are these.
fn masked(argument: u8, mask: u32, value: u64) -> Result<SeccompCondition, Gap> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(u64::from(mask)), value)
        .map_err(Gap::Filter)
}

/// Installs a filter for all threads. Also forbids gaining privileges, without which the system accepts no filter.
fn install(rules: Rules, otherwise: SeccompAction, matching: SeccompAction) -> Result<(), Gap> {
    let system = TargetArch::try_from(std::env::consts::ARCH).map_err(Gap::Filter)?;
    let filter = SeccompFilter::new(rules, otherwise, matching, system).map_err(Gap::Filter)?;
    let program = BpfProgram::try_from(filter).map_err(Gap::Filter)?;
    seccompiler::apply_filter_all_threads(&program).map_err(Gap::Install)
}

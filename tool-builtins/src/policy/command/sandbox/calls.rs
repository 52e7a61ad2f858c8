//! System calls: no sockets, no way out of the process group, nothing done to other processes or to the modes of
//! files. By seccomp, with a deny-list, for what Landlock does not see.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

use super::super::program::Grant;
use super::Confinement;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that are refused whatever their arguments.
const NEVER: &[i64] = &[
    // Whoever can ask the kernel to do it elsewhere is not filtered.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_kcmp,
    libc::SYS_setpriority,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // The process group is how all of them are ended.
    libc::SYS_setsid,
    // Other views of the system.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // The system itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // Landlock does not see changes of modes, owners and times by path.
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_fchown,
    // Several processes could wait on them for one another, outside of what is ended with the group.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
];

/// Calls that are answered as if the kernel did not have them.
const ABSENT: &[i64] = &[
    // Its flags are in memory, where a filter cannot look; the C library then uses `clone`.
    libc::SYS_clone3,
    // Landlock does not see them, and programs that copy attributes go on without.
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
];

/// Calls that are refused, on the one architecture that has them.
#[cfg(target_arch = "x86_64")]
const NEVER_HERE: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
];
#[cfg(not(target_arch = "x86_64"))]
const NEVER_HERE: &[i64] = &[];

// The numbers of newer calls are the same everywhere.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;

/// Typing into a terminal. The type of these constants is not the same everywhere.
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;

/// Restricts this thread and what it starts.
pub(super) fn restrict(confinement: &Confinement<'_>) -> Result<(), String> {
    // A filter has one answer for all that it matches.
    let absent = ABSENT.iter().map(|call| (*call, Vec::new())).collect();
    apply(absent, libc::ENOSYS)?;
    apply(rules(confinement)?, libc::EPERM)
}

fn rules(confinement: &Confinement<'_>) -> Result<Rules, String> {
    let mut rules: Rules = (NEVER.iter().chain(NEVER_HERE))
        .map(|call| (*call, Vec::new()))
        .collect();
    if !confinement.program.may(Grant::Network) {
        rules.insert(libc::SYS_socket, Vec::new());
        rules.insert(libc::SYS_connect, Vec::new());
        rules.insert(libc::SYS_bind, Vec::new());
    }
    if !confinement.writes {
        rules.insert(libc::SYS_fchmod, Vec::new());
    }
    let is_not = |argument, value: u64| when(argument, SeccompCmpOp::Ne, value);
    let has = |argument, flag: u64| when(argument, SeccompCmpOp::MaskedEq(flag), flag);

    // Into the group from which it starts, and nowhere else.
    let group = u64::from(confinement.group.unsigned_abs());
    rules.insert(libc::SYS_setpgid, vec![is_not(0, 0)?, is_not(1, group)?]);
    // Its own limits only, and signals to its own group only.
    rules.insert(libc::SYS_prlimit64, vec![is_not(0, 0)?]);
    if !confinement.program.may(Grant::Forks) {
        rules.insert(libc::SYS_kill, vec![is_not(0, 0)?]);
    }
    // By path; a file that is open for writing may get another time.
    rules.insert(libc::SYS_utimensat, vec![is_not(1, 0)?]);
    rules.insert(
        libc::SYS_ioctl,
        vec![is_request(TIOCSTI)?, is_request(TIOCLINUX)?],
    );

    let spaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let mut clone = Vec::new();
    for space in spaces {
        clone.push(has(0, u64::from(space.unsigned_abs()))?);
    }
    if !confinement.program.may(Grant::Forks) {
        // A thread is fine, and what waits for its child to become another program is how it is started itself; which
        // other programs can be started is for Landlock to say.
        let allowed = u64::from((libc::CLONE_THREAD | libc::CLONE_VFORK).unsigned_abs());
        clone.push(when(0, SeccompCmpOp::MaskedEq(allowed), 0)?);
        #[cfg(target_arch = "x86_64")]
        {
            rules.insert(libc::SYS_fork, Vec::new());
            rules.insert(libc::SYS_vfork, Vec::new());
        }
    }
    rules.insert(libc::SYS_clone, clone);
    Ok(rules)
}

/// The kernel looks at half of the argument only, so no more of it is compared.
fn is_request(request: u64) -> Result<SeccompRule, String> {
    rule(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request)
}

fn when(argument: u8, compare: SeccompCmpOp, value: u64) -> Result<SeccompRule, String> {
    rule(argument, SeccompCmpArgLen::Qword, compare, value)
}

fn rule(
    argument: u8,
    length: SeccompCmpArgLen,
    compare: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, String> {
    SeccompCondition::new(argument, length, compare, value)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|error| error.to_string())
}

fn apply(rules: Rules, errno: i32) -> Result<(), String> {
    let architecture = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "there is no filter of system calls for this processor".to_owned())?;
    let action = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)
        .and_then(BpfProgram::try_from)
        .map_err(|error| error.to_string())?;
    apply_filter(&guarded(filter)).map_err(|error| format!("seccomp refused ({error})"))
}

/// On `x86_64` each call has a second number, in the x32 range, which the rules do not name.
#[cfg(target_arch = "x86_64")]
fn guarded(filter: BpfProgram) -> BpfProgram {
    use seccompiler::sock_filter;

    const X32: u32 = 0x4000_0000;
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: u16::try_from(code).unwrap_or_default(),
        jt,
        jf,
        k,
    };
    let refuse = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
    let mut guarded = vec![
        // The number of the call is the first word of what a filter sees.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, refuse),
    ];
    guarded.extend(filter);
    guarded
}

#[cfg(not(target_arch = "x86_64"))]
fn guarded(filter: BpfProgram) -> BpfProgram {
    filter
}

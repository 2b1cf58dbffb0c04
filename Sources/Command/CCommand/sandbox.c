#define _GNU_SOURCE

#include "sandbox.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's struct landlock_ruleset_attr and the rights of each version of Landlock. They are repeated here, because the
// headers of Debian 12 know only versions 1 and 2. An older kernel gets only the fields that it knows.
struct rules {
    uint64_t files, network, scopes;
};

static long landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
}

// Whether the kernel takes filters: it then reads the program, which is not there.
static bool has_seccomp(void) {
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) == -1 && errno == EFAULT;
}

unsigned frost_sandbox_lacks(void) {
    return (has_seccomp() ? 0 : FROST_LACKS_SECCOMP) | (landlock_version() >= 1 ? 0 : FROST_LACKS_LANDLOCK);
}

static const char *refuse_paths(void) {
    const long version = landlock_version();
    if (version < 1) return "the kernel lacks Landlock";
    // The rights for files: 13 in version 1, then "refer", "truncate" and "ioctl" of devices.
    const int rights = 13 + (version >= 2) + (version >= 3) + (version >= 5);
    const struct rules rules = {
        .files = (UINT64_C(1) << rights) - 1,
        .network = 3, // Bind and connect.
        .scopes = 3,  // Abstract Unix sockets and signals.
    };
    const size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    const int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return "landlock_create_ruleset";
    if (syscall(SYS_landlock_restrict_self, set, 0)) return "landlock_restrict_self";
    close(set);
    return NULL;
}

// The filter is compiled once, before the process is forked that it is for. It has this number in the place of the process's own.
static const scmp_datum_t this_process = 0x7eca5e15;

// Calls that are allowed with any arguments.
static const int allowed[] = {
    // The open descriptors.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(poll), SCMP_SYS(ppoll),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // Threads.
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
    // Signals of this process, for an abort in a library.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(getpid),
    // Time, chance, and the size of the machine.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo), SCMP_SYS(getcpu),
};

static int fill(scmp_filter_ctx filter) {
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
        if (result) return result;
    }
    // Memory that is not executable.
    const struct scmp_arg_cmp plain[] = {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)};
    int result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, plain);
    if (!result) result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, plain);
    // Threads, but not processes. The flags of clone3 are in memory, where a filter cannot see them. With ENOSYS, the C
    // library uses clone instead.
    const struct scmp_arg_cmp thread[] = {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM)};
    if (!result) result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, thread);
    if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    // A signal to this process itself, which abort() sends.
    const struct scmp_arg_cmp itself[] = {SCMP_A0(SCMP_CMP_EQ, this_process, 0)};
    if (!result) result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, itself);
    return result;
}

static int limit(int resource, uint64_t value) {
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit)) return -1;
    if (value < limit.rlim_cur) limit.rlim_cur = value;
    // A decoder cannot raise its limit again, because setrlimit is not among the allowed calls.
    return setrlimit((__rlimit_resource_t)resource, &limit);
}

const char *frost_limit(uint64_t memory, uint64_t seconds) {
    if (limit(RLIMIT_DATA, memory)) return "setrlimit of memory";
    if (limit(RLIMIT_CPU, seconds)) return "setrlimit of processor time";
    return NULL;
}

static struct sock_filter program[1024];
// The number of instructions; 0 if the program is not compiled.
static unsigned short program_length;

static int compile(void) {
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return -ENOMEM;
    int result = fill(filter);
    const int file = memfd_create("filter", MFD_CLOEXEC);
    if (!result && file < 0) result = -errno;
    if (!result) result = seccomp_export_bpf(filter, file);
    if (!result) {
        const ssize_t size = pread(file, program, sizeof program, 0);
        // A program that fills the memory may be longer.
        if (size <= 0 || size == sizeof program) result = -E2BIG;
        else program_length = (unsigned short)((size_t)size / sizeof *program);
    }
    if (file >= 0) close(file);
    seccomp_release(filter);
    return result;
}

int frost_sandbox_prepare(void) { return program_length > 0 ? 0 : compile(); }

static const char *refuse_calls(void) {
    const int failed = frost_sandbox_prepare();
    if (failed) {
        errno = -failed;
        return "seccomp";
    }
    int places = 0;
    for (unsigned i = 0; i < program_length; i++) {
        if (BPF_CLASS(program[i].code) != BPF_JMP || program[i].k != this_process) continue;
        program[i].k = (uint32_t)getpid();
        places++;
    }
    if (places != 1) {
        errno = EINVAL;
        return "seccomp";
    }
    const struct sock_fprog filter = {.len = program_length, .filter = program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) ? "the kernel lacks seccomp" : NULL;
}

const char *frost_sandbox_enter(uint64_t memory, uint64_t seconds, bool is_strict) {
    const char *const unlimited = frost_limit(memory, seconds);
    if (unlimited) return unlimited;
    // The kernel writes no core dump, and other processes of the user cannot read this one's memory.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return "prctl";
    // Both filters require this: programs that the process starts get no more rights than it has.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "prctl";
    const unsigned lacks = is_strict ? 0 : frost_sandbox_lacks();
    if (!(lacks & FROST_LACKS_LANDLOCK)) {
        const char *const failed = refuse_paths();
        if (failed) return failed;
    }
    return lacks & FROST_LACKS_SECCOMP ? NULL : refuse_calls();
}

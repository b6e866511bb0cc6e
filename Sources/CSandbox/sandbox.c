#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CSandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
enum { ARCHITECTURE = AUDIT_ARCH_X86_64 };
#else
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64 };
#endif

// Both architectures are little-endian: the lower half of an argument comes first.
#define ARGUMENT(number) (offsetof(struct seccomp_data, args) + 8 * (number))
#define LOAD(place) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (place))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSAL(number) (SECCOMP_RET_ERRNO | (number))

/// Computing, threads, memory, time, and files that are open.
static const unsigned allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_newfstatat, SYS_dup, SYS_ftruncate, SYS_fsync, SYS_fdatasync,
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_getcpu,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_exit, SYS_exit_group, SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times, SYS_getrusage,
    SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_prctl, SYS_ppoll, SYS_pselect6, SYS_eventfd2, SYS_pipe2,
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_membarrier
    SYS_membarrier,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_select
    SYS_select,
#endif
#ifdef SYS_getrlimit
    SYS_getrlimit,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

/// What libraries try and can do without; they ask why, and know this answer.
static const unsigned refused[] = {
    SYS_openat, SYS_socket, SYS_connect, SYS_socketpair, SYS_execve, SYS_unlinkat,
#ifdef SYS_open
    SYS_open,
#endif
};

enum {
    COUNT_ALLOWED = sizeof allowed / sizeof *allowed,
    COUNT_REFUSED = sizeof refused / sizeof *refused,
    LONGEST = 2 * (COUNT_ALLOWED + COUNT_REFUSED) + 40
};

/// Allows a call if its first argument is, or is not, a number; only the lower half of both counts.
static struct sock_filter *when(struct sock_filter *next, unsigned call, unsigned short test, unsigned number) {
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    *next++ = (struct sock_filter)LOAD(ARGUMENT(0));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, number, 0, 1);
    *next++ = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    *next++ = (struct sock_filter)ANSWER(REFUSAL(EACCES));
    return next;
}

/// Allows a process to ask for its own limits, not to set any.
static struct sock_filter *when_asking(struct sock_filter *next) {
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8);
    *next++ = (struct sock_filter)LOAD(ARGUMENT(0));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
    *next++ = (struct sock_filter)LOAD(ARGUMENT(2));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    *next++ = (struct sock_filter)LOAD(ARGUMENT(2) + 4);
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    *next++ = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    *next++ = (struct sock_filter)ANSWER(REFUSAL(EACCES));
    return next;
}

/// Allows what files need of fcntl(2), which are its first numbers and one more: not to name a process that the system is
/// to send signals, which would be any of the same user.
static struct sock_filter *when_of_files(struct sock_filter *next) {
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 5);
    *next++ = (struct sock_filter)LOAD(ARGUMENT(1));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 1, 0);
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_SETFL, 1, 0);
    *next++ = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    *next++ = (struct sock_filter)ANSWER(REFUSAL(EACCES));
    return next;
}

static unsigned short written(struct sock_filter *filter) {
    struct sock_filter *next = filter;
    *next++ = (struct sock_filter)LOAD(offsetof(struct seccomp_data, arch));
    *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    *next++ = (struct sock_filter)ANSWER(SECCOMP_RET_KILL);
    *next++ = (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr));
    for (unsigned place = 0; place < COUNT_ALLOWED; place++) {
        *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[place], 0, 1);
        *next++ = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    }
    for (unsigned place = 0; place < COUNT_REFUSED; place++) {
        *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[place], 0, 1);
        *next++ = (struct sock_filter)ANSWER(REFUSAL(EACCES));
    }
    // A thread of this process may be started, but no other process; it may end itself by a signal, but nobody else; and
    // ask for its own limits. Each is the last word on its call, so that the next finds the call's number still loaded.
    next = when(next, SYS_clone, BPF_JSET, CLONE_THREAD);
    next = when(next, SYS_tgkill, BPF_JEQ, (unsigned)getpid());
    next = when_asking(next);
    next = when_of_files(next);
    // What newer libraries try first (clone3 among it, whose flags cannot be looked at) they do in the older way then.
    *next++ = (struct sock_filter)ANSWER(REFUSAL(ENOSYS));
    return (unsigned short)(next - filter);
}

int linnet_sandbox_enter(void) {
    struct sock_filter filter[LONGEST];
    struct sock_fprog program = {.len = written(filter), .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
    // Libraries have started threads already.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

int linnet_sandbox_enter(void) { return 0; }

#endif

static void *nothing(void *argument) { return argument; }

static int close_opened(int descriptor) {
    if (descriptor < 0) return 0;
    close(descriptor);
    return 1;
}

static int write_file(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/linnet-media-attempt-%ld", (long)getpid());
    if (!close_opened(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600))) return 0;
    unlink(path);
    return 1;
}

static int list_folder(void) {
    DIR *folder = opendir("/");
    if (folder == NULL) return 0;
    closedir(folder);
    return 1;
}

static int start_child(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) return 0;
    waitpid(child, NULL, 0);
    return 1;
}

/// Has the system tell another process by a signal that a file can be read: the first one, which there always is.
static int send_signal(void) {
    if (fcntl(0, F_SETOWN, 1) != 0) return 0;
    fcntl(0, F_SETOWN, 0);
    return 1;
}

static int set_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && setrlimit(RLIMIT_CORE, &limit) == 0;
}

static int start_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

int linnet_sandbox_attempt(LinnetAttempt attempt) {
    switch (attempt) {
        case LINNET_INTERNET_SOCKET: return close_opened(socket(AF_INET, SOCK_STREAM, 0));
        case LINNET_LOCAL_SOCKET: return close_opened(socket(AF_UNIX, SOCK_STREAM, 0));
        case LINNET_READ_FILE: return close_opened(open("/etc/passwd", O_RDONLY));
        case LINNET_WRITE_FILE: return write_file();
        case LINNET_LIST_FOLDER: return list_folder();
        case LINNET_CHILD: return start_child();
        case LINNET_SIGNAL: return send_signal();
        case LINNET_LIMIT: return set_limit();
        case LINNET_THREAD: return start_thread();
    }
    return 0;
}

// Takes from this process what reading a picture does not need: sockets, files that are not open yet, other programs.
#ifndef LINNET_CSANDBOX_H
#define LINNET_CSANDBOX_H

/// Gives up all system calls but those that compute and that read and write what is open already, for this thread, all
/// others of this process and whatever it starts, for good.
///
/// Returns 1, or 0 where the system has no such thing: then nothing is given up. Linux on x86-64 and arm64 has it (seccomp,
/// since Linux 3.17), unless it was built without. Source: seccomp(2).
int linnet_sandbox_enter(void);

/// What a broken library might try.
typedef enum {
    LINNET_INTERNET_SOCKET,
    LINNET_LOCAL_SOCKET,
    LINNET_READ_FILE,
    LINNET_WRITE_FILE,
    LINNET_LIST_FOLDER,
    LINNET_CHILD,
    LINNET_SIGNAL,
    LINNET_LIMIT,
    /// What it must be able to do all the same.
    LINNET_THREAD
} LinnetAttempt;

/// Tries it and undoes it; whether it could: 1 or 0.
int linnet_sandbox_attempt(LinnetAttempt attempt);

#endif

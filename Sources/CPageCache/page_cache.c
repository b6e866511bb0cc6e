#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CPageCache.h"

#include <fcntl.h>
#ifdef __linux__
#include <sys/uio.h>
#endif

int linnet_page_is_in_memory(int descriptor, int64_t offset) {
#if defined(__linux__) && defined(RWF_NOWAIT)
    char byte;
    struct iovec room = {.iov_base = &byte, .iov_len = 1};
    return preadv2(descriptor, &room, 1, offset, RWF_NOWAIT) == 1;
#else
    (void)descriptor;
    (void)offset;
    return 0;
#endif
}

void linnet_pages_begin_writing(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
    // Whether it failed matters to nobody: fsync(2) says so later.
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
    (void)offset;
    (void)count;
#endif
}

int linnet_writes_go_around(int descriptor, int around) {
#if defined(__linux__)
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return 0;
    return fcntl(descriptor, F_SETFL, around ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
#elif defined(F_NOCACHE)
    return fcntl(descriptor, F_NOCACHE, around) == 0;
#else
    (void)descriptor;
    return !around;
#endif
}

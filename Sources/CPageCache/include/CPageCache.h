// What the system has of a file in memory, asked and told in ways that do not wait for a disk.
#ifndef LINNET_CPAGECACHE_H
#define LINNET_CPAGECACHE_H

#include <stdint.h>

/// Whether a byte of an open file is in memory, so that sending it waits for no disk: 1, or 0 when it is not, or when the
/// system or the file system does not say. Source: preadv2(2), RWF_NOWAIT (Linux).
int linnet_page_is_in_memory(int descriptor, int64_t offset);

/// Has the system begin to write a part of an open file to the disk, and does not wait until it is there; does nothing where
/// the system has no such call. Source: sync_file_range(2) (Linux).
void linnet_pages_begin_writing(int descriptor, int64_t offset, int64_t count);

/// Has what is written to an open file from now on go to the disk without a stay in the system's memory or, with 0, by way
/// of it as usual. Pieces that go around it begin and end at whole pages, in memory and in the file. Gives 1 when it is as
/// asked, and 0 where the system or the file system has no such way. Source: open(2), O_DIRECT (Linux); fcntl(2), F_NOCACHE
/// (Darwin).
int linnet_writes_go_around(int descriptor, int around);

#endif

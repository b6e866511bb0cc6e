// Lets go of the program's code in memory: the system reads what is called again from the file it is in.
#ifndef LINNET_CPROGRAMCODE_H
#define LINNET_CPROGRAMCODE_H

#include <stddef.h>

/// Unmaps the pages with code of this program and its libraries; whatever runs next is mapped again as it is reached.
///
/// The system maps code in large pieces around what is called, and what ran once, at the start say, stays mapped and is
/// spared when memory is short. Threads may run meanwhile. Takes about a millisecond, and what comes next a few.
///
/// Returns how many bytes it told the system about; 0 where this is not Linux. Source: madvise(2), MADV_DONTNEED, which
/// loses nothing of a page that is as its file has it.
size_t linnet_program_code_let_go(void);

#endif

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CProgramCode.h"

#if defined(__linux__)

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whether the loader may have written into the code of an object: then its pages are not as the file has them.
static int may_be_changed(const struct dl_phdr_info *object) {
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return 1;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 1;
        }
    }
    return 0;
}

/// Called under the loader's lock, so that no object goes away meanwhile.
static int let_go(struct dl_phdr_info *object, size_t size, void *total) {
    (void)size;
    // The program itself has no name, and the system's own page (vdso) one without a path.
    if (object->dlpi_name[0] != '\0' && object->dlpi_name[0] != '/') return 0;
    if (may_be_changed(object)) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (part->p_flags & PF_W)) continue;
        const uintptr_t first = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        const uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz + page - 1) & ~(page - 1);
        if (madvise((void *)first, end - first, MADV_DONTNEED) == 0) *(size_t *)total += end - first;
    }
    return 0;
}

size_t linnet_program_code_let_go(void) {
    size_t total = 0;
    dl_iterate_phdr(let_go, &total);
    return total;
}

#else

size_t linnet_program_code_let_go(void) { return 0; }

#endif

#if canImport(Glibc)
    import Glibc
#endif

/// What the program holds of the machine's memory, in bytes.
struct HeldMemory {
    /// All that is mapped and there, code and other pages of files included, which the system can read again.
    let all: Int
    /// What is in no file.
    let own: Int

    #if canImport(Glibc)
        /// As it is now; `nil` where the system does not say.
        static func now() -> HeldMemory? {
            // Source: proc_pid_statm(5): the second number is all, the third what is in files, in pages.
            guard let file = unsafe fopen("/proc/self/statm", "r") else { return nil }
            defer { unsafe fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard unsafe fgets(&line, 128, file) != nil else { return nil }
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let pages = text.split(separator: " ").compactMap { Int($0) }
            guard pages.count > 2 else { return nil }
            let size = Int(sysconf(Int32(_SC_PAGESIZE)))
            return HeldMemory(all: pages[1] * size, own: max(0, pages[1] - pages[2]) * size)
        }
    #else
        static func now() -> HeldMemory? { nil }
    #endif
}

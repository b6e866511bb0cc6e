#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Small files that are either whole and on the disk or not there.
package enum DurableFile {
    /// What the system said.
    package struct Failure: Error {
        package let number: Int32

        /// Whether there is no such file or directory.
        package var isMissing: Bool { number == ENOENT }
    }

    /// Writes a file that only its owner can read, and returns after it is durable.
    ///
    /// The bytes go to a file beside it first, which then takes its place in one step.
    ///
    /// - Parameter replacing: whether a file of this name may be replaced; otherwise `EEXIST` is thrown.
    /// - Throws: ``Failure``.
    package static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(Failure) {
        let temporary = "\(path).\(getpid())-\(UInt64.random(in: .min ... .max)).new"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(number: errno) }
        do throws(Failure) {
            do throws(Failure) {
                try writeAll(bytes, to: file)
                try check(fsync(file))
            } catch {
                close(file)
                throw error
            }
            try check(close(file))
            if replacing {
                try check(unsafe rename(temporary, path))
            } else {
                try place(temporary, at: path)
            }
        } catch {
            // The first failure is the one to tell; a left-over file holds nothing but encrypted bytes.
            _ = unsafe unlink(temporary)
            throw error
        }
        try syncDirectory(of: path)
    }

    /// Deletes a file and returns after that is durable.
    package static func remove(_ path: String) throws(Failure) {
        try check(unsafe unlink(path))
        try syncDirectory(of: path)
    }

    /// Deletes a file and returns after that is durable; returns whether there was one.
    package static func removeIfThere(_ path: String) throws(Failure) -> Bool {
        if unsafe unlink(path) == 0 {
            try syncDirectory(of: path)
            return true
        }
        guard errno == ENOENT else { throw Failure(number: errno) }
        return false
    }

    /// Moves a file within its directory and returns after that is durable.
    package static func move(_ path: String, to newPath: String) throws(Failure) {
        try check(unsafe rename(path, newPath))
        try syncDirectory(of: path)
    }

    /// Reads a file of at most `limit` bytes; `nil` when there is none.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(number: errno)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let got = unsafe buffer.withUnsafeMutableBytes { unsafe Self.readSome(file, $0) }
            if got == 0 { return bytes }
            if got < 0 {
                if errno == EINTR { continue }
                throw Failure(number: errno)
            }
            bytes += buffer.prefix(got)
            guard bytes.count <= limit else { throw Failure(number: EFBIG) }
        }
    }

    /// Makes a directory that only its owner can enter, with those above it.
    package static func makeDirectory(_ path: String) throws(Failure) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Failure(number: errno)
        }
        try makeDirectory(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(number: errno) }
    }

    /// The names in a directory.
    package static func names(in path: String) throws(Failure) -> [String] {
        guard let directory = unsafe opendir(path) else { throw Failure(number: errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe UnsafeRawPointer(pointer).withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
                ) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// Gives a file its name unless that is taken.
    private static func place(_ temporary: String, at path: String) throws(Failure) {
        if unsafe link(temporary, path) == 0 { return try check(unsafe unlink(temporary)) }
        // Some file systems know no hard links; there the look before the step has to do.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw Failure(number: errno) }
        guard unsafe access(path, F_OK) != 0 else { throw Failure(number: EEXIST) }
        try check(unsafe rename(temporary, path))
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Self.writeSome(file, $0) }
            if written < 0 {
                if errno == EINTR { continue }
                // A limit on the size of files is met like a full disk; reading says the same of a file too long.
                throw Failure(number: errno == EFBIG ? ENOSPC : errno)
            }
            rest = rest.dropFirst(written)
        }
    }

    private static func readSome(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(file, buffer.baseAddress, buffer.count)
        #else
            unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func writeSome(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(file, buffer.baseAddress, buffer.count)
        #else
            unsafe Glibc.write(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func syncDirectory(of path: String) throws(Failure) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let directory = unsafe open(parent.isEmpty ? "/" : parent, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw Failure(number: errno) }
        defer { close(directory) }
        try check(fsync(directory))
    }

    private static func check(_ result: Int32) throws(Failure) {
        guard result == 0 else { throw Failure(number: errno) }
    }
}

extension KeystoreError {
    /// The keystore's word for what the system said about a file.
    init(_ failure: DurableFile.Failure) {
        switch failure.number {
        case ENOSPC, EDQUOT: self.init(.diskFull)
        case EACCES, EPERM, EROFS: self.init(.notPermitted)
        case EEXIST: self.init(.alreadyThere)
        case EFBIG, ELOOP: self.init(.damaged, .fileForm)
        default: self.init(.io, .system(failure.number))
        }
    }
}

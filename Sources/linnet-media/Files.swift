import MediaFormats

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that is open for reading, or one that came over a connection and is in memory.
struct InputFile: ReadableBytes {
    let byteCount: Int64
    private let descriptor: Int32
    /// What came over a connection; `nil` for a file of the disk.
    private let held: [UInt8]?

    /// `nil` for what is no file of the disk.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.descriptor = descriptor
        byteCount = Int64(status.st_size)
        held = nil
    }

    /// Reads all that comes over a connection; of what is too large only so much that it shows.
    init(connection descriptor: Int32, most: Int64) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while Int64(bytes.count) <= most {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        self.descriptor = descriptor
        byteCount = Int64(bytes.count)
        held = bytes
    }

    func bytes(at place: Int64, count: Int) -> [UInt8] {
        guard place >= 0, place < byteCount, count > 0 else { return [] }
        let wanted = Int(min(Int64(count), byteCount - place))
        if let held { return Array(held.dropFirst(Int(place)).prefix(wanted)) }
        return unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = 0
            while filled < wanted, let start = buffer.baseAddress {
                let read = unsafe pread(
                    descriptor, start + filled, wanted - filled, off_t(place + Int64(filled)))
                guard read > 0 else { break }
                filled += read
            }
        }
    }
}

/// A new file that is written, or a connection that takes a copy in one piece.
struct OutputFile {
    private let descriptor: Int32
    /// Whether it is standard output, where the line with what the copy is follows the copy.
    let isConnection: Bool

    init(path: String) throws(Failure) {
        isConnection = path == "-"
        guard !isConnection else {
            descriptor = 1
            return
        }
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritten }
    }

    /// Writes bytes over those from a place on.
    func write(_ bytes: [UInt8], at place: Int64) throws(Failure) {
        // What is taken in one piece begins at its beginning.
        guard !isConnection || place == 0 else { throw .notWritten }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe buffer.baseAddress.map { start in
                    isConnection
                        ? unsafe systemWrite(descriptor, start + written, bytes.count - written)
                        : unsafe pwrite(
                            descriptor, start + written, bytes.count - written, off_t(place + Int64(written)))
                } ?? -1
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .notWritten }
            written += count
        }
    }

    /// Writes so many zeros.
    func blank(_ range: Range<Int64>) throws(Failure) {
        let zeros = [UInt8](repeating: 0, count: Int(min(1 << 20, Int64(range.count))))
        var place = range.lowerBound
        while place < range.upperBound {
            let count = min(Int64(zeros.count), range.upperBound - place)
            try write(Array(zeros.prefix(Int(count))), at: place)
            place += count
        }
    }

    /// Writes the beginning of another file.
    func copy(_ file: InputFile, upTo end: Int64) throws(Failure) {
        var place: Int64 = 0
        while place < end {
            let bytes = file.bytes(at: place, count: Int(min(1 << 20, end - place)))
            guard !bytes.isEmpty else { throw .broken }
            try write(bytes, at: place)
            place += Int64(bytes.count)
        }
    }
}

/// `write(2)`, which a method of the same name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

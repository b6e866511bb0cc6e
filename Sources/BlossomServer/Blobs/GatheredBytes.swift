/// Bytes on their way to a file, gathered until they are worth a turn of the disk, where the disk can fetch them by itself.
@safe
struct GatheredBytes: ~Copyable {
    /// How many there may be: enough that a turn of the disk is short beside what it moves.
    static let capacity = 1 << 20
    /// At which addresses and lengths disks fetch bytes by themselves: whole pages, more than any common one asks.
    private static let alignment = 4096

    private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: alignment)
    private(set) var count = 0

    deinit { unsafe start.deallocate() }

    var isFull: Bool { count == Self.capacity }

    /// Takes as many bytes as there is room for, from the first on.
    ///
    /// - Returns: how many those are.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, Self.capacity - count)
        guard taken > 0, let first = bytes.baseAddress else { return 0 }
        unsafe start.advanced(by: count).copyMemory(from: first, byteCount: taken)
        count += taken
        return taken
    }

    /// Forgets them; their room is used again.
    mutating func removeAll() {
        count = 0
    }

    /// Lends them.
    func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

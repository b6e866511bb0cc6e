/// How much is kept of others' pictures, or of their files.
public struct KeptMediaUsage: Hashable, Sendable {
    /// The bytes of all files.
    public var bytes: Int64
    /// How many files there are.
    public var count: Int
    /// How many bytes may be kept.
    public var limit: Int64

    /// A quarter of a gigabyte.
    public static let usualLimit: Int64 = 256 << 20
    /// What may be chosen.
    public static let limits: ClosedRange<Int64> = 16 << 20...16 << 30

    /// What is kept.
    public init(bytes: Int64, count: Int, limit: Int64) {
        (self.bytes, self.count, self.limit) = (bytes, count, limit)
    }
}

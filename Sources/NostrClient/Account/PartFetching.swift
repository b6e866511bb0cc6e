/// What a server says of the bytes that it gives.
public struct FetchedPart: Hashable, Sendable {
    /// Where in the file they begin.
    public var start: Int64
    /// How many bytes the whole file has; `nil` where that is not said.
    public var size: Int64?
    /// Whether they are the part that was asked for; else they are the file from its beginning.
    public var isPart: Bool

    /// What is said.
    public init(start: Int64, size: Int64?, isPart: Bool) {
        (self.start, self.size, self.isPart) = (start, size, isPart)
    }
}

/// Reads parts of what lies at addresses in other people's words, without harm to this machine and its network.
public protocol PartFetching: Sendable {
    /// Hands a part on as it comes; nothing of it is kept.
    ///
    /// A way elsewhere is gone, judged anew at each step.
    /// - Parameters:
    ///   - first: the first byte that is wanted; a server that knows no parts begins with the first of all.
    ///   - last: the last one; `nil` for all that follow.
    ///   - deadline: for all of it.
    ///   - take: is awaited before more is read; `false` when it has enough.
    /// - Throws: ``ServerRefusal``, what `take` throws, or what says that the task was cancelled.
    func fetch(
        _ address: String, from first: Int64, to last: Int64?, deadline: Duration,
        _ take: (FetchedPart, [UInt8]) async throws -> Bool
    ) async throws
}

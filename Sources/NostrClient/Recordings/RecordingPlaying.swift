public import NostrNIPs

/// A film or a sound of somebody else's, as its server gives it.
public struct Recording: Hashable, Sendable {
    /// Where it lies.
    public var address: String
    /// What it is, by its own first bytes.
    public var type: String
    /// How many bytes it has; `nil` where its server does not say.
    public var size: Int64?
    /// Whether its server gives parts of it; else a player gets it from its beginning only.
    public var hasParts: Bool
    /// What file it is, as who shows it says; checked where all of it is handed on in one go, and never of a part: a
    /// player that seeks gets bytes that nobody compared with anything.
    public var hash: BlobHash?

    /// What is known of one.
    public init(address: String, type: String, size: Int64?, hasParts: Bool) {
        (self.address, self.type, self.size, self.hasParts) = (address, type, size, hasParts)
    }
}

/// Films and sounds of others, handed on by this machine while they play; implemented by ``Recordings``.
public protocol RecordingPlaying: Sendable {
    /// What lies at an address, by its first bytes; asked for once however often a player comes back for more.
    ///
    /// The server sees this machine and not the browser. Ends in time.
    ///
    /// - Parameters:
    ///   - address: one that may be asked; the caller has looked whether settings load it.
    ///   - hash: what file it is, as who shows it says; `nil` where they do not.
    /// - Returns: `nil` where there is no film and no sound to be had, or it was found lately to be another file.
    func recording(at address: String, as hash: BlobHash?) async throws -> Recording?

    /// Hands on bytes of a recording as they come, as many as were asked for and no more; nothing is kept.
    ///
    /// Where that is the whole file and it should be a certain one, its last mebibyte is held back until that is known,
    /// or all of a shorter one; what came before it has been handed on by then. Where the server breaks off, what is
    /// held back is not handed on. Of a part, as a player asks for that seeks, nothing is checked.
    ///
    /// - Parameters:
    ///   - part: which, within the recording; `nil` for all of it.
    ///   - take: is awaited before more is read.
    /// - Throws: what `take` throws, ``ServerRefusal`` where the server breaks off or gives something else than it
    ///   said, or what says that too many play or the task was cancelled.
    func play(_ recording: Recording, _ part: Range<Int64>?, _ take: ([UInt8]) async throws -> Void) async throws
}

extension RecordingPlaying {
    /// What lies at an address of which nobody says what file it is.
    public func recording(at address: String) async throws -> Recording? {
        try await recording(at: address, as: nil)
    }
}

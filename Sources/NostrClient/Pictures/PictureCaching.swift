public import NostrNIPs

/// Pictures of others, fetched by this machine and kept on it, as screens need them; implemented by ``PictureCache``.
public protocol PictureCaching: Sendable {
    /// What lies at an address, made as small as it is shown; from disk where it was fetched before.
    ///
    /// The server sees this machine and not the browser. Ends in time.
    ///
    /// - Parameters:
    ///   - address: one that may be asked; the caller has looked whether settings load it.
    ///   - hash: what its author says the file is (`x` of NIP-92); another file counts as none.
    ///     `nil` where nothing is said.
    /// - Returns: `nil` where there is no picture to be had.
    func picture(at address: String, _ size: PictureSize, hash: BlobHash?) async throws -> FoundFile?
    /// What is kept, and how much may be.
    func usage() async throws -> KeptMediaUsage
    /// Keeps at most so many bytes from now on, also after a restart; what was not looked at longest goes.
    ///
    /// - Parameter limit: put into ``KeptMediaUsage/limits`` where it is outside.
    func setLimit(_ limit: Int64) async throws
    /// Deletes all that is kept.
    func clear() async throws
}

extension PictureCaching {
    /// A picture of which nothing is said but where it lies.
    public func picture(at address: String, _ size: PictureSize) async throws -> FoundFile? {
        try await picture(at: address, size, hash: nil)
    }
}

/// How large pictures of others are needed; they are kept in these sizes only.
public enum PictureSize: String, Hashable, Sendable, CaseIterable {
    /// Within a line of text.
    case emoji
    /// A person, beside what they wrote.
    case small
    /// A person, on their own page.
    case large
    /// As wide as a page.
    case wide

    /// Dots of the longest side: twice what is shown, for fine screens.
    public var longest: Int {
        switch self {
        case .emoji: 96
        case .small: 96
        case .large: 256
        case .wide: 1600
        }
    }

    /// Bytes of the largest file that is fetched for it.
    var longestFile: Int64 { self == .wide ? 32 << 20 : 10 << 20 }

    /// The sizes made of one file: whoever shows a person small shows them large soon.
    var madeTogether: [PictureSize] {
        switch self {
        case .small, .large: [.small, .large]
        case .emoji, .wide: [self]
        }
    }
}

/// Fetches the beginning of pages of the web; the composition root knows how.
public protocol PageFetching: Sendable {
    /// The first bytes of a page, in bounded time, from nowhere near this machine.
    ///
    /// - Parameter types: which sorts of document are read, such as `text/html`.
    /// - Throws: when there is none to be had.
    func page(at address: String, types: Set<String>) async throws -> FetchedPage
}

/// The beginning of a page.
public struct FetchedPage: Hashable, Sendable {
    /// Where it was found in the end.
    public var address: String
    /// What its server says it is, with its charset.
    public var type: String
    /// Its first bytes.
    public var bytes: [UInt8]

    /// What came.
    public init(address: String, type: String, bytes: [UInt8]) {
        self.address = address
        self.type = type
        self.bytes = bytes
    }
}

/// A site has nothing at an address that could be shown, and will not have it in a moment either.
public struct NoPage: Error, Hashable, Sendable {
    /// Nothing is there.
    public init() {}
}

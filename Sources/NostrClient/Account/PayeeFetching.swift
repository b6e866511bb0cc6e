public import NostrNIPs

/// Fetches what places of payment say of themselves; the composition root knows how.
public protocol PayeeFetching: Sendable {
    /// The document of a place, in bounded time and length, without following a redirect.
    ///
    /// - Throws: when there is none to be had.
    ///
    /// Source: LUD-06, LUD-16.
    func document(at place: LightningPlace) async throws -> [UInt8]
}

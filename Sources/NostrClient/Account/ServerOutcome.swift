public import NostrNIPs

/// What one server said.
public struct ServerOutcome: Hashable, Sendable {
    /// The server.
    public let server: MediaServer
    /// Why not; `nil` for done.
    public let refusal: ServerRefusal?

    /// An outcome.
    public init(_ server: MediaServer, _ refusal: ServerRefusal? = nil) {
        self.server = server
        self.refusal = refusal
    }
}

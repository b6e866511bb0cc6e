public import NostrCore

/// Opens connections to relays; `WebSocketNIO` implements it with sockets, `NostrTesting` with a script.
public protocol RelayTransport: Sendable {
    /// Opens one WebSocket.
    ///
    /// - Throws: ``TransportFailure``; ends within `deadline` in any case.
    func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection

    /// Fetches the relay's information document (NIP-11), at most `maxBytes` long.
    func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8]
}

/// One open WebSocket: text frames in, text frames out.
public protocol RelayConnection: Sendable {
    /// Whole text messages in order; ends when the socket closes, throws ``TransportFailure`` when it breaks.
    /// Reading is the back-pressure: what is not read is not buffered without bound. Iterate once.
    var incoming: AsyncThrowingStream<[UInt8], any Error> { get }

    /// Sends one text message; returns when it is written to the socket or throws.
    func send(_ text: [UInt8]) async throws

    /// Sends a ping; throws unless the pong comes within the deadline.
    func ping(deadline: Duration) async throws

    /// Closes; idempotent, never waits longer than a second.
    func close() async
}

/// Why a connection did not come up, or broke.
public enum TransportFailure: Error, Hashable, Sendable {
    case nameNotFound, refused, unreachable, timedOut
    /// The host is this machine or in a private network, and nobody here named it.
    case privateAddress
    /// The person forbids contact with it.
    case blocked
    case certificate(CertificateProblem)
    case handshake(status: Int)
    case closed(code: Int?)
    case frameTooLong(limit: Int)
    /// Anything else, as a developer would look for it.
    case io(String)
}

/// What is wrong with a relay's certificate.
public enum CertificateProblem: String, Hashable, Sendable, CaseIterable {
    /// It is another host's.
    case wrongHost
    /// No authority known here vouches for it.
    case untrusted
    /// No encryption was agreed on.
    case handshakeFailed
}

internal import Crypto
public import NostrCore

/// The relays an account never contacts (kind 10006), and which other addresses lead to the same place.
///
/// An address without a path stands for everything on its host and port, one with a path for that path alone. `ws` on
/// port 80 and `wss` on port 443 count as one, and so do the names of this machine's loopback address and the ways to
/// write an IPv4 address. Source: NIP-51.
public struct BlockedRelays: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// What is left of blocked relays whose names cannot be read now: a digest of each, made with a salt.
    ///
    /// The private part of a list opens with the account's key alone. What it blocks holds while the key is away, so
    /// digests rest on disk and the names do not; whoever has the disk can still try names one by one.
    public struct Marks: Hashable, Sendable {
        /// What each digest was made with: bytes drawn once for an account.
        public let salt: [UInt8]
        /// SHA-256 of the salt and the place an address leads to.
        public let digests: Set<[UInt8]>

        /// Marks as they rest on disk.
        public init(salt: [UInt8], digests: Set<[UInt8]>) {
            self.salt = salt
            self.digests = digests
        }
    }

    /// The addresses as the list has them, as far as they can be read.
    public let relays: Set<RelayURL>
    /// What else is blocked, known by marks alone.
    public let marks: Marks?
    private let endpoints: Set<String>

    /// The relays of a list.
    ///
    /// - Parameter marks: what was blocked when names could be read last; `nil` where all of them can be.
    public init(_ relays: some Sequence<RelayURL>, marks: Marks? = nil) {
        self.relays = Set(relays)
        self.marks = marks.flatMap { $0.digests.isEmpty ? nil : $0 }
        endpoints = Set(self.relays.map { RelayEndpoint($0).exact })
    }

    public init(arrayLiteral relays: RelayURL...) {
        self.init(relays)
    }

    /// Whether nothing is blocked.
    public var isEmpty: Bool { relays.isEmpty && marks == nil }

    /// Whether an address leads to a blocked relay.
    public func contains(_ relay: RelayURL) -> Bool {
        if isEmpty { return false }
        let endpoint = RelayEndpoint(relay)
        if endpoints.contains(endpoint.exact) || endpoints.contains(endpoint.whole) { return true }
        guard let marks else { return false }
        return marks.digests.contains(digest(of: endpoint.exact, marks.salt))
            || marks.digests.contains(digest(of: endpoint.whole, marks.salt))
    }

    /// These and more.
    public func adding(_ more: some Sequence<RelayURL>) -> BlockedRelays {
        BlockedRelays(relays.union(more), marks: marks)
    }

    /// What to keep on disk of all that is blocked.
    ///
    /// - Parameter salt: bytes drawn for the account; marks that are there keep theirs, as nobody can make them anew.
    public func marked(salt: [UInt8]) -> Marks {
        let salt = marks?.salt ?? salt
        return Marks(
            salt: salt, digests: Set(endpoints.map { digest(of: $0, salt) }).union(marks?.digests ?? []))
    }
}

/// The place an address leads to, written one way.
private struct RelayEndpoint {
    /// The host and port: everything there.
    let whole: String
    /// The same with the path and query, where the address has one.
    let exact: String

    init(_ relay: RelayURL) {
        let isUsual = relay.port == (relay.isSecure ? 443 : 80)
        whole = "\(hostText(relay.host)) \(isUsual ? "" : "\(relay.port)")"
        var target = Substring(relay.target)
        while target.hasSuffix("/") || target.hasSuffix("?") { target = target.dropLast() }
        exact = target.isEmpty ? whole : "\(whole) \(target)"
    }
}

/// One text for the ways to write a host.
private func hostText(_ host: String) -> String {
    if ["localhost", "127.0.0.1", "::1"].contains(host) { return "localhost" }
    // An IPv4 address may be written inside an IPv6 one (RFC 4291 §2.5.5.2).
    guard case .v4(let address) = IPAddress(host)?.network else { return host }
    return address == 0x7F00_0001 ? "localhost" : "ipv4 \(address)"
}

private func digest(of endpoint: String, _ salt: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: salt + Array(endpoint.utf8)))
}

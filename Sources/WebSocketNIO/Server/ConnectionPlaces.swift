internal import NostrCore

/// Which sockets a server bears, as a value: addresses come and go, and who comes in is said.
struct ConnectionPlaces {
    /// Whose socket it is, as far as an address tells.
    private enum Neighbour {
        case ourselves, knownAddress, stranger
    }

    private let limits: ConnectionLimits
    private var counts: [String: Int] = [:]
    private(set) var count = 0
    /// Where browsers logged in from, the last at the end.
    private var known: [String] = []
    private let mostKnown = 16

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Takes a socket in, unless there are too many.
    ///
    /// - Parameters:
    ///   - address: its peer's, as ``key(of:)`` writes it.
    ///   - isProxy: whether the peer is a proxy of ours, which stands for many.
    mutating func admit(_ address: String, isProxy: Bool = false) -> ConnectionAdmission {
        let admission = judge(address, isProxy: isProxy)
        if admission != .refused {
            count += 1
            counts[address, default: 0] += 1
        }
        return admission
    }

    /// A socket that was taken in is closed.
    mutating func leave(_ address: String) {
        guard let open = counts[address] else { return }
        count -= 1
        counts[address] = open > 1 ? open - 1 : nil
    }

    /// A browser at this address is logged in; the address that was seen first is forgotten when there are many.
    mutating func meet(_ address: String) {
        guard known.last != address else { return }
        known.removeAll { $0 == address }
        known.append(address)
        known.removeFirst(max(0, known.count - mostKnown))
    }

    private func judge(_ address: String, isProxy: Bool) -> ConnectionAdmission {
        let neighbour = neighbour(address)
        let isCrowded = neighbour != .ourselves && !isProxy && counts[address, default: 0] >= limits.perAddress
        let room = neighbour == .stranger ? limits.all - limits.kept : limits.all
        if count < room, !isCrowded { return .welcome }
        return neighbour != .stranger && count < limits.all + limits.loggedIn ? .ifLoggedIn : .refused
    }

    private func neighbour(_ address: String) -> Neighbour {
        if address == "127.0.0.1" || address == "::1" { return .ourselves }
        return known.contains(address) ? .knownAddress : .stranger
    }

    /// What is counted as one address: IPv4 as it is, also inside IPv6; of IPv6 what one household has.
    static func key(of peer: String) -> String {
        guard peer != "::1", let address = IPAddress(peer) else { return peer }
        switch address.network {
        case .v4(let number):
            return (0..<4).map { String(number >> (24 - 8 * $0) & 255) }.joined(separator: ".")
        case .v6(let groups):
            return groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
        }
    }
}

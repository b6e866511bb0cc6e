internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// How a media server is spoken with: one whose address the person typed here may be near, others are of the open web.
///
/// A list on relays (kind 10063) does not count as typed, the account's own neither: whoever may sign for the account
/// could otherwise have this machine speak with its network. Decision 0028 says why.
struct ServerReach: Sendable {
    /// For addresses that others wrote.
    let open: any BlobTransferring
    /// For what was typed; `nil` where that is as all else.
    let near: (any NearBlobTransferring)?
    /// The servers that were typed here.
    let typed: Set<MediaServer>

    /// What speaks with a server.
    func transfer(for server: MediaServer) -> any BlobTransferring {
        guard let near, typed.contains(server) else { return open }
        return near
    }

    /// What fetches a sealed file of a typed server, whoever wrote its address; `nil` for any other.
    ///
    /// Nothing but a blob by its hash is asked for there: no other path, no question.
    func sealed(at address: String) -> (any SealedBlobFetching)? {
        guard let near, let server = MediaServer(address), typed.contains(server),
            address.hasPrefix(server.address + "/")
        else { return nil }
        let name = address.dropFirst(server.address.count + 1)
        let ending = name.dropFirst(64)
        let isPlain =
            ending.isEmpty
            || ending.first == "." && ending.utf8.count <= 12
                && ending.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard isPlain, BlobHash(hex: name.prefix(64)) != nil else { return nil }
        return near
    }
}

extension AccountContext {
    private static let typedServers = "typed-media-server"
    private static let usual = "usual-media-servers"

    /// How media servers are spoken with now; `nil` where there are none.
    func serverReach() async throws -> ServerReach? {
        guard let media else { return nil }
        let typed = try await records.records(in: Self.typedServers, prefix: "")
        return ServerReach(
            open: media.transfer, near: media.near, typed: Set(typed.compactMap { MediaServer($0.key) }))
    }

    /// The servers that the person chose for as long as there is no list, perhaps none; `nil` where nothing was chosen.
    func usualServers() async throws -> [MediaServer]? {
        let kept = try await records.value(Self.usual, in: Self.usual)
        return kept.map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").compactMap { MediaServer(String($0)) }
        }
    }

    /// Keeps that choice.
    func keepUsual(_ servers: [MediaServer]) async throws {
        try await records.put(
            Array(servers.map(\.address).joined(separator: "\n").utf8), for: Self.usual, in: Self.usual)
    }

    /// Remembers that the person typed the addresses of servers here, or does so no longer.
    func keepTyped(_ servers: [MediaServer], _ areTyped: Bool) async throws {
        guard !servers.isEmpty else { return }
        try await records.apply(
            servers.map { server in
                areTyped
                    ? .put(table: Self.typedServers, key: server.address, value: [1])
                    : .remove(table: Self.typedServers, key: server.address)
            })
    }
}

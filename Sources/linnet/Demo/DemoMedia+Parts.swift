import NostrClient
import NostrWorld

extension DemoMedia: PartFetching {
    private static let piece: Int64 = 64 << 10

    func fetch(
        _ address: String, from first: Int64, to last: Int64?, deadline: Duration,
        _ take: (FetchedPart, [UInt8]) async throws -> Bool
    ) async throws {
        let bytes = try whole(address)
        let count = Int64(bytes.count)
        guard first >= 0, first < count else { throw ServerRefusal(.malformed, status: 416) }
        let part = FetchedPart(start: first, size: count, isPart: true)
        let end = min(last.map { $0 + 1 } ?? count, count)
        var place = first
        while place < end {
            let next = min(place + Self.piece, end)
            guard try await take(part, Array(bytes[Int(place)..<Int(next)])) else { return }
            place = next
        }
    }

    /// All that lies at an address.
    private func whole(_ address: String) throws -> [UInt8] {
        if let file = pictures.file(at: address) { return file.bytes }
        let incoming = WorldMediaServers.Incoming(method: "GET", address: address, headers: [:], body: [])
        guard let answer = servers.answer(incoming) else { throw ServerRefusal(.unreachable) }
        if let refusal = ServerRefusal(BlobAnswer(status: answer.status, headers: answer.headers)) { throw refusal }
        return answer.body
    }
}

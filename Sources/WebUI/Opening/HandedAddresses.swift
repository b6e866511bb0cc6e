internal import AsyncPrimitives
internal import NostrCore
internal import Synchronization

/// Addresses that programs of this machine handed in to be opened: kept here, so that no secret in one stands in the
/// address of a page.
final class HandedAddresses: Sendable {
    private struct Handed: Sendable {
        let id: String
        let text: String
        let since: Timestamp
    }

    /// How many are kept; the oldest makes room.
    private static let most = 32
    /// For how long.
    private static let lifetime: Duration = .seconds(900)

    private let time: Time<Timestamp>
    private let handed = Mutex<[Handed]>([])

    init(time: Time<Timestamp>) {
        self.time = time
    }

    /// Keeps an address.
    ///
    /// - Returns: what it is found by; nobody can guess it.
    func keep(_ text: String) -> String {
        let id = randomWord(bytes: 16)
        let now = time.now()
        handed.withLock { handed in
            handed.removeAll { $0.since + Self.lifetime <= now }
            if handed.count >= Self.most { handed.removeFirst() }
            handed.append(Handed(id: id, text: text, since: now))
        }
        return id
    }

    /// The address; `nil` once it is forgotten.
    func text(_ id: String) -> String? {
        let now = time.now()
        return handed.withLock { $0.first { $0.id == id && $0.since + Self.lifetime > now }?.text }
    }
}

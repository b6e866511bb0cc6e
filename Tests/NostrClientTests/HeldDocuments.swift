import AsyncPrimitives
import NostrClient
import NostrNIPs
import Synchronization

/// Places of payment of which the first that is asked answers only when a test says so.
final class HeldDocuments: PayeeFetching {
    private struct Silence: Error {}

    private let documents: [String: String]
    private let asked = Mutex(0)
    private let bell = Doorbell()

    /// Whether one was asked.
    var isAsked: Bool { asked.withLock { $0 } > 0 }

    /// - Parameter documents: by the address of the place.
    init(_ documents: [String: String]) { self.documents = documents }

    func document(at place: LightningPlace) async throws -> [UInt8] {
        let isFirst = asked.withLock { asked in
            asked += 1
            return asked == 1
        }
        if isFirst { await bell.wait() }
        guard let document = documents[place.url] else { throw Silence() }
        return Array(document.utf8)
    }

    /// Lets the first answer.
    func answer() { bell.ring() }
}

internal import NostrClient
package import NostrNIPs
internal import Synchronization

/// What domains and places of payment say, as a test wants it.
package final class ScriptedDocuments: NamesFetching, PayeeFetching {
    private struct Silence: Error {}

    private struct State {
        var documents: [String: String]
        var asked: [String] = []
    }

    private let state: Mutex<State>
    /// What was asked, in order: names as `local@domain`, places by their address.
    package var questions: [String] { state.withLock { $0.asked } }

    /// - Parameter documents: by the domain, or by the address of the place of payment.
    package init(_ documents: [String: String]) { state = Mutex(State(documents: documents)) }

    package func set(_ key: String, _ document: String?) { state.withLock { $0.documents[key] = document } }

    package func document(for identifier: InternetIdentifier) async throws -> [UInt8] {
        try document(identifier.domain, asked: "\(identifier.local)@\(identifier.domain)")
    }

    package func document(at place: LightningPlace) async throws -> [UInt8] {
        try document(place.url, asked: place.url)
    }

    private func document(_ key: String, asked question: String) throws -> [UInt8] {
        // Together: what is set after a question was counted is no answer to it.
        let document = state.withLock { state in
            state.asked.append(question)
            return state.documents[key]
        }
        guard let document else { throw Silence() }
        return Array(document.utf8)
    }
}

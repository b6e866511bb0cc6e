import NostrClient
import OpenWeb

/// Parts of films and sounds on servers of the open web; nothing of this machine or a private network is reached.
struct PartsOfTheWeb: PartFetching {
    /// A player that pauses for longer asks for the rest anew.
    private static let silence = Duration.seconds(60)
    private let web = OpenWebClient()

    func fetch(
        _ address: String, from first: Int64, to last: Int64?, deadline: Duration,
        _ take: (FetchedPart, [UInt8]) async throws -> Bool
    ) async throws {
        do {
            try await web.part(
                at: address, from: first, to: last, deadline: deadline, silence: min(deadline, Self.silence)
            ) { part, bytes in
                try await take(FetchedPart(start: part.start, size: part.size, isPart: part.isPart), bytes)
            }
        } catch let failure as OpenWebClient.Failure {
            try Task.checkCancellation()
            throw failure.refusal
        }
    }
}

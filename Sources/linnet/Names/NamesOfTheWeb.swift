import NostrClient
import NostrNIPs
import OpenWeb

/// What domains say of their names (NIP-05), asked over the open web.
struct NamesOfTheWeb: NamesFetching {
    /// Some domains answer with all their names at once.
    private static let longest = 1 << 20
    private static let deadline = Duration.seconds(6)

    private let web = OpenWebClient()

    func document(for identifier: InternetIdentifier) async throws -> [UInt8] {
        try await web.document(at: identifier.documentURL, longest: Self.longest, deadline: Self.deadline)
    }
}

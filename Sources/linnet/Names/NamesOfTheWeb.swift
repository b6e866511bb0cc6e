import NostrClient
import NostrNIPs
import OpenWeb

/// What domains say of their names (NIP-05), asked over the open web.
struct NamesOfTheWeb: NamesFetching {
    /// Some domains answer with all their names at once.
    private static let longest = 1 << 20

    private let web: OpenWebClient
    private let deadline: Duration
    private let address: @Sendable (InternetIdentifier) -> String

    /// Asks each domain where its names are; tests ask elsewhere.
    init(
        web: OpenWebClient = OpenWebClient(), deadline: Duration = .seconds(6),
        address: @escaping @Sendable (InternetIdentifier) -> String = { $0.documentURL }
    ) {
        (self.web, self.deadline, self.address) = (web, deadline, address)
    }

    func document(for identifier: InternetIdentifier) async throws -> [UInt8] {
        try await web.document(at: address(identifier), longest: Self.longest, deadline: deadline)
    }
}

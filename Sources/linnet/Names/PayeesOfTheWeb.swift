import NostrClient
import NostrNIPs
import OpenWeb

/// What places of payment say of themselves (LUD-06, LUD-16), asked over the open web.
struct PayeesOfTheWeb: PayeeFetching {
    private static let longest = 64 << 10
    private static let deadline = Duration.seconds(10)

    private let web = OpenWebClient()

    func document(at place: LightningPlace) async throws -> [UInt8] {
        try await web.document(at: place.url, longest: Self.longest, deadline: Self.deadline)
    }
}

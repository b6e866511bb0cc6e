import NostrClient
import OpenWeb

/// The beginnings of pages of the open web, for previews.
struct PagesOfTheWeb: PageFetching {
    /// What stands in the head of a page is in its first quarter of a megabyte.
    private static let longest = 256 << 10
    private static let deadline = Duration.seconds(6)

    private let web = OpenWebClient()

    func page(at address: String, types: Set<String>) async throws -> FetchedPage {
        do {
            let page = try await web.page(
                at: address, types: types, longest: Self.longest, deadline: Self.deadline)
            return FetchedPage(address: page.address, type: page.type, bytes: page.bytes)
        } catch let failure as OpenWebClient.Failure where failure.isFinal {
            throw NoPage()
        }
    }
}

extension OpenWebClient.Failure {
    /// Whether the same question would get the same answer in an hour.
    fileprivate var isFinal: Bool {
        switch self {
        case .notAllowed, .privateAddress, .redirected, .tooLong, .wrongType: true
        case .status(let number): (400..<500).contains(number) && number != 429
        case .unknownHost, .unreachable, .timedOut: false
        }
    }
}

import BlossomServer
import OpenWeb

/// Files on other media servers, fetched over the open web.
struct BlobsOfTheWeb: BlobFetching {
    private let web = OpenWebClient()

    func fetch(
        _ address: String, longest: Int, deadline: Duration, chunk: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> String? {
        do {
            return try await web.stream(at: address, longest: longest, deadline: deadline, chunk: chunk)
        } catch let failure as OpenWebClient.Failure {
            throw Self.failure(failure)
        }
    }

    private static func failure(_ failure: OpenWebClient.Failure) -> BlobFetchFailure {
        switch failure {
        // Which names of this network lead somewhere is nobody's business.
        case .notAllowed, .privateAddress: .notAllowed
        case .tooLong: .tooLong
        case .unknownHost: .notGiven("its name leads nowhere")
        case .unreachable: .notGiven("it does not answer, or broke off")
        case .timedOut: .notGiven("it took too long")
        case .redirected: .notGiven("its address leads elsewhere, which is not followed")
        case .status(let status): .notGiven("it answered \(status)")
        case .wrongType: .notGiven("it is of another type than was asked for")
        }
    }
}

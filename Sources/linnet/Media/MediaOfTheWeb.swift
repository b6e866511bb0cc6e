import Foundation
import NostrClient
import NostrNIPs
import OpenWeb
import Synchronization

/// Media servers of the open web, and what lies on them sealed.
struct MediaOfTheWeb: BlobTransferring, SealedBlobFetching {
    private static let sealedDeadline = Duration.seconds(45)

    /// Whether all that is asked for is on servers the person typed, which may be near.
    private let isNear: Bool
    private let web = OpenWebClient()

    init(near: Bool = false) { isNear = near }

    func blob(at address: String, longest: Int) async throws -> [UInt8] {
        try await blob(at: address, headers: [:], longest: longest)
    }

    func blob(at address: String, headers: [String: String], longest: Int) async throws -> [UInt8] {
        do {
            return try await web.file(
                at: address, near: isNear, headers: headers, longest: longest, deadline: Self.sealedDeadline)
        } catch let failure as OpenWebClient.Failure {
            try Task.checkCancellation()
            throw failure.refusal
        }
    }

    func send(
        _ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> BlobAnswer {
        let body: OpenWebClient.RequestBody =
            switch request.body {
            case .none: .none
            case .bytes(let bytes): .bytes(bytes)
            case .file(let file, let size): .file(file, size: size)
            }
        let sent = Sent()
        do {
            let answer = try await web.exchange(
                request.method.rawValue, at: request.address, near: isNear, headers: request.headers, body: body,
                longest: request.longestAnswer, deadline: request.deadline
            ) { count in
                sent.isSome.withLock { $0 = $0 || count > 0 }
                progress(count)
            }
            return BlobAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch let failure as OpenWebClient.Failure {
            try Task.checkCancellation()
            // Whoever took a part of a file did answer.
            if failure == .unreachable, sent.isSome.withLock({ $0 }) { throw ServerRefusal(.brokenOff) }
            throw failure.refusal
        }
    }

    /// Whether a part of a file is on its way.
    private final class Sent: Sendable {
        let isSome = Mutex(false)
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        let blob = try BlobFile(file)
        do {
            let type = try await web.stream(
                from: address, near: isNear, headers: headers, longest: longest, deadline: deadline
            ) { bytes in try blob.write(bytes) }
            return try blob.finish(type: type)
        } catch let failure as OpenWebClient.Failure {
            blob.discard()
            try Task.checkCancellation()
            throw failure.refusal
        } catch {
            blob.discard()
            throw error
        }
    }
}

extension OpenWebClient.Failure {
    /// The same, as pages tell it.
    var refusal: ServerRefusal {
        switch self {
        case .notAllowed, .privateAddress: ServerRefusal(.notAllowed)
        case .unknownHost, .unreachable: ServerRefusal(.unreachable)
        case .timedOut: ServerRefusal(.timedOut)
        case .redirected: ServerRefusal(.redirected)
        case .status(let number): ServerRefusal(BlobAnswer(status: number)) ?? ServerRefusal(.wrongAnswer)
        case .tooLong: ServerRefusal(.tooLarge)
        case .wrongType: ServerRefusal(.wrongAnswer)
        }
    }
}

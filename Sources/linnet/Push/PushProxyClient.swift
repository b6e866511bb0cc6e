import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Speaks to a push proxy: requests signed with the account's key (NIP-98), so the proxy knows whom it wakes.
struct PushProxyClient: Sendable {
    /// What a proxy said to a request.
    enum Answer: Hashable, Sendable {
        case done
        /// It will not do this: it has no place for more, or the request makes no sense to it.
        case refused(status: UInt)
        /// It could not now.
        case failed(Failure)
    }

    /// Why a request has to be made again.
    enum Failure: Hashable, Sendable {
        case unreachable, disbelieved, tooOften, unwell
    }

    /// Follows no redirect: one would lead to a host that nobody named.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    private static let deadline: TimeAmount = .seconds(10)
    private static let longestAnswer = 16 << 10

    /// The key that subscriptions of browsers are bound to; `nil` where there is none or nobody answers.
    func pushKey(of proxy: String) async -> String? {
        guard let (status, body) = await send(HTTPClientRequest(url: proxy + "/vapid")), status == 200 else {
            return nil
        }
        return (try? JSONValue(body))?["public_key"]?.string
    }

    /// Posts a request.
    ///
    /// - Parameter signed: the request's own event of NIP-98.
    func post(_ wanted: PushProxyRequest, signed: Event) async -> Answer {
        var request = HTTPClientRequest(url: wanted.url)
        request.method = .POST
        for (name, value) in PushProxyRequest.headers(signed) { request.headers.add(name: name, value: value) }
        request.body = .bytes(wanted.body)
        guard let (status, _) = await send(request) else { return .failed(.unreachable) }
        return switch status {
        case 200: .done
        case 401: .failed(.disbelieved)
        case 429: .failed(.tooOften)
        case 400, 404, 409, 413: .refused(status: status)
        default: .failed(.unwell)
        }
    }

    private func send(_ request: HTTPClientRequest) async -> (status: UInt, body: [UInt8])? {
        do {
            let answer = try await Self.client.execute(request, timeout: Self.deadline)
            let body = try await answer.body.collect(upTo: Self.longestAnswer)
            return (answer.status.code, Array(buffer: body))
        } catch {
            // What the library says may hold addresses.
            return nil
        }
    }
}

extension PushProxyClient.Answer {
    /// Why it did not work, in one plain sentence; `nil` when it did.
    ///
    /// - Parameter proxy: the proxy's host.
    func trouble(with proxy: String) -> Trouble? {
        switch self {
        case .done: nil
        case .refused(409): Trouble("The push proxy takes no more apps of this account.")
        case .refused: Trouble("The push proxy cannot wake this device.")
        case .failed(.unreachable): Trouble("The push proxy \(proxy) does not answer.")
        case .failed(.disbelieved):
            Trouble("The push proxy did not believe the request: is this machine's clock right?")
        case .failed(.tooOften): Trouble("The push proxy is asked too often; try again in a minute.")
        case .failed(.unwell): Trouble("The push proxy could not do it; try again later.")
        }
    }
}

import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Has a push proxy wake browsers: requests signed with the account's key (NIP-98), so the proxy knows whom it wakes.
struct PushProxyClient: BrowserWaking {
    /// Without a slash at the end.
    let proxy: PublicAddress
    let host: AccountHost
    let log: Logger
    /// Follows no redirect: one would lead to a host that nobody named.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    private static let deadline: TimeAmount = .seconds(10)
    private static let longestAnswer = 16 << 10

    var proxyName: String { proxy.host }

    func pushKey() async throws -> String {
        let (status, body) = try await send(HTTPClientRequest(url: proxy.text + "/vapid"))
        guard status == 200, let key = (try? JSONValue(body))?["public_key"]?.string else {
            throw Trouble("The push proxy wakes no browsers.")
        }
        return key
    }

    func wake(_ browser: BrowserSubscription, for account: PublicKey) async throws {
        try await ask(
            .register(endpoint: browser.endpoint, key: browser.key, secret: browser.secret, at: proxy.text), account)
        // Apps bring relays of their own, which the proxy is to listen to as well.
        for client in try await host.signer(of: account)?.clients() ?? [] {
            guard case .remote(let app) = client.app, !client.relays.isEmpty else { continue }
            do {
                try await ask(.pair(app, relays: client.relays, at: proxy.text), account)
            } catch is Full {
                log.info("the push proxy takes no more apps of this account")
                return
            }
        }
    }

    func forget(_ browser: BrowserSubscription, for account: PublicKey) async throws {
        try await ask(
            .unregister(endpoint: browser.endpoint, key: browser.key, secret: browser.secret, at: proxy.text), account)
    }

    /// The proxy takes no more apps.
    private struct Full: Error {}

    private func ask(_ wanted: PushProxyRequest, _ account: PublicKey) async throws {
        let signed = try await host.sign(
            wanted.authorization(createdAt: .current, nonce: UUID().uuidString), by: account)
        var request = HTTPClientRequest(url: wanted.url)
        request.method = .POST
        for (name, value) in PushProxyRequest.headers(signed) { request.headers.add(name: name, value: value) }
        request.body = .bytes(wanted.body)
        switch try await send(request).status {
        case 200: return
        case 401: throw Trouble("The push proxy did not believe the request: is this machine's clock right?")
        case 409: throw Full()
        case 429: throw Trouble("The push proxy is asked too often; try again in a minute.")
        case 400: throw Trouble("The push proxy cannot wake this browser.")
        default: throw Trouble("The push proxy could not do it; try again later.")
        }
    }

    private func send(_ request: HTTPClientRequest) async throws -> (status: UInt, body: [UInt8]) {
        do {
            let answer = try await Self.client.execute(request, timeout: Self.deadline)
            let body = try await answer.body.collect(upTo: Self.longestAnswer)
            return (answer.status.code, Array(buffer: body))
        } catch {
            // What the library says may hold addresses.
            throw Trouble("The push proxy \(proxy.host) does not answer.")
        }
    }
}

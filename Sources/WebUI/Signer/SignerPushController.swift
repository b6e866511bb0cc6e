internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Having this browser woken by the push proxy; asked for by the script of the signer's settings.
struct SignerPushController {
    let signer: SignerPages
    let waking: any BrowserWaking

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/push", use: key)
        router.post("/signer/push", use: wake)
        router.post("/signer/push/end", use: end)
    }

    @Sendable private func key(_ request: Request, _ context: WebContext) async throws -> Response {
        _ = try await signer.service(context)
        guard isFragment(request) else { throw HTTPError(.badRequest) }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: try JSONEncoder().encode(["key": try await waking.pushKey()]))))
    }

    @Sendable private func wake(_ request: Request, _ context: WebContext) async throws -> Response {
        _ = try await signer.service(context)
        try await waking.wake(try subscription(context.form), for: try context.requireAccount().publicKey)
        return Response(status: .noContent)
    }

    @Sendable private func end(_ request: Request, _ context: WebContext) async throws -> Response {
        _ = try await signer.service(context)
        try await waking.forget(try subscription(context.form), for: try context.requireAccount().publicKey)
        return Response(status: .noContent)
    }

    private func subscription(_ form: Form) throws -> BrowserSubscription {
        guard
            let browser = BrowserSubscription(endpoint: form["endpoint"], key: form["p256dh"], secret: form["auth"])
        else { throw HTTPError(.badRequest, message: SignerWords.noWakeAddress) }
        return browser
    }
}

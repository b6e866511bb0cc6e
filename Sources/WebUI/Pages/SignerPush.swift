internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Having this browser woken by the push proxy; asked for by the script of the signer's settings.
func addSignerPush(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let waking = house.waking else { return }
    router.get("/signer/push") { request, context in
        _ = try await signerDesk(context, house)
        guard isFragment(request) else { throw HTTPError(.badRequest) }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: try JSONEncoder().encode(["key": try await waking.pushKey()]))))
    }
    router.post("/signer/push") { _, context in
        _ = try await signerDesk(context, house)
        try await waking.wake(try subscription(context.form), for: try context.requireDesk().own)
        return Response(status: .noContent)
    }
    router.post("/signer/push/end") { _, context in
        _ = try await signerDesk(context, house)
        try await waking.forget(try subscription(context.form), for: try context.requireDesk().own)
        return Response(status: .noContent)
    }
}

private func subscription(_ form: Form) throws -> BrowserSubscription {
    guard
        let browser = BrowserSubscription(endpoint: form["endpoint"], key: form["p256dh"], secret: form["auth"])
    else { throw HTTPError(.badRequest, message: "The browser gave no address it could be woken by.") }
    return browser
}

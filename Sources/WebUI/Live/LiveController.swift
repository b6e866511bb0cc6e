internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Live updates over server-sent events: short hints, on which pages' scripts fetch the parts that changed.
///
/// The pages of a browser share one stream (`stream.js`), since a browser opens six connections to a host and no more.
/// Bounded: a session has at most ``BrowserSession/mostStreams`` open, each keeps one small digest.
struct LiveController {
    let opening: any AccountOpening
    let signers: (any SignerHosting)?
    let clock: any Clock<Duration>

    func addRoutes(to router: some RouterMethods<WebContext>) {
        // Asked by a script while somebody reads; the guard has noted it by then.
        router.get("/present") { _, _ in Response(status: .noContent) }
        router.get("/events", use: events)
    }

    @Sendable private func events(_ request: Request, _ context: WebContext) async throws -> Response {
        let browser = try context.requireSession().browser
        let account = try context.requireAccount()
        let asked = request.uri.queryParameters["for"].map(String.init) ?? account.publicKey.hex
        // A page of an account that is no longer open is told not to ask again.
        guard asked == account.publicKey.hex, let stream = browser.beginStream(of: account.publicKey) else {
            return Response(status: .noContent)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { browser.endStream(stream.number) }
                let page = await LivePage(
                    of: account, signer: await signers?.signer(of: account.publicKey),
                    opening: opening, clock: clock, bell: stream.bell)
                // A page that went away must not count until something is next written to it: it would crowd out another.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await page.run(to: &writer) { browser.isOpen(stream: stream.number) }
                }
                // Told, it does not come back at once and crowd another one out.
                if browser.isCrowdedOut(stream: stream.number) {
                    try await writer.write(ByteBuffer(string: "event: crowded\ndata: 1\n\n"))
                }
                try await writer.finish(nil)
            })
    }
}

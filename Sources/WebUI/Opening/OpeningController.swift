internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Addresses that other programs and pages open here (`nostr:`, `bunker:`, `nostrsigner:` …): each leads to a page that
/// shows something or asks, and nothing happens by it.
struct OpeningController {
    let pages: PageRenderer
    let handed: HandedAddresses
    /// Signer links; `nil` where their pages are not shown.
    let links: SignerLinks?
    /// Passes on what a signer of this device answered, and gives the id of what it answers; `nil` where none is asked.
    let receiveAnswer: (@Sendable (String) async -> String?)?

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/open") { try await show($0.query["url"], $1) }
        router.get("/open/:id") { try await show(try kept($1), $1) }
        // A universal link: the parameters of a signer link behind a web address.
        router.get("/sign") { try await show("linnet-signer://?" + ($0.uri.query ?? ""), $1) }
        router.get("/sign/:method") {
            try await show("linnet-signer://\(try method($1))?" + ($0.uri.query ?? ""), $1)
        }
        router.post("/open/signer-link", use: goOn)
    }

    private func kept(_ context: WebContext) throws -> String {
        guard let text = handed.text(try context.parameters.require("id")) else {
            throw HTTPError(.notFound, message: SignerWords.forgottenLink)
        }
        return text
    }

    private func method(_ context: WebContext) throws -> String {
        let name = try context.parameters.require("method")
        guard name.utf8.count <= 64, name.utf8.allSatisfy(isMethodByte) else { throw HTTPError(.notFound) }
        return name
    }

    private func show(_ address: String, _ context: WebContext) async throws -> Response {
        let token = try context.requireSession().formToken
        switch OpenedAddress(address) {
        case .name(let name): return redirect(to: "/search?q=\(name)")
        case .app(let uri): return redirect(to: "/signer/connect?uri=\(uri)")
        case .circle(let invitation): return redirect(to: "/circles/new?invitation=\(invitation)")
        case .invoice(let text): return redirect(to: "/invoices/\(text)")
        case .signer(let bunker): return page("Your signer", openedSignerView(bunker, token), context)
        case .signerLink(let link):
            guard links != nil else { throw HTTPError(.notFound) }
            return page("Signer link", openedLinkView(link, token), context)
        case .answer(let answer):
            guard let id = await receiveAnswer?(answer) else {
                throw HTTPError(.notFound, message: SignerWords.forgottenLink)
            }
            return redirect(to: "/device-signer/asked/\(id)")
        case .secret: return page("Not opened", openedNowhereView(OpeningWords.secret), context, status: .badRequest)
        case .unknown(let scheme):
            return page("Not opened", openedNowhereView(OpeningWords.unknown(scheme)), context, status: .notFound)
        }
    }

    /// The person goes on with a signer link: from here on its own page asks.
    @Sendable private func goOn(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let links, case .signerLink(let link) = OpenedAddress(context.form["link"]) else {
            throw HTTPError(.badRequest)
        }
        return redirect(to: linkPath(await links.open(link)))
    }

    private func page(
        _ title: String, _ body: HTML, _ context: WebContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        var response = pages.bare(title: title, body, context, status: status)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

private func isMethodByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
}

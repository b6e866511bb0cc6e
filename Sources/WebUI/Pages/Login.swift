internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Health and metrics, for the operator; no session.
func addProbes(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/healthz") { _, _ in
        let isHealthy = await house.probes.isHealthy()
        return Response(
            status: isHealthy ? .ok : .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: .init(string: isHealthy ? "ok\n" : "not well\n")))
    }
    router.get("/metrics") { _, _ in
        Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: .init(string: await house.probes.metrics())))
    }
}

/// The style sheet, scripts, pictures and the web app manifest; no session.
func addAssets(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/assets/:version/:name") { _, context in
        guard let asset = house.assets[try context.parameters.require("name")] else { throw HTTPError(.notFound) }
        return file(asset, cache: "public, max-age=31536000, immutable")
    }
    for (path, name) in [
        ("/manifest.webmanifest", "manifest.webmanifest"), ("/favicon.ico", "linnet.svg"),
        ("/favicon.svg", "linnet.svg"), ("/sw.js", "sw.js"),
    ] {
        router.get(RouterPath(path)) { _, _ in
            guard let asset = house.assets[name] else { throw HTTPError(.notFound) }
            return file(asset, cache: "public, max-age=3600")
        }
    }
}

private func file(_ asset: Assets.Asset, cache: String) -> Response {
    Response(
        status: .ok, headers: [.contentType: asset.type, .cacheControl: cache], body: .init(byteBuffer: asset.body))
}

/// The way in: a link that works once.
func addLogin(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/login") { request, context in
        guard let token = request.uri.queryParameters["token"] else {
            let values: [String: Any] = ["isWrong": false]
            return house.bare(title: "Log in", house.templates.render("login", values), context)
        }
        return try await logIn(String(token), to: firstPage(request), request, context, house)
    }
    router.post("/login") { request, context in
        guard isFromHere(request) else { throw HTTPError(.forbidden) }
        let pasted = try await readForm(request)["token"].filter { !$0.isWhitespace }
        let token = pasted.split(separator: "=").last.map(String.init) ?? ""
        return try await logIn(token, to: "/", request, context, house)
    }
}

/// Where a login leads: a page of the signer that the program made the link to, else the first page.
private func firstPage(_ request: Request) -> String {
    let page = request.uri.queryParameters["to"].map(String.init) ?? "/"
    let isOurs = page.hasPrefix("/signer/") && !page.contains("//")
    return isOurs && page.utf8.allSatisfy { isUnreserved($0) || $0 == UInt8(ascii: "/") } ? page : "/"
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
}

private func logIn(
    _ token: String, to page: String, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    // Whoever is in already loses nothing by an old link.
    guard house.sessions.redeem(token) else {
        if house.session(of: request) != nil { return redirect(to: page) }
        return house.bare(
            title: "Log in", house.templates.render("login", ["isWrong": true]), context, status: .forbidden)
    }
    // An account that does not open now can be opened from the first screen, which then says why.
    let last = try? await house.opening.accounts().first
    var desk: Desk?
    if let last {
        // As above.
        desk = (try? await house.opening.open(last.key)).map(Desk.init)
    }
    let word = house.sessions.open(desk: desk)
    var response = redirect(to: page)
    let seconds = SessionBook.sessionLifetime.components.seconds
    response.headers[.setCookie] =
        "\(house.cookieName(request))=\(word); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
    return response
}

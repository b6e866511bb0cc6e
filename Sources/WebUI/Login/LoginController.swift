internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The way in: a link that works once; and the way out.
struct LoginController {
    let pages: PageRenderer
    let sessions: Sessions
    let opening: any AccountOpening

    /// The way in; no session.
    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/login", use: arrive)
        router.post("/login", use: paste)
    }

    /// The way out, behind the guard of sessions.
    func addSessionRoutes(to router: some RouterMethods<WebContext>) {
        router.post("/logout", use: logOut)
    }

    @Sendable private func arrive(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let token = request.uri.queryParameters["token"] else {
            return pages.bare(title: "Log in", loginView(isWrong: false), context)
        }
        return try await logIn(String(token), to: firstPage(request), request, context)
    }

    @Sendable private func paste(_ request: Request, _ context: WebContext) async throws -> Response {
        guard isFromHere(request) else { throw HTTPError(.forbidden) }
        let pasted = try await readForm(request)["token"].filter { !$0.isWhitespace }
        let token = pasted.split(separator: "=").last.map(String.init) ?? ""
        return try await logIn(token, to: "/", request, context)
    }

    @Sendable private func logOut(_ request: Request, _ context: WebContext) async throws -> Response {
        if let word = sessionWord(of: request) { sessions.close(word) }
        var response = redirect(to: "/login")
        response.headers[.setCookie] = "\(sessionCookieName(request))=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        return response
    }

    private func logIn(
        _ token: String, to page: Path, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        // Whoever is in already loses nothing by an old link.
        guard sessions.redeem(token) else {
            if sessions.session(of: request) != nil { return redirect(to: page) }
            return pages.bare(title: "Log in", loginView(isWrong: true), context, status: .forbidden)
        }
        // An account that does not open now can be opened from the first screen, which then says why.
        let last = try? await opening.accounts().first
        var account: (any Account)?
        if let last {
            // As above.
            account = try? await opening.open(last.key)
        }
        let word = sessions.open(account)
        var response = redirect(to: page)
        let seconds = Sessions.sessionLifetime.components.seconds
        response.headers[.setCookie] =
            "\(sessionCookieName(request))=\(word); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        return response
    }
}

/// Where a login leads: a page of the signer that the program made the link to, else the first page.
private func firstPage(_ request: Request) -> Path {
    let page = request.uri.queryParameters["to"].map(String.init) ?? "/"
    let isOurs = page.hasPrefix("/signer/") && !page.contains("//")
    guard isOurs, page.utf8.allSatisfy({ isUnreserved($0) || $0 == UInt8(ascii: "/") }) else { return "/" }
    return Path(ours: page) ?? "/"
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
}

/// What is shown to a browser that is not in yet.
///
/// - Parameter isWrong: whether it came with a link that does not work any more.
func loginView(isWrong: Bool) -> HTML {
    """
    <section class="sheet narrow"><h1>Log in</h1>
    \(problemLine(isWrong ? "This link has been used already, or it is too old." : nil))
    <p>Linnet prints a login link when it starts. Open it, or paste it here. Each link works once.</p>
    <form method="post" action="/login"><div class="field"><label for="token">Login link</label><input id="token" name="token" type="password" autocomplete="off" required></div><p class="sheet-end"><button class="button">Log in</button></p></form>
    <p class="hint">No link at hand? Start Linnet again: it prints a new one, and nothing is lost.</p></section>
    """
}

internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The way in: a link that works once; and the way out.
struct LoginController {
    let pages: PageRenderer
    let sessions: Sessions
    let opening: any AccountOpening
    /// Whether the pages have a name of their own below `localhost`, by which login links lead to them.
    let hasLoopbackName: Bool

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
        let page = firstPage(request.uri.queryParameters["to"].map(String.init))
        guard let token = request.uri.queryParameters["token"] else {
            return pages.bare(title: "Log in", view(request, to: page, isWrong: false), context)
        }
        return try await logIn(String(token), to: page, request, context)
    }

    @Sendable private func paste(_ request: Request, _ context: WebContext) async throws -> Response {
        guard isFromHere(request) else { throw HTTPError(.forbidden) }
        let form = try await readForm(request)
        let pasted = form["token"].filter { !$0.isWhitespace }
        let token = pasted.split(separator: "=").last.map(String.init) ?? ""
        return try await logIn(token, to: firstPage(form["to"]), request, context)
    }

    @Sendable private func logOut(_ request: Request, _ context: WebContext) async throws -> Response {
        if let word = sessions.cookies.session(of: request) { await sessions.close(word) }
        var response = redirect(to: "/login")
        response.headers[.setCookie] = sessions.cookies.clearSession(request)
        return response
    }

    private func logIn(
        _ token: String, to page: Path, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        switch sessions.redeem(token) {
        case .session: return await openSession(to: page, request)
        case .link(let id): return showLink(id, request, context)
        case nil: break
        }
        // Whoever is in already loses nothing by an old link.
        if let word = sessions.cookies.session(of: request), await sessions.session(word) != nil {
            return redirect(to: page)
        }
        return pages.bare(title: "Log in", view(request, to: page, isWrong: true), context, status: .forbidden)
    }

    private func openSession(to page: Path, _ request: Request) async -> Response {
        // An account that does not open now can be opened from the first screen, which then says why.
        let last = try? await opening.accounts().first
        var account: (any Account)?
        if let last {
            // As above.
            account = try? await opening.open(last.key)
        }
        var response = redirect(to: page)
        response.headers[.setCookie] = sessions.cookies.setSession(await sessions.open(account), request)
        return response
    }

    private func view(_ request: Request, to page: Path, isWrong: Bool) -> HTML {
        let isBelowLocalhost = hostName(request.head.authority ?? "").hasSuffix(".localhost")
        return loginView(to: page, isWrong: isWrong, isElsewhere: hasLoopbackName && !isBelowLocalhost)
    }

    /// Goes on to the page of one signer link, which is all that this token opens.
    ///
    /// A page of its own goes on, not a redirection: the browser comes from a file on disk, and a cookie that is
    /// `SameSite=Strict` is sent with a step from here only.
    private func showLink(_ id: String, _ request: Request, _ context: WebContext) -> Response {
        let page: Path = "/signer/link/\(id)"
        var response = pages.bare(title: "Signer", goOnView(page), context)
        if let refresh = HTTPField.Name("Refresh") { response.headers[refresh] = "0; url=\(page.text)" }
        response.headers[.cacheControl] = "no-store"
        response.headers[.setCookie] = sessions.cookies.setLink(sessions.open(link: id), at: page, request)
        return response
    }
}

private func goOnView(_ page: Path) -> HTML {
    """
    <section class="sheet narrow"><h1>To your signer</h1><p>An app asks for your signature. <a href="\(page)">Go on</a></p></section>
    """
}

/// Where a login leads: to what was opened before it, or to a page of the signer, else to the first page.
private func firstPage(_ wanted: String?) -> Path {
    let wanted = wanted ?? "/"
    let path = wanted.prefix { $0 != "?" }
    let isOpened = SessionGuard.isOpening(path)
    guard isOpened || (path.hasPrefix("/signer/") && path.count == wanted.count), !path.contains("//"),
        path.utf8.allSatisfy({ isUnreserved($0) || $0 == UInt8(ascii: "/") || (isOpened && $0 == UInt8(ascii: "_")) })
    else { return "/" }
    return Path(ours: wanted) ?? "/"
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
}

/// What is shown to a browser that is not in yet.
///
/// - Parameters:
///   - page: where the login leads.
///   - isWrong: whether it came with a link that does not work any more.
///   - isElsewhere: whether login links lead to another host name than this one.
func loginView(to page: Path, isWrong: Bool, isElsewhere: Bool) -> HTML {
    """
    <section class="sheet narrow"><h1>Log in</h1>
    \(problemLine(isWrong ? "This link has been used already, or it is too old." : nil))
    <p>Linnet prints a login link when it starts. Open it, or paste it here. Each link works once.\(if: page != "/", " Paste it to go on to what you opened.")</p>
    <form method="post" action="/login">\(if: page != "/", hidden("to", page.text))<div class="field"><label for="token">Login link</label><input id="token" name="token" type="password" autocomplete="off" required></div><p class="sheet-end"><button class="button">Log in</button></p></form>
    <p class="hint">No link at hand? <code>linnet login-link</code> prints a new one.\(if: isElsewhere, " Already logged in? Your session belongs to Linnet's own address, which ends in <code>.localhost</code>: your browser's history and bookmarks know it.")</p></section>
    """
}

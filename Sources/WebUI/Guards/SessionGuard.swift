internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Lets in only browsers with a session, with the settings of the account open there; others are shown the way.
struct SessionGuard: RouterMiddleware {
    typealias Context = WebContext
    let sessions: Sessions
    let opening: any AccountOpening
    let keys: (any KeyKeeping)?
    let settings: any PersonalSettingsKeeping
    let pages: PageRenderer

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let word = sessions.cookies.session(of: request)
        var found: Session?
        if let word { found = await sessions.session(word) }
        guard var session = found ?? sessionOfLink(request) else {
            if let arrival = arrival(request, context) { return arrival }
            if request.method == .get, !isFragment(request), request.uri.path != "/events" {
                return redirect(to: loginPath(for: request))
            }
            throw HTTPError(.unauthorized, message: TroubleWords.notLoggedIn)
        }
        var context = context
        if let account = session.account {
            if isSomebodyThere(request) { await keys?.touch(account.publicKey) }
            session.isLocked = await opening.isLocked(account.publicKey)
            context.personal = await settings.settings(of: account.publicKey)
        }
        if !PageHeaders.isPrivate(request.uri.path) { session.formToken = session.formToken.masked() }
        context.session = session
        var answer = try await next(request, context)
        if answer.headers[.contentSecurityPolicy] == nil {
            answer.headers[.contentSecurityPolicy] = contentPolicy(
                context.personal.remoteMedia, pictureHosts: pages.pictureHosts,
                drawsStills: PageHeaders.drawsStills(request.uri.path), playsRecordings: context.playsRecordings)
        }
        if let word, found != nil, session.browser.now.account?.publicKey != session.account?.publicKey {
            await sessions.keep(session.browser, word)
        }
        return answer
    }

    /// What the cookie of a link's page lets a browser see: that page and what belongs to it.
    private func sessionOfLink(_ request: Request) -> Session? {
        let steps = request.uri.path.split(separator: "/")
        guard steps.count >= 3, steps[0] == "signer", steps[1] == "link",
            let word = sessions.cookies.link(of: request)
        else { return nil }
        return sessions.session(word, ofLink: String(steps[2]))
    }

    /// A page that goes on to where a link of another site leads, now as a page of this one.
    ///
    /// The session's cookie is `SameSite=Strict`, so it does not come with the first step; it does with the second. Only
    /// for addresses other programs are meant to lead to, which show something and do nothing.
    private func arrival(_ request: Request, _ context: WebContext) -> Response? {
        let isFromElsewhere = HTTPField.Name("Sec-Fetch-Site").map { request.headers[$0] == "cross-site" } ?? false
        guard request.method == .get, isFromElsewhere, Self.isForOthers(request.uri.path),
            let address = request.head.path, let refresh = HTTPField.Name("Refresh")
        else { return nil }
        var response = pages.bare(title: "Signer", arrivalView(address), context)
        response.headers[refresh] = "0; url=\(address)"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Whether other programs and pages are meant to lead to a path.
    private static func isForOthers(_ path: String) -> Bool {
        path == "/signer/connect" || isOpening(path) || path.hasPrefix("/device-signer/a")
    }

    /// Whether a path is one that an address opened elsewhere leads to; `linnet open` leads to it from a file on disk.
    static func isOpening(_ path: some StringProtocol) -> Bool {
        path == "/open" || path.hasPrefix("/open/") || path == "/sign" || path.hasPrefix("/sign/")
    }

    /// The way in, which goes on to what was opened.
    private func loginPath(for request: Request) -> Path {
        guard Self.isOpening(request.uri.path), let address = request.head.path,
            address.utf8.count <= Self.longestOpened
        else { return "/login" }
        return "/login?to=\(address)"
    }

    /// The longest address that waits for a login; percent-encoded once more it still fits in the first line of a request.
    private static let longestOpened = 2048
}

/// The body of a page that goes on to an address of this program.
private func arrivalView(_ address: String) -> HTML {
    guard let path = Path(ours: address) else { return HTML() }
    return """
        <section class="sheet narrow"><h1>To your Linnet</h1><p>Another page leads here. <a href="\(path)">Go on</a></p></section>
        """
}

/// Whether a request tells that a person is at the machine.
///
/// They opened a page, posted a form, or a script says that they just moved or typed; a page left open that keeps
/// itself fresh does not tell.
func isSomebodyThere(_ request: Request) -> Bool {
    if let name = HTTPField.Name("X-Linnet-Present"), request.headers[name] != nil { return true }
    guard !isFragment(request) else { return false }
    guard let name = HTTPField.Name("Sec-Fetch-Mode"), let mode = request.headers[name] else {
        return request.uri.path != "/events"
    }
    return mode == "navigate"
}

/// Sends browsers without an open account to the first screen, and keeps pages of two accounts apart.
struct AccountGuard: RouterMiddleware {
    typealias Context = WebContext

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard let session = context.session, let open = session.account else { return redirect(to: "/welcome") }
        if let name = HTTPField.Name("X-Linnet-Account"), let asked = request.headers[name], asked != open.publicKey.hex
        {
            throw Self.other
        }
        let answer = try await next(request, context)
        // Another account was opened meanwhile: what was made for this one is no longer to be shown.
        guard answer.status.kind == .redirection || session.browser.isStill(session) else {
            if isFragment(request) { throw Self.other }
            return redirect(to: "/home")
        }
        return answer
    }

    private static let other = HTTPError(
        .conflict, message: TroubleWords.anotherAccount)
}

/// Lets a posted form through only when it came from a page of this session.
struct FormGuard: RouterMiddleware {
    typealias Context = WebContext
    /// The largest form, in bytes.
    static let largestForm = Form.largest

    /// The largest form that a page takes, in bytes: where something is said, a file may go with it.
    static func largestForm(at path: String) -> Int {
        let steps = path.split(separator: "/")
        guard steps.count == 2, steps[0] == "messages" || steps[0] == "circles" else { return largestForm }
        return OutgoingFile.largest + largestForm
    }

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        guard isFromHere(request) else { throw HTTPError(.forbidden, message: TroubleWords.strangeForm) }
        var context = context
        if let upload = try FormWithFiles(request, context) {
            (context.form, context.files) = try await upload.read(request)
            return try await next(request, context)
        }
        context.form = try await readForm(request)
        guard try context.requireSession().formToken.isCarried(by: context.form["csrf"]) else {
            throw HTTPError(.forbidden, message: TroubleWords.oldForm)
        }
        return try await next(request, context)
    }
}

/// Whether the browser says that a page of this very host sent the request; old browsers say nothing.
func isFromHere(_ request: Request) -> Bool {
    if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
        return site == "same-origin" || site == "none"
    }
    guard let origin = request.headers[.origin] else { return true }
    return origin.split(separator: "/").last.map(String.init) == request.head.authority
}

/// Whether a script asked for a part of a page.
func isFragment(_ request: Request) -> Bool {
    HTTPField.Name("X-Linnet-Fragment").map { request.headers[$0] != nil } ?? false
}

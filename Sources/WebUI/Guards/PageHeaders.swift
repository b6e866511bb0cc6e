internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Puts on every answer what keeps a browser from being turned against its owner.
struct PageHeaders: RouterMiddleware {
    typealias Context = WebContext
    let settings: any SettingsKeeping
    /// Where pictures may come from although settings load none from elsewhere.
    let pictureHosts: [String]

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.settings = await settings.settings()
        context.personal = context.settings.withoutAccount
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = contentPolicy(
                context.personal.remoteMedia, pictureHosts: pictureHosts,
                drawsStills: Self.drawsStills(request.uri.path))
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { response.headers[name] = "same-origin" }
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { response.headers[name] = "same-origin" }
        if let name = HTTPField.Name("Permissions-Policy") {
            // Only where a person can tell a circle where they are may a page ask the device for that.
            let place = request.uri.path.hasPrefix("/circles/") ? "geolocation=(self)" : "geolocation=()"
            response.headers[name] = "camera=(), \(place), microphone=(), payment=()"
        }
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = Self.isPrivate(request.uri.path) ? "no-store" : "private, no-cache"
        }
        return response
    }

    /// Whether only the person may see what stands at a path; such pages rest in no cache and are not packed.
    ///
    /// What only they may see rests nowhere in plain, so not in a browser's cache either; nor does what apps ask, and what
    /// lets one in. So everything is private that is not named here: what others published, drawn for the person, of which
    /// a browser asks each time whether it is still the same.
    static func isPrivate(_ path: String) -> Bool {
        let steps = path.split(separator: "/").map(String.init)
        guard let first = steps.first else { return true }
        guard let ends = publishedEnds[first] else { return !published.contains(first) }
        return !ends.contains(steps.dropFirst(first == "relays" ? 1 : 2).joined(separator: "/"))
    }

    /// Whether a script plays a film there that is about to be brought, to draw a still of it: also where the page of a
    /// note comes in answer to something else.
    static func drawsStills(_ path: String) -> Bool {
        ["/files", "/compose", "/compose/undo", "/compose/gif"].contains(path)
    }

    private static let published: Set = [
        "home", "tags", "article", "polls", "invoices", "search", "trending", "streams", "emoji", "previews",
        "shortcuts",
        "guest", "placeholder", "avatar", "assets", "theme.css", "healthz", "metrics",
    ]

    /// Of what stands beside private pages: the ends of the paths that lead to what was published.
    private static let publishedEnds: [String: Set<String>] = [
        "note": ["", "card", "receipts", "reactions", "react"], "people": [""], "relays": ["", "relay", "notes"],
    ]
}

/// Everything from here; pictures and films from elsewhere only where settings load them.
///
/// - Parameters:
///   - forms: the one origin that forms of this page may go to, if not here.
///   - film: an address of a film that this page offers to play, whatever settings load by themselves.
///   - playsPieces: whether a script of the page fetches that film in pieces, where the browser does not do so itself.
///   - drawsStills: whether the page plays files that are chosen on it.
///   - playsRecordings: whether films and sounds come by way of this program, so that no other server is asked for one.
func contentPolicy(
    _ remoteMedia: PersonalSettings.RemoteMedia, pictureHosts: [String], forms: String = "'self'", film: String? = nil,
    playsPieces: Bool = false, drawsStills: Bool = false, playsRecordings: Bool = false
) -> String {
    let own = (["'self'"] + pictureHosts).joined(separator: " ")
    let media = remoteMedia == .never ? "'self'" : own + " https:"
    let source = film.map(filmSource)
    let places = playsRecordings ? "'self'" : media
    let films =
        (source.map { places.contains($0) ? places : places + " " + $0 } ?? places)
        + (drawsStills || playsPieces ? " blob:" : "")
    let asked = playsPieces ? ["'self'", source].compactMap(\.self).joined(separator: " ") : "'self'"
    return "default-src 'self'; script-src 'self'; style-src 'self'; img-src \(media); media-src \(films); "
        + "connect-src \(asked); font-src 'self'; object-src 'none'; base-uri 'none'; form-action \(forms); "
        + "frame-ancestors 'none'"
}

/// What a policy calls the place of a film: all of https, as playlists lead to other hosts, or one origin of http.
private func filmSource(_ address: String) -> String {
    guard address.lowercased().hasPrefix("http://") else { return "https:" }
    let host = address.dropFirst("http://".count).prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0))
    }
    return "http://" + host
}

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
                context.personal.remoteMedia, pictureHosts: pictureHosts)
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
        // What only the person may see rests nowhere in plain, so not in a browser's cache either; nor does what apps ask
        // and the token that lets one in.
        if Self.isPrivate(request.uri.path), response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "private, no-cache" }
        return response
    }

    /// Whether only the person may see what stands at a path; such pages rest in no cache and are not packed.
    static func isPrivate(_ path: String) -> Bool { privatePaths.contains { path.hasPrefix($0) } }

    private static let privatePaths = [
        "/messages", "/circles", "/map", "/signer", "/drafts", "/lists", "/history", "/settings", "/unlock", "/pairing",
        "/login", "/nip07", "/keys", "/compose", "/profile", "/welcome", "/open", "/sign", "/device-signer",
        "/start",
    ]
}

/// Everything from here; pictures and films from elsewhere only where settings load them.
///
/// - Parameter forms: the one origin that forms of this page may go to, if not here.
func contentPolicy(
    _ remoteMedia: PersonalSettings.RemoteMedia, pictureHosts: [String], forms: String = "'self'"
) -> String {
    let own = (["'self'"] + pictureHosts).joined(separator: " ")
    let media = remoteMedia == .never ? "'self'" : own + " https:"
    return "default-src 'self'; script-src 'self'; style-src 'self'; img-src \(media); media-src \(media); "
        + "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action \(forms); "
        + "frame-ancestors 'none'"
}

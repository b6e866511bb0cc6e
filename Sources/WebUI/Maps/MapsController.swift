internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Tiles for maps, Leaflet to draw them, parts kept for when there is no network, and where tiles come from.
struct MapsController {
    let pages: PageRenderer
    let tiles: any MapPictures
    let settings: any PersonalSettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/map/leaflet/:file", use: leaflet)
        router.get("/map/tiles/:z/:x/:y", use: tile)
        router.post("/map/region", use: keepRegion)
        router.get("/map/region", use: progress)
        router.post("/map/region/stop", use: stop)
        router.get("/settings/map") { try await page($1.personal.mapSource, nil, $0, $1) }
        router.post("/settings/map", use: save)
        router.post("/settings/map/clear", use: clear)
    }

    private static let leafletFiles = [
        "leaflet.js": "text/javascript; charset=utf-8", "leaflet.css": "text/css; charset=utf-8",
    ]

    @Sendable private func leaflet(_ request: Request, _ context: WebContext) async throws -> Response {
        let file = try context.parameters.require("file")
        guard let folder = tiles.leaflet, let type = Self.leafletFiles[file],
            let bytes = FileManager.default.contents(atPath: folder + "/" + file)
        else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "private, max-age=86400"],
            body: .init(byteBuffer: .init(bytes: bytes)))
    }

    @Sendable private func tile(_ request: Request, _ context: WebContext) async throws -> Response {
        let parts = try ["z", "x", "y"].map { try context.parameters.require($0) }
        guard let source = context.personal.mapSource else { throw HTTPError(.notFound) }
        switch await tiles.picture(parts[0], parts[1], parts[2], of: source) {
        case .file(let bytes, let type):
            return Response(
                status: .ok, headers: [.contentType: type], body: .init(byteBuffer: .init(bytes: bytes)))
        case .absent: throw HTTPError(.notFound)
        case .unavailable: throw HTTPError(.serviceUnavailable)
        }
    }

    // A part kept for when there is no network: what the map shows, and nearer

    @Sendable private func keepRegion(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let sides = ["south", "west", "north", "east"].compactMap { Double(form[$0]) }
        let nowhere = HTTPError(.unprocessableContent, message: MapWords.noRegion)
        guard sides.count == 4, let zoom = Int(form["zoom"]), let source = context.personal.mapSource else {
            throw nowhere
        }
        let part = MapPart(south: sides[0], west: sides[1], north: sides[2], east: sides[3], zoom: zoom)
        switch await tiles.keep(part, of: source) {
        case .noSource: throw nowhere
        case .tooLarge(let most):
            throw HTTPError(.unprocessableContent, message: MapWords.regionTooLarge(most: most))
        case nil: break
        }
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/settings/map")
    }

    @Sendable private func progress(_ request: Request, _ context: WebContext) async throws -> Response {
        plainText(await tiles.progress?.words ?? "")
    }

    @Sendable private func stop(_ request: Request, _ context: WebContext) async throws -> Response {
        await tiles.stopKeeping()
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/settings/map")
    }

    // Where tiles come from

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let named = MapSource(
            template: form["template"].filter { !$0.isWhitespace }, attribution: form["attribution"],
            maxZoom: Int(form["zoom"]) ?? -1)
        if !named.template.isEmpty, let problem = tiles.problem(with: named) {
            return try await page(named, problem.sentence, request, context)
        }
        var changed = context.personal
        changed.mapSource = named.template.isEmpty ? nil : named
        let account = try context.requireAccount().publicKey
        do { try await settings.keep(changed, of: account) } catch { throw Trouble(error) }
        return redirect(to: "/settings/map?saved=1")
    }

    @Sendable private func clear(_ request: Request, _ context: WebContext) async throws -> Response {
        do { try await tiles.clear() } catch { throw Trouble(MapWords.notCleared, canRetry: true) }
        return redirect(to: "/settings/map?cleared=1")
    }

    private func page(
        _ source: MapSource?, _ problem: String?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let query = request.uri.queryParameters
        let view = MapSettings(
            source: source, problem: problem, size: await tiles.size, hasLeaflet: tiles.leaflet != nil,
            progress: await tiles.progress, isSaved: query["saved"] != nil, isCleared: query["cleared"] != nil)
        return try await pages.page(
            title: "Maps", at: .settings, mapSettingsView(view, try context.requireSession().formToken),
            request: request, context: context, status: problem == nil ? .ok : .unprocessableContent)
    }
}

extension MapProgress {
    /// How far it has come, in words.
    var words: String { MapWords.progress(done: done, ready: ready, count: count, isBroken: isBroken) }
    /// Whether it goes on.
    var isGoingOn: Bool { !isBroken && done < count }
}

extension MapSourceProblem {
    /// What a person can do about it.
    var sentence: String {
        switch self {
        case .notSecure: MapWords.notSecure
        case .missing(let mark): MapWords.missing(mark)
        case .unknownMark: MapWords.unknownMark
        case .notAnAddress: MapWords.notAnAddress
        case .tooLong: MapWords.tooLong
        case .badZoom: MapWords.badZoom
        }
    }
}

internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Tiles for maps, Leaflet to draw them, and the page where a person names where they come from.
func addMaps(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let tiles = house.tiles else { return }
    router.get("/map/leaflet/:file") { _, context in
        guard let folder = tiles.leaflet, let type = leafletFiles[try context.parameters.require("file")],
            let bytes = FileManager.default.contents(atPath: folder + "/" + (try context.parameters.require("file")))
        else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "private, max-age=86400"],
            body: .init(byteBuffer: .init(bytes: bytes)))
    }
    router.get("/map/tiles/:z/:x/:y") { _, context in
        let parts = try ["z", "x", "y"].map { try context.parameters.require($0) }
        guard let source = context.settings.mapSource else { throw HTTPError(.notFound) }
        switch await tiles.picture(parts[0], parts[1], parts[2], of: source) {
        case .file(let bytes, let type):
            return Response(
                status: .ok, headers: [.contentType: type], body: .init(byteBuffer: .init(bytes: bytes)))
        case .absent: throw HTTPError(.notFound)
        case .unavailable: throw HTTPError(.serviceUnavailable)
        }
    }
    addRegions(to: router, tiles, house)
    addMapSettings(to: router, tiles, house)
}

private let leafletFiles = [
    "leaflet.js": "text/javascript; charset=utf-8", "leaflet.css": "text/css; charset=utf-8",
]

/// A region is kept for when there is no network: what the map shows, and nearer.
private func addRegions(to router: some RouterMethods<WebContext>, _ tiles: any MapPictures, _ house: House) {
    router.post("/map/region") { request, context in
        let form = context.form
        let sides = ["south", "west", "north", "east"].compactMap { Double(form[$0]) }
        let nowhere = HTTPError(.unprocessableContent, message: "The page did not say which part of the map.")
        guard sides.count == 4, let zoom = Int(form["zoom"]), let source = context.settings.mapSource else {
            throw nowhere
        }
        let part = MapPart(south: sides[0], west: sides[1], north: sides[2], east: sides[3], zoom: zoom)
        switch await tiles.keep(part, of: source) {
        case .noSource: throw nowhere
        case .tooLarge(let most):
            throw HTTPError(
                .unprocessableContent,
                message: "That are more than \(most) pictures: zoom in, and keep a smaller part.")
        case nil: break
        }
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/settings/map")
    }
    router.get("/map/region") { _, _ in
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: .init(string: words(await tiles.progress))))
    }
    router.post("/map/region/stop") { request, _ in
        await tiles.stopKeeping()
        return isFragment(request) ? Response(status: .noContent) : redirect(to: "/settings/map")
    }
}

private func words(_ progress: MapProgress?) -> String {
    guard let progress else { return "" }
    if progress.isBroken {
        return "The source refused or cannot be reached: \(progress.ready) of \(progress.count) are here."
    }
    return progress.done < progress.count
        ? "\(progress.done) of \(progress.count) …" : "All \(progress.count) are here for when there is no network."
}

private func addMapSettings(to router: some RouterMethods<WebContext>, _ tiles: any MapPictures, _ house: House) {
    router.get("/settings/map") { request, context in
        try await mapSettings(context.settings.mapSource, nil, request, context, tiles, house)
    }
    router.post("/settings/map") { request, context in
        var settings = context.settings
        let form = context.form
        let named = MapSource(
            template: form["template"].filter { !$0.isWhitespace }, attribution: form["attribution"],
            maxZoom: Int(form["zoom"]) ?? -1)
        if !named.template.isEmpty, let problem = tiles.problem(with: named) {
            return try await mapSettings(named, problem.sentence, request, context, tiles, house)
        }
        settings.mapSource = named.template.isEmpty ? nil : named
        do { try await house.settings.keep(settings) } catch { throw Trouble(error) }
        return redirect(to: "/settings/map?saved=1")
    }
    router.post("/settings/map/clear") { _, _ in
        do { try await tiles.clear() } catch {
            throw Trouble("The kept pictures of maps could not be deleted.", canRetry: true)
        }
        return redirect(to: "/settings/map?cleared=1")
    }
}

private func mapSettings(
    _ source: MapSource?, _ problem: String?, _ request: Request, _ context: WebContext, _ tiles: any MapPictures,
    _ house: House
) async throws -> Response {
    let progress = await tiles.progress
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "template": source?.template ?? "",
        "attribution": source?.attribution ?? "", "zoom": source?.maxZoom ?? 19, "hasProblem": problem != nil,
        "problem": problem ?? "", "size": kilobytes(await tiles.size), "hasLeaflet": tiles.leaflet != nil,
        "isSaved": request.uri.queryParameters["saved"] != nil,
        "isCleared": request.uri.queryParameters["cleared"] != nil, "hasProgress": progress != nil,
        "progress": words(progress), "isFetching": progress.map { !$0.isBroken && $0.done < $0.count } ?? false,
    ]
    return try await house.page(
        title: "Maps", at: .settings, house.templates.render("settings-map", values), request: request,
        context: context, status: problem == nil ? .ok : .unprocessableContent)
}

private func kilobytes(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\((bytes + 1023) / 1024) kB" : "\(bytes >> 20) MB"
}

extension MapSourceProblem {
    /// What a person can do about it.
    var sentence: String {
        switch self {
        case .notSecure: "The address must begin with https:// unless it is of this very machine."
        case .missing(let mark): "The address must hold \(mark) exactly once, behind the name of the server."
        case .unknownMark: "In braces, an address can only hold {z}, {x}, {y} and {s}."
        case .notAnAddress: "That is no address of tiles; it looks like https://tiles.example/{z}/{x}/{y}.png."
        case .tooLong: "That is longer than 500 letters."
        case .badZoom: "The nearest zoom is a number from 0 to 22."
        }
    }
}

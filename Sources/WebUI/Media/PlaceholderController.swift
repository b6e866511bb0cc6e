internal import HTTPTypes
internal import Hummingbird
internal import NostrNIPs
internal import ViewModels

/// What stands in the place of a picture until it is loaded, drawn from the code its author gave.
///
/// It has an address of its own since no page may load what stands in the page itself.
struct PlaceholderController {
    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/placeholder", use: draw)
    }

    @Sendable private func draw(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = request.query
        let placeholder: MediaItem.Placeholder = form.has("thumb") ? .thumb(form["thumb"]) : .blur(form["blur"])
        guard let image = placeholder.image else { throw HTTPError(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/png", .xContentTypeOptions: "nosniff",
                // The same code is always the same picture.
                .cacheControl: "private, max-age=604800, immutable",
            ],
            body: .init(byteBuffer: .init(bytes: image.png)))
    }
}

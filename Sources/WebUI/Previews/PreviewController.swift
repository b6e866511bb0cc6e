internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Previews of links, for a script to put in place while somebody looks.
struct PreviewController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/previews", use: preview)
    }

    /// Answers scripts of these pages alone: no other page may have this machine ask a site.
    @Sendable private func preview(_ request: Request, _ context: WebContext) async throws -> Response {
        guard isFragment(request) else { throw HTTPError(.notFound) }
        guard let style = PreviewStyle(context) else { return Response(status: .noContent) }
        let query = request.query
        guard let item = await PreviewItem.load(query["url"], from: style.source) else {
            return Response(status: .noContent)
        }
        let (notes, showsPictures) = (pages.noteStyle(context), query["pictures"] == "1")
        return previewCard(item, notes, loadsPicture: { showsPictures && notes.loadsSomewhere($0) }).response()
    }
}

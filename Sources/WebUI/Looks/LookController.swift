internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The style sheets of looks, which say nothing of who chose them: pages before a login have them too.
struct LookController {
    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/theme.css", use: sheet)
    }

    @Sendable private func sheet(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let name = query["look"].map(String.init), let look = Look(sheetName: name) else {
            throw HTTPError(.notFound)
        }
        // A page that was open while Linnet was renewed asks for the sheet of before: what it gets is not kept.
        let isCurrent = query["v"].map(String.init) == LookSheet.edition
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/css; charset=utf-8",
                .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-store",
            ], body: .init(byteBuffer: .init(string: LookSheet(look).text)))
    }
}

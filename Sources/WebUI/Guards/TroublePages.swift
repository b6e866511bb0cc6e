internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ViewModels

/// Turns a failure into a page a person can read.
struct TroublePages: RouterMiddleware {
    typealias Context = WebContext
    let house: House

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            return page(error.status, error.body ?? sentence(for: error.status), request, context)
        } catch let trouble as Trouble {
            return page(trouble.isMissing ? .notFound : .badGateway, trouble.sentence, request, context)
        } catch {
            house.logger.error("page failed", metadata: ["error": "\(type(of: error))"])
            return page(.internalServerError, Trouble(error).sentence, request, context)
        }
    }

    private func page(
        _ status: HTTPResponse.Status, _ sentence: String, _ request: Request, _ context: WebContext
    ) -> Response {
        if isFragment(request) || isSubmission(request) {
            return Response(
                status: status, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(byteBuffer: .init(string: sentence)))
        }
        let body = house.templates.render(
            "trouble", ["sentence": sentence, "isMissing": status == .notFound, "back": "/"])
        var context = context
        context.session = nil
        return house.bare(title: status == .notFound ? "Not found" : "Trouble", body, context, status: status)
    }

    private func sentence(for status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "There is nothing at this address."
        case .unauthorized: "Open Linnet with a login link first."
        case .contentTooLarge: "That is more than Linnet takes at once."
        default: "That did not work (\(status.code))."
        }
    }
}

internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ViewModels

/// Turns a failure into a page a person can read.
struct TroublePages: RouterMiddleware {
    typealias Context = WebContext
    let pages: PageRenderer
    let logger: Logger

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is BrokenOff {
            return plainText("", status: .badRequest)
        } catch let error as HTTPError {
            return page(error.status, error.body ?? sentence(for: error.status), request, context)
        } catch let trouble as Trouble {
            return page(trouble.isMissing ? .notFound : .badGateway, trouble.sentence, request, context)
        } catch {
            logger.error("page failed", metadata: ["error": "\(type(of: error))"])
            return page(.internalServerError, Trouble(error).sentence, request, context)
        }
    }

    private func page(
        _ status: HTTPResponse.Status, _ sentence: String, _ request: Request, _ context: WebContext
    ) -> Response {
        if isFragment(request) || isSubmission(request) {
            return plainText(sentence, status: status)
        }
        var context = context
        context.session = nil
        let view = troubleView(sentence, isMissing: status == .notFound)
        return pages.bare(
            title: status == .notFound ? "Not found" : "Trouble", view, context, status: status)
    }

    private func sentence(for status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: TroubleWords.nothingHere
        case .unauthorized: TroubleWords.notLoggedIn
        case .contentTooLarge: TroubleWords.tooMuch
        default: TroubleWords.failed(status.code)
        }
    }
}

/// The body of a page that says what went wrong.
private func troubleView(_ sentence: String, isMissing: Bool) -> HTML {
    """
    <section class="sheet narrow trouble">\(bird())<h1>\(if: isMissing, "Nothing here", else: "That did not work")</h1><p>\(sentence)</p><p class="sheet-end"><a class="button" href="/">Home</a></p></section>
    """
}

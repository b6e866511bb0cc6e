internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Keeps the page open that can ask a browser's extension (NIP-07) for the signature its own form waits for.
///
/// A browser that sends a form leaves the page, and with it goes the way to the extension. So the page's script sends
/// the form, stays, and is told where to go on. A form that comes without the script, as while it still loads, is not
/// worked on: the answer is a page that sends it once more in that way.
struct ExtensionForms: RouterMiddleware {
    typealias Context = WebContext
    let elsewhere: (any SigningElsewhere)?
    let pages: PageRenderer

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post, !isFragment(request), !isSubmission(request),
            !request.uri.path.hasPrefix("/nip07/"), let account = context.session?.account,
            let standing = await elsewhere?.standing(of: account.publicKey), standing.isInBrowser
        else { return try await next(request, context) }
        return again(request, account, context)
    }

    private func again(_ request: Request, _ account: any Account, _ context: WebContext) -> Response {
        var response = pages.bare(
            title: "Asking your extension",
            askingView(action: request.head.path ?? request.uri.path, context.form), context, script: "again.js",
            account: account.publicKey)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

/// The body of the page that sends a form once more, by its script.
private func askingView(action: String, _ form: Form) -> HTML {
    """
    <section class="sheet narrow" aria-labelledby="again-title"><h1 id="again-title">Asking your extension</h1>
    <p id="again-words" role="status">Your browser's extension is asked. It may want you to approve something.</p>
    <noscript><p class="problem">Only a script of this page can ask the extension, and this browser runs none.</p></noscript>
    <form method="post" action="\(Path(ours: action) ?? "/")" data-again>\(each: form.all, {
        "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
    })<p class="sheet-end"><button class="button" hidden>Try again</button><a class="button quiet" href="/home">Leave it</a></p></form></section>
    """
}

/// Whether a page's script sent a form in place of its browser.
func isSubmission(_ request: Request) -> Bool {
    HTTPField.Name("X-Linnet-Submit").map { request.headers[$0] != nil } ?? false
}

/// Tells a script that sent a form where to go on: where the answer leads, or to the answer itself.
struct SubmissionAnswers: RouterMiddleware {
    typealias Context = WebContext

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let answer = try await next(request, context)
        guard request.method == .post, isSubmission(request), let browser = context.session?.browser else {
            return answer
        }
        let place: String
        if answer.status.kind == .redirection, let location = answer.headers[.location] {
            place = location
        } else {
            place = "/nip07/outcome/" + browser.leave(answer)
        }
        var headers = answer.headers
        for name in [HTTPField.Name.location, .contentLength, .contentDisposition] { headers[name] = nil }
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: .init(bytes: try JSONEncoder().encode(["go": place]))))
    }
}

internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ServiceLifecycle
internal import ViewModels

/// What pages ask about a signer elsewhere while they are open, and what they do for one in this very browser (NIP-07).
struct SigningElsewhereController {
    let elsewhere: any SigningElsewhere

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer-strip") {
            signerStrip(await elsewhere.standing(of: try $1.requireAccount().publicKey)).response()
        }
        router.get("/nip07/outcome/:word", use: outcome)
        router.get("/nip07/requests", use: requests)
        router.post("/nip07/leave", use: leave)
        router.post("/nip07/answer", use: answer)
    }

    @Sendable private func outcome(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        guard var answer = try context.requireSession().browser.outcome(word) else { return redirect(to: "/home") }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    @Sendable private func requests(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requireAccount().publicKey
        let page = String((request.uri.queryParameters["page"] ?? "").prefix(64))
        guard isFragment(request), !page.isEmpty else { throw HTTPError(.badRequest) }
        let requests = await cancelWhenGracefulShutdown { await elsewhere.browserRequests(of: key, page: page) }
        let lines = requests.map { BrowserLine(id: $0.id, method: $0.method, params: $0.parameters) }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: try JSONEncoder().encode(lines))))
    }

    @Sendable private func leave(_ request: Request, _ context: WebContext) async throws -> Response {
        await elsewhere.browserLeft(String(context.form["page"].prefix(64)), of: try context.requireAccount().publicKey)
        return Response(status: .noContent)
    }

    @Sendable private func answer(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        // In Base64, because a form changes the ends of lines.
        guard let data = Data(base64Encoded: form["text"]), let text = String(validating: data, as: UTF8.self) else {
            throw HTTPError(.badRequest)
        }
        let reply: BrowserReply =
            switch form["outcome"] {
            case "result": .result(text)
            case "cannot": .cannot
            default: .failure(text)
            }
        await elsewhere.browserAnswer(form["id"], reply, of: try context.requireAccount().publicKey)
        return Response(status: .noContent)
    }
}

/// A request as the page's script reads it.
private struct BrowserLine: Encodable {
    let id: String
    let method: String
    let params: [String]
}

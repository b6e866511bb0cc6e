internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import ServiceLifecycle
internal import ViewModels

/// What pages ask about a signer elsewhere while they are open, and what they do for one in this very browser (NIP-07).
func addSigningElsewhere(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let elsewhere = house.elsewhere else { return }
    router.get("/signer-strip") { _, context in
        let desk = try context.requireDesk()
        return house.fragment(signerStrip(await elsewhere.standing(of: desk.own)))
    }
    router.get("/nip07/outcome/:word") { _, context in
        let word = try context.parameters.require("word")
        guard var answer = try context.requireSession().browser.outcome(word) else { return redirect(to: "/home") }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
    router.get("/nip07/requests") { request, context in
        let key = try context.requireDesk().own
        let page = String((request.uri.queryParameters["page"] ?? "").prefix(64))
        guard isFragment(request), !page.isEmpty else { throw HTTPError(.badRequest) }
        let requests = await cancelWhenGracefulShutdown { await elsewhere.browserRequests(of: key, page: page) }
        let lines = requests.map { BrowserLine(id: $0.id, method: $0.method, params: $0.parameters) }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: try JSONEncoder().encode(lines))))
    }
    router.post("/nip07/leave") { _, context in
        await elsewhere.browserLeft(String(context.form["page"].prefix(64)), of: try context.requireDesk().own)
        return Response(status: .noContent)
    }
    router.post("/nip07/answer") { _, context in
        let key = try context.requireDesk().own
        let form = context.form
        // In Base64, because a form changes the ends of lines.
        guard let data = Data(base64Encoded: form["text"]), let text = String(validating: data, as: UTF8.self) else {
            throw HTTPError(.badRequest)
        }
        let answer: BrowserReply =
            switch form["outcome"] {
            case "result": .result(text)
            case "cannot": .cannot
            default: .failure(text)
            }
        await elsewhere.browserAnswer(form["id"], answer, of: key)
        return Response(status: .noContent)
    }
}

/// A request as the page's script reads it.
private struct BrowserLine: Encodable {
    let id: String
    let method: String
    let params: [String]
}

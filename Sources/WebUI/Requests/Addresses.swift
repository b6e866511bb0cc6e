internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

extension WebContext {
    /// The note an address names: hex, `note1…` or `nevent1…`, and relays that may have it.
    func requireNote() throws -> (id: EventID, hints: [RelayURL]) {
        let text = try parameters.require("id")
        // What does not decode is tried the other way, and then is nothing.
        if let id = try? EventID(hex: text) { return (id, []) }
        switch try? NostrEntity(text) {
        case .note(let id): return (id, [])
        case .nevent(let pointer): return (pointer.id, pointer.relays)
        default: throw HTTPError(.notFound, message: TroubleWords.noNote)
        }
    }

    /// The article an address names: `naddr1…`.
    func requireArticle() throws -> (code: String, pointer: AddressPointer) {
        let code = try parameters.require("code")
        // What does not decode is no article.
        guard case .naddr(let pointer) = try? NostrEntity(code),
            [Article.kind, Article.draftKind].contains(pointer.address.kind)
        else { throw HTTPError(.notFound, message: ArticleWords.noArticle) }
        return (code, pointer)
    }

    /// The person an address names: hex, `npub1…` or `nprofile1…`; an ending `.svg` is dropped.
    func requirePerson() throws -> PublicKey {
        var text = try parameters.require("key")
        if text.hasSuffix(".svg") { text = String(text.dropLast(4)) }
        // What does not decode is tried the other way, and then is nobody.
        if let key = try? PublicKey(hex: text) { return key }
        switch try? NostrEntity(text) {
        case .npub(let key): return key
        case .nprofile(let pointer): return pointer.key
        default: throw HTTPError(.notFound, message: TroubleWords.noPerson)
        }
    }

    /// Where a form wants to go back to, when that is an address of this program.
    func back(else fallback: Path) -> Path { Path(ours: form["back"]) ?? fallback }
}

extension Request {
    /// The fields of the query, decoded.
    var query: Form { Form(encoded: uri.query ?? "") }

    /// Where in a timeline the address points.
    var timelineMark: TimelineCursor? {
        uri.queryParameters["before"].flatMap { TimelineCursor(mark: String($0)) }
    }
}

/// Sends the browser on with GET (post, redirect, get).
func redirect(to path: Path) -> Response {
    Response(status: .seeOther, headers: [.location: path.text])
}

/// A plain text, for scripts and programs.
func plainText(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(byteBuffer: .init(string: text)))
}

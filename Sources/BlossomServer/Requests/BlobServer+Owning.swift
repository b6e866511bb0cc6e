internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs

extension BlobServer {
    /// Deletes a blob for its owner; others who brought it keep it.
    ///
    /// Source: BUD-12.
    func delete(_ hash: BlobHash, _ request: Request) async throws -> Response {
        let token = try token(of: request, for: .delete, blob: hash)
        switch try await store.delete(hash, of: token.author) {
        case .deleted: return BlossomAnswers.empty(.noContent)
        case .notKept: throw BlossomRefusal(.notFound, "There is no such blob here.")
        case .notOwned: throw BlossomRefusal(.forbidden, "You did not bring this blob, so you cannot delete it.")
        }
    }

    /// Lists somebody's blobs, the newest first.
    ///
    /// Source: BUD-12.
    func list(of owner: PublicKey, _ request: Request) async throws -> Response {
        if !settings.hasOpenLists {
            let token = try token(of: request, for: .list, mustNameBlob: false)
            guard token.author == owner else {
                throw BlossomRefusal(.forbidden, "What somebody brought here is listed for themselves only.")
            }
        }
        let wish = try ListWish(request.uri.query ?? "", longest: settings.listLength)
        let blobs = try await store.records.list(
            of: owner, after: wish.cursor, since: wish.since, until: wish.until, limit: wish.limit)
        guard let blobs else { throw BlossomRefusal(.badRequest, "The cursor is no blob of theirs.") }
        return BlossomAnswers.json(.array(blobs.map { descriptor($0, for: request).value }))
    }
}

/// Which part of a list is wanted.
struct ListWish: Equatable {
    private(set) var cursor: BlobHash?
    private(set) var since: Timestamp?
    private(set) var until: Timestamp?
    private(set) var limit: Int

    /// Reads a query; names it does not know mean nothing.
    ///
    /// - Parameter longest: what a larger limit, or none, is lowered to.
    init(_ query: String, longest: Int) throws(BlossomRefusal) {
        limit = longest
        for part in query.split(separator: "&") {
            guard let mark = part.firstIndex(of: "=") else { continue }
            let value = String(part[part.index(after: mark)...])
            switch part[..<mark] {
            case "cursor":
                guard let hash = BlobHash(hex: value) else {
                    throw BlossomRefusal(.badRequest, "The cursor is no SHA-256.")
                }
                cursor = hash
            case "limit": limit = Int(min(try Self.number(value, "limit"), Int64(longest)))
            case "since": since = Timestamp(seconds: try Self.number(value, "since"))
            case "until": until = Timestamp(seconds: try Self.number(value, "until"))
            default: break
            }
        }
    }

    private static func number(_ text: String, _ name: String) throws(BlossomRefusal) -> Int64 {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw BlossomRefusal(.badRequest, "The value of \(name) is no number.")
        }
        return number
    }
}

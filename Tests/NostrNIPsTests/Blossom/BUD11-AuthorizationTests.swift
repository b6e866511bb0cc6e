import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("BUD-11 authorization")
struct BlobAuthorizationTests {
    static let now = Timestamp(seconds: 1_700_000_000)
    static let blob = BlobHash(of: Array("picture".utf8))
    static let other = BlobHash(of: Array("another".utf8))
    static let names: Set<String> = ["cdn.example.com", "localhost"]
    static let expiry: Tag = ["expiration", "1700000300"]

    private func header(_ tags: [Tag], kind: Kind = 24_242, at seconds: Int64 = now.seconds) -> String {
        BlobAuthorization.header(TestPerson.alice.event("Upload picture", kind: kind, tags: tags, at: seconds))
    }

    private func refusal(
        _ header: String, _ action: BlobAuthorization.Action = .upload, blob: BlobHash? = blob,
        mustNameBlob: Bool = true
    ) -> BlobAuthorization.Refusal? {
        do throws(BlobAuthorization.Refusal) {
            let token = try BlobAuthorization(header: header, now: Self.now)
            try token.permits(action, at: Self.names, blob: blob, mustNameBlob: mustNameBlob)
            return nil
        } catch {
            return error
        }
    }

    @Test("a token that Linnet drafts permits what it says, to its author")
    func drafted() throws {
        let draft = BlobAuthorization.draft(
            .upload, blobs: [Self.blob], servers: ["CDN.example.com"], words: "Upload picture", createdAt: Self.now,
            expiration: Self.now + .seconds(300))
        #expect(draft.content == "Upload picture" && draft.kind == BlobAuthorization.kind)
        #expect(
            draft.tags == [
                ["t", "upload"], ["expiration", "1700000300"], ["x", Self.blob.hex], ["server", "cdn.example.com"],
            ])
        let text = header(draft.tags)
        #expect(!text.contains("=") && !text.contains("+") && !text.dropFirst(6).contains("/"))
        #expect(refusal(text) == nil)
        #expect(try BlobAuthorization(header: text, now: Self.now).author == TestPerson.alice.publicKey)
    }

    @Test("a token that Linnet drafts is the same text in both kinds of Base64, however long it is")
    func bothKinds() throws {
        for length in 0..<3 {
            let words = "Upload picture" + String(repeating: "s", count: length)
            let draft = BlobAuthorization.draft(
                .upload, blobs: [Self.blob], servers: ["cdn.example.com"], words: words, createdAt: Self.now,
                expiration: Self.now + .seconds(300))
            let event = TestPerson.alice.event(words, kind: draft.kind, tags: draft.tags, at: Self.now.seconds)
            let text = BlobAuthorization.header(event).dropFirst(6)
            let bytes = try #require(Base64.decode(String(text)), "\(length)")
            let claimed = try UnverifiedEvent(json: bytes)
            #expect(claimed.id == event.id && bytes.count % 3 == 0)
            #expect(refusal("Nostr \(text)") == nil)
        }
    }

    @Test(
        "a token counts only for its action, its servers, its blobs and its time",
        arguments: [
            ([["t", "upload"], expiry, ["x", blob.hex]], nil),
            ([["t", "upload"], ["t", "delete"], expiry, ["x", blob.hex]], nil),
            ([["t", "upload"], expiry, ["x", other.hex], ["x", blob.hex]], nil),
            (
                [["t", "upload"], expiry, ["x", blob.hex], ["server", "other.example"], ["server", "localhost"]], nil
            ),
            ([["t", "upload"], expiry, ["x", blob.hex], ["server", "https://CDN.example.com:8443/path"]], nil),
            ([["t", "delete"], expiry, ["x", blob.hex]], .wrongAction),
            ([["t", "Upload"], expiry, ["x", blob.hex]], .wrongAction),
            ([expiry, ["x", blob.hex]], .wrongAction),
            ([["t"], expiry, ["x", blob.hex]], .wrongAction),
            ([["t", "upload"], expiry], .otherBlob),
            ([["t", "upload"], expiry, ["x", other.hex]], .otherBlob),
            ([["t", "upload"], expiry, ["x", blob.hex.uppercased()]], .otherBlob),
            ([["t", "upload"], expiry, ["x"]], .otherBlob),
            ([["t", "upload"], expiry, ["x", blob.hex], ["server", "evil.example"]], .otherServer),
            ([["t", "upload"], expiry, ["x", blob.hex], ["server", "cdn.example.com.evil.example"]], .otherServer),
            (
                [["t", "upload"], expiry, ["x", blob.hex], ["server", "https://evil.example/cdn.example.com"]],
                .otherServer
            ),
            ([["t", "upload"], expiry, ["x", blob.hex], ["server"]], .otherServer),
            ([["t", "upload"], ["x", blob.hex]], .noExpiration),
            ([["t", "upload"], ["expiration", "soon"], ["x", blob.hex]], .noExpiration),
            (
                [["t", "upload"], ["expiration", "1700000000"], ["x", blob.hex]],
                .expired(Timestamp(seconds: 1_700_000_000))
            ),
        ] as [([Tag], BlobAuthorization.Refusal?)])
    func checks(tags: [Tag], why: BlobAuthorization.Refusal?) {
        #expect(refusal(header(tags)) == why)
    }

    @Test("kind and date count, and a blob is asked for only where one must be named")
    func kindAndDate() {
        let tags: [Tag] = [["t", "upload"], Self.expiry, ["x", Self.blob.hex]]
        #expect(refusal(header(tags, kind: 27_235)) == .wrongKind(27_235))
        #expect(refusal(header(tags, at: Self.now.seconds + 60)) == nil)
        #expect(refusal(header(tags, at: Self.now.seconds + 61)) == .notYet(Self.now + .seconds(61)))
        #expect(refusal(header(tags, at: 1)) == nil)
        let list: [Tag] = [["t", "list"], Self.expiry]
        #expect(refusal(header(list), .list, blob: nil, mustNameBlob: false) == nil)
        #expect(refusal(header(tags), blob: nil) == nil)
        #expect(refusal(header(list), .list, blob: Self.blob, mustNameBlob: false) == nil)
    }

    @Test("both kinds of Base64 are read; a header changed in any way is refused, and none traps")
    func hostile() {
        let good = header([["t", "upload"], Self.expiry, ["x", Self.blob.hex]])
        let event = TestPerson.alice.event(
            "Upload picture", kind: 24_242, tags: [["t", "upload"], Self.expiry, ["x", Self.blob.hex]])
        #expect(refusal("nostr  " + Base64.encode(event.json.span)) == nil)
        for bad in ["", "Nostr", "Nostr ", "Bearer " + good.dropFirst(6), good + " x", "Nostr ____", "Nostr e30"] {
            #expect(refusal(bad) == .malformed)
        }
        #expect(refusal("Nostr " + String(repeating: "A", count: 20_000)) == .malformed)
        var random = SeededRandom(seed: 24_242)
        for _ in 0..<500 {
            var bytes = Array(good.utf8)
            bytes[Int.random(in: 6..<bytes.count, using: &random)] = UInt8.random(in: 33...126, using: &random)
            let text = String(decoding: bytes, as: UTF8.self)
            // A blank after the event may become another.
            let read = (Base64URL.decode(String(text.dropFirst(6))) ?? []).prefix(event.json.count)
            if text != good, Array(read) != event.json {
                #expect(refusal(text) != nil)
            }
        }
    }
}

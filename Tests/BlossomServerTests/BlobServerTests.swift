import AsyncHTTPClient
import BlossomServer
import Foundation
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@Suite("a media server", .serialized, .timeLimit(.minutes(10)))
struct BlobServerTests {
    private let content = bytes(700_000)
    private var hash: BlobHash { BlobHash(of: content) }

    @Test("a blob that is brought comes back as it was, described as BUD-02 and BUD-08 say")
    func roundTrip() async throws {
        try await ServedBlobs.with { blobs in
            let first = try await blobs.bring(content)
            #expect(first.status == 201)
            let descriptor = try #require(first.descriptor)
            #expect(descriptor.hash == hash && descriptor.size == content.count && descriptor.type == "image/png")
            #expect(descriptor.url == "http://127.0.0.1:\(blobs.port)/\(hash.hex).png")
            #expect(descriptor.uploaded == blobs.moment.now)
            #expect(descriptor.tags == descriptor.fieldTags)
            let again = try await blobs.bring(content, by: .bob)
            #expect(again.status == 200 && again.descriptor == descriptor)
            for path in ["/\(hash.hex)", "/\(hash.hex).png", "/\(hash.hex).pdf"] {
                let got = try await blobs.send(.GET, path)
                #expect(got.status == 200 && got.body == content && got.header("content-type") == "image/png")
                let head = try await blobs.send(.HEAD, path)
                #expect(head.status == 200 && head.body.isEmpty)
                for name in ["content-type", "content-length", "etag", "accept-ranges", "cache-control"] {
                    #expect(head.header(name) == got.header(name) && head.header(name) != nil)
                }
            }
        }
    }

    @Test("a blob may be kept for ever by who got it, runs nothing, and is not sent again to who has it")
    func headers() async throws {
        try await ServedBlobs.with { blobs in
            let page = Array("<script>alert(1)</script>".utf8)
            _ = try await blobs.bring(page, type: "text/html")
            let hash = BlobHash(of: page)
            let got = try await blobs.send(.GET, "/\(hash.hex)")
            #expect(got.header("content-type") == "text/html; charset=utf-8")
            #expect(got.header("x-content-type-options") == "nosniff")
            #expect(got.header("content-security-policy")?.hasPrefix("sandbox; default-src 'none'") == true)
            #expect(got.header("cache-control") == "public, max-age=31536000, immutable")
            for tag in ["\"\(hash.hex)\"", "\"x\", W/\"\(hash.hex)\"", "*"] {
                let same = try await blobs.send(.GET, "/\(hash.hex)", [("If-None-Match", tag)])
                #expect(same.status == 304 && same.body.isEmpty)
            }
            let other = try await blobs.send(.GET, "/\(hash.hex)", [("If-None-Match", "\"x\"")])
            #expect(other.status == 200)
        }
    }

    @Test("parts of a blob are given as asked")
    func ranges() async throws {
        try await ServedBlobs.with { blobs in
            _ = try await blobs.bring(content)
            let tag = "\"\(hash.hex)\""
            let cases: [([(String, String)], Int, Range<Int>)] = [
                ([("Range", "bytes=0-0")], 206, 0..<1), ([("Range", "bytes=262143-262145")], 206, 262_143..<262_146),
                ([("Range", "bytes=-5")], 206, 699_995..<700_000),
                ([("Range", "bytes=600000-")], 206, 600_000..<700_000),
                ([("Range", "bytes=1-2"), ("If-Range", tag)], 206, 1..<3),
                ([("Range", "bytes=1-2"), ("If-Range", "\"other\"")], 200, 0..<700_000),
                ([("Range", "bytes=0-1,3-4")], 200, 0..<700_000),
            ]
            for (headers, status, range) in cases {
                let got = try await blobs.send(.GET, "/\(hash.hex)", headers)
                #expect(got.status == status && got.body == Array(content[range]))
                let named = "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000"
                #expect(got.header("content-range") == (status == 206 ? named : nil))
            }
            for header in ["bytes=700000-", "bytes=-0", "bytes=9-3", "bytes=x"] {
                let got = try await blobs.send(.GET, "/\(hash.hex)", [("Range", header)])
                #expect(got.status == 416 && got.header("content-range") == "bytes */700000" && !got.reason.isEmpty)
            }
            let head = try await blobs.send(.HEAD, "/\(hash.hex)", [("Range", "bytes=0-0")])
            #expect(head.status == 200 && head.header("content-length") == "700000")
        }
    }

    @Test("every answer can be read by pages of any site, and every refusal says why")
    func openness() async throws {
        try await ServedBlobs.with { blobs in
            let preflight = try await blobs.send(.OPTIONS, "/upload", [("Origin", "https://elsewhere.example")])
            #expect(preflight.status == 204 && preflight.header("access-control-allow-headers") == "Authorization, *")
            #expect(preflight.header("access-control-allow-methods") == "GET, HEAD, PUT, DELETE")
            #expect(preflight.header("access-control-max-age") == "86400")
            let key = TestPerson.alice.publicKey.hex
            let cases: [(HTTPMethod, String, Int)] = [
                (.GET, "/", 200), (.HEAD, "/", 200), (.GET, "/\(hash.hex)", 404), (.HEAD, "/\(hash.hex)", 404),
                (.GET, "/\(hash.hex.uppercased())", 400), (.GET, "/\(hash.hex).", 400), (.GET, "/nothing", 404),
                (.PUT, "/\(hash.hex)", 405), (.GET, "/upload", 405), (.PUT, "/upload", 401), (.HEAD, "/upload", 400),
                (.PUT, "/media", 404), (.HEAD, "/media", 404), (.PUT, "/mirror", 404), (.GET, "/list/\(key)", 401),
                (.GET, "/list/x", 400), (.DELETE, "/\(hash.hex)", 401), (.DELETE, "/", 405), (.PUT, "/report", 404),
            ]
            for (method, path, status) in cases {
                let got = try await blobs.send(method, path)
                #expect(got.status == status, "\(path)")
                #expect(got.header("access-control-allow-origin") == "*")
                #expect(got.reason.isEmpty == (status == 200), "\(path)")
                #expect((got.header("allow") != nil) == (status == 405))
                #expect((got.header("www-authenticate") == "Nostr") == (status == 401))
            }
        }
    }

    @Test(
        "nothing is taken without a token that permits just this",
        arguments: [
            "none", "expired", "other action", "other server", "other blob", "no blob", "future", "forged", "stranger",
        ])
    func tokens(wrong: String) async throws {
        let mayBring: BlobServer.Admission = { $0 != TestPerson.eve.publicKey }
        try await ServedBlobs.with(mayBring: mayBring) { blobs in
            let good = blobs.token(.upload, [hash])
            var headers = [("X-SHA-256", hash.hex), ("Content-Type", "image/png")]
            switch wrong {
            case "expired": headers.append(blobs.token(.upload, [hash], lasts: 0))
            case "other action": headers.append(blobs.token(.delete, [hash]))
            case "other server": headers.append(blobs.token(.upload, [hash], servers: ["other.example"]))
            case "other blob": headers.append(blobs.token(.upload, [BlobHash(of: [1])]))
            case "no blob": headers.append(blobs.token(.upload))
            case "future":
                headers.append(good)
                blobs.moment.move(to: Timestamp(seconds: blobs.moment.now.seconds - 3600))
            case "forged": headers.append((good.0, String(good.1.dropLast(40)) + String(repeating: "A", count: 40)))
            case "stranger": headers.append(blobs.token(.upload, [hash], by: .eve))
            default: break
            }
            let got = try await blobs.send(.PUT, "/upload", headers, body: .bytes(ByteBuffer(bytes: content)))
            #expect(got.status == (wrong == "stranger" ? 403 : 401) && !got.reason.isEmpty)
            await blobs.folder.settles(at: 0)
        }
    }

    @Test("the name of what came must be the name that was said and signed")
    func wrongHash() async throws {
        try await ServedBlobs.with { blobs in
            let other = BlobHash(of: [1])
            let body = HTTPClientRequest.Body.bytes(ByteBuffer(bytes: content))
            let said = try await blobs.send(
                .PUT, "/upload", [blobs.token(.upload, [other]), ("X-SHA-256", other.hex)], body: body)
            #expect(said.status == 409)
            let signed = try await blobs.send(.PUT, "/upload", [blobs.token(.upload, [other])], body: body)
            #expect(signed.status == 401)
            let malformed = try await blobs.send(
                .PUT, "/upload", [blobs.token(.upload, [hash]), ("X-SHA-256", hash.hex.uppercased())], body: body)
            #expect(malformed.status == 400)
            await blobs.folder.settles(at: 0)
            // The header is the client's choice: the token alone names the blob.
            let right = try await blobs.send(.PUT, "/upload", [blobs.token(.upload, [other, hash])], body: body)
            #expect(right.status == 201 && right.descriptor?.type == BlobDescriptor.unknownType)
            #expect(right.descriptor?.url.hasSuffix(".bin") == true)
        }
    }

    @Test("size, type and quota are bounded, whether they are said before or found out")
    func bounds() async throws {
        let bounded: (inout BlobSettings) -> Void = { settings in
            settings.blobSize = 700_000
            settings.quota = 1_000_000
            settings.types = ["image/*"]
        }
        try await ServedBlobs.with(bounded) { blobs in
            let large = bytes(700_001)
            #expect(try await blobs.bring(large).status == 413)
            let (stream, chunks) = AsyncStream.makeStream(of: ByteBuffer.self)
            for start in stride(from: 0, to: large.count, by: 100_000) {
                chunks.yield(ByteBuffer(bytes: large[start..<min(start + 100_000, large.count)]))
            }
            chunks.finish()
            let unsaid = try await blobs.send(
                .PUT, "/upload", [blobs.token(.upload, [BlobHash(of: large)]), ("Content-Type", "image/png")],
                body: .stream(stream, length: .unknown))
            #expect(unsaid.status == 413)
            #expect(try await blobs.bring(content, type: "video/mp4").status == 415)
            // No type was said, and the bytes tell none.
            #expect(try await blobs.bring(content, type: nil).status == 415)
            await blobs.folder.settles(at: 0)
            #expect(try await blobs.bring(content).status == 201)
            #expect(try await blobs.bring(content).status == 200)
            let second = bytes(400_000, seed: 2)
            let over = try await blobs.bring(second)
            #expect(over.status == 429 && !over.reason.isEmpty)
            #expect(try await blobs.bring(second, by: .bob).status == 201)
            let gif = Array("GIF89a".utf8) + bytes(10)
            let told = try await blobs.bring(gif, type: nil)
            #expect(told.status == 201 && told.descriptor?.type == "image/gif")
        }
    }

    @Test("before it is sent, a blob is judged as it would be")
    func judged() async throws {
        let bounded: (inout BlobSettings) -> Void = { settings in
            settings.blobSize = 1000
            settings.quota = 1500
            settings.types = ["image/*"]
        }
        let mayBring: BlobServer.Admission = { $0 != TestPerson.eve.publicKey }
        try await ServedBlobs.with(bounded, mayBring: mayBring) { blobs in
            _ = try await blobs.bring(bytes(900))
            let (good, eve) = (blobs.token(.upload, [hash]), blobs.token(.upload, [hash], by: .eve))
            let (name, type) = (("X-SHA-256", hash.hex), ("X-Content-Type", "image/png"))
            func length(_ text: String) -> (String, String) { ("X-Content-Length", text) }
            let cases: [([(String, String)], Int)] = [
                ([good, name, type, length("600")], 200), ([good, name, length("600")], 200),
                ([good, type, length("600")], 400), ([good, ("X-SHA-256", "x"), length("600")], 400),
                ([good, name, type], 411), ([good, name, length("many")], 400), ([good, name, length("-1")], 400),
                ([name, type, length("600")], 401), ([eve, name, type, length("600")], 403),
                ([good, name, type, length("1001")], 413),
                ([good, name, ("X-Content-Type", "text/html"), length("6")], 415),
                ([good, name, type, length("601")], 429),
            ]
            for (headers, status) in cases {
                let got = try await blobs.send(.HEAD, "/upload", headers)
                #expect(got.status == status && got.body.isEmpty && got.reason.isEmpty == (status == 200))
            }
        }
    }

    @Test("an upload that breaks off, or says another length, leaves nothing")
    func halfUpload() async throws {
        try await ServedBlobs.with { blobs in
            let token = blobs.token(.upload, [hash])
            let head = "PUT /upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(token.1)\r\n"
            _ = try await blobs.raw(
                head + "Content-Length: 700000\r\n\r\n" + String(repeating: "x", count: 5000),
                hangUpAfter: { await blobs.folder.settles(at: 1) })
            // The server notices a moment after the client has gone.
            await blobs.folder.settles(at: 0)
            #expect(try await blobs.send(.HEAD, "/\(hash.hex)").status == 404)
            #expect(try await blobs.bring(content).status == 201)
        }
    }

    @Test("one that stands still ends with 408")
    func stillUpload() async throws {
        var pace = TransferPace.Limits()
        pace.window = .milliseconds(50)
        try await ServedBlobs.with(pace: pace) { blobs in
            let token = blobs.token(.upload, [hash])
            let answer = try await blobs.raw(
                "PUT /upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(token.1)\r\nContent-Length: 700000\r\n\r\nab"
            )
            #expect(
                answer.hasPrefix("HTTP/1.1 408") && answer.lowercased().contains("x-reason: the blob came too slowly."))
            await blobs.folder.settles(at: 0)
        }
    }

    @Test("paths that reach for files find nothing")
    func paths() async throws {
        try await ServedBlobs.with { blobs in
            try Data("secret".utf8).write(to: URL(filePath: "\(blobs.folder.path)/secret"))
            for path in [
                "/../secret", "/secret", "/%2e%2e/secret", "//secret", "/incoming/", "/ab/cd/" + hash.hex, "/./secret",
                "http://localhost/secret", "/\(hash.hex)/../secret", "/..%2fsecret", "*",
            ] {
                let answer = try await blobs.raw(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 404") || answer.hasPrefix("HTTP/1.1 400"), "\(path)")
                #expect(!answer.contains("secret\n") && !answer.hasSuffix("secret"))
            }
        }
    }

    @Test("a blob goes when the last who brought it deletes it; strangers cannot")
    func deletion() async throws {
        try await ServedBlobs.with { blobs in
            _ = try await blobs.bring(content)
            _ = try await blobs.bring(content, by: .bob)
            func delete(_ person: TestPerson) async throws -> Int {
                try await blobs.send(.DELETE, "/\(hash.hex)", [blobs.token(.delete, [hash], by: person)]).status
            }
            #expect(try await delete(.carol) == 403)
            let wrong = try await blobs.send(.DELETE, "/\(hash.hex)", [blobs.token(.delete, [BlobHash(of: [1])])])
            #expect(wrong.status == 401)
            let unnamed = try await blobs.send(.DELETE, "/\(hash.hex)", [blobs.token(.delete)])
            #expect(unnamed.status == 401)
            #expect(try await delete(.alice) == 204)
            #expect(try await blobs.send(.GET, "/\(hash.hex)").status == 200)
            #expect(try await delete(.bob) == 204)
            #expect(try await blobs.send(.GET, "/\(hash.hex)").status == 404)
            #expect(try await delete(.bob) == 404)
            await blobs.folder.settles(at: 0)
        }
    }

    @Test("somebody's blobs are listed for themselves, the newest first, page by page", arguments: [false, true])
    func lists(areOpen: Bool) async throws {
        try await ServedBlobs.with({ $0.hasOpenLists = areOpen }) { blobs in
            for number in 1...3 {
                blobs.moment.move(to: Timestamp(seconds: 1_700_000_000 + Int64(number)))
                _ = try await blobs.bring([UInt8(number)])
            }
            let path = "/list/\(TestPerson.alice.publicKey.hex)"
            func list(_ query: String) async throws -> [BlobHash] {
                let got = try await blobs.send(.GET, path + query, areOpen ? [] : [blobs.token(.list)])
                #expect(got.status == 200)
                return try JSONValue(got.body).elements.compactMap { BlobDescriptor(json: $0.json)?.hash }
            }
            let newest = [3, 2, 1].map { BlobHash(of: [UInt8($0)]) }
            #expect(try await list("") == newest)
            #expect(try await list("?limit=1") == [newest[0]])
            #expect(try await list("?cursor=\(newest[0].hex)&limit=1") == [newest[1]])
            #expect(try await list("?since=1700000002&until=1700000002") == [newest[1]])
            let token = blobs.token(.list)
            for query in ["?cursor=x", "?limit=-1", "?limit=x", "?since=", "?cursor=\(hash.hex)"] {
                #expect(try await blobs.send(.GET, path + query, [token]).status == 400)
            }
            let strange = try await blobs.send(.GET, path, [blobs.token(.list, by: .bob)])
            #expect(strange.status == (areOpen ? 200 : 403))
            let others = try await blobs.send(
                .GET, "/list/\(TestPerson.bob.publicKey.hex)", [blobs.token(.list, by: .bob)])
            #expect(others.text == "[]")
        }
    }

    @Test("one person brings so many at once and no more, and others still may")
    func places() async throws {
        try await ServedBlobs.with({ $0.uploadsOfOne = 1 }) { blobs in
            let (stream, chunks) = AsyncStream.makeStream(of: ByteBuffer.self)
            chunks.yield(ByteBuffer(bytes: [1]))
            let token = blobs.token(.upload, [BlobHash(of: [1, 2])])
            async let slow = blobs.send(.PUT, "/upload", [token], body: .stream(stream, length: .known(Int64(2))))
            await blobs.folder.settles(at: 1)
            let second = try await blobs.bring(content)
            #expect(second.status == 429 && second.header("retry-after") == "10")
            #expect(try await blobs.bring(content, by: .bob).status == 201)
            chunks.yield(ByteBuffer(bytes: [2]))
            chunks.finish()
            let finished = try await slow
            #expect(finished.status == 201)
            #expect(try await blobs.bring(content).status == 200)
        }
    }

    @Test("what was kept is there after a restart, and what is damaged is said to be gone")
    func restart() async throws {
        let (folder, records) = (try TemporaryFolder(), MemoryRecordStore())
        try await ServedBlobs.with(in: folder, records: records) { _ = try await $0.bring(content) }
        try await ServedBlobs.with(in: folder, records: records) { blobs in
            #expect(try await blobs.send(.GET, "/\(hash.hex)").body == content)
            let file = try #require(folder.files.first)
            try Data([1]).write(to: URL(filePath: "\(folder.path)/\(file)"))
            let got = try await blobs.send(.GET, "/\(hash.hex)")
            #expect(got.status == 404 && got.reason.contains("damaged"))
            #expect(try await blobs.bring(content).status == 200)
            #expect(try await blobs.send(.GET, "/\(hash.hex)").body == content)
        }
    }

    @Test("the server's own document says what it takes")
    func document() async throws {
        try await ServedBlobs.with({ $0.quota = 5 }) { blobs in
            let got = try await blobs.send(.GET, "/")
            let document = try JSONValue(got.body)
            #expect(document["limits"]?["blob_bytes"]?.integer == 104_857_600)
            #expect(document["limits"]?["bytes_per_person"]?.integer == 5)
            #expect(document["limits"]?["uploads_by"]?.string == "everybody")
            // Nothing is copied from others here, so BUD-04 is not among them.
            #expect(document["buds"]?.elements.compactMap(\.integer) == [1, 2, 6, 8, 11, 12])
        }
    }
}

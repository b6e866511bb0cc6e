import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-46 requests and responses")
struct RemoteMessageTests {
    @Test("a request is written and read again")
    func requestRoundTrip() throws {
        let request = RemoteRequest(id: "a\"1", .nip44Encrypt, [TestPerson.bob.publicKey.hex, "line\n\u{1F33B}\"\\"])
        #expect(try RemoteRequest(json: Array(request.json.utf8)) == request)
        #expect(request.method == .nip44Encrypt)
        #expect(RemoteRequest(id: "1", .ping).json == #"{"id":"1","method":"ping","params":[]}"#)
    }

    @Test(
        "parameters that are no strings are taken as the JSON they are",
        arguments: [
            (
                #"{"id":"1","method":"x","params":[{"kind":1,"content":"a"},null,5,true,[]]}"#,
                [#"{"kind":1,"content":"a"}"#, "", "5", "true", "[]"]
            ),
            (#"{"id":7,"method":"x"}"#, []), (#"{"id":"1","method":"x","params":null}"#, []),
            (#"{"id":"1","method":"x","params":"text"}"#, []), (#" {"method":"x","id":"1","params":["a"]} "#, ["a"]),
        ])
    func parameters(json: String, expected: [String]) throws {
        #expect(try RemoteRequest(json: Array(json.utf8)).parameters == expected)
    }

    @Test(
        "names what is wrong with a request",
        arguments: [
            ("", RemoteMessageError.notAnObject), ("[]", .notAnObject), ("{", .notAnObject), (#""x""#, .notAnObject),
            (#"{"method":"ping"}"#, .noID), (#"{"id":"","method":"ping"}"#, .noID),
            (#"{"id":null,"method":"x"}"#, .noID),
            (#"{"id":{},"method":"ping"}"#, .noID),
            (#"{"id":"\#(String(repeating: "x", count: 257))","method":"ping"}"#, .noID),
            (#"{"id":"1"}"#, .noMethod(id: "1")), (#"{"id":"1","method":""}"#, .noMethod(id: "1")),
            (#"{"id":"1","method":5}"#, .noMethod(id: "1")),
            (#"{"id":"1","method":"\#(String(repeating: "x", count: 65))"}"#, .noMethod(id: "1")),
            (#"{"id":"1","method":"x","params":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7]}"#, .tooManyParameters(id: "1")),
            (String(repeating: "[", count: 100_000), .notAnObject),
        ])
    func refused(json: String, why: RemoteMessageError) {
        #expect(throws: why) { try RemoteRequest(json: Array(json.utf8)) }
    }

    @Test("a method nobody knows is kept by its name")
    func unknown() throws {
        let request = try RemoteRequest(json: Array(#"{"id":"1","method":"nip44v3_encrypt","params":[]}"#.utf8))
        #expect(request.method == nil)
        #expect(request.name == "nip44v3_encrypt")
    }

    @Test(
        "asking to be let in puts each parameter at its place",
        arguments: [
            (nil, [], ClientMetadata(), 1), ("s", [], ClientMetadata(), 2),
            (nil, [RemotePermission(.ping)], ClientMetadata(), 3),
            (nil, [], ClientMetadata(name: "x"), 4),
            ("s", [RemotePermission(.signEvent, kind: 4)], ClientMetadata(), 3),
        ] as [(String?, [RemotePermission], ClientMetadata, Int)])
    func connect(secret: String?, permissions: [RemotePermission], metadata: ClientMetadata, count: Int) {
        let request = RemoteRequest.connect(
            id: "1", to: TestPerson.bob.publicKey, secret: secret, permissions: permissions, metadata: metadata)
        #expect(request.parameters.count == count)
        #expect(request.parameters.first == TestPerson.bob.publicKey.hex)
        #expect(request.parameter(1) == secret)
        #expect(RemotePermission.list(request.parameter(2) ?? "") == permissions)
        #expect(ClientMetadata(json: request.parameter(3) ?? "") == metadata)
    }

    @Test("a response always carries a result")
    func responseAlwaysHasResult() throws {
        #expect(RemoteResponse(id: "1", error: "no").json == #"{"id":"1","result":null,"error":"no"}"#)
        #expect(RemoteResponse(id: "1", result: "pong").json == #"{"id":"1","result":"pong","error":null}"#)
        let response = RemoteResponse(id: "1", result: "a\n\"b", error: nil)
        #expect(try RemoteResponse(json: Array(response.json.utf8)) == response)
    }

    @Test(
        "reads the responses that signers write",
        arguments: [
            (#"{"id":"1","result":"x","error":""}"#, "x", nil), (#"{"id":"1","result":"x","error":null}"#, "x", nil),
            (#"{"id":1,"result":null}"#, "", nil),
            (#"{"id":"1","result":["wss://r.example"]}"#, #"["wss://r.example"]"#, nil),
            (#"{"id":"1","error":"no"}"#, "", "no"), (#"{"id":"1","error":{"code":1,"message":"no"}}"#, "", "no"),
            (#"{"id":"1","result":"x","error":false}"#, "x", nil), (#"{"id":"1","error":true}"#, "", "true"),
        ] as [(String, String, String?)])
    func tolerant(json: String, result: String, error: String?) throws {
        let response = try RemoteResponse(json: Array(json.utf8))
        #expect(response.id == "1")
        #expect(response.result == result)
        #expect(response.error == error)
    }

    @Test(
        "a challenge leads only to a page that a browser may be sent to",
        arguments: [
            ("https://b.example/auth?x=1", true), ("http://127.0.0.1:4869/a", true), ("HTTPS://B.example", true),
            ("javascript:alert(1)", false), ("data:text/html,x", false), ("https://", false), ("nostrsigner:x", false),
            ("https://b.example/\u{202E}x", false), ("https://b.example/a b", false), ("", false),
            ("https://b.example/" + String(repeating: "x", count: 2000), false),
        ])
    func challenge(page: String, isFit: Bool) throws {
        let response = RemoteResponse.challenge(id: "1", page: page)
        #expect(response.challengePage == (isFit ? page : nil))
        let read = try RemoteResponse(json: Array(response.json.utf8))
        #expect(read.challengePage == response.challengePage)
        #expect(read.isChallenge == !page.isEmpty)
    }

    @Test("the result of switch_relays is a list or nothing")
    func relays() throws {
        let two = [try RelayURL("wss://a.example"), try RelayURL("wss://b.example")]
        #expect(RemoteSigning.relays(result: RemoteSigning.result(relays: two)) == two)
        #expect(RemoteSigning.result(relays: nil) == "null")
        for nothing in ["", "null", "[]", "{}", #"["nonsense",5]"#, #""wss://a.example""#, "[[["] {
            #expect(RemoteSigning.relays(result: nothing) == nil)
        }
        #expect(RemoteSigning.relays(result: #"["x","wss://a.example","wss://a.example/"]"#) == [two[0]])
    }

    @Test(
        "permissions are read one by one",
        arguments: [
            ("sign_event:1", "sign_event:1"), ("nip44_encrypt , sign_event", "nip44_encrypt,sign_event"),
            ("ping,ping,,what,sign_event:", "ping"), ("sign_event:65536,sign_event:+1,sign_event:-1,sign_event:1x", ""),
            ("nip44_decrypt:4,sign_event:04", "sign_event:4"), ("", ""),
        ])
    func permissions(text: String, expected: String) {
        #expect(RemotePermission.text(RemotePermission.list(text)) == expected)
    }

    @Test("claims are one visible line of bounded length")
    func claims() {
        #expect(ClientMetadata(name: " a\u{0}b\nc\u{202E}d \u{200B}").name == "abcd")
        #expect(ClientMetadata(name: "\u{2066}\n \u{7}", url: "", image: " ").isEmpty)
        #expect(ClientMetadata(name: String(repeating: "x", count: 300)).name?.count == ClientMetadata.longestName)
        let accents = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect((ClientMetadata(name: accents).name?.unicodeScalars.count ?? 0) <= ClientMetadata.longestName)
        #expect(ClientMetadata(url: "https://x.example/" + String(repeating: "x", count: 1000)).url == nil)
        #expect(ClientMetadata(name: "\u{1F468}\u{200D}\u{1F469}").name == "\u{1F468}\u{200D}\u{1F469}")
        #expect(ClientMetadata(json: #"{"name":5,"url":"u","image":null}"#) == ClientMetadata(url: "u"))
        #expect(ClientMetadata(json: "nonsense").isEmpty)
    }

    @Test("only the first p tag says to whom, and the form of a payload how it is encrypted")
    func addressing() {
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        func event(_ tags: [Tag], kind: Kind = RemoteSigning.kind) -> Event {
            TestPerson.carol.event(kind: kind, tags: tags)
        }
        #expect(RemoteSigning.isAddressed(event([Tag(["p", alice.hex])]), to: alice))
        #expect(!RemoteSigning.isAddressed(event([Tag(["p", bob.hex]), Tag(["p", alice.hex])]), to: alice))
        #expect(!RemoteSigning.isAddressed(event([Tag(["p", alice.hex])], kind: 4), to: alice))
        #expect(!RemoteSigning.isAddressed(event([]), to: alice))
        #expect(RemoteSigning.isLegacy("abc?iv=def=="))
        #expect(!RemoteSigning.isLegacy("AgAB/+=="))
    }

    @Test("never traps on noise")
    func noise() {
        let request = #"{"id":"1","method":"sign_event","params":["{\"kind\":1}",5,null,{"name":"a"}]}"#
        Noise.run(Array(request.utf8), rounds: 20_000) { bytes in
            // Most is no request; only that reading returns matters then.
            guard let read = try? RemoteRequest(json: bytes) else { return }
            #expect((try? RemoteRequest(json: Array(read.json.utf8))) == read)
            _ = (read.method, read.parameter(0), read.parameters.map(ClientMetadata.init(json:)))
        }
        let response = #"{"id":"1","result":"auth_url","error":"https://x.example/a","x":[1,{"message":"n"}]}"#
        Noise.run(Array(response.utf8), rounds: 20_000) { bytes in
            guard let read = try? RemoteResponse(json: bytes) else { return }
            #expect((try? RemoteResponse(json: Array(read.json.utf8))) == read)
            _ = (read.challengePage, RemoteSigning.relays(result: read.result))
        }
        Noise.run(Array(#"["wss://a.example","wss://b.example"]"#.utf8), rounds: 5_000) { bytes in
            _ = RemoteSigning.relays(result: String(decoding: bytes, as: UTF8.self))
        }
        Noise.run(Array("sign_event:1,nip44_encrypt,ping".utf8), rounds: 5_000) { bytes in
            let list = RemotePermission.list(String(decoding: bytes, as: UTF8.self))
            #expect(RemotePermission.list(RemotePermission.text(list)) == list)
        }
    }
}

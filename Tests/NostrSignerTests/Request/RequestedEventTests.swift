import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("The event an app wants signed")
struct RequestedEventTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    @Test("needs a kind and a content; tags and moment have defaults, key and signature are passed over")
    func reads() throws {
        let bare = try #require(EventDraft(asked: #"{"kind":1,"content":"hi"}"#, now: now))
        #expect(bare == EventDraft(kind: 1, content: "hi", createdAt: now))
        let full = #"{"id":"x","pubkey":"ff","sig":7,"kind":30023,"content":"","tags":[["d","a"],[]],"created_at":5}"#
        #expect(
            EventDraft(asked: full, now: now)
                == EventDraft(kind: 30_023, tags: [["d", "a"], []], createdAt: Timestamp(seconds: 5)))
        #expect(EventDraft(asked: #"{"kind":1.0,"content":"","tags":null,"created_at":null}"#, now: now)?.kind == 1)
    }

    @Test(
        "is refused when it can be read in two ways, or not at all",
        arguments: [
            "", "null", "[]", "1", "{", #"{"content":""}"#, #"{"kind":1}"#, #"{"kind":"1","content":""}"#,
            #"{"kind":-1,"content":""}"#, #"{"kind":65536,"content":""}"#, #"{"kind":1.5,"content":""}"#,
            #"{"kind":1,"kind":3,"content":""}"#, #"{"kind":1,"content":7}"#, #"{"kind":1,"content":"","tags":[1]}"#,
            #"{"kind":1,"content":"","tags":[[1]]}"#, #"{"kind":1,"content":"","tags":{}}"#,
            #"{"kind":1,"content":"","created_at":"5"}"#, #"{"kind":1,"content":"","created_at":-5}"#,
        ])
    func refuses(text: String) {
        #expect(EventDraft(asked: text, now: now) == nil)
    }

    @Test("never traps on noise")
    func noise() {
        var random = SeededRandom(seed: 4)
        let valid = Array(#"{"kind":1,"content":"hi","tags":[["p","x"]],"created_at":1700000000}"#.utf8)
        for _ in 0..<2000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = EventDraft(asked: String(decoding: bytes, as: UTF8.self), now: now)
        }
    }
}

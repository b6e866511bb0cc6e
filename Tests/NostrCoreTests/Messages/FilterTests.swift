import NostrCore
import NostrTesting
import Testing

@Suite("filters")
struct FilterTests {
    private let event = TestPerson.alice.event(
        "hi", kind: 1, tags: [["e", "x"], ["E", "y"], ["t", "é"], ["p"], []], at: 100)

    @Test("match when every condition holds")
    func match() {
        let filters = [
            Filter(), Filter(ids: [event.id]), Filter(authors: [event.pubkey, TestPerson.bob.publicKey]),
            Filter(kinds: [0, 1]), Filter(tags: ["e": ["x", "z"], "E": ["y"]]), Filter(tags: ["t": ["é"]]),
            Filter(since: Timestamp(seconds: 100), until: Timestamp(seconds: 100)), Filter(limit: 0, search: "no"),
        ]
        for filter in filters { #expect(filter.matches(event)) }
    }

    @Test("do not match when one condition does not hold")
    func noMatch() {
        let filters = [
            Filter(ids: []), Filter(ids: [TestPerson.bob.event().id]), Filter(authors: [TestPerson.bob.publicKey]),
            Filter(authors: []), Filter(kinds: [2]), Filter(kinds: []), Filter(tags: ["e": ["y"]]),
            Filter(tags: ["E": ["x"]]), Filter(tags: ["e": ["x"], "E": ["x"]]), Filter(tags: ["e": []]),
            Filter(tags: ["p": [""]]), Filter(since: Timestamp(seconds: 101)), Filter(until: Timestamp(seconds: 99)),
            // Another sequence of bytes for the same letter is another value.
            Filter(tags: ["t": ["e\u{301}"]]),
        ]
        for filter in filters { #expect(!filter.matches(event)) }
    }

    @Test("keep an empty list apart from a missing one")
    func emptyList() throws {
        #expect(try Filter(json: Array(#"{"ids":[]}"#.utf8)) == Filter(ids: []))
        #expect(try Filter(json: Array("{}".utf8)) == Filter())
        #expect(Filter(ids: []).json == Array(#"{"ids":[]}"#.utf8))
    }

    @Test("skip keys nobody knows")
    func unknown() throws {
        #expect(try Filter(json: Array(#"{"x":{"y":[1,null]},"limit":3}"#.utf8)) == Filter(limit: 3))
    }

    @Test("have one JSON, whatever the order of their values")
    func deterministic() throws {
        let keys = TestPerson.allCases.map(\.publicKey)
        let filter = Filter(authors: Set(keys), kinds: [3, 1, 2], tags: ["b": ["2", "1"], "a": [], "B": ["x"]])
        let same = Filter(
            authors: Set(keys.reversed()), kinds: [2, 3, 1], tags: ["B": ["x"], "a": [], "b": ["1", "2"]])
        #expect(filter.json == same.json)
        let authors = keys.map { "\"\($0.hex)\"" }.sorted().joined(separator: ",")
        #expect(
            String(decoding: filter.json, as: UTF8.self)
                == ##"{"authors":[\##(authors)],"kinds":[1,2,3],"#B":["x"],"#a":[],"#b":["1","2"]}"##)
        #expect(Filter(since: Timestamp(seconds: -5), limit: -1).json == Array(#"{"since":0,"limit":0}"#.utf8))
    }
}

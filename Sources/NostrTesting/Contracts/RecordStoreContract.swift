public import NostrStore

/// What every ``/NostrStore/RecordStore`` promises.
public enum RecordStoreContract {
    /// One promise.
    public typealias Rule = ContractRule<any RecordStore>

    /// All promises.
    public static let rules: [Rule] = [
        Rule("gives back what was put last, and nothing after it is removed") { store, _ in
            try demand(try await store.value("k", in: "t"), nil)
            try await store.put([1, 0, 255], for: "k", in: "t")
            try await store.put([], for: "empty", in: "t")
            try demand(try await store.value("k", in: "t"), [1, 0, 255])
            try demand(try await store.value("empty", in: "t"), [])
            try await store.put([2], for: "k", in: "t")
            try demand(try await store.value("k", in: "t"), [2])
            try demand(try await store.value("k", in: "other"), nil)
            try await store.remove("k", in: "t")
            try await store.remove("k", in: "t")
            try demand(try await store.value("k", in: "t"), nil)
        },
        Rule("lists a prefix in the order of the keys' bytes") { store, _ in
            for key in ["b", "a/2", "a/10", "a", "a/ä", "a/\u{10FFFF}", "a0"] {
                try await store.put(Array(key.utf8), for: key, in: "t")
            }
            try await store.put([0], for: "a/3", in: "other")
            let keys = try await store.records(in: "t", prefix: "a/").map(\.key)
            try demand(keys, ["a/10", "a/2", "a/ä", "a/\u{10FFFF}"])
            try demand(try await store.records(in: "t").first, Record(key: "a", value: Array("a".utf8)))
            try demand(try await store.records(in: "t").count, 7)
            try demand(try await store.records(in: "none"), [])
        },
        Rule("gives several values at once, and walks a prefix a stretch at a time") { store, _ in
            for key in ["a", "a/1", "a/10", "a/2", "a/ä", "b"] {
                try await store.put(Array(key.utf8), for: key, in: "t")
            }
            try demand(
                try await store.values(of: ["b", "none", "a/2", "b"], in: "t"),
                [Array("b".utf8), nil, Array("a/2".utf8), Array("b".utf8)])
            try demand(try await store.values(of: [], in: "t"), [])
            func keys(_ prefix: String, after key: String?, _ limit: Int) async throws -> [String] {
                try await store.records(in: "t", prefix: prefix, after: key, limit: limit).map(\.key)
            }
            try demand(try await keys("a/", after: nil, 2), ["a/1", "a/10"])
            try demand(try await keys("a/", after: "a/10", 2), ["a/2", "a/ä"])
            try demand(try await keys("a/", after: "a/15", 1), ["a/2"])
            try demand(try await keys("a/", after: "a/ä", 2), [])
            try demand(try await keys("a/", after: "a", 9), ["a/1", "a/10", "a/2", "a/ä"])
            try demand(try await keys("", after: "a/ä", 9), ["b"])
        },
        Rule("takes keys that only look alike for different ones") { store, _ in
            try await store.put([1], for: "\u{E9}", in: "t")
            try await store.put([2], for: "e\u{301}", in: "t")
            try demand(try await store.records(in: "t").map(\.value), [[2], [1]])
        },
        Rule("makes the changes of a batch in order") { store, _ in
            try await store.apply([
                .put(table: "t", key: "a/1", value: [1]), .put(table: "t", key: "b", value: [2]),
                .put(table: "u", key: "a/1", value: [3]), .removeAll(table: "t", prefix: "a/"),
                .put(table: "t", key: "a/2", value: [4]), .remove(table: "t", key: "b"),
            ])
            try demand(try await store.records(in: "t"), [Record(key: "a/2", value: [4])])
            try demand(try await store.records(in: "u").count, 1)
            try await store.apply([.removeAll(table: "u", prefix: "")])
            try demand(try await store.records(in: "u"), [])
        },
    ]
}

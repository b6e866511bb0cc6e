import Foundation
import NostrCore
import NostrStore
import SQLiteStorage

/// The program itself from a file to checked and to durable events, then what a home asks of the store that made:
/// five times `--events`, so a million, in one file.
let storing = Area(name: "storing") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "events.jsonl")
    let few = folder.appending(path: "few.jsonl")
    let authors = try StoreCorpus(events: setting.events * 5, seed: setting.seed).write(to: file, firstPart: few)

    let rates =
        try Program.rates("linnet-verify", ["verify", few.path], what: "a file to a verdict")
        + Program.rates(
            "linnet-import", ["import", file.path, "--data", folder.path], what: "a file to durable events")
    let store = try SQLiteEventStore(
        path: folder.appending(path: "events.sqlite").path, now: { Timestamp(seconds: 1_800_000_000) })
    return try await rates + homeQueries(store, authors: authors, seed: setting.seed)
}

/// Pages of a home feed of 300 people at any moment, each with its counts and profiles, and what else screens ask.
private func homeQueries(
    _ store: SQLiteEventStore, authors: [PublicKey], seed: UInt64
) async throws -> [Measurement] {
    var random = Draws(state: seed)
    let times = StoreCorpus.times
    var home: [Duration] = []
    var notes: [Duration] = []
    var search: [Duration] = []
    var saves: [Duration] = []
    let clock = ContinuousClock()
    for round in 0..<500 {
        let people = Set((0..<300).map { _ in authors[Int.random(in: 0..<authors.count, using: &random)] })
        let until = round % 2 == 0 ? nil : Timestamp(seconds: Int64.random(in: times, using: &random))
        home.append(
            try await clock.measure {
                let page = try await store.query([
                    Filter(authors: people, kinds: [1, 6, 16, 30_023], until: until, limit: 100)
                ])
                let shown = page.prefix(30)
                _ = try await store.query([Filter(authors: Set(shown.map(\.pubkey)), kinds: [0])])
                _ = try await store.referenceCounts(to: Set(shown.map(\.id)), kinds: [1, 6, 7])
            })
        let author = authors[Int.random(in: 0..<authors.count, using: &random)]
        notes.append(
            try await clock.measure {
                _ = try await store.query([Filter(kinds: [1, 7], tags: ["p": [author.hex]], limit: 50)])
            })
        search.append(
            try await clock.measure { _ = try await store.query([Filter(limit: 50, search: "quietly sings")]) })
    }
    let key = SecretKey.generate(using: &random)
    for round in 0..<200 {
        let draft = EventDraft(kind: 1, content: "note \(round)", createdAt: Timestamp(seconds: times.upperBound))
        let event = Event(signing: draft, with: key, using: &random)
        saves.append(try await clock.measure { _ = try await store.save([event], from: nil) })
    }
    return percentiles("home", "a home page of 300 people: 100 notes, profiles, counts", home)
        + percentiles("mentions", "50 mentions of one person", notes)
        + percentiles("search", "50 notes with two common words", search)
        + percentiles("save-one", "one event, durable, alone", saves)
}

/// The program as it was built beside this one.
private enum Program {
    struct Unexpected: Error {}

    /// Runs a verb and reads from the JSON it prints how fast it was, by the clock and by processor time.
    static func rates(_ name: String, _ arguments: [String], what: String) throws -> [Measurement] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "linnet")
        process.arguments = arguments
        process.standardOutput = output
        let before = processorTimeOfChildren()
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let processorTime = processorTimeOfChildren() - before
        let numbers = try JSONDecoder().decode([String: Double].self, from: text)
        guard process.terminationStatus == 0, let seconds = numbers["seconds"],
            let count = numbers["events"] ?? numbers["read"]
        else { throw Unexpected() }
        return [
            Measurement(name: name, value: count / seconds, unit: "events/s", what: "\(what), \(Int(count)) of them"),
            Measurement(name: "\(name)-cpu", value: count / processorTime, unit: "events/CPU s", what: what),
        ]
    }

    private static func processorTimeOfChildren() -> Double {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

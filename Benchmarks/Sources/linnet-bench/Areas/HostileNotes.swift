import Foundation
import NostrCore
import NostrNIPs

/// Notes that were written to be too much, as a browser gets them from `linnet serve`: each on its own page, and all of
/// them on the home page of somebody who follows their author.
let hostileNotes = Area(name: "hostile-notes") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let notes = HostileNotes(seed: setting.seed)
    let file = folder.appending(path: "events.jsonl")
    try Data(notes.all.flatMap { $0.json + [UInt8(ascii: "\n")] }).write(to: file)
    let data = folder.appending(path: "data")
    try importEvents(file, into: data)
    let program = try RunningProgram("serve", in: data, ["--indexer", "ws://127.0.0.1:9", "--log-level", "error"])
    defer { program.stop() }
    let browser = try Browser(link: program.said)
    try browser.read(as: notes.reader)
    var measurements: [Measurement] = []
    var largest = 0
    for (name, id) in notes.named.map({ ($0.name, "/note/\($0.event.id.hex)") }) + [("home", "/home")] {
        var times: [Duration] = []
        // The first makes the page's parts ready, as the first after a start does.
        var size = try browser.page(id).count
        let clock = ContinuousClock()
        for _ in 0..<100 { times.append(try clock.measure { size = max(size, try browser.page(id).count) }) }
        measurements += percentiles("hostile-\(name)", "the page of it, \(size / 1000) kB", times)
        largest = max(largest, size)
    }
    measurements.append(
        Measurement(
            name: "hostile-bytes", value: Double(largest) / 1000, unit: "kB", what: "the largest of these pages"))
    return measurements
}

/// Somebody's notes that are too much, and who follows them.
private struct HostileNotes {
    /// Each with the name of what is too much.
    private(set) var named: [(name: String, event: Event)] = []
    /// Whoever follows their author.
    let reader: PublicKey
    /// All there is to store.
    private(set) var all: [Event] = []

    init(seed: UInt64) {
        var random = Draws(state: seed &+ 11)
        let author = SecretKey.generate(using: &random)
        let follower = SecretKey.generate(using: &random)
        reader = follower.publicKey
        let now = Int64(Date().timeIntervalSince1970)
        func moment(_ place: Int64) -> Timestamp { Timestamp(seconds: now - 3600 + place) }
        let list = EventDraft(kind: 3, tags: [["p", author.publicKey.hex]], createdAt: moment(0))
        all.append(Event(signing: list, with: follower, using: &random))
        // Each quotes the one before it, and eight of those before that.
        var chain: [Event] = []
        for number in 0..<100 {
            let codes = chain.suffix(9).map { "nostr:" + Self.code(of: $0.id) }
            let text = "one more of \(number) " + codes.joined(separator: " ")
            let draft = EventDraft(kind: 1, content: text, createdAt: moment(Int64(number)))
            chain.append(Event(signing: draft, with: author, using: &random))
        }
        all += chain
        let codes = (0..<14_000).map { Self.code(of: chain[$0 % 100].id) }
        let tags = (0..<10_000).map { number in Tag(["q", chain[number % 100].id.hex, "wss://relay.example.com"]) }
        let texts: [(String, String, [Tag])] = [
            ("links", (0..<10_000).map { Self.link($0) }.joined(separator: " "), []),
            ("codes", codes.joined(separator: " "), []),
            ("tags", "all of it", tags),
            ("marks", String(repeating: "e\u{301}\u{302}\u{303} &<\"", count: 60_000), []),
            ("line", String(repeating: "x", count: 1_000_000), []),
        ]
        for (place, (name, text, tags)) in texts.enumerated() {
            let draft = EventDraft(kind: 1, tags: tags, content: text, createdAt: moment(Int64(200 + place)))
            named.append((name, Event(signing: draft, with: author, using: &random)))
        }
        all += named.map(\.event)
        if let last = chain.last { named.append(("quotes", last)) }
    }

    /// An address of a hundred bytes; ten thousand are a megabyte.
    private static func link(_ number: Int) -> String {
        "https://example.com/" + String(repeating: "path/", count: 14) + "\(number)"
    }

    private static func code(of id: EventID) -> String {
        // An id always has a code.
        (try? NostrEntity.note(id).encoded()) ?? ""
    }
}

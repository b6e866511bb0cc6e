import Foundation
import NostrCore

/// The home page as a browser gets it from `linnet serve`, to its last byte, for people who follow 100 to 10 000 others,
/// over a store of five times `--events`, so a million: while nothing comes, and while the newest month is gathered.
let homePages = Area(name: "home-pages") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stock = try Stock(in: folder, events: setting.events * 5, seed: setting.seed)
    return try pages(
        of: stock, gathering: false, in: stock.folder(holding: [stock.old, stock.new], named: "still"))
        + pages(of: stock, gathering: true, in: stock.folder(holding: [stock.old], named: "gathering"))
}

/// What the store and the relay hold, as files, and who reads.
private struct Stock {
    /// All but what was written last, which is in a file of its own.
    let old, new: URL
    /// People who follow so many of the authors; each follows all whom the one before follows.
    let readers: [(follows: Int, key: PublicKey)]
    private let folder: URL

    init(in folder: URL, events: Int, seed: UInt64) throws {
        self.folder = folder
        old = folder.appending(path: "old.jsonl")
        new = folder.appending(path: "new.jsonl")
        let now = Int64(Date().timeIntervalSince1970)
        var corpus = StoreCorpus(events: events, seed: seed)
        corpus.people = 12_000
        corpus.span = now - 365 * 86_400...now - 60
        let newest = folder.appending(path: "newest.jsonl")
        let authors = try corpus.write(to: folder.appending(path: "all.jsonl"), firstPart: newest)
        try FileManager.default.removeItem(at: newest)
        var random = Draws(state: seed &+ 1)
        let followed = authors.shuffled(using: &random)
        var lists: [Event] = []
        var readers: [(Int, PublicKey)] = []
        for count in [100, 1000, 3000, 10_000] {
            let key = SecretKey.generate(using: &random)
            let tags = followed.prefix(count).map { Tag(["p", $0.hex]) }
            let draft = EventDraft(kind: 3, tags: tags, createdAt: Timestamp(seconds: now - 3600))
            lists.append(Event(signing: draft, with: key, using: &random))
            readers.append((count, key.publicKey))
        }
        self.readers = readers
        try Self.part(folder.appending(path: "all.jsonl"), at: events - events / 12, into: old, and: new, with: lists)
    }

    /// The first lines into one file, with the follow lists, all others into another.
    private static func part(_ all: URL, at count: Int, into old: URL, and new: URL, with lists: [Event]) throws {
        let lines = try Data(contentsOf: all, options: .alwaysMapped)
        var (index, number) = (lines.startIndex, 0)
        while number < count, let end = lines[index...].firstIndex(of: UInt8(ascii: "\n")) {
            index = lines.index(after: end)
            number += 1
        }
        var first = Data(lines[..<index])
        for list in lists { first.append(contentsOf: list.json + [UInt8(ascii: "\n")]) }
        try first.write(to: old)
        try lines[index...].write(to: new)
        try FileManager.default.removeItem(at: all)
    }

    /// A data directory with the events of some files.
    func folder(holding files: [URL], named name: String) throws -> URL {
        let data = folder.appending(path: name)
        for file in files {
            let process = Process()
            process.executableURL = Bundle.main.bundleURL.appending(path: "linnet")
            process.arguments = ["import", file.path, "--data", data.path]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
        }
        return data
    }
}

/// Home of each reader in turn; where a relay is there, right after that account was opened, so while it gathers.
private func pages(of stock: Stock, gathering: Bool, in data: URL) throws -> [Measurement] {
    let relay =
        try gathering
        ? RunningProgram(
            "relay", in: stock.folder(holding: [stock.new], named: "relay"), ["--no-rate-limits"]) : nil
    defer { relay?.stop() }
    // Without a relay nobody listens there.
    let program = try RunningProgram(
        "serve", in: data, ["--indexer", relay?.said ?? "ws://127.0.0.1:9", "--log-level", "error"])
    defer { program.stop() }
    // The link is good for one login.
    let browser = try Browser(link: program.said)
    var measurements: [Measurement] = []
    for (follows, key) in stock.readers {
        try browser.read(as: key)
        var times: [Duration] = []
        var largest = 0
        let clock = ContinuousClock()
        // The first makes the page's parts ready, as the first after a start does.
        _ = try browser.page("/home")
        for _ in 0..<400 {
            times.append(try clock.measure { largest = max(largest, try browser.page("/home").count) })
        }
        let sorted = times.sorted()
        let name = "home-\(follows)" + (gathering ? "-gathering" : "")
        let what = "the page of one who follows \(follows), \(largest / 1000) kB"
        measurements += [("p50", sorted.count / 2), ("p99", sorted.count * 99 / 100)].map { label, index in
            Measurement(name: "\(name)-\(label)", value: sorted[index] / .milliseconds(1), unit: "ms", what: what)
        }
    }
    measurements.append(
        Measurement(
            name: gathering ? "serve-memory-gathering" : "serve-memory", value: program.memory, unit: "MB",
            what: "resident, four accounts open"))
    return measurements
}

/// Somebody who came in by the link that the program printed.
private struct Browser {
    struct Unexpected: Error {
        let path: String
        let answer: String
    }

    private let server: HTTPServer
    private let cookie: String

    init(link: String) throws {
        guard let url = URL(string: link), let port = url.port.flatMap({ UInt16(exactly: $0) }) else {
            throw Unexpected(path: link, answer: "")
        }
        server = HTTPServer(port: port)
        let answer = try server.answer("GET", url.path + "?" + (url.query ?? ""))
        guard answer.status == 303, let cookie = answer.header("set-cookie") else {
            throw Unexpected(path: url.path, answer: answer.head)
        }
        self.cookie = String(cookie.prefix { $0 != ";" })
    }

    /// Opens an account that only reads.
    func read(as key: PublicKey) throws {
        let welcome = String(decoding: try page("/welcome"), as: UTF8.self)
        guard let field = welcome.range(of: #"name="csrf" value=""#),
            let end = welcome[field.upperBound...].firstIndex(of: "\"")
        else { throw Unexpected(path: "/welcome", answer: "no token") }
        let form = "csrf=\(welcome[field.upperBound..<end])&public=\(key.hex)"
        let answer = try server.answer("POST", "/welcome/read", cookie: cookie, form: form)
        guard answer.status == 303 else { throw Unexpected(path: "/welcome/read", answer: answer.head) }
    }

    /// The bytes of a page.
    func page(_ path: String) throws -> [UInt8] {
        let answer = try server.answer("GET", path, cookie: cookie)
        guard answer.status == 200 else { throw Unexpected(path: path, answer: answer.head) }
        return answer.body
    }
}

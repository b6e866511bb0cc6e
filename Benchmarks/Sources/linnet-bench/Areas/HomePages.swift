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

/// The same over what people post today: pictures, films, polls, articles, reposts, reactions and payments among notes.
///
/// Beside it the page of a search, and the memory of a program that did nothing for a while but have one account open.
let mixedPages = Area(name: "mixed-pages") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stock = try Stock(in: folder, events: setting.events * 5, seed: setting.seed, isMixed: true)
    let data = try stock.folder(holding: [stock.old, stock.new], named: "mixed")
    return try idleMemory(of: stock, in: data) + search(in: data, by: stock)
        + pages(of: stock, gathering: false, in: data, prefix: "mixed-")
}

/// What the store and the relay hold, as files, and who reads.
private struct Stock {
    /// All but what was written last, which is in a file of its own.
    let old, new: URL
    /// People who follow so many of the authors; each follows all whom the one before follows.
    let readers: [(follows: Int, key: PublicKey)]
    private let folder: URL

    init(in folder: URL, events: Int, seed: UInt64, isMixed: Bool = false) throws {
        self.folder = folder
        old = folder.appending(path: "old.jsonl")
        new = folder.appending(path: "new.jsonl")
        let now = Int64(Date().timeIntervalSince1970)
        var corpus = StoreCorpus(events: events, seed: seed)
        corpus.people = 12_000
        corpus.isMixed = isMixed
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
            try importEvents(file, into: data)
        }
        return data
    }
}

/// Home of each reader in turn; where a relay is there, right after that account was opened, so while it gathers.
private func pages(
    of stock: Stock, gathering: Bool, in data: URL, prefix: String = ""
) throws -> [Measurement] {
    let relay =
        try gathering
        ? RunningProgram(
            "relay", in: stock.folder(holding: [stock.new], named: "relay"), ["--no-rate-limits"], isElsewhere: true)
        : nil
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
        // Whether they come at the beginning, now and then, or with everything else.
        let slowest = times.indices.sorted { times[$0] > times[$1] }.prefix(6).map(String.init).joined(separator: ", ")
        measurements += percentiles(
            prefix + "home-\(follows)" + (gathering ? "-gathering" : ""),
            "the page of one who follows \(follows), \(largest / 1000) kB; slowest \(slowest) of \(times.count)", times)
    }
    measurements.append(
        Measurement(
            name: prefix + (gathering ? "serve-memory-gathering" : "serve-memory"), value: program.memory, unit: "MB",
            what: "resident, four accounts open"))
    return measurements
}

/// What a program holds that has one account open, whose home was looked at, and that was left alone since.
private func idleMemory(of stock: Stock, in data: URL) throws -> [Measurement] {
    let program = try RunningProgram(
        "serve", in: data, ["--indexer", "ws://127.0.0.1:9", "--log-level", "error"])
    defer { program.stop() }
    let browser = try Browser(link: program.said)
    let reader = stock.readers[1]
    try browser.read(as: reader.key)
    for _ in 0..<5 { _ = try browser.page("/home") }
    Thread.sleep(forTimeInterval: 20)
    return [
        Measurement(
            name: "serve-idle", value: program.memory, unit: "MB",
            what: "resident after 20 idle seconds, one account open that follows \(reader.follows)"),
        Measurement(
            name: "serve-idle-own", value: program.ownMemory, unit: "MB",
            what: "of that in no file"),
    ]
}

/// The page that a search for two common words gives, while no relay answers.
private func search(in data: URL, by stock: Stock) throws -> [Measurement] {
    let program = try RunningProgram(
        "serve", in: data, ["--indexer", "ws://127.0.0.1:9", "--log-level", "error"])
    defer { program.stop() }
    let browser = try Browser(link: program.said)
    try browser.read(as: stock.readers[1].key)
    var times: [Duration] = []
    var largest = 0
    let clock = ContinuousClock()
    _ = try browser.page("/search?q=quietly+sings")
    for _ in 0..<300 {
        times.append(try clock.measure { largest = max(largest, try browser.page("/search?q=quietly+sings").count) })
    }
    return percentiles("search-page", "the page of a search here, \(largest / 1000) kB", times)
}

/// Somebody who came in by the link that the program printed.
struct Browser {
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
    func read(as key: PublicKey) throws { try post("/welcome/read", "public=\(key.hex)", from: "/welcome") }

    /// Posts a form with the token of a page, and is led on.
    ///
    /// - Parameter fields: the other fields, encoded.
    func post(_ path: String, _ fields: String, from page: String) throws {
        let text = String(decoding: try self.page(page), as: UTF8.self)
        guard let field = text.range(of: #"name="csrf" value=""#),
            let end = text[field.upperBound...].firstIndex(of: "\"")
        else { throw Unexpected(path: page, answer: "no token") }
        let form = "csrf=\(text[field.upperBound..<end])&\(fields)"
        let answer = try server.answer("POST", path, cookie: cookie, form: form)
        guard answer.status == 303 else { throw Unexpected(path: path, answer: answer.head) }
    }

    /// A text as the value of a field.
    static func encoded(_ text: some StringProtocol) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The bytes of a page.
    func page(_ path: String) throws -> [UInt8] {
        let answer = try server.answer("GET", path, cookie: cookie)
        guard answer.status == 200 else { throw Unexpected(path: path, answer: answer.head) }
        return answer.body
    }
}

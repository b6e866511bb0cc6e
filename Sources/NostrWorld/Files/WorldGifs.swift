internal import NostrCore
internal import NostrNIPs

/// GIFs that people of the world published as events of their own (NIP-94), described well, badly and wrongly; and a host
/// of GIFs that wants a key.
enum WorldGifs {
    /// A file of one scene.
    struct File: Sendable {
        let gif: [UInt8]
        let hash: BlobHash
    }

    /// The files, by the number of their scene; drawn once, when somebody first asks.
    static let files: [File] = MovingPicture.Scene.allCases.map { scene in
        let gif = MovingPicture(scene: scene).gif
        return File(gif: gif, hash: BlobHash(of: gif))
    }

    /// What is wrong with one.
    private enum Flaw {
        /// Its first address leads nowhere.
        case dead
        /// It says another hash than it has.
        case wrongHash
        /// Nothing is said of what can be seen; a few words are.
        case silent
        /// It stands behind a warning.
        case warned
    }

    private static let shared: [(scene: MovingPicture.Scene, words: String, topics: [String], flaw: Flaw?)] = [
        (.waves, "Waves come in and go out", ["sea", "waves"], nil),
        (.ball, "A ball bounces", ["ball"], .dead),
        (.rain, "Rain on the window", ["rain", "weather"], .wrongHash),
        (.sun, "The sun comes up", ["morning"], .silent),
        (.ball, "A spider jumps", ["spider"], .warned),
    ]

    /// Writes the events beside what was written; the demo person's own relays have them, too.
    static func publish(
        people: [WorldPerson], authors: [Int], reads: [Int], port: Int, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: GIFs change nothing of what people do otherwise.
        var dice = Dice(seed: seed ^ 0x61F_5EED)
        let authors = authors.filter { !people[$0].isLost }
        for (number, entry) in shared.enumerated() {
            guard let author = dice.pick(authors) else { return }
            let moment = now - .seconds(Int64(5_000 + number * 7_000))
            sign(draft(entry.scene, entry.words, entry.topics, entry.flaw, port, moment), author)
        }
        guard let author = dice.pick(authors) else { return }
        var recipe = MediaAttachment(url: "http://linden.localhost:\(port)/recipe.pdf")
        (recipe.type, recipe.byteCount) = ("application/pdf", 48_211)
        sign(
            FileMetadata.draft(
                recipe, text: "My bread, as promised.", topics: ["bread"], createdAt: now - .seconds(60_000)), author)

        func sign(_ draft: EventDraft, _ author: Int) {
            let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
            written.append(Written(event: event, author: author, alsoAt: Set(reads)))
        }
    }

    private static func draft(
        _ scene: MovingPicture.Scene, _ words: String, _ topics: [String], _ flaw: Flaw?, _ port: Int,
        _ moment: Timestamp
    ) -> EventDraft {
        let shared = files[scene.rawValue]
        let address = Self.address(of: shared, port: port)
        let isDead = flaw == .dead
        var file = MediaAttachment(url: isDead ? "http://gone.localhost:\(port)/\(shared.hash.hex).gif" : address)
        if isDead { file.fallbacks = [address] }
        (file.type, file.byteCount) = (FileMetadata.gifType, Int64(shared.gif.count))
        file.dimensions = PixelSize(width: MovingPicture.width, height: MovingPicture.height)
        file.hash = flaw == .wrongHash ? String(repeating: "ab", count: 32) : shared.hash.hex
        file.description = flaw == .silent ? nil : words
        var draft = FileMetadata.draft(
            file, text: flaw == .silent ? "" : words, summary: flaw == .silent ? words : nil, topics: topics,
            createdAt: moment)
        if flaw == .warned { draft.tags.append(["content-warning", "spiders"]) }
        return draft
    }

    /// Where the server that keeps everything has it.
    private static func address(of file: File, port: Int) -> String {
        "http://linden.localhost:\(port)/\(file.hash.hex).gif"
    }
}

// The host of GIFs.
extension WorldGifs {
    /// The key that the host takes.
    static let key = "linnet-world-key"
    private static let start = "https://api.giphy.com/v1/gifs/"

    /// What the host says to a request; `nil` where it is for another.
    static func answer(_ request: WorldMediaServers.Incoming, port: Int) -> WorldMediaServers.Answer? {
        guard request.method == "GET", request.address.hasPrefix(start) else { return nil }
        let pairs = request.address.drop { $0 != "?" }.dropFirst().split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        func value(_ name: String) -> String {
            pairs.first { $0.first == name && $0.count == 2 }.flatMap { PercentEncoding.decode($0[1]) } ?? ""
        }
        guard value("api_key") == key else { return WorldMediaServers.Answer(status: 401) }
        let words = value("q").lowercased().split(separator: " ")
        let entries = shared.filter { entry in
            entry.flaw != .warned && words.allSatisfy { entry.words.lowercased().contains($0) }
        }.map { entry(of: $0.scene, $0.words, port) }
        // One that makes no sense stands among them.
        let broken = JSONValue.object([JSONMember("title", .string("Nothing")), JSONMember("images", .null)])
        let body = JSONValue.object([
            JSONMember("data", .array(entries + [broken])),
            JSONMember("meta", .object([JSONMember("response_id", .string("world"))])),
        ])
        return WorldMediaServers.Answer(
            status: 200, headers: ["content-type": "application/json"], body: body.json)
    }

    private static func entry(of scene: MovingPicture.Scene, _ words: String, _ port: Int) -> JSONValue {
        let file = files[scene.rawValue]
        let url = JSONValue.string(address(of: file, port: port))
        // Numbers are texts there.
        let form = JSONValue.object([
            JSONMember("url", url), JSONMember("width", .string("\(MovingPicture.width)")),
            JSONMember("height", .string("\(MovingPicture.height)")),
            JSONMember("size", .string("\(file.gif.count)")),
        ])
        return .object([
            JSONMember("title", .string(words + " GIF by Linnet")), JSONMember("alt_text", .string(words)),
            JSONMember(
                "images",
                .object([
                    JSONMember("original", form), JSONMember("fixed_height", form),
                    JSONMember("fixed_width_small", .object([JSONMember("url", url)])),
                ])),
        ])
    }
}

import Foundation
import NostrCore

/// The page of notifications as a browser gets it from `linnet serve`, to its last byte, for somebody whom half of
/// `--events` concern, so 100 000: its newest part, and a part a hundred pages down.
let notificationPages = Area(name: "notifications") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "events.jsonl")
    let reader = try concerningEvents(setting.events / 2, seed: setting.seed, in: file)
    let data = folder.appending(path: "data")
    try importEvents(file, into: data)
    let program = try RunningProgram("serve", in: data, ["--indexer", "ws://127.0.0.1:9", "--log-level", "error"])
    defer { program.stop() }
    let browser = try Browser(link: program.said)
    try browser.read(as: reader)
    var path = "/notifications"
    var measurements = try times(of: path, "notifications", "the newest page", browser)
    for _ in 0..<100 {
        guard let next = older(in: try browser.page(path)) else { throw ToolFailure(status: 0) }
        path = "/notifications?before=\(next)"
    }
    measurements += try times(of: path, "notifications-deep", "a page a hundred pages down", browser)
    return measurements
}

private func times(of path: String, _ name: String, _ what: String, _ browser: Browser) throws -> [Measurement] {
    var times: [Duration] = []
    var size = 0
    // The first makes the page's parts ready, as the first after a start does.
    _ = try browser.page(path)
    let clock = ContinuousClock()
    for _ in 0..<300 { times.append(try clock.measure { size = try browser.page(path).count }) }
    return percentiles(name, "\(what), \(size / 1000) kB", times)
}

/// Where the next page begins, as the link to it says.
private func older(in page: [UInt8]) -> String? {
    let text = String(decoding: page, as: UTF8.self)
    guard let start = text.range(of: "data-before=\"") else { return nil }
    return String(text[start.upperBound...].prefix { $0 != "\"" })
}

/// Writes what concerns somebody over a year: of 100 events 60 are reactions, 25 replies, 10 reposts, 5 mentions.
///
/// - Returns: whom it concerns.
private func concerningEvents(_ count: Int, seed: UInt64, in file: URL) throws -> PublicKey {
    var random = Draws(state: seed &+ 7)
    let reader = SecretKey.generate(using: &random)
    let own = reader.publicKey
    let people = (0..<500).map { _ in Author(key: SecretKey.generate(using: &random)) }
    let now = Int64(Date().timeIntervalSince1970)
    var lines: [UInt8] = []
    var notes: [Event] = []
    for number in 0..<300 {
        let moment = Timestamp(seconds: now - 365 * 86_400 + Int64(number) * 86_400)
        let draft = EventDraft(kind: 1, content: "note \(number) of a year", createdAt: moment)
        notes.append(Event(signing: draft, with: reader, using: &random))
        lines += notes[number].json + [UInt8(ascii: "\n")]
    }
    for index in 0..<count {
        let note = notes[min(notes.count - 1, index * notes.count / count + Int.random(in: 0..<3, using: &random))]
        let moment = Timestamp(seconds: now - 60 - Int64(count - index) * 365 * 86_400 / Int64(count))
        let naming: [Tag] = [["e", note.id.hex, "", "root"], ["p", own.hex]]
        let draft =
            switch Int.random(in: 0..<100, using: &random) {
            case ..<60: EventDraft(kind: 7, tags: naming, content: "+", createdAt: moment)
            case ..<85: EventDraft(kind: 1, tags: naming, content: "an answer, number \(index)", createdAt: moment)
            case ..<95: EventDraft(kind: 6, tags: naming, content: "", createdAt: moment)
            default: EventDraft(kind: 1, tags: [["p", own.hex]], content: "have a look", createdAt: moment)
            }
        let person = people[Int.random(in: 0..<people.count, using: &random)]
        lines += Event(signing: draft, with: person.key, using: &random).json + [UInt8(ascii: "\n")]
    }
    try Data(lines).write(to: file)
    return own
}

import Foundation

/// The first run of somebody new in the simulated Nostr, over HTTP as a browser does it: from the first page to the
/// first home page with notes of others.
///
/// Nothing is typed and nobody thinks, so what it takes is what the program takes: making and encrypting the key,
/// finding relays and people, publishing lists and profile, and gathering what those people wrote. Each of three rounds
/// has a program and a data directory of its own.
let firstRun = Area(name: "first-run") { _ in
    var times: [Double] = []
    for _ in 0..<3 {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try RunningProgram("serve", in: folder, ["--demo", "--log-level", "error"])
        defer { program.stop() }
        let newcomer = Newcomer(browser: try Browser(link: program.said))
        let time = try ContinuousClock().measure { try newcomer.run() }
        times.append(time / .seconds(1))
    }
    return [
        Measurement(
            name: "first-run", value: times.max() ?? .infinity, unit: "s",
            what: "first page to a home page with notes, the slowest of \(times.count) new accounts")
    ]
}

/// Somebody who takes every step of the first run as it is offered.
private struct Newcomer {
    private static let passphrase = "a long passphrase"
    /// What is not there by then never comes.
    private static let patience: Duration = .seconds(90)

    let browser: Browser

    func run() throws {
        let secret = "passphrase=\(Browser.encoded(Self.passphrase))&again=\(Browser.encoded(Self.passphrase))"
        try browser.post("/welcome/create", "name=Wren&\(secret)", from: "/welcome")
        try browser.post("/start/key", "do=next", from: "/start/key")
        let relays = try page("/start/relays") { $0.contains(#"value="publish""#) }
        try browser.post("/start/relays", "do=publish" + Self.relayFields(in: relays), from: "/start/relays")
        _ = try page("/start/relays") { $0.contains(#"href="/start">Continue"#) }
        try browser.post("/start/profile", "display_name=Wren", from: "/start/profile")
        _ = try page("/start/people") { $0.contains(#"value="all""#) }
        try browser.post("/start/people", "do=all", from: "/start/people")
        let topics = try page("/start/topics") { $0.contains(#"name="topic-0""#) }
        let topic = topics.firstMatch(of: /name="topic-0" value="([^"]+)"/)?.output.1 ?? ""
        try browser.post("/start/topics", "topic-0=\(Browser.encoded(topic))", from: "/start/topics")
        try browser.post("/start/skip", "step=note", from: "/start/note")
        _ = try page("/home") { $0.contains(#"<article class="note "#) }
    }

    /// Each relay that is shown, and what is chosen for it.
    private static func relayFields(in page: String) -> String {
        page.matches(of: /name="relay-([0-9]+)" value="([^"]+)"/).map { match in
            let (_, number, address) = match.output
            let row = page[match.range.upperBound...].prefix { $0 != "\n" }
            let choices = row.range(of: "</select>").map { row[..<$0.lowerBound] } ?? row
            let use = choices.firstMatch(of: /value="([a-z]+)" selected/)?.output.1 ?? "none"
            return "&relay-\(number)=\(Browser.encoded(address))&use-\(number)=\(use)"
        }.joined()
    }

    /// A page once something stands on it; looked at as often as its script does.
    private func page(_ path: String, _ isReady: (String) -> Bool) throws -> String {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let text = String(decoding: try browser.page(path), as: UTF8.self)
            if isReady(text) { return text }
            Thread.sleep(forTimeInterval: 1)
        }
        throw Browser.Unexpected(path: path, answer: "nothing came in \(Self.patience)")
    }
}

import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Tells of requests as they begin to wait; at a terminal it asks about each.
struct ApprovalTerminal: Sendable {
    let client: ControlClient
    /// What a person types; `nil` where nobody is there to answer.
    var typed = Terminal.isInput && Terminal.isOutput ? TypedLines() : nil
    /// Shows a line.
    var say: @Sendable (String) -> Void = { Output.line($0) }
    /// Has the person type the passphrase, unseen.
    var passphrase = RequestPrompt.typedPassphrase
    /// What it waits on before it asks again.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Works until cancelled.
    func run() async throws {
        let prompt = RequestPrompt(say: say, passphrase: passphrase) { try await client.order($0, $1) }
        var known: [String] = []
        while !Task.isCancelled {
            let waiting = try await waiting(unlike: known)
            let seen = known
            known = waiting.compactMap { $0["id"]?.string }
            let new = waiting.filter { request in request["id"]?.string.map { !seen.contains($0) } ?? false }
            guard let typed else {
                for request in new { say(request.text) }
                continue
            }
            for requests in Self.together(new) { try await prompt.ask(about: requests, typed) }
        }
    }

    /// Requests that one decision is about: those of a burst of one app, except what needs a second step.
    static func together(_ requests: [JSONValue]) -> [[JSONValue]] {
        var groups: [[JSONValue]] = []
        var groupOfBurst: [String: Int] = [:]
        for request in requests {
            let burst = request["needs_second_step"]?.bool == true ? nil : request["burst"]?.string
            if let group = burst.flatMap({ groupOfBurst[$0] }) {
                groups[group].append(request)
            } else {
                if let burst { groupOfBurst[burst] = groups.count }
                groups.append([request])
            }
        }
        return groups
    }

    private func waiting(unlike known: [String]) async throws -> [JSONValue] {
        let items = Items()
        do {
            try await client.order(ControlOrder(.list(unlike: known, seconds: 30))) { await items.add($0) }
        } catch is CommandFailure {
            // Told of when it lasts: each command says it too.
            try await clock.sleep(for: .seconds(1))
        } catch is ControlClient.NotRunning {
            try await clock.sleep(for: .seconds(1))
        }
        return await items.all
    }
}

/// Asks a person about one request, and does what they say.
struct RequestPrompt: Sendable {
    /// Gives an order to the signer.
    let perform: ControlServer.Work
    /// Shows a line.
    var say: @Sendable (String) -> Void = { Output.line($0) }

    /// Has the person type the passphrase where a yes needs it.
    private let passphrase: @Sendable () async throws -> String

    /// Asks at the terminal, without showing what is typed.
    static let typedPassphrase: @Sendable () async throws -> String = { try Terminal.ask("Passphrase: ") }

    init(
        say: @escaping @Sendable (String) -> Void = { Output.line($0) },
        passphrase: @escaping @Sendable () async throws -> String = Self.typedPassphrase,
        perform: @escaping ControlServer.Work
    ) {
        self.perform = perform
        self.passphrase = passphrase
        self.say = say
    }

    /// Gives an order, with the passphrase where the signer asks for it.
    private func give(_ verb: ControlOrder.Verb) async throws {
        do {
            try await ControlOrder(verb).given(
                to: { [say] in try await perform($0) { say($0) } },
                asking: { why in
                    say(why.sentence)
                    return try await passphrase()
                })
        } catch let error as SigningServiceError {
            // The orders of a program are told in words by its control; those given to a signer here, by this.
            throw CommandFailure(error.sentence)
        }
    }

    /// Asks about requests that came together until they are decided or left for later.
    func ask(about requests: [JSONValue], _ typed: TypedLines) async throws {
        let ids = requests.compactMap { $0["id"]?.string }
        guard let first = requests.first else { return }
        if ids.count == 1 { return try await ask(about: first, ids[0], typed) }
        say("")
        for request in requests { say(Self.sentence(request)) }
        while true {
            say("[y]es to all \(ids.count)  [n]o to all  [o]ne by one  [l]ater ?")
            guard let answer = await typed.next() else { return }
            let allows: Bool
            switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
            case "y", "yes": allows = true
            case "n", "no": allows = false
            case "o", "one by one":
                for request in requests {
                    if let id = request["id"]?.string { try await ask(about: request, id, typed) }
                }
                return
            case "l", "later", "": return
            default: continue
            }
            do {
                let verdict = SpokenVerdict(allows: allows)
                try await give(.decide(.these(ids), verdict: verdict, knowingLoss: !allows))
            } catch let failure as CommandFailure {
                say("\(failure)")
                if requests.contains(where: Self.needsPassphrase) { continue }
            }
            return
        }
    }

    /// Asks until it is decided or left for later.
    func ask(about request: JSONValue, _ id: String, _ typed: TypedLines) async throws {
        say("")
        say(Self.sentence(request))
        while true {
            say("[y]es  [n]o  [a]lways  ne[v]er  [s]how  [l]ater ?")
            guard let answer = await typed.next() else { return }
            let verb: ControlOrder.Verb
            switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
            case "y", "yes": verb = decision(id, allows: true)
            case "n", "no": verb = decision(id, allows: false)
            case "a", "always": verb = decision(id, allows: true, isAlways: true)
            case "v", "never": verb = decision(id, allows: false, isAlways: true)
            case "yes, lose them": verb = decision(id, allows: true, knowingLoss: true)
            case "s", "show": verb = .show(id: id)
            case "l", "later", "": return
            default: continue
            }
            do {
                try await give(verb)
                if case .show = verb { continue }
                return
            } catch let failure as CommandFailure {
                say("\(failure)")
                if request["needs_second_step"]?.bool != true, Self.needsPassphrase(request) { continue }
                guard request["needs_second_step"]?.bool == true else { return }
                say("To do it all the same, type: yes, lose them")
            }
        }
    }

    /// Whether a yes may have failed for the passphrase, which can be typed again.
    private static func needsPassphrase(_ request: JSONValue) -> Bool { request["needs_passphrase"]?.bool == true }

    private func decision(
        _ id: String, allows: Bool, isAlways: Bool = false, knowingLoss: Bool = false
    ) -> ControlOrder.Verb {
        .decide(
            .these([id]), verdict: SpokenVerdict(allows: allows, isAlways: isAlways),
            knowingLoss: knowingLoss || !allows)
    }

    /// A request in words; what an app says of itself is marked as its claim, and nothing of it can move the cursor.
    static func sentence(_ request: JSONValue) -> String {
        let title = request["title"]?.string ?? "An app"
        let claim = request["title_is_claimed"]?.bool == true ? " (as it calls itself)" : ""
        let kind = request["kind"]?.integer.map { ", kind \($0)" } ?? ""
        let (what, method) = (request["what"]?.string ?? "", request["method"]?.string ?? "")
        let wishes = (request["asks_for"]?.elements ?? []).compactMap(\.string)
        let asked =
            wishes.isEmpty
            ? ""
            : "; always also gives what signs nothing and reads nothing private of: " + wishes.joined(separator: " ")
        let words = "\(title)\(claim): \(what) [\(method)\(kind); \(request["why"]?.string ?? "")]\(asked)"
        let visible = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(visible))
    }
}

/// What a person types, line by line.
///
/// Nothing is read before it is wanted: passphrases are typed at the same terminal.
actor TypedLines {
    private let lines: AsyncStream<String>?

    /// Lines of standard input.
    init() {
        lines = nil
    }

    /// Lines from elsewhere.
    init(_ lines: AsyncStream<String>) {
        self.lines = lines
    }

    /// The next line; `nil` at the end.
    func next() async -> String? {
        if let lines { return await lines.first { _ in true } }
        let (line, feed) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        // Reading blocks, so it has a thread of its own, which ends with the line or with the program.
        Thread.detachNewThread {
            if let text = readLine() { feed.yield(text) }
            feed.finish()
        }
        return await line.first { _ in true }
    }
}

/// The items of an answer, in order.
actor Items {
    private(set) var all: [JSONValue] = []

    func add(_ item: String) {
        // What the program sends is JSON.
        if let value = try? JSONValue(Array(item.utf8)) { all.append(value) }
    }
}

import Foundation
import NostrCore
import NostrNIPs

/// Tells of requests as they begin to wait; at a terminal it asks about each.
struct ApprovalTerminal: Sendable {
    let client: ControlClient
    /// Whether a person is there to answer.
    var isInteractive = Terminal.isInput && Terminal.isOutput

    /// Works until cancelled.
    func run() async throws {
        let typed = isInteractive ? Self.typedLines() : nil
        var known: [String] = []
        while !Task.isCancelled {
            let waiting = try await waiting(unlike: known)
            let seen = known
            known = waiting.compactMap { $0["id"]?.string }
            for request in waiting {
                guard let id = request["id"]?.string, !seen.contains(id) else { continue }
                if let typed { try await ask(about: request, id, typed) } else { Output.line(request.text) }
            }
        }
    }

    private func waiting(unlike known: [String]) async throws -> [JSONValue] {
        let items = Items()
        do {
            try await client.order(ControlOrder(.list(unlike: known, seconds: 30))) { await items.add($0) }
        } catch is CommandFailure {
            // Told of when it lasts: each command says it too.
            try await Task.sleep(for: .seconds(1))
        } catch is ControlClient.NotRunning {
            try await Task.sleep(for: .seconds(1))
        }
        return await items.all
    }

    private func ask(about request: JSONValue, _ id: String, _ typed: TypedLines) async throws {
        Output.line("")
        Output.line(Self.sentence(request))
        while true {
            Output.line("[y]es  [n]o  [a]lways  ne[v]er  [s]how  [l]ater ?")
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
                try await client.order(ControlOrder(verb)) { Output.line($0) }
                if case .show = verb { continue }
                return
            } catch let failure as CommandFailure {
                Output.line("\(failure)")
                guard request["needs_second_step"]?.bool == true else { return }
                Output.line("To do it all the same, type: yes, lose them")
            }
        }
    }

    private func decision(
        _ id: String, allows: Bool, isAlways: Bool = false, knowingLoss: Bool = false
    ) -> ControlOrder.Verb {
        .decide(
            ids: [id], verdict: SpokenVerdict(allows: allows, isAlways: isAlways), knowingLoss: knowingLoss || !allows)
    }

    /// A request in words; what an app says of itself is marked as its claim, and nothing of it can move the cursor.
    static func sentence(_ request: JSONValue) -> String {
        let title = request["title"]?.string ?? "An app"
        let claim = request["title_is_claimed"]?.bool == true ? " (as it calls itself)" : ""
        let kind = request["kind"]?.integer.map { ", kind \($0)" } ?? ""
        let (what, method) = (request["what"]?.string ?? "", request["method"]?.string ?? "")
        let words = "\(title)\(claim): \(what) [\(method)\(kind); \(request["why"]?.string ?? "")]"
        let visible = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(visible))
    }

    private static func typedLines() -> TypedLines {
        let (stream, feed) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
        // Reading blocks, so it has a thread of its own, which ends with the program.
        Thread.detachNewThread {
            while let line = readLine() { feed.yield(line) }
            feed.finish()
        }
        return TypedLines(stream)
    }
}

/// What a person types, line by line.
private actor TypedLines {
    private let stream: AsyncStream<String>

    init(_ stream: AsyncStream<String>) {
        self.stream = stream
    }

    /// The next line; `nil` at the end.
    func next() async -> String? {
        await stream.first { _ in true }
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

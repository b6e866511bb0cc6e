import Foundation
import NostrCore
import NostrRelay
import NostrStore
import SQLiteStorage
import WebSocketNIO

/// The memory of `linnet relay` over 100 MB of notes while 20 clients ask for them and do not read, and one does.
let slowReaders = Area(name: "slow-readers") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await fill(folder, seed: setting.seed)
    let relay = try RunningProgram("relay", in: folder)
    defer { relay.stop() }
    let address = try RelayURL(relay.said)
    let transport = try WebSocketTransport()
    let question: @Sendable (Int) -> ClientMessage? = { number in
        SubscriptionID("\(number)").map { .req($0, [Filter(kinds: [1], limit: 5000)]) }
    }
    var deaf: [any RelayConnection] = []
    for _ in 0..<20 {
        let connection = try await transport.connect(to: address, deadline: .seconds(10))
        for case let message? in (0..<10).map(question) { try await connection.send(message.json) }
        deaf.append(connection)
    }
    let reader = try await transport.connect(to: address, deadline: .seconds(10))
    var (events, rounds) = (0, 0)
    let time = try await ContinuousClock().measure {
        while rounds < 5, let message = question(rounds) {
            rounds += 1
            try await reader.send(message.json)
            for try await frame in reader.incoming {
                if case .eose = try RelayMessage(json: frame) { break }
                events += 1
            }
        }
    }
    let memory = relay.mostMemory
    for connection in deaf { await connection.close() }
    await reader.close()
    return [
        Measurement(
            name: "slow-readers", value: memory, unit: "MB",
            what: "the most memory of a relay over 100 MB with 20 clients that do not read"),
        Measurement(
            name: "slow-readers-other", value: Double(events) / (time / .seconds(1)), unit: "events/s",
            what: "what a client that reads gets meanwhile"),
    ]
}

/// 20 000 notes of 5000 bytes.
private func fill(_ folder: URL, seed: UInt64) async throws {
    let store = try SQLiteEventStore(
        path: folder.appending(path: "events.sqlite").path, options: .bulk, now: { Timestamp(seconds: 1_800_000_000) })
    var random = Draws(state: seed)
    let key = SecretKey.generate(using: &random)
    let text = String(repeating: "A note that goes on and on. ", count: 180)
    for part in 0..<100 {
        let events = (0..<200).map { number in
            let moment = Timestamp(seconds: 1_700_000_000 + Int64(part * 200 + number))
            return Event(
                signing: EventDraft(kind: 1, content: "\(text)\(number)", createdAt: moment), with: key, using: &random)
        }
        _ = try await store.save(events, from: nil)
    }
    try store.close()
}

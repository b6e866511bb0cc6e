// A relay in memory that takes notes of at most 500 characters. Stop it with Ctrl-C.
import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import WebSocketNIO

let now: @Sendable () -> Timestamp = { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }
var information = RelayInformation()
information.name = "A small relay"
let shortNotes: EventPolicy = { event, _ in
    event.kind == 1 && event.content.count > 500 ? .refuse(Reason(.blocked, "short notes only")) : .accept
}
let relay = RelayServer(
    store: MemoryEventStore(now: now), policies: RelayPolicies(publish: [shortNotes]), information: information,
    now: now)
let server = try await WebSocketServer.bind(logger: Logger(label: "small-relay"))
print("ws://127.0.0.1:\(server.port)")
await withTaskGroup { group in
    group.addTask { await relay.run() }
    await server.run { connection in
        await relay.serve(
            frames: connection.incoming, send: { try await connection.send($0) }, close: { connection.beginClosing() },
            peer: connection.request.peer)
    }
    group.cancelAll()
}

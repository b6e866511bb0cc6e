import NostrCore
import Testing

/// An event, and the numbers of the relays that hold it.
struct PlacedEvent {
    let event: Event
    let relays: [Int]
}

/// Relays of nostr-sdk that die and come back with what they held, and three addresses that lists name in vain.
struct ForeignRelays {
    /// Where each relay listens on this machine, when it does.
    let ports: [Int]
    /// A port where connections are taken and nothing is said.
    let mute: Int
    /// A port where questions are taken and none is answered.
    let deaf: Int
    /// A port where nobody listens.
    let closed: Int
    private let peer: Peer

    /// Runs so many relays while `body` runs.
    static func run(_ count: Int, _ body: (ForeignRelays) async throws -> Void) async throws {
        try await Peer.run("sdk_relays.py", ["\(count)"]) { peer, greeting in
            let ports = try Peer.words(greeting).compactMap { word in Int(word) }
            try #require(ports.count == count + 3)
            try await body(
                ForeignRelays(
                    ports: Array(ports.prefix(count)), mute: ports[count], deaf: ports[count + 1],
                    closed: ports[count + 2], peer: peer))
        }
    }

    /// The address of a relay.
    func address(of relay: Int) throws -> RelayURL { try RelayURL("ws://127.0.0.1:\(ports[relay])") }

    /// Puts events where they belong; a relay that is down holds them when it is back.
    func put(_ placed: [PlacedEvent]) async throws {
        for relay in ports.indices {
            let events = placed.filter { $0.relays.contains(relay) }
                .map { String(decoding: $0.event.json, as: UTF8.self) }
            if events.isEmpty { continue }
            let answer = try await peer.ask(["put", relay, events])
            try #require(answer == ["kept"])
        }
    }

    /// Breaks a relay's connections; nobody listens at its port any more.
    func stop(_ relay: Int) async throws {
        let answer = try await peer.ask(["stop", relay])
        try #require(answer == ["stopped"])
    }

    /// Brings a relay back to its port, with all it held and what was put there meanwhile.
    func start(_ relay: Int) async throws {
        let answer = try await peer.ask(["start", relay])
        try #require(answer == ["started"])
    }
}

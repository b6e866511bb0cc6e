import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting

@testable import linnet

/// A relay to which an author brought something of each kind, and somebody who follows the author.
struct CommandWorld {
    let reader: CommandPerson
    let posts: CommandPosts

    /// Runs the program for the reader, with `LINNET_DATA` and the rest in place.
    func run(_ arguments: String..., input: String = "") throws -> Program.Result {
        try reader.run(arguments, input: input)
    }

    /// What the lines of a result hold.
    func lines(_ result: Program.Result) throws -> [JSONValue] {
        try result.output.split(separator: "\n").map { try object(String($0)) }
    }
}

/// What the author brought, and what the reader had published before.
struct CommandPosts {
    let author: PublicKey
    let note, poll, article, pack, status, stream, line, reaction: Event
    private let further: [Event]

    /// All of it, a line each.
    var text: String {
        let events = [note, poll, article, pack, status, stream, line, reaction] + further
        return events.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
    }

    init(by author: LocalSigner, for reader: LocalSigner) async throws {
        let now = Timestamp.current
        let key = author.publicKey.hex
        func event(_ kind: Kind, _ content: String = "", _ tags: [NostrCore.Tag] = [], _ age: Int64 = 60) async throws
            -> Event
        {
            try await author.sign(
                EventDraft(
                    kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: now.seconds - age)))
        }
        self.author = author.publicKey
        note = try await event(1, "Kingfishers by the weir again", [["t", "birds"]], 600)
        poll = try await event(
            1068, "Which bird?", [["option", "a", "Kingfisher"], ["option", "b", "Heron"]], 500)
        article = try await event(30_023, "Water **falls**.", [["d", "weir"], ["title", "The weir"]])
        pack = try await event(
            30_030, "", [["d", "birds"], ["title", "Birds"], ["emoji", "kingfisher", "https://emoji.example/k.png"]])
        status = try await event(30_315, "Counting birds", [["d", "general"]])
        stream = try await event(30_311, "", [["d", "dawn"], ["title", "Dawn at the weir"], ["status", "live"]])
        line = try await event(1311, "Listen to that", [["a", "30311:\(key):dawn", "", "root"]])
        let carol = TestPerson.carol
        reaction = carol.event(
            "+", kind: 7, tags: [["e", note.id.hex], ["p", key], ["k", "1"]], at: now.seconds - 300)
        func own(_ kind: Kind, _ tags: [NostrCore.Tag]) async throws -> Event {
            try await reader.sign(EventDraft(kind: kind, tags: tags, content: "", createdAt: now))
        }
        further = [
            try await event(0, #"{"name":"Wilma Weaver"}"#),
            try await own(3, [["p", key]]), try await own(30_000, [["d", "birders"], ["p", key]]),
        ]
    }

    /// The code of an event that is found by its address.
    func code(_ event: Event) throws -> String {
        guard let address = event.address else { throw Program.Missing() }
        return try NostrEntity.naddr(AddressPointer(address: address)).encoded()
    }
}

/// Runs a relay with those posts on it, and a reader whose inbox is known there.
func withCommandWorld(_ body: (CommandWorld) throws -> Void) async throws {
    let signer = LocalSigner.generate()
    let posts = try await CommandPosts(by: .generate(), for: signer)
    let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: data) }
    let kept = try Program.run(["import", "--data", data], input: posts.text)
    guard kept.status == 0 else { throw Program.Missing() }
    let program = try RunningProgram(["relay", "--port", "0", "--data", data])
    let relay = String(program.line().dropFirst("relay ".count))
    let reader = try await CommandPerson(relay: relay, signer: signer)
    defer { reader.forget() }
    _ = try reader.run(["dm", "list"])
    try body(CommandWorld(reader: reader, posts: posts))
    withExtendedLifetime(program) {}
}

import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import MLS
@testable import Marmot

@Suite struct SessionKillTests {
    @Test(
        "a member killed at any moment talks on, and never uses a generation twice",
        arguments: [1, 2, 3, 4] as [UInt64])
    func survives(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var other = try Other(inbox: folder.file("inbox"))
        var random = SeededRandom(seed: seed)
        // 4 × 55 = 220 deaths: half by themselves right before or after a change, half from outside.
        for round in 0..<55 as Range<UInt64> {
            var arguments = [
                "--session", folder.file("records.sqlite"), folder.file("inbox"), "\(seed * 1000 + round)",
            ]
            var lines: Int? = Int.random(in: 0...12, using: &random)
            if round % 2 == 0 {
                arguments += [
                    Bool.random(using: &random) ? "before" : "after", "\(Int.random(in: 0..<12, using: &random))",
                ]
                lines = nil
            }
            let output = try await WriterProcess.lines(of: arguments, killedAfter: lines)
            for line in output { try other.receive(line) }
            try other.answer()
        }
        // Left alone at last, it reads everything, and both are where the other is.
        let output = try await WriterProcess.lines(
            of: ["--session", folder.file("records.sqlite"), folder.file("inbox"), "\(seed)"], killedAfter: nil)
        for line in output { try other.receive(line) }
        #expect(output.last == "done")
        #expect(other.generations.count > 200, "seed \(seed)")
        #expect(other.session?.epoch ?? 0 > 20, "seed \(seed)")
        #expect(Set(other.said).subtracting(other.heard) == [], "seed \(seed): nothing it was sent is lost")
    }
}

/// The other member, who is never killed and forgets nothing.
private struct Other {
    private struct Generation: Hashable {
        let context: [UInt8]
        let leaf: LeafIndex
        let isApplication: Bool
        let generation: UInt32
    }

    private let inbox: String
    private let package: OwnKeyPackage
    private let packageEvent: Event
    private let profile = GenerationB()
    private var random = SeededRandom(seed: 7)
    private var seen: Set<String> = []
    /// The relay: a key package, and every event of the group.
    private var lines: [String]
    private var events: [EventID: Event] = [:]
    private(set) var session: GroupSession?
    private(set) var generations: [AnyHashable: EventID] = [:]
    private(set) var said: [String] = []
    private(set) var heard: Set<String> = []

    private var now: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

    private var policy: MarmotPolicy {
        MarmotPolicy(profile, clock: { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) })
    }

    init(inbox: String) throws {
        self.inbox = inbox
        let (person, moment) = (TestPerson.bob, Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
        package = try profile.newKeyPackage(for: person.publicKey, now: moment, using: &random)
        let publication = KeyPackagePublication(
            slot: .random(using: &random), relays: [try RelayURL("wss://relay.example.com")], now: moment)
        let draft = try profile.draft(of: package.keyPackage, publication)
        packageEvent = Event(signing: draft, with: person.secretKey, using: &random)
        lines = [String(decoding: packageEvent.json, as: UTF8.self)]
        try write()
    }

    /// Takes a line of the member, whose every message is new or one that came before.
    mutating func receive(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, seen.insert(line).inserted else { return }
        let bytes = try decodeHex(words[1], byteCount: words[1].utf8.count / 2)
        switch words[0] {
        case "read": heard.insert(words[1])
        case "invite":
            let rumor = try WelcomeRumor(Rumor(json: String(decoding: bytes, as: UTF8.self)))
            guard session == nil else { return }
            let group = try Invitation(rumor, with: package, publishedAs: [packageEvent.id], profile: profile)
                .join(policy: policy)
            session = GroupSession(group, now: rumor.createdAt, hasFreshKeys: true)
            for event in events.values { try apply(event) }
        default:
            let event = try Event(verifying: UnverifiedEvent(json: bytes))
            publish(event)
            try apply(event)
        }
    }

    private mutating func publish(_ event: Event) {
        guard events.updateValue(event, forKey: event.id) == nil else { return }
        lines.append(String(decoding: event.json, as: UTF8.self))
    }

    private mutating func apply(_ event: Event) throws {
        try note(event)
        let now = now
        try perform(session?.receive(.event(event), now: now, using: &random) ?? [])
    }

    /// Does what our own session asks for; the relay takes everything at once.
    private mutating func perform(_ effects: [SessionEffect]) throws {
        let now = now
        for effect in effects {
            switch effect {
            case .message(let message): #expect(message.rumor.content.hasPrefix("text"))
            case .offer(let event): publish(event)
            case .publish(let event):
                publish(event)
                try perform(session?.receive(.accepted(event.id), now: now, using: &random) ?? [])
            case .fetchBack(let id):
                let input = events[id].map { SessionInput.event($0) } ?? .notFound(id)
                try perform(session?.receive(input, now: now, using: &random) ?? [])
            default: break
            }
        }
    }

    /// No two ciphertexts have one generation.
    private mutating func note(_ event: Event) throws {
        // What is of a branch that we are not in has keys of its own.
        guard let group = session?.group, let opened = try? profile.open(event, with: group.keyring, now: now),
            case .privateMessage(let body) = opened.message.body
        else { return }
        let past = group.mls.past.first { $0.epoch == body.epoch }
        let isCurrent = body.epoch == group.mls.epoch
        guard let keys = isCurrent ? group.mls.keys : past?.keys,
            let context = isCurrent ? group.mls.context.encoded : past?.context
        else { return }
        let sender = try keys.sender(of: body, group.mls.algorithms)
        let generation = Generation(
            context: context, leaf: sender.leaf, isApplication: body.contentType == .application,
            generation: sender.generation)
        #expect(generations[generation, default: event.id] == event.id, "a generation is used twice")
        generations[generation] = event.id
    }

    /// Says something.
    ///
    /// It does not commit: of two commits made at once one counts, and what was said in the branch of the other is
    /// rightly not read, so that nothing could be said of what a death loses.
    mutating func answer() throws {
        guard session != nil else { return }
        let (text, now) = ("answer \(said.count)", now)
        let draft = EventDraft(kind: 9, content: text, createdAt: now)
        guard let event = try session?.send(draft, now: now, using: &random).event else { return }
        said.append(encodeHex(Array(text.utf8)))
        publish(event)
        try write()
    }

    private func write() throws {
        try lines.joined(separator: "\n").write(toFile: inbox, atomically: true, encoding: .utf8)
    }
}

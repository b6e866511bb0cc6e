import Crypto
import Foundation
import Marmot
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage

/// One member of a group of two, whose session rests in a record store, until they are killed, or kill themselves at one
/// exact place.
///
/// The inbox is a file that stands for a relay: the other's key package, then every event of the group, a line of JSON
/// each. Lines on standard output: `invite HEX` with the rumor of a Welcome, `event HEX` with an event for the relay,
/// `read HEX` with a text that was read, `done` when nothing is left to do. What a line says is on the disk before.
struct SessionWriter {
    private static let (parts, out, marks) = ("circle-sessions", "out", "marks")

    private let records: MortalRecords
    private let key = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
    private let inbox: [String]
    private let owner: PublicKey
    private let profile = GenerationB()
    private var random: SeededRandom
    private var session: GroupSession?
    /// Events that the relay has, as far as this program knows.
    private var published: [EventID: Event] = [:]
    /// What was written out and is still on the list.
    private var sent: [RecordChange] = []

    /// - Parameter death: the number of the change at which the program kills itself, and whether before or after it.
    init(file: String, inbox: String, seed: UInt64, death: (change: Int, isAfter: Bool)?) throws {
        records = MortalRecords(try SQLiteRecordStore(path: file), death)
        // No file is an empty one.
        let data = FileManager.default.contents(atPath: inbox) ?? Data()
        self.inbox = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        random = SeededRandom(seed: seed)
        owner = TestPerson.alice.publicKey
    }

    private var now: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

    private var policy: MarmotPolicy {
        MarmotPolicy(profile, clock: { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) })
    }

    mutating func run() async throws {
        try await open()
        for record in try await records.all(in: Self.out) {
            StoreWriter.printLine(String(decoding: try key.open(record.value, as: record.key), as: UTF8.self))
            sent.append(.remove(table: Self.out, key: record.key))
        }
        try await readInbox()
        if let people = session?.roster.people, people.count == 1 { try await invite() }
        for number in 0..<40 {
            if Int.random(in: 0..<6, using: &random) == 0 {
                try await step { try $0.change(.freshKeys, now: $1, using: &$2) }
            } else {
                try await step { session, now, random in
                    let draft = EventDraft(
                        kind: 9, content: "text \(number) \(UInt64.random(in: .min ... .max))", createdAt: now)
                    return [.offer(try session.send(draft, now: now, using: &random).event)]
                }
            }
        }
        StoreWriter.printLine("done")
    }

    /// The session that is stored, or that of a new group.
    private mutating func open() async throws {
        var stored: [SessionPart: [UInt8]] = [:]
        for record in try await records.all(in: Self.parts) {
            let (part, bytes) = try SessionPart.read(record: key.open(record.value, as: record.key))
            stored[part] = bytes
        }
        if !stored.isEmpty {
            session = try GroupSession(stored, profile: profile, policy: policy)
            return try await step { $0.receive(.restarted, now: $1, using: &$2) }
        }
        let data = GroupData(
            nostrGroupID: try Bytes32(randomBytes(32, using: &random).span), name: "Kill", admins: [owner],
            relays: [try RelayURL("wss://relay.example.com")])
        let own = try profile.newKeyPackage(for: owner, now: now, using: &random)
        let group = try MarmotGroup(
            founding: data, with: own, invited: [], profile: profile, policy: policy, using: &random)
        session = GroupSession(group, now: now, hasFreshKeys: true)
        try await step { _, _, _ in [] }
    }

    private mutating func invite() async throws {
        guard let line = inbox.first, let event = Self.event(line) else { fatalError("no key package") }
        guard session?.isUnderWay(.add([event])) == false else { return }
        try await step { try $0.change(.add([event]), now: $1, using: &$2) }
    }

    /// What came since the last time, all in one step.
    private mutating func readInbox() async throws {
        let mark = try await records.value("inbox", in: Self.marks).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        let events = inbox.dropFirst(max(mark ?? 1, 1)).compactMap(Self.event)
        for event in events { published[event.id] = event }
        let count = inbox.count
        try await step(
            [.put(table: Self.marks, key: "inbox", value: Array("\(count)".utf8))]
        ) { session, now, random in
            var effects: [SessionEffect] = []
            for event in events { effects += session.receive(.event(event), now: now, using: &random) }
            return effects
        }
    }

    /// Takes a step on a copy, stores all of it at once, and only then lets anything leave.
    private mutating func step(
        _ further: [RecordChange] = [],
        _ body: (inout GroupSession, Timestamp, inout SeededRandom) throws -> [SessionEffect]
    ) async throws {
        guard var next = session else { return }
        var effects = try body(&next, now, &random)
        var (changes, lines, read) = (further + sent, [String](), [String]())
        var index = 0
        while index < effects.count {
            switch effects[index] {
            case .message(let message): read.append("read \(encodeHex(Array(message.rumor.content.utf8)))")
            case .offer(let event): lines.append("event \(encodeHex(event.json))")
            case .welcome(let welcomes, let id):
                lines += welcomes.map { "invite \(encodeHex(Array($0.rumor.json.utf8)))" }
                effects += next.receive(.welcomed(id), now: now, using: &random)
            default: break
            }
            index += 1
        }
        for line in lines + read {
            let name = encodeHex(Array(SHA256.hash(data: Data(line.utf8))))
            changes.append(.put(table: Self.out, key: name, value: try key.seal(Array(line.utf8), as: name)))
        }
        for (part, bytes) in next.takeChanges() {
            let change: RecordChange =
                try bytes.map {
                    .put(table: Self.parts, key: part.name, value: try key.seal(part.record($0), as: part.name))
                } ?? .remove(table: Self.parts, key: part.name)
            changes.append(change)
        }
        try await records.apply(changes)
        session = next
        sent = []
        for line in lines + read {
            StoreWriter.printLine(line)
            sent.append(.remove(table: Self.out, key: encodeHex(Array(SHA256.hash(data: Data(line.utf8))))))
        }
        for effect in effects { try await perform(effect) }
    }

    private mutating func perform(_ effect: SessionEffect) async throws {
        switch effect {
        case .publish(let event):
            StoreWriter.printLine("event \(encodeHex(event.json))")
            published[event.id] = event
            try await step { $0.receive(.accepted(event.id), now: $1, using: &$2) }
        case .fetchBack(let id):
            let input = published[id].map { SessionInput.event($0) } ?? .notFound(id)
            try await step { $0.receive(input, now: $1, using: &$2) }
        default: break
        }
    }

    private static func event(_ line: String) -> Event? {
        try? Event(verifying: UnverifiedEvent(json: Array(line.utf8)))
    }
}

/// A store that ends the program at one of its changes.
private final class MortalRecords {
    private let inner: SQLiteRecordStore
    private let death: (change: Int, isAfter: Bool)?
    private var count = 0

    init(_ inner: SQLiteRecordStore, _ death: (change: Int, isAfter: Bool)?) {
        (self.inner, self.death) = (inner, death)
    }

    func value(_ key: String, in table: String) async throws -> [UInt8]? { try await inner.value(key, in: table) }

    func all(in table: String) async throws -> [Record] { try await inner.records(in: table, prefix: "") }

    func apply(_ changes: [RecordChange]) async throws {
        let isLast = count == death?.change
        count += 1
        if isLast, death?.isAfter == false { kill(getpid(), SIGKILL) }
        try await inner.apply(changes)
        if isLast { kill(getpid(), SIGKILL) }
    }
}

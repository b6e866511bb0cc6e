import Crypto
import Foundation
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

/// What Marmot asks of a group: its metadata, which every member must know.
let marmotGroupData = ExtensionType(rawValue: 0xf2ee)

/// A member of a Marmot group by our MLS; the envelopes of Nostr are as thin as MDK 0.8 takes them.
struct MarmotMember {
    let person: TestPerson
    private let own: OwnKeyPackage
    private(set) var group: Group?
    /// The id of the group on relays, in hex.
    private(set) var room = ""

    init(_ person: TestPerson) throws {
        self.person = person
        let second = UInt64(now())
        own = try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
            credential: .basic(identity: person.publicKey.bytes.array),
            capabilities: Capabilities(extensions: [.lastResort, marmotGroupData], proposals: [.selfRemove]),
            lifetime: Lifetime(notBefore: second - 3600, notAfter: second + 84 * 86_400),
            extensions: [Extension(type: .lastResort, data: [])])
    }

    private static let options = {
        var options = GroupOptions()
        options.sendsBeforeCommitting = true
        return options
    }()

    /// The key package as kind 30443.
    func keyPackage() throws -> String {
        let tags: [NostrCore.Tag] = [
            ["d", String(repeating: "5", count: 64)], ["mls_protocol_version", "1.0"], ["mls_ciphersuite", "0x0001"],
            ["mls_extensions", "0x000a", "0xf2ee"], ["mls_proposals", "0x000a"], ["relays", "wss://relay.example.com"],
            ["i", encodeHex(try own.keyPackage.reference().bytes)], ["encoding", "base64"],
        ]
        return signed(30_443, Data(own.keyPackage.encoded).base64EncodedString(), tags)
    }

    // MARK: - Coming in

    /// A group of our own.
    mutating func create(_ name: String) throws {
        room = String(repeating: "ab", count: 32)
        let required = RequiredCapabilities(extensions: [marmotGroupData], proposals: [.selfRemove], credentials: [])
        group = try Group(
            creating: [UInt8](repeating: 9, count: 32), with: own,
            extensions: [
                Extension(type: marmotGroupData, data: metadata(name)),
                Extension(type: .requiredCapabilities, data: required.encoded),
            ], policy: TrustEverybody(), options: Self.options)
    }

    /// Joins by the rumor of kind 444.
    mutating func join(_ rumor: String, room: String) throws {
        let content = try Rumor(json: rumor).content
        let message = try MLSMessage(bytes: Array(#require(Data(base64Encoded: content))))
        group = try Group(
            joining: #require(message.welcome), with: own, policy: TrustEverybody(), options: Self.options)
        self.room = room
    }

    /// The rumor by which somebody joins.
    func invitation(_ welcome: Welcome, to keyPackageEvent: String) throws -> String {
        let event = try Event(verifying: UnverifiedEvent(json: Array(keyPackageEvent.utf8)))
        return Rumor(
            EventDraft(
                kind: 444,
                tags: [["relays", "wss://relay.example.com"], ["e", event.id.hex], ["encoding", "base64"]],
                content: Data(MLSMessage(welcome).encoded).base64EncodedString(), createdAt: Timestamp(seconds: now())),
            author: person.publicKey
        ).json
    }

    /// The key package in an event.
    static func keyPackage(in event: String) throws -> KeyPackage {
        let event = try Event(verifying: UnverifiedEvent(json: Array(event.utf8)))
        let package = try KeyPackage(bytes: Array(#require(Data(base64Encoded: event.content))))
        try package.validate(at: UInt64(now()))
        #expect(package.leafNode.credential == .basic(identity: event.pubkey.bytes.array))
        return package
    }

    // MARK: - Talking

    mutating func say(_ text: String) throws -> String {
        let rumor = Rumor(
            EventDraft(kind: 9, content: text, createdAt: Timestamp(seconds: now())), author: person.publicKey)
        let key = try outerKey()
        return try event(#require(try group?.encrypt(Array(rumor.json.utf8))), key)
    }

    /// Commits, and is in the next epoch at once: nobody else commits in these tests.
    mutating func commit(_ changes: [Proposal] = []) throws -> (event: String, welcome: Welcome?) {
        let key = try outerKey()
        let commit = try #require(try group?.commit(changes))
        let event = try event(commit.message, key)
        try group?.merge(commit.staged)
        return (event, commit.welcome)
    }

    /// The text of a message, or nothing for a commit, which is merged unless it removes us.
    mutating func take(_ json: String) throws -> String? {
        let event = try Event(verifying: UnverifiedEvent(json: Array(json.utf8)))
        #expect(event.kind == 445)
        #expect(event.tags.contains(["h", room]))
        let box = try ChaChaPoly.SealedBox(combined: #require(Data(base64Encoded: event.content)))
        let opened = try ChaChaPoly.open(box, using: outerKey())
        switch try group?.process(MLSMessage(bytes: Array(opened))) {
        case .application(let message):
            let rumor = try Rumor(json: String(decoding: message.data, as: UTF8.self))
            #expect(message.credential == .basic(identity: rumor.pubkey.bytes.array))
            return rumor.content
        case .commit(let staged) where staged.removesUs: group = nil
        case .commit(let staged): try group?.merge(staged)
        case .proposal, nil: Issue.record("neither a message nor a commit")
        }
        return nil
    }

    /// Where the group stands, as the peer's own `state` says it: MDK shows a hash of the encoded tree.
    var state: [String] {
        guard let group else { return [] }
        return ["\(group.epoch)", encodeHex(Array(SHA256.hash(data: group.ratchetTree))), "\(group.members.count)"]
    }

    // MARK: - Envelopes

    private func outerKey() throws -> SymmetricKey {
        SymmetricKey(
            data: try #require(group).export(label: "marmot", context: Array("group-event".utf8), count: 32))
    }

    private func event(_ message: MLSMessage, _ key: SymmetricKey) throws -> String {
        let box = try ChaChaPoly.seal(message.encoded, using: key)
        return signed(445, box.combined.base64EncodedString(), [["h", room], ["encoding", "base64"]])
    }

    private func signed(_ kind: Kind, _ content: String, _ tags: [NostrCore.Tag]) -> String {
        String(decoding: person.event(content, kind: kind, tags: tags, at: now()).json, as: UTF8.self)
    }

    /// `marmot_group_data`, version 2: lists are vectors with the lengths of MLS.
    private func metadata(_ name: String) -> [UInt8] {
        func vector(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes }
        let relay = vector(Array("wss://relay.example.com".utf8))
        return [0, 2] + [UInt8](repeating: 0xab, count: 32) + vector(Array(name.utf8)) + vector([])
            + vector(person.publicKey.bytes.array) + vector(relay) + vector([]) + vector([]) + vector([]) + vector([])
    }
}

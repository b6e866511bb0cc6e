internal import Crypto
public import NostrCore
internal import Secp256k1

/// A live stream as its page on Nostr says it: kind 30311.
///
/// Everything in it is the word of whoever signed it. That somebody takes part is their own word only where they signed
/// a proof: ``hasAgreed(_:)``. One property for each tag. Source: NIP-53, "Live Streaming".
public struct LiveActivity: Hashable, Sendable {
    /// The kind of a stream's page.
    public static let kind: Kind = 30_311
    /// A stream that says it is live and was not updated for so long has ended.
    public static let longestSilence: Duration = .seconds(3600)
    /// The most people of a stream that are read.
    public static let mostParticipants = 100
    /// The most pinned messages that are read.
    public static let mostPinned = 10

    /// How a stream stands.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case planned, live, ended
    }

    /// Somebody who takes part, as the author says.
    public struct Participant: Hashable, Sendable {
        /// Who.
        public let key: PublicKey
        /// Where to find them, as the author says.
        public let relay: RelayURL?
        /// What they do there, as written: `Host`, `Speaker`, `Participant` or any other word; empty for none.
        public let role: String
        /// The proof that they agreed, not checked yet; `nil` where there is none that could be one.
        public let proof: Signature?

        /// Whether they are said to be the host.
        public var isHost: Bool { role.lowercased() == "host" }
    }

    /// Where its newest version is found.
    public let address: EventAddress
    /// The title; `nil` for none.
    public let title: String?
    /// What it is about.
    public let summary: String?
    /// The address of a picture, as written.
    public let image: String?
    /// The topics, lowercase, each once.
    public let hashtags: [String]
    /// Where it is watched while it is live, as written.
    public let streaming: String?
    /// Where it is watched afterwards, as written.
    public let recording: String?
    /// When it begins or began.
    public let starts: Timestamp?
    /// When it ends or ended.
    public let ends: Timestamp?
    /// What its author says of how it stands; see ``status(now:)``.
    public let claimedStatus: Status?
    /// How many watch now, as its author says.
    public let currentParticipants: Int?
    /// How many watched in all, as its author says.
    public let totalParticipants: Int?
    /// Who takes part, each once, at most ``mostParticipants``.
    public let participants: [Participant]
    /// Where its chat is kept, as its author says; at most ten.
    public let relays: [RelayURL]
    /// Chat messages that stand above all others, at most ``mostPinned``.
    public let pinned: [EventID]
    /// A page of the service that carries it, as written.
    public let service: String?
    /// What it collects money for.
    public let goal: EventID?
    /// When this version was made.
    public let updatedAt: Timestamp

    /// Reads an event; `nil` unless it is of kind 30311.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let address = event.address else { return nil }
        let tags = event.tags
        func text(_ name: String) -> String? { tags.first { $0.name == name }?.text(at: 1) }
        func moment(_ name: String) -> Timestamp? {
            text(name).flatMap { Int64(decimal: $0) }.map(Timestamp.init(seconds:))
        }
        func count(_ name: String) -> Int? { text(name).flatMap { Int(decimal: $0) } }
        self.address = address
        title = text("title")
        summary = text("summary")
        image = text("image")
        hashtags = tags.hashtags
        streaming = text("streaming")
        recording = text("recording")
        starts = moment("starts")
        ends = moment("ends")
        claimedStatus = text("status").flatMap { Status(rawValue: $0.lowercased()) }
        currentParticipants = count("current_participants")
        totalParticipants = count("total_participants")
        participants = Self.participants(tags)
        relays = Self.relays(tags)
        let named = tags.named("pinned").compactMap { $0.eventID(at: 1) }.withoutDuplicates()
        pinned = Array(named.prefix(Self.mostPinned))
        service = text("service")
        goal = tags.first { $0.name == "goal" }?.eventID(at: 1)
        updatedAt = event.createdAt
    }

    /// How it stands: live only as long as it is updated, and planned until its author says otherwise.
    ///
    /// One that says nothing is live between its beginning and its end.
    public func status(now: Timestamp) -> Status {
        let claimed = claimedStatus ?? guessedStatus(now: now)
        guard claimed == .live else { return claimed }
        return updatedAt + Self.longestSilence < now ? .ended : .live
    }

    /// Who hosts it: whoever its author names as such, else the author.
    public var host: PublicKey { participants.first(where: \.isHost)?.key ?? address.author }

    /// Whether the host is the author, or signed that they take part.
    public var isHostConfirmed: Bool {
        guard let host = participants.first(where: \.isHost), host.key != address.author else { return true }
        return hasAgreed(host)
    }

    /// Whether somebody signed that they take part; the author needs no proof.
    ///
    /// The proof is a signature over the SHA-256 of the address. Source: NIP-53, "Proof of Agreement to Participate".
    public func hasAgreed(_ participant: Participant) -> Bool {
        if participant.key == address.author { return true }
        guard let proof = participant.proof else { return false }
        let digest = Array(SHA256.hash(data: Array(address.description.utf8)))
        return proof.bytes.withSpan { signature in
            participant.key.bytes.withSpan { key in
                SchnorrSignature.isValid(signature, message: digest.span, publicKey: key)
            }
        }
    }

    /// The proof that a person takes part in a stream.
    public static func proof(
        of address: EventAddress, by key: borrowing SecretKey, using random: inout some RandomNumberGenerator
    ) -> Signature {
        let digest = Array(SHA256.hash(data: Array(address.description.utf8)))
        guard let message = try? Bytes32(digest.span) else { preconditionFailure("SHA-256 has 32 bytes") }
        return key.sign(message, using: &random)
    }

    private func guessedStatus(now: Timestamp) -> Status {
        if let ends, ends <= now { return .ended }
        guard let starts else { return .ended }
        return starts <= now ? .live : .planned
    }

    private static func participants(_ tags: [Tag]) -> [Participant] {
        var seen: Set<PublicKey> = []
        var found: [Participant] = []
        for tag in tags where tag.name == "p" {
            guard found.count < mostParticipants else { break }
            guard let key = tag.publicKey(at: 1), seen.insert(key).inserted else { continue }
            // A proof that is no signature proves nothing, like one that is missing.
            let proof = tag.text(at: 4).flatMap { try? Signature(hex: $0) }
            found.append(Participant(key: key, relay: tag.relay(at: 2), role: tag[3] ?? "", proof: proof))
        }
        return found
    }

    private static func relays(_ tags: [Tag]) -> [RelayURL] {
        guard let tag = tags.first(where: { $0.name == "relays" }) else { return [] }
        return Array(tag.elements.indices.dropFirst().prefix(40).compactMap(tag.relay).withoutDuplicates().prefix(10))
    }
}

extension [Tag] {
    /// Whom the author of a stream names as its host: who is paid by what is zapped to the stream.
    var liveHosts: Set<PublicKey> {
        Set(
            lazy.filter { $0.name == "p" }.prefix(LiveActivity.mostParticipants).compactMap { tag in
                tag[3]?.lowercased() == "host" ? tag.publicKey(at: 1) : nil
            })
    }
}

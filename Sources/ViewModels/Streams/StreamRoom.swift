public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A live stream with its chat, as its page shows it.
public struct StreamRoom: Hashable, Sendable {
    /// Somebody who takes part.
    public struct Participant: Hashable, Sendable {
        /// Who.
        public let person: PersonItem
        /// What they do there, on one line.
        public let role: String
        /// Whether they signed that they take part; who did not is only invited.
        public let hasAgreed: Bool
    }

    /// The name it was opened by.
    public let word: String
    /// The name by which news of it come.
    public let news: String
    /// The stream; `nil` while it was not found.
    public let stream: StreamItem?
    /// Who takes part.
    public let participants: [Participant]
    /// Who takes part and is not listed.
    public let unlisted: Int
    /// What was said and paid, oldest first.
    public let lines: [StreamLine]
    /// What stands above all others.
    public let pinned: [StreamLine]
    /// What was paid in all, in words; empty for nothing.
    public let paid: String
    /// How many reacted to the stream, in words; empty for nobody.
    public let reactions: String
    /// That repetitions were left out, in words; empty where there are none.
    public let repeats: String
    /// Whether relays are being asked for the first time.
    public let isLoading: Bool
    /// Whether the account muted who hosts it.
    public let isMuted: Bool
    /// The relays of the chat.
    public let relays: [String]

    /// The most participants that are listed.
    public static let mostListed = 24

    /// Reads what a screen needs.
    ///
    /// - Parameter word: the name it was opened by.
    public init(_ room: LiveRoom, word: String, own: PublicKey) {
        self.word = word
        news = StreamWord.word(of: room.address)
        stream = room.stream.flatMap(StreamItem.init)
        participants = room.participants.prefix(Self.mostListed).map {
            Participant(
                person: PersonItem($0.person), role: oneLine($0.role, limit: 30), hasAgreed: $0.hasAgreed)
        }
        unlisted = max(0, room.participants.count - Self.mostListed)
        let names = room.mentioned.mapValues { shownName(of: $0) }
        let known = Dictionary(room.lines.map { ($0.id, $0) }) { first, _ in first }
        lines = room.lines.map { StreamLine($0, among: known, names: names, own: own) }
        pinned = room.pinned.map { StreamLine($0, among: known, names: names, own: own) }
        paid = room.zaps.count == 0 ? "" : ZapWords.sum(room.zaps.millisatoshis, payments: room.zaps.count)
        reactions = StreamWords.reactions(room.reactions)
        repeats = StreamWords.repeats(room.repeats)
        isLoading = room.isLoading
        isMuted = room.isMuted
        relays = room.relays.map(\.text)
    }

    /// A room as an account sees it; goes on listening to it for a while.
    ///
    /// - Throws: ``Trouble``, with ``Trouble/isMissing`` for a name that is no stream's.
    public static func load(_ word: String, of account: any Account) async throws(Trouble) -> StreamRoom {
        let (pointer, streams) = try found(word, of: account)
        let room = try await troubled { try await streams.room(pointer.address, hints: pointer.relays) }
        return StreamRoom(room, word: word, own: account.publicKey)
    }

    /// Says something in a chat.
    ///
    /// - Parameter parent: the line it answers, in hex; empty for none.
    public static func send(
        _ text: String, replyTo parent: String, in word: String, of account: any Account
    ) async throws(Trouble) -> Event {
        let (pointer, streams) = try found(word, of: account)
        if holdsSecretKey(text) { throw Trouble(secretKeyWarning, canRetry: false) }
        // What is no id answers nothing.
        let answered = try? EventID(hex: parent)
        return try await troubled { try await streams.send(text, in: pointer.address, replyTo: answered) }
    }

    /// Does something with a line: `like` or any other reaction, `unlike`, `delete`.
    public static func act(
        _ act: StreamAct, on id: EventID, in word: String, of account: any Account
    ) async throws(Trouble) -> Event {
        let (pointer, streams) = try found(word, of: account)
        return try await troubled {
            switch act {
            case .react(let content): try await streams.react(to: id, in: pointer.address, with: content)
            case .unreact: try await account.publishing.unreact(to: id)
            case .delete: try await streams.delete(id)
            }
        }
    }

    private static func found(
        _ word: String, of account: any Account
    ) throws(Trouble) -> (AddressPointer, any LiveStreaming) {
        guard let streams = account.streams, let pointer = StreamWord.pointer(word) else {
            throw Trouble(StreamWords.noStream, canRetry: false, isMissing: true)
        }
        return (pointer, streams)
    }
}

/// What can be done with a line of a chat.
public enum StreamAct: Hashable, Sendable {
    /// Reacts; `+` is a like.
    case react(String)
    /// Takes the account's reactions back.
    case unreact
    /// Asks relays to delete a line of the account's own.
    case delete
}

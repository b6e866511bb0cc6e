public import NostrClient
public import NostrCore
public import NostrNIPs

/// The first message to one person or several: whom to write to, and the pen.
public struct NewConversationState: Screen {
    /// What was filled in.
    public struct Filled: Hashable, Sendable {
        /// The people chosen so far.
        public var people: [PublicKey]
        /// People still typed: names, `npub…`, `nprofile…`, NIP-05 addresses, with commas between them.
        public var to: String
        /// The message.
        public var draft: MessageDraft

        /// Takes all.
        public init(people: [PublicKey] = [], to: String = "", draft: MessageDraft = MessageDraft()) {
            self.people = people
            self.to = to
            self.draft = draft
        }
    }

    /// Whose account writes.
    public let own: PublicKey
    /// Whether messages can be written.
    public private(set) var access: MessageAccess = .opening
    /// The people chosen.
    public private(set) var people: [PersonItem] = []
    /// What was typed and means nobody in particular yet.
    public private(set) var to = ""
    /// People who may be meant by it.
    public private(set) var candidates: [PersonItem] = []
    /// What was filled in.
    public private(set) var draft = MessageDraft()
    /// What is wrong.
    public private(set) var problem: String?
    /// The conversation the message went into, or the one there is with these people already.
    public private(set) var leadsTo: String?

    private var isSending = false
    private var opens = false

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, perhaps with people in mind; goes to their conversation when there is one.
        case opened(Filled)
        /// Look up who is typed.
        case look(Filled)
        /// Send.
        case send(Filled)
        /// How messages stand; `nil` for an account without a key.
        case state(MessagingState?)
        /// Who the chosen and the typed are: the rest of the text, and people who may be meant by it.
        case looked(people: [Person], rest: String, candidates: [Person])
        /// Whether there is a conversation in a room.
        case known(ChatRoom, Bool)
        /// The message is kept and on its way.
        case sent(ChatRoom)
        /// It failed, and why.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Ask how messages stand.
        case readState
        /// Find people.
        case look([PublicKey], typed: String)
        /// Find out whether there is a conversation in a room.
        case ask(ChatRoom)
        /// Send.
        case send(OutgoingMessage)
    }

    /// The most people besides oneself; each gets wraps of their own.
    public static let mostPeople = 50

    /// A page not opened yet.
    public init(own: PublicKey) {
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let filled):
            opens = true
            return take(filled)
        case .look(let filled):
            return take(filled)
        case .send(let filled):
            isSending = true
            return take(filled)
        case .state(let state):
            access = MessageAccess(state)
            return []
        case .looked(let people, let rest, let candidates):
            return looked(people, rest, candidates)
        case .known(let room, let isKnown):
            if isKnown { leadsTo = room.word }
            return []
        case .sent(let room):
            leadsTo = room.word
            return []
        case .failed(let trouble):
            problem = trouble.sentence
            return []
        }
    }

    private mutating func take(_ filled: Filled) -> [Effect] {
        draft = filled.draft
        to = filled.to
        return [.readState, .look(filled.people, typed: filled.to)]
    }

    private mutating func looked(_ found: [Person], _ rest: String, _ candidates: [Person]) -> [Effect] {
        people = found.map(PersonItem.init)
        to = rest
        self.candidates = candidates.map(PersonItem.init)
        let room = ChatRoom(found.map(\.key) + [own])
        if opens, !people.isEmpty, rest.isEmpty { return [.ask(room)] }
        if !rest.isEmpty {
            problem =
                candidates.isEmpty
                ? "Linnet knows nobody called “\(oneLine(rest, limit: 60))”. Paste their npub instead."
                : "Who is meant by “\(oneLine(rest, limit: 60))”?"
        } else if people.count > Self.mostPeople {
            problem = "These are \(people.count) people; a message goes to at most \(Self.mostPeople)."
        } else if isSending {
            problem = people.isEmpty ? "Say first who shall have it." : draft.problem
            if problem == nil { return [.send(draft.outgoing(to: room, usual: .kept))] }
        }
        return []
    }
}

extension ScreenModel where S == NewConversationState {
    /// The first message of an account to somebody.
    public init(newConversationOf account: any Account) {
        self.init(NewConversationState(own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .state(await account.messages?.state())
                case .look(let chosen, let typed): return try await look(chosen, typed: typed, account)
                case .ask(let room):
                    // Where nothing can be read, nothing is known.
                    return .known(room, try await openMessages(account).room(room.word) != nil)
                case .send(let message): return .sent(try await openMessages(account).send(message).room)
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

/// Finds the people chosen, and those typed as far as what is typed means exactly one.
private func look(
    _ chosen: [PublicKey], typed: String, _ account: any Account
) async throws -> NewConversationState.Input {
    var keys = chosen
    var rest: [String] = []
    var candidates: [Person] = []
    for word in typed.split(whereSeparator: { ",;\n".contains($0) }).prefix(NewConversationState.mostPeople) {
        let text = String(word).trimmingSpace()
        guard !text.isEmpty else { continue }
        if let pointer = ProfilePointer(pasted: text) {
            keys.append(pointer.key)
            continue
        }
        let found = try await account.people.matching(oneLine(text, limit: 80), limit: 8)
        let exact = found.filter { isCalled($0, text) }
        if exact.count == 1 {
            keys += exact.map(\.key)
        } else {
            rest.append(text)
            candidates += found
        }
    }
    var people: [Person] = []
    for key in keys where !people.contains(where: { $0.key == key }) {
        guard people.count <= NewConversationState.mostPeople else { break }
        people.append(try await account.people.person(key))
    }
    return .looked(people: people, rest: rest.joined(separator: ", "), candidates: candidates)
}

private func isCalled(_ person: Person, _ text: String) -> Bool {
    let wanted = text.lowercased()
    let address = (person.fields["nip05"] ?? "").lowercased()
    return address == wanted || address == "_@" + wanted || PersonItem(person).name.lowercased() == wanted
}

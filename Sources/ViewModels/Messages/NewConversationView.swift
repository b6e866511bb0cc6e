public import NostrClient
public import NostrCore
internal import NostrNIPs

/// The first message to one person or several: whom to write to, and the pen.
public struct NewConversationView: Hashable, Sendable {
    /// What was filled in.
    public struct Filled: Hashable, Sendable {
        /// The people chosen so far.
        public var people: [PublicKey]
        /// People still typed: names, `npub…`, `nprofile…`, NIP-05 addresses, with commas between them.
        public var to: String
        /// The message.
        public var draft: MessageDraft

        /// A form as it was posted; an empty one without arguments.
        public init(people: [PublicKey] = [], to: String = "", draft: MessageDraft = MessageDraft()) {
            self.people = people
            self.to = to
            self.draft = draft
        }
    }

    /// Whose account writes.
    public let own: PublicKey
    /// Whether messages can be written.
    public let access: MessageAccess
    /// The people chosen.
    public private(set) var people: [PersonItem] = []
    /// What was typed and means nobody in particular yet.
    public private(set) var to: String
    /// People who may be meant by it.
    public private(set) var candidates: [PersonItem] = []
    /// What was filled in.
    public let draft: MessageDraft
    /// What is wrong.
    public private(set) var problem: String?
    /// The conversation the message went into, or the one there is with these people already.
    public private(set) var leadsTo: String?

    /// The most people besides the writer; each gets wraps of their own.
    public static let mostPeople = 50

    /// Opens the page, perhaps with people in mind; leads to their conversation when there is one.
    public static func open(_ filled: Filled, of account: any Account) async -> NewConversationView {
        await make(filled, account) { view, room in
            guard !view.people.isEmpty, view.to.isEmpty else { return view.check() }
            // Where nothing can be read, nothing is known.
            if try await openMessages(account).room(room.word) != nil { view.leadsTo = room.word }
        }
    }

    /// Looks up who is typed.
    public static func look(_ filled: Filled, of account: any Account) async -> NewConversationView {
        await make(filled, account) { view, _ in view.check() }
    }

    /// Sends, if everybody is known and nothing is wrong with the message; ``leadsTo`` says where it went.
    public static func send(_ filled: Filled, of account: any Account) async -> NewConversationView {
        await make(filled, account) { view, room in
            view.check()
            guard view.problem == nil else { return }
            view.problem = view.people.isEmpty ? ConversationWords.nobodyChosen : view.draft.problem
            guard view.problem == nil else { return }
            let message = view.draft.outgoing(to: room, usual: .kept)
            let messages = try openMessages(account)
            if let file = view.draft.file {
                _ = try await messages.keep(file, with: message)
                view.leadsTo = room.word
            } else {
                view.leadsTo = try await messages.send(message).room.word
            }
        }
    }

    private init(_ filled: Filled, own: PublicKey, _ access: MessageAccess) {
        (self.own, self.access, draft, to) = (own, access, filled.draft, filled.to)
    }

    private static func make(
        _ filled: Filled, _ account: any Account,
        _ finish: (inout NewConversationView, ChatRoom) async throws -> Void
    ) async -> NewConversationView {
        let access = MessageAccess(await account.messagingState())
        var view = NewConversationView(filled, own: account.publicKey, access)
        do {
            let found = try await findPeople(filled.people, typed: filled.to, account)
            view.people = found.people.map(PersonItem.init)
            view.candidates = found.candidates.map(PersonItem.init)
            view.to = found.rest
            try await finish(&view, ChatRoom(found.people.map(\.key) + [view.own]))
        } catch {
            view.problem = Trouble(error).sentence
        }
        return view
    }

    /// Says what is wrong with the people.
    private mutating func check() {
        if !to.isEmpty {
            let name = oneLine(to, limit: 60)
            problem = candidates.isEmpty ? ConversationWords.nobodyCalled(name) : ConversationWords.whoIsMeant(by: name)
        } else if people.count > Self.mostPeople {
            problem = ConversationWords.tooManyPeople(people.count, most: Self.mostPeople)
        }
    }
}

/// Finds the people chosen, and those typed as far as what is typed means exactly one person.
private func findPeople(
    _ chosen: [PublicKey], typed: String, _ account: any Account
) async throws -> (people: [Person], rest: String, candidates: [Person]) {
    var keys = chosen
    var rest: [String] = []
    var candidates: [Person] = []
    for word in typed.split(whereSeparator: { ",;\n".contains($0) }).prefix(NewConversationView.mostPeople) {
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
        guard people.count <= NewConversationView.mostPeople else { break }
        people.append(try await account.people.person(key))
    }
    return (people, rest.joined(separator: ", "), candidates)
}

private func isCalled(_ person: Person, _ text: String) -> Bool {
    let wanted = text.lowercased()
    let address = (person.fields["nip05"] ?? "").lowercased()
    return address == wanted || address == "_@" + wanted || PersonItem(person).name.lowercased() == wanted
}

public import NostrClient
public import NostrCore

/// A person and what they wrote.
public struct ProfileState: Screen {
    /// Whose account looks.
    public let own: PublicKey
    /// Whose page.
    public let key: PublicKey
    /// Whether answers are shown too.
    public let withReplies: Bool
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The person.
    public private(set) var person: PersonItem?
    /// What they wrote.
    public private(set) var timeline: TimelineState

    /// Whether it is one's own page.
    public var isOwn: Bool { key == own }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened: at the top, or below a place.
        case opened(below: TimelineCursor?)
        /// The person came.
        case person(Person)
        /// Something for the notes.
        case timeline(TimelineState.Input)
        /// Reading the person failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the person.
        case readPerson(PublicKey)
        /// Something for the notes.
        case timeline(TimelineState.Effect)
    }

    /// A page not opened yet.
    public init(_ key: PublicKey, withReplies: Bool, own: PublicKey) {
        self.key = key
        self.own = own
        self.withReplies = withReplies
        timeline = TimelineState(.author(key, replies: withReplies), own: own)
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let place):
            return [.readPerson(key)] + timeline.apply(.opened(below: place)).map(Effect.timeline)
        case .person(let person):
            phase = .ready
            self.person = PersonItem(person)
            return []
        case .timeline(let input):
            return timeline.apply(input).map(Effect.timeline)
        case .failed(let trouble):
            if person == nil { phase = .failed(trouble) }
            return []
        }
    }
}

extension ScreenModel where S == ProfileState {
    /// A person's page, read through an account.
    public init(person key: PublicKey, withReplies: Bool, of account: any Account) {
        let source = TimelineSource.author(key, replies: withReplies)
        self.init(ProfileState(key, withReplies: withReplies, own: account.publicKey)) { effect in
            switch effect {
            case .readPerson(let key):
                do { return .person(try await account.people.person(key)) } catch { return .failed(Trouble(error)) }
            case .timeline(let effect):
                return .timeline(await readTimeline(effect, source, account))
            }
        }
    }
}

public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A note under the pen: new, an answer or a quote.
public struct ComposeState: Screen {
    /// What was filled in.
    public struct Draft: Hashable, Sendable {
        /// The text, people as `@name`.
        public var text = ""
        /// The people picked while writing, by the name written after `@`.
        public var mentions: [String: PublicKey] = [:]
        /// The reason of a content warning, empty for none given; `nil` without a warning.
        public var warning: String?
        /// Files of a draft of another program, as its `imeta` tags tell of them.
        public var attachments: [Tag] = []
        /// The address of a file that is to be added.
        public var fileAddress = ""
        /// What can be seen or heard in it.
        public var fileDescription = ""
        /// What it is published as in place of a note.
        public var mediaPost: MediaPost?

        /// An empty page, or one with some text.
        public init(
            text: String = "", mentions: [String: PublicKey] = [:], warning: String? = nil, attachments: [Tag] = [],
            mediaPost: MediaPost? = nil
        ) {
            self.mediaPost = mediaPost
            self.attachments = attachments.filter { $0.mediaAddress != nil }
            self.text = text
            self.mentions = mentions
            self.warning = warning
        }
    }

    /// Whose account writes.
    public let own: PublicKey
    /// The note to answer.
    public let replyTo: EventID?
    /// The note to quote.
    public let quote: EventID?
    /// The kept draft it was taken up from.
    public private(set) var keptAs: String?
    /// Whether it was kept as a draft just now.
    public private(set) var isKept = false
    /// What was filled in.
    public private(set) var draft = Draft()
    /// The note answered, when known.
    public private(set) var answered: NoteItem?
    /// The note quoted, when known.
    public private(set) var quoted: NoteItem?
    /// How it will look, when asked for.
    public private(set) var preview: [ContentPart]?
    /// What is wrong with it.
    public private(set) var problem: String?
    /// What was handed over to be published.
    public private(set) var handedOver: Composition?

    /// The most characters of a note; relays cut or refuse far longer ones.
    public static let longest = 20_000

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, perhaps with text that was undone.
        case opened(Draft)
        /// A note it refers to.
        case related(EventID, NoteItem?)
        /// Show how it will look.
        case preview(Draft)
        /// Add the file that was named.
        case attach(Draft)
        /// Publish it.
        case publish(Draft)
        /// Keep it for later.
        case keep(Draft)
        /// It is kept under this name.
        case kept(String)
        /// It was not kept.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read a note it refers to.
        case readNote(EventID)
        /// Keep a draft, in place of the one of that name.
        case keep(Composition, id: String?)
    }

    /// A page not opened yet.
    public init(replyTo: EventID? = nil, quote: EventID? = nil, keptAs: String? = nil, own: PublicKey) {
        self.replyTo = replyTo
        self.quote = quote
        self.keptAs = keptAs
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let draft):
            self.draft = draft
            return related
        case .related(let id, let note):
            if id == replyTo { answered = note }
            if id == quote { quoted = note }
            return []
        case .preview(let draft):
            open(draft)
            preview = problem == nil ? contentParts(written: resolvedText, mentions: draft.mentions) : nil
            return related
        case .attach(let draft):
            open(draft)
            // More may be written; only what is wrong with the file is said.
            if self.draft.fileAddress.isEmpty { problem = nil }
            return related
        case .publish(let draft):
            open(draft)
            guard problem == nil else { return related }
            handedOver = composition
            return []
        case .keep(let draft):
            open(draft)
            return problem == nil ? related + [.keep(composition, id: keptAs)] : related
        case .kept(let id):
            keptAs = id
            isKept = true
            return []
        case .failed(let trouble):
            problem = trouble.sentence
            return []
        }
    }

    private var composition: Composition {
        Composition(
            text: resolvedText, replyTo: replyTo, quote: quote, contentWarning: draft.warning,
            attachments: draft.attachments, mediaPost: replyTo == nil && quote == nil ? draft.mediaPost : nil)
    }

    private var related: [Effect] {
        [replyTo, quote].compactMap { $0 }.map(Effect.readNote)
    }

    private mutating func open(_ draft: Draft) {
        self.draft = draft
        self.draft.warning = draft.warning.map { oneLine($0, limit: 100) }
        let fileProblem = self.draft.addFile()
        let isEmpty = draft.text.allSatisfy(\.isWhitespace)
        if let fileProblem {
            problem = fileProblem
        } else if isEmpty && quote == nil && self.draft.attachments.isEmpty {
            problem = ComposeWords.nothingYet
        } else if draft.text.utf8.count > Self.longest {
            problem = ComposeWords.tooLong(draft.text.utf8.count, of: Self.longest)
        } else if holdsSecretKey(draft.text + " " + draft.fileDescription) {
            problem = ComposeWords.secretKey
        } else {
            problem = composition.mediaPost.flatMap { self.draft.problem(as: $0) }
        }
    }

    private var resolvedText: String {
        resolveMentions(draft.text.trimmingSpace(), draft.mentions)
    }
}

extension String {
    /// Without white space at both ends.
    func trimmingSpace() -> String {
        let start = drop { $0.isWhitespace }
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}

extension ScreenModel where S == ComposeState {
    /// A page to write on, for an account.
    public init(
        replyTo: EventID? = nil, quote: EventID? = nil, keptAs: String? = nil, of account: any Account
    ) {
        let state = ComposeState(replyTo: replyTo, quote: quote, keptAs: keptAs, own: account.publicKey)
        self.init(state) { effect in
            switch effect {
            case .keep(let composition, let id):
                do {
                    return .kept(try await openDrafts(account).saveDraft(composition, id: id).id)
                } catch {
                    return .failed(Trouble(error))
                }
            case .readNote(let id):
                // Without the note the page still works; it only shows less.
                let thread = try? await account.timeline.thread(id, hints: [])
                return .related(id, thread?.focus.flatMap { NoteItem($0, own: account.publicKey) })
            }
        }
    }
}

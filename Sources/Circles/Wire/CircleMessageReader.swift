internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Makes something of one rumor.
struct CircleMessageReader {
    private typealias Body = CircleMessage.Body

    let rumor: Rumor
    let isFromAdmin: Bool

    /// What the rumor says, and when its author says they sent it.
    func read() -> (CircleMessage.Body, Timestamp) {
        switch rumor.kind {
        case CircleMessage.chatKind: spoken()
        case CircleMessage.locationKind: typed(quiet: false)
        case CircleMessage.quietKind:
            rumor.tags.firstValue("d") == CircleMessage.quietTag.value
                ? typed(quiet: true) : (.unknown(.kind(rumor.kind)), rumor.createdAt)
        case CircleMessage.leaveRequestKind: (.leaveRequest, rumor.createdAt)
        case Reaction.kind: (reaction(), rumor.createdAt)
        case DeletionRequest.kind: (deletion(), rumor.createdAt)
        default: (.unknown(.kind(rumor.kind)), rumor.createdAt)
        }
    }

    // MARK: - Kind 9

    /// Plain text, or one of Whistle's payloads.
    private func spoken() -> (Body, Timestamp) {
        switch CirclePayload.read(rumor.content) {
        case .text: (chat(rumor.content), rumor.createdAt)
        case .refused: (.unknown(.malformed), rumor.createdAt)
        case .payload(let payload): (spoken(payload), payload.sentAt ?? rumor.createdAt)
        }
    }

    private func spoken(_ payload: CirclePayload) -> Body {
        if payload.type == "chat" {
            return current(payload) { $0["text"]?.string.map(chat) }
        }
        return aboutMember(payload) ?? .unknown(.type)
    }

    /// A line of the chat, without the reference to what it answers that NIP-C7 puts in front.
    private func chat(_ text: String) -> Body {
        let parent = parent()
        let line = parent.map { withoutReference(to: $0, text) } ?? text
        let hasFile = rumor.tags.contains { $0.name == "imeta" }
        let isEmpty = line.allSatisfy(\.isWhitespace)
        return isEmpty && !hasFile ? .unknown(.malformed) : .chat(line, replyTo: parent)
    }

    /// What a line answers: the first `q` tag, else the last `e` tag, as White Noise takes them.
    private func parent() -> EventID? {
        rumor.tags.named("q").lazy.compactMap { $0.eventID(at: 1) }.first
            ?? rumor.tags.named("e").last?.eventID(at: 1)
    }

    private func withoutReference(to id: EventID, _ text: String) -> String {
        let word = text.prefix { !$0.isWhitespace }
        // A code longer than any is no reference; what is none stays where it is.
        guard word.hasPrefix("nostr:"), word.utf8.count <= 1024,
            let entity = try? NostrEntity(String(word.dropFirst(6)))
        else { return text }
        let named: EventID? =
            switch entity {
            case .note(let note): note
            case .nevent(let pointer): pointer.id
            default: nil
            }
        guard named == id else { return text }
        let rest = text[word.endIndex...].drop(while: \.isWhitespace)
        return rest.isEmpty ? text : String(rest)
    }

    // MARK: - Kinds 1 and 78

    private func typed(quiet: Bool) -> (Body, Timestamp) {
        switch CirclePayload.read(rumor.content) {
        case .text: (.unknown(quiet ? .malformed : .kind(rumor.kind)), rumor.createdAt)
        case .refused: (.unknown(.malformed), rumor.createdAt)
        case .payload(let payload):
            (quiet ? self.quiet(payload) : located(payload), payload.sentAt ?? rumor.createdAt)
        }
    }

    private func located(_ payload: CirclePayload) -> Body {
        guard payload.type == "location" else { return .unknown(.type) }
        return current(payload) { LocationPayload($0, else: rumor.createdAt).map(Body.location) }
    }

    private func quiet(_ payload: CirclePayload) -> Body {
        switch payload.type {
        case "sharing": current(payload) { SharingNotice($0).map(Body.sharing) }
        case "step-question": current(payload) { _ in .stepQuestion }
        case "reaction":
            current(payload) { payload in
                // An id that cannot be read is malformed, as one that is missing.
                guard let target = payload["e"]?.string.flatMap({ try? EventID(hex: $0) }),
                    let content = payload["content"]?.string
                else { return nil }
                return reaction(content, to: target)
            }
        default: aboutMember(payload) ?? .unknown(.type)
        }
    }

    /// Names and pictures, which come in kind 9 from Whistle and in kind 78 from us; nil for other types.
    private func aboutMember(_ payload: CirclePayload) -> Body? {
        switch payload.type {
        case "nickname": current(payload) { $0["name"]?.string.map { .nickname(shownName($0)) } }
        case "avatar": current(payload) { picture($0).map(Body.avatar) }
        case "group_avatar":
            isFromAdmin ? current(payload) { picture($0).map(Body.circleAvatar) } : .unknown(.notAdmin)
        default: nil
        }
    }

    /// A picture, or none where it is taken away; nil for what is neither.
    private func picture(_ payload: CirclePayload) -> CircleImage?? {
        guard let text = payload["img"]?.string else { return nil }
        if text.isEmpty { return .some(nil) }
        return CircleImage(base64: text).map(Optional.some)
    }

    /// Reads a payload if it is of the version we know.
    ///
    /// A version is raised only when something means another thing than before, so nothing is guessed.
    private func current(_ payload: CirclePayload, _ read: (CirclePayload) -> Body?) -> Body {
        guard let version = payload.version, version > 0 else { return .unknown(.malformed) }
        guard version == CirclePayload.version else { return .unknown(.laterVersion) }
        return read(payload) ?? .unknown(.malformed)
    }

    // MARK: - Kinds 7 and 5

    private func reaction() -> Body {
        guard let reaction = ChatReaction(rumor), rumor.content.utf8.count <= CircleMessage.longestReaction else {
            return .unknown(.malformed)
        }
        return .reaction(reaction.meaning, to: reaction.target)
    }

    /// A reaction within a quiet message: the same words mean the same as in kind 7.
    private func reaction(_ content: String, to target: EventID) -> Body? {
        let draft = EventDraft(
            kind: Reaction.kind, tags: [["e", target.hex]], content: content, createdAt: rumor.createdAt)
        let inner = CircleMessageReader(rumor: Rumor(draft, author: rumor.pubkey), isFromAdmin: false)
        return inner.reaction()
    }

    private func deletion() -> Body {
        ChatDeletion(rumor).map { .deletion($0.targets) } ?? .unknown(.malformed)
    }
}

internal import NostrClient
internal import NostrCore
public import NostrNIPs

/// Which kind of program a member uses, as far as what they sent tells.
///
/// What is a name to one program is a line of the chat to another, so what we send depends on who reads; see the
/// decision "What members of a circle see of each other's programs".
public enum CircleProgram: String, Hashable, Sendable, CaseIterable {
    /// This one.
    case linnet
    /// Whistle: it lists every message whose content is not JSON with a `type` of its own, whatever the kind.
    case whistle
    /// White Noise and others that follow NIP-C7: they list every message of kind 9 as it stands.
    case other

    /// What wrote a message; nil where every program could have.
    public init?(writing rumor: Rumor) {
        if rumor.tags.contains(CircleMessage.clientTag) || rumor.tags.contains(CircleMessage.quietTag) {
            self = .linnet
            return
        }
        switch rumor.kind {
        case CircleMessage.locationKind, CircleMessage.leaveRequestKind: self = .whistle
        case CircleMessage.chatKind:
            if case .text = CirclePayload.read(rumor.content) { self = .other } else { self = .whistle }
        case Reaction.kind, DeletionRequest.kind: self = .other
        default: return nil
        }
    }
}

extension Set<CircleProgram> {
    /// Whether what is not chat is sent as Whistle reads it: somebody uses Whistle, and nobody a program that would
    /// show it as a line of the chat.
    var wantsWhistlesForms: Bool { contains(.whistle) && !contains(.other) }
}

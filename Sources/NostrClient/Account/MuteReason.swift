/// Why something is not shown; the first rule that holds, in the order of these cases.
public enum MuteReason: String, Hashable, Sendable, CaseIterable {
    /// Who wrote it is muted.
    case person
    /// Who wrote what it reposts is muted.
    case reposted
    /// It holds a muted word.
    case word
    /// It belongs to a muted conversation.
    case conversation
    /// It is about a muted topic.
    case topic
}

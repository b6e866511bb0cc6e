internal import NostrNIPs

/// Whose votes a person has counted.
public enum PollVotersChoice: Hashable, Sendable {
    /// Everybody's but those of muted people.
    case everyone
    /// Those of the people the account follows, and its own.
    case followed
    /// Those of the people on a set of the account's own (kind 30000).
    case list(identifier: String)
    /// Those with so many bits of work in them (NIP-13).
    case work(bits: Int)

    /// How much work a page offers to ask for; others can be written into its address.
    public static let offeredWork = [8, 16, 24]
    /// Identifiers of sets that are longer, in bytes, are none.
    private static let longestIdentifier = 512

    /// The choice as one word, for addresses of pages and the command line.
    ///
    /// Shape: `everyone`, `followed`, `list:birders`, `work:16`.
    public var word: String {
        switch self {
        case .everyone: "everyone"
        case .followed: "followed"
        case .list(let identifier): "list:" + identifier
        case .work(let bits): "work:\(bits)"
        }
    }

    /// Reads a ``word``; `nil` for anything else, and for work that nobody can do.
    public init?(word: String) {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("everyone", nil): self = .everyone
        case ("followed", nil): self = .followed
        case ("list", let identifier?) where identifier.utf8.count <= Self.longestIdentifier:
            self = .list(identifier: identifier)
        case ("work", let number?):
            guard let bits = Int(number), "\(bits)" == number, (1...ProofOfWork.mostBits).contains(bits) else {
                return nil
            }
            self = .work(bits: bits)
        default: return nil
        }
    }
}

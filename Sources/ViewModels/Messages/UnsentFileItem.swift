public import NostrClient

/// A file that no media server has taken yet, as a conversation or a circle's chat shows it.
public struct UnsentFileItem: Hashable, Sendable, Identifiable {
    /// What it is called in addresses.
    public let id: String
    /// What it is called on the person's device; its sort where that is not known.
    public let name: String
    /// How large it is, in words.
    public let size: String
    /// The words that go out with it, in one line; empty for none.
    public let text: String
    /// How it stands, in words.
    public let words: String
    /// Whether nothing happens before the person wants it.
    public let hasFailed: Bool
    /// Whether it can be tried now.
    public let canRetry: Bool

    /// Shows a moment of one.
    ///
    /// - Parameter isCircle: whether it waits in a circle.
    public init(_ file: UnsentFile, isCircle: Bool = false) {
        id = file.id
        let name = oneLine(file.name, limit: 80)
        self.name = name.isEmpty ? ConversationWords.sort(of: file.type.prefix { $0 != "/" }) : name
        size = ConversationWords.size(file.size)
        text = oneLine(file.text, limit: 80)
        hasFailed = file.standing == .failed
        canRetry = file.standing != .underWay
        words = Self.words(file, isCircle: isCircle)
    }

    private static func words(_ file: UnsentFile, isCircle: Bool) -> String {
        if file.isSent {
            return file.standing == .failed ? SealedFileWords.wordsFailed : SealedFileWords.wordsFollow
        }
        let trouble = file.trouble?.sentence
        return switch file.standing {
        case .underWay: SealedFileWords.underWay
        case .waiting:
            trouble.map { "\($0) \(SealedFileWords.triedAgain(isCircle: isCircle))" }
                ?? SealedFileWords.waiting(isCircle: isCircle)
        case .failed: trouble ?? SealedFileError.notSent.sentence
        }
    }
}

internal import NostrClient

/// What is said in the place of something that is muted; never who or what it is.
enum MuteWords {
    static func stub(_ reason: MuteReason) -> String {
        switch reason {
        case .person: "You muted who wrote this."
        case .reposted: "You muted the author of the note this reposts."
        case .word: "This contains a word you muted."
        case .conversation: "You muted this conversation."
        case .topic: "You muted this topic."
        }
    }

    static func stubs(_ count: Int) -> String { count == 1 ? "1 muted reply." : "\(count) muted replies." }
}

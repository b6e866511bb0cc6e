internal import NostrClient

extension NoteContent {
    /// A poll with how it stands; words alone where it could not be read as one.
    static func of(_ poll: NotePoll?) -> NoteContent {
        switch poll {
        case .votes(let standing): .poll(PollItem(standing))
        case .zaps(let standing): .zapPoll(ZapPollItem(standing))
        case nil: .text
        }
    }
}

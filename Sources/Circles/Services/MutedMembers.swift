internal import NostrClient
internal import NostrCore

/// What circles ask the account's mutes: one value for all of a page.
extension Mutes {
    /// Whether somebody is muted.
    func hides(_ person: PublicKey) -> Bool { verdict(on: person, in: .conversation) != .shown }

    /// The same of somebody as records name them, in hex; what is no key is nobody's.
    func hides(person word: String) -> Bool {
        guard !people.isEmpty, let key = try? PublicKey(hex: word) else { return false }
        return hides(key)
    }

    /// What becomes of a line of a chat.
    ///
    /// A change of the group is always shown: who is in it must be known, whoever let them in.
    func verdict(on line: CircleChat.Line, in place: MutePlace) -> MuteVerdict {
        guard let message = line.message, case .chat(let text, _) = message.body else { return .shown }
        return verdict(on: message.rumor, saying: text, in: place)
    }
}

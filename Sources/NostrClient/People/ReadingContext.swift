internal import NostrCore

/// What an account knows that a page of people or notes needs; taken once per page.
struct ReadingContext: Sendable {
    var account: PublicKey
    var follows: Set<PublicKey>
    var lists: [PublicKey: PersonRelays]
    var now: Timestamp
    var mutes: Mutes
    var names: NameChecks

    /// A person as pages show them; of one who is muted only the key, wherever they would stand.
    ///
    /// - Parameter evenMuted: whether the reader asked for exactly this person.
    func person(_ key: PublicKey, fields: [String: String], evenMuted: Bool = false) -> Person {
        let isMuted = mutes.verdict(on: key, in: .timeline) != .shown
        let fields = isMuted && !evenMuted ? [:] : fields
        var person = Person(key: key, fields: fields, isFollowed: follows.contains(key))
        person.address = names.address(of: key, claiming: fields["nip05"])
        person.isMuted = isMuted
        if let relays = lists[key] {
            person.writeRelays = relays.write
            person.readRelays = relays.read
        }
        return person
    }
}

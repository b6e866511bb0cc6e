internal import NostrCore

/// What an account knows that a page of people or notes needs; taken once per page.
struct ReadingContext: Sendable {
    var account: PublicKey
    var follows: Set<PublicKey>
    var lists: [PublicKey: PersonRelays]
    var now: Timestamp
    var mutes: Mutes
    var names: NameChecks

    func person(_ key: PublicKey, fields: [String: String]) -> Person {
        var person = Person(key: key, fields: fields, isFollowed: follows.contains(key))
        person.address = names.address(of: key, claiming: fields["nip05"])
        person.isMuted = mutes.people.contains(key)
        if let relays = lists[key] {
            person.writeRelays = relays.write
            person.readRelays = relays.read
        }
        return person
    }
}

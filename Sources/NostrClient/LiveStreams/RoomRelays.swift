internal import NostrCore
internal import NostrNIPs

/// Where a stream's chat is read and written.
struct RoomRelays {
    /// The most relays of one room.
    static let most = 10

    /// What a link to the stream says.
    var hints: [RelayURL]
    /// What the stream's author says.
    var activity: [RelayURL]
    /// Where the host reads and writes; `nil` where that is not known.
    var host: PersonRelays?

    /// The relays, best first: never none as long as the account has any relay at all.
    func chosen(by router: RelayRouter) -> [RelayURL] {
        var foreign = Array(hints.prefix(4)) + Array(activity.prefix(5))
        if let host { foreign += Array(host.read.prefix(2)) + Array(host.write.prefix(3)) }
        // The last places are the account's own, so that it can read and write at all where all others are dead.
        let strangers = Array(foreign.filter(router.trusts).uniqued().prefix(Self.most - 3))
        let own = Array(router.ownRead.prefix(3)) + Array(router.ownWrite.prefix(2))
        return Array((strangers + own).uniqued().oncePerEndpoint().prefix(Self.most))
    }
}

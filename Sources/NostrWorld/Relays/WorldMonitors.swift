internal import NostrCore
internal import NostrNIPs

/// What two monitors of a world found out about its relays (NIP-66, kind 30166), kept where ``WorldTopics`` are.
enum WorldMonitors {
    /// Their claims, as messy as real ones: some without a time, one of them about relays that are gone.
    static func claims(about relays: [WorldRelay], dead: [RelayURL], now: Timestamp, seed: UInt64) -> [Event] {
        // A sequence of its own: monitors change nothing of what people do.
        var dice = Dice(seed: seed ^ 0x30_166)
        var events: [Event] = []
        for number in 0..<2 {
            let monitor = SecretKey.generate(using: &dice)
            for relay in relays where dice.chance(0.8) {
                var tags: [Tag] = [["d", relay.address.text], ["n", "clearnet"]]
                if relay.trait != .silent, relay.trait != .dead {
                    tags.append(["rtt-open", String(dice.whole(5...900))])
                }
                switch relay.trait {
                case .paid: tags += [["R", "payment"], ["R", "!auth"]]
                case .authenticating: tags.append(["R", "auth"])
                default: tags.append(["R", "!payment"])
                }
                events.append(claim(tags, by: monitor, at: now, using: &dice))
            }
            guard number == 1 else { continue }
            for address in dead {
                events.append(claim([["d", address.text], ["rtt-open", "1"]], by: monitor, at: now, using: &dice))
            }
        }
        return events
    }

    private static func claim(
        _ tags: [Tag], by monitor: borrowing SecretKey, at moment: Timestamp, using dice: inout Dice
    ) -> Event {
        let draft = EventDraft(kind: RelayDiscovery.kind, tags: tags, content: "", createdAt: moment)
        return Event(signing: draft, with: monitor, using: &dice)
    }
}

internal import NostrCore
internal import NostrNIPs

/// What is spoken of most in a world: a list that its everyday relays keep (NIP-51, kind 30015), as trending feeds do.
public enum WorldTopics {
    /// The `d` tag of the list.
    public static let identifier = "trending"

    private static let most = 20

    /// The relays that keep the list.
    static func holders(among relays: [WorldRelay]) -> [Int] {
        relays.filter { $0.trait == .reliable || $0.trait == .commons }.map(\.number)
    }

    /// The list, made from the hashtags of a week of notes.
    static func list(of events: [Event], now: Timestamp, seed: UInt64) -> Event {
        var counts: [String: Int] = [:]
        for event in events where event.kind == 1 && event.createdAt > now - .seconds(7 * 86_400) {
            for topic in Set(event.tags.filter { $0.name == "t" }.compactMap(\.value)) {
                counts[topic, default: 0] += 1
            }
        }
        let topics = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.prefix(most)
        var list = PublicList(kind: .interestSets, identifier: identifier)
        list.rename(title: "Trending", summary: "")
        for topic in topics { list.append(.hashtag(topic.key)) }
        // A sequence of its own: the list changes nothing of what people do.
        var dice = Dice(seed: seed ^ 0x70_21C5)
        let curator = SecretKey.generate(using: &dice)
        return Event(signing: list.draft(now: now), with: curator, using: &dice)
    }
}

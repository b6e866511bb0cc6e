public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// An app that says it opens an event of a kind that Linnet does not show, as a screen shows it.
public struct AppOfferItem: Hashable, Sendable {
    /// What it calls itself, or its host, on one line.
    public let name: String
    /// Where its page lies; an app can call itself anything.
    public let host: String
    /// The page that opens the event; begins with `https://`.
    public let address: String
    /// Some of the people the account follows who recommend it or made it, and the account itself.
    public let people: [PersonItem]
    /// How many more there are.
    public let others: Int

    /// So many people are named.
    static let mostNamed = 3

    /// Reads an offer; `nil` where its address is none of the web.
    init?(_ offer: AppOffer) {
        guard let address = webAddress(offer.page.address), address.hasPrefix("https://") else { return nil }
        self.address = address
        host = oneLine(offer.page.host, limit: 80)
        let called = oneLine(offer.name, limit: 60)
        name = called.isEmpty ? host : called
        people = offer.people.prefix(Self.mostNamed).map { PersonItem($0) }
        others = offer.people.count - people.count
    }

    /// The apps for a note that is opened; none for what Linnet shows itself, and where they cannot be read now.
    public static func load(opening note: NoteItem, of account: any Account) async -> [AppOfferItem] {
        guard case .unknown = note.content else { return [] }
        // A page without them is better than none.
        let offers = (try? await account.apps?.apps(opening: note.id)) ?? []
        return offers.compactMap { AppOfferItem($0) }
    }
}

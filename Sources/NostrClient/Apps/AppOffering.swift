public import NostrCore
public import NostrNIPs

/// An app that says it opens an event of a kind that Linnet does not show.
public struct AppOffer: Hashable, Sendable {
    /// What the app calls itself; empty where it says nothing.
    public var name: String
    /// The page that opens the event.
    public var page: AppHandler.Page
    /// People the account follows who recommend the app or made it, and the account itself; empty for an app of strangers.
    public var people: [Person]

    /// An offer that is known already.
    public init(name: String, page: AppHandler.Page, people: [Person] = []) {
        self.name = name
        self.page = page
        self.people = people
    }
}

/// Apps for kinds that Linnet does not show (NIP-89); implemented by ``AppFinder``.
public protocol AppOffering: Sendable {
    /// Apps that open an event, those that people the account follows recommend first; from the store, and relays are
    /// asked for more.
    func apps(opening id: EventID) async throws -> [AppOffer]
}

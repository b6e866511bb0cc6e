import NostrCore
import NostrStore

/// What a store holds, page by page, so that a store of any size can be written out.
struct StoredEvents<Store: EventStore & VersionStore>: Sendable {
    private let store: Store
    private let pageSize: Int

    /// All events of a store, a page at a time.
    ///
    /// - Parameter pageSize: how many events are read at once.
    init(_ store: Store, pageSize: Int = 2000) {
        self.store = store
        self.pageSize = pageSize
    }

    /// Hands on the events that match, newest first, each once.
    ///
    /// - Returns: how many there were.
    func forEachPage(_ filter: Filter, _ body: ([Event]) throws -> Void) async throws -> Int {
        var filter = filter
        var last: Event?
        var want = pageSize
        var count = 0
        while true {
            filter.limit = want
            let batch = try await store.query([filter])
            let fresh = batch.filter { event in last.map { $0.isListed(before: event) } ?? true }
            if !fresh.isEmpty { try body(fresh) }
            count += fresh.count
            guard batch.count >= want else { return count }
            // A second with more events than one page holds is read again in larger pieces.
            want = fresh.isEmpty ? want * 2 : pageSize
            last = fresh.last ?? last
            filter.until = last?.createdAt
        }
    }

    /// Hands on the kept versions that match and are no longer in force, address by address.
    ///
    /// - Returns: how many there were.
    func forEachVersion(_ filter: Filter, _ body: ([Event]) throws -> Void) async throws -> Int {
        var count = 0
        for author in try await store.versionedAuthors().sorted() where filter.authors?.contains(author) ?? true {
            for address in try await store.versionCounts(of: author) {
                let versions = try await store.versions(
                    of: author, kind: address.kind, identifier: address.identifier
                ).filter(filter.matches)
                let inForce = Set(try await store.query([Filter(ids: Set(versions.map(\.id)))]).map(\.id))
                let earlier = versions.filter { !inForce.contains($0.id) }
                if !earlier.isEmpty { try body(earlier) }
                count += earlier.count
            }
        }
        return count
    }
}

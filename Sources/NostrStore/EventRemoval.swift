public import NostrCore

/// A store that can drop events as if they had never come; nothing remembers them, and they may come again.
///
/// For burning an account. Deleting in the open is NIP-09, which ``EventStore/save(_:from:)`` obeys.
public protocol EventRemoval: Sendable {
    /// Drops every event any of the filters matches; returns how many.
    ///
    /// - Throws: ``StoreError``; then some may be gone and some not.
    func forget(_ filters: [Filter]) async throws -> Int
}

internal import NostrCore
internal import Synchronization

/// The authors whose versions are kept, as the last commit left them.
final class VersionedAuthors: Sendable {
    private let authors: Mutex<Set<PublicKey>>

    init(_ authors: Set<PublicKey>) {
        self.authors = Mutex(authors)
    }

    var all: Set<PublicKey> { authors.withLock { $0 } }

    func set(_ changed: Set<PublicKey>) {
        authors.withLock { $0 = changed }
    }
}

public import NostrClient
import Synchronization

/// Sites whose previews a test wrote.
public final class FakeSites: LinkPreviewing {
    private let pages: [String: LinkPreview]
    private let asked: Mutex<Set<String>>

    /// Takes what is at each address.
    ///
    /// - Parameter known: those that were asked for before.
    public init(_ pages: [String: LinkPreview], known: Set<String> = []) {
        self.pages = pages
        asked = Mutex(known)
    }

    /// The addresses that were asked for.
    public var questions: Set<String> { asked.withLock { $0 } }

    public func known(_ address: String) -> KnownPreview {
        guard asked.withLock({ $0.contains(address) }) else { return .unknown }
        return pages[address].map { .preview($0) } ?? .nothing
    }

    public func preview(of address: String) async -> LinkPreview? {
        asked.withLock { _ = $0.insert(address) }
        return pages[address]
    }
}

public import NostrClient
import Synchronization

/// GIFs that a test wrote, of relays and of a host.
public final class FakeGifs: GifFinding, GifHosting {
    private struct State {
        var found: [Gif] = []
        var ofHost: [Gif] = []
        var key: String?
        var problem = GifProblem.notThere
        var isThere = false
        var words: [String] = []
    }

    private let state = Mutex(State())

    /// What an account has before a test puts something in.
    public init() {}

    /// Whether an account looks for GIFs.
    public var isThere: Bool { state.withLock { $0.isThere } }
    /// The key that was kept.
    public var key: String? { state.withLock { $0.key } }
    /// What was looked for, in order.
    public var words: [String] { state.withLock { $0.words } }

    /// Puts GIFs in; from then on the account looks for some.
    ///
    /// - Parameter problem: why none of them can be downloaded.
    public func put(_ found: [Gif], ofHost: [Gif] = [], problem: GifProblem = .notThere) {
        state.withLock { state in
            (state.found, state.ofHost, state.problem, state.isThere) = (found, ofHost, problem, true)
        }
    }

    public func search(_ text: String, limit: Int) -> [Gif] {
        state.withLock { state in
            state.words.append(text)
            return state.found.filter { text.isEmpty || $0.title.lowercased().contains(text.lowercased()) }
        }
    }

    public func preview(_ id: String) -> GifPreview? { nil }

    public func download(_ gif: Gif) throws -> FileIntake { throw state.withLock { $0.problem } }

    public func hasKey() -> Bool { state.withLock { $0.key != nil } }

    public func setKey(_ key: String?) throws {
        if let key, key.utf8.count < 8 { throw GifHostProblem.noKey }
        state.withLock { $0.key = key }
    }

    public func search(_ text: String, at choice: GifHostChoice, limit: Int) -> [Gif] {
        state.withLock { choice.isEmpty || $0.key == nil ? [] : $0.ofHost }
    }
}

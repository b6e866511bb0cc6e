public import NostrCore
internal import Synchronization

/// A browser's session as it rests between two runs of the program.
public struct KeptSession: Hashable, Sendable {
    /// When the browser came in.
    public let openedAt: Timestamp
    /// The account open in it.
    public let account: PublicKey?

    /// How many are kept at once; older ones go.
    public static let most = 64

    /// A session to keep.
    public init(openedAt: Timestamp, account: PublicKey?) {
        self.openedAt = openedAt
        self.account = account
    }
}

/// Where sessions rest between two runs, under hashes from which no cookie can be made.
///
/// What cannot be read or written costs a login, so no failure is thrown.
public protocol SessionKeeping: Sendable {
    /// The session under a hash (SHA-256 of the cookie's word, in hex).
    func session(under hash: String) async -> KeptSession?
    /// Keeps a session, in place of what was kept under its hash.
    func keep(_ session: KeptSession, under hash: String) async
    /// Forgets a session.
    func forget(_ hash: String) async
    /// Closes an account in every session.
    func leave(_ account: PublicKey) async
}

/// Keeps sessions for one run only.
public final class SessionsInMemory: SessionKeeping {
    private let kept = Mutex<[String: KeptSession]>([:])

    /// The hashes of what is kept.
    var hashes: Set<String> { kept.withLock { Set($0.keys) } }

    /// Nothing yet.
    public init() {}

    public func session(under hash: String) -> KeptSession? { kept.withLock { $0[hash] } }

    public func keep(_ session: KeptSession, under hash: String) { kept.withLock { $0[hash] = session } }

    public func forget(_ hash: String) { kept.withLock { $0[hash] = nil } }

    public func leave(_ account: PublicKey) {
        kept.withLock { kept in
            for (hash, session) in kept where session.account == account {
                kept[hash] = KeptSession(openedAt: session.openedAt, account: nil)
            }
        }
    }
}

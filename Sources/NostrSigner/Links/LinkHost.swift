public import NostrCore

/// What links need of the system they come from: a phone's, a desktop's, a browser's.
public protocol URLOpening: Sendable {
    /// Opens a URL with whatever the system has for it.
    ///
    /// - Throws: when nothing takes it.
    func open(_ url: String) async throws
    /// Whether something on this device takes a URL.
    func canOpen(_ url: String) async -> Bool
}

/// How named pasteboards are used, whatever holds them.
public enum PasteboardRules {
    /// How long a text lies there.
    public static let lifetime = Duration.seconds(120)
    /// The longest text, in bytes: a signed event with the longest payload, escaped.
    public static let longest = 2 * 1024 * 1024
    /// How many texts lie there at a time.
    public static let most = 32

    /// Whether a text may name a place there: 1 to 128 printable ASCII characters; 32 random ones are not guessed.
    public static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The clipboard and named pasteboards of the system.
///
/// What is written stays on this device: an implementation marks it as local, and as expiring where the system can. What
/// lies under a token is handed out once.
public protocol Pasteboard: Sendable {
    /// Puts a text on the clipboard, where a person pastes it from.
    func copy(_ text: String, expires: Duration) async throws
    /// Takes what lies under a token away from there; `nil` for nothing.
    func text(under token: String) async throws -> String?
    /// Puts a text under a token, in place of what lay there.
    func put(_ text: String, under token: String, expires: Duration) async throws
}

/// The accounts of this machine, as links need them.
public protocol LinkAccounts: Sendable {
    /// All accounts whose key is here, the one in use first.
    func accounts() async -> [PublicKey]
    /// The signer of one of them; `nil` when its key is not here.
    func signer(of account: PublicKey) async -> (any SigningService)?
}

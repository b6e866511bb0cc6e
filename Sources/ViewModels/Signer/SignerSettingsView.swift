internal import NostrCore
public import NostrSigner

/// What holds for all apps of a signer: protected kinds, its own relays, whether it is paused.
public struct SignerSettingsView: Hashable, Sendable {
    /// A kind nobody signs by the way.
    public struct KindItem: Hashable, Sendable, Identifiable {
        /// Its number.
        public let number: UInt16
        /// What its events are called.
        public let title: String
        /// Whether it is protected.
        public let isProtected: Bool

        public var id: UInt16 { number }
    }

    /// Kinds that are protected, or are unless the person says otherwise.
    public private(set) var kinds: [KindItem] = []
    /// The signer's own relays, one a line.
    public private(set) var relays = ""
    /// Whether nothing is done for any app at present.
    public private(set) var isPaused = false
    /// Whether the passphrase is asked for again.
    public var asksForPassphrase: Bool { asking == .on }
    /// Takes the passphrase to change whether it is asked for; `nil` where the key has none.
    public var askingPassphrase: PassphraseItem? { asking == .noPassphrase ? nil : .always }
    /// Takes the passphrase with a change that protects less.
    public var passphrase: PassphraseItem? { asking == .on ? .always : nil }
    private var asking = PassphraseAsking.off
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?

    /// The most relays of its own.
    public static let mostRelays = 10

    /// What a person changes, as a form says it.
    public enum Change: Hashable, Sendable {
        /// Protect these kinds: numbers, and more numbers with white space or commas between them.
        case protect([String], more: String)
        /// Listen on these relays, one a line.
        case listen(String)
        /// Protect what is protected from the start.
        case reset
        /// Ask for the passphrase with a yes to what is protected, or no longer.
        case askForPassphrase(Bool)
    }

    /// Reads what holds for a signer's apps.
    public static func load(
        of signer: any SignerSettingsKeeping & PassphraseAskingService
    ) async throws(Trouble) -> SignerSettingsView {
        do {
            return SignerSettingsView(try await signer.settings(), try await signer.passphraseAsking())
        } catch { throw Trouble(error) }
    }

    /// Makes a change; ``done`` or ``problem`` says what came of it.
    ///
    /// - Throws: when what holds cannot even be read.
    public static func apply(
        _ change: Change, of signer: any SignerSettingsKeeping & PassphraseAskingService
    ) async throws(Trouble) -> SignerSettingsView {
        let settings: SignerSettings
        let asking: PassphraseAsking
        do { (settings, asking) = (try await signer.settings(), try await signer.passphraseAsking()) } catch {
            throw Trouble(error)
        }
        do {
            let changed = try change.made(to: settings)
            try await signer.setSettings(changed)
            var view = SignerSettingsView(changed, try await signer.passphraseAsking())
            view.done = SignerWords.saved
            return view
        } catch {
            var view = SignerSettingsView(settings, asking)
            view.problem = Trouble(error).sentence
            if case .listen(let text) = change { view.relays = text }
            return view
        }
    }

    private init(_ settings: SignerSettings, _ asking: PassphraseAsking) {
        self.asking = asking
        isPaused = settings.isPaused
        relays = settings.relays.map(\.text).joined(separator: "\n")
        kinds = settings.protectedKinds.union(SignerSettings.defaultProtectedKinds).sorted().map { kind in
            KindItem(
                number: kind.rawValue, title: kindWords(kind), isProtected: settings.protectedKinds.contains(kind))
        }
    }
}

extension SignerSettingsView.Change {
    fileprivate func made(to settings: SignerSettings) throws(Trouble) -> SignerSettings {
        var settings = settings
        switch self {
        case .protect(let chosen, let more): settings.protectedKinds = try kinds(chosen, more)
        case .listen(let text): settings.relays = try relays(text)
        case .reset: settings.protectedKinds = SignerSettings.defaultProtectedKinds
        case .askForPassphrase(let asks): settings.asksForPassphrase = asks
        }
        return settings
    }

    private func kinds(_ chosen: [String], _ more: String) throws(Trouble) -> Set<Kind> {
        let written = more.split { $0.isWhitespace || $0 == "," }.map(String.init)
        let numbers = (chosen + written).map { UInt16($0) }
        guard numbers.allSatisfy({ $0 != nil }) else { throw Trouble(SignerWords.writeKinds, canRetry: false) }
        return Set(numbers.compactMap(\.self).map { Kind($0) })
    }

    private func relays(_ text: String) throws(Trouble) -> [RelayURL] {
        var found: [RelayURL] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            // What is no relay is said.
            guard let relay = try? RelayURL(String(word)) else {
                throw Trouble(SignerWords.noRelay(oneLine(String(word), limit: 80)), canRetry: false)
            }
            if !found.contains(relay) { found.append(relay) }
        }
        guard found.count <= SignerSettingsView.mostRelays else {
            throw Trouble(SignerWords.tooManyRelays(most: SignerSettingsView.mostRelays), canRetry: false)
        }
        return found
    }
}
